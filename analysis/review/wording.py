"""Reviews in words: how a game could have ended and did, and what decided it."""

from __future__ import annotations

from trull.analysis.notation import Notation
from trull.analysis.report import unit_title
from trull.analysis.review.record import PlayedCard, Review
from trull.analysis.words import amount, is_complete
from trull.solver.question import Value

ASSUMPTION = "Values assume that everyone sees all cards from then on."
"""What every value of a review rests on."""


def value_text(value: Value) -> str:
    """Return a value in a word or a number."""
    return ("lost", "made")[value] if isinstance(value, bool) else str(value)


def value_title(review: Review) -> str:
    """Return what the values count, as a title."""
    titles = {"bool": "Contract", "score": "Score", "tricks": "Tricks"}
    return titles.get(review.unit, unit_title(review.position))


def threshold(review: Review) -> int | None:
    """Return the points that the contract needs, where they alone decide it."""
    position, rules = review.position, review.position.rules
    if review.objective != "points" or rules.goal != "majority" or rules.goal_needs_bird:
        return None
    return position.book.threshold if is_complete(position) else None


def assumptions(review: Review) -> list[str]:
    """Return what the values of a review are and rest on, in sentences."""
    lines = [ASSUMPTION]
    if any(review.position.discards):
        lines[0] = lines[0][:-1] + "; no exchange is judged."
    if review.everyone:
        unit = value_title(review).lower()
        lines.append(f"Each is the fewest {unit} that the card's player can hold itself to.")
    if review.game.talon_order_assumed:
        lines.append(
            "In which order a seat won its talon cards is not on record; lowest first is assumed."
        )
    return lines


def sentences(review: Review, notation: Notation) -> list[str]:
    """Return how the game could have ended, how it did, and what decided it, in sentences."""
    found = []
    if not review.everyone and review.unit != "bool":
        found.append(_result(review))
    if review.verdicts is not None:
        found += [_verdict(review, review.verdicts), _turning_point(review, notation)]
    if review.costliest is None:
        found.append("No card gave anything away.")
    elif review.unit != "bool":
        place = _place(review.costliest, notation)
        found.append(f"Costliest card: {place}, by {_quantity(review, review.costliest.cost)}.")
    return found


def _result(review: Review) -> str:
    together = review.position.partner is not None and review.unit != "score"
    who = "Declarer and partner" if together else "The declarer"
    planned, real = int(review.courses[0][0]), int(review.courses[0][-1])
    result = _quantity(review, real)
    if review.game.over:
        verb = "scored" if review.unit == "score" else "took"
        return f"{who} {verb} {result}; best play from the start gives {planned}."
    verb = "scores" if review.unit == "score" else "take" if together else "takes"
    return f"{who} {verb} {result} with best play from here; from the start, {planned}."


def _verdict(review: Review, verdicts: tuple[bool, ...]) -> str:
    planned, real = verdicts[0], verdicts[-1]
    needed = "" if threshold(review) is None else f" ({threshold(review)} needed)"
    result = f"contract is {'made' if real else 'not made'}{needed}"
    result = f"The {result}" if review.game.over else f"With best play from here the {result}"
    if planned == real:
        return f"{result}, as with best play from the start."
    return f"{result}; with best play from the start it is{'' if planned else ' not'}."


def _turning_point(review: Review, notation: Notation) -> str:
    turn = review.turning_point
    if turn is None or review.verdicts is None:
        return "No card changed whether the contract is made."
    state = value_text(review.verdicts[-1])
    return f"Turning point: {_place(turn, notation)}; from then on the contract is {state}."


def _place(card: PlayedCard, notation: Notation) -> str:
    return f"{notation.card(card.card).plain} of seat {card.seat} in trick {card.trick}"


def _quantity(review: Review, value: int) -> str:
    return str(value) if review.unit == "score" else amount(value, review.unit)
