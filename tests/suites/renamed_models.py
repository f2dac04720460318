"""Any model under other names and in another order: what has no meaning is drawn anew, what is observed keeps its name and states."""

from __future__ import annotations

import random
from dataclasses import replace

from algdim.families.additive.model import Additive
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.expressions import NamedParameter, Power, Product, Quotient, Sum
from algdim.families.polynomial.model import Polynomial


def scrambled(model, seed):
    """The same model, written otherwise."""
    draw = random.Random(f"scrambled {seed}")
    if isinstance(model, Network):
        return network(model, draw, {})
    if isinstance(model, Classifier):
        return Classifier(network(model.network, draw, {}), model.label)
    if isinstance(model, Gaussian):
        return gaussian(model, draw)
    if isinstance(model, LogLinear):
        names = new_names(model.hidden, draw)
        interactions = [mixed([names.get(name, name) for name in one], draw) for one in model.interactions]
        variables = [replace(one, name=names.get(one.name, one.name)) for one in model.variables]
        return LogLinear(mixed(variables, draw), mixed(interactions, draw), model.hierarchical)
    if isinstance(model, LatentProfile):
        return replace(model, label="Klass", items=mixed(model.items, draw))
    if isinstance(model, Additive):
        hidden = [one for one in model.network.variables if not one.observed]
        names = new_names(hidden, draw)
        order = mixed(range(len(model.mechanisms)), draw)
        order = sorted(order, key=lambda number: model.owners[number])  # mechanisms of one effect are together
        parts = tuple(mixed([names.get(name, name) for name in model.mechanisms[number]], draw) for number in order)
        return replace(model, network=network(model.network, draw, names), mechanisms=parts)
    assert isinstance(model, Polynomial)
    names = dict(
        zip(model.parameters, mixed([f"q{number}" for number in range(len(model.parameters))], draw), strict=True)
    )
    coordinates = [replace(one, formula=formula(one.formula, names)) for one in model.coordinates]
    return Polynomial(mixed(names.values(), draw), mixed(coordinates, draw))


def mixed(items, draw):
    """The items in another order."""
    items = list(items)
    draw.shuffle(items)
    return tuple(items)


def new_names(hidden, draw):
    """New names of hidden variables, not in their old order."""
    return dict(
        zip(
            [one.name for one in hidden], mixed([f"hidden{number}" for number in range(len(hidden))], draw), strict=True
        )
    )


def network(model, draw, names):
    """Hidden variables renamed and their states permuted, shares and labels renamed, variables and parents in another order."""
    names = names or new_names([one for one in model.variables if not one.observed], draw)
    orders = {}
    for variable in model.variables:
        around = [variable, *(one for one in model.variables if variable.name in one.parents)]
        free = all(isinstance(one.local, Table) and one.local.share is None for one in around)
        orders[variable.name] = mixed(range(variable.states), draw) if not variable.observed and free else None
    axes = {}  # one order of the parents for all that share a table
    labels, shares = {}, {}
    found = []
    for one in model.variables:
        key = one.local.share or one.name
        order = axes.setdefault(key, mixed(range(len(one.parents)), draw))
        local = one.local
        if isinstance(local, Table):
            place = placed(one, order, orders)
            share = None if local.share is None else shares.setdefault(local.share, f"share{len(shares)}_")
            equal = tuple(
                (place(cell), labels.setdefault(label, f"label{len(labels)}_")) for cell, label in local.equal
            )
            local = Table(share, tuple((place(cell), value) for cell, value in local.fixed), equal)
        elif isinstance(local, Embedded):
            inner = local.classifier.network
            local = Embedded(Classifier(renamed_inside(network(inner, draw, {}), names), names.get(one.name, one.name)))
        elif local.share is not None:
            local = replace(local, share=shares.setdefault(local.share, f"share{len(shares)}_"))
        parents = tuple(names.get(one.parents[axis], one.parents[axis]) for axis in order)
        found.append(replace(one, name=names.get(one.name, one.name), parents=parents, local=local))
    return Network(mixed(found, draw), mixed(model.given, draw))


def placed(variable, order, orders):
    """Where a cell of a table goes."""

    def moved(name, state):
        return state if orders[name] is None else orders[name][state]

    def place(cell):
        row, state = cell
        return tuple(moved(variable.parents[axis], row[axis]) for axis in order), moved(variable.name, state)

    return place


def renamed_inside(model, names):
    """The network of a classifier whose parents have other names."""
    variables = [
        replace(one, name=names.get(one.name, one.name), parents=tuple(names.get(name, name) for name in one.parents))
        for one in model.variables
    ]
    return Network(tuple(variables))


def gaussian(model, draw):
    """The same for a Gaussian model; the two ends of a covariance may change places."""
    names = new_names(model.hidden, draw)
    if model.groups:  # a name ends in its group
        names = {old: f"{new}.{old.rpartition('.')[2]}" for old, new in names.items()}

    def called(name):
        return names.get(name, name)

    turned = {pair: pair[::-1] if draw.random() < 0.5 else pair for pair in model.bidirected}

    def entry(one):
        kind, *ends = one
        ends = turned.get(tuple(ends), tuple(ends)) if kind == "c" else ends
        return (kind, *map(called, ends))

    labels = {}
    return Gaussian(
        mixed([replace(one, name=called(one.name)) for one in model.variables], draw),
        mixed([tuple(map(called, edge)) for edge in model.edges], draw),
        mixed([tuple(map(called, turned[pair])) for pair in model.bidirected], draw),
        model.means,
        mixed([(entry(one), value) for one, value in model.fixed], draw),
        mixed([(entry(one), labels.setdefault(label, f"label{len(labels)}_")) for one, label in model.equal], draw),
        mixed(
            [
                (entry(one), mixed([(entry(other) if other else other, value) for other, value in terms], draw))
                for one, terms in model.linear
            ],
            draw,
        ),
        model.by,
        mixed(model.groups, draw),
    )


def formula(one, names):
    """A formula in other parameters."""
    match one:
        case NamedParameter(name):
            return NamedParameter(names[name])
        case Sum(terms):
            return Sum(tuple(formula(term, names) for term in terms))
        case Product(factors):
            return Product(tuple(formula(factor, names) for factor in factors))
        case Power(base, exponent):
            return Power(formula(base, names), exponent)
        case Quotient(above, below):
            return Quotient(formula(above, names), formula(below, names))
    return one
