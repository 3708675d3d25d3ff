"""Results in words: how much it is, and whether that makes the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trull.solver.cards import ALL_CARDS, to_mask
from trull.solver.position import Position
from trull.solver.rules import BIRDS, Contract, hand_size

if TYPE_CHECKING:
    from trull.solver.answer import Answer
    from trull.solver.claim import Claim
    from trull.solver.maxn import MaxnAnswer
    from trull.solver.settlement import Score, Settlement

_SINGULAR = {"thirds": "third", "points": "point", "tricks": "trick"}


def is_complete(position: Position) -> bool:
    """Return whether all 54 cards appear, so that the final count is known."""
    seen = to_mask(position.talon) | to_mask(position.trick)
    for mask in (*position.hands, *position.taken, *position.discards):
        seen |= mask
    for stacks in position.straw:
        seen |= to_mask(card for stack in stacks for card in stack)
    return seen == ALL_CARDS


def amount(value: int, unit: str) -> str:
    """Return a number with its unit; thirds also as points and Blatt (RULES section 1).

    >>> amount(107, "thirds"), amount(108, "thirds"), amount(1, "tricks"), amount(54, "face")
    ('107 thirds = 35 points and 2 Blatt', '108 thirds = 36 points', '1 trick', '54 points')
    """
    if unit != "thirds":
        return _count(value, "points" if unit == "face" else unit)
    points, blatt = divmod(value, 3)
    rest = f" and {blatt} Blatt" if blatt else ""
    return f"{_count(value, unit)} = {_count(points, 'points')}{rest}"


def _count(value: int, noun: str) -> str:
    return f"{value} {_SINGULAR[noun] if value == 1 else noun}"


def result_sentences(answer: Answer) -> list[str]:
    """Return what the answer says about the declaring side, or about every seat, in sentences."""
    if answer.seats:
        return [
            f"Seat {seat} can hold itself to {_between(answer, lower, upper)}."
            for seat, (lower, upper) in enumerate(answer.seats)
        ]
    if answer.unit == "score":
        who = "Nobody took; forehand" if answer.position.declarer is None else "The declarer"
        return [f"{who} scores {_between(answer, answer.lower, answer.upper)}."]
    if answer.position.declarer is None:
        return ["Nobody took, so there is no declaring side."]
    if answer.unit == "bool":
        return [f"{_made(bool(answer.lower), bool(answer.upper))}."]
    who, verb = _declaring_side(answer.position)
    sentence = f"{who} {verb} {_between(answer, answer.lower, answer.upper)}."
    return [sentence, *_verdict(answer)]


def claim_sentence(claim: Claim) -> str:
    """Return whether a claim is safe, in a sentence."""
    if claim.safe is None:
        return "It is open whether the claim is safe; a limit ended the search."
    limit = "at most" if claim.at_most else "at least"
    if claim.safe:
        takes = f"{limit} {amount(claim.claimed, claim.unit)}, whatever the others play"
        return f"The claim is safe: {_claimant(claim)} {takes}."
    if claim.sure is None:
        return "The claim is not safe; a limit ended the search for a refutation."
    takes = f"{amount(claim.sure, claim.unit)} against best play, not {limit} {claim.claimed}"
    return f"The claim is not safe: {_claimant(claim)} {takes}."


def _claimant(claim: Claim) -> str:
    if isinstance(claim.side, int):
        return f"seat {claim.side} takes"
    if claim.side == "opponents":
        return "the opponents take"
    who, verb = _declaring_side(claim.position)
    return f"{who[0].lower()}{who[1:]} {verb}"


def maxn_sentences(answer: MaxnAnswer) -> list[str]:
    """Return what every seat scores when each plays for itself, in sentences."""
    return [
        f"Seat {seat} scores {decimal_text(score)}." for seat, score in enumerate(answer.scores)
    ]


def decimal_text(score: Score) -> str:
    """Return a number as people write it, a fraction with two decimal places."""
    return str(score) if isinstance(score, int) else f"{float(score):.2f}"


def settlement_sentences(settlement: Settlement) -> list[str]:
    """Return what a finished deal has come to, in sentences."""
    position, points = settlement.position, settlement.points
    sentences = []
    if isinstance(points, int):
        who, verb = _declaring_side(position)
        sentences.append(f"{who} {verb} {amount(points, position.book.unit)}.")
        sentences.append(f"{_made(bool(settlement.made), bool(settlement.made))}.")
    else:
        unit = position.book.unit
        sentences += [f"Seat {seat} takes {amount(own, unit)}." for seat, own in enumerate(points)]
    if position.history is None and _depends_on_history(position.rules):
        sentences.append("Without a history no bird, king ultimo, lost Mond or Excuse is known.")
    return sentences


def _depends_on_history(rules: Contract) -> bool:
    bonuses = {*BIRDS, "king_ultimo"} & rules.bonus_values.keys()
    excuse = rules.goal == "all_but" and rules.fool == "excuse"
    return bool(bonuses) or rules.mond is not None or excuse


def _between(answer: Answer, lower: int, upper: int) -> str:
    if lower == upper:
        return str(lower) if answer.unit == "score" else amount(lower, answer.unit)
    noun = {"face": " points", "score": ""}.get(answer.unit, f" {answer.unit}")
    return f"between {lower} and {upper}{noun}, as far as proven"


def _declaring_side(position: Position) -> tuple[str, str]:
    if position.partner is None:
        return "The declarer", "takes"
    return "Declarer and partner", "take"


def _verdict(answer: Answer) -> list[str]:
    """Return whether the contract is made and by what margin, where the result tells."""
    position, rules = answer.position, answer.position.rules
    low, high = int(answer.lower), int(answer.upper)
    if answer.objective == "tricks":
        return _tricks_verdict(position, low, high)
    if answer.objective != "points" or rules.goal != "majority" or not is_complete(position):
        return []
    needed = position.book.threshold
    verdict = _made(low >= needed, high >= needed)
    if answer.exact:
        verdict += _margin(low - needed, answer.unit)
    if rules.goal_needs_bird:
        verdict = f"By points alone, {verdict[0].lower()}{verdict[1:]}"
    return [f"{verdict} ({needed} needed)."]


def _tricks_verdict(position: Position, low: int, high: int) -> list[str]:
    rules = position.rules
    if rules.goal == "at_most":
        allowed = _count(rules.tricks, "tricks") if rules.tricks else "no trick"
        return [f"{_made(high <= rules.tricks, low <= rules.tricks)} ({allowed} allowed)."]
    if rules.goal == "all_but" and rules.fool != "excuse" and is_complete(position):
        needed = hand_size(position.seats) - rules.tricks
        return [f"{_made(low >= needed, high >= needed)} ({needed} needed)."]
    return []


def _made(worst: bool, best: bool) -> str:
    """Return whether the contract is made, by the answers that the worst and best case give."""
    if worst != best:
        return "It is open whether the contract is made"
    return "The contract is made" if worst else "The contract is not made"


def _margin(margin: int, unit: str) -> str:
    noun = "points" if unit == "face" else unit
    if margin < 0:
        return f", {_count(-margin, noun)} short"
    return f" with {_count(margin, noun) if margin else 'nothing'} to spare"
