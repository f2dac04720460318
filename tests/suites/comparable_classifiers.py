"""Random pairs of conditional models of A given B and C: classifiers, tables, sigmoid variables; and exact members of each."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import brute
from suites.comparable_models import PRIME, cells_of, member

from algdim import AlgdimError
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable


def model_of(seed, states):
    """A random model of A given B and C with these states."""
    draw = random.Random(f"conditional {seed}")
    sizes = dict(zip("ABC", states, strict=True))
    while True:
        try:
            return classifier(draw, sizes) if draw.random() < 0.6 else conditional(draw, sizes)
        except AlgdimError:  # an entry that would be 0
            continue


def classifier(draw, sizes):
    """A network of any shape, some entries equal."""
    order = list(sizes)
    draw.shuffle(order)
    variables = []
    for place, name in enumerate(order):
        parents = tuple(one for one in order[:place] if draw.random() < 0.6)
        rows = product(*(range(sizes[one]) for one in parents))
        equal = tuple(((row, 0), draw.choice("xy")) for row in rows if draw.random() < 0.5)
        local = Table() if draw.random() < 0.7 else Table(equal=equal)
        variables.append(Variable(name, sizes[name], True, parents, local))
    return Classifier(Network(tuple(variables)), "A")


def conditional(draw, sizes):
    """A table or a sigmoid variable given B and C."""
    parents = tuple(one for one in "BC" if draw.random() < 0.7)
    local = Sigmoid() if sizes["A"] == 2 and draw.random() < 0.5 else Table()
    own = Variable("A", sizes["A"], True, parents, local)
    return Network((own, Variable("B", sizes["B"]), Variable("C", sizes["C"])), ("B", "C"))


def conditional_member(model, seed):
    """1 and the cells P(a | b, c) of a random member."""
    network = model.network if isinstance(model, Classifier) else replace(model, given=())
    joint, cells = member(network, seed), cells_of(network)
    totals = Counter()
    for cell, value in zip(cells, joint, strict=True):
        totals[cell[1:]] += value
    return [1, *(value * pow(totals[cell[1:]], -1, PRIME) % PRIME for cell, value in zip(cells, joint, strict=True))]


def violates(first, second, seed=0):
    """Whether a member of the first model violates a linear or quadratic equation that random members of the second obey."""
    values = conditional_member(first, f"violates {seed}")
    return brute.violates_quadrics(values, lambda number: conditional_member(second, f"{seed} {number}"))
