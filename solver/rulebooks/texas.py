"""Texas taroky (Olfen/Havlak): four players, talon of six, face points."""

from trull.solver.cards import KINGS, PAGAT, TRUMP_MASK, XIX, XVII, XVIII, XX
from trull.solver.hand_rules import MANY, Auction, HandBonus, bids
from trull.solver.rules import Contract, TrumpCall, Variant, contracts, named
from trull.solver.score_rules import Bonus, MondPenalty

_THE_ONE = Bonus(2, 4)

_POVINOST = Contract(
    name="povinost",
    source="Playing Povinost",
    values={4: 2},
    sides="partner",
    goal="majority",
    leader="declarer",
    discards=(4, 1, 1),
    kept=KINGS | 1 << PAGAT,
    bonuses=("pagat", "valat"),
    game_score="chips",
    bonus_values={"pagat": _THE_ONE, "valat": Bonus(20, 40)},
    valat="game",
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

_TRUMP_BONUSES = (
    HandBonus(name="taroky", value=4, needs={"trumps": (10, MANY)}),
    HandBonus(name="tarocky", value=2, needs={"trumps": (8, 9)}),
    HandBonus(name="bida", value=2, needs={"trumps": (1, 2)}),
    HandBonus(name="zebrak", value=4, needs={"trumps": (0, 0)}),
)
_HONOUR_BONUSES = (
    HandBonus(name="spjst", value=10, needs={"kings": (4, 4), "honours": (3, 3)}),
    HandBonus(name="rozani_pani", value=6, needs={"kings": (4, 4), "honours": (1, 2)}),
    HandBonus(name="krale", value=4, needs={"kings": (4, 4)}),
    HandBonus(name="trull_pani", value=4, needs={"kings": (1, 3), "honours": (3, 3)}),
    HandBonus(name="trull", value=2, needs={"honours": (3, 3)}),
    HandBonus(name="pani", value=2, needs={"kings": (2, 2), "honours": (2, 2)}),
    HandBonus(name="pani", value=2, needs={"kings": (3, 3), "honours": (1, 2)}),
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
    trump_call=TrumpCall(
        trumps=(XX, XIX, XVIII, XVII), own_option="solo_povinost", after_talon=True
    ),
    doubling_limit=16,
    lost_mond=MondPenalty(2, to_partner=False, in_talon=False),
    sections={
        "bonus": "More Bonuses",
        "valat": "More Bonuses: Valat",
        "doubling": "Other Announcements",
        "mond": "Optional Rules",
    },
    options={"solo_povinost": False, "lost_mond": False, "emperor": False, "ace_low": False},
    hand_bonuses=(_HONOUR_BONUSES, _TRUMP_BONUSES),
    bids=(
        *bids("povinost", forehand="only", least={"trumps": 1}),
        *bids("zebrak ze_ruky prever"),
    ),
    auction=Auction(single_round=True),
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
            bonus_values={"pagat": _THE_ONE, "valat": Bonus(40, 80)},
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
            factors=((1, 1), (1, 2), (1, 4)),
            bonus_values={"pagat": _THE_ONE, "valat": Bonus(30, 60)},
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
