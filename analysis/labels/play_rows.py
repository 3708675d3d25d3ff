"""The rows of play labels: positions out of played games, and what every card is worth there."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from trull.analysis.labels.dealing import opening, play_sampler
from trull.analysis.labels.dice import Dice
from trull.analysis.labels.players import Turn, choose
from trull.analysis.labels.schema import NO_VALUE, NOTHING, PLAYED, SEATS, TRICKS
from trull.analysis.labels.solving import Judged, judge_cards
from trull.analysis.labels.spec import PlaySpec
from trull.analysis.labels.splitting import split_of
from trull.analysis.labels.walking import Walk
from trull.analysis.study.kind import Row
from trull.analysis.study.spec import Game
from trull.solver.cards import PACK
from trull.solver.kernel.engine import Engine
from trull.solver.position import Position
from trull.solver.referee import Referee
from trull.solver.rules import TALON_SIZE


def play_rows(spec: PlaySpec, deals: Iterable[int], engine: Engine) -> Iterator[tuple[Row, float]]:
    """Yield every row of some deals, with the milliseconds that it took.

    A game that a deal does not allow gives no row.

    Args:
        spec: the specification.
        deals: the numbers of the deals.
        engine: searches.

    Raises `DealError` when no deal that meets the conditions is found, and `Stopped` when the
    engine is retired meanwhile.
    """
    for number in deals:
        for game in spec.games:
            for declarer in game.declarers:
                deal = play_sampler(spec, game, declarer).deal(number)
                start = opening(game, deal, declarer, engine)
                if start is not None:
                    with engine.sharing():
                        yield from _game_rows(spec, game, number, start, engine)


def _game_rows(
    spec: PlaySpec, game: Game, number: int, start: Position, engine: Engine
) -> Iterator[tuple[Row, float]]:
    """Play a game as far as its last position that is wanted, and yield the rows on the way."""
    dice = Dice("play", spec.seed, number, game.name.replace(" ", "_"), start.declarer)
    wanted = _wanted(spec, game, number, dice)
    walk = Walk(start)
    began = time.perf_counter()
    while wanted:
        if walk.place in wanted:
            wanted.remove(walk.place)
            position = walk.position
            judged = judge_cards(engine, position, game.objective)
            row = {
                "deal": number,
                "split": split_of(spec.seed, number, spec.split),
                **position_columns(game, position),
                **label_columns(game, judged),
            }
            yield row, 1000 * (time.perf_counter() - began)
            began = time.perf_counter()
        walk.play(_card(spec, game, walk, dice, engine))


def _wanted(spec: PlaySpec, game: Game, number: int, dice: Dice) -> set[tuple[int, int]]:
    """Return the trick and the number of cards on the table of every position that is wanted.

    For balance the tricks take turns, deal after deal; else they are drawn.
    """
    tricks = spec.tricks_of(game)
    if spec.balance:
        turns = (number * spec.positions + place for place in range(spec.positions))
        chosen = [tricks[turn % len(tricks)] for turn in turns]
    else:
        chosen = dice.sample(tricks, spec.positions)
    return {(trick, dice.below(game.players)) for trick in chosen}


def _card(spec: PlaySpec, game: Game, walk: Walk, dice: Dice, engine: Engine) -> int:
    turn = Turn(
        walk=walk,
        legal=walk.referee.legal(walk.state),
        objective=game.objective,
        epsilon=spec.epsilon,
        dice=dice,
        engine=engine,
    )
    return choose(spec.player, turn)


def position_columns(game: Game, position: Position) -> dict[str, object]:
    """Return the columns from `game` to `leaders`."""
    referee, history = Referee(position), position.history or ()
    start = referee.start
    return {
        "game": game.name,
        "variant": position.variant,
        "contract": position.contract,
        "players": position.seats,
        "declarer": _or_nothing(position.declarer),
        "partner": _or_nothing(position.partner),
        "called": _or_nothing(position.called),
        "level": position.level,
        "trick": position.tricks_played + 1,
        "leader": position.leader,
        "player": position.player,
        "table": _filled(position.trick, SEATS, NOTHING),
        **_by_seat("hand", position.hands),
        **_by_seat("taken", position.taken),
        **_by_seat("discards", position.discards),
        "talon": _filled(position.talon, TALON_SIZE, NOTHING),
        "tricks_won": _filled(position.tricks_won, SEATS, 0),
        "points": _filled([referee.points(start, s) for s in range(position.seats)], SEATS, 0),
        "played": _filled([card for trick in history for card in trick.cards], PLAYED, NOTHING),
        "leaders": _filled([trick.leader for trick in history], TRICKS, NOTHING),
    }


def label_columns(game: Game, judged: Judged) -> dict[str, object]:
    """Return the columns from `objective` on."""
    regrets = judged.regrets
    units = {"points": game.book.unit, "tricks": "tricks", "made": "bool", "score": "score"}
    return {
        "objective": game.objective,
        "unit": units[game.objective],
        "maximises": judged.maximises,
        "value": judged.value,
        "card_values": [judged.values.get(card, NO_VALUE) for card in range(PACK)],
        "regrets": [regrets.get(card, NO_VALUE) for card in range(PACK)],
        "best": judged.best,
        "legal": judged.legal,
        "nodes": judged.nodes,
    }


def _or_nothing(number: int | None) -> int:
    return NOTHING if number is None else number


def _filled(numbers: Sequence[int], size: int, rest: int) -> list[int]:
    return [*numbers, *[rest] * (size - len(numbers))]


def _by_seat(name: str, masks: Sequence[int]) -> dict[str, int]:
    return {f"{name}{seat}": mask for seat, mask in enumerate(_filled(masks, SEATS, 0))}
