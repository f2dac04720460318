"""A second computation for networks with sigmoid variables, by explicit loops over joint states.

It takes nothing from algdim but the record of a model. Derivatives are those by the weights a and b of a sigmoid
variable, not by e^a and e^b: dP(1)/da = P(1)·P(0), dP(1)/db = x·P(1)·P(0). The numbers are residues modulo a prime of
127 bits, with e^a and e^b drawn at random, or balls of real numbers around random weights. Tables are free, shared ones too;
fixed and equally named entries are not known here.
"""

from __future__ import annotations

import random
from itertools import product

from brute import PRIME, observed_cells, outcome, rank


class Residues:
    """Random residues; the weights themselves are never needed."""

    def __init__(self, seed):
        self.source = random.Random(seed)
        self.known = {}

    def drawn(self, key):
        """A random number that is not zero, the same for the same key."""
        return self.known.setdefault(key, self.source.randrange(1, PRIME))

    def logistic(self, keys):
        """1 / (1 + e^−w) for the sum w of weights, each with its times."""
        odds = 1
        for key, times in keys:
            odds = odds * pow(self.drawn(key), times, PRIME) % PRIME
        return odds * pow(1 + odds, -1, PRIME) % PRIME

    def slope(self, one, keys):
        """The derivative of that by w."""
        del keys
        return one * (1 - one)

    def size(self, keys):
        """e^w for the sum w of weights, each with its times."""
        found = 1
        for key, times in keys:
            found = found * pow(self.drawn(key), times, PRIME) % PRIME
        return found

    def inverse(self, value):
        """1 / value."""
        return pow(value, -1, PRIME)

    def number(self, value):
        """A residue."""
        return value % PRIME


class Balls:
    """Balls of real numbers (python-flint's arb) around random weights and table entries, or around those that are given."""

    def __init__(self, seed, given=()):
        from flint import arb

        self.source = random.Random(seed)
        self.known = {key: arb(value.numerator) / value.denominator for key, value in dict(given).items()}

    def drawn(self, key):
        """A number between 0 and 1 for a table, between −1 and 1 for a weight."""
        from flint import arb

        low = 0 if key[0] == "entry" else -1
        return self.known.setdefault(key, arb(self.source.randrange(low * 1000 + 1, 1000)) / 1000)

    def logistic(self, keys):
        """1 / (1 + e^−w) for the sum w of weights, each with its times."""
        total = sum((self.drawn(key) * times for key, times in keys), start=self.number(0))
        return 1 / (1 + (-total).exp())

    def slope(self, one, keys):
        """The derivative of that by w."""
        del keys
        return one * (1 - one)

    def size(self, keys):
        """e^w for the sum w of weights, each with its times."""
        return sum((self.drawn(key) * times for key, times in keys), start=self.number(0)).exp()

    def inverse(self, value):
        """1 / value."""
        return 1 / value

    def number(self, value):
        """A ball."""
        from flint import arb

        return arb(value)


def owner(variable):
    """What the variable's parameters belong to."""
    return ("share", variable.local.share) if variable.local.share is not None else ("own", variable.name)


def keys_of(model):
    """The parameters: ("entry", owner, row, state) of tables, ("weight", owner, position) of sigmoids, 0 for a."""
    sizes = {variable.name: variable.states for variable in model.variables}
    found = {}
    for variable in model.variables:
        if variable.name in model.given:
            continue
        if variable.local.kind == "sigmoid":
            wide = [number for number, parent in enumerate(variable.parents, 1) if sizes[parent] > 1]
            found.update({("weight", owner(variable), number): None for number in (0, *wide)})
        elif variable.local.kind in LOGITS:
            found.update(dict.fromkeys(logit_keys(variable, sizes)))
        elif variable.local.kind == "table":
            assert not variable.local.fixed
            assert not variable.local.equal
            rows = product(*(range(sizes[parent]) for parent in variable.parents))
            found.update(
                {("entry", owner(variable), row, state): None for row in rows for state in range(variable.states - 1)}
            )
    return list(found)


LOGITS = ("multinomial", "adjacent", "rasch", "cumulative")


def logit_keys(variable, sizes):
    """The weights of a variable with log-odds: constants, then parent by parent; the levels of rasch belong to the parent."""
    own, kind = owner(variable), variable.local.kind
    yield from (("weight", own, "a", state) for state in range(1, variable.states))
    for number, parent in enumerate(variable.parents):
        if sizes[parent] > 1 and kind == "rasch":
            yield from (("weight", "level", parent, level) for level in range(1, sizes[parent]))
        elif sizes[parent] > 1 and kind == "multinomial":
            yield from (("weight", own, "b", number, state) for state in range(1, variable.states))
        elif sizes[parent] > 1:
            yield "weight", own, "b", number


def logit_sum(variable, row, state):
    """The weights in the logarithm of a state's numerator, each with its times; of cumulative ones in the log-odds of all from it on."""
    own, kind = owner(variable), variable.local.kind
    if not state:
        return []
    steps = range(1, state + 1) if kind in ("adjacent", "rasch") else [state]
    found = [(("weight", own, "a", step), 1) for step in steps]
    for number, (parent, x) in enumerate(zip(variable.parents, row, strict=True)):
        key = {
            "multinomial": ("weight", own, "b", number, state),
            "rasch": ("weight", "level", parent, x),
        }.get(kind, ("weight", own, "b", number))
        times = {"multinomial": x, "adjacent": x * state, "rasch": state * bool(x), "cumulative": x}[kind]
        found += [(key, times)] if times else []
    return found


def logit_entry(variable, row, state, numbers):
    """One entry of a variable with log-odds, and its derivatives by the weights."""
    last = variable.states - 1
    if variable.local.kind == "cumulative":

        def tail(at):
            if not 1 <= at <= last:
                return int(at < 1), {}
            keys = logit_sum(variable, row, at)
            one = numbers.logistic(keys)
            slope = numbers.slope(one, keys)
            return one, {key: slope * times for key, times in keys}

        (one, up), (other, down) = tail(state), tail(state + 1)
        slopes = {key: up.get(key, 0) - down.get(key, 0) for key in {**up, **down}}
        return numbers.number(one - other), slopes
    sums = [logit_sum(variable, row, other) for other in range(last + 1)]
    sizes = [numbers.size(keys) for keys in sums]
    whole = numbers.inverse(numbers.number(sum(sizes)))
    chances = [numbers.number(size * whole) for size in sizes]
    slopes = {}
    for other, keys in enumerate(sums):
        for key, times in keys:
            slopes[key] = slopes.get(key, 0) + chances[state] * ((other == state) - chances[other]) * times
    return chances[state], slopes


def standard(model):
    """The number of parameters."""
    return len(keys_of(model))


def entry_of(variable, row, state, numbers):
    """One entry of the variable's table, and its derivatives."""
    kind = variable.local.kind
    if kind == "sigmoid":
        weights = [(("weight", owner(variable), 0), 1)]
        weights += [(("weight", owner(variable), number), x) for number, x in enumerate(row, 1) if x]
        one = numbers.logistic(weights)
        slope = numbers.slope(one, weights) * (1 if state else -1)
        return (one if state else 1 - one), {key: slope * times for key, times in weights}
    if kind in LOGITS:
        return logit_entry(variable, row, state, numbers)
    if kind == "table":
        keys = [("entry", owner(variable), row, other) for other in range(variable.states - 1)]
        if state < len(keys):
            return numbers.drawn(keys[state]), {keys[state]: numbers.number(1)}
        return 1 - sum(map(numbers.drawn, keys), start=numbers.number(0)), dict.fromkeys(keys, numbers.number(-1))
    return numbers.number(int(outcome(variable.local, row) == state)), {}


def jacobian(model, numbers):
    """The derivatives of all observed cells by all parameters at a random point: a row per cell."""
    keys = {key: place for place, key in enumerate(keys_of(model))}
    rows = {cell: [numbers.number(0)] * len(keys) for cell in observed_cells(model)}
    names = [variable.name for variable in model.variables]
    for states in product(*(range(variable.states) for variable in model.variables)):
        at = dict(zip(names, states, strict=True))
        cell = tuple(at[variable.name] for variable in model.variables if variable.observed)
        entries = [
            entry_of(variable, tuple(at[parent] for parent in variable.parents), at[variable.name], numbers)
            for variable in model.variables
            if variable.name not in model.given
        ]
        for place, (_, slopes) in enumerate(entries):
            others = numbers.number(1)
            for other, (value, _) in enumerate(entries):
                if other != place:
                    others = numbers.number(others * value)
            for key, slope in slopes.items():
                rows[cell][keys[key]] = numbers.number(rows[cell][keys[key]] + others * slope)
    return list(rows.values())


def dimension(model, seed=0):
    """The rank at a random point modulo the prime."""
    return rank(jacobian(model, Residues(seed)))


def certified_rank(model, seed=0, digits=60, given=()):
    """A lower bound of the rank at a real point in the weights, by itself a random one: this many pivots are balls without zero.

    Elimination with complete pivoting on balls; a pivot is used only if it is proved not to be zero.
    """
    import flint

    before = flint.ctx.dps
    flint.ctx.dps = digits
    try:
        rows, found = jacobian(model, Balls(seed, given)), 0
        while True:
            places = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if not value.contains(0)]
            if not places:
                return found
            i, j = max(places, key=lambda place: float(abs(rows[place[0]][place[1]])))
            top = rows.pop(i)
            rows = [
                [
                    value - row[j] / top[j] * above
                    for k, (value, above) in enumerate(zip(row, top, strict=True))
                    if k != j
                ]
                for row in rows
            ]
            found += 1
    finally:
        flint.ctx.dps = before
