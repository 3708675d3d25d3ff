"""Austrian Königrufen: four players, talon of two halves of three."""

from trull.solver.cards import KINGS, QUEENS
from trull.solver.rules import Contract, Variant, contracts, named

_BIRDS = ("pagat", "uhu", "kakadu", "quapil")

_RUFER = Contract(
    name="rufer",
    source="Simple Caller",
    values={4: 10},
    sides="partner",
    goal="majority",
    discards=(3,),
    emperor="on",
    bonuses=(*_BIRDS, "king_ultimo", "trull", "kings", "valat"),
)
_DREIER = named(
    _RUFER,
    "dreier",
    source="Dreier",
    values={4: 50},
    sides="alone",
    bonuses=(*_BIRDS, "trull", "kings", "valat"),
)
_FARBENDREIER = named(
    _DREIER,
    "farbendreier",
    source="Suit Games: Farbendreier",
    trump_power=False,
    trump_lead_last=True,
    bonuses=("kings", "valat"),
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
)

VARIANT = Variant(
    name="koenigrufen",
    title="Königrufen (Austria)",
    source="Wolfgang Mayr, Tarock Rulebook, 2012",
    counting="thirds",
    threshold=107,
    callable_cards=KINGS | QUEENS,
    contracts=contracts(
        _RUFER,
        named(
            _RUFER,
            "solorufer",
            source="Solo Caller",
            values={4: 20},
            discards=(),
            talon="called_half",
        ),
        *(
            named(
                _RUFER,
                f"{bird}rufer",
                source='Better Caller — Caller with a "Bird"',
                bird=bird,
                goal_needs_bird=True,
            )
            for bird in _BIRDS
        ),
        _DREIER,
        named(_DREIER, "sechserdreier", source="Sechserdreier", discards=(6,)),
        named(_DREIER, "solodreier", source="Solodreier", values={4: 100}, discards=()),
        _FARBENDREIER,
        named(
            _FARBENDREIER,
            "farbensolo",
            source="Suit Games: Farbensolo",
            values={4: 100},
            discards=(),
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
