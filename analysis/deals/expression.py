"""Conditions written as expressions: `trumps >= 8 and T22 in seat0`.

An expression is parsed as Python and then compiled from the few forms that are allowed, so that
nothing of it is ever run. `docs/deals.md` has the grammar.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from trull.analysis.deals.counting import Linear, Weights
from trull.analysis.deals.counts import (
    LINEAR,
    SUIT_SHAPE,
    Places,
    between,
    has_shape,
    number_of,
    suit_shape,
    weights_of,
)
from trull.analysis.deals.deal import DealError
from trull.analysis.deals.formula import All, Any, Formula, negation
from trull.analysis.deals.layout import named_places
from trull.solver.cards import NAMES, PACK, SUIT_SIZE, CardError, parse_cards, to_mask
from trull.solver.hands import FEATURES
from trull.solver.rulebooks import VARIANTS

_ASSIGNMENT = re.compile(r"(?<![=<>!])=(?!=)")
_LONGEST = 2000
_LARGEST = 10**6
_DEFAULT_PLACE = "seat0"

Masks = Sequence[int]
"""The cards of a deal, a mask a place."""


@dataclass(frozen=True)
class Clause:
    """Something that holds for a deal or does not.

    Attributes:
        text: the words of it, for messages.
        holds: looks at a deal.
        formula: the same as a formula; `None` where it is none.
    """

    text: str
    holds: Callable[[Masks], bool]
    formula: Formula | None


@dataclass(frozen=True)
class _Number:
    """A number that a deal has.

    Attributes:
        value: returns the number.
        weights: where it is a sum over cards, what each adds by place; else `None`.
        constant: what stands beside the sum.
        between: where it is a count that a formula can bound: returns that formula.
    """

    value: Callable[[Masks], int]
    weights: Mapping[int, Weights] | None = None
    constant: int = 0
    between: Callable[[int, int], Formula | None] | None = None


def parse_expression(text: str, variant: str, players: int) -> list[Clause]:
    """Return the clauses of an expression; all of them must hold.

    Args:
        text: the expression.
        variant: the variant, for what counts as a trump and for card points.
        players: the number of players, for the places there are.

    Raises `DealError` with a sentence that names the word at fault.
    """
    if len(text) > _LONGEST:
        raise DealError(f"where: {len(text)} characters, expected at most {_LONGEST}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        compiler = _Compiler(text.strip(), variant, players)
        return [compiler.whole_clause(node) for node in _conjuncts(tree.body)]
    except SyntaxError as error:
        raise DealError(f"where: {_syntax_fault(text, error)}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, DealError):
            raise
        raise DealError(f"where: {_shown(text)} is no expression that can be read") from error


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "…")


def _syntax_fault(text: str, error: SyntaxError) -> str:
    if not text.strip():
        return "empty, expected a condition such as trumps >= 8"
    hint = " (== compares)" if _ASSIGNMENT.search(text) else ""
    place = f" at character {error.offset}" if error.offset else ""
    return (
        f"{_shown(text.strip())} cannot be read{place}{hint}, expected a condition such as "
        "trumps >= 8 and T22 in seat0"
    )


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts that all must hold."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            yield from _conjuncts(part)
    else:
        yield node


_COMPARE: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_OPPOSITE: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_SWAPPED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.LtE,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
_RANGES: Mapping[type[ast.cmpop], tuple[tuple[int | None, int | None], ...]] = {
    ast.GtE: ((0, None),),
    ast.Gt: ((1, None),),
    ast.LtE: ((None, 0),),
    ast.Lt: ((None, -1),),
    ast.Eq: ((0, 0),),
    ast.NotEq: ((None, -1), (1, None)),
}
"""The ranges of a difference for which a comparison holds."""

_ARITHMETIC: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class _Compiler:
    """Compiles the nodes of an expression."""

    def __init__(self, text: str, variant: str, players: int) -> None:
        """Look up the places there are."""
        self._text = text
        self._variant = variant
        self._book = VARIANTS[variant]
        self._places = named_places(players)

    # --- Tests ---

    def whole_clause(self, node: ast.expr) -> Clause:
        """Compile a condition that stands for itself, with all its words."""
        return replace(self.clause(node), text=self._words(node))

    def clause(self, node: ast.expr, negated: bool = False) -> Clause:
        """Compile what must hold, or must not."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.clause(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            parts = [self.clause(part, negated) for part in node.values]
            return self._joined(node, parts, isinstance(node.op, ast.And) != negated)
        if isinstance(node, ast.Compare):
            ends = [node.left, *node.comparators]
            pairs = [
                self._sided(node, left, type(sign), right, negated)
                for left, sign, right in zip(ends, node.ops, ends[1:], strict=False)
                if self._is_sign(node, sign)
            ]
            return pairs[0] if len(pairs) == 1 else self._joined(node, pairs, not negated)
        raise self._fault(node, "is no condition, expected one such as trumps >= 8")

    def _is_sign(self, node: ast.Compare, sign: ast.cmpop) -> bool:
        if isinstance(sign, ast.Is | ast.IsNot):
            raise self._fault(node, "compares with 'is', expected == or !=")
        return True

    def _sided(
        self, node: ast.expr, left: ast.expr, sign: type[ast.cmpop], right: ast.expr, negated: bool
    ) -> Clause:
        """Compile a comparison, or that it does not hold."""
        if not negated:
            return self._compare(node, left, sign, right)
        if sign in _OPPOSITE:
            return self._compare(node, left, _OPPOSITE[sign], right)
        found = self._compare(node, left, sign, right)  # not all cards there: not none of them
        return replace(
            found,
            holds=lambda masks: not found.holds(masks),
            formula=None if found.formula is None else negation(found.formula),
        )

    def _joined(self, node: ast.expr, parts: list[Clause], all_hold: bool) -> Clause:
        join = all if all_hold else any
        formulas = tuple(part.formula for part in parts if part.formula is not None)
        formula: Formula | None = All(formulas) if all_hold else Any(formulas)
        return Clause(
            text=self._words(node),
            holds=lambda masks: join(part.holds(masks) for part in parts),
            formula=formula if len(formulas) == len(parts) else None,
        )

    def _compare(
        self, node: ast.expr, left: ast.expr, sign: type[ast.cmpop], right: ast.expr
    ) -> Clause:
        shape = self._shaped(left) or self._shaped(right)
        if shape:
            return self._compare_shape(node, left, sign, right)
        if sign in (ast.In, ast.NotIn) and isinstance(right, ast.Tuple):
            return self._compare_numbers(node, left, sign, right)
        if sign in (ast.In, ast.NotIn):
            return self._compare_cards(node, left, sign, right)
        first, second = self._number(left), self._number(right)
        compare = _COMPARE[sign]
        return Clause(
            text=self._words(node),
            holds=lambda masks: compare(first.value(masks), second.value(masks)),
            formula=_formula(first, sign, second),
        )

    def _compare_numbers(
        self, node: ast.expr, left: ast.expr, sign: type[ast.cmpop], right: ast.Tuple
    ) -> Clause:
        """Compile `kings in (1, 2)`."""
        one = ast.Eq if sign is ast.In else ast.NotEq
        parts = [self._compare(node, left, one, entry) for entry in right.elts]
        return self._joined(node, parts, sign is ast.NotIn)

    def _compare_cards(
        self, node: ast.expr, left: ast.expr, sign: type[ast.cmpop], right: ast.expr
    ) -> Clause:
        """Compile `T22 in seat0`; of several cards all are in a place, or none is."""
        cards, places = self._cards(left), self._place(right)
        inside = sign is ast.In
        size = cards.bit_count()

        def holds(masks: Masks) -> bool:
            held = cards & _union(masks, places)
            return held == cards if inside else not held

        formula = number_of(cards, places, size if inside else None, None if inside else 0)
        return Clause(self._words(node), holds, formula)

    def _cards(self, node: ast.expr) -> int:
        word = node.id if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            word = node.value
        if word is None:
            raise self._fault(node, "is no card, expected one such as T22, or several: 'T22 SK'")
        try:
            cards = to_mask(parse_cards(word))
        except CardError as error:
            raise DealError(f"where: {error}") from error
        if not cards:
            raise self._fault(node, "names no card")
        return cards

    def _place(self, node: ast.expr) -> Places:
        if not isinstance(node, ast.Name):
            raise self._fault(node, f"is no place, expected {', '.join(self._places)}")
        return self._place_called(node.id)

    def _place_called(self, name: str) -> Places:
        if name not in self._places:
            raise DealError(f"where: unknown place {name!r}, {_nearest(name, self._places)}")
        return self._places[name]

    # --- Suit shapes ---

    def _shaped(self, node: ast.expr) -> bool:
        word = node.attr if isinstance(node, ast.Attribute) else None
        return (node.id if isinstance(node, ast.Name) else word) == SUIT_SHAPE

    def _compare_shape(
        self, node: ast.expr, left: ast.expr, sign: type[ast.cmpop], right: ast.expr
    ) -> Clause:
        given = right.elts if isinstance(right, ast.Tuple) else [right]
        if not self._shaped(left) or sign not in (ast.Eq, ast.NotEq, ast.In, ast.NotIn):
            raise self._fault(node, f'compares a shape, expected {SUIT_SHAPE} == "4-3-2-0"')
        places = self._place_of(left)
        shapes = {self._shape(entry) for entry in given}
        inside = sign in (ast.Eq, ast.In)
        formula: Formula = Any(tuple(has_shape(text, places) for text in sorted(shapes)), True)
        return Clause(
            text=self._words(node),
            holds=lambda masks: (suit_shape(_union(masks, places)) in shapes) == inside,
            formula=formula if inside else negation(formula),
        )

    def _shape(self, node: ast.expr) -> str:
        text = node.value if isinstance(node, ast.Constant) else None
        lengths = text.split("-") if isinstance(text, str) else []
        if len(lengths) != 4 or not all(
            length.isdecimal() and int(length) <= SUIT_SIZE for length in lengths
        ):
            raise self._fault(node, 'is no shape, expected four suit lengths such as "4-3-2-0"')
        return "-".join(map(str, sorted(map(int, lengths), reverse=True)))

    # --- Numbers ---

    def _number(self, node: ast.expr) -> _Number:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return self._constant(node, node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return _combined(ast.Mult, self._number(node.operand), _whole(-1))
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            return _combined(type(node.op), self._number(node.left), self._number(node.right))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._feature(node)
        if isinstance(node, ast.Compare):
            return self._indicator(node)
        raise self._fault(node, "is no number, expected a count such as trumps, or + - * of them")

    def _constant(self, node: ast.expr, value: int) -> _Number:
        if value > _LARGEST:
            raise self._fault(node, "is too large, expected a smaller number")
        return _whole(value)

    def _feature(self, node: ast.Name | ast.Attribute) -> _Number:
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        if name not in FEATURES:
            raise self._unknown(name)
        places, book, count = self._place_of(node), self._book, FEATURES[name].count
        if name in LINEAR:
            weights = weights_of(name, self._variant)
            bounded = None
        else:
            weights = None

            def bounded(low: int, high: int) -> Formula | None:
                return between(name, places, low, high)

        return _Number(
            value=lambda masks: count(_union(masks, places), book),
            weights=None if weights is None else {place: weights for place in places},
            between=bounded,
        )

    def _place_of(self, node: ast.expr) -> Places:
        """Return the place that a feature is counted in: seat 0 where none is named."""
        if isinstance(node, ast.Attribute):
            return self._place(node.value)
        return self._place_called(_DEFAULT_PLACE)

    def _indicator(self, node: ast.Compare) -> _Number:
        """Compile `T22 in seat0` where a number stands: 1 if it is there, else 0."""
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.In):
            raise self._fault(node, "is no number, expected a count such as trumps")
        cards, places = self._cards(node.left), self._place(node.comparators[0])
        if cards.bit_count() > 1:
            raise self._fault(node, "stands for a number, expected a single card")
        return _Number(
            value=lambda masks: (cards & _union(masks, places)).bit_count(),
            weights=number_of(cards, places, None, None).weights,
        )

    # --- Messages ---

    def _words(self, node: ast.expr) -> str:
        return ast.get_source_segment(self._text, node) or ast.unparse(node)

    def _fault(self, node: ast.expr, what: str) -> DealError:
        return DealError(f"where: {_shown(self._words(node))} {what}")

    def _unknown(self, name: str) -> DealError:
        if name.upper() in NAMES:
            return DealError(f"where: {name} is a card, expected {name} in {_DEFAULT_PLACE}")
        if name in self._places:
            return DealError(f"where: {name} is a place, expected a count: {name}.trumps")
        known = (*FEATURES, SUIT_SHAPE)
        return DealError(f"where: unknown word {name!r}, {_nearest(name, known)}")


def _nearest(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    near = get_close_matches(name.lower(), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"


def _union(masks: Masks, places: Places) -> int:
    held = 0
    for place in places:
        held |= masks[place]
    return held


def _whole(value: int) -> _Number:
    return _Number(lambda _: value, {}, value)


def _combined(sign: type[ast.operator], first: _Number, second: _Number) -> _Number:
    """Return the sum, difference or product of two numbers."""
    combine = _ARITHMETIC[sign]

    def value(masks: Masks) -> int:
        return combine(first.value(masks), second.value(masks))

    if first.weights is None or second.weights is None:
        return _Number(value)
    if sign is not ast.Mult:
        factor = -1 if sign is ast.Sub else 1
        weights = _added(first.weights, second.weights, factor)
        return _Number(value, weights, combine(first.constant, second.constant))
    if first.weights and second.weights:
        return _Number(value)
    of, factor = (second, first.constant) if second.weights else (first, second.constant)
    weights = _added({}, of.weights or {}, factor)
    return _Number(value, weights, of.constant * factor)


def _added(
    first: Mapping[int, Weights], second: Mapping[int, Weights], factor: int
) -> dict[int, Weights]:
    nothing = (0,) * PACK
    return {
        place: tuple(
            one + factor * other
            for one, other in zip(
                first.get(place, nothing), second.get(place, nothing), strict=True
            )
        )
        for place in sorted({*first, *second})
    }


def _formula(first: _Number, sign: type[ast.cmpop], second: _Number) -> Formula | None:
    """Return a comparison as a formula, where it is one."""
    if first.weights is not None and second.weights is not None:
        weights = _added(first.weights, second.weights, -1)
        shift = second.constant - first.constant
        found = tuple(
            Linear(
                weights,
                None if low is None else low + shift,
                None if high is None else high + shift,
            )
            for low, high in _RANGES[sign]
        )
        return found[0] if len(found) == 1 else Any(found, apart=True)
    if second.between is not None and first.weights == {}:
        return _formula(second, _SWAPPED[sign], first)
    if first.between is None or second.weights != {}:
        return None
    parts = []
    for low, high in _RANGES[sign]:
        least = 0 if low is None else max(0, low + second.constant)
        most = PACK if high is None else min(PACK, high + second.constant)
        parts.append(first.between(least, most))
    formulas = tuple(part for part in parts if part is not None)
    return Any(formulas, apart=True) if len(formulas) == len(parts) else None
