"""Slovenian tarok: four or three players, talon of six in groups."""

from trull.solver.hand_rules import Auction, bids
from trull.solver.rules import Contract, Variant, contracts, named
from trull.solver.score_rules import Bonus, MondPenalty

_SOLO_BONUSES = {
    "trull": Bonus(10, 20),
    "kings": Bonus(10, 20),
    "pagat": Bonus(25, 50),
    "valat": Bonus(250, 500),
}
_TRI = Contract(
    name="tri",
    source="Točkovanje: Tri, dva, ena; Klicanje kralja; Izmenjava s talonom",
    values={4: 10},
    sides="partner",
    goal="majority",
    discards=(3,),
    laid_first=None,
    talon="called_king",
    emperor="on",
    bonuses=("pagat", "king_ultimo", "trull", "kings", "valat"),
    game_score="rounded_difference",
    bonus_values=_SOLO_BONUSES | {"king_ultimo": Bonus(10, 20, silent_lost=0)},
    mond=MondPenalty(21),
)
_SOLO_TRI = named(
    _TRI,
    "solo_tri",
    source="Točkovanje: Solo tri, solo dva, solo ena",
    values={4: 40, 3: 10},
    sides="alone",
    talon="opponents",
    bonuses=("pagat", "trull", "kings", "valat"),
    bonus_values=_SOLO_BONUSES,
)
_BERAC = Contract(
    name="berac",
    source="Vrste iger: Berač",
    values={4: 70, 3: 70},
    sides="alone",
    goal="at_most",
    talon="aside",
    overtaking="all",
    pagat=("last_trump",),
    emperor="on",
)
_VALAT = Contract(
    name="valat",
    source="Vrste iger: Valat",
    values={4: 500, 3: 500},
    sides="alone",
    goal="all_but",
    talon="aside",
    emperor="on",
)

VARIANT = Variant(
    name="slovenian",
    title="Tarok (Slovenia)",
    source="Pravila taroka",
    counting="thirds",
    threshold=106,
    options={"declarer_leads_negative": False, "radlc": ()},
    holder_announces=True,
    paid=False,
    sections={
        "bonus": "Bonusi",
        "valat": "Bonusi",
        "radlc": "Točkovanje: Radlci",
        "mond": "Točkovanje: Mondfang",
    },
    bids=(
        *bids("klop tri", forehand="only"),
        *bids("dve ena"),
        *bids("solo_tri", players=(4,)),
        *bids("solo_tri", forehand="only", players=(3,)),
        *bids("solo_dve solo_ena berac solo_brez odprti_berac barvni_valat valat"),
    ),
    auction=Auction(opens=1, may_equal="forehand"),
    without_trumps="redealt",
    contracts=contracts(
        _TRI,
        named(_TRI, "dve", values={4: 20}, discards=(2,)),
        named(_TRI, "ena", values={4: 30}, discards=(1,)),
        _SOLO_TRI,
        named(_SOLO_TRI, "solo_dve", values={4: 50, 3: 20}, discards=(2,)),
        named(_SOLO_TRI, "solo_ena", values={4: 60, 3: 30}, discards=(1,)),
        named(
            _SOLO_TRI,
            "solo_brez",
            source="Vrste iger: Solo brez",
            values={4: 80, 3: 80},
            discards=(),
            bonuses=(),
            game_score="value",
            bonus_values={},
        ),
        named(
            _BERAC,
            "klop",
            source="Točkovanje: Klop",
            sides="everyone",
            goal="fewest_points",
            talon="tricks",
            doubling=False,
            payment="klop",
        ),
        _BERAC,
        named(_BERAC, "odprti_berac", source="Vrste iger: Odprti berač", values={4: 90}),
        named(
            _VALAT,
            "barvni_valat",
            source="Vrste iger: Barvni valat",
            values={4: 125},
            trump_power=False,
        ),
        _VALAT,
    ),
)
