"""Austrian Königrufen: four players, talon of two halves of three."""

from trull.solver.cards import KINGS, QUEENS
from trull.solver.hand_rules import MANY, Auction, RuleOfThumb, bids
from trull.solver.rules import Contract, Variant, contracts, named
from trull.solver.score_rules import Bonus

_BIRDS = ("pagat", "uhu", "kakadu", "quapil")
_SILENT = {
    "trull": 10,
    "kings": 10,
    "pagat": 10,
    "uhu": 20,
    "kakadu": 30,
    "quapil": 40,
    "king_ultimo": 10,
}


def _bonus_values(
    game: int, *names: str, factor: int = 1, lost_factor: int = 1
) -> dict[str, Bonus]:
    """Return the values of the bonuses named, and of the valat in a game of a value."""
    silent, announced = 4 * game, 8 * game
    valat = Bonus(silent, announced, silent * lost_factor, announced * lost_factor)
    values = {name: Bonus(factor * _SILENT[name], 2 * factor * _SILENT[name]) for name in names}
    return values | {"valat": valat}


_CALLER_BONUSES = ("trull", "kings", *_BIRDS, "king_ultimo")
_DREIER_BONUSES = ("trull", "kings", *_BIRDS)

_RUFER = Contract(
    name="rufer",
    source="Simple Caller",
    values={4: 10},
    sides="partner",
    goal="majority",
    discards=(3,),
    emperor="on",
    bonuses=(*_BIRDS, "king_ultimo", "trull", "kings", "valat"),
    bonus_values=_bonus_values(10, *_CALLER_BONUSES),
    valat="game",
)
_DREIER = named(
    _RUFER,
    "dreier",
    source="Dreier",
    values={4: 50},
    sides="alone",
    bonuses=(*_BIRDS, "trull", "kings", "valat"),
    bonus_values=_bonus_values(50, *_DREIER_BONUSES),
)
_FARBENDREIER = named(
    _DREIER,
    "farbendreier",
    source="Suit Games: Farbendreier",
    laid_first="trumps",
    trump_power=False,
    trump_lead_last=True,
    bonuses=("kings", "valat"),
    bonus_values=_bonus_values(50, "kings"),
)
_BETTLER = Contract(
    name="bettler",
    source="Negative Games: Bettler",
    values={4: 40},
    sides="alone",
    goal="at_most",
    leader="declarer",
    talon="aside",
    overtaking="all",
    pagat=("last_trump",),
    emperor="on",
)
_PICCOLO = named(
    _BETTLER,
    "piccolo",
    source="Negative Games: Piccolo / Zwiccolo",
    values={4: 20},
    goal="exactly",
    tricks=1,
)
_TRISCHAKEN = named(
    _BETTLER,
    "trischaken",
    source="Negative Games: Trischaken",
    values={4: 10},
    sides="everyone",
    goal="fewest_points",
    leader="forehand",
    talon="tricks",
    doubling=False,
    payment="trischaken",
)

_BIRD_SOURCE = 'Better Caller – Caller with a "Bird"'

_RULES_OF_THUMB = (
    RuleOfThumb(
        contract="solorufer",
        source="Solo Caller",
        needs={"trumps": (5, MANY), "top_trumps": (1, MANY), "dreier_points": (0, 11)},
    ),
    *(
        RuleOfThumb(contract=f"{bird}rufer", source=_BIRD_SOURCE, needs={"trumps": (least, MANY)})
        for bird, least in zip(_BIRDS, (6, 7, 8, 8), strict=True)
    ),
    RuleOfThumb(contract="dreier", source="Dreier", needs={"dreier_points": (12, MANY)}),
    RuleOfThumb(
        contract="sechserdreier", source="Sechserdreier", needs={"dreier_points": (10, MANY)}
    ),
    RuleOfThumb(
        contract="solodreier",
        source="Solodreier",
        needs={
            "trumps": (9, MANY),
            "honours": (1, MANY),
            "big_trumps": (4, MANY),
            "short_kings": (1, MANY),
            "open_suits": (0, 1),
        },
    ),
)

VARIANT = Variant(
    name="koenigrufen",
    title="Königrufen (Austria)",
    source="Wolfgang Mayr, Tarock Rulebook, 2012",
    counting="thirds",
    threshold=107,
    callable_cards=KINGS | QUEENS,
    without_valat=("trull", "kings"),
    sections={
        "bonus": "Games and Bonuses — Overview",
        "valat": "Valat",
        "doubling": "Doubling (Kontrieren)",
        "void": "Solo Caller",
    },
    rules_of_thumb=_RULES_OF_THUMB,
    bids=(
        *bids("rufer trischaken sechserdreier", forehand="only"),
        *bids("piccolo zwiccolo solorufer pagatrufer bettler uhurufer"),
        *bids("farbendreier", least={"suit_cards": 6}),
        *bids("dreier piccolo_ouvert zwiccolo_ouvert kakadurufer bettler_ouvert quapilrufer"),
        *bids("farbensolo", least={"suit_cards": 6}),
        *bids("solodreier"),
    ),
    auction=Auction(
        opens=1, equal=(("piccolo", "zwiccolo"), ("piccolo_ouvert", "zwiccolo_ouvert"))
    ),
    contracts=contracts(
        _RUFER,
        named(
            _RUFER,
            "solorufer",
            source="Solo Caller",
            values={4: 20},
            discards=(),
            talon="called_half",
            bonus_values=_bonus_values(20, *_CALLER_BONUSES, factor=2),
        ),
        *(
            named(
                _RUFER,
                f"{bird}rufer",
                source=_BIRD_SOURCE,
                bird=bird,
                goal_needs_bird=True,
            )
            for bird in _BIRDS
        ),
        _DREIER,
        named(
            _DREIER,
            "sechserdreier",
            source="Sechserdreier",
            discards=(6,),
            factors=((1, 2),),
            bonus_values=_bonus_values(50, *_DREIER_BONUSES, lost_factor=2),
        ),
        named(
            _DREIER,
            "solodreier",
            source="Solodreier",
            values={4: 100},
            discards=(),
            bonus_values=_bonus_values(100, *_DREIER_BONUSES, factor=2),
        ),
        _FARBENDREIER,
        named(
            _FARBENDREIER,
            "farbensolo",
            source="Suit Games: Farbensolo",
            values={4: 100},
            discards=(),
            bonus_values=_bonus_values(100, "kings", factor=2),
        ),
        _TRISCHAKEN,
        _PICCOLO,
        named(_PICCOLO, "zwiccolo", tricks=2),
        _BETTLER,
        named(_PICCOLO, "piccolo_ouvert", source="Open Games: Piccolo ouvert", values={4: 60}),
        named(
            _PICCOLO,
            "zwiccolo_ouvert",
            source="Open Games: Zwiccolo ouvert",
            values={4: 60},
            tricks=2,
        ),
        named(_BETTLER, "bettler_ouvert", source="Open Games: Bettler ouvert", values={4: 80}),
    ),
)
