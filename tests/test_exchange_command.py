"""`trull exchange`: deals in, positions out, and an engine that shares its table among them."""

from __future__ import annotations

import json
import random

from commands import trull
from endings import random_ending
from trull.analysis.deals import Conditions, Deal, draw
from trull.analysis.exchange import exchange
from trull.solver import Position
from trull.solver.interchange import parse_position
from trull.solver.kernel.engine import Engine
from trull.solver.question import declarer_question

DEAL = {
    "variant": "koenigrufen",
    "hands": [
        "T22 T21 T20 T18 T17 T15 T14 T12 T9 SK SQ D3",
        "T19 T16 T13 SN SJ HK HN HA H2 H3 CJ C7",
        "T11 T10 T8 S10 S9 DK DQ DJ DA CK C9 C10",
        "T7 T6 T5 T4 T3 T1 S8 S7 H4 D2 CQ CN",
    ],
    "talon": "HQ HJ D4 C8 T2 DN",
}
LINE = json.dumps(DEAL)


def test_positions_are_ready_to_be_solved() -> None:
    exchanged = trull("exchange", LINE, "--contract", "dreier", "--policy", "best", "--json")
    assert (exchanged.returncode, exchanged.stderr) == (0, "")
    found = json.loads(exchanged.stdout)
    answer = trull("solve", "-", "--json", "--cards", "none", stdin=exchanged.stdout)
    assert json.loads(answer.stdout)["value"] == found["x_exchange"]["value"]
    own = exchange(Deal.from_dict(DEAL), "dreier", policy="best")
    assert parse_position({**found, "x_exchange": 0}).hands == own.position.hands
    assert found["x_exchange"]["exact"] is True
    assert found["x_exchange"]["nodes"] == own.nodes


def test_deals_of_a_stream_keep_their_order_and_their_names() -> None:
    deals = [draw("koenigrufen", 4, Conditions(), seed=2, number=number) for number in range(4)]
    lines = [json.dumps({"id": 0, "comment": "first", "x_seed": 2, **deals[0].to_dict()})]
    lines += [deals[1].deal_string, '{"variant": "koenigrufen"}', json.dumps(deals[3].to_dict())]
    words = ("exchange", "-", "--contract", "rufer", "--json", "--workers", "2")
    done = trull(*words, stdin="\n".join(lines))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert (rows[0]["id"], rows[0]["comment"], rows[0]["x_seed"]) == (0, "first", 2)
    assert rows[2] == {"error": "hands: missing, but required"}
    for number in (0, 1, 3):
        position = exchange(deals[number], "rufer").position
        assert Position.from_dict(rows[number]).hands == position.hands


def test_choices_are_taken_from_the_command_line() -> None:
    words = ("--contract", "dreier", "--group", "1", "--lay-away", "DN C8 D3", "--json")
    found = json.loads(trull("exchange", LINE, *words).stdout)
    assert found["discards"][0] == "DN D3 C8"
    assert found["x_exchange"] == {"policy": "plain", "group": 1, "taken": "T2 DN C8"}
    words = ("--contract", "rufer", "--call", "CK", "--announce", "king_ultimo", "--json")
    found = json.loads(trull("exchange", LINE, *words).stdout)
    assert (found["called"], found["partner"]) == ("CK", 2)
    assert found["announced"] == [{"seat": 0, "bonus": "king_ultimo"}]


def test_the_report_says_what_is_proven() -> None:
    words = ("exchange", LINE, "--contract", "dreier", "--policy", "best")
    report = trull(*words, "--objective", "made", "--ties").stdout
    assert "The contract can be made, with this exchange for one." in report
    assert "worth as much" in report
    limited = trull(*words, "--nodes", "10").stdout
    assert "A limit ended the search: there may be a better exchange." in limited
    plain = trull(*words[:-1], "plain").stdout
    assert "nodes" not in plain and "The declarer takes up" in plain


def test_faults_are_one_sentence() -> None:
    for words, message in (
        (("--contract", "dreyer"), "no contract 'dreyer': did you mean 'dreier'?"),
        (
            ("--contract", "dreier", "--lay-away", "SK SQ D3"),
            "SK SQ D3 may not be laid away in dreier, expected 3 cards that may",
        ),
        (("--contract", "dreier", "--lay-away", " "), "'--lay-away': no cards, expected some"),
        (("--contract", "dreier", "--ties"), "'--ties': only --policy best finds them"),
        (("--contract", "rufer", "--call", "SK"), "call: SK, expected HK or DK or CK in rufer"),
        (("--contract", "rufer", "--call", "SX"), "unknown card 'SX'"),
        (("--contract", "pagatrufer"), "seat 0 may not play it: needs T1"),
        (("--contract", "dreier", "--option", "emperor"), "has no option 'emperor'"),
    ):
        done = trull("exchange", LINE, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_sharing_answers_like_a_fresh_engine() -> None:
    """Positions of other rules and sides among them, and more than there are generations."""
    shared, fresh = Engine(1), Engine(1)
    shared.begin()
    fresh.begin()
    with shared.sharing():
        for position in _endings(150):
            question = declarer_question(position, "points")
            found = []
            for engine in (shared, fresh):
                question.load(engine, position)
                found.append([question.reach(engine, target, ()) >= target for target in TARGETS])
            assert found[0] == found[1]


TARGETS = (20, 60, 90, 107, 130, 160)


def _endings(number: int) -> list[Position]:
    rng = random.Random(11)
    games = [("koenigrufen", "dreier", 4), ("koenigrufen", "rufer", 4), ("house", "solo_two", 3)]
    return [random_ending(rng, *games[n % 3], 5, past=True) for n in range(number)]
