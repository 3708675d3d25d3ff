"""What a report says about the study itself, and about its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from trull.analysis.summary.findings import Findings
from trull.analysis.summary.intervals import FEW
from trull.analysis.summary.thresholds import REPLICATES, SEED

CAUTION = (
    "All results are double dummy: from the first lead on, everyone plays perfectly and sees all "
    "cards. At a table, where cards are hidden, contracts come out otherwise."
)


def page_title(findings: Findings) -> str:
    """Return the title of a report."""
    study = findings.selection.study
    return study.spec.title or f"Study {PurePath(study.store.place).name}"


def facts(findings: Findings) -> list[tuple[str, str]]:
    """Return what the study is, as pairs of a name and a text."""
    selection = findings.selection
    study, spec = selection.study, selection.study.spec
    there = study.manifest.rows // spec.rows_a_deal
    deals = f"{there:,}"
    if there < spec.deals:
        deals = f"{there:,} of {spec.deals:,} planned; the study is not complete"
    games = selection.games
    return [
        ("Deals", deals),
        ("Seed", str(spec.seed)),
        ("Conditions", "; ".join(spec.condition_texts) or "none"),
        *([("Only rows with", selection.where)] if selection.where else []),
        ("Rules", ", ".join(dict.fromkeys(game.book.title for game in games))),
        ("Players", _several(game.players for game in games)),
        ("Declarer", _several(_seat(game.declarer) for game in games)),
        ("Exchange", f"policy {_several(game.policy for game in games)}"),
        ("Objective", _several(game.objective for game in games)),
        ("Made by", f"Trull {study.manifest.trull}, rules {study.manifest.rules[:12]}"),
    ]


def notes(findings: Findings) -> list[str]:
    """Return what the numbers mean, in sentences."""
    inside = f"{100 * findings.confidence:.4g} %"
    scores = any(game.objective == "score" for game in findings.selection.games)
    won = "Won: the contract is made."
    if scores:
        won = "Won: the contract is made, or with objective score, the score is positive."
    return [
        won,
        f"Intervals hold {inside}: of rates by Wilson's score method, of means by Student's t, of "
        "differences on the same deals by Newcombe's and Student's.",
        f"Cells with fewer than {FEW} rows are marked; their intervals are rough.",
        "A threshold is the first value from which on the isotonic fit of the mean score is "
        f"positive; its interval comes from {REPLICATES} bootstrap samples with seed {SEED}.",
    ]


def again(findings: Findings) -> str:
    """Return the command that makes the study again."""
    return f"trull study study.toml --out {PurePath(findings.selection.study.store.place).name}"


def _several(values: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))


def _seat(declarer: object) -> str:
    return "every seat in turn" if declarer == "every" else f"seat {declarer}"
