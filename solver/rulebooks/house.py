"""House Rules tarock: three or four players, Scarecrow for two, the Fool as Excuse."""

from trull.solver.rules import Contract, Variant, contracts, named

_NUMBERS = {"three": 3, "two": 2, "one": 1, "full": 0}

_PARTNERED_THREE = Contract(
    name="partnered_three",
    source="Low Bids; The Role of the Fool",
    values={4: 10, 3: 10},
    sides="partner",
    goal="majority",
    discards=(3,),
    talon="called_king",
    emperor="on",
    fool="excuse",
    mond_lifts_fool=True,
    bonuses=("pagat", "king_ultimo", "kings", "valat", "french"),
)
_SOLO_THREE = named(
    _PARTNERED_THREE,
    "solo_three",
    source="Solo Low Bids",
    values={4: 40, 3: 40},
    sides="alone",
    talon="opponents",
    bonuses=("pagat", "kings", "valat", "french"),
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
        ),
    ),
)
