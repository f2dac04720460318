"""Pairs of models of which it is known how they lie to each other: the first is nested in the second by construction, or equal."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import algdim
from algdim.errors import InputError
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from hunting.answer_models import OWN
from hunting.random_models import KINDS, Draw, is_small, rows_before
from hunting.variations import permuted

ORDERS = ("nested", "equal", "unknown")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models, how the first lies in the second, and what was done to the second to make the first."""

    first: Any
    second: Any
    order: str
    how: str
    on_boundary: bool = False
    """Whether the first is known to lie on the boundary of the second, in a way that no reparametrization removes."""


def shuffled(draw: Draw, model: Any) -> Any:
    """The same model with its variables, and sometimes its parents, in another order."""
    return read_model_dictionary(permuted(json.loads(json.dumps(convert_model_to_dictionary(model))), draw))


def without_edge(draw: Draw, model: Network) -> Any:
    """The rows of a free table that differ in one parent only are the same."""
    able = [v for v in model.variables if v.parents and v.local == Table()]
    if not able:
        return None
    chosen = draw.choice(able)
    gone = draw.choice(chosen.parents)
    changed = replace(chosen, parents=tuple(parent for parent in chosen.parents if parent != gone))
    return replaced(model, chosen, changed)


def replaced(model: Network, old: Variable, new: Variable) -> Network:
    """The network with another variable in the place of one."""
    return replace(model, variables=tuple(new if one.name == old.name else one for one in model.variables))


def fewer_states(draw: Draw, model: Network) -> Any:
    """A hidden variable with one state less; all tables around it are free."""
    children = {parent for v in model.variables for parent in v.parents if v.local != Table()}
    able = [
        v for v in model.variables if not v.observed and v.states > 1 and v.local == Table() and v.name not in children
    ]
    if not able:
        return None
    chosen = draw.choice(able)
    return replaced(model, chosen, replace(chosen, states=chosen.states - 1))


def with_fixed(draw: Draw, model: Network) -> Any:
    """An entry of a free table is fixed."""
    able = [v for v in model.variables if v.local == Table() and v.name not in model.given]
    if not able:
        return None
    chosen = draw.choice(able)
    rows = rows_before([model.states[parent] for parent in chosen.parents])
    value = draw.choice([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1, 3)])
    fixed = (((draw.choice(rows), draw.randrange(chosen.states)), value),)
    if chosen.states == 1:
        return None
    return replaced(model, chosen, replace(chosen, local=Table(fixed=fixed)))


def with_equal(draw: Draw, model: Network) -> Any:
    """Two entries of one column of a free table are equal."""
    able = [v for v in model.variables if v.local == Table() and v.parents and v.states > 1]
    if not able:
        return None
    chosen = draw.choice(able)
    rows = rows_before([model.states[parent] for parent in chosen.parents])
    if len(rows) < 2:
        return None
    state = draw.randrange(chosen.states)
    equal = tuple(((row, state), "q") for row in draw.sample(rows, 2))
    return replaced(model, chosen, replace(chosen, local=Table(equal=equal)))


def with_function(draw: Draw, model: Network) -> Any:
    """A free table becomes a function of the parents."""
    able = [v for v in model.variables if v.local == Table() and v.parents and v.name not in model.given]
    able = [v for v in able if v.states == max(model.states[p] for p in v.parents)]
    if not able:
        return None
    chosen = draw.choice(able)
    kinds: list[Any] = [Maximum()]
    if all(model.states[p] == 2 for p in chosen.parents):
        kinds += [Parity(), AtLeast(draw.randint(1, len(chosen.parents)))]
    return replaced(model, chosen, replace(chosen, local=draw.choice(kinds)))


def with_sigmoid(draw: Draw, model: Network) -> Any:
    """A free binary table becomes sigmoid."""
    able = [v for v in model.variables if v.local == Table() and v.states == 2 and v.name not in model.given]
    if not able:
        return None
    chosen = draw.choice(able)
    return replaced(model, chosen, replace(chosen, local=Sigmoid()))


def with_share(draw: Draw, model: Network) -> Any:
    """Two free tables of one shape are shared."""
    shape = {
        v.name: (v.states, *(model.states[p] for p in v.parents))
        for v in model.variables
        if v.local == Table() and v.name not in model.given
    }
    pairs = [(a, b) for a in shape for b in shape if a < b and shape[a] == shape[b]]
    if not pairs:
        return None
    chosen = draw.choice(pairs)
    return replace(
        model, variables=tuple(replace(v, local=Table(share="s9")) if v.name in chosen else v for v in model.variables)
    )


NETWORK_WAYS: Mapping[str, Callable[[Draw, Network], Any]] = {
    "without an edge": without_edge,
    "fewer states": fewer_states,
    "an entry fixed": with_fixed,
    "entries equal": with_equal,
    "a function": with_function,
    "sigmoid": with_sigmoid,
    "a shared table": with_share,
}


def of_networks(draw: Draw) -> Pair | None:
    """A network, and one or two restrictions of it."""
    kind = draw.choice(["free", "free", "confounded", "tree", "latent class", "mixed"])
    second = {**KINDS, **OWN}[kind](draw)
    if second is None or not is_small(second):
        return None
    if draw.random() < 0.2:
        return Pair(shuffled(draw, second), second, "equal", "another order")
    first, ways = second, []
    for _ in range(draw.choice([1, 1, 2])):
        way = draw.choice(list(NETWORK_WAYS))
        changed = NETWORK_WAYS[way](draw, first)
        if changed is not None:
            first = changed
            ways.append(way)
    if not ways:
        return None
    return Pair(shuffled(draw, first) if draw.random() < 0.3 else first, second, "nested", ", ".join(ways))


def of_gaussians(draw: Draw) -> Pair | None:
    """A Gaussian model, and one with edges left out, entries fixed or equal."""
    second: Gaussian = {**KINDS, **OWN}[draw.choice(["factors", "paths", "paths", "gaussian"])](draw)
    if draw.random() < 0.15:
        return Pair(shuffled(draw, second), second, "equal", "another order")
    special = {entry for entry, _ in (*second.fixed, *second.equal)}
    way = draw.choice(["edge", "edge", "bidirected", "fixed", "equal", "latent"])
    first: Any = None
    if way == "edge":
        able = [edge for edge in second.edges if ("b", *edge) not in special]
        if able:
            gone = draw.choice(able)
            first = replace(second, edges=tuple(edge for edge in second.edges if edge != gone))
    elif way == "bidirected":
        able = [pair for pair in second.bidirected if ("c", *pair) not in special]
        if able:
            gone = draw.choice(able)
            first = replace(second, bidirected=tuple(pair for pair in second.bidirected if pair != gone))
    elif way == "fixed":
        able = [entry for entry in second.entries if entry[0] in "bm" and entry not in special]
        if able:
            first = replace(
                second,
                fixed=(*second.fixed, (draw.choice(able), draw.choice([Fraction(0), Fraction(1), Fraction(1, 2)]))),
            )
    elif way == "equal":
        kind = draw.choice("bvm")
        able = [entry for entry in second.entries if entry[0] == kind and entry not in special]
        if len(able) > 1:
            first = replace(second, equal=(*second.equal, *((entry, "q9") for entry in draw.sample(able, 2))))
    else:
        # a latent variable without influence: all its edges to children are left out
        able = [
            v.name
            for v in second.variables
            if not v.observed
            and not any(v.name in entry for entry in special)
            and not any(v.name in pair for pair in second.bidirected)
        ]
        if able:
            gone_ = draw.choice(able)
            first = replace(
                second,
                variables=tuple(v for v in second.variables if v.name != gone_),
                edges=tuple(edge for edge in second.edges if gone_ not in edge),
            )
    return None if first is None else Pair(first, second, "nested", way)


def of_loglinear(draw: Draw) -> Pair | None:
    """A log-linear model, and one with fewer interactions."""
    second: LogLinear = KINDS["loglinear"](draw)
    if draw.random() < 0.3:
        return Pair(shuffled(draw, second), second, "equal", "another order")
    names = {variable.name for variable in second.variables}
    able = [
        one
        for one in second.interactions
        if names == {name for other in second.interactions if other != one for name in other}
    ]
    if not able:
        return None
    gone = draw.choice(able)
    first = replace(second, interactions=tuple(one for one in second.interactions if one != gone))
    return Pair(first, second, "nested", "an interaction less")


def of_boundary(draw: Draw) -> Pair | None:
    """The first is on the boundary of the second: cells of probability zero, or a variance that cannot be negative."""
    kind = draw.choice(["zero", "intercept", "intercepts"])
    if kind == "zero":
        states = draw.choice([2, 3])
        zero = draw.randrange(states)
        fixed = f"P(B={zero}|A={draw.randrange(2)})=0"
        first = algdim.model(
            f"A -> B; states A=2, B={states}; fix {fixed}"
            + (f", {fixed.replace(f'B={zero}', f'B={1 - zero}')[:-1]}1" if states == 2 else "")
        )
        return Pair(
            first, algdim.model(f"A -> B; states A=2, B={states}"), "nested", "a cell without probability", True
        )
    count = 2 if kind == "intercept" else draw.randint(3, 4)
    items = [f"X{number}" for number in range(count)]
    ones = ", ".join(f"b(H->{item})=1" for item in items)
    second = algdim.model(f"gaussian: H -> {', '.join(items)}; hidden H; means off; fix {ones}")
    return Pair(algdim.model(f"gaussian: {', '.join(items)}; means off"), second, "nested", "no random intercept", True)


def of_strangers(draw: Draw) -> Pair | None:
    """Two networks, or Gaussian models, of the same observed variables, nothing else being known."""
    if draw.random() < 0.5:
        count = draw.randint(3, 4)
        names = [f"X{number}" for number in range(count)]
        models = [stranger(draw, names, gaussian=False) for _ in range(2)]
        return Pair(models[0], models[1], "unknown", "two networks")
    names = [f"X{number}" for number in range(draw.randint(3, 5))]
    models = [stranger(draw, names, gaussian=True) for _ in range(2)]
    return Pair(models[0], models[1], "unknown", "two Gaussian models")


def stranger(draw: Draw, names: list[str], *, gaussian: bool) -> Any:
    """A graph on these variables, perhaps with hidden causes."""
    order = draw.sample(names, len(names))
    clauses = [f"{a} -> {b}" for place, a in enumerate(order) for b in order[place + 1 :] if draw.random() < 0.35]
    hidden = [f"U{number}" for number in range(draw.choice([0, 0, 1, 2]))]
    clauses += [f"{name} -> {', '.join(draw.sample(names, draw.randint(2, len(names))))}" for name in hidden]
    alone = [name for name in names if not any(name in clause for clause in clauses)]
    clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
    if gaussian:
        text = "; ".join([", ".join(names), *clauses, "means off"])
        return algdim.model(f"gaussian: {text}")
    clauses += [f"states {', '.join(f'{name}=2' for name in alone)}"] if alone else []
    return algdim.model("; ".join(clauses))


def of_functions(draw: Draw) -> Pair | None:
    """A function of some parents in the place of a free table: the smallest such models, up to four parents."""
    count = draw.randint(1, 4)
    names = [f"A{number}" for number in range(count)]
    edges = f"{', '.join(names)} -> C"
    word = draw.choice(["max", "parity", f"at-least {draw.randint(1, count)}", "sigmoid"])
    return Pair(algdim.model(f"{edges}; {word} C"), algdim.model(edges), "nested", f"{word} of {count}")


def of_families(draw: Draw) -> Pair | None:
    """The same tables in two families: a tree of tables and the interactions of its edges; one interaction, one table."""
    names = ["A", "B", "C", "D"][: draw.randint(2, 4)]
    order = draw.sample(names, len(names))
    edges = [(draw.choice(order[:place]), name) for place, name in enumerate(order) if place]
    states = {name: draw.choice([2, 2, 3]) for name in names}
    sizes = f"states {', '.join(f'{name}={size}' for name, size in states.items())}"
    tables = algdim.model(f"{'; '.join(f'{a} -> {b}' for a, b in edges)}; {sizes}")
    effects = algdim.model(f"loglinear: {', '.join(f'{{{a},{b}}}' for a, b in edges)}; {sizes}")
    if draw.random() < 0.7:
        return Pair(effects, tables, "equal", "a tree in two families")
    more = algdim.model(f"loglinear: {{{','.join(names)}}}; {sizes}")
    return Pair(tables, more, "nested", "a tree among all tables")


PAIRS: Mapping[str, Callable[[Draw], Pair | None]] = {
    "networks": of_networks,
    "gaussians": of_gaussians,
    "loglinear": of_loglinear,
    "boundary": of_boundary,
    "strangers": of_strangers,
    "functions": of_functions,
    "families": of_families,
}
TURNS = (
    "networks",
    "gaussians",
    "strangers",
    "networks",
    "gaussians",
    "strangers",
    "networks",
    "loglinear",
    "functions",
    "boundary",
    "families",
)


def drawn_pair(seed: int | str, number: int) -> Pair:
    """The pair of a number; the kinds take turns."""
    kind = random.Random(f"turn/{seed}/{number}").choice(TURNS)
    for attempt in range(1000):
        try:
            pair = PAIRS[kind](random.Random(f"pairs/{seed}/{number}/{attempt}"))
        except InputError:
            continue
        if pair is not None and is_small(pair.first) and is_small(pair.second):
            return pair
    raise AssertionError(f"no pair found for {kind}, seed {seed}, number {number}")
