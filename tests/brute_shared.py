"""Several sums of Poisson or normal mechanisms with hidden causes anywhere, by the definition: no code of the engine is used.

Observed are the causes that are not hidden, C, and the effects. The moments E[1(C = c) ∏ E_i^{a_i}] up to an order are summed over all
joint states of the hidden causes, with their derivatives, at a random point modulo one prime. All effects are taken together, so that
nothing is supposed of how they depend on each other.
"""

from __future__ import annotations

import random
from itertools import product
from math import prod

from brute import PRIME, rank, residue
from brute_additive import ONE, ZERO, moments_of, plus, times


def exponents(effects, order):
    """All powers of effects of this order at most."""
    return [one for one in product(range(order + 1), repeat=effects) if sum(one) <= order]


def dimension(model, order, seed=0, value_of=None):
    """The rank of the moments up to an order at a random point, or at that at which ``value_of`` gives the number of a name."""
    source, known = random.Random(seed), {}
    by_name = {variable.name: variable for variable in model.network.variables}

    def number(*key):
        if key not in known:
            value = source.randrange(PRIME) if value_of is None else residue(value_of(*key))
            known[key] = value, {len(known): 1}
        return known[key]

    def chance(variable, at):
        row = tuple(at[parent] for parent in variable.parents)
        if at[variable.name] < variable.states - 1:
            return number("chance", variable.name, row, at[variable.name])
        rest = ONE
        for state in range(variable.states - 1):
            value, slopes = number("chance", variable.name, row, state)
            rest = plus(rest, (-value % PRIME, {name: -slope % PRIME for name, slope in slopes.items()}))
        return rest

    def cumulants(effect, at):
        """Those of an effect add up over its mechanisms."""
        letters = ("mean",) if model.family == "poisson" else ("mean", "variance")
        sums = dict.fromkeys(letters, ZERO)
        for place, (parents, owner) in enumerate(zip(model.mechanisms, model.owners, strict=True)):
            if owner == effect:
                row = tuple(at[parent] for parent in parents)
                for letter in letters:
                    sums[letter] = plus(sums[letter], number(letter, place, row))
        if model.family == "poisson":
            return [sums["mean"]] * order
        return [sums["mean"], sums["variance"], *[ZERO] * order][:order]

    wanted = exponents(len(model.effects), order)
    found = {}
    for states in product(*(range(variable.states) for variable in by_name.values())):
        at = dict(zip(by_name, states, strict=True))
        weight = ONE
        for variable in by_name.values():
            weight = times(weight, chance(variable, at))
        moments = [moments_of(cumulants(effect, at)) for effect in range(len(model.effects))]
        cell = tuple(at[variable.name] for variable in by_name.values() if variable.observed)
        for powers in wanted:
            one = weight
            for moment, power in zip(moments, powers, strict=True):
                one = times(one, moment[power])
            found[cell, powers] = plus(found.get((cell, powers), ZERO), one)
    rows = [slopes for _, slopes in found.values()]
    return rank([[slopes.get(place, 0) for place in range(len(known))] for slopes in rows])


def enough(model):
    """An order that shows all components: 2K − 1 shows K numbers with weights on a line, and as much again normal ones."""
    components = prod(variable.states for variable in model.network.variables if not variable.observed)
    return 2 * components if model.family == "poisson" else 3 * components
