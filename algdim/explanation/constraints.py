"""The command constraints: the equations that a model implies for what is observed, readably, each proved.

Gaussian models: `algdim.explanation.gaussianconstraints`; discrete networks: `algdim.explanation.discreteconstraints`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from algdim.bound.flattenings import BoundedRank
from algdim.errors import InputError
from algdim.exact.draws import drawn_seed
from algdim.explanation.covarianceequations import Equation
from algdim.explanation.discreteconstraints import DiscreteFound, Searched, discrete_equations
from algdim.explanation.gaussianconstraints import Found, equations_of
from algdim.explanation.gaussiantexts import evidence_of, texts_of
from algdim.explanation.independences import Independence
from algdim.explanation.kerneltexts import verma_latex, verma_text
from algdim.explanation.possiblestates import MOST_STATES, Stated, state_text, states_text
from algdim.explanation.printing import names_latex
from algdim.explanation.treksearch import LeftOut
from algdim.figures import abridged, counted
from algdim.maps.gaussian import gaussian_map
from algdim.models.gaussian import Gaussian
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.models.separation import positions
from algdim.models.treks import TrekSeparation, separation_of
from algdim.trust import Trust, trust_in_all

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

MINORS = {3: "sextad", 4: "octad"}


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
    if isinstance(read, Gaussian):
        return of_gaussian(to_text(read), equations_of(gaussian_map(read), size, seed))
    if not isinstance(read, Network):
        raise InputError(
            f"constraints are listed for discrete and Gaussian models; this one is of the family {read.family}"
        )
    return of_discrete(to_text(read), discrete_equations(read, seed))


def of_gaussian(text: str, found: Found) -> Constraints:
    """The equations of a Gaussian model, of each kind the independent ones first."""
    chosen = set(found.independent)
    names = [variable.name for variable in found.gmap.model.variables]
    cuts = {cut: separation_of(found.graph, cut) for cut in {equation.cut for equation in found.equations}}
    told = [
        gaussian_constraint(equation, names, cuts[equation.cut], number in chosen)
        for number, equation in enumerate(found.equations)
    ]
    notes = [str(one) for one in found.left_out]
    if found.trivial_tetrads:
        notes.insert(
            0,
            f"not listed: {counted(found.trivial_tetrads, 'tetrad')} whose products both contain a vanishing covariance",
        )
    complete, codimension = found.gmap.complete, len(chosen)
    reason = (
        f"{codimension} of {counted(len(told), 'equation')} {'is' if codimension == 1 else 'are'} independent at a point: "
        f"the dimension is at most {complete} − {codimension} = {complete - codimension}"
    )
    told.sort(key=lambda one: one.independent is False)
    return Constraints(
        text, "gaussian", complete, tuple(told), codimension, reason, tuple(notes), left_out=found.left_out
    )


def gaussian_constraint(equation: Equation, names: Sequence[str], cut: TrekSeparation, independent: bool) -> Constraint:
    """An equation of a Gaussian model in words."""
    kind = MINORS.get(len(equation.rows), "minor") if equation.kind == "minor" else equation.kind
    evidence = evidence_of(cut, equation, names)
    return Constraint(kind, *texts_of(equation, names), equation.because, independent, evidence, equation.trust)


def of_discrete(text: str, found: DiscreteFound) -> Constraints:
    """The equations of a discrete network."""
    separations = found.independences
    told = [
        *(independence_constraint(one, found) for one in separations.basis),
        *(rank_constraint(one, found.names) for one in found.ranks),
        *map(verma_constraint, found.verma),
    ]
    codimension = 0 if found.bound is None else found.complete - found.bound.value
    kinds = (
        f"independences, flattenings and {counted(found.zeros, 'zero')}"
        if found.zeros
        else "independences and flattenings"
    )
    if found.bound is None:
        reason = (
            f"{kinds} prove nothing about the dimension"
            if found.exhausted
            else "what independences and flattenings prove about the dimension was not looked at: there are too many cells"
        )
    else:
        reason = (
            f"{kinds} have {'' if found.exhausted else 'at least '}codimension {codimension} at a point: "
            f"the dimension is at most {found.complete} − {codimension} = {found.bound.value}"
        )
    return Constraints(
        text,
        "discrete",
        found.complete,
        tuple(told),
        codimension,
        reason,
        found.notes,
        found.zeros,
        pairs=tuple(independence_constraint(one, found) for one in separations.pairs),
        searched=found.searched,
        rest=separations.rest,
    )


def independence_constraint(found: Independence, among: DiscreteFound) -> Constraint:
    """A conditional independence in words."""
    sides = [among.independences.graph.names_of(side) for side in (found.one, found.other, found.given)]
    one, other, given = (",".join(side) for side in sides)
    text = f"{one} ⊥ {other}{f' | {given}' if given else ''}"
    bar = rf" \mid {names_latex(given)}" if given else ""
    latex = rf"{names_latex(one)} \perp\!\!\!\perp {names_latex(other)}{bar}"
    size = [prod(among.sizes[place] for place in positions(side)) for side in (found.one, found.other)]
    evidence = {"type": "flattening", "A": sides[0], "B": sides[1], "C": sides[2], "S": [], "rank": 1, "size": size}
    return Constraint("independence", text, latex, "", None, evidence, found.trust)


def rank_constraint(found: BoundedRank, names: Sequence[str]) -> Constraint:
    """The rank of a flattening in words, in some states of what is conditioned on or in all."""
    flattening = found.flattening
    one, other, given = flattening.sets(names)
    condition, shown = ",".join(given), ",".join(map(names_latex, given))
    if not found.is_everywhere:
        condition, shown = states_text(given, found.states), states_latex(given, found.states)
    rows, columns = flattening.blocks.sizes
    text = f"rank P({','.join(one)}; {','.join(other)}{f' | {condition}' if given else ''}) ≤ {found.rank}   ({rows}×{columns})"
    bar = rf" \mid {shown}" if given else ""
    inside = rf"{names_latex(','.join(one))};\, {names_latex(','.join(other))}{bar}"
    evidence = {**flattening.named(names), "rank": found.rank}
    if not found.is_everywhere:
        evidence["states"] = [list(state) for state in found.states]
    because = f"separated by {', '.join(flattening.hidden)}" if flattening.hidden else ""
    latex = rf"\operatorname{{rank}} P({inside}) \le {found.rank}"
    return Constraint("flattening", text, latex, because, None, evidence, found.trust)


def states_latex(names: Sequence[str], states: Sequence[Sequence[int]]) -> str:
    r"""Joint states in LaTeX, the first ones.

    >>> print(states_latex(["C", "E1"], [(0, 1), (1, 1)]))
    C=0,E_{1}=1\text{ or }C=1,E_{1}=1
    """
    shown = [names_latex(state_text(names, state)) for state in states[:MOST_STATES]]
    return r"\text{ or }".join([*shown, *([r"\dots"] if len(states) > MOST_STATES else [])])


def verma_constraint(stated: Stated) -> Constraint:
    """A Verma-type equation in words, with the states for which it is stated where it is not for all."""
    found, where = stated.equation, stated.where
    graph = found.graph
    names = graph.names_of
    kernels = [{"kernel": names(kernel.inside), "summed": names(kernel.summed)} for kernel in found.source.chain()]
    evidence: dict[str, Any] = {
        "steps": [*kernels, {"kernel": names(found.rest), "summed": names(found.summed)}],
        "vertex": None if found.vertex is None else graph.names[found.vertex],
        "independent_of": names(found.independent_of),
    }
    text, latex = verma_text(found), verma_latex(found)
    if where.variables:
        variables = [graph.names[place] for place in where.variables]
        text = f"{text}, for {states_text(variables, where.states)}"
        latex = rf"{latex}\text{{, for }}{states_latex(variables, where.states)}"
        evidence |= {"where": variables, "states": [list(state) for state in where.states]}
    return Constraint("verma", text, latex, "", None, evidence, stated.trust)
