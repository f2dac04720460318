"""Networks whose sigmoid and cumulative variables have probits in the place of logits (lemma "probits"), by explicit loops.

`Hull` has random residues in the place of the values Φ(u), one for each sum u of weights, and of the e^(−vw/2), v and w two weights, of
which the derivatives φ(u) are products. `Normals` are balls of real numbers around the true values at random weights.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import brute_sigmoid
from brute import PRIME, rank

from algdim.families.discrete.locals.logit import Cumulative


def as_cumulative(model):
    """The same network with cumulative variables, as the second computation knows them."""
    found = (
        replace(one, local=Cumulative(one.local.share)) if one.local.kind == "probit" else one
        for one in model.variables
    )
    return replace(model, variables=tuple(found))


class Hull(brute_sigmoid.Residues):
    """Values that nothing binds to each other, and slopes that only their squares do."""

    def logistic(self, keys):
        """The value at a sum of weights, the same for the same sum."""
        return self.drawn(("value", frozenset(pair for pair in keys if pair[1])))

    def slope(self, one, keys):
        """The product of e^(−vw/2) for the terms vw of u²."""
        del one
        found = 1
        used = sorted((pair for pair in keys if pair[1]), key=repr)
        for (v, m), (w, n) in combinations_with_replacement(used, 2):
            found = found * pow(self.drawn(("square", v, w)), (1 + (v != w)) * m * n, PRIME) % PRIME
        return found


class Normals(brute_sigmoid.Balls):
    """The distribution function and the density of the normal distribution."""

    def argument(self, keys):
        """The sum of weights."""
        return sum((self.drawn(key) * times for key, times in keys), start=self.number(0))

    def logistic(self, keys):
        """Φ(u)."""
        return (-self.argument(keys) / self.number(2).sqrt()).erfc() / 2

    def slope(self, one, keys):
        """φ(u)."""
        from flint import arb

        del one
        return (-(self.argument(keys) ** 2) / 2).exp() / (2 * arb.pi()).sqrt()


def dimension(model, seed=0):
    """The rank of the hull at a random point modulo the prime."""
    return rank(brute_sigmoid.jacobian(model, Hull(seed)))
