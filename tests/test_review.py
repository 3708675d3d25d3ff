"""The game analyser: its values against plain minimax, its sums, its report, its command."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from commands import trull
from endings import random_ending
from games import GAMES, random_line, recorded, sample_games, simple_line
from oracle import best, card_values, fewest
from trull.analysis.notation import UNICODE
from trull.analysis.review import Review, Unreviewable, review
from trull.analysis.review.game import game_of
from trull.analysis.review.report import review_report
from trull.solver import Position, rulebooks, solve
from trull.solver.cards import NAMES, format_cards
from trull.solver.interchange import format_text, position_to_dict, read_positions
from trull.solver.question import OBJECTIVES, Objective, Unsolvable
from trull.solver.referee import Referee, State
from trull.solver.rulebooks import every_contract
from trull.solver.settlement import score

CONTRACTS = [
    (book.name, contract.name, players)
    for book, contract in every_contract()
    if contract.sides != "two"
    for players in sorted(contract.values)
]


def sample(name: str) -> Position:
    """Return a game of `data/games/`."""
    with open(GAMES / name, "rb") as stream:
        (position,) = read_positions(stream)
    assert isinstance(position, Position)
    return position


def states_of(start: Position, line: list[int]) -> list[State]:
    """Return the state before the first card of a line and after every card."""
    referee = Referee(start)
    states = [referee.start]
    for card in line:
        states.append(referee.play(states[-1], card))
    return states


def objectives_of(variant: str, contract: str) -> list[Objective]:
    """Return the objectives that plain minimax knows for a contract."""
    everyone = rulebooks.contract(variant, contract).sides == "everyone"
    return ["points"] * 4 if everyone else ["points", "made", "tricks"]


def seat_values(referee: Referee, state: State) -> list[int]:
    """Return the fewest points that every seat can hold itself to, by plain minimax."""
    return [fewest(referee, state, seat)[0] for seat in range(referee.seats)]


def check_against_minimax(found: Review, start: Position, line: list[int], first: int = 0) -> None:
    """Compare the values and better cards of a review from a card on with plain minimax."""
    referee, everyone = Referee(start), start.rules.sides == "everyone"
    objective = found.objective
    assert objective != "score"
    states = states_of(start, line)
    for card in found.cards[first:]:
        state, played = states[card.number - 1], line[card.number - 1]
        own = card.seat if everyone else 0
        if everyone:
            before, values = fewest(referee, state, card.seat)
            assert [course[card.number - 1] for course in found.courses] == seat_values(
                referee, state
            )
        else:
            values = card_values(referee, state, objective)
            few = objective != "made" and start.rules.goal in ("at_most", "exactly")
            before = (max if (state.player in start.side) != few else min)(values.values())
        assert (card.seat, card.card) == (state.player, played)
        assert (int(card.before), int(card.after)) == (before, values[played])
        assert found.courses[own][card.number - 1 : card.number + 1] == (card.before, card.after)
        assert card.cost == abs(before - values[played])
        keeping = [other for other, value in values.items() if value == before]
        assert list(card.better) == (sorted(keeping) if card.cost else [])
    if everyone:
        assert [course[-1] for course in found.courses] == seat_values(referee, states[-1])


def check_sums(found: Review) -> None:
    """Check that what was given away leads from the first value to the last one."""
    position, costs = found.position, {total.seat: total.cost for total in found.totals}
    if found.everyone:
        for seat, course in enumerate(found.courses):
            steps = [int(b) - int(a) for a, b in pairwise(course)]
            own = [step for step, card in zip(steps, found.cards, strict=True) if card.seat == seat]
            assert sum(own) == costs[seat]
            assert all(step >= 0 for step in own)
            others = sum(steps) - sum(own)
            assert others <= 0
            assert int(course[-1]) == int(course[0]) + costs[seat] + others
        return
    declarers, opponents = found.sides
    few = position.rules.goal in ("at_most", "exactly") and found.objective in ("points", "tricks")
    change = int(found.courses[0][-1]) - int(found.courses[0][0])
    assert change == (opponents - declarers) * (-1 if few else 1)
    assert declarers == sum(cost for seat, cost in costs.items() if seat in position.side)
    assert all(card.cost >= 0 for card in found.cards)


# --- Values ---


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_values_of_exercises(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{variant} {contract} {players}")
    for number, objective in enumerate(objectives_of(variant, contract)):
        tricks = 2 + (number % 2 == 0)
        start = random_ending(rng, variant, contract, players, tricks, past=False, mid_trick=False)
        line = random_line(rng, start)
        if number:
            # Whether a trump was seen before the Fool was led is not known of an exercise.
            fool_leads_freely = start.rules.fool == "trump"
            line = line[: -rng.randrange(1, len(line)) if fool_leads_freely else -players]
        found = review(recorded(start, line), objective, memory=1)
        check_against_minimax(found, start, line)
        check_sums(found)


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_a_trick_on_the_table_without_a_history(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{variant} {contract} {players} trick")
    ending = replace(
        random_ending(rng, variant, contract, players, 2, past=True, mid_trick=True), history=None
    )
    start = replace(
        ending, hands=Referee(ending).before_trick.hands, trick=(), tricks_won=ending.tricks_won
    )
    for objective in sorted(set(objectives_of(variant, contract))):
        found = review(ending, objective, memory=1)
        check_against_minimax(found, start, list(ending.trick))
        assert found.cards[0].trick == start.tricks_played + 1


@pytest.mark.parametrize(
    ("variant", "contract", "players"),
    [
        ("koenigrufen", "rufer", 4),
        ("koenigrufen", "pagatrufer", 4),
        ("slovenian", "tri", 4),
        ("slovenian", "klop", 4),
        ("czech", "first_duty", 4),
        ("czech", "trojka", 4),
        ("koenigrufen", "piccolo", 4),
    ],
)
def test_whole_games(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{contract}")
    size = 12 if players == 4 else 16
    start = random_ending(rng, variant, contract, players, size, past=True, mid_trick=False)
    line = simple_line(rng, start)
    game = recorded(start, line)
    found = review(game)
    check_sums(found)
    given_out = replace(start, talon=Referee(game).opening.talon)  # type: ignore[union-attr]
    check_against_minimax(found, given_out, line, first=len(line) - 2 * players)
    settled = score(game)
    if found.everyone:
        assert tuple(course[-1] for course in found.courses) == settled.points
        assert found.verdicts is None
        return
    assert found.verdicts is not None
    assert found.verdicts[-1] is settled.made
    referee = Referee(start)
    for number, state in enumerate(states_of(start, line)):
        if state.cards_left(state.leader) + bool(state.trick) <= 2:
            assert found.verdicts[number] is bool(best(referee, state, "made"))


def test_the_values_of_a_game_are_those_that_solving_its_positions_gives() -> None:
    game = sample("koenigrufen_rufer.json")
    history = game.history or ()
    line = [card for trick in history for card in trick.cards]
    start = review(game).game.start
    for objective in OBJECTIVES:
        found = review(game, objective)
        check_sums(found)
        for number in (18, 29, 42):
            reached = recorded(start, line[:number])
            assert found.courses[0][number] == solve(reached, objective, cards="none").value
    assert solve(start).value == 107 == review(game).courses[0][0]
    assert review(game, "score").courses[0][-1] == score(game).scores[0]


def test_the_turning_point_is_the_last_change_of_the_verdict() -> None:
    for name in sample_games():
        found = review(sample(name))
        assert found.verdicts is not None
        turn = found.turning_point
        last = 0 if turn is None else turn.number
        assert len(set(found.verdicts[last:])) == 1
        if turn is not None:
            assert found.verdicts[turn.number - 1] != found.verdicts[turn.number]
        assert found.costliest is not None
        assert found.costliest.cost == max(card.cost for card in found.cards)


def test_the_verdict_needs_the_bird_that_the_points_do_not_show() -> None:
    rng = random.Random(11)
    start = random_ending(rng, "koenigrufen", "pagatrufer", 4, 12, past=True, mid_trick=False)
    line = simple_line(rng, start)
    found = review(recorded(start, line), "points")
    assert found.verdicts == review(recorded(start, line), "made").verdicts


def test_order_of_the_talon_is_assumed_only_where_it_is_not_on_record() -> None:
    rng = random.Random(3)
    start = random_ending(rng, "koenigrufen", "trischaken", 4, 12, past=True, mid_trick=False)
    line = simple_line(rng, start)
    one = recorded(start, line[:4])
    assert game_of(one).talon_order_assumed is False
    whole = recorded(start, line)
    winners = [state.leader for state in states_of(start, line)[4:25:4]]
    assert game_of(whole).talon_order_assumed is (len(set(winners)) < len(winners))


# --- Refusals ---


def test_what_cannot_be_reviewed() -> None:
    start = random_ending(random.Random(1), "koenigrufen", "dreier", 4, 3, past=False,
                          mid_trick=False)  # fmt: skip
    with pytest.raises(Unreviewable, match="history: no trick in it and no card in trick"):
        review(start)
    straw = random_ending(random.Random(1), "house", "scarecrow", 2, 4, past=False, mid_trick=True)
    with pytest.raises(Unreviewable, match="contract: in scarecrow it is not on record"):
        review(straw)
    klop = random_ending(random.Random(1), "slovenian", "klop", 4, 3, past=False, mid_trick=True)
    with pytest.raises(Unsolvable, match="objective: klop is solved for points, not tricks"):
        review(klop, "tricks")


def refused(data: object, *words: str | Path) -> str:
    """Return the sentence with which the command refuses a game."""
    done = trull("review", "-", *words, stdin=json.dumps(data) + "\n")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("trull: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_an_illegal_card_is_named_with_its_trick_and_rule() -> None:
    game = position_to_dict(sample("koenigrufen_rufer.json"))
    tricks: Any = game["history"]
    tricks[1]["cards"], tricks[4]["cards"] = "HJ SN HK T2", "S9 H3 S7 T6"
    said = refused(game)
    assert "history[1].cards: SN of seat 2 breaks the rules: must follow hearts" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--plot", "game.pdf"), "'game.pdf', expected a name that ends in .png or .svg."),
        (("--plot", "nowhere/game.png"), "there is no folder 'nowhere'."),
        (("--objective", "glory"), "'glory' is not one of"),
    ],
)
def test_faulty_options(words: tuple[str, str], sentence: str) -> None:
    assert sentence in refused({}, *words)


# --- Report ---

_ENDING = {
    "variant": "koenigrufen",
    "contract": "dreier",
    "hands": ["T22", "T21", "T5", "C7"],
    "tricks_won": [0, 0, 0, 1],
    "leader": 3,
    "history": [{"leader": 0, "cards": "SK SQ S8 T2"}],
}

_REPORT = """\
Königrufen (Austria): dreier
Seat 0 plays alone.
Seat 0 leads; 2 tricks to come.

                           Seat 2
                           T 5
                           ♠ 8
                           ♥ –
                           ♦ –
                           ♣ –
Seat 3                                            Seat 1
T 2                                               T 21
♠ –                                               ♠ Q
♥ –                                               ♥ –
♦ –                                               ♦ –
♣ 7                                               ♣ –
                           Seat 0  declarer, leads
                           T 22
                           ♠ K
                           ♥ –
                           ♦ –
                           ♣ –

The declarer takes 28 thirds = 9 points and 1 Blatt with best play from here;
from the start, 53.
Costliest card: ♠K of seat 0 in trick 1, by 25 thirds = 8 points and 1 Blatt.
Values assume that everyone sees all cards from then on.

Trick  Before  Seat 0   Seat 1   Seat 2   Seat 3   Won by
    1      53  ›♠K  28   ♠Q  28   ♠8  28   T2  28  seat 3

Trick  Seat  Card  Before  After  Cost  Better
    1     0  ♠K        53     28    25  T22

Player            Cards  Errors  Cost
Seat 0, declarer      1       1    25
Seat 1                1       0     0
Seat 2                1       0     0
Seat 3                1       0     0
Declaring side                     25
Opponents                           0
"""


def text(found: Review) -> str:
    console = Console(width=80, highlight=False)
    with console.capture() as capture:
        console.print(review_report(found, UNICODE))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_the_report() -> None:
    shown = text(review(Position.from_dict(_ENDING)))
    report, _, costs = shown.rpartition("\n\n")
    assert report + "\n" == _REPORT
    assert " nodes, " in costs


def test_what_the_report_says_of_sample_games() -> None:
    shown = text(review(sample("koenigrufen_rufer.json")))
    for sentence in (
        "Declarer and partner took 136 thirds = 45 points and 1 Blatt; best play from the",
        "The contract is made (107 needed), as with best play from the start.",
        "Turning point: ♦Q of seat 2 in trick 7; from then on the contract is made.",
        "Costliest card: ♦Q of seat 2 in trick 7, by 66 thirds = 22 points.",
        "Values assume that everyone sees all cards from then on; no exchange is judged.",
    ):
        assert sentence in shown
    shown = text(review(sample("texas_povinost.txt"), "made"))
    assert "No card changed whether the contract is made." in shown
    assert "No card gave anything away." in shown


@pytest.mark.parametrize(("variant", "contract", "players"), CONTRACTS)
def test_the_report_fits_the_terminal(variant: str, contract: str, players: int) -> None:
    rng = random.Random(f"{contract} report")
    start = random_ending(rng, variant, contract, players, 2, past=False, mid_trick=False)
    found = review(recorded(start, random_line(rng, start)), memory=1)
    shown = text(found)
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "Values assume that everyone sees all cards" in shown
    for card in found.errors:
        assert f"{NAMES[card.card][1:]}" in shown


# --- Command ---


def test_json() -> None:
    found = review(Position.from_dict({**_ENDING, "id": "a"}))
    done = trull("review", "--json", "-", stdin=json.dumps({**_ENDING, "id": "a"}) + "\n")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    del answer["ms"]
    assert answer == {
        "id": "a",
        "objective": "points",
        "unit": "thirds",
        "finished": False,
        "start": {"value": 53},
        "end": {"value": 28},
        "cards": [
            {"number": 1, "trick": 1, "seat": 0, "card": "SK", "before": 53, "after": 28,
             "cost": 25, "better": "T22"},
            {"number": 2, "trick": 1, "seat": 1, "card": "SQ", "before": 28, "after": 28,
             "cost": 0},
            {"number": 3, "trick": 1, "seat": 2, "card": "S8", "before": 28, "after": 28,
             "cost": 0},
            {"number": 4, "trick": 1, "seat": 3, "card": "T2", "before": 28, "after": 28,
             "cost": 0},
        ],
        "seats": [
            {"seat": 0, "cards": 1, "errors": 1, "cost": 25},
            {"seat": 1, "cards": 1, "errors": 0, "cost": 0},
            {"seat": 2, "cards": 1, "errors": 0, "cost": 0},
            {"seat": 3, "cards": 1, "errors": 0, "cost": 0},
        ],
        "sides": {"declarers": 25, "opponents": 0},
        "costliest": 1,
        "nodes": found.nodes,
    }  # fmt: skip


def test_json_of_whole_games_and_games_of_everyone() -> None:
    answer = review(sample("slovenian_tri.json")).to_dict()
    assert answer["start"] == {"value": 100, "made": False}
    assert answer["finished"] is True
    assert answer["turning_point"] == 23
    cards: Any = answer["cards"]
    assert [cards[number]["made"] for number in (21, 22)] == [True, False]
    rng = random.Random(5)
    start = random_ending(rng, "slovenian", "klop", 4, 5, past=False, mid_trick=False)
    found = review(recorded(start, random_line(rng, start)))
    answer = found.to_dict()
    assert answer["end"] == {"seats": [course[-1] for course in found.courses]}
    assert "sides" not in answer and "turning_point" not in answer
    cards = answer["cards"]
    assert cards[5]["after"] == cards[5]["seats"][cards[5]["seat"]]
    assert found.errors
    for wrong in found.errors:
        assert cards[wrong.number - 1]["better"] == format_cards(wrong.better)


def test_several_games_in_every_notation(tmp_path: Path) -> None:
    games = [sample(name) for name in ("slovenian_tri.json", "texas_povinost.txt")]
    lines = [format_text(games[0], "deal"), "nonsense", format_text(games[1], "taroky")]
    source = "\n".join(lines) + "\n"
    plot = tmp_path / "game.svg"
    runs = [
        trull("review", "--json", "--workers", number, "--plot", plot, "-", stdin=source)
        for number in "12"
    ]
    answers = [[json.loads(line) for line in run.stdout.splitlines()] for run in runs]
    for answer in (*answers[0], *answers[1]):
        answer.pop("ms", None)
    assert answers[0] == answers[1]
    assert [run.returncode for run in runs] == [2, 2]
    first, fault, third = answers[0]
    assert (first["end"]["value"], third["end"]["value"]) == (97, 70)
    assert "error" in fault
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-3.svg", "game.svg"]
    assert "Tarok (Slovenia): tri" in plot.read_text(encoding="utf-8")
    assert "54 needed" in (tmp_path / "game-3.svg").read_text(encoding="utf-8")


def test_progress_is_silent_where_nobody_watches() -> None:
    done = trull("review", GAMES / "texas_povinost.txt")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Player            Cards  Errors  Cost" in done.stdout


# --- Plot ---


def test_plots(tmp_path: Path) -> None:
    from trull.analysis.review.plot import save_plot

    found = review(sample("koenigrufen_rufer.json"))
    for name, beginning in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("b.PNG", b"\x89PNG")):
        save_plot(found, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(beginning)
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "107 needed" in drawn
    assert "everyone sees all cards" in drawn
    for card in found.errors:
        assert f"{UNICODE.card(card.card).plain}  seat {card.seat}" in drawn
    assert drawn.count("  seat ") == len(found.errors)
    save_plot(found, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == drawn
    assert len(list(tmp_path.iterdir())) == 4


def test_a_plot_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    from trull.analysis.review.plot import save_plot

    found = review(Position.from_dict({**_ENDING, "id": "$x"}))
    (tmp_path / "game.png").mkdir()
    with pytest.raises(OSError):
        save_plot(found, tmp_path / "game.png")
    assert [path.name for path in tmp_path.iterdir()] == ["game.png"]


def test_games_of_everyone_and_verdicts_are_drawn(tmp_path: Path) -> None:
    from trull.analysis.review.plot import save_plot

    rng = random.Random(4)
    start = random_ending(rng, "slovenian", "klop", 4, 3, past=False, mid_trick=False)
    save_plot(review(recorded(start, random_line(rng, start))), tmp_path / "klop.svg")
    drawn = (tmp_path / "klop.svg").read_text(encoding="utf-8")
    assert all(f">seat {seat}<" in drawn for seat in range(4))
    found = review(sample("slovenian_tri.json"), "made")
    save_plot(found, tmp_path / "made.svg")
    drawn = (tmp_path / "made.svg").read_text(encoding="utf-8")
    assert ">lost<" in drawn and ">turning point<" in drawn


# --- Samples ---


def test_the_sample_games_are_what_the_simple_player_plays() -> None:
    for name, game in sample_games().items():
        assert (GAMES / name).read_text(encoding="utf-8") == game + "\n"
