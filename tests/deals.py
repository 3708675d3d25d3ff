"""Fixed positions in JSON form, for tests that spoil them one at a time."""

from __future__ import annotations

from typing import Any

from trull.solver.cards import format_cards, format_hand
from trull.solver.interchange import parse_position
from trull.solver.referee import Referee

DREIER: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": [
        "T3 T6 T8 T12 T18 T22 S8 H4 DK DQ D4 C10",
        "T1 T7 T9 T13 T19 SQ SJ S10 HN DN D2 C8",
        "T4 T10 T15 SN S7 HK HJ HA H3 DJ CK C9",
        "T2 T5 T14 T16 T17 T20 T21 SK DA CQ CN C7",
    ],
    "declarer": 3,
    "talon": "CJ T11 S9",
    "discards": ["", "", "", "HQ H2 D3"],
}
"""Seat 3 alone, the whole pack, before the first trick."""

RUFER: dict[str, Any] = {
    **DREIER,
    "contract": "rufer",
    "declarer": 0,
    "partner": 2,
    "called": "HK",
    "discards": ["HQ H2 D3", "", "", ""],
}
"""Seats 0 and 2 with the king of hearts called; else the cards of `DREIER`."""

TRISCHAKEN: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "trischaken",
    "hands": DREIER["hands"],
    "talon": "CJ T11 S9 HQ H2 D3",
}
"""Everyone alone, the talon into the tricks; else the cards of `DREIER`."""

SOLO_TRI: dict[str, Any] = {
    "variant": "slovenian",
    "contract": "solo_tri",
    "hands": [
        "T9 T10 T12 T17 T18 T20 T21 SK SQ H3 DQ DN DJ D2 D3 CJ",
        "T1 T2 T3 T4 T6 T13 T16 S9 S7 HQ H2 H4 DA CN C8 C7",
        "T5 T7 T8 T14 T15 T19 T22 HK HN HJ HA DK D4 CK CQ C10",
    ],
    "declarer": 2,
    "talon": "C9 S10 T11",
    "discards": ["", "", "SN SJ S8"],
}
"""Three players, seat 2 alone."""

SCARECROW: dict[str, Any] = {
    "variant": "house",
    "contract": "scarecrow",
    "hands": [
        "T1 T3 T5 T7 T9 SK SQ S9 S7 HK HJ H2 DQ DJ D2",
        "T2 T4 T6 T8 T10 SN SJ S10 S8 HQ HN H3 DK DN D3",
    ],
    "straw": [
        ["T11 CK CQ C9", "T13 T15 T17 HA", "T19 DA D4 C7"],
        ["T12 CN CJ C8", "T14 T16 T18 H4", "T20 T21 T22 C10"],
    ],
}
"""Two players with their straw men, the whole pack."""

EXERCISE: dict[str, Any] = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T5 SK", "T7 SQ", "T9 SN", "T11 SJ"],
}
"""Two tricks left and nothing known of the past."""


def played(data: dict[str, Any], tricks: int) -> dict[str, Any]:
    """Return the position after `tricks` tricks in which everyone plays his lowest legal card."""
    referee = Referee(parse_position(data))
    state = referee.start
    history = []
    for _ in range(tricks):
        leader, trick = state.leader, []
        for _ in range(len(state.hands)):
            trick.append(referee.legal(state)[0])
            state = referee.play(state, trick[-1])
        history.append({"leader": leader, "cards": format_cards(trick)})
    return data | {
        "hands": [format_hand(hand) for hand in state.hands],
        "taken": [format_hand(taken) for taken in state.taken],
        "tricks_won": list(state.tricks),
        "talon": format_cards(state.talon),
        "leader": state.leader,
        "history": history,
    }
