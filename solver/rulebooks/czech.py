"""Czech tarok, calling XIX: four players, talon of six."""

from trull.solver.cards import TRUMP_MASK, XIX, XVI, XVII, XVIII
from trull.solver.hand_rules import MANY, Auction, HandBonus, bids
from trull.solver.rules import Contract, TrumpCall, Variant, contracts, named
from trull.solver.score_rules import Bonus

_FIRST_DUTY = Contract(
    name="first_duty",
    source="How to play, steps 2, 3 and 7",
    values={4: 1},
    sides="partner",
    goal="majority",
    discards=(4, 1, 1),
    bonuses=("pagat", "valat"),
    game_score="points",
    bonus_values={"pagat": Bonus(10, 20), "valat": Bonus(70, 140)},
)
_TROJKA = named(
    _FIRST_DUTY,
    "trojka",
    source="How to play, steps 2, 4 and 7",
    sides="alone",
    discards=(3,),
    levels=3,
    factors=((1, 1), (2, 2), (3, 3)),
)

_TRUMP_BONUSES = (
    HandBonus(name="trumps_10_12", value=10, needs={"trumps": (10, MANY)}),
    HandBonus(name="no_trump", value=10, needs={"trumps": (0, 0)}),
    HandBonus(name="pagat_alone", value=10, needs={"trumps": (1, 1), "pagat": (1, 1)}),
    HandBonus(name="trumps_8_9", value=5, needs={"trumps": (8, 9)}),
    HandBonus(name="trumps_1_2", value=5, needs={"trumps": (1, 2)}),
)
_TRULL_BONUS = (HandBonus(name="trull", value=5, needs={"honours": (3, 3)}),)
_FIVES_BONUSES = (
    HandBonus(name="four_kings", value=10, needs={"kings": (4, 4)}),
    HandBonus(name="five_point_cards", value=5, needs={"five_point_cards": (4, MANY)}),
)

VARIANT = Variant(
    name="czech",
    title="Tarok calling XIX (Czech lands)",
    source="Tarok · Rules (Dáme Karty)",
    counting="thirds",
    threshold=107,
    callable_cards=TRUMP_MASK,
    trump_call=TrumpCall(trumps=(XIX, XVIII, XVII, XVI)),
    announced_pagat=("announced",),
    sections={
        "bonus": "How to play, step 8",
        "valat": "How to play, step 8",
        "doubling": "How to play, step 5",
    },
    hand_bonuses=(_TRUMP_BONUSES, _TRULL_BONUS, _FIVES_BONUSES),
    bids=(
        *bids("first_duty warsaw", forehand="only"),
        *bids("second_duty", forehand="never"),
        *bids("trojka solo"),
    ),
    auction=Auction(single_round=True, instead={"first_duty": "warsaw"}),
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
            factors=((1, 1),),
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
            payment="warsaw",
        ),
    ),
)
