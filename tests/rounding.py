"""What is printed, compared but for rounding: the last digit of a decimal fraction may depend on the processor.

Fits and scores end where a tolerance says so, and sums are made in an order of the processor's choice.
"""

from __future__ import annotations

import doctest
import re
from math import isclose

NEAR = 1e-6
"""Of a number with many digits, or next to 0, the error that is allowed."""
DECIMAL = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


def is_alike(one: str, other: str) -> bool:
    """Whether two texts are the same but for the last digits of decimal fractions.

    >>> (
    ...     is_alike("G² = 1.59 (p = 0.953)", "G² = 1.60 (p = 0.952)"),
    ...     is_alike("G² = 1.59", "G² = 1.62"),
    ...     is_alike("df 6", "df 7"),
    ... )
    (True, False, False)
    """
    if one == other:
        return True
    numbers, others = DECIMAL.findall(one), DECIMAL.findall(other)
    return DECIMAL.sub("#", one) == DECIMAL.sub("#", other) and all(map(is_near, numbers, others))


def is_near(one: str, other: str) -> bool:
    """Whether two decimal fractions differ by a unit of the last place, or by a millionth, at most.

    >>> (
    ...     is_near("0.953", "0.952"),
    ...     is_near("0.953", "0.951"),
    ...     is_near("6.05e-11", "1.39e-11"),
    ...     is_near("6.05e11", "6.07e11"),
    ... )
    (True, False, True, False)
    """
    digits, _, exponent = one.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])) if "." in digits else 0.0
    return isclose(float(one), float(other), rel_tol=NEAR, abs_tol=max(NEAR, 1.01 * unit))


class Checker(doctest.OutputChecker):
    """Compares what a session prints in the same way."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether the output is as wanted."""
        shown = want.replace("<BLANKLINE>\n", "\n")
        return super().check_output(want, got, optionflags) or is_alike(shown, got)
