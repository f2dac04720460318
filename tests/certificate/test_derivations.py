"""What certificates are about is derived twice, by algdim and by the checker; here the two are compared."""

from __future__ import annotations

import ast
import contextlib
import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from math import prod
from pathlib import Path

import brute
import numpy as np
import pytest
from amount import IS_ALL, SEED, drawn, in_turn
from certificates import FOLDER, MODELS, forced
from suites.mixed_networks import mixed_network
from suites.random_gaussians import gaussian_model
from suites.random_networks import Kind
from suites.random_networks import draw as draw_network

import algdim
from algdim.analysis import Prepared
from algdim.certificate import checker
from algdim.certificate.exporting import NotProvedError
from algdim.exact.arithmetic import SingularError
from algdim.exact.flint import find_relations
from algdim.families import find_certifying
from algdim.families.discrete.bounds.differences import list_roots
from algdim.families.discrete.bounds.fewerstates import list_repeated, list_smaller_models
from algdim.families.discrete.bounds.parts import list_districts, observe
from algdim.families.discrete.certificate import is_known, list_cells, order_given_variables
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.districts import split
from algdim.families.discrete.locals.sigmoid import replace_by_free_tables
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, build_latent_class
from algdim.families.discrete.outlines import Derived, Outline, draw_class_outline, draw_network_outline, list_shapes
from algdim.families.discrete.trees import cut_latent_tree, find_latent_tree
from algdim.families.gaussian.certificate import list_covariance_coordinates
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.polynomial.bounds import find_monomial_sums
from algdim.families.polynomial.certificate import (
    encode_polynomial,
    iterate_flattening_items,
    list_sum_coordinates,
    write_kernel_fields,
)
from algdim.families.polynomial.map import build_polynomial_map
from algdim.models.anymodel import convert_model_to_dictionary, remove_irrelevant

PRIME, POINT = 8388593, "algdim 1|0|point|3"

CERTIFICATE = Path(algdim.__file__).parent / "certificate"

RULES = [
    "A, B, C, D -> Y; max Y; Y -> Z; H -> Z, A; hidden H",
    "A, B, C -> Y; max Y; Y.2 -> Z",
    "H1, H2, H3 -> E; A -> H1; B -> H2; hidden H1, H2, H3; max E",
    "A, B, C -> H; parity H; H -> X, Y; hidden H",
    "X, A, B, C -> Y; U -> X; hidden U; sum Y; given A, B",
    "A -> B -> C -> D; U -> B, D; hidden U; max C",
]


def both(network):
    """A network derived twice."""
    claim = encode_network(network, get_param_map(network))
    return Derived(draw_network_outline(claim, network).relevant(), checker.discrete(claim, checker.Work()).relevant())


def parts_of(network):
    """The maps of the parts, and each part derived twice; ``None`` where districts have entries that vanish together."""
    smaller, _ = replace_by_free_tables(remove_irrelevant(network)[0])
    found = split(smaller, get_param_map(smaller, ties=network), network)
    if len(found) < 2:
        return []
    insides = [[v.name for v in p.pmap.model.variables if v.name not in p.pmap.model.given] for p in found]
    return list(zip((part.pmap for part in found), both(network).parts(insides), strict=True))


@pytest.mark.parametrize("block", range(4))
def test_parts_of_random_networks(block):
    """Districts and their kernels, with the links of rules; the values of all their cells, their sums, what is possible."""
    found = Counter()
    for seed in range(50 * block, 50 * block + 50):
        network = mixed_network(f"derived {seed}")
        known = parts_of(network)
        found["split"] += bool(known)
        for pmap, model in known or [(get_param_map(network), both(network))] * (
            network == remove_irrelevant(network)[0]
        ):
            check_coordinates(pmap, model.claimed)

    assert found["split"] >= 20


@pytest.mark.parametrize("text", RULES)
def test_parts_of_networks_with_rules(text):
    """Links belong to the part of their rule."""
    network = order_given_variables(algdim.model(text))
    known = parts_of(network)

    for pmap, model in known:
        check_coordinates(pmap, model.claimed)
    assert bool(both(network).outline.links) == (text != RULES[-1])


def check_coordinates(pmap, claimed):
    """Assert that the cells have the same values at a point, and the same sums are 1."""
    whole = getattr(claimed, "whole", claimed)
    field = checker.Field(PRIME, checker.Work())
    at = whole.at(field, checker.drawn(field, whole, POINT))
    coordinates = list_cells(pmap)

    assert coordinates.count == whole.coordinates
    assert [at.value(whole.coordinate(k)) % PRIME for k in range(coordinates.count)] == coordinates.values(
        PRIME, POINT
    ).tolist()
    assert [sorted(form) for form in whole.sums()] == [sorted(numbers) for numbers in coordinates.sums]


def test_local_maps():
    """Of all sets of hidden variables, with the links of their rules."""
    for text in [*RULES, "A -> H1 -> H2 -> X, Y; H1 -> Z; hidden H1, H2", "A, H -> X, Y; hidden H; given A"]:
        model = both(order_given_variables(algdim.model(text)))
        for name in model.outline.hidden:
            local = model.local_map([name])

            assert name in local.outline.hidden
            assert not local.outline.children([name]).intersection(local.outline.hidden)
        assert model.local_map(model.outline.hidden)


def test_what_differs_is_refused():
    """Another number of states, another order, another parent, one more observed: nothing is written."""
    model = both(algdim.model("A -> H -> X, Y; hidden H"))
    ours, theirs = model.outline, model.claimed
    turned = dict(reversed(ours.states.items()))
    others = [
        replace(ours, states={**ours.states, "H": 3}),
        replace(ours, states=turned),
        replace(ours, parents={**ours.parents, "Y": ("A",)}),
        replace(ours, observed=tuple(ours.states)),
        replace(ours, given=("A",)),
    ]

    assert Derived(ours, theirs).outline == ours
    for other in others:
        with pytest.raises(RuntimeError, match="the checker derives another model"):
            Derived(other, theirs)
    with pytest.raises(RuntimeError, match="another model"):
        both(algdim.model("A -> C <- H -> D <- B; hidden H")).parts([["A"], ["B"], ["H", "C", "D"]][::-1])


def test_a_wrong_derivation_writes_nothing(monkeypatch):
    """If the checker took another district for the same, prove would stop."""
    monkeypatch.setattr(Outline, "kernel", lambda self, names: self.select_variables(set(names), ()))
    with pytest.raises(RuntimeError, match="the checker derives another model"):
        algdim.prove("A -> C <- H -> D <- B; hidden H")


def random_tree(seed):
    """A latent tree with up to four levels."""
    draw = random.Random(seed)

    def text(depth):
        inner = (depth < 3 and draw.random() < 0.5 for _ in range(draw.randrange(1, 4)))
        items = [text(depth + 1) if one else str(draw.choice([2, 2, 3, 4])) for one in inner]
        return f"{draw.choice([2, 3, 4, 5, 6, 9])}({','.join(items)})"

    return algdim.model(text(0))


def test_shapes_of_trees():
    """Those of random trees, in the order of the checker, and without order those of the dimension."""
    several = 0
    for seed in range(400):
        network = random_tree(seed)
        tree, parts = find_latent_tree(network), cut_latent_tree(network)
        theirs = checker.reduced_tree(both(network).claimed, checker.Work()).shapes
        ours = list_shapes(tree)
        smaller = parts.reduction.tree
        states = {**smaller.hidden, **smaller.observed}
        known = [(k, *sorted(states[v] for v in smaller.neighbours[name])) for name, k in smaller.hidden.items()]
        several += len(ours) > 2

        assert list(dict.fromkeys(theirs)) == ours
        assert Counter(theirs) == Counter(known)
    assert several > 50


def test_latent_class_models_of_shapes():
    """Names, parameters, and which dimensions a theorem knows."""
    for shape in [
        (2, 2, 2),
        (3, 2, 2, 2, 2),
        (3, 2, 2, 3),
        (5, 3, 4),
        (1, 2, 2),
        (4, 2),
        (2, 2, 2, 2, 2, 2),
        (7, 2, 2),
    ]:
        theirs = checker.class_model(*shape)
        network = build_latent_class(shape[0], shape[1:])
        try:
            value = checker.secants(checker.Check(), "lower", theirs, {})
        except checker.Refused:
            value = None

        assert Derived(draw_class_outline(shape), theirs)
        assert [v for v in range(60) if is_known(network, v)] == ([] if value is None else [value])


def effort():
    """That of prove."""
    from algdim.bound.strategy import Effort, choose_bounds

    return Effort("auto", choose_bounds("auto"), 0, 10**9)


def as_terms(rows):
    """A matrix of forms of the checker, as coefficients by row, column and coordinate."""
    return {
        (i, j, number): weight % PRIME
        for i, line in enumerate(rows)
        for j, form in enumerate(line)
        for number, weight in form.items()
        if weight % PRIME
    }


def added_up(matrix):
    """The same of algdim."""
    found = Counter()
    for term in zip(*(x.tolist() for x in (matrix.rows, matrix.columns, matrix.numbers, matrix.weights)), strict=True):
        found[term[:3]] = (found[term[:3]] + term[3]) % PRIME
    return {key: weight for key, weight in found.items() if weight}


@pytest.mark.drawn
@pytest.mark.parametrize(
    "text",
    [
        "H -> X1, X2, X3, X4; hidden H; states H=2, X1=3, X3=4",
        "A -> H; A, H -> X1, X2, X3; hidden H; states X1=3, A=3, X2=4",
        "A, B -> X1; B, H -> X2, X3; H -> X4; hidden H; states X2=3; given A, B",
    ],
)
def test_matrices_of_tables(text):
    """Flattenings and Koszul flattenings of random blocks, with conditions, orders and projections: size and all terms."""
    draw, network, found = random.Random(text), algdim.model(text), Counter()
    model, pmap = both(network).claimed, get_param_map(network)
    field, coordinates = checker.Field(PRIME, checker.Work()), list_cells(pmap)
    for _ in range(3000 if IS_ALL else 1000):
        count = draw.choice([2, 3])
        sides = [draw.randrange(count + 2) for _ in model.observed]
        blocks = [[v for v, side in zip(model.observed, sides, strict=True) if side == k] for k in range(count)]
        given = [v for v, side in zip(model.observed, sides, strict=True) if side == count]
        item = {"blocks": blocks, "C": given, "S": model.hidden, "pairs": []}
        item["state"] = [draw.randrange(model.sizes[v]) for v in given]
        width = model.states(blocks[0])
        if count == 3 and draw.random() < 0.5 and width > 2:
            width = draw.randrange(3, width + 1)
            item["projection"] = [[draw.randint(-9, 9) for _ in range(model.states(blocks[0]))] for _ in range(width)]
        item |= {"order": draw.randint(1, 2)} if count == 3 else {}
        with contextlib.suppress(checker.Refused):
            _, theirs = model.matrix(item, field)
            ours = coordinates.matrix(item, PRIME)
            found[count, "projection" in item] += 1

            assert (len(theirs), len(theirs[0])) == ours.size
            assert as_terms(theirs) == added_up(ours)
    assert found[2, False] > 5
    assert min(found[3, False], found[3, True]) > 0 or "given" in text


@pytest.mark.parametrize("seed", range(60))
def test_coordinates_of_gaussian_models(seed):
    """The numbers of parameters and coordinates, values at a point, matrices of random rows and columns."""
    model, draw = gaussian_model(seed), random.Random(seed)
    theirs = checker.gaussian(convert_model_to_dictionary(model), checker.Work()).relevant()
    gmap = get_gaussian_map(remove_irrelevant(model)[0])
    ours, field = list_covariance_coordinates(gmap), checker.Field(PRIME, checker.Work())
    names = theirs.observed + theirs.one
    for _ in range(8):
        rows, columns = ([v for v in names if draw.random() < 0.6] or names[:1] for _ in range(2))
        item = {"rows": rows, "columns": columns, "left": [], "right": [*theirs.variables, *theirs.one], "pairs": []}
        _, known = theirs.matrix(item, field)

        assert as_terms(known) == added_up(ours.matrix(item, PRIME))
    assert (tuple(theirs.parameters), theirs.coordinates) == (gmap.parameters, ours.count)
    try:
        at = theirs.at(field, checker.drawn(field, theirs, POINT))
    except checker.Refused:
        with pytest.raises(SingularError):
            ours.values(PRIME, POINT)
    else:
        assert [at.value(theirs.coordinate(k)) for k in range(ours.count)] == ours.values(PRIME, POINT).tolist()


def test_coordinates_of_sums_of_monomials():
    """Values at a point, and matrices divided by the coefficients of the first block."""
    text = (
        "polynomial: parameters a, b, c, d; coordinates 2*a^4 + c^4, 3*a^3*b + 5*c^3*d, a^2*b^2/7 + 4*c^2*d^2, "
        "a*b^3 - c*d^3, b^4 + 9*d^4"
    )
    model = algdim.model(text)
    pmap = build_polynomial_map(model)
    theirs = checker.polynomial(encode_polynomial(model), checker.Work())
    sums, field = find_monomial_sums(pmap), checker.Field(PRIME, checker.Work())
    ours, at = list_sum_coordinates(pmap, sums), theirs.at(field, checker.drawn(field, theirs, POINT))
    (item,) = iterate_flattening_items(sums, pmap.parameters)
    numbers, places = range(5), range(3)
    scales = [pow(2, -1, PRIME), pow(3, -1, PRIME), 7, 1, 1]

    assert [at.value(theirs.coordinate(k)) % PRIME for k in numbers] == ours.values(PRIME, POINT).tolist()
    assert item["rows"] == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert {(i, j, i + j): scales[i + j] for i in places for j in places} == added_up(ours.matrix(item, PRIME))


def test_scales_are_those_of_the_checker():
    """Of the accepted certificate about sums of monomials."""
    data = json.loads((FOLDER / "accepted/polynomial-sums.json").read_bytes())
    theirs = checker.polynomial(data["claim"]["model"], checker.Work())
    field = checker.Field(PRIME, checker.Work())
    model = algdim.model(as_formulas(data["claim"]["model"]))
    pmap = build_polynomial_map(model)
    sums = find_monomial_sums(pmap)
    ours = list_sum_coordinates(pmap, sums)
    for item in iterate_flattening_items(sums, pmap.parameters):
        _, known = theirs.matrix({**item, "pairs": []}, field)

        assert as_terms(known) == added_up(ours.matrix(item, PRIME))


def as_formulas(claim):
    """The model of a claim about formulas, with these as texts."""

    def text(formula):
        if isinstance(formula, str):
            return f"({formula})"
        ((word, inner),) = formula.items()
        if word == "power":
            return f"({text(inner[0])}^{inner[1]})"
        return "(" + {"sum": " + ", "product": "*", "quotient": "/"}[word].join(map(text, inner)) + ")"

    coordinates = [text(one["formula"]) for one in claim["coordinates"]]
    return {"family": "polynomial", "parameters": claim["parameters"], "coordinates": coordinates}


def test_vectors_of_kernels():
    """Of random matrices of small rank, modulo small and large primes, with rows and columns that are zero."""
    draw = random.Random(3)
    for prime in (2, 3, 101, PRIME, 2**31 - 1, 2**61 - 1):
        for _ in range(40):
            height, width, rank = draw.randint(1, 7), draw.randint(1, 7), draw.randint(0, 3)
            left = [[draw.randrange(prime) for _ in range(rank)] for _ in range(height)]
            right = [[draw.choice([0, 1, draw.randrange(prime)]) for _ in range(width)] for _ in range(rank)]
            rows = [
                [sum(x * y for x, y in zip(one, col, strict=True)) % prime for col in zip(*right, strict=True)]
                for one in left
            ]
            rows = rows if rank else [[0] * width for _ in range(height)]

            theirs = checker.Field(prime, checker.Work()).kernel(rows)
            assert theirs == find_relations(np.array(rows, dtype=np.int64), prime).tolist()


@pytest.mark.parametrize("name", MODELS)
def test_counts(name):
    """The parameters and the dimension of the saturated model, for every family."""
    model = algdim.model(MODELS[name])
    model = order_given_variables(model) if isinstance(model, Network) else model
    family = find_certifying(model.family)
    claimed = checker.FAMILIES[model.family](family.encode(Prepared(model)), checker.Work())
    unknown = replace_complete(claimed)

    assert (len(claimed.parameters), claimed.complete) == family.count_claimed(Prepared(model), unknown)


def replace_complete(claimed):
    """The checker's model with another dimension of the saturated one: what is compared must not come from there."""
    claimed_again = object.__new__(type(claimed))
    claimed_again.__dict__.update({**vars(claimed), "complete": -1, "parameters": {}})
    return claimed_again


KERNELS = (
    "H -> X, Y; hidden H; share s: X, Y",
    "H -> X, Y; hidden H; fix P(X=0|H=0)=1/3, P(Y=0|H=1)=0",
    "H -> X, Y; hidden H; fix P(X=0|H=0)=1/3, P(Y=1|H=1)=0",
    "H -> X -> Y; H -> Y; hidden H",
    "A, H -> X, Y; hidden H; given A; share s: X, Y",
    "A, B -> Y; parity Y; Y -> Z; hidden A, B",
    "H -> X, Y; hidden H; equal a = P(X=0|H=0), P(Y=0|H=1)",
)


@pytest.mark.parametrize("text", KERNELS)
def test_what_does_not_change_a_cell(text):
    """Vectors of the kernel over the quotients of polynomials, as the checker multiplies them out; with one number more they change one."""
    network = remove_irrelevant(algdim.model(text))[0]
    claimed, pmap = both(network).claimed, get_param_map(network)
    names = {f"p{number}": parameter for parameter, number in claimed.parameters.items()}
    point = {
        name: draw for draw, name in zip(random.Random(text).sample(range(2, 999), len(names)), names, strict=True)
    }
    found = write_kernel_fields(pmap, [*names])
    assert found

    for written in found:
        field = checker.read_field(written, names, point, checker.Work())
        checker.require_constant_cells(claimed, {}, names, [field], checker.Work())
        for name in names:
            other = {
                **field,
                name: checker.added([(field.get(name, {}), checker.ONE), (checker.ONE, {(): 1})], checker.Work()),
            }
            rows = brute_rows(claimed, names, point)
            changes = any(sum(row[k] * value_at(other.get(k, {}), point) for k in names) % PRIME for row in rows)
            if changes:
                with pytest.raises(checker.Invalid, match="a cell changes"):
                    checker.require_constant_cells(claimed, {}, names, [other], checker.Work())
            else:
                checker.require_constant_cells(claimed, {}, names, [other], checker.Work())


def value_at(polynomial, point):
    """A polynomial at a point, modulo the prime."""
    return sum(modular(x) * prod(point[p] for p in key) for key, x in polynomial.items()) % PRIME


def brute_rows(claimed, names, point):
    """The derivatives of all cells: entries multiplied state by state."""
    texts, cells = {parameter: name for name, parameter in names.items()}, {}
    for states in product(*map(range, claimed.sizes.values())):
        at = dict(zip(claimed.sizes, states, strict=True))
        entries = [table.get(tuple(at[v] for v in scope), {}) for scope, table in claimed.tables]
        values = [sum(modular(c) * (1 if p == "1" else point[texts[p]]) for p, c in entry.items()) for entry in entries]
        row = cells.setdefault(tuple(at[v] for v in claimed.observed), dict.fromkeys(names, 0))
        for place, entry in enumerate(entries):
            others = prod(values[:place] + values[place + 1 :])
            for p, c in entry.items():
                if p != "1":
                    row[texts[p]] += modular(c) * others
    return cells.values()


def modular(number):
    """A fraction modulo the prime."""
    return Fraction(number).numerator * pow(Fraction(number).denominator, -1, PRIME) % PRIME


ASKED = {
    "FORMAT": "the format's name",
    "MOST_RANK": "a limit of the format",
    "MOST_WORK": "a limit of the format",
    "FAMILIES": "reads the claim, to refuse what is beyond the limits before any work",
    "Work": "what this costs",
    "verdict": "checks the certificate that was written",
    "Check": "asked whether it accepts evidence",
    "Refused": "it does not",
    "Unreadable": "the claim or the certificate is beyond the limits",
    "Discrete": "a type",
    "Formulas": "a type",
    "reached": "what is reached in the graph of a certificate's model, whose lemmas are named",
    "class_model": "compared, and asked about",
    "parts_of": "compared, and asked about",
    "supermodel": "compared, and asked about",
    "margin_of": "compared, and asked about",
    "slices": "compared, and asked about",
    "shown_parts": "compared, and asked about",
    "given_roots": "compared, and asked about",
    "with_fewer_states": "compared, and asked about",
}


@in_turn(2)
def test_nothing_is_borrowed_from_the_checker():
    """What writes certificates asks the checker and compares with it; the names that it may use are listed."""
    used = set()
    for file in (*CERTIFICATE.glob("*.py"), *CERTIFICATE.parent.glob("families/*/*.py")):
        if file.name not in ("checker.py", "verifying.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            owners = [(node.value, node.attr) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
            used |= {name for value, name in owners if isinstance(value, ast.Name) and value.id == "checker"}
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom):
                    assert node.module != "algdim.certificate.checker", file

    assert used == ASKED.keys()


SHOWING = Kind((4, 6), (2, 4), 0.4, 0.45, 96)


@pytest.mark.drawn
def test_parts_of_models_that_show_more():
    """Random networks that `parts` proves, by it: each certificate is accepted, and no bound is less than the rank by definition."""
    source, met = random.Random(5), Counter()
    models = []
    while len(models) < 60:
        model = remove_irrelevant(draw_network(source, SHOWING))[0]
        if model.hidden and len(model.observed) > 1 and prod(v.states for v in model.observed) <= SHOWING.cells:
            models.append(model)
    for model in drawn(models, 20):
        with contextlib.suppress(NotProvedError):
            data = forced(model, ["counting", "ambient", "parts"])
            upper = data["evidence"]["upper"]
            met.update([upper["kind"], *["observed"] * bool(upper.get("observed"))])

            assert (0, data["claim"]["dimension"]) == (
                checker.verdict(json.dumps(data).encode())[0],
                brute.dimension(model),
            )
            for name in model.hidden if upper["kind"] == "parts" else ():
                theirs = both(model).claimed
                ours = list_districts(observe(model, name.name))
                found = checker.shown_parts(theirs, [name.name], [[] for _ in ours], checker.Work())
                assert [1] * len(ours) == [times for times, _ in found]
                assert [[v.name for v in one.variables] for one in ours] == [[*part.variables] for _, part in found]

    assert met["parts"]


@pytest.mark.drawn
def test_models_with_fewer_states():
    """Random networks that `fewer-states` proves, by it: each certificate is accepted, and no bound is less than the rank by definition."""
    source, met = random.Random(11), Counter()
    models = []
    while len(models) < 60:
        model = remove_irrelevant(draw_network(source, SHOWING))[0]
        if model.hidden and len(list_roots(model)) < len(model.observed):
            models.append(model)
    for model in drawn(models, 20):
        with contextlib.suppress(NotProvedError):
            data = forced(model, ["counting", "ambient", "fewer-states"])
            met[data["evidence"]["upper"]["kind"]] += 1

            assert (0, data["claim"]["dimension"]) == (
                checker.verdict(json.dumps(data).encode())[0],
                brute.dimension(model),
            )
        given = replace(model, given=list_roots(model))
        for name in list_repeated(given):
            steps = [(name, fewer) for fewer in range(given.states[name] - 1, 1, -1)]
            evidence = {"steps": [{"variable": v, "kept": fewer} for v, fewer in steps]}
            networks = list_smaller_models(model, evidence)
            found = both(model).fewer_states(steps, networks)  # the same variables, parents and states, or an error
            counts = [get_param_map(one).parameter_count for one in networks]
            assert counts == [len(one.claimed.parameters) for one in found]
            met[name[0]] += 1

    assert met["fewer-states"] > 2
    assert met["X"] > 5


@pytest.mark.parametrize("block", range(4))
@in_turn(4)
def test_ranks_are_concave_wherever_the_checker_takes_it(block):
    """Networks of every kind, with shares, fixed entries and rules: with ranks in the place of bounds no value is below the rank."""
    met = 0
    for seed in range(100 * block, 100 * block + 100):
        network = mixed_network(seed)
        model = both(network).claimed
        for v, states in model.sizes.items() if model.coordinates <= 128 else ():
            for kept in range(2, states):
                with contextlib.suppress(checker.Refused):
                    whole = checker.given_roots(model)
                    (times, below), (_, last) = checker.with_fewer_states(whole, [(v, kept)], checker.Work())
                    least, most = find_rank(below), find_rank(last)
                    assert most + times * (most - least) + whole.roots - model.roots >= find_rank(model), (
                        seed,
                        v,
                        kept,
                    )
                    met += 1

    assert met > 5


def find_rank(model):
    """The rank of the whole Jacobian at a point, by the checker."""
    field = checker.Field(2**61 - 1, checker.Work())
    at = model.at(field, checker.drawn(field, model, POINT))
    return field.rank(at.gradient(model.coordinate(number)) for number in range(model.coordinates))


def draw_minors(source, model, names):
    """A chain with blocks that may fit, or may not: two ends, one or two blocks of others each, what they are given."""
    seen, blocks = source.sample(model.observed, len(model.observed)), []
    for _ in range(4):
        size = source.choice([1, 1, 1, 2]) if len(seen) > 4 else 1
        blocks.append(sorted(seen[:size], key=model.observed.index))
        seen = seen[size:]
    given = [v for v in model.observed if v in seen and source.random() < 0.5]
    states = source.choice([2, 2, 2, 3])
    left = [v for v in names if model.sizes[v] == states and v not in {*given, *chain(*blocks)}]
    between = source.sample(left, min(len(left), source.choice([1, 1, 2, 2, 3])))
    if not between or any(model.states(block) < states for block in blocks[:2]):
        return None
    rows, columns = (sorted(source.sample(range(model.states(block)), states)) for block in blocks[:2])
    if source.random() < 0.5:  # letters for the states of some
        letters = {v for block in blocks[2:] for v in block if source.random() < 0.5}
        parts = [[[v for v in block if (v in letters) == has] for has in (True, False)] for block in blocks[2:]]
        blocks = [*blocks[:2], *chain(*parts)]
    found = {"blocks": blocks, "C": given, "chain": between, "rows": rows, "columns": columns}
    return {**found, "state": [source.randrange(model.sizes[v]) for v in given], "pairs": []}


@pytest.mark.drawn
def test_determinants_that_are_accepted_are_of_rank_one():
    """Of any blocks and chains in random networks, at a point; and the matrix of derivatives is the same as that of algdim."""
    met, seed = Counter(), 0
    while met[1] < 40 or not met["larger"] or not met["letters"] or not met["refused"]:
        source, seed = random.Random(f"{SEED} minors {seed}"), seed + 1
        network = remove_irrelevant(draw_network(source, Kind((5, 8), (2, 3), 0.45, 0.35, 128)))[0]
        if len(network.observed) < 4 or prod(v.states for v in network.observed) > 128:
            continue
        roots = list_roots(network)
        if source.random() < 0.4 and len(roots) < len(network.observed):
            network = replace(network, given=roots)
        model, field = both(network).claimed, checker.Field(PRIME, checker.Work())
        at, coordinates = model.at(field, checker.drawn(field, model, POINT)), list_cells(get_param_map(network))
        values = coordinates.values(PRIME, POINT)
        for _ in range(40):
            item = draw_minors(source, model, [*model.sizes])
            try:
                _, matrix = checker.determinants(model, item, at) if item else (0, None)
            except checker.Invalid:
                met["refused"] += 1
                continue
            if matrix is not None:
                ours = coordinates.matrix_at(item, PRIME, values)
                assert as_terms(matrix) == {key: x for key, x in added_up(ours).items() if x}
                rank = field.rank(ours.at(values, PRIME).tolist())
                assert rank <= 1, (network, item)
                met.update([rank, *["larger"] * (rank and len(item["chain"]) > 1)])
                met["letters"] += rank and len(item["blocks"]) > 4 and bool(item["blocks"][2] or item["blocks"][4])
