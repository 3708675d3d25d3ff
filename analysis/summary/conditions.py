"""Conditions on rows, such as `trumps >= 8 and kings in (1, 2)`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from trull.analysis.summary.columns import condition_column, expression
from trull.analysis.summary.errors import SummaryError

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_LONGEST = 2000
_EXPECTED = "expected comparisons of columns, as in 'trumps >= 8 and kings in (1, 2)'"


def parse_condition(text: str, schema: pa.Schema) -> pc.Expression:
    """Return a condition as Arrow evaluates it while reading.

    Args:
        text: comparisons of columns and constants, joined by `and`, `or`, `not`.
        schema: the columns of the study.

    Raises `SummaryError` when the text is no condition or names an unknown column.
    """
    if len(text) > _LONGEST:
        raise SummaryError(f"where: longer than {_LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise SummaryError(f"where: {text!r} is not a condition, {_EXPECTED}") from None
    try:
        condition = _truth(tree, schema)
        # No rows show whether columns and constants match.
        ds.dataset(schema.empty_table()).to_table(filter=condition)
    except (pa.ArrowException, OverflowError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise SummaryError(f"where: {text!r} does not fit its columns: {reason}") from error
    return condition


def _truth(node: ast.expr, schema: pa.Schema) -> pc.Expression:
    match node:
        case ast.BoolOp(op=op, values=values):
            join = operator.and_ if isinstance(op, ast.And) else operator.or_
            first, *rest = (_truth(value, schema) for value in values)
            for other in rest:
                first = join(first, other)
            return first
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ~_truth(operand, schema)
        case ast.Compare(left=left, ops=ops, comparators=others):
            operands = [left, *others]
            pairs = zip(operands, ops, others, strict=False)
            first, *rest = (_compared(a, op, b, schema) for a, op, b in pairs)
            for other in rest:
                first = first & other
            return first
        case ast.Name(id=name):
            return expression(schema.field(condition_column(schema, name)))
    raise _fault(node)


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, schema: pa.Schema) -> pc.Expression:
    if isinstance(op, ast.In | ast.NotIn):
        if not isinstance(right, ast.Tuple | ast.List | ast.Set):
            raise _fault(right)
        try:
            values = list(ast.literal_eval(right))
        except (ValueError, TypeError):
            raise _fault(right) from None
        found = _term(left, schema).isin(values)
        return ~found if isinstance(op, ast.NotIn) else found
    if type(op) not in _COMPARISONS:
        raise _fault(left)
    compared: pc.Expression = _COMPARISONS[type(op)](_term(left, schema), _term(right, schema))
    return compared


def _term(node: ast.expr, schema: pa.Schema) -> pc.Expression:
    match node:
        case ast.Name(id=name):
            field = schema.field(condition_column(schema, name))
            found = expression(field)  # products of small whole numbers may be large
            return found.cast(pa.int64()) if pa.types.is_integer(field.type) else found
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return pc.scalar(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return pc.scalar(-value)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            result: pc.Expression = _ARITHMETIC[type(op)](_term(left, schema), _term(right, schema))
            return result
    raise _fault(node)


def _fault(node: ast.expr) -> SummaryError:
    return SummaryError(f"where: {ast.unparse(node)!r} is not understood, {_EXPECTED}")
