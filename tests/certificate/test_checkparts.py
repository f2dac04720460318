"""Parts of the checker, each beside a computation of its own: numbers with derivatives, quotients, products over mechanisms."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest
from brute_gaussian import Dual, coordinates_at, parameters, total
from brute_gaussian import product as multiplied
from suites.random_gaussians import gaussian_model

import algdim
from algdim.analysis import Prepared
from algdim.certificate import checker
from algdim.families import find_certifying
from algdim.families.gaussian.model import Gaussian

PRIME = 1000003


def residue(value):
    """A rational number modulo the prime."""
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def field():
    """The field, with nothing spent."""
    return checker.Field(PRIME, checker.Work())


@pytest.mark.parametrize("seed", range(20))
def test_numbers_with_derivatives(seed):
    """Sums, products, powers, reciprocals and rows, repeatedly, agree with dual numbers over the rationals."""
    draw = random.Random(seed)
    point = {name: draw.randint(2, 9) for name in "xyz"}
    jets = checker.Jets(field(), point)
    known = [(jet, Dual(point[name], {name: Fraction(1)})) for jet, name in zip(jets.theta, "xyz", strict=True)]
    for _ in range(8):
        some = draw.choices(known, k=draw.randint(1, 3))
        ones, others = zip(*some, strict=True)
        exponent = draw.randint(0, 3)
        last = total([Dual(1), *(Dual(-1) * other for other in others)])
        known += [
            (jets.total(ones), total(others)),
            (jets.product(ones), multiplied(others)),
            (jets.power(ones[0], exponent), multiplied([others[0]] * exponent)),
            (jets.row([*ones])[-1], last),
        ]
        known += [(jets.inverse(ones[0]), others[0].inverse())] if others[0].value.numerator % PRIME else []
        known = [(jet, dual) for jet, dual in known if dual.value.numerator.bit_length() < 200]
    for jet, dual in known:
        expected = [dual.value, *(dual.slopes.get(name, Fraction(0)) for name in "xyz")]

        assert list(map(residue, expected)) == [jet.get(k, 0) % PRIME for k in range(4)]


@pytest.mark.parametrize("seed", range(10))
def test_quotients_with_derivatives(seed):
    """A product of powers of sums, with a number in each, divided by a sum of such products."""
    draw = random.Random(seed)
    point = {name: draw.randint(2, 9) for name in "xyz"}

    def drawn():
        sums = [{key: Fraction(draw.randint(1, 9), draw.randint(1, 3)) for key in ("1", *draw.sample("xyz", 2))}]
        sums.append({draw.choice("xyz"): Fraction(draw.randint(1, 9))})
        return [(one, draw.randint(0, 3)) for one in sums]

    def dual_of(one):
        at = {"1": Dual(1), **{name: Dual(value, {name: Fraction(1)}) for name, value in point.items()}}
        factors = [(total(Dual(value) * at[key] for key, value in terms.items()), times) for terms, times in one]
        return multiplied([factor for factor, times in factors for _ in range(times)])

    above, below = drawn(), [drawn() for _ in range(3)]
    expected = dual_of(above) * total(map(dual_of, below)).inverse()
    value, slopes = checker.Quotient("xyz", above, below, readable=False).at(field(), point)

    assert residue(expected.value) == value % PRIME
    assert {name: residue(slope) for name, slope in expected.slopes.items()} == {
        name: slope % PRIME for name, slope in slopes if slope % PRIME
    }


def function(parents, states, of):
    """A hidden variable that is a function of two others, in the checker's form."""
    rows = product(range(states), repeat=len(parents))
    return checker.Variable(states, False, parents, {(*row, of(row)): {"1": Fraction(1)} for row in rows})


@pytest.mark.parametrize(
    ("states", "of", "level"),
    [
        (2, max, (3, 0)),
        (2, min, (0, -2)),
        (2, lambda row: sum(row) % 2, (5, -5)),
        (3, max, (7, 7, 0)),
        (3, max, (2, 0, 0)),
        (3, lambda row: prod(row) % 3, (0, 1, -1)),
    ],
)
@pytest.mark.parametrize("shape", [{"E": "AB"}, {"E": "FC", "F": "AB"}, {"E": "FG", "F": "AB", "G": "CD"}])
def test_levels_are_products_over_the_mechanisms(states, of, level, shape):
    """For all states of the mechanisms the product of their numbers is that of the effect, also through functions of functions."""
    effect = object.__new__(checker.Effect)
    mechanisms = sorted({one for parents in shape.values() for one in parents} - {*shape})
    effect.work, effect.name, effect.functions = checker.Work(), "E", [name for name in shape if name != "E"]
    effect.variables = {name: function([*parents], states, of) for name, parents in shape.items()}
    effect.variables |= {name: checker.Variable(states, False, [], {}) for name in mechanisms}
    vectors = effect.factors([Fraction(x) for x in level])
    for row in product(range(states), repeat=len(mechanisms)):
        at = dict(zip(mechanisms, row, strict=True))
        for name in reversed(shape):
            at[name] = of(tuple(at[parent] for parent in shape[name]))

        assert level[at["E"]] == prod(vectors[name][at[name]] for name in mechanisms)


def in_the_checker(model):
    """A Gaussian model as the checker reads it."""
    return checker.gaussian(json.loads(json.dumps(find_certifying("gaussian").encode(Prepared(model)))), checker.Work())


@pytest.mark.parametrize("seed", range(20))
def test_what_is_relevant(seed):
    """Observed variables and their ancestors, and all entries between these and no others."""
    model = gaussian_model(seed)
    read = in_the_checker(model)
    kept = {variable.name for variable in model.variables if variable.observed}
    for _ in model.variables:
        kept |= {parent for parent, child in model.edges if child in kept}
    relevant = read.relevant()

    assert kept == set(relevant.variables)
    assert relevant.entries == {
        place: x for place, x in read.entries.items() if all(name in kept or name == "1" for name in place[1:])
    }


@pytest.mark.parametrize("seed", range(30))
def test_what_is_constant(seed):
    """Covariances and means without derivatives, where no fixed entry is 0."""
    model, draw = gaussian_model(seed, most=5, cycles=False), random.Random(seed)
    fixed = tuple((entry, Fraction(draw.randint(900, 999) if entry[0] == "v" else 7)) for entry, _ in model.fixed)
    model = Gaussian(model.variables, model.edges, model.bidirected, model.means, fixed, model.equal)
    point = {name: Fraction(draw.randint(1, 10**6), draw.randint(1, 10**6)) for name in parameters(model)}
    read = in_the_checker(model)
    for number, moment in enumerate(coordinates_at(model, point)):
        assert read.constant([number], checker.Work()) == (not any(moment.slopes.values()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A -> B; given A", 2),
        ("A -> B", None),
        ("H -> A; hidden H", None),
    ],
)
def test_parameters_are_entries_of_one_observed_table_alone(text, expected):
    """With a second table, or a hidden variable, the parameters are not coordinates."""
    network = algdim.model(text)
    model = checker.discrete(
        json.loads(json.dumps(find_certifying("discrete").encode(Prepared(network)))), checker.Work()
    )
    if expected is None:
        with pytest.raises(checker.Invalid, match="not a single observed table"):
            checker.visible_entries(checker.Check(), "lower", model, None)
    else:
        assert expected == checker.visible_entries(checker.Check(), "lower", model, None)


def textbook(word, rows, states, point):
    """The odds of each state in each row, as Agresti writes them, from constants a, slopes b and levels t."""
    found = {}
    for row in product(*map(range, rows)):
        if word == "rasch":
            effect = prod(point["t", k, x] for k, x in enumerate(row) if x)
        else:
            effect = prod(point["b", k] ** x for k, x in enumerate(row) if word != "multinomial")
        if word == "cumulative":
            tails = [Fraction(1), *(point["a", s] * effect for s in range(1, states)), Fraction(0)]
            tails = [tails[0], *(z / (1 + z) for z in tails[1:])]
            found[row] = [one - other for one, other in pairwise(tails)]
            continue
        sizes = [Fraction(1)]
        for s in range(1, states):
            if word == "multinomial":
                sizes.append(point["a", s] * prod(point["b", k, s] ** x for k, x in enumerate(row)))
            else:  # each state against the one before
                sizes.append(sizes[-1] * point["a", s] * effect)
        found[row] = [size / sum(sizes) for size in sizes]
    return found


@pytest.mark.parametrize("word", ["multinomial", "adjacent", "cumulative", "rasch"])
@pytest.mark.parametrize(("rows", "states"), [((3,), 2), ((3,), 3), ((2, 3), 3), ((2, 2), 4), ((1, 3, 2), 5)])
def test_tables_of_log_odds(word, rows, states):
    """The entries are those of the textbook, with one number for every parameter, whatever its parents and their order."""
    draw = random.Random(f"{word} {rows} {states}")
    above = [f"P{k}" for k in range(len(rows))]
    table = checker.logit_table(word, "X", above, [*rows, states], checker.Work())
    names = list(dict.fromkeys(p for entry in table.values() for p in entry))
    own = [("a", s) for s in range(1, states)]
    for k, size in enumerate(rows):
        more = {"multinomial": range(1, states), "rasch": range(1, size)}.get(word)
        own += (
            ([("b", k)] if more is None else [("t" if word == "rasch" else "b", k, x) for x in more])
            if size > 1
            else []
        )
    point = {key: Fraction(draw.randint(1, 99), draw.randint(1, 9)) for key in own}
    values = {name: residue(value) for name, value in zip(names, point.values(), strict=True)}
    missing = {("b", k): Fraction(1) for k in range(len(rows))} | {
        ("b", k, s): Fraction(1) for k in range(len(rows)) for s in range(states)
    }
    expected = textbook(word, rows, states, missing | point)

    assert table.keys() == {(*row, s) for row in expected for s in range(states)}
    for (*row, s), entry in table.items():
        value, slopes = entry.at(field(), values)
        assert residue(expected[tuple(row)][s]) == value % PRIME
        assert {name for name, _ in slopes} <= set(names)


def test_levels_are_those_of_a_parent():
    """Rasch children of one parent have its levels in common; their constants, and all else, are their own, whatever names they have."""
    tables = {
        (owner, word): checker.logit_table(word, owner, ["A", "T"], [3, 3, 3], checker.Work())
        for owner in ("X", "T", "A", "B")
        for word in checker.LOGITS[1:]
    }
    names = {key: {p for entry in table.values() for p in entry} for key, table in tables.items()}
    for owner in ("X", "T", "A", "B"):
        free = checker.free_table(owner, [3, 3, 3])
        names[owner, "free"] = {p for entry in free.values() for p in entry} - {"1"}
    for one, other in product(names, repeat=2):
        if one[0] != other[0]:
            assert (4 if one[1] == other[1] == "rasch" else 0) == len(names[one] & names[other])
