"""The record of a fit: what was estimated, from what, how, and how far to trust it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Frame, Result, cut_cell, cut_rows
from algdim.errors import join_names
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.locals.contract import Entries
from algdim.families.discrete.locals.curves import collect_curves
from algdim.families.discrete.locals.table import add_states, format_cell
from algdim.families.discrete.map import ParamMap
from algdim.figures import cut_text, format_count, remove_control_characters
from algdim.fitting.criteria import Criteria, compute_entropy_r2
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Prior, select_tables
from algdim.fitting.tabletext import (
    Words,
    choose_table_labels,
    format_parameters,
    format_row_heads,
    format_state_legends,
)
from algdim.identifiability.estimates import NOT_ASKED, Identified
from algdim.limits import Untried, describe_untried
from algdim.models.notation import to_text
from algdim.readers.files import FIT_SCHEMA

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Stopping:
    """Why the climb ended: ``absolute`` or ``relative`` tolerance met, ``iterations`` used up, or parameters ``given``."""

    reason: str
    gain: float | None
    """What the last step gained."""
    absolute: float
    relative: float

    @property
    def converged(self) -> bool:
        """Whether a tolerance was met."""
        return self.reason in ("absolute", "relative")

    def __str__(self) -> str:
        if self.reason == "given":
            return "parameters given"
        if not self.converged:
            return f"NOT converged: all iterations used, the last step gained {self.gain:.3g}"
        # the digits of a gain that small are rounding, which differs between processors
        most = f"{self.absolute:g}" if self.reason == "absolute" else f"{self.relative:g} of the objective"
        return f"{self.reason} tolerance met, the last step gained less than {most}"


ENTRY, VARIANCE, RATE, STATES = "entry", "variance", "rate", "pair"


@dataclass(frozen=True, slots=True)
class Boundary:
    """An entry that the data hold within 1/N of 0 or 1 and the model does not fix; or a variance, or a rate, near 0.

    Or two states of a hidden variable with rows that differ by less than 1/N: there a model of fewer states has the same fit.
    """

    name: str
    value: float
    kind: str = ENTRY
    shown: str = ""
    """The name in the words of the data, if they have some."""

    @property
    def is_counted(self) -> bool:
        """Not an entry near 1: the others of its row are near 0, and counted."""
        return self.kind != ENTRY or self.value < 0.5

    def __str__(self) -> str:
        return f"{self.name} < 1/N" if self.kind == STATES else f"{self.shown or self.name} = {self.value:.3g}"


def describe_boundary(found: Sequence[Boundary]) -> str:
    """How many there are, by kind.

    >>> row = [Boundary("P(A=0)", 0.0), Boundary("P(A=1)", 1.0)]
    >>> describe_boundary([*row, Boundary("v(X)", 1e-9, VARIANCE), Boundary("v(Y)", 1e-9, VARIANCE)])
    '1 entry within 1/N of 0, 2 variances near 0'
    """
    where = {ENTRY: "within 1/N of 0", VARIANCE: "near 0", RATE: "near 0", STATES: "of states with equal rows"}
    numbers = {kind: sum(one.kind == kind and one.is_counted for one in found) for kind in where}
    return ", ".join(f"{format_count(numbers[kind], kind)} {text}" for kind, text in where.items() if numbers[kind])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fit(Result):
    """The parameters that fit a sample best, of those found.

    Attributes
    ----------
    model, sample, prior
        What was fitted to what, and under which prior.
    parameters
        The estimates, in the form of a parameter file.
    expected
        The expected counts of the entries of tables, at these parameters: of a table that several variables share, of all
        its uses.
    loglik, objective
        The log-likelihood; with the log prior density but for its constant, which was maximised.
    iterations, stopping, starts, spread, ends, seed, seconds
        How the climb went: steps of all starts, why it ended, the kind of starts and the objectives they arrived at; those
        of the starts that climbed to the end.
    criteria
        AIC, BIC and the like, with the number of parameters and with the dimension; the entropy R² of the hidden states.
    boundary
        Entries within 1/N of 0 or 1, variances near 0, and states of a hidden variable with equal rows.
    identified
        Which parameters are identifiable; `None` where that was not asked for.
    untried
        Searches about identifiability that were not made to their end.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> from algdim.fitting.fitting import fit
    >>> fit({"X1": [0, 1], "count": [3, 1]}, "states X1=2").to_pandas()["value"].round(6).tolist()
    [0.75, 0.25]
    """

    model: Any
    """A record of `algdim.models`."""
    sample: Any
    """What was read for it."""
    prior: Prior
    parameters: dict[str, Any]
    expected: dict[str, Any]
    loglik: float
    objective: float
    """The log-likelihood plus the log prior density but for its constant: what was maximised."""
    iterations: int
    """Steps of all starts together."""
    stopping: Stopping
    spread: tuple[float, ...]
    """The objectives that the starts arrived at, best first, with the stages' losers where they stopped."""
    boundary: tuple[Boundary, ...]
    starts: str
    seed: int | str
    seconds: float
    identified: Identified | None = None
    """Which parameters are identifiable; ``None`` where it was not asked for."""
    untried: tuple[Untried, ...] = ()
    ends: tuple[float, ...] = ()
    """The objectives of the starts that climbed to the end, best first."""

    @property
    def criteria(self) -> Criteria | None:
        """Information criteria, where it was asked which parameters are identifiable."""
        said = self.identified
        if said is None or self.sample.size <= 0:
            return None
        entropy = compute_entropy_r2(self.model, self.sample, self.parameters, self.expected, self.loglik)
        size = float(self.sample.size)
        return Criteria(self.loglik, size, said.parameters, said.dimension, entropy, is_identified=said.value)

    def to_dict(self) -> dict[str, Any]:
        """The record for machines; ``parameters`` can be saved as a parameter file."""
        return {
            "schema": FIT_SCHEMA,
            "data": self.sample.to_dict(),
            "prior": str(self.prior),
            "loglik": self.loglik,
            "objective": self.objective,
            "iterations": self.iterations,
            "converged": self.stopping.converged,
            "stopping": {
                "reason": self.stopping.reason,
                "gain": self.stopping.gain,
                "absolute": self.stopping.absolute,
                "relative": self.stopping.relative,
            },
            "spread": [value if isfinite(value) else None for value in self.spread],  # JSON has no infinity
            "ends": [value if isfinite(value) else None for value in self.ends],
            "boundary": [{"entry": entry.name, "value": entry.value} for entry in self.boundary],
            **(NOT_ASKED if self.identified is None else self.identified.to_dict()),
            "not_tried": [one.to_dict() for one in self.untried],
            "criteria": None if self.criteria is None else self.criteria.to_dict(),
            "parameters": convert_to_lists(self.parameters),
            "expected": convert_to_lists(self.expected),
            "starts": self.starts,
            "seed": self.seed,
            "seconds": self.seconds,
        }

    def _summarise(self) -> str:
        known = "" if self.identified is None else f"; {self.identified.sentence}"
        return f"{cut_text(to_text(self.model), 80)}: log-likelihood {self.loglik:.6f}, {self.stopping}{known}"

    def _show(self) -> Iterator[Block]:
        words = self.sample.words(self.model)
        rows = [("log-likelihood", f"{self.loglik:.4f}"), ("stopped", str(self.stopping)), ("prior", str(self.prior))]
        yield TableBlock((), tuple(rows), caption=f"{cut_cell(to_text(self.model))}; {self.sample.heading}")
        heads = ("parameter", "state", "value")
        entries = [(name, state, f"{value:.4f}") for name, state, value in list_estimates(self, words)]
        yield TableBlock(heads, cut_rows(entries))
        if self.boundary:
            yield Paragraph(f"near the boundary: {join_names(self.boundary)}")
        known = () if self.identified is None else self.identified.lines()
        yield from (Paragraph(line.strip()) for line in known)
        if self.untried:
            yield Paragraph(describe_untried(self.untried))

    def _tabulate(self) -> Frame:
        words = self.sample.words(self.model)
        return Frame(("parameter", "state", "value"), tuple(list_estimates(self, words)))

    def lines(self) -> list[str]:
        words = self.sample.words(self.model)
        heads, labels = format_row_heads(self.model, words), choose_table_labels(self.model, words)
        lines = [self.sample.heading, *format_state_legends(self.model, words, self.parameters, heads, labels)]
        lines += [remove_control_characters(f"  note: {note}") for note in self.sample.notes]
        lines.append(f"log-likelihood {self.loglik:.6f}")
        if self.objective != self.loglik:
            lines[-1] += f"; with the prior {self.prior} {self.objective:.6f}"
        lines.append(
            f"{format_count(self.iterations, 'step')} of all starts ({self.starts}, seed {self.seed}); {self.stopping}"
        )
        if len(self.spread) > 1:
            lines.append(describe_ends(self.spread, self.ends or self.spread))
        elif self.starts == "auto":
            lines.append("1 start is enough: every local maximum of this likelihood is the greatest")
        lines += format_parameters(self.parameters, heads=heads, labels=labels)
        lines += [] if self.criteria is None else self.criteria.lines()
        found = [entry for entry in self.boundary if entry.kind != STATES]
        if found:
            shown = ", ".join(map(str, found[:12]))
            more = f", … ({len(found)} in all)" if len(found) > 12 else ""
            lines.append(
                f"near the boundary: {shown}{more}"
                if any(entry.kind != ENTRY for entry in found)
                else f"within 1/N of the boundary: {shown}{more}"
            )
        lines += [] if self.identified is None else self.identified.lines()
        same = [str(entry) for entry in self.boundary if entry.kind == STATES]
        if same:
            lines.append(
                f"WARNING: {join_names(same)}: fewer states give the same distribution, and parameters that are identified "
                "almost everywhere need not be identified at this estimate"
            )
        lines += [describe_untried(self.untried)] if self.untried else []
        return lines


def describe_ends(spread: Sequence[float], ends: Sequence[float]) -> str:
    """How many starts reached the greatest value, of those that climbed to the end.

    >>> describe_ends([-3.0, -3.05, -4.0, -9.0], [-3.0, -3.05, -4.0])
    '4 starts, 3 of them to the end: 2 within .1 of the best, the lowest at -4.000'
    """
    near = sum(value > spread[0] - 0.1 for value in ends)
    early = "" if len(ends) == len(spread) else f", {len(ends)} of them to the end"
    lowest = f", the lowest at {ends[-1]:.3f}" if len(ends) > 1 else ""
    return f"{len(spread)} starts{early}: {near} within .1 of the best{lowest}"


def list_estimates(of: Fit, words: Words) -> Iterator[tuple[str, str, float]]:
    """The estimates one by one: of a table its row, the state and the probability; of others the name and the number."""
    heads, labels = format_row_heads(of.model, words), choose_table_labels(of.model, words)
    for name, value in of.parameters.items():
        rows = value if isinstance(value, (list, tuple)) else ()
        named = heads.get(name, ())
        named = named if len(named) == len(rows) else [f"{name} row {number}" for number in range(1, len(rows) + 1)]
        for head, row in zip(named, rows, strict=True):
            known = labels.get(name, ())
            for state, probability in enumerate(row):
                label = known[state] if state < len(known) else None
                yield head, remove_control_characters(label or str(state)), probability
        if not rows:
            yield from ((path, "", number) for path, number in flatten_numbers(name, value))


def flatten_numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    """The numbers in nested dictionaries, with the names that lead to them.

    >>> list(flatten_numbers("H", {"a": 1.0, "b": {"G": 2.0}}))
    [('H a', 1.0), ('H b G', 2.0)]
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from flatten_numbers(f"{name} {key}", inner)
    elif isinstance(value, (list, tuple)):
        for place, inner in enumerate(value):
            yield from flatten_numbers(f"{name} {place}", inner)
    else:
        yield name, value


def convert_to_lists(value: Any) -> Any:
    """Parameters with lists in the place of tuples, as a file has them."""
    if isinstance(value, Mapping):
        return {name: convert_to_lists(part) for name, part in value.items()}
    return [convert_to_lists(part) for part in value] if isinstance(value, (list, tuple)) else value


def name_table_rows(pmap: ParamMap, tables: Tables) -> dict[str, Rows]:
    """Arrays as rows, under the names of a parameter file."""
    return {
        pmap.owners[number]: tuple(
            tuple(float(value) for value in row) for row in tables[number].reshape(-1, cells.states)
        )
        for number, cells in select_tables(pmap).items()
    }


def convert_to_arrays(pmap: ParamMap, rows: Mapping[str, Any]) -> Tables:
    """The arrays of a map with these rows, or weights, those of deterministic nodes as they are; one restart."""
    weighted: Tables = [np.zeros((1, *entries.shape)) for entries in pmap.arrays]
    for one in collect_curves(pmap):
        if all(isinstance(rows.get(owner), Mapping) for owner in one.owners):
            one.put(weighted, one.weights(rows)[None])

    def array(number: int, owner: str, entries: Entries) -> Numbers:
        if owner not in rows:
            constant = entries.is_constant
            return np.asarray(entries.values(Floats(), np.zeros(0))) if constant else np.zeros(entries.shape)
        found = rows[owner]
        if isinstance(found, Mapping):
            return weighted[number]
        return np.array([[float(value) for value in row] for row in found])

    return [
        array(number, owner, entries).reshape(1, *entries.shape)
        for number, (owner, entries) in enumerate(zip(pmap.owners, pmap.arrays, strict=True))
    ]


def find_boundary_entries(pmap: ParamMap, tables: Tables, size: float, words: Words) -> tuple[Boundary, ...]:
    """The entries within 1/N of 0 or 1 that are not fixed."""
    states = pmap.model.states
    by_owner = {getattr(v.local, "share", None) or v.name: v for v in reversed(pmap.model.variables)}
    found = []
    for number, cells in select_tables(pmap).items():
        owner = pmap.owners[number]
        variable = by_owner[owner]
        shape = (*(states[parent] for parent in variable.parents), variable.states)
        flat = tables[number].reshape(-1)
        near = (np.minimum(flat, 1.0 - flat) < 1.0 / size) & (variable.states > 1)
        near[[place for place, _ in cells.fixed]] = False
        for place in np.flatnonzero(near):
            *row, state = (int(index) for index in np.unravel_index(place, shape))
            name = format_cell((tuple(row), state), owner, add_states(variable.parents, states))
            said = words.cell(owner, variable.parents, row, state)
            found.append(Boundary(name, float(flat[place]), shown=said if said != name else ""))
    return tuple(found)


def find_equal_states(pmap: ParamMap, tables: Tables, curved: Collection[int], size: float) -> tuple[Boundary, ...]:
    """Each state of a hidden variable whose rows, in all tables of its children, are within 1/N of those of an earlier one.

    Children are free tables, or ``curved``, which weights determine; elsewhere rows may be equal by the model itself.
    """
    free = {number for number, table in select_tables(pmap).items() if not table.fixed and not table.equal} | {*curved}
    found = []
    for axis, variable in enumerate(pmap.model.variables):
        below = [factor for factor in pmap.factors if axis in factor.axes and axis != factor.axes[-1]]
        if variable.observed or not below or any(factor.array not in free for factor in below):
            continue
        slices = [
            np.moveaxis(tables[one.array].reshape(pmap.arrays[one.array].shape), one.axes.index(axis), 0)
            for one in below
        ]
        rows = np.concatenate([one.reshape(variable.states, -1) for one in slices], axis=1)
        for state in range(1, variable.states):
            differences = np.abs(rows[:state] - rows[state]).max(axis=1)
            if differences.min() < 1 / size:
                name = (
                    f"difference of the rows of {variable.name}={int(differences.argmin())} and {variable.name}={state}"
                )
                found.append(Boundary(name, float(differences.min()), STATES))
    return tuple(found)
