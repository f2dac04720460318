"""The family of discrete networks: tables, deterministic nodes, sigmoid variables and classifiers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, join_names
from algdim.families.contract import Fitting, Sampling
from algdim.families.discrete.locals.curves import read_off
from algdim.families.discrete.locals.function import Deterministic, get_chain_rule
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable, order_parents_first
from algdim.fitting.diagnostics import Residual
from algdim.fitting.likelihood import (
    LikelihoodEvaluator,
    Numbers,
    Shortcuts,
    Tables,
    make_likelihood_evaluator,
    make_shortcuts,
)
from algdim.fitting.maximization import ML, Maximizer, Prior, make_even_tables, make_maximizer
from algdim.fitting.problems import require_discrete_network
from algdim.fitting.record import (
    Boundary,
    Fit,
    convert_to_arrays,
    find_boundary_entries,
    find_equal_states,
    name_table_rows,
)
from algdim.fitting.samples import MISSING, KnownStates, Sample, read_sample
from algdim.fitting.simulating import (
    SUMMANDS,
    States,
    convert_to_normals,
    draw_start_uniforms,
    draw_uniforms,
    select_row_states,
)
from algdim.readers.parameters import ParameterTables, read_parameters


@dataclass(frozen=True, eq=False)
class NetworkFamily:
    """A discrete network, its data and its prior."""

    pmap: ParamMap
    sample: Sample
    prior: Prior

    @property
    def model(self) -> Network:
        return self.pmap.model

    @cached_property
    def maximizer(self) -> Maximizer:
        return make_maximizer(self.pmap, self.prior)

    @property
    def has_one_maximum(self) -> bool:
        """The likelihood of complete data is concave in the rows of free tables."""
        free = all(one.observed and isinstance(one.local, Table) for one in self.model.variables)
        return free and self.prior.kind == ML and not (self.sample.patterns == MISSING).any()

    @cached_property
    def shortcuts(self) -> Shortcuts:
        """What of the likelihood is the same for every number of restarts."""
        return make_shortcuts(self.pmap, self.sample)

    def evaluator(self, restarts: int) -> LikelihoodEvaluator:
        return make_likelihood_evaluator(self.pmap, self.sample, restarts, self.shortcuts)

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Rows uniform on their simplices (CH96 §3), weights normal."""
        count, curved = len(numbers), self.maximizer.curved
        shapes = [entries.shape for entries in self.pmap.arrays]
        sizes = [*map(prod, shapes), *(SUMMANDS * one.curve.size for one in curved)]
        pieces = np.split(draw_start_uniforms(seed, numbers, sum(sizes)), np.cumsum(sizes)[:-1], axis=1)
        weights = [-np.log(piece).reshape(count, *shape) for piece, shape in zip(pieces, shapes, strict=False)]
        even = [np.broadcast_to(table, (count, *table.shape)) for table in make_even_tables(self.pmap)]
        result = replace(self.maximizer, pseudo=[np.zeros(shape) for shape in shapes], curved=())(weights, even)
        for one, piece in zip(curved, pieces[len(shapes) :], strict=True):
            result.append(convert_to_normals(piece))
            one.put(result, result[-1])
        return result

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        """The arrays, and behind them the weights of what is no table."""
        arrays = convert_to_arrays(self.pmap, read_parameters(source, self.model))
        return [*arrays, *(read_off(one.curve, one.join(arrays)) for one in self.maximizer.curved)]

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        """The same of a record, to the last bit."""
        arrays = convert_to_arrays(self.pmap, parameters)
        return [*arrays, *(one.weights(parameters)[None] for one in self.maximizer.curved)]

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """Tables as rows, weights by their names."""
        behind = len(tables) - len(self.maximizer.curved)
        found = dict(name_table_rows(self.pmap, tables))
        for one, weights in zip(self.maximizer.curved, tables[behind:], strict=True):
            found |= one.name_parameters(weights)
        return found

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """The expected counts of the tables' entries."""
        return dict(name_table_rows(self.pmap, expected))

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        """The probabilities within 1/N of 0 or 1, and hidden states with equal rows."""
        found = list(find_boundary_entries(self.pmap, tables, self.sample.size, self.sample.words(self.model)))
        curved = [number for one in self.maximizer.curved for number in one.numbers]
        for number in curved:
            values = tables[number].reshape(-1, self.pmap.arrays[number].shape[-1])
            for row, state in np.argwhere(np.minimum(values, 1 - values) < 1 / self.sample.size).tolist():
                found.append(
                    Boundary(f"{self.pmap.owners[number]} row {row + 1} state {state}", float(values[row, state]))
                )
        return (*found, *find_equal_states(self.pmap, tables, curved, self.sample.size))

    def impossible(self, tables: Tables) -> str:
        """The least probable pattern."""
        logs = self.evaluator(1).log_values(tables)[0]
        number = int(np.argmin(logs))
        pattern = zip(self.sample.names, self.sample.states, self.sample.patterns[number], strict=True)
        shown = join_names(f"{name}={states[code]}" for name, states, code in pattern if code >= 0)
        return (
            f"the data hold the pattern {shown}, whose probability is 0 at the parameters; "
            "check the fixed entries and deterministic nodes of the model, or the parameters given"
        )


def prepare_fit(model: Network, data: Any, prior: Prior, missing: bool, states: KnownStates | None) -> NetworkFamily:
    """Read the data and prepare the maximisation."""
    network = require_discrete_network(model)
    sample = read_sample(data, network, missing=missing, states=states)
    return NetworkFamily(get_param_map(network), sample, prior)


def share_out_cases(
    model: Network, data: Any, parameters: Mapping[str, Any], missing: bool, states: KnownStates
) -> dict[str, Numbers]:
    """The probabilities of each hidden variable's states: the chances of a case together with the state, which is shown then."""
    network = require_discrete_network(model)
    sample = read_sample(data, network, missing=missing, states=states, compress=False)
    different, rows = np.unique(sample.patterns, axis=0, return_inverse=True)
    found = {}
    for hidden in network.hidden:
        shown = replace(
            network,
            variables=tuple(replace(one, observed=one.observed or one == hidden) for one in network.variables),
        )
        if hidden.states < 2:
            found[hidden.name] = np.ones((len(sample.patterns), hidden.states))
            continue
        place = [one.name for one in shown.observed].index(hidden.name)
        patterns = np.concatenate([np.insert(different, place, state, axis=1) for state in range(hidden.states)])
        logs = compute_pattern_logs(shown, patterns, parameters).reshape(hidden.states, -1).T
        parts = np.exp(logs - logs.max(axis=1, keepdims=True))
        found[hidden.name] = (parts / parts.sum(axis=1, keepdims=True))[rows.ravel()]
    return found


def compute_mastery(model: Network, shares: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The probability of mastering each attribute, in each case; of models with attributes that are no hidden variables."""
    from algdim.families.discrete.short.diagnosis import find_diagnosis, list_patterns

    spec = find_diagnosis(model)
    if spec is None:
        return {}
    pattern = shares[model.hidden[0].name]
    mastered = np.array(list_patterns(spec), dtype=float)
    return {name: pattern @ mastered[:, k] for k, name in enumerate(spec.attributes) if name not in shares}


def compute_pattern_logs(shown: Network, patterns: NDArray[np.int64], parameters: Mapping[str, Any]) -> Numbers:
    """The log-probability of each pattern of the variables that a network shows."""
    states = tuple((None,) * one.states for one in shown.observed)
    whole = Sample(tuple(one.name for one in shown.observed), states, patterns, np.ones(len(patterns)))
    pmap = get_param_map(shown)
    return np.asarray(make_likelihood_evaluator(pmap, whole, 1).log_values(convert_to_arrays(pmap, parameters))[0])


def compare_pairs(model: Network, found: Fit) -> list[Residual]:
    """The residuals of all pairs of observed variables on which nothing is conditioned."""
    sample = found.sample
    place = {name: number for number, name in enumerate(sample.names)}
    called = dict(zip(sample.names, sample.titles, strict=False))
    residuals = []
    for one, other in combinations([one for one in model.observed if one.name not in model.given], 2):
        names = [*model.given, one.name, other.name]
        codes = sample.patterns[:, [place[name] for name in names]]
        kept = (codes != MISSING).all(axis=1)
        counts = np.zeros((one.states, other.states))
        np.add.at(counts, (codes[kept, -2], codes[kept, -1]), sample.counts[kept])
        expected = expect_pair(model, found, names, codes[kept], sample.counts[kept])
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(expected > 0, (counts - expected) ** 2 / expected, np.where(counts > 0, np.inf, 0.0))
        value = float(terms.sum()) / ((one.states - 1) * (other.states - 1))
        residuals.append(Residual(called.get(one.name, one.name), called.get(other.name, other.name), value))
    return residuals


def expect_pair(model: Network, found: Fit, names: list[str], codes: NDArray[np.int64], counts: Numbers) -> Numbers:
    """The counts that the model expects of two variables, the last of the names, given the others."""
    shown = replace(model, variables=tuple(replace(one, observed=one.name in names) for one in model.variables))
    states = [shown.states[name] for name in names]
    given, rows = np.unique(codes[:, :-2], axis=0, return_inverse=True)
    cells = np.indices(states[-2:]).reshape(2, -1).T
    listed = np.concatenate([np.repeat(given, len(cells), axis=0), np.tile(cells, (len(given), 1))], axis=1)
    patterns = listed[:, [names.index(one.name) for one in shown.observed]]
    logs = compute_pattern_logs(shown, patterns, found.parameters)
    chances = np.exp(logs).reshape(len(given), *states[-2:])
    weights = np.bincount(rows.ravel(), weights=counts, minlength=len(given))
    return np.asarray(np.einsum("g,gij->ij", weights, chances))


FITTING = Fitting(
    prepare_fit,
    has_priors=True,
    share_out=share_out_cases,
    compare_pairs=compare_pairs,
    compute_mastery=compute_mastery,
)


Source = str | os.PathLike[str] | dict[str, Any]


def draw_cases(model: Network, at: Source, n: int, seed: int | str) -> dict[str, NDArray[Any]]:
    """The states of the observed variables, parents first."""
    require_discrete_network(model, "simulated")
    if model.given:
        raise InputError(
            f"the model conditions on {join_names(model.given)}, whose distribution it does not give; leave the clause given out"
        )
    tables = read_parameters(at, model)
    by_name = {variable.name: variable for variable in model.variables}
    drawn: dict[str, States] = {}
    for name in order_parents_first(model):
        drawn[name] = draw_states(by_name[name], tables, drawn, by_name, n, seed)
    return {variable.name: drawn[variable.name] for variable in model.observed}


def draw_states(
    variable: Variable,
    tables: ParameterTables,
    drawn: dict[str, States],
    by_name: dict[str, Variable],
    n: int,
    seed: int | str,
) -> States:
    """The states of one variable, those of its parents being drawn."""
    parents = [drawn[parent] for parent in variable.parents]
    if isinstance(variable.local, Deterministic):
        rule, last = get_chain_rule(variable.local)
        return np.asarray(last(reduce(rule, parents)), dtype=np.int64)
    rows = np.array([[float(value) for value in row] for row in tables[variable.local.share or variable.name]])
    sizes = [by_name[parent].states for parent in variable.parents]
    row = np.ravel_multi_index(tuple(parents), sizes) if parents else np.zeros(n, dtype=np.intp)
    return select_row_states(rows, row, draw_uniforms(seed, variable.name, n))


SAMPLING = Sampling(draw_cases, has_states=True)
