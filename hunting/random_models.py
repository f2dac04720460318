"""Random small models of every family, each the same for the same seed and number."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

import brute_polynomial
from suites.mixed_networks import attempt_network as attempt_mixed
from suites.random_gaussians import gaussian_model
from suites.random_sigmoids import attempt_network as attempt_sigmoid

import algdim
from algdim.errors import InputError
from algdim.families.additive.model import Additive
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.latentprofile.model import LatentProfile, ProfileVariable
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import read_model_dictionary

MOST_STATES, MOST_ENTRIES, MOST_PRODUCT = 400, 60, 2500
"""Joint states; entries of tables; observed cells times entries."""

Draw = random.Random


def model_of(seed: int | str, number: int) -> tuple[str, Any]:
    """The kind and the model of a number; the kinds take turns."""
    kind = TURNS[number % len(TURNS)]
    for attempt in range(1000):
        try:
            model = KINDS[kind](random.Random(f"hunt/{seed}/{number}/{attempt}"))
        except InputError:  # for instance a classifier with an entry that is zero
            continue
        if model is not None and is_small(model):
            return kind, model
    raise AssertionError(f"no small model found for {kind}, seed {seed}, number {number}")


def is_small(model: Any) -> bool:
    """Whether brute force takes a fraction of a second."""
    network = getattr(model, "network", model)
    if not isinstance(network, Network):
        return True
    cells = prod(variable.states for variable in network.observed)
    entries = sum(v.states * prod(network.states[p] for p in v.parents) for v in network.variables)
    return prod(network.states.values()) <= MOST_STATES and entries <= MOST_ENTRIES and cells * entries <= MOST_PRODUCT


def mixed(draw: Draw) -> Network | None:
    """Tables, shared and partly fixed ones, deterministic nodes; sometimes something is given, sometimes entries are named."""
    model = attempt_mixed(draw)
    if model is None:
        return None
    if draw.random() < 0.3:
        model = with_names(draw, model)
    roots = [v.name for v in model.observed if not v.parents and v.local == Table()]
    if draw.random() < 0.2 and 0 < len(roots) < len(model.observed):
        model = replace(model, given=tuple(draw.sample(roots, draw.randint(1, len(roots)))))
    return model


def with_names(draw: Draw, model: Network) -> Network:
    """The model with some entries of its free tables held equal; a row keeps one entry of its own."""
    variables = []
    for variable in model.variables:
        rows = rows_before([model.states[parent] for parent in variable.parents])
        if variable.local != Table() or draw.random() < 0.4:
            variables.append(variable)
            continue
        named = []
        for row in rows:
            if draw.random() < 0.5:
                states = draw.sample(range(variable.states), draw.randint(1, variable.states - 1))
                named += [((row, state), draw.choice("ab")) for state in states]
        variables.append(replace(variable, local=Table(equal=tuple(named))))
    return replace(model, variables=tuple(variables))


def rows_before(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """The joint states of variables with this many states each."""
    rows: list[tuple[int, ...]] = [()]
    for size in sizes:
        rows = [(*row, state) for row in rows for state in range(size)]
    return rows


def free(draw: Draw) -> Network | None:
    """Free tables, more hidden variables, more edges: what the proofs are about."""
    names = [f"V{number}" for number in range(draw.randint(2, 7))]
    edge, seen = draw.choice([0.3, 0.5, 0.7]), draw.choice([0.5, 0.7, 0.8])
    variables = [
        Variable(
            name,
            draw.choice([2, 2, 2, 3, 3, 4]),
            draw.random() < seen,
            tuple(other for other in names[:number] if draw.random() < edge),
        )
        for number, name in enumerate(names)
    ]
    draw.shuffle(variables)
    return Network(tuple(variables)) if any(variable.observed for variable in variables) else None


def mechanisms(draw: Draw) -> Network | None:
    """A causal interaction model in the notation, its causes dependent or hidden, sometimes with two effects."""
    causes = ["A", "B", "C"][: draw.randint(1, 3)]
    word = draw.choice(["max", "noisy-or", "noisy-max", "sum", "parity", "at-least 1", "at-least 2"])
    effects = ["E", "F"][: draw.choice([1, 1, 1, 2])]
    count = draw.randint(2 if word == "at-least 2" else 1, 3)
    sets = [[name for name in causes if draw.random() < 0.6] for _ in range(count)]
    if not any(sets):
        return None
    if word.startswith("noisy"):
        sets = [one for one in sets if one] + ([[]] if draw.random() < 0.4 else [])
    braces = ",".join("{" + ",".join(one) + "}" for one in sets)
    clauses = [f"{braces} -> {', '.join(effects)}"]
    clauses += [f"{one} -> {other}" for one, other in combinations(causes, 2) if draw.random() < 0.3]
    used = {name for one in sets for name in one}
    hidden = [name for name in causes if name in used and draw.random() < 0.3]
    clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
    states = [f"{name}=3" for name in used if draw.random() < 0.2]
    if word in ("max", "noisy-max") and draw.random() < 0.3:
        states += [f"{effect}=3" for effect in effects]
    clauses += [f"states {', '.join(sorted(states))}"] if states else []
    return algdim.model(f"{word}: {'; '.join(clauses)}")


def tree(draw: Draw) -> Network:
    """A latent class or latent tree in the notation."""

    def node(depth: int) -> str:
        if depth == 0 or draw.random() < 0.6:
            return draw.choice(["2", "2", "3"])
        inner = draw.choice(["", "", "!"])
        return f"{inner}{draw.choice([2, 2, 3])}({','.join(node(depth - 1) for _ in range(draw.randint(1, 3)))})"

    return algdim.model(f"{draw.randint(1, 4)}({','.join(node(2) for _ in range(draw.randint(1, 4)))})")


def latent_class(draw: Draw) -> Network:
    """One hidden variable and items."""
    items = ",".join(str(draw.choice([2, 2, 2, 3, 4])) for _ in range(draw.randint(1, 5)))
    return algdim.model(f"{draw.randint(1, 6)}:{items}")


def sigmoid(draw: Draw) -> Network | None:
    """A network with sigmoid variables."""
    return attempt_sigmoid(draw)


def classifier(draw: Draw) -> Classifier | None:
    """A network of observed variables over a class; sometimes with shared tables and fixed or named entries."""
    names = ["Y", "X1", "X2", "X3"][: draw.randint(2, 4)]
    order = draw.sample(names, len(names))
    edge = draw.choice([0.4, 0.6, 0.8])
    variables = [
        Variable(name, draw.choice([2, 2, 3]), True, tuple(o for o in order[:number] if draw.random() < edge))
        for number, name in enumerate(order)
    ]
    draw.shuffle(variables)
    network = Network(tuple(variables))
    if draw.random() < 0.3:
        network = with_names(draw, network)
    return Classifier(network, draw.choice(names))


def embedded(draw: Draw) -> Network | None:
    """A network of free tables in which some variables have a classifier instead."""
    network = free(draw)
    if network is None:
        return None
    able = [variable.name for variable in network.variables if variable.parents]
    if not able:
        return None
    chosen = draw.sample(able, min(len(able), draw.randint(1, 2)))
    variables = []
    for variable in network.variables:
        if variable.name not in chosen:
            variables.append(variable)
            continue
        order = draw.sample((*variable.parents, variable.name), len(variable.parents) + 1)
        inner = tuple(
            Variable(name, network.states[name], True, tuple(o for o in order[:place] if draw.random() < 0.5))
            for place, name in enumerate(order)
        )
        variables.append(replace(variable, local=Embedded(Classifier(Network(inner), variable.name))))
    return Network(tuple(variables))


def gaussian(draw: Draw) -> Any:
    """Latent variables, cycles, bidirected edges, fixed and equal entries."""
    return gaussian_model(draw.randrange(10**9), most=draw.choice([3, 4, 4, 5]), cycles=draw.random() < 0.2)


def loglinear(draw: Draw) -> LogLinear:
    """Interactions among a few variables, some of them hidden."""
    names = ["A", "B", "C", "H", "K"][: draw.randint(1, 5)]
    hidden = {"H", "K"} if draw.random() < 0.7 else set()
    variables = tuple(Variable(name, draw.choice([2, 2, 3]), name not in hidden) for name in names)
    sets = {tuple(sorted(draw.sample(names, min(len(names), draw.randint(1, 3))))) for _ in range(draw.randint(1, 5))}
    sets |= {(name,) for name in names if not any(name in one for one in sets)}
    if prod(variable.states for variable in variables) > 40:
        raise InputError("too many joint states")
    return LogLinear(tuple(draw.sample(variables, len(variables))), tuple(sorted(sets)), draw.random() < 0.7)


def profile(draw: Draw) -> LatentProfile:
    """A mixture of normals, with categorical items, and a stated order of moments."""
    items = [ProfileVariable(f"X{number}") for number in range(draw.randint(1, 3))]
    items += [ProfileVariable(f"C{number}", draw.choice([2, 3])) for number in range(draw.randint(0, 2))]
    draw.shuffle(items)
    order = draw.randint(1, 4 if len(items) < 3 else 3)
    return LatentProfile("H", draw.randint(1, 3), tuple(items), draw.random() < 0.5, draw.random() < 0.4, order)


def additive(draw: Draw) -> Additive:
    """A sum of Poisson or normal mechanisms."""
    causes = ["A", "B"][: draw.randint(1, 2)]
    variables = [
        Variable(name, draw.choice([2, 2, 3]), True, tuple(o for o in causes[:number] if draw.random() < 0.5))
        for number, name in enumerate(causes)
    ]
    inside = []
    for number in range(draw.randint(1, 3)):
        own = [name for name in causes if draw.random() < 0.6]
        if draw.random() < 0.35:
            parents = tuple(name for name in own if draw.random() < 0.5)
            variables.append(Variable(f"H{number}", draw.choice([1, 2, 2, 3]), False, parents))
            own.append(f"H{number}")
        inside.append(tuple(own))
    return Additive(draw.choice(["poisson", "normal"]), Network(tuple(variables)), ("E",), tuple(inside))


def polynomial(draw: Draw) -> Any:
    """A few random formulas; sums of monomials, or trees with quotients."""
    names = ["a", "b", "c", "d"][: draw.randint(1, 4)]

    def formula(leaves: int) -> Any:
        if leaves <= 1:
            return draw.choice([*names, *names, draw.randint(0, 4)])
        operation = draw.choice("++--***/^")
        if operation == "^":
            return "^", formula(leaves - 1), draw.randint(0, 3)
        left = draw.randint(1, leaves - 1)
        return operation, formula(left), formula(leaves - left)

    trees = [formula(draw.randint(1, 6)) for _ in range(draw.randint(1, 5))]
    source = random.Random(2)
    for tree in trees:
        try:
            for _ in range(2):
                brute_polynomial.dual(tree, {name: Fraction(source.randint(1, 10**9)) for name in names})
        except ZeroDivisionError:
            raise InputError("a denominator is zero everywhere") from None
    texts = [brute_polynomial.text_of(tree) for tree in trees]
    return read_model_dictionary({"family": "polynomial", "parameters": names, "coordinates": texts})


KINDS: Mapping[str, Callable[[Draw], Any]] = {
    "mixed": mixed,
    "free": free,
    "mechanisms": mechanisms,
    "tree": tree,
    "latent class": latent_class,
    "sigmoid": sigmoid,
    "classifier": classifier,
    "embedded": embedded,
    "gaussian": gaussian,
    "loglinear": loglinear,
    "latent profile": profile,
    "additive": additive,
    "polynomial": polynomial,
}
"""Every family, and the discrete ones by what is special about them."""

TURNS = tuple(kind for turn in range(3) for kind in KINDS if kind != "loglinear" or turn == 0)
"""The kinds in turn; one takes longer than the others and comes less often."""
