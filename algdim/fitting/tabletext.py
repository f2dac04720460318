"""How parameters are printed: a line for each row of a table, under the names and the labels that the data have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

from algdim.families import load_scoring
from algdim.families.discrete.model import Variable
from algdim.figures import cut_text, remove_control_characters

MOST_HEADS = 10_000
"""The rows of larger tables have no names."""

MOST_NAME = 30
"""Signs of a column's name in the head of a row: it may be a whole question."""

MOST_LABEL = 24
MOST_WIDTH = 110
"""Wider labels, or tables, have the labels in a line of their own."""

Labels = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """What the data call variables and states; a variable or a state without a word has its own name or number."""

    titles: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Labels] = field(default_factory=dict)

    def title(self, name: str) -> str:
        """A variable as the data name it."""
        return self.titles.get(name, name)

    def state(self, name: str, number: int) -> str:
        """A state as the data name it."""
        labels = self.labels.get(name, ())
        return remove_control_characters((labels[number] if number < len(labels) else None) or str(number))

    def row(self, name: str, parents: Sequence[str], row: Sequence[int], state: str = "") -> str:
        """A row of a table, or an entry.

        >>> Words({"X1": "SEX"}, {"X1": ("f", "m")}).row("Y", ["X1", "H"], [1, 0])
        'P(Y|SEX=m,H=0)'
        """
        given = ",".join(
            f"{self.title(parent)}={self.state(parent, value)}" for parent, value in zip(parents, row, strict=True)
        )
        return f"P({self.title(name)}{state}{'|' if given else ''}{given})"

    def cell(self, name: str, parents: Sequence[str], row: Sequence[int], state: int) -> str:
        """An entry of a table."""
        return self.row(name, parents, row, f"={self.state(name, state)}")

    def legend(self, name: str) -> str:
        """What the numbers of the states stand for."""
        return f"{self.title(name)}: {format_legend(self.labels[name])}"


def format_legend(labels: Labels) -> str:
    """What the numbers of states stand for.

    >>> format_legend(("no", "yes", None))
    '0 = no, 1 = yes, 2 = (no row)'
    """
    return ", ".join(
        f"{number} = {remove_control_characters(label) if label else '(no row)'}" for number, label in enumerate(labels)
    )


def has_state_labels(labels: Labels) -> bool:
    """Whether the labels say more than the numbers of the states.

    >>> has_state_labels(("no", "yes")), has_state_labels(("0", "1"))
    (True, False)
    """
    return any(label != str(number) for number, label in enumerate(labels))


def make_words(model: Any, names: Sequence[str], states: Sequence[Labels], titles: Sequence[str]) -> Words:
    """The words of data for the variables of a model.

    Columns keep their names only if that makes no two variables look the same.
    """
    labels = {name: found for name, found in zip(names, states, strict=True) if has_state_labels(found)}
    short = {
        name: remove_control_characters(cut_text(title, MOST_NAME)) for name, title in zip(names, titles, strict=False)
    }
    others = {
        name for table, owned in group_table_owners(model).items() for name in (table, *(one.name for one in owned))
    }
    distinct = len(set(short.values())) == len(short) and (others - short.keys()).isdisjoint(short.values())
    return Words(short if distinct else {}, labels)


def get_shared_table(variable: Any) -> str:
    """The name of the table that a variable shares with others, or its own."""
    return str(getattr(getattr(variable, "local", None), "share", None) or variable.name)


def group_table_owners(model: Any) -> dict[str, list[Variable]]:
    """The variables of each table of a network; nothing of models without tables."""
    found: dict[str, list[Variable]] = {}
    for variable in model.variables if load_scoring(model.family).is_network else ():
        found.setdefault(get_shared_table(variable), []).append(variable)
    return found


def format_row_heads(model: Any, words: Words | None = None) -> dict[str, list[str]]:
    """How the rows of a network's tables are printed, by the name of the table; none for models without tables.

    >>> from algdim.models.notation import parse
    >>> format_row_heads(parse("H -> X; hidden H"))
    {'H': ['P(H)'], 'X': ['P(X|H=0)', 'P(X|H=1)']}
    """
    words = words or Words()
    heads: dict[str, list[str]] = {}
    for name, (first, *_) in group_table_owners(model).items():
        sizes = [model.states[parent] for parent in first.parents]
        if prod(sizes) <= MOST_HEADS:
            heads[name] = [words.row(name, first.parents, row) for row in product(*map(range, sizes))]
    return heads


def choose_table_labels(model: Any, words: Words) -> dict[str, Labels]:
    """The labels above the columns of each table: those of its variable, if all that share it have the same."""
    found = {}
    for name, variables in group_table_owners(model).items():
        own = {words.labels.get(variable.name) for variable in variables}
        labels = own.pop()
        if labels is not None and not own:
            found[name] = labels
    return found


def format_state_legends(
    model: Any, words: Words, parameters: Mapping[str, Any], heads: Mapping[str, Any], labels: Mapping[str, Labels]
) -> list[str]:
    """What the states stand for of those variables that are not named at a table: they have none, or share one."""
    tables = {
        name: variables
        for name, variables in group_table_owners(model).items()
        if name in parameters and name in labels
    }
    said = {variable.name for variables in tables.values() for variable in variables}
    for name, variables in group_table_owners(model).items():
        if name in parameters and name in heads:
            said.update(variables[0].parents)
    return [f"  {words.legend(name)}" for name in words.labels if name not in said]


def format_parameters(
    parameters: Mapping[str, Any],
    indent: str = "  ",
    heads: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Labels] | None = None,
) -> list[str]:
    """The parameters, a line for each row of a table, or for each name; labels stand above the columns of their table."""
    heads, labels = heads or {}, labels or {}
    width = max((len(head) for name in parameters for head in heads.get(name, ())), default=0)
    lines = []
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            lines += [f"{indent}{name}", *format_parameters(value, indent + "  ")]
        elif isinstance(value, (list, tuple)):
            if not isinstance(value[0], (list, tuple)):  # the constants or weights of a variable with several log-odds
                lines.append("  ".join([f"{indent}{name}", *(f"{entry:.4f}" for entry in value)]))
                continue
            named = heads.get(name, ())
            if len(named) != len(value):
                named = [name, *[" " * len(name)] * (len(value) - 1)]
            lines += format_table(value, [f"{indent}{head:{width}}" for head in named], indent, labels.get(name, ()))
        else:
            lines.append(f"{indent}{name}  {value:.4f}")
    return lines


def format_table(
    rows: Sequence[Sequence[float]], heads: Sequence[str], indent: str, labels: Sequence[str | None]
) -> list[str]:
    """One table; above it the labels of the columns, or a line with what their numbers stand for if they are long."""
    shown = [remove_control_characters(label or "(no row)") for label in labels]
    sizes = [max(6, len(label)) for label in shown]
    begin = max(map(len, heads), default=0)
    lines = []
    if max(map(len, shown), default=0) > MOST_LABEL or begin + sum(sizes) + 2 * len(sizes) > MOST_WIDTH:
        lines, shown, sizes = [f"{indent}{format_legend(tuple(labels))}"], [], []
    if shown:
        lines = ["  ".join([" " * begin, *(f"{label:>{size}}" for label, size in zip(shown, sizes, strict=True))])]
    for head, row in zip(heads, rows, strict=True):
        widths = sizes or [6] * len(row)
        lines.append("  ".join([head, *(f"{entry:>{size}.4f}" for entry, size in zip(row, widths, strict=True))]))
    return lines
