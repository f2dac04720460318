"""Random networks with zeros and functions, exact members of them, and the printed equations read and evaluated by plain loops.

Nothing here knows kernels, flattenings or separation: a table is a dictionary from joint states to fractions.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import brute

FACTOR = re.compile(r"(P|Q\[[^\]]*\])\((\w+)(?:\|([^)]*))?\)")
SUM = re.compile(r"Σ_(?:\{([^}]*)\}|(\w+)) (.*)")


def random_network(seed, *, zeros, most=5):
    """A network with three to five observed variables and up to three hidden ones, in notation."""
    source = random.Random(seed)
    names = list("ABCDE"[: source.randint(3, most)])
    source.shuffle(names)
    parents = {name: [] for name in names}
    chain = source.random() < 0.6  # along a chain Verma-type equations are frequent
    for number, name in enumerate(names):
        chances = [0.9 if chain and other == names[number - 1] else 0.1 if chain else 0.45 for other in names[:number]]
        parents[name] += [other for other, chance in zip(names, chances, strict=False) if source.random() < chance]
    hidden = [f"U{number}" for number in range(source.randint(1, 3))]
    for name in hidden:
        first = source.randrange(len(names) - 1)
        parents[name] = [names[first]] if source.random() < 0.15 else []
        below = names[first + 1 :] if parents[name] else names
        pairs = [
            pair for pair in combinations(below, 2) if not chain or names.index(pair[1]) - names.index(pair[0]) > 1
        ]
        for child in source.choice(pairs) if pairs else below[:2]:
            parents[child].append(name)
    edges = "; ".join(f"{', '.join(above)} -> {name}" for name, above in parents.items() if above)
    clauses = [edges, f"hidden {', '.join(hidden)}"]
    names = [name for name in names if name in re.findall(r"\w+", edges)]
    if source.random() < 0.3:
        clauses.append(f"states {source.choice(names)}=3")
    elif zeros:
        for name in source.sample([*names, *hidden], 2):
            above = parents[name]
            rows = list(product(range(2), repeat=len(above)))
            if above and source.random() < 0.4:
                clauses.append(f"max {name}")
                continue
            for row in source.sample(rows, source.randint(1, len(rows)) if above else source.randint(0, 1)):
                given = ",".join(f"{parent}={state}" for parent, state in zip(above, row, strict=True))
                bar = f"|{given}" if given else ""
                first, second = source.choice([(0, 1), (1, 0), ("1/3", "2/3")])
                clauses.append(f"fix P({name}=0{bar})={first}, P({name}=1{bar})={second}")
    return "; ".join(clauses)


def random_member(model, seed):
    """An exact member: entries that are free are drawn, the observed table is summed up state by state."""
    source = random.Random(seed)
    values = {}
    for name, table in brute.tables(model).items():
        for row in {row for row, _ in table}:
            entries = {state: entry for (place, state), entry in table.items() if place == row}
            free = [state for state, entry in entries.items() if not isinstance(entry, Fraction)]
            left = 1 - sum(entry for entry in entries.values() if isinstance(entry, Fraction))
            weights = {state: source.randint(1, 30) for state in free}
            for state, entry in entries.items():
                share = left * weights[state] / Fraction(sum(weights.values())) if state in weights else entry
                values[name, row, state] = share
    names = [variable.name for variable in model.variables]
    observed = [variable.name for variable in model.observed]
    table = {}
    for states in product(*(range(variable.states) for variable in model.variables)):
        at = dict(zip(names, states, strict=True))
        chance = Fraction(1)
        for variable in model.variables:
            chance *= values[variable.name, tuple(at[parent] for parent in variable.parents), at[variable.name]]
        cell = tuple(at[name] for name in observed)
        table[cell] = table.get(cell, Fraction(0)) + chance
    return table


def saturated_table(model, seed):
    """A random positive table of the observed variables."""
    source = random.Random(seed)
    cells = list(product(*(range(variable.states) for variable in model.observed)))
    weights = {cell: source.randint(1, 1000) for cell in cells}
    return {cell: Fraction(weight, sum(weights.values())) for cell, weight in weights.items()}


class Formulas:
    """A table whose marginal and conditional probabilities, sums and kernels are evaluated as they are printed."""

    def __init__(self, model, table):
        self.names = [variable.name for variable in model.observed]
        self.sizes = {variable.name: variable.states for variable in model.observed}
        self.table = table
        self.kernels = {}
        self.marginal = lru_cache(maxsize=None)(self.marginal_of)

    def marginal_of(self, states):
        """The probability of some states, given as pairs."""
        places = [(self.names.index(name), state) for name, state in states]
        return sum(value for cell, value in self.table.items() if all(cell[i] == state for i, state in places))

    def probability(self, at, names):
        """The probability that these variables have the states that they have in ``at``."""
        return self.marginal(tuple((name, at[name]) for name in sorted(names)))

    def summed(self, over, at, function):
        """The sum of a function over the states of some variables."""
        ranges = [range(self.sizes[name]) for name in over]
        return sum(function(at | dict(zip(over, states, strict=True))) for states in product(*ranges))

    def factor(self, text, at):
        """A conditional probability, of the table or of a kernel."""
        head, name, given = FACTOR.fullmatch(text).groups()
        given = given.split(",") if given else []
        if head == "P":
            return self.probability(at, [name, *given]) / self.probability(at, given)
        others = [one for one in head[2:-1].split(",") if one != name and one not in given]
        whole = self.kernels[head]
        above = self.summed(others, at, lambda states: self.value(whole, states))
        return above / self.summed([name, *others], at, lambda states: self.value(whole, states))

    def value(self, text, at):
        """A quotient of sums of products."""
        if text.startswith("["):
            above, below = text[1:-1].split("] / [")
            return self.value(above, at) / self.value(below, at)
        found = SUM.fullmatch(text)
        if found:
            over = (found[1] or found[2]).split(",")
            return self.summed(over, at, lambda states: self.value(found[3], states))
        result = Fraction(1)
        for factor in text.split(" "):
            result *= self.factor(factor, at)
        return result

    def verma(self, text):
        """The values of a printed equation that it says are equal, group by group; what is not defined raises."""
        text, _, places = text.partition(", for ")
        claim, _, definitions = text.partition(", where ")
        formula, spare = claim.split(" does not depend on ")
        self.kernels = dict(one.split(" = ") for one in definitions.split("; ")) if definitions else {}
        wanted = [
            {name: int(state) for name, state in (pair.split("=") for pair in place.split(","))}
            for place in places.split(" or ")
            if place
        ]
        groups = {}
        mentioned = set(re.findall(r"\w+", re.sub(r"Σ|_|\bP\b|\bQ\b", " ", text)))
        inside = [name for name in self.names if name in mentioned]
        for states in product(*(range(self.sizes[name]) for name in inside)):
            at = dict(zip(inside, states, strict=True))
            if not wanted or any(place.items() <= at.items() for place in wanted):
                key = tuple(state for name, state in at.items() if name not in spare.split(","))
                groups.setdefault(key, []).append(self.value(formula, at))
        return list(groups.values())

    def independence(self, one, other, given):
        """Whether P(a, b, c) P(c) = P(a, c) P(b, c) for all states."""
        inside = [*one, *other, *given]
        for states in product(*(range(self.sizes[name]) for name in inside)):
            at = dict(zip(inside, states, strict=True))
            left = self.probability(at, inside) * self.probability(at, given)
            if left != self.probability(at, [*one, *given]) * self.probability(at, [*other, *given]):
                return False
        return True

    def joint(self, names):
        """All joint states of some variables."""
        return list(product(*(range(self.sizes[name]) for name in names)))

    def rank(self, one, other, given, state):
        """The rank of the matrix of P(a, b, c) for one state c."""
        fixed = dict(zip(given, state, strict=True))
        return brute.rational_rank(
            [
                [
                    self.probability(
                        fixed | dict(zip([*one, *other], [*row, *column], strict=True)), [*one, *other, *given]
                    )
                    for column in product(*(range(self.sizes[name]) for name in other))
                ]
                for row in product(*(range(self.sizes[name]) for name in one))
            ]
        )
