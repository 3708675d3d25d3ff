"""The page about the rules says what the rule books hold."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from commands import REPOSITORY
from trull.solver.rulebooks import VARIANTS, every_contract

PAGE = (REPOSITORY / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def maker() -> dict[str, Any]:
    return runpy.run_path(str(REPOSITORY / "docs" / "make_rules.py"))


def test_the_page_is_up_to_date(maker: dict[str, Any]) -> None:
    assert maker["page"](maker["kept_decisions"]()) == PAGE, "run python docs/make_rules.py"


def test_every_contract_has_its_row_and_its_rules() -> None:
    generated, _, decisions = PAGE.partition("\n## Decisions\n")
    assert decisions
    for book, record in every_contract():
        chapter = generated.split(f"\n## {book.title}\n")[1].split("\n## ")[0]
        table, rules = chapter.split("Contract by contract:")
        assert f"| `{record.name}` |" in table
        assert f"`{record.name}`" in rules


def test_every_option_is_explained(maker: dict[str, Any]) -> None:
    assert set(maker["OPTIONS"]) == {name for book in VARIANTS.values() for name in book.options}


@pytest.mark.parametrize(
    ("variant", "contract", "sentences"),
    [
        ("koenigrufen", "trischaken", ["Everyone must overtake.", "The emperor trick counts."]),
        ("koenigrufen", "farbensolo", ["only from a hand without suit cards"]),
        ("slovenian", "ena", ["exchanges one card", "or for a declarer who took up"]),
        ("czech", "warsaw", ["The Mond may not be led", "no emperor trick"]),
        ("texas", "zebrak", ["no duty to trump", "Trumps are without power.", "Nobody doubles."]),
        ("texas", "prever", ["by 1, 1 and 1 when won, by 1, 2 and 4 when lost"]),
        ("house", "barcelona_one", ["does not count against him", "not lifted by the Mond"]),
        ("house", "klop", ["The Fool is the Excuse, lifted by the Mond.", "first six tricks"]),
    ],
)
def test_sentences_follow_the_knobs(
    maker: dict[str, Any], variant: str, contract: str, sentences: list[str]
) -> None:
    book = VARIANTS[variant]
    said = " ".join(topic(book, book.contract(contract)) for topic in maker["TOPICS"])
    assert [sentence for sentence in sentences if sentence not in said] == []
