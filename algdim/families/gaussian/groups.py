"""Groups of Gaussian models in the notation: what is said of all groups at once, what they have in common, and how that is printed.

In the record every variable stands once for each group, with the group behind a point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from algdim.families.gaussian.model import Entry, Gaussian, find_group, format_entry, strip_group

Edges = Sequence[tuple[str, str]]


class Copies(NamedTuple):
    """What clauses say of all groups at once; without groups, what they say."""

    groups: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether a name says in which group it is."""
        return not self.groups or ("." in name and find_group(name) in self.groups)

    def names(self, names: Iterable[str]) -> tuple[str, ...]:
        """The variables, group by group."""
        listed = list(names)
        found = (
            name if self.has(name) else f"{name}.{group}"
            for group in self.groups or ("",)
            for name in listed
            if not (self.groups and self.has(name)) or find_group(name) == group
        )
        return tuple(dict.fromkeys(found))

    def entries(self, entry: Entry) -> list[Entry]:
        """A number in each group, or in that which one of its names has."""
        said = [find_group(name) for name in entry[1:] if self.groups and self.has(name)]
        return [
            (entry[0], *(name if self.has(name) else f"{name}.{group}" for name in entry[1:]))
            for group in said[:1] or self.groups or ("",)
        ]

    def edges(self, edges: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """The edges, group by group."""
        found = [[(one, other) for _, one, other in self.entries(("b", *edge))] for edge in edges]
        ordered = sorted(
            (self.groups.index(find_group(pair[0])) if self.groups else 0, number, pair)
            for number, pairs in enumerate(found)
            for pair in pairs
        )
        return tuple(dict.fromkeys(pair for _, _, pair in ordered))


SHARED = (
    "loadings",
    "regressions",
    "intercepts",
    "means",
    "residuals",
    "residual.covariances",
    "lv.variances",
    "lv.covariances",
)
"""What groups can have in common, in lavaan's words."""


def share_entries(model: Gaussian, shared: Collection[str]) -> Gaussian:
    """The model in which entries of these kinds are the same in all groups: as one that is fixed or has a name, else by a name."""
    hidden = {variable.name for variable in model.hidden}
    by_label: dict[str, list[Entry]] = {}
    for entry in model.entries:
        kind, *names = entry
        is_latent = names[0] in hidden
        word = {
            "b": "loadings" if is_latent and names[-1] not in hidden else "regressions",
            "m": "means" if is_latent else "intercepts",
            "v": "lv.variances" if is_latent else "residuals",
            "c": "lv.covariances" if hidden.issuperset(names) else "residual.covariances",
        }[kind]
        if word in shared:
            by_label.setdefault(".".join([kind, *map(strip_group, names)]), []).append(entry)
    fixed, equal, linear = dict(model.fixed), dict(model.equal), dict(model.linear)
    for label, entries in by_label.items():
        values = {fixed[entry] for entry in entries if entry in fixed}
        labels = {equal[entry] for entry in entries if entry in equal}
        if len(entries) < 2 or len(values) + len(labels) > 1:
            continue
        for entry in entries:
            if entry in fixed or entry in equal or entry in linear:
                continue
            if values:
                fixed[entry] = next(iter(values))
            else:
                equal[entry] = next(iter(labels), label)
    return replace(model, fixed=tuple(fixed.items()), equal=tuple(equal.items()))


def strip_groups(model: Gaussian) -> tuple[list[str], Edges, Edges, list[str]] | None:
    """Names, edges and hidden variables that all groups have alike; ``None`` where they differ."""
    if not model.groups:
        return [v.name for v in model.variables], model.edges, model.bidirected, [v.name for v in model.hidden]
    bases = []
    for group in model.groups:
        members = [v for v in model.variables if find_group(v.name) == group]
        names = [strip_group(v.name) for v in members]
        edges, bidirected = (
            [(strip_group(a), strip_group(b)) for a, b in pairs if find_group(a) == group]
            for pairs in (model.edges, model.bidirected)
        )
        bases.append((names, edges, bidirected, [strip_group(v.name) for v in members if not v.observed]))
    names, edges, bidirected, _ = bases[0]
    copies = Copies(model.groups)
    again = (copies.names(names), copies.edges(edges), copies.edges(bidirected))
    ordered = again == (tuple(v.name for v in model.variables), model.edges, model.bidirected)
    return bases[0] if ordered and all(base == bases[0] for base in bases) and not any(map(copies.has, names)) else None


def format_runs(groups: tuple[str, ...], entries: Sequence[Entry]) -> Iterator[tuple[str, int]]:
    """Entries in order, those of all groups together as one, and how many each is."""
    place, copies = 0, Copies(groups)
    while place < len(entries):
        kind, *names = entries[place]
        base: Entry = (kind, *(strip_group(name) for name in names))
        together = bool(groups) and list(entries[place : place + len(groups)]) == copies.entries(base)
        yield format_entry(base if together else entries[place]), len(groups) if together else 1
        place += len(groups) if together else 1
