"""Conditions such as ``dimension < standard and not exact``: Python's words, and nothing is executed.

The text is parsed by Python's own parser and only comparisons, ``and``, ``or``, ``not``, ``+``, ``-``, names, whole numbers,
quoted texts, True, False and None are let through.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from algdim.errors import InputError, join_names

MOST_SIGNS = 500
SQL = re.compile(r"(?<![<>=!])=(?!=)|<>|\b(?:AND|OR|NOT|LIKE|IN|IS|BETWEEN)\b", re.IGNORECASE)
"""What conditions in SQL have, and these have not."""

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
SUMS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {ast.Add: operator.add, ast.Sub: operator.sub}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on named quantities.

    >>> condition = read_condition("dimension < standard - 1 or not exact", ("dimension", "standard", "exact"))
    >>> condition.holds({"dimension": 13, "standard": 14, "exact": True})
    False
    """

    text: str
    tree: ast.expr

    @property
    def names(self) -> frozenset[str]:
        """The quantities that it is about."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))

    def holds(self, quantities: Mapping[str, Any]) -> bool:
        """Whether the condition holds; a comparison with a quantity that is not there does not."""
        return bool(evaluate_tree(self.tree, quantities))


def read_condition(text: str, names: Collection[str]) -> Condition:
    """Read a condition, or say what is wrong with it."""
    if len(text) > MOST_SIGNS:
        raise InputError(f"a condition has {len(text)} signs; at most {MOST_SIGNS} are allowed")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        advice = "; equality is written ==, and words are and, or, not, in small letters" if SQL.search(text) else ""
        raise InputError(
            f"{text!r} is no condition; one is for example: dimension < standard and exact{advice}"
        ) from None
    check(tree, text, names)
    return Condition(text, tree)


def check(node: ast.expr, text: str, names: Collection[str]) -> None:
    """Raise unless the tree has only what a condition may have."""
    match node:
        case ast.BoolOp(values=values):
            inner = values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = [operand]
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in COMPARISONS for op in ops):
            inner = [left, *others]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SUMS:
            inner = [left, right]
        case ast.Constant(value=None | bool() | int() | str()):
            inner = []
        case ast.Name(id=name) if name in names:
            inner = []
        case ast.Name(id=name):
            raise InputError(f"{text!r}: there is no quantity {name}; known are {join_names(names)}")
        case _:
            raise InputError(
                f"{text!r}: {ast.unparse(node)[:60]!r} is not allowed in a condition; allowed are quantities, integers, "
                "quoted texts, < <= > >= == != + - and, or, not"
            )
    for child in inner:
        check(child, text, names)


def evaluate_tree(node: ast.expr, quantities: Mapping[str, Any]) -> Any:
    """The value of a tree that was checked."""
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(evaluate_tree(value, quantities) for value in values)
        case ast.BoolOp(values=values):
            return any(evaluate_tree(value, quantities) for value in values)
        case ast.UnaryOp(operand=operand):
            return not evaluate_tree(operand, quantities)
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [evaluate_tree(part, quantities) for part in (left, *others)]
            return all(compare_values(op, *pair) for op, *pair in zip(ops, values, values[1:], strict=False))
        case ast.BinOp(left=left, op=op, right=right):
            one, other = evaluate_tree(left, quantities), evaluate_tree(right, quantities)
            return SUMS[type(op)](one, other) if has_order(one) and has_order(other) else None
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return quantities.get(name)
    raise AssertionError(node)  # check lets nothing else through


def compare_values(op: ast.cmpop, one: Any, other: Any) -> bool:
    """Compare numbers with numbers and texts with texts; all else is only equal or not."""
    if isinstance(op, ast.Eq | ast.NotEq) or (has_order(one) and has_order(other)):
        return COMPARISONS[type(op)](one, other)
    return isinstance(one, str) and isinstance(other, str) and COMPARISONS[type(op)](one, other)


def has_order(value: object) -> bool:
    """Whether a value can be compared and added; yes and no count as 1 and 0."""
    return isinstance(value, int | float)
