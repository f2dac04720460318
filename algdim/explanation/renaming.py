"""Models that are the same but for names and order (lemma "renaming" in proofs/lemmas.md).

Free names are those of hidden variables, of shares, of equal entries and of formulas' parameters; no order means anything:
of variables, of parents (a function of parents is symmetric), of the states of a hidden variable between tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, permutations, product
from typing import Any

from algdim.families.additive.model import Additive
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.expressions import Formula, Number, Parameter, Power, parts
from algdim.families.polynomial.model import Polynomial
from algdim.models.anymodel import AnyModel

MOST_TRIED = 5000
"""So many ways to name hidden variables, and to order their states, are tried at most."""
MOST_COLOURED = 3000
"""In larger models hidden variables keep their names."""

Names = Mapping[str, str]
Orders = Mapping[str, Sequence[int]]
"""For each hidden variable whose states are renamed the new number of each state."""


def renamed(first: AnyModel, second: AnyModel) -> tuple[str, ...] | None:
    """How names and states of the first model's hidden variables have to be changed to give the second; ``None`` if none will do.

    >>> from algdim.models.notation import parse
    >>> renamed(parse("2:2,2"), parse("G -> X2, X1; hidden G"))
    ('G stands for H',)
    >>> renamed(parse("2:2,2"), parse("G -> X2, X1; hidden G; states G=3"))
    """
    if first == second:
        return ()
    if first.family != second.family:
        return None
    if isinstance(first, Polynomial) and isinstance(second, Polynomial):
        return () if same_formulas(first, second) else None
    form: Callable[[Any, Names, Orders], Any] = FORMS[type(first)]
    mine, theirs = (list(hidden_names(model)) for model in (first, second))
    target = form(second, {name: name for name in theirs}, {})
    for names, orders in islice(namings(first, second, mine, theirs), MOST_TRIED):
        if form(first, names, orders) == target:
            return tuple(
                [f"{new} stands for {old}" for old, new in names.items() if old != new]
                + [f"the states of {names[name]} are numbered otherwise" for name in orders]
            )
    return None


def hidden_names(model: Any) -> Iterator[str]:
    """The names of hidden variables."""
    return (getattr(variable, "name", variable) for variable in model.hidden)


def namings(first: Any, second: Any, mine: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[Names, Orders]]:
    """The ways to name the hidden variables of the first model as those of the second that look alike, and order states."""
    if len(mine) != len(theirs):
        return
    if len(getattr(first, "variables", ())) > MOST_COLOURED:
        classes = [([name], [name]) for name in mine]
    else:
        colours = coloured(first, second)
        classes = []
        for colour in dict.fromkeys(colours[0][name] for name in mine):
            alike, others = (
                [name for name in names if known[name] == colour]
                for names, known in zip((mine, theirs), colours, strict=True)
            )
            classes.append((alike, others))
        if any(len(one) != len(other) for one, other in classes):
            return
    for chosen in product(*(permutations(other) for _, other in classes)):
        names = {
            old: new for (one, _), news in zip(classes, chosen, strict=True) for old, new in zip(one, news, strict=True)
        }
        for orders in state_orders(first):
            yield names, orders


def state_orders(model: Any) -> Iterator[Orders]:
    """The orders of the states of hidden variables that stand in tables with fixed or named entries; as they are first."""
    movable: dict[str, int] = {}
    for variable in model.variables if isinstance(model, Network) else ():
        around = [variable, *(one for one in model.variables if variable.name in one.parents)]
        tables = [one.local for one in around if isinstance(one.local, Table)]
        if not variable.observed and len(tables) == len(around) and any(table.fixed or table.equal for table in tables):
            movable[variable.name] = variable.states
    for chosen in product(*(permutations(range(states)) for states in movable.values())):
        yield {name: order for name, order in zip(movable, chosen, strict=True) if list(order) != sorted(order)}


def coloured(*models: Any) -> list[dict[str, int]]:
    """A colour for each variable of each model such that variables that stand for each other have the same one."""
    links = [list(links_of(model)) for model in models]
    colours = [dict(looks(model)) for model in models]
    count = 0
    while True:
        numbers: dict[Any, int] = {}
        around: list[dict[str, list[Any]]] = [defaultdict(list) for _ in models]
        for near, edges, known in zip(around, links, colours, strict=True):
            for label, one, other in edges:
                near[one].append((label, 0, known[other]))
                near[other].append((label, 1, known[one]))
        colours = [
            {
                name: numbers.setdefault((colour, tuple(sorted(near[name], key=repr))), len(numbers))
                for name, colour in known.items()
            }
            for near, known in zip(around, colours, strict=True)
        ]
        # nothing new, or all are told apart
        if len(numbers) in (count, max(map(len, colours))):
            return colours
        count = len(numbers)


def looks(model: Any) -> Iterator[tuple[str, Any]]:
    """What a variable looks like by itself; an observed one by its name."""
    variables = model.network.variables if isinstance(model, Additive | Classifier) else model.variables
    for variable in variables:
        local = getattr(variable, "local", None)
        table = (len(local.fixed), len(local.equal)) if isinstance(local, Table) else ()
        look = (getattr(variable, "states", None), getattr(local, "kind", None), getattr(local, "n", None), table)
        yield variable.name, (variable.name if variable.observed else "", look)
    if isinstance(model, Additive):
        yield model.effect, (model.effect, ())


def links_of(model: Any) -> Iterator[tuple[Any, str, str]]:
    """Labelled pairs of variables."""
    if isinstance(model, Gaussian):
        fixed, equal = dict(model.fixed), {entry for entry, _ in model.equal}
        for entry in model.entries:
            if entry[0] in ("b", "c"):
                yield (entry[0], str(fixed.get(entry)), entry in equal), entry[1], entry[2]
            else:  # a number of one variable
                yield (entry[0], str(fixed.get(entry)), entry in equal), entry[1], entry[1]
        if model.bidirected:  # these have no direction
            for one, other in model.bidirected:
                entry = ("c", one, other)
                yield (entry[0], str(fixed.get(entry)), entry in equal), other, one
    elif isinstance(model, LogLinear):
        for effect in model.effects:
            yield from ((len(effect), one, other) for one in effect for other in effect)
    elif isinstance(model, Additive):
        yield from (("->", *edge) for edge in model.network.edges)
        for parents in model.mechanisms:
            yield from ((len(parents), one, other) for one in parents for other in parents)
    elif not isinstance(model, LatentProfile):
        yield from (("->", *edge) for edge in model.edges)


def network_form(model: Network, names: Names, orders: Orders) -> Any:
    """A network without names and orders that mean nothing: equal forms, equal models."""
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    groups: dict[Any, list[Variable]] = defaultdict(list)
    for variable in sorted(model.variables, key=lambda one: called[one.name]):
        share = variable.local.share
        groups[variable.name if share is None else ("share", share)].append(variable)
    labels: dict[str, int] = {}
    found = []
    for members in groups.values():
        # a shared table has one order of its parents for all; that of the first member's sorted parents
        order = sorted(range(len(members[0].parents)), key=lambda place: called[members[0].parents[place]])
        shown = [
            (
                called[one.name],
                one.states,
                one.observed,
                tuple(called[one.parents[place]] for place in order),
                one.name in model.given,
            )
            for one in members
        ]
        found.append((shown, local_form(members, order, called, orders, labels)))
    return found


def local_form(
    members: Sequence[Variable], order: Sequence[int], called: Names, orders: Orders, labels: dict[str, int]
) -> Any:
    """How variables depend on their parents; of those with one table all have to order states alike."""
    first, local = members[0], members[0].local
    if isinstance(local, Embedded):
        return local.kind, classifier_form(local.classifier, called, orders)
    if not isinstance(local, Table):
        return local.kind, getattr(local, "n", None)
    known = {tuple(tuple(orders.get(name, ())) for name in (*one.parents, one.name)) for one in members}
    if len(known) > 1:
        return "ordered differently", known, first.name

    def place(cell: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
        row = [moved(orders, first.parents[axis], cell[0][axis]) for axis in order]
        return tuple(row), moved(orders, first.name, cell[1])

    fixed = sorted((place(cell), value) for cell, value in local.fixed)
    equal = sorted((place(cell), label) for cell, label in local.equal)
    return local.kind, fixed, [(cell, labels.setdefault(label, len(labels))) for cell, label in equal]


def moved(orders: Orders, name: str, state: int) -> int:
    """The new number of a state."""
    return orders[name][state] if name in orders else state


def classifier_form(model: Classifier, names: Names, orders: Orders) -> Any:
    """The class and the network."""
    return names.get(model.label, model.label), network_form(model.network, names, orders)


def gaussian_form(model: Gaussian, names: Names, orders: Orders) -> Any:
    """The entries: free, fixed, or equal to others."""
    del orders  # no states
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    fixed, equal = dict(model.fixed), dict(model.equal)

    def key(entry: tuple[str, ...]) -> tuple[str, ...]:
        kind, *ends = entry
        new = [called[name] for name in ends]
        return (kind, *(sorted(new) if kind == "c" else new))

    labels: dict[str, int] = {}
    observed = sorted(variable.name for variable in model.observed)
    entries = sorted((key(entry), entry) for entry in model.entries)
    return observed, [
        (new, fixed.get(old), labels.setdefault(equal[old], len(labels)) if old in equal else None)
        for new, old in entries
    ]


def loglinear_form(model: LogLinear, names: Names, orders: Orders) -> Any:
    """The effects that have parameters."""
    del orders
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    states = model.states
    variables = sorted((called[one.name], one.states, one.observed) for one in model.variables)
    effects = {
        frozenset(called[name] for name in effect)
        for effect in model.effects
        if all(states[name] > 1 for name in effect)
    }
    return variables, effects


def profile_form(model: LatentProfile, names: Names, orders: Orders) -> Any:
    """Classes, items, and covariances; with one class or one continuous item there is less to choose."""
    del names, orders
    full = model.full and len(model.continuous) > 1
    return model.classes, frozenset(model.items), full, model.equal or model.classes == 1


def additive_form(model: Additive, names: Names, orders: Orders) -> Any:
    """The network, the effect, and the mechanisms."""
    mechanisms = Counter(frozenset(names.get(name, name) for name in parents) for parents in model.mechanisms)
    return model.family, model.effect, network_form(model.network, names, orders), mechanisms


FORMS: Mapping[type, Callable[[Any, Names, Orders], Any]] = {
    Network: network_form,
    Gaussian: gaussian_form,
    LogLinear: loglinear_form,
    Classifier: classifier_form,
    LatentProfile: profile_form,
    Additive: additive_form,
}


def same_formulas(first: Polynomial, second: Polynomial) -> bool:
    """Whether coordinates of the same name have formulas that differ in the names of parameters only, one to one."""
    mine, theirs = ({one.name: one.formula for one in model.coordinates} for model in (first, second))
    if mine.keys() != theirs.keys():
        return False
    forward: dict[str, str] = {}
    backward: dict[str, str] = {}
    return all(same_formula(mine[name], theirs[name], forward, backward) for name in mine)


def same_formula(one: Formula, other: Formula, forward: dict[str, str], backward: dict[str, str]) -> bool:
    """The same for two formulas, as far as names are bound already."""
    if isinstance(one, Parameter) and isinstance(other, Parameter):
        return (
            forward.setdefault(one.name, other.name) == other.name
            and backward.setdefault(other.name, one.name) == one.name
        )
    if type(one) is not type(other) or isinstance(one, Number):
        return one == other
    if isinstance(one, Power) and isinstance(other, Power) and one.exponent != other.exponent:
        return False
    mine, theirs = parts(one), parts(other)
    pairs: Iterable[tuple[Formula, Formula]] = zip(mine, theirs, strict=False)
    return len(mine) == len(theirs) and all(same_formula(a, b, forward, backward) for a, b in pairs)
