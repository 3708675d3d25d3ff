"""Czech tarok, calling XIX: four players, talon of six."""

from trull.solver.cards import TRUMP_MASK
from trull.solver.rules import Contract, Variant, contracts, named

_FIRST_DUTY = Contract(
    name="first_duty",
    source="How to play, steps 2, 3 and 7",
    values={4: 1},
    sides="partner",
    goal="majority",
    discards=(4, 1, 1),
    bonuses=("pagat", "valat"),
)
_TROJKA = named(
    _FIRST_DUTY,
    "trojka",
    source="How to play, steps 2, 4 and 7",
    sides="alone",
    discards=(3,),
    levels=3,
)

VARIANT = Variant(
    name="czech",
    title="Tarok calling XIX (Czech lands)",
    source="Tarok · Rules (Dáme Karty)",
    counting="thirds",
    threshold=107,
    callable_cards=TRUMP_MASK,
    announced_pagat=("announced",),
    contracts=contracts(
        _FIRST_DUTY,
        named(
            _FIRST_DUTY,
            "second_duty",
            source="How to play, steps 2, 3, 7 and 8",
            bird="pagat",
        ),
        _TROJKA,
        named(
            _TROJKA,
            "solo",
            source="How to play, steps 2, 4 and 7",
            values={4: 6},
            discards=(),
            levels=1,
        ),
        Contract(
            name="warsaw",
            source="How to play, step 9",
            values={4: 10},
            sides="everyone",
            goal="fewest_points",
            talon="tricks",
            overtaking="all",
            pagat=("last_trump",),
            mond_rule=True,
            doubling=False,
        ),
    ),
)
