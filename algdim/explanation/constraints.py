"""The command constraints: the equations that a model implies for what is observed, readably, each proved.

Gaussian models: `algdim.families.gaussian.constraints`; discrete networks: `algdim.families.discrete.constraints.search`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError
from algdim.exact.draws import drawn_seed
from algdim.families import equations_of
from algdim.families.discrete.constraints.search import Searched
from algdim.families.gaussian.treksearch import LeftOut
from algdim.figures import abridged, counted
from algdim.trust import Trust, known, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

SHOWN = 12
"""Equations of one kind that are printed unless all are asked for."""

TITLES: Mapping[str, str] = {
    "zero": "vanishing covariances",
    "zero mean": "vanishing means",
    "tetrad": "vanishing tetrads",
    "partial": "vanishing partial covariances",
    "kernel": "Verma-type equations of regressions",
    "sextad": "vanishing sextads (3×3 minors)",
    "octad": "vanishing octads (4×4 minors)",
    "minor": "larger vanishing minors",
    "partial minor": "vanishing minors of partial covariances",
    "pentad": "vanishing pentads",
    "independence": "conditional independences",
    "flattening": "flattenings",
    "verma": "Verma-type equations",
}
"""What each kind is called, in the order in which they are printed."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One equation, in text and LaTeX, why it holds, and for Gaussian models whether it is among the independent ones."""

    kind: str
    text: str
    latex: str
    because: str
    independent: bool | None
    evidence: Mapping[str, Any]
    trust: Trust

    def to_dict(self) -> dict[str, Any]:
        """The equation as plain values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "latex": self.latex,
            "because": self.because,
            "lemma": self.trust.lemmas[0] if self.trust.lemmas else None,
            **self.trust.to_dict(),
            "independent": self.independent,
            **self.evidence,
        }


@dataclass(frozen=True, slots=True)
class Constraints:
    """All equations that were found, and the codimension that they prove."""

    model: str
    family: str
    complete: int
    constraints: tuple[Constraint, ...]
    codimension: int
    reason: str
    notes: tuple[str, ...]
    zeros: int = 0
    """Cells of a table that are zero at all parameters."""
    left_out: tuple[LeftOut, ...] | None = None
    """Of a Gaussian model: what the list does not have, or may not have."""
    pairs: tuple[Constraint, ...] = ()
    """Of a discrete network: each pair of variables that others separate, with as few of them as possible."""
    searched: Searched | None = None
    """Of a discrete network: which lists are complete."""
    rest: Trust | None = None
    """Of a discrete network: that its graph implies no independence that those listed do not imply."""
    upper: Trust | None = None
    """That the dimension is at most the complete one less the codimension."""

    def of_kind(self, kind: str) -> tuple[Constraint, ...]:
        """The equations of one kind."""
        return tuple(one for one in self.constraints if one.kind == kind)

    def lines(self, most: int | None = SHOWN) -> list[str]:
        """The equations kind by kind, the first ones of each, and what they prove."""
        counts = Counter(one.kind for one in self.constraints)
        result = [abridged(self.model), *([f"structural zeros: {counted(self.zeros, 'cell')}"] if self.zeros else [])]
        for kind, title in TITLES.items():
            if counts[kind]:
                some = self.of_kind(kind)
                rest = (
                    f"; a basis of all that the graph implies ({self.rest.cited})"
                    if kind == "independence" and self.rest
                    else ""
                )
                trust = trust_in_all(one.trust for one in some)
                result.append(f"{title}: {independent_text(some)}, {trust.with_lemmas}{rest}")
                result += [f"  {one.text}{f'   {one.because}' if one.because else ''}" for one in some[:most]]
                if most is not None and len(some) > most:
                    result.append(f"  … and {len(some) - most} more (--all)")
            if kind == "independence":
                result += self.pair_lines(most)
        if not self.constraints:
            result.append("no other equations were found" if self.zeros else "no equations were found")
        return [*result, *self.notes, self.reason]

    def pair_lines(self, most: int | None) -> list[str]:
        """How many pairs are separated, or all of them; nothing if the list of independences says so itself."""
        told = {one.text for one in self.of_kind("independence")}
        if all(one.text in told for one in self.pairs):
            return []
        trust = trust_in_all(one.trust for one in self.pairs)
        title = f"pairs of variables that are marginally or conditionally independent: {len(self.pairs)}, {trust.with_lemmas}"
        if most is not None:
            return [f"{title} (--all)"]
        return [title, *(f"  {one.text}" for one in self.pairs)]

    def __str__(self) -> str:
        """The first equations of every kind."""
        return "\n".join(self.lines())

    def latex(self) -> str:
        """All equations as an aligned display."""
        return "\\begin{aligned}\n" + " \\\\\n".join(f"& {one.latex}" for one in self.constraints) + "\n\\end{aligned}"

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        return {
            "model": self.model,
            "family": self.family,
            "complete": self.complete,
            "codimension": self.codimension,
            "upper": self.complete - self.codimension,
            "upper_trust": known(self.upper),
            "counts": dict(Counter(one.kind for one in self.constraints)),
            "constraints": [one.to_dict() for one in self.constraints],
            "zero_cells": self.zeros,
            "notes": list(self.notes),
            **({} if self.left_out is None else listing(self.left_out)),
            **({} if self.searched is None else self.completeness()),
        }

    def completeness(self) -> dict[str, Any]:
        """Of a discrete network: the pairs, and which lists are complete."""
        searched = self.searched
        return {
            "pairs": [one.to_dict() for one in self.pairs],
            "independences_complete": searched and searched.independences,
            "independences_trust": known(self.rest),
            "flattenings_complete": searched and searched.flattenings,
            "verma_complete": searched and searched.verma,
        }


def listing(left_out: Sequence[LeftOut]) -> dict[str, Any]:
    """Of a Gaussian model: whether all was looked at, and what was not."""
    return {"all_listed": not left_out, "left_out": [one.to_dict() for one in left_out]}


def independent_text(some: Sequence[Constraint]) -> str:
    """How many there are, and how many of them are independent of all before.

    >>> from algdim.trust import proved_by
    >>> no_treks = proved_by("treks", "no treks")
    >>> independent_text([Constraint("zero", "", "", "", chosen, {}, no_treks) for chosen in (True, False)])
    '2, 1 of them independent'
    """
    independent = sum(one.independent is True for one in some)
    if some[0].independent is None or independent == len(some):
        return str(len(some))
    return f"{len(some)}, {independent} of them independent"


def constraints(model: ModelLike, *, size: int = 4, seed: int | str = 0) -> Constraints:
    """The equations that a model implies: minors of the covariance matrix with up to so many rows, or independences.

    >>> print(constraints("gaussian: H -> A, B, C, D; hidden H; means off"))
    gaussian: H -> A, B, C, D; hidden H; means off
    vanishing tetrads: 3, 2 of them independent, proved (lemma "treks")
      cov(A,B) cov(C,D) − cov(A,C) cov(B,D) = 0   choke point H
      cov(A,D) cov(B,C) − cov(A,C) cov(B,D) = 0   choke point H
      cov(A,D) cov(B,C) − cov(A,B) cov(C,D) = 0   choke point H
    2 of 3 equations are independent at a point: the dimension is at most 10 − 2 = 8
    """
    from algdim.readers.anything import model as read_model

    read, seed = read_model(model), drawn_seed(seed)
    equations = equations_of(read.family)
    if equations is None:
        raise InputError(
            f"constraints are listed for discrete and Gaussian models; this one is of the family {read.family}"
        )
    found: Constraints = equations(read, size, seed)
    return found
