"""Tables that the papers print of their experiments, number by number; nothing here is computed.

A row that is printed twice is here once.
"""

from __future__ import annotations

from typing import NamedTuple


class ErrorsInSelection(NamedTuple):
    """A row of CH96 Table 1: items, classes, cases; means and standard deviations of Δc, of the scores in order."""

    items: int
    classes: int
    cases: int
    printed: tuple[tuple[float, float], ...]

    @property
    def text(self) -> str:
        """How a row is named."""
        return f"n = {self.items}, c = {self.classes}, N = {self.cases}"


CH96_SCORES = ("CS", "MLED", "Draper", "BIC")
CH96_TABLE_1 = (
    ErrorsInSelection(8, 4, 400, ((0, 0), (0.4, 1.5), (0, 0), (-0.2, 0.4))),
    ErrorsInSelection(16, 4, 400, ((0.2, 0.4), (-0.2, 0.8), (0.2, 0.4), (-0.8, 0.4))),
    ErrorsInSelection(32, 4, 400, ((0, 0), (0, 0), (0, 0), (-0.4, 0.5))),
    ErrorsInSelection(64, 4, 400, ((0, 0), (0, 0), (0, 0), (-0.2, 0.4))),
    ErrorsInSelection(64, 32, 400, ((16.2, 1.5), (16.2, 1.5), (-2.2, 2.0), (-6.0, 2.7))),
    ErrorsInSelection(64, 16, 400, ((5.0, 6.4), (5.0, 6.4), (-1.6, 1.1), (-3.0, 1.4))),
    ErrorsInSelection(64, 8, 400, ((0.8, 0.8), (0.8, 0.8), (0, 0), (-1.0, 1.0))),
    ErrorsInSelection(32, 4, 100, ((0.6, 0.9), (0.6, 0.9), (0, 0), (-0.6, 0.5))),
    ErrorsInSelection(32, 4, 200, ((0.2, 0.4), (0.2, 0.4), (0, 0), (-0.6, 0.5))),
    ErrorsInSelection(32, 4, 800, ((0, 0), (0, 0), (0, 0), (0, 0))),
)
CH96_SETS = 5
"""Data sets of each experiment in Table 1."""

CH96_TIMES = ("EM", "Laplace", *CH96_SCORES)
CH96_TABLE_2 = {
    1689: (500, 2800, 2, 0.06, 2, 2),
    1754: (580, 3000, 2, 0.07, 2, 2),
    1819: (590, 3300, 2, 0.07, 2, 2),
    1884: (650, 3600, 2, 0.08, 2, 2),
    1949: (680, 3900, 2, 0.08, 2, 2),
    2014: (680, 4200, 2, 0.08, 2, 2),
    2079: (530, 4600, 2, 0.08, 2, 2),
    2144: (760, 4900, 2, 0.08, 2, 2),
    2209: (810, 5500, 2, 0.08, 2, 2),
    2274: (790, 5900, 3, 0.08, 3, 3),
    2339: (870, 6700, 3, 0.08, 3, 3),
}
"""Seconds by the dimension of the test model, for n = 64, c = 32, N = 400."""

KZ02_SCORES = ("BIC", "BIC+", "CS", "CS+")
KZ02_TABLE_2 = {
    1000: ((6.1, 0.6), (7.5, 0.8), (6.0, 0.6), (6.4, 0.6)),
    3000: ((2.2, 0.3), (2.5, 0.3), (2.4, 0.3), (2.4, 0.3)),
    9000: ((0.78, 0.1), (0.79, 0.09), (0.76, 0.1), (0.69, 0.07)),
    27000: ((0.49, 0.08), (0.33, 0.05), (0.5, 0.09), (0.38, 0.06)),
    81000: ((0.22, 0.04), (0.16, 0.03), (0.22, 0.03), (0.17, 0.03)),
    243000: ((0.15, 0.04), (0.1, 0.03), (0.15, 0.03), (0.12, 0.03)),
}
"""Thousandths of a bit, with what stands behind ±, taken for standard errors, by the number of cases."""
