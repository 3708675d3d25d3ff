"""`trull deal`, and its page of the documentation."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

from commands import REPOSITORY, trull
from trull.analysis.cli import run
from trull.analysis.deals import Conditions, Deal, Sampler, draw
from trull.solver import Position
from trull.solver.cards import TRUMP_MASK
from trull.solver.interchange import parse_text

PAGE = (REPOSITORY / "docs" / "deals.md").read_text(encoding="utf-8")


def objects(text: str) -> list[dict[str, object]]:
    """Return the JSON objects of a text, one a line."""
    return [json.loads(line) for line in text.splitlines()]


def test_deals_as_json() -> None:
    words = "deal --variant slovenian --players 3 --count 3 --seed 4 --first 2 --json"
    done = trull(*words.split(), "--where", "trumps >= 9", "--hold", "1: SK")
    assert done.returncode == 0
    conditions = Conditions(where="trumps >= 9", hold={"1": "SK"})
    found = objects(done.stdout)
    assert [data["x_number"] for data in found] == [2, 3, 4]
    assert {data["x_seed"] for data in found} == {4}
    assert [Deal.from_dict(data) for data in found] == [
        draw("slovenian", 3, conditions, 4, number) for number in (2, 3, 4)
    ]
    assert " % of all deals meet by construction: seat1 holds SK; trumps >= 9; " in done.stderr


def test_deals_as_deal_strings() -> None:
    done = trull("deal", "--variant", "house", "--players", "2", "--count", "2")
    assert [Deal.from_string(line) for line in done.stdout.splitlines()] == [
        draw("house", 2, None, 0, number) for number in (0, 1)
    ]
    assert done.stderr == ""
    position = parse_text(done.stdout.splitlines()[0].replace("house:", "house:scarecrow@1"))
    assert position.declarer == 1


def test_the_acceptance_is_shown() -> None:
    done = trull("deal", "--variant", "texas", "--where", "trumps * kings >= 9", "--count", "5")
    found = re.search(r"([\d.]+) % of (\d+) tries met the rest: trumps \* kings >= 9", done.stderr)
    assert found is not None
    assert float(found[1]) == pytest.approx(500 / int(found[2]), rel=1e-3)


@pytest.mark.parametrize(
    "words",
    [
        ("koenigrufen", "solodreier", "--declarer", "2"),
        ("koenigrufen", "trischaken"),
        ("koenigrufen", "solorufer", "--called", "SK", "--where", "SK not in seat0"),
        ("koenigrufen", "solorufer", "--called", "SK", "--talon", "SK"),
        ("texas", "ze_ruky", "--declarer", "1", "--where", "T20 not in seat1"),
        ("slovenian", "klop", "--players", "3"),
        ("house", "no_peek", "--declarer", "3"),
        ("house", "scarecrow"),
    ],
)
def test_positions_of_contracts_without_an_exchange(words: tuple[str, ...]) -> None:
    variant, contract, *more = words
    done = trull("deal", "--variant", variant, "--contract", contract, "--json", *more)
    assert done.returncode == 0, done.stderr
    (data,) = objects(done.stdout)
    position = Position.from_dict(data)
    assert (position.variant, position.contract) == (variant, contract)
    if position.called is not None:
        holders = [hand >> position.called & 1 for hand in position.hands]
        assert position.partner == (holders.index(1) if any(holders) else None)
    told = trull("deal", "--variant", variant, "--contract", contract, *more).stdout.strip()
    assert parse_text(told) == position


def test_a_hand_without_trumps_is_dealt_for_klop_alone() -> None:
    words = ("deal", "--variant", "house", "--where", "seat1.trumps == 0", "--contract")
    done = trull(*words, "klop", "--json")
    position = Position.from_dict(objects(done.stdout)[0])
    assert position.hands[1] & TRUMP_MASK in (0, 1 << 21)
    refused = trull(*words, "no_peek", "--json")
    assert refused.returncode == 2
    assert "no deal meets these conditions together" in refused.stderr
    assert trull(*words, "no_peek", "--voids", "keep").returncode == 0


def test_a_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "deals.toml"
    file.write_text(
        '[deals]\nvariant = "koenigrufen"\nseed = 3\ncount = 5\nwhere = "trumps >= 8"\n'
        'talon = "T1"\nhold = {2 = "T22"}\n[other]\nx = 1\n',
        encoding="utf-8",
    )
    done = trull("deal", "--toml", file, "--count", "1", "--where", "kings >= 1", "--json")
    conditions = Conditions(where=("trumps >= 8", "kings >= 1"), hold={"2": "T22"}, talon="T1")
    assert [Deal.from_dict(data) for data in objects(done.stdout)] == [
        draw("koenigrufen", 4, conditions, 3, 0)
    ]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("x = 1", "no table [deals], expected one"),
        ("[deals", "deals.toml: Expected"),
        ("[deals]\nvariant = 3", "variant: 3, expected a text"),
        ("[deals]\ncont = 3", "unknown key \"cont\", did you mean 'count'?"),
        ("[deals]\ncount = 0", "count: 0, expected 1 or more"),
        ("[deals]\ncount = true", "count: true, expected a whole number"),
        ("[deals]\nhold = 3", "hold: 3, expected a table of places"),
        ("[deals]\nwhere = [3]", "where: 3, expected a text"),
        ('[deals]\nvariant = "texas"\nvoids = "x"', "voids: 'x', expected one of"),
    ],
)
def test_a_faulty_file_is_refused(
    tmp_path: Path, table: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.toml"
    file.write_text(table, encoding="utf-8")
    assert run(["deal", "--toml", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "variant: missing, expected --variant NAME"),
        (["--variant", "koenigrufn"], "unknown variant 'koenigrufn'"),
        (["--variant", "texas", "--players", "3"], "players: 3, expected 4 in texas"),
        (
            ["--variant", "texas", "--count", "0"],
            "'--count': Input should be greater than or equal to 1",
        ),
        (["--variant", "texas", "--hold", "T22"], "expected a place, a colon and cards"),
        (["--variant", "texas", "--talon", " "], "'--talon': no cards, expected some"),
        (["--variant", "texas", "--where", "trmps > 8"], "did you mean 'trumps'?"),
        (["--variant", "texas", "--where", "trumps > 12"], "no deal meets this condition"),
        (["--variant", "texas", "--declarer", "1"], "declarer: given without a contract"),
        (["--variant", "texas", "--contract", "prever"], "prever exchanges cards with the talon"),
        (["--variant", "texas", "--contract", "zebrk"], "did you mean 'zebrak'?"),
        (["--variant", "texas", "--contract", "zebrak", "--called", "T20"], "calls no card"),
        (["--variant", "koenigrufen", "--contract", "solorufer"], "called: missing, expected"),
        (
            [
                *("--variant", "koenigrufen", "--contract", "solorufer"),
                *("--called", "SK", "--hold", "0:SK"),
            ],
            "deal 0: called: seat 0 holds SK and cannot call it",
        ),
        (["--variant", "house", "--contract", "klop", "--players", "2"], "klop is for 3 or 4"),
        (["--toml", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (
            ["--variant", "texas", "--where", "trumps * kings > 40", "--tries", "99"],
            "no deal among 99 tries",
        ),
    ],
)
def test_what_cannot_be_dealt_is_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["deal", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err


def test_the_page_in_python() -> None:
    session = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "deals.md", "deals.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_page_in_a_shell() -> None:
    sessions = re.findall(r"^```console\n\$ trull (.*?)\n(.*?)^```$", PAGE, re.M | re.S)
    assert sessions
    for command, shown in sessions:
        done = trull(*shlex.split(command))
        assert done.returncode == 0
        assert not shown or done.stdout == shown


def test_the_conditions_of_the_page() -> None:
    (conditions,) = re.findall(r"^## Conditions\n\n```text\n(.*?)^```$", PAGE, re.M | re.S)
    for where in conditions.splitlines():
        assert Sampler("koenigrufen", conditions=[where]).rejecting == ()
