"""What a dimension needs of conditional Gaussian networks: their map and bounds, the graph, the domain of their parameters.

Weights and normal distributions have no parameter in common, so their dimensions add up: that of a discrete network, and, where all
Gaussian variables depend on the same discrete ones and nothing is tied, as many times that of one Gaussian model as there are states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_least, derive_bound, prove_bound
from algdim.bound.counting import COUNTED, Complete, bound_by_counting, make_saturated
from algdim.bound.searches import SearchSetting
from algdim.bound.strategy import Effort, Finding, find_both_bounds, find_by_rank, find_upper_bounds
from algdim.display.mathml import format_value_latex, format_variable_latex, list_values_latex
from algdim.errors import LimitError, join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.families.conditionalgaussian.map import (
    MixtureMap,
    build_mixture_map,
    iterate_states,
    list_weighted,
    make_table_parameter,
)
from algdim.families.conditionalgaussian.model import ConditionalGaussian, drop_irrelevant
from algdim.families.contract import (
    Arrows,
    Bounds,
    Domain,
    Explaining,
    Family,
    Graph,
    Identifying,
    Node,
    count_by_kind,
)
from algdim.families.gaussian.model import Entry, Gaussian, GaussianVariable, format_entry
from algdim.families.polynomial.bounds import FREE_SEARCHES
from algdim.families.polynomial.map import derive_polynomial_jacobian, make_formula_program
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.maps import COEFFICIENT, MEAN, PROBABILITY, VARIANCE, is_positive
from algdim.trust import Trust, proved_by

LEMMA = "conditional Gaussian"
MOST_NAMED = 6


def bound_by_coordinates(pmap: MixtureMap) -> Bound:
    """The dimension is at most the number of different coordinates; weights sum to 1."""
    sums = ", of which the weights sum to 1" if pmap.has_weights and list_weighted(pmap.model) else ""
    reason = f"{format_integer(len(set(pmap.line.outputs)))} different weights, means and covariances{sums}"
    return prove_bound(pmap.complete, UPPER, "ambient", reason, COUNTED)


def find_units(model: ConditionalGaussian, name: str) -> tuple[set[str] | None, set[str] | None]:
    """The discrete variables on whose states a scale, and an origin, of a latent Gaussian variable may depend; ``None`` where it has none.

    A scale changes its variance, its intercept, and all coefficients into it and out of it; an origin its intercept and those of its
    children, which see what the coefficients see.
    """
    fixed, named = model.values, {entry for entry, _ in model.equal}
    out = [("b", name, child) for parent, child in model.edges if parent == name and fixed.get(("b", name, child)) != 0]
    own = [entry for entry in model.entries if entry[-1] == name and fixed.get(entry) != 0]

    def find_seen(entries: Sequence[Entry]) -> set[str] | None:
        if any(entry in named or entry in fixed for entry in entries):
            return None
        return set(model.states).intersection(*(model.get_switches(entry) for entry in entries))

    moved: list[Entry] = [("m", name), *(("m", entry[2]) for entry in out)]
    absorbed = all(set(model.get_switches(entry)) <= set(model.get_switches(("m", entry[2]))) for entry in out)
    return find_seen([*own, *out]), find_seen(moved) if absorbed else None


def count_units(model: ConditionalGaussian, name: str) -> tuple[int, int]:
    """How many scales and how many origins of a latent Gaussian variable can be chosen: one for each state that they may depend on."""
    scale, origin = (0 if seen is None else prod(model.states[one] for one in seen) for seen in find_units(model, name))
    return scale, origin


def choose_units(model: ConditionalGaussian) -> ConditionalGaussian:
    """The model with the same distributions in which latent Gaussian variables have the variance 1 and the intercept 0, where they can."""
    latent = {one.name for one in model.hidden}
    for name in model.gaussian:
        for place, (kind, value) in enumerate((("v", 1), ("m", 0))):
            seen = find_units(model, name)[place] if name in latent else None
            if seen is not None and seen == set(model.get_switches((kind, name))):
                entry = (kind, name)
                common = tuple(one for one in model.common if one != entry)
                model = replace(model, common=common, fixed=(*model.fixed, (entry, Fraction(value))))
    return model


def bound_by_units(pmap: MixtureMap) -> Bound | None:
    """The parameters less the scales and origins of latent Gaussian variables."""
    found = {one.name: count_units(pmap.model, one.name) for one in pmap.model.hidden if one.states is None}
    lost = sum(map(sum, found.values()))
    if not lost:
        return None
    shown = join_names(
        f"{format_count(scales, 'scale')} and {format_count(origins, 'origin')} of {name}"
        for name, (scales, origins) in found.items()
    )
    count = len(pmap.parameters)
    reason = f"{format_count(count, 'parameter')} less {shown}"
    return prove_bound(count - lost, UPPER, "units", reason, LEMMA, evidence={"units": lost})


def compute_saturated(pmap: MixtureMap, seed: int | str) -> Complete | None:
    """The dimension of all tables with any normal distribution in each cell; with hidden states there is none."""
    del seed
    model = pmap.model
    if any(not one.observed for one in model.variables if one.name in model.shown_switches):
        return None
    cells = prod(one.states or 1 for one in model.observed)
    items = sum(one.states is None for one in model.observed)
    law = items + items * (items + 1) // 2
    facts = f"{format_count(cells - 1, 'free entry')} of the table, and {format_count(items, 'mean')} and {format_count(law - items, 'covariance')} in each of {format_count(cells, 'cell')}"
    return make_saturated(cells - 1 + cells * law, facts)


def convert_to_gaussian(model: ConditionalGaussian) -> Gaussian | None:
    """The Gaussian model of one state, where every state has the like with parameters of its own; ``None`` elsewhere."""
    if model.common or any(
        model.get_switches(entry) and set(model.get_switches(entry)) != set(model.shown_switches)
        for entry in model.entries
    ):
        return None
    fixed = model.values
    if any(not model.get_switches(entry) and entry not in fixed for entry in model.entries) and model.shown_switches:
        return None
    names = [one.name for one in model.variables if one.states is None]
    observed = {one.name for one in model.observed}
    return Gaussian(
        tuple(GaussianVariable(name, name in observed) for name in names),
        tuple(edge for edge in model.edges if edge[0] in names),
        fixed=model.fixed,
        equal=model.equal,
    )


def find_by_parts(pmap: MixtureMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding | None:
    """The finding of weights and normal distributions on their own, which have no parameter in common."""
    from algdim.analysis import Prepared, analyse

    model = pmap.model
    if not pmap.has_weights:
        return None
    if effort.minors:  # a certificate has the rank of the whole, and fields in its kernel
        whole = find_by_rank(pmap, effort, labels, proved)
        parts = find_by_parts(pmap, effort._replace(minors=0), labels, proved)
        if parts is None or (whole.upper.is_proved and whole.upper.value <= parts.upper.value):
            return whole
        return whole._replace(upper=parts.upper)
    chosen = choose_units(model)
    gaussian, times = convert_to_gaussian(chosen), prod(model.states[name] for name in chosen.switches)
    found: list[tuple[int, str, Finding]] = []
    if model.network is not None:
        found.append((1, "weights", analyse(Prepared(model.network), effort).finding))
    if gaussian is not None:
        found.append((times, "normal distributions", analyse(Prepared(gaussian), effort).finding))
    elif model.network is not None:
        laws = build_mixture_map(chosen, has_weights=False)
        found.append((1, "normal distributions", find_both_bounds(laws, effort, (*labels, "laws"))))
    else:
        return None
    lower, upper = (
        derive_bound(
            [one.lower if side == LOWER else one.upper for _, _, one in found],
            sum(count * (one.lower if side == LOWER else one.upper).value for count, _, one in found),
            side,
            "parts",
            describe_units(model, chosen)
            + " + ".join(
                describe_part(count, name, one.lower if side == LOWER else one.upper) for count, name, one in found
            ),
            LEMMA,
        )
        for side in (LOWER, UPPER)
    )
    best = choose_least([proved, upper, *find_upper_bounds(pmap, effort.bounds)]) or upper
    return Finding(lower, best, "parts", tuple(draw for _, _, one in found for draw in one.draws))


def describe_units(model: ConditionalGaussian, chosen: ConditionalGaussian) -> str:
    """Which units were chosen."""
    names = [f"{format_entry(entry)} = {value}" for entry, value in chosen.fixed[len(model.fixed) :]]
    return f"with {join_names(names, most=MOST_NAMED)}: " if names else ""


def describe_part(count: int, name: str, bound: Bound) -> str:
    """One summand."""
    many = f"{count} × " if count > 1 else ""
    return f"{many}{bound.value} ({name}: {bound.reason})"


SEPARATE_SEED = 0


def prove_mixture(pmap: MixtureMap) -> tuple[Trust, ...]:
    """Why rank and counts of weights, means and covariances are those of the distributions: the components of a cell differ.

    Two normal distributions that depend on their state differ as polynomials if they do at one point modulo a prime.
    """
    model = pmap.model
    hidden = [one.name for one in model.hidden if one.name in model.shown_switches]
    if not hidden:
        return (proved_by(LEMMA, "no normal distribution depends on a hidden state"),)
    laws = pmap if not pmap.has_weights else build_mixture_map(model, has_weights=False)
    prime = draw_prime(open_stream(SEPARATE_SEED, "laws", "prime"), RESIDUE_BITS)
    if any(denominator % prime == 0 for denominator in laws.denominators()):
        raise LimitError("a fixed number is divided by the prime drawn; fix another number")
    field = Residues(prime)
    point = field.elements(draw_residues(open_stream(SEPARATE_SEED, "laws", "point"), prime, len(laws.parameters)))
    evaluator = make_evaluator(laws)
    values = evaluate_functionals(laws, field, point, evaluator.all_coordinates(), evaluator=evaluator) % prime
    states = list(iterate_states(model.states, model.shown_switches))
    rows = values.reshape(len(states), -1)
    seen: dict[tuple[Any, ...], dict[str, int]] = {}
    for at, row in zip(states, rows.tolist(), strict=True):
        key = (tuple(at[name] for name in model.shown_switches if name not in hidden), *row)
        other = seen.setdefault(key, at)
        if other is not at:
            names = ", ".join(f"{name}={state}" for name, state in at.items())
            raise LimitError(
                f"the normal distribution at {names} is, at a drawn point, that of another hidden state; the states of {', '.join(hidden)} "
                "cannot be distinguished; leave out what has no effect"
            )
    return (
        proved_by(
            LEMMA, f"the normal distributions of {format_count(len(states), 'state')} differ at a point modulo {prime}"
        ),
    )


def build_graph(model: ConditionalGaussian) -> Graph:
    """The arrows; what is fixed, or equal to others, next to them."""
    numbers = {entry: f"= {value}" for entry, value in model.fixed} | model.labels
    labels = {(entry[1], entry[2]): text for entry, text in numbers.items() if len(entry) == 3}
    notes = {entry[1]: f"v {text}" for entry, text in numbers.items() if entry[0] == "v"}
    nodes = tuple(
        Node(one.name, str(one.states) if one.states is not None else notes.get(one.name, "ℝ"), one.observed)
        for one in model.variables
    )
    return Graph(nodes, model.edges, labels=labels)


def make_arrows(model: ConditionalGaussian) -> Arrows:
    """Gaussian variables have no states, which formats with states lack."""
    return Arrows(dict(model.states), (), "some variables are Gaussian, others discrete; write json, which can")


def describe_network(model: ConditionalGaussian) -> str:
    """What kind of model it is."""
    hidden = ", ".join(
        format_count(count, what)
        for what, count in (
            ("hidden class variable", sum(one.states is not None for one in model.hidden)),
            ("latent Gaussian variable", sum(one.states is None for one in model.hidden)),
        )
        if count
    )
    discrete = sum(one.states is not None for one in model.observed)
    counts = ((discrete, "discrete"), (len(model.observed) - discrete, "Gaussian"))
    shown = " and ".join(f"{count} {kind}" for count, kind in counts if count) + " observed"
    return f"conditional Gaussian network: {shown}{f', {hidden}' if hidden else ''}"


FAMILY = Family(
    describe=describe_network,
    compute_complete=compute_saturated,
    make_graph=build_graph,
    make_arrows=make_arrows,
    make_map=lambda model, whole: build_mixture_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=make_formula_program,
    bounds=Bounds(
        {"counting": bound_by_counting, "ambient": bound_by_coordinates, "units": bound_by_units},
        FREE_SEARCHES,
        SearchSetting,
        find_without_rank=find_by_parts,
    ),
    multiply_out=derive_polynomial_jacobian,
    drop_irrelevant=drop_irrelevant,
    irrelevance_lemma=LEMMA,
    prove_counts=prove_mixture,
)

KINDS = {PROBABILITY: "probability", MEAN: "intercept", COEFFICIENT: "coefficient", VARIANCE: "error variance"}


def write_network_formulas(model: ConditionalGaussian) -> Iterator[str]:
    r"""Each Gaussian variable as an equation, and the density of what is observed.

    >>> from algdim.models.notation import parse
    >>> for line in write_network_formulas(parse("conditional-gaussian: H -> X; hidden H; states H=2")):
    ...     print(line)
    X = m_{X\mid h} + \varepsilon_{X},\quad \varepsilon_{X}\mid h \sim N(0,\,v_{X\mid h})
    f(x) = \sum_{h} P(h)\,\varphi(x;\,\mu_{h},\,\Sigma_{h})
    """
    seen = dict.fromkeys(one.name for one in model.observed if one.states is None)
    # latent variables first, the others in the order of the model
    for name in sorted((one.name for one in model.variables if one.states is None), key=lambda one: one in seen):
        own = format_variable_latex(name)

        def at(entry: tuple[str, ...]) -> str:
            names = [format_value_latex(one) for one in model.get_switches(entry)]
            return rf"\mid {','.join(names)}" if names else ""

        terms = [f"m_{{{own}{at(('m', name))}}}"]
        terms += [
            rf"b_{{{format_variable_latex(parent)}{own}{at(('b', parent, name))}}}\,{format_variable_latex(parent)}"
            for parent in model.parents[name]
            if parent not in model.states
        ]
        switch = at(("v", name))
        yield rf"{own} = {' + '.join(terms)} + \varepsilon_{{{own}}},\quad \varepsilon_{{{own}}}{switch} \sim N(0,\,v_{{{own}{switch}}})"
    shown = list(seen)
    cells = [one.name for one in model.observed if one.states is not None]
    hidden = [format_value_latex(one.name) for one in model.hidden if one.name in model.shown_switches]
    total = rf"\sum_{{{','.join(hidden)}}} " if hidden else ""
    weighted = [format_value_latex(name) for name in list_weighted(model)]
    weight = rf"P({','.join(weighted)})\," if weighted else ""
    switches = ",".join(format_value_latex(name) for name in model.shown_switches)
    law = rf"\varphi({list_values_latex(shown)};\,\mu{f'_{{{switches}}}' if switches else ''},\,\Sigma{f'_{{{switches}}}' if switches else ''})"
    yield f"f({list_values_latex([*cells, *shown])}) = {total}{weight}{law}"


EXPLAINING = Explaining(
    lambda pmap: count_by_kind(pmap, lambda one: KINDS.get(one.kind, "equal entry")),
    shows_all=lambda pmap: not any(one.name in pmap.model.shown_switches for one in pmap.model.hidden),
    write_formulas=write_network_formulas,
)


def is_inside(pmap: MixtureMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether no probability is negative and all variances are positive."""
    model, values = pmap.model, dict(zip(pmap.records, point, strict=True))
    for name, count in model.states.items():
        for at in iterate_states(model.states, model.parents[name]):
            if not pmap.has_weights:
                break
            row = [values[make_table_parameter(model, name, at | {name: state})] for state in range(count - 1)]
            if not all(is_positive(value, strictly, margin) for value in (*row, 1 - sum(row, Fraction(0)))):
                return False
    return all(is_positive(point[number], strictly, margin) for number in find_variances(pmap))


def find_variances(pmap: MixtureMap) -> frozenset[int]:
    """The parameters that are variances."""
    model = pmap.model
    labels = {label for entry, label in model.equal if entry[0] == "v"}
    return frozenset(
        number
        for number, one in enumerate(pmap.records)
        if one.kind == VARIANCE or (not one.kind and one.owners[0] in labels)
    )


def iterate_alike_parameters(pmap: MixtureMap) -> Iterator[Any]:
    """The parameters of one entry in all states."""
    import numpy as np

    groups: dict[tuple[Any, ...], list[int]] = {}
    for number, one in enumerate(pmap.records):
        groups.setdefault((one.kind, one.owners, one.states), []).append(number)
    yield from (np.array(group) for group in groups.values() if len(group) > 1)


DOMAIN = Domain(
    is_inside,
    lambda pmap: find_variances(pmap) | frozenset(k for k, one in enumerate(pmap.records) if one.kind == PROBABILITY),
    find_coefficients=lambda pmap: frozenset(k for k, one in enumerate(pmap.records) if one.kind == COEFFICIENT),
    iterate_alike=iterate_alike_parameters,
    list_states=lambda model: list(model.states.values()),
)


def refuse_solutions(pmap: MixtureMap, seed: int | str, piece: int) -> None:
    """Refuse to count solutions where hidden states can be renamed: the map shows them by their numbers."""
    del seed, piece
    if any(one.states is not None for one in pmap.model.hidden):
        raise LimitError("hidden classes can be renamed, and solutions are counted of models without any")


IDENTIFYING = Identifying(count_solutions=refuse_solutions)
