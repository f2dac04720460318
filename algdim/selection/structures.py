"""Searches over structures of data's items: latent trees, networks with causal interaction models, classifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import inf
from operator import add
from typing import Any

from algdim.display.results import Plain
from algdim.errors import InputError, describe_closest_word, join_names
from algdim.families.discrete.model import Variable
from algdim.figures import format_count
from algdim.fitting.samples import COUNT
from algdim.fitting.tabulardata import Columns
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.selection.candidates import make_items
from algdim.selection.classifierstructures import ClassStructure, build_classifier, iterate_class_structures
from algdim.selection.climbing import NOTHING, Climb, Journal, Judgement, climb, climb_again, prefer, prefer_by_gain
from algdim.selection.interactions import (
    ADDITIVE_SCORES,
    Structure,
    build_interaction_network,
    build_local_model,
    check_mechanism_names,
    iterate_structures,
    make_first_structure,
)
from algdim.selection.searches import select_columns
from algdim.selection.treestructures import build_tree_network
from algdim.selection.treestructures import iterate_structures as iterate_trees
from algdim.selection.treestructures import make_first_structure as make_first_tree

LATENT_TREES, INTERACTIONS, CLASSIFIERS = "latent-trees", "interactions", "classifiers"
SEARCHES = (LATENT_TREES, INTERACTIONS, CLASSIFIERS)

Judge = Callable[[Columns, AnyModel], Judgement]
Found = list[tuple[Columns, AnyModel]]


@dataclass(frozen=True, slots=True)
class SearchSummary(Plain):
    """What was searched, the steps from the first structure to the last, and how many structures were compared."""

    search: str
    steps: int
    compared: int

    def describe(self) -> str:
        """In words."""
        shown = "" if self.compared <= 1 else "; the best are listed"
        return f"{self.search}: {format_count(self.steps, 'step')}, {format_count(self.compared, 'structure')}{shown}"


def judge_candidate(
    score: Callable[[Columns, AnyModel], Any],
    by: str,
    journal: Journal,
    progress: Callable[[str], None] | None,
    data: Columns,
    candidate: AnyModel,
) -> Judgement:
    """What a candidate is worth by the score that decides; nothing if it has none."""
    text = to_text(candidate)

    def judge() -> Judgement:
        if progress is not None:
            progress(text)
        found = score(data, candidate)
        return Judgement(float(found.values.get(by, -inf)), found.report.dimension, found.report.standard)

    return journal.look_up(text, judge)


def search_structures(
    search: str, data: Columns, label: str | None, by: str, tolerance: float, judge: Judge, seed: int | str
) -> tuple[SearchSummary, Found]:
    """Climb over structures of one kind; the best, each with its columns, the last one preferred."""
    if search not in SEARCHES:
        close = describe_closest_word(search, SEARCHES)
        raise InputError(f"there is no search {search!r}{close}; there are {join_names(SEARCHES)}")
    if (label is None) == (search == CLASSIFIERS):
        what = "needs a class (--class NAME, or label=)" if label is None else "has no class; leave --class out"
        raise InputError(f"the search {search} {what}")
    items = make_items(data)
    if search != LATENT_TREES and any(label is None for column in data.columns for label in column):
        raise InputError(
            f"entries are missing; {search} are searched with complete data: leave these rows out, or columns (--without)"
        )
    if search == LATENT_TREES:
        return search_trees(data, items, tolerance, judge)
    if search == INTERACTIONS:
        return search_interactions(data, items, by, tolerance, judge, seed)
    return search_classifiers(data, items, name_class_as_item(str(label), data, items), tolerance, judge)


def name_as_items(data: Columns, items: Sequence[Variable]) -> Columns:
    """The columns under the names of the items, which may be other ones where the notation does not allow theirs."""
    names = iter(item.name for item in items)
    header = data.names or (None,) * len(data.columns)
    return replace(data, names=tuple(COUNT if name == COUNT else next(names) for name in header))


def name_class_as_item(label: str, data: Columns, items: Sequence[Variable]) -> str:
    """The name of the item that a column is, by which the class may be called, too."""
    header = [name for name in data.names or () if name != COUNT]
    return dict(zip(header, (item.name for item in items), strict=False)).get(label, label)


def summarise(search: str, found: Climb[Any]) -> SearchSummary:
    """The numbers of a climb."""
    return SearchSummary(search, len(found.way) - 1, len(found.judged))


def search_trees(
    data: Columns, items: Sequence[Variable], tolerance: float, judge: Judge
) -> tuple[SearchSummary, Found]:
    """Latent trees: from one hidden variable, nodes added, merged, moved, and states more or less."""
    sizes = {item.name: item.states for item in items}
    found = climb(
        make_first_tree(items),
        lambda here: iterate_trees(here, sizes),
        lambda one: judge(data, build_tree_network(one, items)),
        partial(prefer_by_gain, tolerance=tolerance),
    )
    return summarise(LATENT_TREES, found), [(data, build_tree_network(one, items)) for one in found.list_best()]


def search_interactions(
    data: Columns, items: Sequence[Variable], by: str, tolerance: float, judge: Judge, seed: int | str
) -> tuple[SearchSummary, Found]:
    """Networks without hidden variables but mechanisms: edges and mechanisms, by terms that are computed once."""
    if by not in ADDITIVE_SCORES:
        raise InputError(
            f"{by}: interactions are searched by a score that is a sum over the variables, {join_names(ADDITIVE_SCORES)}"
        )
    check_mechanism_names(items)
    named = name_as_items(data, items)
    by_name = {item.name: item for item in items}
    sizes = {item.name: item.states for item in items}

    def judge_structure(structure: Structure) -> Judgement:
        local = dict(structure)
        terms = (
            judge(select_columns(named, [name, *local[name].parents]), build_local_model(name, local[name], by_name))
            for name in by_name
        )
        return reduce(add, terms, NOTHING)

    steps, choose = partial(iterate_structures, sizes=sizes), partial(prefer, tolerance=tolerance)
    first = climb(make_first_structure(items), steps, judge_structure, choose)
    found = climb_again(first, steps, judge_structure, choose, seed, len(items))
    return summarise(INTERACTIONS, found), [
        (data, build_interaction_network(one, by_name)) for one in found.list_best()
    ]


def search_classifiers(
    data: Columns, items: Sequence[Variable], label: str, tolerance: float, judge: Judge
) -> tuple[SearchSummary, Found]:
    """Classifiers of any structure: edges at the class and into its children."""
    by_name = {item.name: item for item in items}
    sizes = {item.name: item.states for item in items}
    named = name_as_items(data, items)

    def choose_columns(one: ClassStructure) -> Columns:
        return select_columns(named, [label, *one.inputs])

    found = climb(
        ClassStructure(),
        lambda here: iterate_class_structures(here, label, sizes),
        lambda one: judge(choose_columns(one), build_classifier(one, label, by_name)),
        partial(prefer, tolerance=tolerance),
    )
    return summarise(CLASSIFIERS, found), [
        (choose_columns(one), build_classifier(one, label, by_name)) for one in found.list_best()
    ]
