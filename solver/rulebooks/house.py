"""House Rules tarock: three or four players, Scarecrow for two, the Fool as Excuse."""

from trull.solver.cards import SKUS, TRUMP_MASK
from trull.solver.hand_rules import Auction, bids
from trull.solver.rules import Contract, Variant, contracts, named
from trull.solver.score_rules import Bonus, MondPenalty

_NUMBERS = {"three": 3, "two": 2, "one": 1, "full": 0}

_SOLO_BONUSES = {
    "trull": Bonus(15),
    "kings": Bonus(10, 20),
    "pagat": Bonus(25, 50),
    "valat": Bonus(100, 200),
}
_SCARECROW_BONUSES = {"trull": Bonus(10), "kings": Bonus(10), "pagat": Bonus(20)}

_PARTNERED_THREE = Contract(
    name="partnered_three",
    source="Low Bids; Low Bid Games",
    values={4: 10, 3: 10},
    sides="partner",
    goal="majority",
    discards=(3,),
    laid_first=None,
    talon="called_king",
    emperor="on",
    fool="excuse",
    mond_lifts_fool=True,
    bonuses=("pagat", "king_ultimo", "kings", "valat", "french"),
    game_score="difference",
    bonus_values=_SOLO_BONUSES | {"king_ultimo": Bonus(10, 20)},
    valat="all",
    mond=MondPenalty(21),
    called_king_penalty=15,
)
_SOLO_THREE = named(
    _PARTNERED_THREE,
    "solo_three",
    source="Solo Low Bids",
    values={4: 40, 3: 40},
    sides="alone",
    talon="opponents",
    bonuses=("pagat", "kings", "valat", "french"),
    bonus_values=_SOLO_BONUSES,
    called_king_penalty=0,
)
_CLOSED_BARACH = Contract(
    name="closed_barach_full",
    source="Closed Barach",
    values={4: 70, 3: 70},
    sides="alone",
    goal="at_most",
    leader="declarer",
    talon="aside",
    overtaking="all",
    pagat=("last_trump",),
    emperor="on",
    fool="excuse",
    mond_lifts_fool=True,
)
_BARCELONA = Contract(
    name="barcelona_full",
    source="Barcelona",
    values={4: 250, 3: 250},
    sides="alone",
    goal="all_but",
    leader="declarer",
    talon="aside",
    emperor="on",
    fool="excuse",
    bonuses=("fool_high",),
)


def _series(parent: Contract, name: str, values: dict[str, int], source: str) -> list[Contract]:
    return [
        named(
            parent,
            f"{name}_{number}",
            source=source,
            values={4: value, 3: value},
            tricks=_NUMBERS[number],
        )
        for number, value in values.items()
    ]


VARIANT = Variant(
    name="house",
    title="House Rules tarock",
    source="House Rules tarock",
    counting="thirds",
    threshold=107,
    red_pips="A234",
    announced_pagat=("announced",),
    options={"second_pickings": False},
    doubling_limit=None,
    bonus_doubling=False,
    paid=False,
    sections={
        "bonus": "Announcements",
        "valat": "Announcements",
        "doubling": "Announcements",
        "mond": "Penalties",
        "called_king": "Penalties",
    },
    hand_trumps=TRUMP_MASK & ~(1 << SKUS),
    bids=bids(
        "closed_barach_three partnered_three closed_barach_two partnered_two partnered_one "
        "closed_barach_one solo_three solo_two colour_valat_three solo_one open_barach_three "
        "closed_barach_full open_barach_two colour_valat_two barcelona_three no_peek "
        "open_barach_one open_barach_full colour_valat_one colour_valat_full barcelona_two "
        "barcelona_one barcelona_full"
    ),
    auction=Auction(may_equal="senior", forehand_must=False, otherwise="klop", may_raise=True),
    without_trumps="klop",
    contracts=contracts(
        _PARTNERED_THREE,
        named(_PARTNERED_THREE, "partnered_two", values={4: 20, 3: 20}, discards=(2,)),
        named(_PARTNERED_THREE, "partnered_one", values={4: 30, 3: 30}, discards=(1,)),
        _SOLO_THREE,
        named(_SOLO_THREE, "solo_two", values={4: 50, 3: 50}, discards=(2,)),
        named(_SOLO_THREE, "solo_one", values={4: 60, 3: 60}, discards=(1,)),
        named(
            _SOLO_THREE,
            "no_peek",
            source="No Peek",
            values={4: 80, 3: 80},
            leader="declarer",
            discards=(),
            bonuses=(),
            game_score="value",
            bonus_values={},
            mond=None,
        ),
        *_series(
            _CLOSED_BARACH,
            "closed_barach",
            {"three": 20, "two": 30, "one": 40, "full": 70},
            "Closed Barach",
        ),
        *_series(
            _CLOSED_BARACH,
            "open_barach",
            {"three": 60, "two": 70, "one": 80, "full": 90},
            "Open Barach",
        ),
        *_series(
            named(
                _BARCELONA,
                "colour_valat_full",
                trump_power=False,
                emperor="trump_led",
                fool="lowest",
                bonuses=(),
            ),
            "colour_valat",
            {"three": 50, "two": 75, "one": 100, "full": 125},
            "Colour Valat",
        ),
        *_series(
            _BARCELONA,
            "barcelona",
            {"three": 75, "two": 125, "one": 175, "full": 250},
            "Barcelona",
        ),
        named(
            _CLOSED_BARACH,
            "klop",
            source="Klop",
            values={4: 70, 3: 70},
            sides="everyone",
            goal="fewest_points",
            leader="forehand",
            talon="tricks",
            doubling=False,
            payment="klop",
        ),
        named(
            _PARTNERED_THREE,
            "scarecrow",
            source="Rules for Two Players (Scarecrow)",
            values={2: 20},
            sides="two",
            talon="aside",
            discards=(),
            bonuses=(),
            bonus_values=_SCARECROW_BONUSES,
            valat="double",
            called_king_penalty=0,
        ),
    ),
)
