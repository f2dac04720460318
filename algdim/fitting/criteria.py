"""Information criteria as most programs print them: −2 log L plus a penalty, with the number of parameters and the dimension.

And the entropy R² of classes: 1 where every case belongs to one class for certain, 0 where nothing is known of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log, prod
from typing import Any

from algdim.families import load_scoring
from algdim.figures import format_integer

SMALLER = "smaller is better"
LARGER = "larger is better"
PENALTIES: Mapping[str, Callable[[int, float], float]] = {
    "AIC": lambda count, size: 2.0 * count,  # noqa: ARG005  # whatever the number of cases
    "BIC": lambda count, size: count * log(size),
    "SABIC": lambda count, size: count * log((size + 2) / 24),
    "CAIC": lambda count, size: count * (log(size) + 1),
}
"""What is added to −2 log L: of so many parameters, or dimensions, and so many cases."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria of one fit; ``dimension`` is ``None`` where it is not known."""

    loglik: float
    size: float
    parameters: int
    dimension: int | None
    entropy_at_estimates: float | None = None
    """The entropy R² at the estimates; ``None`` where nothing is hidden, or it is not defined."""
    is_identified: bool | None = True
    """Whether all parameters are identified, ``None`` where that is not decided; where not, equally likely estimates differ in entropy."""

    @property
    def entropy_r2(self) -> float | None:
        """The entropy R², where the data determine it.

        >>> Criteria(-10.0, 100.0, 3, 2, 0.5, is_identified=False).entropy_r2
        """
        return self.entropy_at_estimates if self.is_identified else None

    def compute(self, count: int) -> dict[str, float]:
        """The criteria with so many parameters.

        >>> Criteria(-10.0, 100.0, 3, 2).compute(3)["AIC"]
        26.0
        """
        return {name: -2 * self.loglik + penalty(count, self.size) for name, penalty in PENALTIES.items()}

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        with_dimension = None if self.dimension is None else self.compute(self.dimension)
        return {
            "scale": f"-2 log likelihood plus a penalty, {SMALLER}",
            "parameters": {name.lower(): value for name, value in self.compute(self.parameters).items()},
            "dimension": with_dimension and {name.lower(): value for name, value in with_dimension.items()},
            "entropy_r2": self.entropy_r2,
        }

    def lines(self) -> list[str]:
        r"""For people.

        >>> print(*Criteria(-10.0, 100.0, 3, 3).lines(), sep="\n")
        -2 log scale, smaller is better     AIC     BIC   SABIC    CAIC
          3 parameters                   26.000  33.816  24.341  36.816
        """
        known = [(f"  {format_integer(self.parameters)} parameters", self.parameters)]
        if self.dimension is not None and self.dimension != self.parameters:
            known.append((f"  dimension {self.dimension}", self.dimension))
        rows = [[text, *(f"{value:.3f}" for value in self.compute(count).values())] for text, count in known]
        rows = [[f"-2 log scale, {SMALLER}", *PENALTIES], *rows]
        first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        table = [
            "  ".join([text.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))])
            for text, *cells in rows
        ]
        if self.entropy_at_estimates is None:
            return table
        found = "not determined: parameters are not identified"
        if self.is_identified is None:
            found = "not given: whether all parameters are identified is not decided"
        elif self.entropy_r2 is not None:
            found = f"{self.entropy_r2:.4f} ({LARGER})"
        return [*table, f"entropy R² {found}"]


def compute_entropy_r2(
    model: Any, sample: Any, parameters: Mapping[str, Any], expected: Mapping[str, Any], loglik: float
) -> float | None:
    """1 less the entropy of the hidden states given the data, over that of states of which nothing is known.

    The entropy is the log-likelihood less the expected one of complete data. ``None`` unless all is observed in tables but
    the hidden variables.
    """
    if not load_scoring(model.family).is_network or not model.hidden or model.given or sample.has_missing:
        return None
    owners = {getattr(one.local, "share", None) or one.name for one in model.variables}
    if not owners <= {name for name, rows in parameters.items() if not isinstance(rows, Mapping)}:
        return None
    states = prod(model.states[one.name] for one in model.hidden)
    if states < 2 or sample.size <= 0:
        return None
    complete = sum(
        count * log(value)
        for owner in owners
        for counts, values in zip(flatten(expected[owner]), flatten(parameters[owner]), strict=True)
        for count, value in zip(counts, values, strict=True)
        if count > 0 and value > 0
    )
    return min(1.0, max(0.0, 1 - (loglik - complete) / (float(sample.size) * log(states))))


def flatten(rows: Any) -> Sequence[Sequence[float]]:
    """The rows of a table."""
    return [[float(value) for value in row] for row in rows]
