"""The equations of discrete networks in words: independences, ranks of flattenings, Verma-type equations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np

from algdim.analysis import Prepared
from algdim.exact.arithmetic import Array
from algdim.explanation.constraints import Constraint, Constraints, Evaluated, Rest, evaluate_determinant
from algdim.explanation.printing import format_names_latex
from algdim.families.contract import CELL, Constraining, CoordinateRecord
from algdim.families.discrete.bounds.flattenings import BoundedRank
from algdim.families.discrete.datatests import measure_counts
from algdim.families.discrete.equations import DiscreteFound, find_discrete_equations
from algdim.families.discrete.equations.independences import Independence
from algdim.families.discrete.equations.kerneltexts import format_verma, format_verma_latex
from algdim.families.discrete.equations.possiblestates import MOST_STATES, Stated, format_state, format_states
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_count
from algdim.models.graphs import iterate_positions
from algdim.models.notation import to_text
from algdim.rank import make_object_array
from algdim.trust import convert_trust

PAIRS = "pairs of variables that are marginally or conditionally independent"

TITLES = {
    "independence": "conditional independences",
    "flattening": "flattenings",
    "verma": "Verma-type equations",
}
"""What each kind is called."""


def find_constraints(prepared: Prepared, size: int, seed: int | str) -> Constraints:
    """The equations of a discrete network; the size of minors is a matter of Gaussian models."""
    del size
    pmap = cast("ParamMap", prepared.whole_map)
    return make_discrete_constraints(to_text(prepared.model), find_discrete_equations(pmap, seed))


def make_discrete_constraints(text: str, found: DiscreteFound) -> Constraints:
    """The equations of a discrete network."""
    separations, searched = found.independences, found.searched
    pairs = tuple(make_independence_constraint(one, found) for one in separations.pairs)
    told = [
        *(make_independence_constraint(one, found) for one in separations.basis),
        *(make_rank_constraint(one, found.names) for one in found.ranks),
        *map(make_verma_constraint, found.verma),
    ]
    codimension = 0 if found.bound is None else found.complete - found.bound.value
    kinds = (
        f"independences, flattenings and {format_count(found.zeros, 'zero')}"
        if found.zeros
        else "independences and flattenings"
    )
    if found.bound is None:
        reason = (
            f"{kinds} prove nothing about the dimension"
            if found.exhausted
            else "what independences and flattenings prove about the dimension was not looked at"
            + ("" if found.tried else ": there are too many cells")
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
        rests=(Rest("independence", PAIRS, pairs, found.rest),),
        completeness={
            "pairs": [one.to_dict() for one in pairs],
            "independences_complete": searched.independences,
            "independences_trust": convert_trust(found.rest),
            "flattenings_complete": searched.flattenings,
            "verma_complete": searched.verma,
        },
        upper=found.upper,
    )


def make_independence_constraint(found: Independence, among: DiscreteFound) -> Constraint:
    """A conditional independence in words."""
    sides = [among.independences.graph.names_of(side) for side in (found.one, found.other, found.given)]
    one, other, given = (",".join(side) for side in sides)
    text = f"{one} ⊥ {other}{f' | {given}' if given else ''}"
    bar = rf" \mid {format_names_latex(given)}" if given else ""
    latex = rf"{format_names_latex(one)} \perp\!\!\!\perp {format_names_latex(other)}{bar}"
    size = [prod(among.sizes[place] for place in iterate_positions(side)) for side in (found.one, found.other)]
    evidence = {"type": "flattening", "A": sides[0], "B": sides[1], "C": sides[2], "S": [], "rank": 1, "size": size}
    return Constraint("independence", text, latex, "", None, evidence, found.trust)


def make_rank_constraint(found: BoundedRank, names: Sequence[str]) -> Constraint:
    """The rank of a flattening in words, in some states of what is conditioned on or in all."""
    flattening = found.flattening
    one, other, given = flattening.sets(names)
    condition, shown = ",".join(given), ",".join(map(format_names_latex, given))
    if not found.is_everywhere:
        condition, shown = format_states(given, found.states), format_states_latex(given, found.states)
    rows, columns = flattening.blocks.sizes
    text = f"rank P({','.join(one)}; {','.join(other)}{f' | {condition}' if given else ''}) ≤ {found.rank}   ({rows}×{columns})"
    bar = rf" \mid {shown}" if given else ""
    inside = rf"{format_names_latex(','.join(one))};\, {format_names_latex(','.join(other))}{bar}"
    evidence = {**flattening.make_evidence(names), "rank": found.rank}
    if not found.is_everywhere:
        evidence["states"] = [list(state) for state in found.states]
    because = f"separated by {', '.join(flattening.hidden)}" if flattening.hidden else ""
    latex = rf"\operatorname{{rank}} P({inside}) \le {found.rank}"
    return Constraint("flattening", text, latex, because, None, evidence, found.trust)


def format_states_latex(names: Sequence[str], states: Sequence[Sequence[int]]) -> str:
    r"""Joint states in LaTeX, the first ones.

    >>> print(format_states_latex(["C", "E1"], [(0, 1), (1, 1)]))
    C=0,E_{1}=1\text{ or }C=1,E_{1}=1
    """
    shown = [format_names_latex(format_state(names, state)) for state in states[:MOST_STATES]]
    return r"\text{ or }".join([*shown, *([r"\dots"] if len(states) > MOST_STATES else [])])


def make_verma_constraint(stated: Stated) -> Constraint:
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
    text, latex = format_verma(found), format_verma_latex(found)
    if where.variables:
        variables = [graph.names[place] for place in where.variables]
        text = f"{text}, for {format_states(variables, where.states)}"
        latex = rf"{latex}\text{{, for }}{format_states_latex(variables, where.states)}"
        evidence |= {"where": variables, "states": [list(state) for state in where.states]}
    return Constraint("verma", text, latex, "", None, evidence, stated.trust)


def evaluate_first_minor(
    pmap: ParamMap, equation: Constraint, values: Sequence[Fraction], others: Sequence[Fraction]
) -> Iterator[Evaluated]:
    """The first minor of a flattening or an independence that has to vanish, everything else summed out."""
    evidence = equation.evidence
    if equation.kind not in ("independence", "flattening"):
        return
    names = [variable.name for variable in pmap.model.observed]
    sizes = dict(zip(names, pmap.shape, strict=True))
    size = evidence["rank"] + 1
    rows, columns = (list(product(*[range(sizes[name]) for name in evidence[side]]))[:size] for side in ("A", "B"))
    state = evidence["states"][0] if "states" in evidence else [0] * len(evidence["C"])
    order = [*evidence["A"], *evidence["B"], *evidence["C"]]
    shown = [place for name in names for place in range(len(order)) if order[place] == name]
    numbers, elsewhere = (compute_marginals(names, pmap.shape, order, some) for some in (values, others))
    cells = [[(*row, *column, *state) for column in columns] for row in rows]
    coordinates = [
        [CoordinateRecord(CELL, states=tuple([(order[place], cell[place]) for place in shown])) for cell in line]
        for line in cells
    ]
    yield evaluate_determinant(
        equation,
        coordinates,
        [[numbers[cell] for cell in line] for line in cells],
        [[elsewhere[cell] for cell in line] for line in cells],
    )


def compute_marginals(
    names: Sequence[str], shape: Sequence[int], order: Sequence[str], values: Sequence[Fraction]
) -> Array:
    """The marginal table of some variables, in this order."""
    table = make_object_array(values).reshape(shape)
    rest = tuple([axis for axis, name in enumerate(names) if name not in order])
    left = [name for name in names if name in order]
    return np.asarray(table.sum(axis=rest)).transpose([left.index(name) for name in order])


CONSTRAINING = Constraining(find_constraints, TITLES, evaluate_first_minor, measure_counts)
