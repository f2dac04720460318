"""What a dimension needs of discrete networks: their map, what is simpler, districts, bounds in order, what needs no rank.

The short records stand here as well: the domain of the parameters; and for scores chains of latent class models for sBIC, priors
of tables, cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_least
from algdim.bound.counting import bound_by_counting
from algdim.bound.strategy import (
    KRUSKAL,
    SHORTCUT_PARAMETERS,
    TREES,
    Effort,
    Finding,
    Found,
    find_both_bounds,
    find_upper_bounds,
)
from algdim.bound.symbolic import bound_symbolically
from algdim.errors import InputError, join_names
from algdim.exact.arithmetic import Array, make_rationals
from algdim.families import load_on_demand
from algdim.families.contract import Arrows, Bounds, Domain, Explaining, Family, Products, Scoring, Share
from algdim.families.discrete.bounds.equalcells import (
    EQUAL_CELLS,
    EQUAL_STATES,
    bound_by_equal_cells,
    has_equal_arrays,
    has_state_exchanges,
)
from algdim.families.discrete.bounds.pairwise import bound_by_bipartition, compute_pairwise_value, find_latent_class
from algdim.families.discrete.bounds.search import (
    Setting,
    bound_by_ambient,
    compute_saturated_dimension,
    derive_kernel_bound,
    make_setting,
)
from algdim.families.discrete.bounds.trees import add_bounds, group_by_shape
from algdim.families.discrete.contraction import make_contraction
from algdim.families.discrete.districts import build_network_graph, make_entries_finding, split
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, build_latent_class, drop_irrelevant
from algdim.families.discrete.short import find_short_form
from algdim.families.discrete.trees import cut_latent_tree, find_latent_tree
from algdim.figures import format_count, format_integer
from algdim.limits import sharing_work
from algdim.maps import Map, plan_once
from algdim.rank import make_object_array

if TYPE_CHECKING:
    from algdim.scores.singular import Chain
    from algdim.trust import Remark, Trust


BINARY_ITEMS, SYMMETRIC_ITEMS = "binary-items", "symmetric-items"

TABLE, MAXIMUM, SIGMOID, CLASSIFIER = "table", "max", "sigmoid", "classifier"
PROBIT = "probit"
WEIGHTED = (SIGMOID, "multinomial", "adjacent", "cumulative", "rasch", PROBIT)
"""Kinds of local whose modules are imported where one is met."""


def has_kind(model: Network, *kinds: str) -> bool:
    """Whether a variable has a local of these kinds."""
    return not model.kinds.isdisjoint(kinds)


def bound_by_mechanisms(pmap: ParamMap) -> Bound | None:
    """The bound of mechanisms, whose effects have a rule and no table."""
    if pmap.model.kinds == {TABLE} or has_kind(pmap.model, PROBIT):
        return None
    found: Bound | None = load_on_demand("discrete", "bounds.mechanisms", "bound_by_mechanisms")(pmap)
    return found


SPAN, MARGINS, DIFFERENCES, PARTS, DETERMINANTS = "span", "margins", "differences", "parts", "determinants"
FEWER_STATES, COMMON_TABLES = "fewer-states", "common-tables"
DOUBLE_POINTS = "double-points"

BOUNDS: Mapping[str, Callable[[ParamMap], Bound | None]] = {
    "counting": bound_by_counting,
    "ambient": bound_by_ambient,
    "mechanisms": bound_by_mechanisms,
    "pairwise": lambda pmap: bound_by_bipartition(pmap.model) if pmap.kept_coordinates is None else None,
    EQUAL_CELLS: bound_by_equal_cells,
}
"""Upper bounds that only look at the map."""


def load_map_search(module: str, name: str) -> Callable[[Setting], Found]:
    """A search that looks at a map without conditions; its module is imported when the search is made."""
    return load_on_demand("discrete", f"bounds.{module}", name)


def load_model_search(module: str, name: str) -> Callable[[Setting], Found]:
    """A search that looks at a model without conditions."""
    search = load_on_demand("discrete", f"bounds.{module}", name)
    return lambda setting: search(setting.pmap.model)


def bound_by_classifiers(setting: Setting) -> Found:
    """The bound of embedded classifiers."""
    found: Found = load_on_demand("classifier", "bounds", "bound_by_embedded_classifiers")(setting.pmap)
    return found


ANY_ENTRIES = ("class-tables", "containing", "flattenings", "koszul", "grids", "nested", "supermodels")
"""Searches that count parameters, or look at separations: they hold whatever functions of the parameters entries are."""


SHARED_WORK: Mapping[str, int] = {
    DIFFERENCES: 1 << 35,
    **dict.fromkeys((MARGINS, "surroundings"), 1 << 36),
    **dict.fromkeys(("supermodels", PARTS, FEWER_STATES), 1 << 38),
}
"""What each search that makes others, of smaller models, which may do the same, may do with all of them, in multiplications."""


def share_work(most: float, search: Callable[[Setting], Found]) -> Callable[[Setting], Found]:
    """A search that shares so much work with those that it makes."""

    def search_with_work(setting: Setting) -> Found:
        """The search, with this work or with what an outer one has left."""
        with sharing_work(most):
            return search(setting)

    return search_with_work


def search_by(name: str, search: Callable[[Setting], Found]) -> Callable[[Setting], Found]:
    """A search, made only where it holds: with probits entries are no rational functions of the parameters."""
    if name in SHARED_WORK:
        search = share_work(SHARED_WORK[name], search)
    if name in ANY_ENTRIES:
        return search
    return lambda setting: None if has_kind(setting.pmap.model, PROBIT) else search(setting)


EVERY: Mapping[str, Callable[[Setting], Found]] = {
    "class-tables": bound_by_classifiers,
    "containing": load_map_search("containing", "bound_by_containing_models"),
    EQUAL_STATES: load_map_search("koszul", "bound_by_equal_states_and_minors"),
    COMMON_TABLES: load_map_search("commontables", "bound_by_common_tables"),
    "flattenings": load_map_search("flattenings", "bound_by_flattenings"),
    "koszul": load_map_search("koszul", "bound_by_koszul"),
    "grids": load_map_search("grids", "bound_by_grids"),
    BINARY_ITEMS: load_model_search("secants", "bound_binary_items"),
    SYMMETRIC_ITEMS: load_model_search("secants", "bound_symmetric_items"),
    DOUBLE_POINTS: load_map_search("doublepoints", "bound_by_double_points"),
    "nested": load_map_search("containing", "bound_by_nested_model"),
    "symmetry": load_map_search("symmetry", "bound_by_symmetry"),
    "settimi-smith": load_model_search("settimismith", "bound_by_settimi_smith"),
    "defective": load_model_search("secants", "bound_defective"),
    DETERMINANTS: load_map_search("determinantforms", "bound_by_determinants"),
    MARGINS: load_map_search("margins", "bound_by_margins"),
    DIFFERENCES: load_map_search("differences", "bound_by_differences"),
    PARTS: load_map_search("parts", "bound_by_parts"),
    FEWER_STATES: load_map_search("fewerstates", "bound_by_fewer_states"),
    "supermodels": load_map_search("supermodels", "bound_by_supermodels"),
    "normal-form": load_map_search("normalforms", "bound_by_normal_form"),
    "surroundings": load_map_search("surroundings", "bound_by_surroundings"),
    "symbolic": lambda setting: bound_symbolically(setting.pmap, setting.lower),
    SPAN: load_map_search("span", "bound_by_span"),
}

SEARCHES: Mapping[str, Callable[[Setting], Found]] = {name: search_by(name, search) for name, search in EVERY.items()}
"""Bounds that are searched for, once a rank is known, in this order."""


MAY_FIND: Mapping[str, Callable[[ParamMap], bool]] = {
    "class-tables": lambda pmap: has_kind(pmap.model, CLASSIFIER),
    EQUAL_STATES: has_state_exchanges,
    COMMON_TABLES: has_equal_arrays,
    DOUBLE_POINTS: lambda pmap: find_latent_class(pmap.model) is not None,
}
"""Whether a search is about a map at all."""


def find_network_without_rank(
    pmap: ParamMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None
) -> Finding | None:
    """The finding where the whole Jacobian need not be ranked: one table, a large latent class model, a latent tree."""
    if pmap.kept_coordinates is not None:
        return None
    count = pmap.parameter_count
    if is_one_table(pmap) and proved is not None:
        what = "entries of the kernel" if pmap.is_polynomial else "odds, or quotients of odds, of the kernel"
        what = "determined by the entries of the kernel" if has_kind(pmap.model, PROBIT) else what
        return make_entries_finding(count, proved, what)
    if not pmap.given and count > SHORTCUT_PARAMETERS:
        lower = (
            load_on_demand("discrete", "bounds.kruskal", "bound_by_kruskal")(pmap.model, effort.seed, labels)
            if KRUSKAL in effort.bounds
            else None
        )
        if lower is not None and proved is not None and lower.value >= proved.value:
            return Finding(lower, proved, KRUSKAL)
        for name in (BINARY_ITEMS, SYMMETRIC_ITEMS):
            both = SEARCHES[name](make_setting(pmap, 0, effort.seed, labels)) if name in effort.bounds else ()
            if isinstance(both, tuple) and both:
                return Finding(both[0], both[1], name)
    if (
        "containing" in effort.bounds
        and count > SHORTCUT_PARAMETERS
        and not effort.minors
        and has_kind(pmap.model, MAXIMUM)
    ):
        find: Any = load_on_demand("discrete", "bounds.absorbing", "find_by_absorbing")
        absorbed: Finding | None = find(pmap, effort, labels, proved)
        if absorbed is not None:
            return absorbed
    return find_by_tree(pmap, effort) if TREES in effort.bounds else None


def find_by_tree(pmap: ParamMap, effort: Effort) -> Finding | None:
    """The finding for a latent tree from its local latent class models, each shape once; ``None`` for other models."""
    parts = plan_once(pmap, "cut", lambda: cut_latent_tree(replace(pmap.model, given=())))
    if parts is None or parts.trivial:
        return None
    setting = make_setting(pmap, 0, effort.seed, ())
    effort = effort._replace(parts=effort.parts * len(parts.locals))
    locals_ = group_by_shape(parts)
    if effort.minors:  # a table without classes has no form of its own in certificates, and needs none
        locals_ |= {shape: build_latent_class(*shape) for shape in locals_ if shape[0]}
    maps = {shape: get_param_map(local) for shape, local in locals_.items()}
    findings = {
        shape: find_both_bounds(one, effort, ("local", str(shape[0]), *(str(size) for size in shape[1])))
        for shape, one in maps.items()
    }
    lower = add_bounds(parts, {shape: finding.lower for shape, finding in findings.items()}, LOWER)
    upper = add_bounds(parts, {shape: finding.upper for shape, finding in findings.items()}, UPPER)
    draws = tuple(draw for finding in findings.values() for draw in finding.draws)
    best = choose_least([derive_kernel_bound(upper, setting, pmap), *find_upper_bounds(pmap, effort.bounds)])
    of = tuple((maps[shape], finding) for shape, finding in findings.items())
    return Finding(derive_kernel_bound(lower, setting, pmap), best or upper, TREES, draws, of=of)


def examine_models(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The models on which a bound rests: local maps, or one that contains this one."""
    searches = {
        "supermodels": ("supermodels", "examine_supermodel"),
        MARGINS: ("margins", "examine_margin"),
        DIFFERENCES: ("differences", "examine_differences"),
        PARTS: ("parts", "examine_parts"),
        FEWER_STATES: ("fewerstates", "examine_fewer_states"),
    }
    module, name = searches.get(bound.kind, ("symmetry", "examine_local_maps"))
    found: tuple[tuple[Map, Finding], ...] = load_on_demand("discrete", f"bounds.{module}", name)(
        pmap, bound, effort, labels
    )
    return found


def is_one_table(pmap: ParamMap) -> bool:
    """Whether the only variable that is not conditioned on has a table that determines each of its parameters.

    Ties of entry names in another table can leave parameters that are no entries. Those of a sigmoid are functions of them.
    """
    free = [variable for variable in pmap.model.variables if variable.name not in pmap.model.given]
    is_table = pmap.kept_coordinates is None and len(free) == 1 and free[0].local.kind in (TABLE, *WEIGHTED)
    return is_table and len(pmap.readable) == pmap.parameter_count


def replace_sigmoids(model: Network) -> tuple[Network, Remark | None]:
    """The equal model with free tables in the place of sigmoids that are as good, and which these are."""
    if not has_kind(model, *WEIGHTED):
        return model, None
    found: tuple[Network, Remark | None] = load_on_demand("discrete", "locals.sigmoid", "reduce_sigmoids")(model)
    return found


def prove_odds_rank(pmap: ParamMap) -> tuple[Trust, ...]:
    """Why ranks by odds are those by the weights of sigmoids."""
    if not has_kind(pmap.model, *WEIGHTED):
        return ()
    found: tuple[Trust, ...] = load_on_demand("discrete", "locals.sigmoid", "prove_odds_rank")(pmap.model)
    return found


def read_table_point(pmap: ParamMap, source: Any, model: Network) -> list[Fraction]:
    """The parameters of a discrete model from a parameter file."""
    from algdim.readers.parameters import read_parameters

    return pmap.point(read_parameters(source, model))


def make_arrows(model: Network) -> Arrows:
    """The states, and whether all tables are free and nothing is conditioned on."""
    special = [variable.name for variable in model.variables if variable.local != FREE]
    more = f"{special[0]} has no free table" if special else ""
    more = more or (f"{model.given[0]} is conditioned on" if model.given else "")
    return Arrows(model.states, (), more and f"{more}; write json, which can")


NAMES = {
    "phylo": "phylogenetic model",
    "hmm": "hidden Markov model",
    "dynamic": "dynamic Bayesian network",
    "diagnosis": "cognitive diagnosis model",
}
"""What lines that begin so stand for."""


def find_name(model: Network) -> str | None:
    """What a network is called that was read from a line with a word of its own, with the kind that the line names.

    >>> from algdim.models.notation import parse
    >>> find_name(parse("phylo K2P: (A,B,C)")), find_name(parse("2:2,2"))
    ('phylogenetic model K2P', None)
    """
    line = find_short_form(model) if model.short else None
    if line is None:
        return None
    word, _, kind = line.partition(":")[0].partition(" ")
    return f"{NAMES[word]} {kind}" if kind.isalnum() and not kind.isdigit() else NAMES[word]


def describe_network(model: Network) -> str:
    """What kind of model it is.

    >>> from algdim.models.notation import parse
    >>> describe_network(parse("3:2,2,2,2")), describe_network(parse("A -> B <- H; hidden H; given A"))
    ('latent class model: 3 classes, 4 items', 'Bayesian network: 2 observed and 1 hidden variables, given A')
    """
    named, shape = find_name(model), find_latent_class(model)
    if shape is not None and not (named or "").startswith("phylogenetic"):
        classes = "1 class" if shape[0] == 1 else f"{format_integer(shape[0])} classes"
        return f"{named or 'latent class model'}: {classes}, {format_count(len(shape[1]), 'item')}"
    kind = named or ("Bayesian network" if find_latent_tree(model) is None else "latent tree model")
    observed, hidden = len(model.observed), len(model.hidden)
    also = f" and {format_integer(hidden)} hidden" if hidden else ""
    variables = "variable" if observed + hidden == 1 else "variables"
    given = f", given {join_names(model.given)}" if model.given else ""
    return f"{kind}: {format_integer(observed)} observed{also} {variables}{given}"


FAMILY = Family(
    describe=describe_network,
    compute_complete=compute_saturated_dimension,
    make_graph=build_network_graph,
    make_arrows=make_arrows,
    make_map=get_param_map,
    make_evaluator=make_contraction,
    bounds=Bounds(
        BOUNDS,
        SEARCHES,
        make_setting,
        derive_kernel_bound,
        find_network_without_rank,
        without_form=(EQUAL_STATES, DOUBLE_POINTS, SPAN),
        may_find=MAY_FIND,
        rests_on=examine_models,
    ),
    products=Products(
        load_on_demand("discrete", "products", "is_replacement_worthwhile"),
        load_on_demand("discrete", "products", "replace_functions"),
    ),
    drop_irrelevant=drop_irrelevant,
    irrelevance_lemma="irrelevant variables",
    simplify=replace_sigmoids,
    describe_entries=load_on_demand("discrete", "locals.sigmoid", "describe_entries"),
    split=split,
    compute_pairwise=compute_pairwise_value,
    read_point=read_table_point,
    rank_at=load_on_demand("discrete", "bounds.weights", "rank_at_file"),
    prove_counts=prove_odds_rank,
    no_value="an entry of a classifier's table is 0, and derivatives divide by it",
)


def iterate_table_shares(pmap: ParamMap) -> Iterator[Share]:
    """The parameters of each table of a network; what ties leave over stands last."""
    counts: dict[str, set[int]] = {}
    seen: set[int] = set()
    for owner, entries in zip(pmap.owners, pmap.arrays, strict=True):
        here = frozenset(entries.own) - seen
        seen |= here
        counts.setdefault(owner, set()).update(here)
    rows = {variable.name: describe_states(pmap, number) for number, variable in enumerate(pmap.model.variables)}
    for owner, numbers in counts.items():
        yield Share(owner, len(numbers), rows.get(owner, "shared table"))
    if len(seen) < pmap.parameter_count:
        yield Share("ties", pmap.parameter_count - len(seen), "names that are no entry by themselves")


def describe_states(pmap: ParamMap, number: int) -> str:
    """States and parents of a variable."""
    from algdim.families.discrete.locals.function import Deterministic

    variable = pmap.model.variables[number]
    states = format_count(variable.states, "state")
    kind = states if variable.observed else f"hidden, {states}"
    kind = kind if isinstance(variable.local, Table | Deterministic) else f"{kind}, {variable.local.kind}"
    text = f"{kind}, given {','.join(variable.parents)}" if variable.parents else kind
    return f"{text}; the odds of state 1 are A·∏ B^state" if variable.local.kind == SIGMOID else text


EXPLAINING = Explaining(
    iterate_table_shares,
    most_bits=64,
    describe_subject=lambda model: f"distribution given {', '.join(model.given)}" if model.given else "distribution",
    write_formulas=load_on_demand("discrete", "formulas", "write_network_formulas"),
    picture_bound=load_on_demand("discrete", "picturing", "picture_table_bound"),
    offer_coordinates=load_on_demand("discrete", "functionals", "offer_marginal_cells"),
    vary=load_on_demand("discrete", "picturing", "vary_network"),
)


Numbers = NDArray[np.intp]


def is_inside(pmap: ParamMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether no entry of a table is negative, ``strictly`` none that is free is at the end of its range."""
    return all(
        bool((values >= 0).all() and (not strictly or (values[is_free] > margin).all()))
        for values, is_free in iterate_table_entries(pmap, point)
    )


def find_nonnegative_parameters(pmap: ParamMap) -> frozenset[int]:
    """The parameters that a parameter file has as entries of tables."""
    return pmap.readable


def iterate_table_entries(pmap: ParamMap, point: Sequence[Fraction]) -> Iterator[tuple[Array, NDArray[np.bool_]]]:
    """The entries of each table, and which of them depend on parameters."""
    arithmetic = make_rationals()
    elements = arithmetic.elements(make_object_array(list(point)))
    for entries in pmap.arrays:
        values = entries.values(arithmetic, elements).ravel()
        is_free = np.zeros(len(values), dtype=np.bool_)
        if not entries.is_constant:
            is_free[entries.derivative(arithmetic, elements).entry] = True
        yield values, is_free


def iterate_alike_parameters(pmap: ParamMap) -> Iterator[Numbers]:
    """The parameters that are the same in all rows of a table if these are alike."""
    for _, entries in pmap.iterate_keyed_entries():
        if isinstance(entries, Affine):
            for state in range(entries.shape[-1]):
                in_column = [n for n, entry in entries.entry_of.items() if entry % entries.shape[-1] == state]
                yield np.array(in_column, dtype=np.intp)


def iterate_neutral_weights(pmap: ParamMap) -> Iterator[int]:
    """The weights of sigmoid variables that are e^0 if their parents make no difference."""
    for _, entries in pmap.iterate_keyed_entries():
        yield from getattr(entries, "neutral", ())


DOMAIN = Domain(
    is_inside,
    find_nonnegative_parameters,
    iterate_alike=iterate_alike_parameters,
    iterate_neutral=iterate_neutral_weights,
    list_states=lambda model: [v.states for v in model.variables],
    keeps_signs=False,
)


def make_submodel_chain(model: Network) -> Chain:
    """The latent class models with fewer classes."""
    from algdim.families.discrete.bounds.latentclass import convert_to_rooted, replace_class_count
    from algdim.scores.singular import Chain, bound_class_coefficients, compute_regular_coefficients

    if not model.hidden:
        return Chain((), compute_regular_coefficients)
    try:
        root = convert_to_rooted(model)
    except InputError:
        raise InputError(
            "sbic is for latent class models with free tables, for factors, and for models without hidden variables"
        ) from None
    width = sum(item.states - 1 for item in root.observed)
    below = tuple(replace_class_count(root, classes) for classes in range(1, root.hidden[0].states))
    return Chain(below, lambda dimensions: bound_class_coefficients(dimensions, width))


SCORING = Scoring(find_chain=make_submodel_chain, takes_prior=lambda prior: True, is_network=True)  # noqa: ARG005 (every prior of tables)
