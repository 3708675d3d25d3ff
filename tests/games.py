"""Played games: a simple player with a seed, and positions that record what was played.

    python tests/games.py

writes the sample games of `data/games/` again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from endings import random_ending
from trull.solver.cards import FACE_VALUES, XX
from trull.solver.interchange import format_text, parse_position
from trull.solver.position import Position, Trick
from trull.solver.referee import Referee, State

_DATA = Path(__file__).parents[1] / "data"
GAMES = _DATA / "games"

_CARELESS = 1 / 6  # how often the simple player plays any card
_DEAR = 4  # the face value from which a card is worth winning


def recorded(start: Position, line: Sequence[int]) -> Position:
    """Return the position that the cards of a line lead to, with its history."""
    referee = Referee(start)
    state = referee.start
    tricks: list[Trick] = []
    for first in range(0, len(line), start.seats):
        cards = tuple(line[first : first + start.seats])
        if len(cards) == start.seats:
            tricks.append(Trick(state.leader, cards))
        for card in cards:
            state = referee.play(state, card)
    known = any(state.taken) and bool(_all_cards_appear(start))
    return replace(
        start,
        hands=state.hands,
        leader=state.leader,
        trick=state.trick,
        taken=state.taken if known else (0,) * start.seats,
        tricks_won=state.tricks,
        talon=state.talon,
        history=tuple(tricks),
    )


def _all_cards_appear(position: Position) -> bool:
    held = sum(mask.bit_count() for mask in (*position.hands, *position.discards))
    return held + len(position.talon) == len(FACE_VALUES)


def random_line(rng: random.Random, start: Position, tricks_left: int = 0) -> list[int]:
    """Return random legal play from a position until so many tricks are left."""
    referee = Referee(start)
    state, line = referee.start, []
    while state.trick or state.cards_left(state.leader) > tricks_left:
        line.append(rng.choice(referee.legal(state)))
        state = referee.play(state, line[-1])
    return line


def simple_line(rng: random.Random, start: Position) -> list[int]:
    """Return a whole game of the simple player, who now and then plays any card."""
    referee = Referee(start)
    state, line = referee.start, []
    while not referee.over(state):
        legal = referee.legal(state)
        careless = not state.trick or rng.random() < _CARELESS
        line.append(rng.choice(legal) if careless else _simple(referee, state, legal))
        state = referee.play(state, line[-1])
    return line


def _simple(referee: Referee, state: State, legal: Sequence[int]) -> int:
    """Return what a beginner plays second to last: he smears, wins what is dear, or saves."""

    def winner(cards: tuple[int, ...]) -> int:
        return referee.winner(cards, state.leader, state.final)

    def side(seat: int) -> bool:
        return seat in referee.side

    last = len(state.trick) == referee.seats - 1
    if last and side(winner(state.trick)) == side(state.player):
        return max(legal, key=lambda card: (FACE_VALUES[card], -card))
    winning = [card for card in legal if winner((*state.trick, card)) == state.player]
    if winning and (last or any(FACE_VALUES[card] >= _DEAR for card in state.trick)):
        return min(winning) if last else max(winning)
    return min(legal, key=lambda card: (FACE_VALUES[card], card))


def sample_games() -> dict[str, str]:
    """Return the texts of the sample games by their names in `data/games/`."""
    games = {}
    for name, seed in (("koenigrufen_rufer", 1), ("slovenian_tri", 2)):
        data = json.loads((_DATA / "deals" / f"{name}.json").read_text(encoding="utf-8"))
        start = replace(parse_position(data), comment=f"Played by the simple player, seed {seed}.")
        game = recorded(start, simple_line(random.Random(seed), start))
        games[f"{name}.json"] = format_text(game, "json")
    start, rng = _povinost(3)
    games["texas_povinost.txt"] = format_text(recorded(start, simple_line(rng, start)), "taroky")
    return games


def _povinost(seed: int) -> tuple[Position, random.Random]:
    """Return a random povinost of seat 0 before the first card, as Taroky Notation has it."""
    rng = random.Random(seed)
    while True:
        start = random_ending(rng, "texas", "povinost", 4, 12, past=True, mid_trick=False)
        if start.declarer == 0 and start.called != XX:
            return replace(start, announced=(), options={"ace_low": True}), rng


if __name__ == "__main__":
    for name, text in sample_games().items():
        (GAMES / name).write_text(text + "\n", encoding="utf-8")
