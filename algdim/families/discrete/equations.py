"""The equations of discrete networks in words: independences, ranks of flattenings, Verma-type equations."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from algdim.explanation.constraints import Constraint, Constraints
from algdim.explanation.printing import names_latex
from algdim.families.discrete.bounds.flattenings import BoundedRank
from algdim.families.discrete.constraints.independences import Independence
from algdim.families.discrete.constraints.kerneltexts import verma_latex, verma_text
from algdim.families.discrete.constraints.possiblestates import MOST_STATES, Stated, state_text, states_text
from algdim.families.discrete.constraints.search import DiscreteFound, discrete_equations
from algdim.families.discrete.model import Network
from algdim.figures import counted
from algdim.models.notation import to_text
from algdim.models.separation import positions


def constraints_of(model: Network, size: int, seed: int | str) -> Constraints:
    """The equations of a discrete network; the size of minors is a matter of Gaussian models."""
    del size
    return of_discrete(to_text(model), discrete_equations(model, seed))


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
        rest=found.rest,
        upper=found.upper,
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


EQUATIONS = constraints_of
