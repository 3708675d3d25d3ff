"""Texas taroky (Olfen/Havlak): four players, talon of six, face points."""

from trull.solver.cards import TRUMP_MASK, XX
from trull.solver.rules import Contract, Variant, contracts, named

_POVINOST = Contract(
    name="povinost",
    source="Playing Povinost",
    values={4: 2},
    sides="partner",
    goal="majority",
    leader="declarer",
    discards=(4, 1, 1),
    bonuses=("pagat", "valat"),
)
_ZEBRAK = Contract(
    name="zebrak",
    source="Playing Zebrak",
    values={4: 16},
    sides="alone",
    goal="at_most",
    talon="aside",
    trump_power=False,
    void_must_trump=False,
    doubling=False,
)

VARIANT = Variant(
    name="texas",
    title="Taroky (Texas)",
    source="Tarok Rules, Olfen/Havlak version",
    counting="face",
    threshold=54,
    red_pips="234A",
    announced_pagat=("announced", "no_lead"),
    callable_cards=TRUMP_MASK,
    doubling_limit=16,
    options={"solo_povinost": False, "lost_mond": False, "emperor": False},
    contracts=contracts(
        _POVINOST,
        named(
            _POVINOST,
            "ze_ruky",
            source="Playing Ze Ruky",
            values={4: 4},
            leader="forehand",
            discards=(),
            talon="called_card",
            calls=XX,
        ),
        named(
            _POVINOST,
            "prever",
            source="Playing Prever",
            values={4: 3},
            sides="alone",
            leader="forehand",
            discards=(3,),
            levels=3,
        ),
        _ZEBRAK,
        named(
            _ZEBRAK,
            "zebrak_trump",
            source="Optional Rules",
            trump_power=True,
            void_must_trump=True,
            overtaking="all",
            pagat=("no_lead",),
        ),
    ),
)
