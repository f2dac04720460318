"""Every family and every local of discrete networks: random small models, what brute force says of them, and what they lack.

One entry per kind. The brute forces share no code with the engine; they read the record of a model and nothing else.
"""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

import brute
import brute_additive
import brute_classifier
import brute_gaussian
import brute_law
import brute_loglinear
import brute_maxima
import brute_mixed
import brute_polynomial
import brute_probit
import brute_profile
import brute_shared
import brute_sigmoid
import numpy as np
from suites import mixed_networks, random_sigmoids
from suites.random_gaussians import gaussian_model, grouped_model

import algdim

MOST_OF_INTERACTIONS = 8
"""Joint states of a log-linear model, whose map is multiplied out where nothing else proves its dimension."""
MOST_JOINT, MOST_ENTRIES, MOST_WORK = 170, 24, 500
"""Joint states, entries of tables, observed cells times entries: what brute force does in milliseconds."""

FIT, SIMULATE, IDENTIFY_AT, CONSTRAINTS, PROVE = "fit", "simulate", "identify at a point", "constraints", "prove"
AT, EXPLAIN, VERDICTS = "the rank at a point", "explain", "verdicts where parameters are redundant"
"""What some kinds do not have."""


@dataclass(frozen=True, eq=False)
class Family:
    """One kind of model. A function of the brute force gets a model, and parameters as `point` makes them."""

    name: str
    draw: Callable[[random.Random], Any]
    """A random model, or nothing where it came out too large or empty."""
    dimension: Callable[[Any], int]
    standard: Callable[[Any], int]
    complete: Callable[[Any], int | None]
    """The dimension of the saturated model, where it has one."""
    point: Callable[[Any, random.Random], Any]
    """Random parameters inside of their domain, in the form that the brute force likes."""
    file: Callable[[Any, Any], dict[str, Any]]
    """The same as a parameter file."""
    rank_at: Callable[[Any, Any], int]
    law: Callable[[Any, Any], brute_law.Law] | None = None
    refused: Mapping[str, str] = field(default_factory=dict)
    """What there is not for this kind, and the words with which it is refused."""
    sometimes: Mapping[str, str] = field(default_factory=dict)
    """What is refused of some models of the kind only."""
    last_bound: str = "ambient"
    """A bound that every model of the kind has, beside which the others are tried."""
    fit_file: Callable[[Any, Any], dict[str, Any]] | None = None
    """The parameter file for fits, where it is another one."""

    def model(self, seed):
        """The model of a seed."""
        for attempt in range(1000):
            found = self.draw(random.Random(f"{self.name}/{seed}/{attempt}"))
            if found is not None:
                return found
        raise AssertionError(f"no small model of the kind {self.name} found for seed {seed}")


# Discrete networks


def graph(draw, *, least=2, most=5, states=(2, 2, 2, 3), hidden=0.3):
    """Names with states, parents by name, and the names of hidden variables; an edge and two observed variables at least."""
    names = [*"ABCDE"[: draw.randint(least, most)]]
    edge = draw.choice([0.4, 0.6, 0.8])
    parents = {name: [other for other in names[:place] if draw.random() < edge] for place, name in enumerate(names)}
    gone = {name for name in names if draw.random() < hidden}
    if not any(parents.values()) or len(names) - len(gone) < 2:
        return None
    return {name: draw.choice(states) for name in names}, parents, gone


def is_small(model):
    """Whether brute force takes milliseconds."""
    variables = model.variables
    sizes = {variable.name: variable.states for variable in variables}
    tables = [variable for variable in variables if variable.local.kind not in brute_law.FUNCTIONS]
    entries = sum(variable.states * prod(sizes[parent] for parent in variable.parents) for variable in tables)
    cells = prod(variable.states for variable in variables if variable.observed)
    return prod(sizes.values()) <= MOST_JOINT and entries <= MOST_ENTRIES and cells * entries <= MOST_WORK


def read(found, *more, words=""):
    """The model of a graph in the notation, if it is small."""
    if found is None:
        return None
    sizes, parents, gone = found
    clauses = [f"{', '.join(above)} -> {name}" for name, above in parents.items() if above]
    clauses.append(f"states {', '.join(f'{name}={size}' for name, size in sizes.items())}")
    clauses += [f"hidden {', '.join(sorted(gone))}"] if gone else []
    model = algdim.model(f"{words}{'; '.join([*clauses, *more])}")
    return model if is_small(model) else None


def free(draw):
    """Free tables; a hidden variable may have a single state."""
    found = graph(draw)
    if found is None:
        return None
    sizes, _, gone = found
    sizes.update({name: 1 for name in gone if draw.random() < 0.15})
    return read(found)


def mixed(draw):
    """Shared, fixed and free tables beside functions of the parents, hidden variables anywhere."""
    model = mixed_networks.attempt_network(draw)
    return model if model is not None and is_small(model) else None


def mixed_sigmoids(draw):
    """Sigmoid variables, tables and functions of the parents, some of them shared."""
    model = random_sigmoids.attempt_network(draw)
    return model if model is not None and is_small(model) else None


def shares(found, draw):
    """Clauses that let tables of equal shape be shared."""
    del draw
    sizes, parents, _ = found
    alike = {}
    for name, above in parents.items():
        alike.setdefault((sizes[name], *(sizes[parent] for parent in above)), []).append(name)
    groups = [names for names in alike.values() if len(names) > 1]
    return [f"share s{number}: {', '.join(names)}" for number, names in enumerate(groups)]


def entries_of(found, draw):
    """For some rows, all states but one of them in random order, as texts of entries."""
    sizes, parents, _ = found
    for name, above in parents.items():
        for row in product(*(range(sizes[parent]) for parent in above)):
            at = ",".join(f"{parent}={state}" for parent, state in zip(above, row, strict=True))
            states = draw.sample(range(sizes[name]), sizes[name] - 1)
            if draw.random() < 0.4:
                yield [f"P({name}={state}{'|' if at else ''}{at})" for state in states]


def fixes(found, draw, values=("0", "1/3", "1/2")):
    """Clauses that fix entries."""
    return [f"fix {texts[0]}={draw.choice(values)}" for texts in entries_of(found, draw)]


def fractions(found, draw):
    """Clauses that fix entries, none of them to 0."""
    return fixes(found, draw, ("1/3", "1/2"))


def names_of(found, draw):
    """Clauses that give entries one name."""
    named = {"s": [], "t": []}
    for texts in entries_of(found, draw):
        for text in texts[: draw.randint(1, 2)]:
            named[draw.choice("st")].append(text)
    return [f"equal {label}={', '.join(texts)}" for label, texts in named.items() if len(texts) > 1]


def tables(clauses_of):
    """A network whose tables are bound by some clauses."""

    def drawn(draw):
        found = graph(draw, states=(2, 2, 3))
        clauses = [] if found is None else clauses_of(found, draw)
        return read(found, *clauses) if clauses else None

    return drawn


def tree(draw):
    """A latent class or a latent tree."""

    def node(depth):
        if depth == 0 or draw.random() < 0.6:
            return draw.choice("223")
        inside = ",".join(node(depth - 1) for _ in range(draw.randint(1, 3)))
        return f"{draw.choice(['', '!'])}{draw.choice('223')}({inside})"

    model = algdim.model(f"{draw.randint(1, 4)}({','.join(node(2) for _ in range(draw.randint(2, 4)))})")
    return model if is_small(model) else None


def decisions(draw):
    """A table whose rows are equal as a decision tree says, its leaves with and without names."""
    model = read(graph(draw, least=3, hidden=0.2))
    able = [variable for variable in model.variables if variable.parents] if model else []
    if not able:
        return None
    variable = draw.choice(able)
    sizes = {one.name: one.states for one in model.variables}

    def node(left):
        if not left or (len(left) < len(variable.parents) and draw.random() < 0.5):
            return draw.choice([None, "x", "y"])
        asked = draw.choice(left)
        rest = [name for name in left if name != asked]
        return {asked: {str(state): node(rest) for state in range(sizes[asked])}}

    file = json.loads(algdim.export(model, "json"))
    tied = algdim.model({**file, "local": {variable.name: {"type": "table", "tree": node([*variable.parents])}}})
    return tied if any(one.local.equal for one in tied.variables) else None


def phylogeny(draw):
    """A tree of two to four species, or a network, with two states or, of two species, four."""
    two = draw.random() < 0.3
    tree = "(A,B)" if two else draw.choice(["(A,B)", "(A,B,C)", "((A,B),C)", "((A,#B),(#B,C))"])
    name = draw.choice(["JC69", "K2P", "K3P", "SYM"] if two else ["CFN", "GM2"])
    words = [word for word in ("invariable", "clock") if draw.random() < 0.3 and "#" not in tree]
    if name == "SYM" and "clock" in words:
        words.remove("clock")  # which has no rational form
    model = algdim.model("; ".join([f"phylo {name}: {tree}", *words]))
    return model if is_small(model) else None


def slices(draw):
    """A short hidden Markov model, or a template of slices."""
    length = draw.randint(2, 3)
    if draw.random() < 0.5:
        words = draw.choice(["", ", homogeneous", ", invariant"])
        text = f"hmm: states 2, items {draw.choice(['2', '3'])}, length {length}{words}"
    else:
        clauses = ["prev.A -> A -> B", *(["prev.B -> B"] if draw.random() < 0.4 else [])]
        text = f"dynamic {length}: {'; '.join(clauses)}{draw.choice(['', '; hidden A', '; varying B'])}"
    model = algdim.model(text)
    return model if is_small(model) else None


def diagnosis(draw):
    """A few items of two attributes, perhaps in a hierarchy."""
    rows = ["10", "01", *(draw.choice(["10", "01", "11"]) for _ in range(draw.randint(0, 2)))]
    order = draw.choice(["", "", "; A1 -> A2"])
    model = algdim.model(f"diagnosis {draw.choice(['DINA', 'DINO', 'GDINA'])}: items {', '.join(rows)}{order}")
    return model if is_small(model) else None


def drawn_items(draw):
    """Items from one table, beside others."""
    groups = [
        f"{draw.choice('23')}^{draw.randint(2, 3)}*",
        *(draw.choice(["2", "3", "2^2*"]) for _ in range(draw.randint(0, 1))),
    ]
    model = algdim.model(f"{draw.randint(1, 3)}:{','.join(groups)}")
    return model if is_small(model) else None


def given(draw):
    """Free tables; some observed variables without parents are conditioned on."""
    found = graph(draw)
    if found is None:
        return None
    sizes, parents, gone = found
    roots = [name for name in sizes if not parents[name] and name not in gone]
    chosen = [name for name in roots if draw.random() < 0.7]
    if not chosen or len(sizes) == len(gone) + len(chosen):
        return None
    return read(found, f"given {', '.join(chosen)}")


def function_of(word):
    """A variable that is a function of its parents, in a network, or of mechanisms, one of them perhaps without causes."""

    def drawn(draw):
        many = word in ("max", "sum")
        rule = f"at-least {draw.randint(1, 2)}" if word == "at-least" else word
        if draw.random() < 0.5:
            return mechanisms(draw, rule)
        found = graph(draw, least=3, states=(2, 2, 3) if many else (2,))
        if found is None:
            return None
        sizes, parents, _ = found
        able = [name for name in sizes if len(parents[name]) >= (2 if rule == "at-least 2" else 1)]
        if not able:
            return None
        name = draw.choice(able)
        above = [sizes[parent] for parent in parents[name]]
        sizes[name] = max(above) if word == "max" else 1 + sum(s - 1 for s in above) if word == "sum" else 2
        return read(found, f"{rule} {name}")

    return drawn


def mechanisms(draw, word, *, leak=None):
    """A causal interaction model; with ``leak`` there is a mechanism without causes, or there is none."""
    causes = [*"ABC"[: draw.randint(1, 3)]]
    sets = [[name for name in causes if draw.random() < 0.6] for _ in range(draw.randint(2, 3))]
    if word.startswith("noisy") or leak is not None:
        sets = [one for one in sets if one]
    sets = [*sets, []] if leak else sets
    if len(sets) < 2 or not any(sets):
        return None
    used = sorted({name for one in sets for name in one})
    clauses = [f"{','.join('{' + ','.join(one) + '}' for one in sets)} -> E"]
    clauses += [f"{one} -> {other}" for one, other in pairwise(used) if draw.random() < 0.4]
    hidden = [name for name in used if draw.random() < 0.25]
    clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
    states = [f"{name}=3" for name in used if draw.random() < 0.2]
    states += ["E=3"] if word == "noisy-max" or (word == "max" and draw.random() < 0.4) else []
    clauses += [f"states {', '.join(states)}"] if states else []
    model = algdim.model(f"{word}: {'; '.join(clauses)}")
    return model if is_small(model) else None


def noisy(word, *, leak):
    """A noisy-or or noisy-max."""
    return lambda draw: mechanisms(draw, word, leak=leak)


def sigmoid(draw):
    """Some variables whose log-odds are linear."""
    found = graph(draw)
    if found is None:
        return None
    sizes, parents, _ = found
    able = [name for name in sizes if sizes[name] == 2 and draw.random() < 0.7]
    return read(found, f"sigmoid {', '.join(able)}") if any(parents[name] for name in able) else None


def logit(word):
    """Some variables whose log-odds are of a kind."""

    def drawn(draw):
        found = graph(draw, most=4, states=(2, 2, 3))
        if found is None:
            return None
        sizes, parents, _ = found
        able = [name for name in sizes if draw.random() < 0.7]
        return read(found, f"{word} {', '.join(able)}") if any(parents[name] for name in able) else None

    return drawn


def embedded(draw):
    """A variable that depends on its parents as the class of a classifier does."""
    found = graph(draw, most=4)
    if found is None:
        return None
    sizes, parents, _ = found
    name = draw.choice([name for name in sizes if parents[name]])
    return read(found, f"classifier {name} {{{inner(draw, sizes, [*parents[name], name])}}}")


def inner(draw, sizes, names):
    """A network of some variables, in the notation."""
    order = draw.sample(names, len(names))
    parents = {name: [other for other in order[:place] if draw.random() < 0.6] for place, name in enumerate(order)}
    arrows = [f"{', '.join(above)} -> {name}" for name, above in parents.items() if above]
    return "; ".join([*arrows, f"states {', '.join(f'{name}={sizes[name]}' for name in names)}"])


def tables_at(model, draw):
    """Random tables with the entries that are fixed and those that are equal, as fractions; weights of sigmoids."""
    labels = {}
    sizes = {variable.name: variable.states for variable in model.variables}
    found = {}
    for variable in model.variables:
        owner = getattr(variable.local, "share", None) or variable.name
        if variable.name in model.given or owner in found:
            continue
        if variable.local.kind == "table":
            known = {place: Fraction(value) for place, value in variable.local.fixed}
            for place, label in variable.local.equal:
                known[place] = labels.setdefault(label, Fraction(draw.randint(2, 9), 97))
            rows = product(*(range(sizes[parent]) for parent in variable.parents))
            found[owner] = [row_at(draw, row, variable.states, known) for row in rows]
        elif variable.local.kind == "sigmoid":
            weights = [Fraction(draw.randint(-9, 9), 7) for _ in range(len(variable.parents) + 1)]
            # what is shared has no parents of its own: they are the first, the second and so on
            names = variable.parents if owner == variable.name else [f"pa{k + 1}" for k in range(len(variable.parents))]
            found[owner] = {"a": weights[0], "b": dict(zip(names, weights[1:], strict=True))}
        elif variable.local.kind in (*brute_sigmoid.LOGITS, "probit"):
            found[owner] = weights_at(variable, sizes, labels, draw)
        elif variable.local.kind == "classifier":
            found[owner] = tables_at(variable.local.classifier.network, draw)
    return found


def weights_at(variable, sizes, levels, draw):
    """Random weights of a variable with log-odds; the levels of a parent are those of all its rasch children."""
    kind, steps = variable.local.kind, variable.states - 1
    wide = [parent for parent in variable.parents if sizes[parent] > 1]

    def some(count):
        return [Fraction(draw.randint(-9, 9), 7) for _ in range(count)]

    constants = some(steps)
    if kind in ("cumulative", "probit"):
        constants = [value - 3 * place for place, value in enumerate(sorted(constants, reverse=True))]
    if kind == "rasch":
        return {"a": constants, "t": {one: levels.setdefault(("level", one), some(sizes[one] - 1)) for one in wide}}
    return {"a": constants, "b": {one: some(steps) if kind == "multinomial" else some(1)[0] for one in wide}}


def row_at(draw, row, states, known):
    """One row of a table: what is known, and the rest split at random."""
    here = [known.get((row, state)) for state in range(states)]
    left = Fraction(1) - sum(value for value in here if value is not None)
    weights = [draw.randint(1, 20) if value is None else 0 for value in here]
    return [
        left * weight / sum(weights) if value is None else value for value, weight in zip(here, weights, strict=True)
    ]


def texts(file):
    """A parameter file with its numbers as texts."""
    if isinstance(file, dict):
        return {key: texts(value) for key, value in file.items()}
    return [texts(value) for value in file] if isinstance(file, list) else str(file)


def as_texts(model, file):
    """The same for any discrete model."""
    del model
    return texts(file)


def classes_at(network, file):
    """The numbers of the classes of equal entries modulo the prime of `brute`."""
    classes, _ = brute.equations(network)
    sizes = {variable.name: variable.states for variable in network.variables}
    point = [0] * len(classes)
    tables = brute.tables(network)
    for variable in network.variables:
        for (row, state), entry in tables.get(variable.name, {}).items():
            if entry in classes:
                at = dict(zip(variable.parents, row, strict=True))
                rows = file[variable.local.share or variable.name]
                point[classes[entry]] = brute.residue(rows[brute_law.place_of(variable, at, sizes)][state])
    return point


def tables_rank(model, file):
    """The rank at tables."""
    jacobian, basis = brute.derivative(model, classes_at(model, file)), brute.directions(model)
    return brute.rank([[sum(a * b for a, b in zip(row, way, strict=True) if b) for way in basis] for row in jacobian])


def sigmoid_rank(model, file):
    """The rank at weights: that many pivots are balls of real numbers without zero."""
    given_at, sizes = {}, {variable.name: variable.states for variable in model.variables}
    for variable in model.variables:
        if variable.local.kind not in ("sigmoid", "table", *brute_sigmoid.LOGITS):
            continue
        owner, own = brute_sigmoid.owner(variable), file[variable.local.share or variable.name]
        if variable.local.kind in brute_sigmoid.LOGITS:
            slopes = own.get("t", own.get("b", {})).values()
            numbers = [*own["a"], *(one for some in slopes for one in (some if isinstance(some, list) else [some]))]
            given_at.update(zip(brute_sigmoid.logit_keys(variable, sizes), numbers, strict=True))
        elif variable.local.kind == "sigmoid":
            numbers = [own["a"], *own["b"].values()]
            given_at.update({("weight", owner, place): value for place, value in enumerate(numbers)})
        else:
            for number, row in enumerate(product(*(range(sizes[parent]) for parent in variable.parents))):
                given_at.update({("entry", owner, row, state): own[number][state] for state in range(variable.states)})
    return brute_sigmoid.certified_rank(model, given=given_at)


def embedded_rank(model, file):
    """The rank at the tables of a network and of the classifiers in it."""

    def value_of(prefix, variable, row, state):
        tables = file[prefix] if prefix else file
        at = dict(zip(variable.parents, row, strict=True))
        return tables[variable.name][brute_law.place_of(variable, at, model.states)][state]

    return brute_classifier.network_rank(model, value_of)


def embedded_standard(model):
    """Free entries of the tables, those inside of classifiers too."""
    sizes = {variable.name: variable.states for variable in model.variables}
    inside = [v.local.classifier.variables for v in model.variables if v.local.kind == "classifier"]
    plain = [v for v in model.variables if v.local.kind == "table"]
    return sum((v.states - 1) * prod(sizes[p] for p in v.parents) for group in (plain, *inside) for v in group)


# Other families


def classifier(clauses_of):
    """A network of observed variables over a class, its tables free or bound by some clauses."""

    def drawn(draw):
        found = graph(draw, most=4, states=(2, 2, 3), hidden=0)
        if found is None:
            return None
        clauses = [] if clauses_of is None else clauses_of(found, draw)
        if clauses_of is not None and not clauses:
            return None
        return read(found, *clauses, words=f"classifier {draw.choice([*found[0]])}: ")

    return drawn


def classifier_rank(model, file):
    """The rank of Bayes' rule at tables."""
    return brute_classifier.dimension(model, point=classes_at(model.network, file))


def gaussian(*, cycles, singular=False, grouped=False):
    """Latent variables, bidirected edges, fixed and equal entries, and sums."""

    def drawn(draw):
        seed = draw.randrange(10**9)
        model = grouped_model(seed) if grouped else gaussian_model(seed, most=4, cycles=cycles)
        zero = any(entry[0] == "v" and value == 0 for entry, value in model.fixed)
        if zero != singular or brute_gaussian.is_acyclic(model) == cycles:
            return None
        if sum(variable.observed for variable in model.variables) < 2 or not (model.edges or model.bidirected):
            return None
        return model if singular or is_covariance(model, gaussian_at(model, random.Random(0))) else None

    return drawn


def is_covariance(model, point):
    """Whether the matrix of the errors is positive definite, and so the observed covariances'."""
    numbers = {entry: float(value.value) for entry, value in brute_gaussian.numbers_at(model, point).items()}
    names = [variable.name for variable in model.variables]
    omega = np.diag([numbers["v", name] for name in names])
    for one, other in model.bidirected:
        i, j = names.index(one), names.index(other)
        omega[i, j] = omega[j, i] = numbers["c", one, other]
    return bool(np.linalg.eigvalsh(omega)[0] > 1e-3)


def gaussian_at(model, draw):
    """Large variances beside small covariances and coefficients: a covariance matrix wherever nothing fixed forbids it."""
    scale = {"v": (40, 90), "c": (1, 5), "b": (-7, 7), "m": (-20, 20)}
    kinds = {dict(model.equal).get(entry, entry): entry[0] for entry in brute_gaussian.entries(model)}
    return {name: Fraction(draw.randint(*scale[kinds[name]]) or 1, 10) for name in brute_gaussian.parameters(model)}


def gaussian_file(model, point):
    """Coefficients, variances, covariances and means."""
    sections = {"b": "coefficients", "v": "variances", "c": "covariances", "m": "means"}
    marks = {"b": "->", "c": "<->"}
    found = {}
    for entry, number in brute_gaussian.numbers_at(model, point).items():
        found.setdefault(sections[entry[0]], {})[marks.get(entry[0], "").join(entry[1:])] = str(number.value)
    return found


def gaussian_rank(model, point):
    """The rank over the rationals."""
    names = brute_gaussian.parameters(model)
    slopes = [number.slopes for number in brute_gaussian.coordinates_at(model, point)]
    return brute_gaussian.rank([[one.get(name, Fraction(0)) for name in names] for one in slopes])


def loglinear(draw):
    """Interactions of a few variables, some of them hidden."""
    names = [*draw.sample(["A", "B", "X.1"], draw.randint(1, 3)), *["H", "K_2"][: draw.randint(0, 2)]]
    draw.shuffle(names)
    sets = {tuple(sorted(draw.sample(names, min(len(names), draw.randint(1, 3))))) for _ in range(draw.randint(1, 4))}
    sets |= {(name,) for name in names if not any(name in one for one in sets)}
    hidden = [name for name in names if name in ("H", "K_2") and draw.random() < 0.8]
    states = [f"{name}={1 if name in hidden and draw.random() < 0.3 else 3}" for name in names if draw.random() < 0.25]
    clauses = [", ".join("{" + ",".join(one) + "}" for one in sorted(sets))]
    clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
    clauses += [f"states {', '.join(states)}"] if states else []
    clauses += ["hierarchical off"] if draw.random() < 0.3 else []
    model = algdim.model(f"loglinear: {'; '.join(clauses)}")
    return model if prod(variable.states for variable in model.variables) <= MOST_OF_INTERACTIONS else None


def loglinear_file(model, point):
    """Effects by their names."""
    del model
    return {f"t({','.join(f'{n}={s}' for n, s in zip(*one, strict=True))})": str(value) for one, value in point.items()}


def loglinear_rank(model, point):
    """The rank over the rationals."""
    return brute_loglinear.rank([list(slopes.values()) for _, slopes in brute_loglinear.table(model, point).values()])


def profile(draw):
    """A mixture of normals beside categorical items."""
    continuous = [*"XYZ"[: draw.choice([1, 1, 2, 2, 3])]]
    categorical = [*"CD"[: draw.choice([0, 0, 1, 2])]]
    names = draw.sample([*continuous, *categorical], len(continuous) + len(categorical))
    clauses = [f"H -> {', '.join(names)}", "hidden H"]
    sizes = {"H": draw.choice([1, 2, 2, 3]), **{name: draw.choice([2, 3]) for name in categorical}}
    clauses.append(f"states {', '.join(f'{name}={size}' for name, size in sizes.items())}")
    matrices = [word for word, chance in (("full", 0.5), ("equal", 0.4)) if draw.random() < chance]
    clauses += [f"covariances {', '.join(matrices)}"] if matrices else []
    if len(names) > 2 or sizes["H"] > 2 or draw.random() < 0.6:
        clauses.append(f"moments {draw.randint(1, 4 if len(names) < 3 else 2)}")
    return algdim.model(f"latent-profile: {'; '.join(clauses)}")


def profile_at(model, draw):
    """Weights and tables inside, dominant diagonals; hardly two means are equal: at such points high moments show more."""
    left, found = {}, {}
    for entry in brute_profile.entries(model):
        kind = entry[0]
        if kind in ("weight", "table"):
            group = entry if kind == "weight" else (kind, entry[1], entry[3])
            group = group[:1] if kind == "weight" else group
            found[entry] = left.get(group, Fraction(1)) * Fraction(draw.randint(2, 5), 9)
            left[group] = left.get(group, Fraction(1)) - found[entry]
        elif kind == "mean":
            found[entry] = Fraction(draw.randint(-2000, 2000), 1000)
        else:
            found[entry] = (
                Fraction(draw.randint(20, 40), 10) if entry[1] == entry[2] else Fraction(draw.randint(-9, 9), 10)
            )
    return found


def profile_file(model, point):
    """Parameters by their names."""
    found = {}
    for entry, value in point.items():
        kind, *of, number = entry
        given_class = "" if kind == "cov" and model.equal else f"|H={number}"
        name = {
            "weight": lambda number=number: f"P(H={number})",
            "mean": lambda of=of, at=given_class: f"m({of[0]}{at})",
            "cov": lambda of=of, at=given_class: f"v({of[0]}{at})" if of[0] == of[1] else f"c({of[0]}<->{of[1]}{at})",
            "table": lambda of=of, at=given_class: f"P({of[0]}={of[1]}{at})",
        }[kind]()
        found[name] = str(value)
    return found


def profile_rank(model, point):
    """The rank modulo a large prime; where no order is stated, of moments up to one that shows two classes (Pearson)."""
    moments = brute_profile.moments_at(model, point, model.order or 5)
    return brute.rank([[brute.residue(one.slopes.get(name, 0)) for name in point] for one in moments])


def conditional_gaussian(draw):
    """Discrete and Gaussian variables in one network, some of both hidden, some numbers common, fixed or equal."""
    discrete, gaussian = [*"ABC"[: draw.choice([0, 1, 1, 2])]], [*"XYZ"[: draw.choice([1, 2, 2, 3])]]
    hidden = {name for name in discrete if draw.random() < 0.5} | {
        name for name in gaussian[:-1] if draw.random() < 0.3
    }
    names = [*discrete, *gaussian]
    edges = [
        (one, other)
        for k, other in enumerate(names)
        for one in names[:k]
        if draw.random() < (0.4 if other in discrete else 0.7)
    ]
    clauses = [", ".join(names), *(f"{one} -> {other}" for one, other in edges)]
    clauses += [f"hidden {', '.join(sorted(hidden))}"] if hidden else []
    clauses += [f"states {', '.join(f'{name}=2' for name in discrete)}"] if discrete else []
    entries = [f"m({name})" for name in gaussian] + [f"v({name})" for name in gaussian]
    entries += [f"b({one}->{other})" for one, other in edges if one in gaussian]
    draw.shuffle(entries)
    common = [entries.pop() for _ in range(draw.choice([0, 0, 1, 2]))]
    # what all of a variable's entries have in common its states would not change
    clauses += [f"common {', '.join(common)}"] if common else []
    fixed = [f"{entries.pop()}={draw.choice(['1', '1/2', '3'])}" for _ in range(draw.choice([0, 0, 1])) if entries]
    clauses += [f"fix {', '.join(fixed)}"] if fixed else []
    try:
        model = algdim.model(f"conditional-gaussian: {'; '.join(clauses)}")
        algdim.dimension(model)
    except (algdim.InputError, algdim.LimitError):
        return None
    few = prod(2 for name in hidden if name in discrete) <= (2 if len(gaussian) - len(hidden & {*gaussian}) > 1 else 4)
    return model if few and len(brute_mixed.parameters(model)) <= 24 else None


def conditional_gaussian_at(model, draw):
    """Chances inside, variances positive, hardly two numbers equal."""
    named = {label: entry[0] for entry, label in model.equal}
    left, found = {}, {}
    for key in brute_mixed.parameters(model):
        if key[0] == "P":
            row = (key[1], *key[3:])
            found[key] = left.get(row, Fraction(1)) * Fraction(draw.randint(2, 5), 9)
            left[row] = left.get(row, Fraction(1)) - found[key]
        elif named.get(key[0], key[0]) == "v":
            found[key] = Fraction(draw.randint(500, 4000), 1000)
        else:
            found[key] = Fraction(draw.randint(-2000, 2000), 1000)
    return found


def additive(word, mixtures=0.35):
    """A sum or maximum of Poisson or normal mechanisms, some of them mixtures; at times nothing is observed but the effect."""

    def drawn(draw):
        causes = [*"AB"[: draw.choice((0, 1, 1, 2, 2))]]
        sets, arrows, hidden, states = [], [], [], [f"{name}=3" for name in causes if draw.random() < 0.2]
        for number in range(draw.randint(1, 3)):
            own = [name for name in causes if draw.random() < 0.6]
            if draw.random() < mixtures:
                inside = f"H{number}"
                arrows += [f"{name} -> {inside}" for name in own if draw.random() < 0.4]
                hidden.append(inside)
                own.append(inside)
            sets.append(own)
        if not any(sets):
            return None
        if len([one for one in sets if not one]) > 1:
            return None
        arrows += ["A -> B"] if all(any(name in one for one in sets) for name in "AB") and draw.random() < 0.5 else []
        clauses = [f"{','.join('{' + ','.join(one) + '}' for one in sets)} -> E", *arrows]
        used = {name for one in sets for name in one}
        states = [text for text in states if text[0] in used]
        clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
        clauses += [f"states {', '.join(states)}"] if states else []
        if word.startswith("at-least") and len(sets) == 1:
            return None
        number = f" {draw.randint(2, len(sets))}" if word.startswith("at-least") else ""
        return algdim.model(f"{word}{number}: {'; '.join(clauses)}")

    return drawn


def shared(word):
    """One or two sums with hidden causes anywhere: of several mechanisms and effects, above and below observed causes."""

    def drawn(draw):
        names = draw.sample("ABHG", draw.randint(2, 3))
        hidden = [name for name in names if name in "HG"]
        arrows = [f"{one} -> {other}" for one, other in combinations(names, 2) if draw.random() < 0.3]
        clauses, used = [], set()
        for effect in "EF"[: draw.randint(1, 2)]:
            sets = [[name for name in names if draw.random() < 0.5] for _ in range(draw.randint(1, 3))]
            sets = [one for number, one in enumerate(sets) if one or [] not in sets[:number]]
            used |= {name for one in sets for name in one}
            clauses.append(f"{','.join('{' + ','.join(one) + '}' for one in sets)} -> {effect}")
        if not {*hidden} <= used or not used:
            return None
        states = f"; states {draw.choice(sorted(used))}=3" if draw.random() < 0.3 else ""
        model = algdim.model(
            f"{word}: {'; '.join([*clauses, *arrows])}{'; hidden ' + ', '.join(hidden) if hidden else ''}{states}"
        )
        return model if model.is_shared or len(model.effects) > 1 else None

    return drawn


def additive_keys(model):
    """The parameters: of a table by variable, row and state; of a mechanism by place and row."""
    by_name = {variable.name: variable for variable in model.network.variables}
    for variable in model.network.variables:
        for row in product(*(range(by_name[parent].states) for parent in variable.parents)):
            for state in range(variable.states - 1):
                yield "chance", variable.name, row, state
    for place, parents in enumerate(model.mechanisms):
        for row in product(*(range(by_name[parent].states) for parent in parents)):
            yield "mean", place, row
            if model.family.endswith("normal"):
                yield "variance", place, row


def additive_at(model, draw):
    """Chances inside, rates and variances positive and hardly two of them equal."""
    found, left = {}, {}
    for key in additive_keys(model):
        if key[0] == "chance":
            found[key] = left.get(key[:3], Fraction(1)) * Fraction(draw.randint(2, 5), 9)
            left[key[:3]] = left.get(key[:3], Fraction(1)) - found[key]
        else:
            found[key] = Fraction(draw.randint(500, 4000), 1000)
    return found


def additive_file(model, point):
    """Parameters by their names."""
    by_name = {variable.name: variable for variable in model.network.variables}
    letters = {"mean": "l" if model.family.endswith("poisson") else "m", "variance": "v"}
    found = {}
    for key, value in point.items():
        parents = by_name[key[1]].parents if key[0] == "chance" else model.mechanisms[key[1]]
        at = ",".join(f"{parent}={state}" for parent, state in zip(parents, key[2], strict=True))
        bar = f"|{at}" if at else ""
        name = f"P({key[1]}={key[3]}{bar})" if key[0] == "chance" else f"{letters[key[0]]}({model.names[key[1]]}{bar})"
        found[name] = str(value)
    return found


def enough_moments(model):
    """An order of moments that shows all of the few components there are."""
    hidden = prod(variable.states for variable in model.network.variables if not variable.observed)
    return 3 * hidden + 1


def additive_standard(model):
    """The number of parameters."""
    return len(list(additive_keys(model)))


def additive_complete(model):
    """Without mixtures the cells, and in each of them one number for a Poisson variable or two for a normal one."""
    if any(variable.states > 1 for variable in model.network.variables if not variable.observed):
        return None
    cells = prod(variable.states for variable in model.network.variables if variable.observed)
    return cells - 1 + cells * len(model.effects) * (1 if model.family == "poisson" else 2)


def polynomial(draw):
    """Formulas in a few parameters, sums of products, powers and quotients."""
    names = [*"abcd"[: draw.randint(1, 4)]]

    def formula(leaves):
        if leaves <= 1:
            return draw.choice([*names, *names, draw.randint(0, 4)])
        operation = draw.choice("++--***/^")
        if operation == "^":
            return "^", formula(leaves - 1), draw.randint(0, 3)
        left = draw.randint(1, leaves - 1)
        return operation, formula(left), formula(leaves - left)

    trees = [formula(draw.randint(1, 5)) for _ in range(draw.randint(1, 4))]
    if any(brute_polynomial.divides_by_zero(renamed(one)) for one in trees):
        return None
    coordinates = ", ".join(brute_polynomial.text_of(one) for one in trees)
    return algdim.model(f"polynomial: parameters {', '.join(names)}; coordinates {coordinates}")


def renamed(one):
    """A tree with names that `brute_polynomial.divides_by_zero` has numbers for."""
    if isinstance(one, tuple):
        return one[0], renamed(one[1]), one[2] if one[0] == "^" else renamed(one[2])
    return {"a": "a", "b": "b", "c": "x_1", "d": ("+", "a", ("*", 3, "b"))}.get(one, one)


def trees_of(model):
    """The formulas as Python reads them, where a power is written with two stars."""
    coordinates = json.loads(algdim.export(model, "json"))["coordinates"]
    listed = coordinates.values() if isinstance(coordinates, dict) else coordinates
    return [tree_of(ast.parse(text.replace("^", "**"), mode="eval").body) for text in listed]


OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}


def tree_of(node):
    """Python's tree of a formula as `brute_polynomial` reads it."""
    if isinstance(node, ast.BinOp):
        operation = OPERATIONS[type(node.op)]
        return operation, tree_of(node.left), node.right.value if operation == "^" else tree_of(node.right)
    if isinstance(node, ast.UnaryOp):
        return "-", 0, tree_of(node.operand)
    return node.id if isinstance(node, ast.Name) else node.value


def polynomial_at(model, draw):
    """A point at which all coordinates have a value."""
    (point,) = brute_polynomial.points(model.parameters, trees_of(model), 1, seed=draw.randrange(10**6))
    return point


def polynomial_rank(model, point):
    """The rank over the rationals."""
    slopes = [brute_polynomial.dual(one, point)[1] for one in trees_of(model)]
    return brute_polynomial.rank([[one.get(name, Fraction(0)) for name in model.parameters] for one in slopes])


def by_names(model, point):
    """A point by names as a parameter file."""
    del model
    return texts(point)


# The table

NO_LIST = {CONSTRAINTS: "are not described by equations; those of discrete, gaussian are"}
CONDITIONS = {SIMULATE: "the model conditions on", CONSTRAINTS: "nothing is conditioned on"}


def network(
    name,
    draw,
    *,
    refused=None,
    sometimes=None,
    dimension=brute.dimension,
    standard=brute.standard,
    rank_at=tables_rank,
    law=brute_law.discrete,
):
    """A kind of discrete networks."""
    return Family(
        name,
        draw,
        dimension,
        standard,
        brute.complete,
        tables_at,
        as_texts,
        rank_at,
        law,
        refused or {},
        sometimes or {},
    )


def sum_of(word):
    """A family of sums."""
    return Family(
        word,
        additive(word),
        lambda model: brute_additive.dimension(model, enough_moments(model)),
        additive_standard,
        additive_complete,
        additive_at,
        additive_file,
        lambda model, point: brute_additive.dimension(model, enough_moments(model), value_of=lambda *key: point[key]),
        lambda model, point: brute_law.additive(model, lambda *key: point[key]),
        NO_LIST,
        last_bound="counting",
    )


def shared_of(word):
    """A family of sums with several effects or shared hidden causes."""
    return Family(
        f"{word} shared",
        shared(word),
        lambda model: brute_shared.dimension(model, brute_shared.enough(model)),
        additive_standard,
        additive_complete,
        additive_at,
        additive_file,
        lambda model, point: brute_shared.dimension(
            model, brute_shared.enough(model), value_of=lambda *key: point[key]
        ),
        lambda model, point: brute_law.shared(model, lambda *key: point[key]),
        NO_LIST,
        sometimes={AT: "the rank at given parameters is not known here"},
        last_bound="counting",
    )


def ordered_of(word):
    """A family of maxima, or of others by size: where nothing rational is known of them there are no ranks at points."""
    return Family(
        word,
        additive(word),
        brute_maxima.dimension,
        additive_standard,
        lambda model: None,
        additive_at,
        additive_file,
        lambda model, point: brute_maxima.dimension(model, value_of=lambda *key: point[key]),
        lambda model, point: brute_law.ordered(model, lambda *key: point[key]),
        NO_LIST,
        sometimes={AT: "the rank at given parameters is not known here"},
        last_bound="counting",
    )


def gaussians(name, *, cycles, singular=False, grouped=False):
    """A kind of Gaussian models."""
    return Family(
        name,
        gaussian(cycles=cycles, singular=singular, grouped=grouped),
        brute_gaussian.dimension,
        lambda model: len(brute_gaussian.parameters(model)),
        brute_gaussian.complete,
        gaussian_at,
        gaussian_file,
        gaussian_rank,
        None if singular or grouped else brute_law.gaussian,
        sometimes={PROVE: "proved by symbolic"} if grouped else {},
    )


def classifiers(name, clauses_of=None):
    """A kind of classifiers."""
    return Family(
        name,
        classifier(clauses_of),
        brute_classifier.dimension,
        brute_classifier.standard,
        brute_classifier.complete,
        lambda model, draw: tables_at(model.network, draw),
        as_texts,
        classifier_rank,
        brute_law.classifier,
        {SIMULATE: CONDITIONS[SIMULATE], **NO_LIST},
        {} if clauses_of is None else {FIT: "has tables that share, fix or name entries"},
        fit_file=lambda model, file: {model.label: texts(file)} if len(model.variables) > 1 else texts(file),
    )


NOT_FITTED = "models of the family {} are not fitted"
NOT_SIMULATED = "models of the family {} are not simulated"


def without_data(name):
    """What a family lacks that has neither fits nor samples."""
    return {FIT: NOT_FITTED.format(name), SIMULATE: NOT_SIMULATED.format(name), **NO_LIST}


FAMILIES = (
    network("free tables", free),
    network("shared tables", tables(shares)),
    network("fixed entries", tables(fixes)),
    network("equal entries", tables(names_of)),
    network("decision trees", decisions),
    network("latent trees", tree),
    network("items from one table", drawn_items),
    network("phylogenies", phylogeny, sometimes={PROVE: "proved by equal-states"}),
    network("time slices", slices),
    network("cognitive diagnosis", diagnosis),
    network("given", given, refused=CONDITIONS),
    network("mixed", mixed),
    *(network(word, function_of(word)) for word in ("max", "sum", "parity", "at-least")),
    *(
        network(f"{word}{' with leak' if leak else ''}", noisy(word, leak=leak))
        for word in ("noisy-or", "noisy-max")
        for leak in (False, True)
    ),
    *(
        network(
            name,
            draw,
            refused={IDENTIFY_AT: "not available for networks with sigmoid variables"},
            dimension=brute_sigmoid.dimension,
            standard=brute_sigmoid.standard,
            rank_at=sigmoid_rank,
        )
        for name, draw in (("sigmoid", sigmoid), ("mixed sigmoids", mixed_sigmoids))
    ),
    *(
        network(
            word,
            logit(word),
            refused={IDENTIFY_AT: "not available for networks with sigmoid variables"},
            dimension=brute_sigmoid.dimension,
            standard=brute_sigmoid.standard,
            rank_at=sigmoid_rank,
            law=brute_law.discrete,
        )
        for word in brute_sigmoid.LOGITS
    ),
    network(
        "probit",
        logit("probit"),
        refused={IDENTIFY_AT: "no rational functions"},
        sometimes={
            PROVE: "certificates have tables and log-odds",
            AT: "no rational functions|sigmoid variables|is not decided",
            EXPLAIN: "no rational functions",
            VERDICTS: "is not decided",
        },
        dimension=lambda model: brute_probit.dimension(brute_probit.as_cumulative(model)),
        standard=lambda model: brute_sigmoid.standard(brute_probit.as_cumulative(model)),
        rank_at=lambda *_: None,
        law=brute_law.discrete,
    ),
    network(
        "embedded classifier",
        embedded,
        dimension=brute_classifier.network_rank,
        standard=embedded_standard,
        rank_at=embedded_rank,
    ),
    classifiers("classifier"),
    classifiers("classifier with shared tables", shares),
    classifiers("classifier with fixed entries", fractions),
    classifiers("classifier with equal entries", names_of),
    gaussians("gaussian", cycles=False),
    gaussians("gaussian with cycles", cycles=True),
    gaussians("gaussian with variances 0", cycles=False, singular=True),
    gaussians("gaussian in groups", cycles=False, grouped=True),
    Family(
        "loglinear",
        loglinear,
        brute_loglinear.dimension,
        lambda model: len(brute_loglinear.parameters(model)),
        lambda model: prod(variable.states for variable in model.variables if variable.observed) - 1,
        lambda model, draw: brute_loglinear.point_of(model, draw.randrange(10**6)),
        loglinear_file,
        loglinear_rank,
        brute_law.loglinear,
        refused=NO_LIST,
    ),
    Family(
        "latent-profile",
        profile,
        lambda model: profile_rank(model, brute_profile.random_point(model, 1)),
        lambda model: len(brute_profile.entries(model)),
        lambda _: None,
        profile_at,
        profile_file,
        profile_rank,
        brute_law.profile,
        NO_LIST,
    ),
    Family(
        "conditional-gaussian",
        conditional_gaussian,
        brute_mixed.dimension,
        lambda model: len(brute_mixed.parameters(model)),
        brute_mixed.complete,
        conditional_gaussian_at,
        lambda model, point: {brute_mixed.text_of(key): str(value) for key, value in point.items()},
        brute_mixed.rank_at,
        brute_mixed.law,
        NO_LIST,
        {PROVE: "which certificates do not cover"},
    ),
    sum_of("poisson"),
    sum_of("normal"),
    shared_of("poisson"),
    shared_of("normal"),
    ordered_of("max-poisson"),
    ordered_of("max-normal"),
    ordered_of("at-least-poisson"),
    ordered_of("at-least-normal"),
    Family(
        "polynomial",
        polynomial,
        lambda model: brute_polynomial.dimension(model.parameters, trees_of(model)),
        lambda model: len(model.parameters),
        lambda model: brute_polynomial.hull(model.parameters, trees_of(model)),
        polynomial_at,
        by_names,
        polynomial_rank,
        refused=without_data("polynomial"),
    ),
)
"""Every family, and discrete networks by what is special about them."""


def named(name):
    """The entry of a name."""
    return next(family for family in FAMILIES if family.name == name)
