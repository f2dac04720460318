"""Fields that move few parameters: models that nothing else proves, their certificates, and fields that are none."""

from __future__ import annotations

import copy
import random
from dataclasses import replace
from fractions import Fraction

import brute
import pytest
from amount import in_turn
from suites.random_networks import LARGER, draw

import algdim
from algdim.families.discrete.bounds import polynomialfields
from algdim.families.discrete.bounds.circuits import FEW, find_field, is_identity
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry, build_local_model, iterate_connected_sets
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

RATIO = """X1, X2, H1 -> H3; X4, H3, X5 -> H4; X1, H1, H4 -> X7; hidden H1, H3, H4; given X1, X2, X4, X5"""
"""P(X7 = 0 | x) is a(x1) + b(x1)·q(1, x4, x5) + c(x1, x2)·(q(0, x4, x5) − q(1, x4, x5)), q being P(H4 = 0 | H3, x4, x5).

So P(H3 | X1, X2, H1) matters by one number for each state of X1 and X2. Of the 16 numbers, in rows by X1 and X2, the differences
along X2 are multiples of one row, which is 3 equations, and a row of ones and this row span with a third one all others, one more.
"""


def test_fields_that_move_two_parameters():
    """12 = 16 − 4, in print nowhere: the rows of the 4 × 4 matrix lie as described."""
    report = algdim.dimension(RATIO)
    fields = [field for one in report.upper.evidence["fields"] if one["type"] == FEW for field in one["fields"]]

    assert (12, True, "symmetry") == (report.dimension, report.exact, report.upper.kind)
    assert 12 == brute.dimension(parse(RATIO))
    assert 2 in map(len, fields)


def test_the_certificate_has_the_fields():
    """As formulas around the three hidden variables; the checker multiplies them out for itself."""
    certificate = algdim.prove(RATIO)
    fields = [field for field in certificate.data["evidence"]["upper"]["fields"] if "along" in field]

    assert algdim.verify(certificate)
    assert fields
    assert {("H1", "H3", "H4")} == {tuple(field["hidden"]) for field in fields}


@in_turn(4)
def test_no_changed_field_is_accepted():
    """A coefficient, a factor, a moved parameter or the hidden variables are others; with 60 changes none was accepted either."""
    data = algdim.prove(RATIO).data
    source = random.Random(33)
    parameters = len(list_parameters())

    for _ in range(24):
        changed = copy.deepcopy(data)
        field = source.choice([one for one in changed["evidence"]["upper"]["fields"] if "along" in one])
        moved = source.choice(sorted(field["along"]))
        term = source.choice(field["along"][moved]["sum"])["product"]
        match source.randrange(4):
            case 0:
                term[0] = str(Fraction(term[0]) + source.choice([1, -3, Fraction(1, 2)]))
            case 1:
                term.append(f"p{source.randrange(parameters)}")
            case 2:
                del field["along"][moved]
            case _:
                field["hidden"] = source.sample(field["hidden"], source.randint(0, 2))
        assert not algdim.verify(changed), field


def list_parameters():
    """The parameters of the model."""
    return get_param_map(parse(RATIO)).parameters


def iterate_found_fields(seed, count):
    """Fields that are found around hidden variables of random networks, with the local maps."""
    source = random.Random(seed)
    while count:
        model = draw(source, LARGER["binary"]._replace(variables=(5, 7)))
        for chosen in iterate_connected_sets(model, 2):
            local = build_local_model(model, chosen)
            pmap = None if local is None else get_param_map(local)
            if pmap is None or not 0 < pmap.parameter_count <= 24:
                continue
            moved = tuple(sorted(source.sample(range(pmap.parameter_count), min(3, pmap.parameter_count))))
            field = find_field(pmap, moved)
            if field is not None and count:
                count -= 1
                yield pmap, field


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_products_of_tables_say_what_the_jacobian_says(seed):
    """Of a field, and of one of which a coefficient is another, whether all derivatives along it are zero."""
    answers = set()
    for pmap, field in iterate_found_fields(seed, 4):
        (parameter, ((factors, number), *more)), *others = field.terms
        wrong = replace(field, terms=((parameter, ((factors, number + 1), *more)), *others))
        for one in (field, wrong):
            answers.add(is_identity(pmap, one))
            assert is_identity(pmap, one) == polynomialfields.is_identity(pmap, one)

    assert {True, False} == answers


@in_turn(3)
def test_bounds_are_never_less_than_ranks():
    """Of random networks, with the rank by definition."""
    source = random.Random(7)
    missing = []
    for _ in range(12):
        model = draw(source, LARGER["binary"]._replace(variables=(5, 7)))
        rank = brute.dimension(model)
        setting, extra = make_closed_setting(get_param_map(model), rank, 0)
        bound = bound_by_symmetry(setting)
        missing += [] if bound is None else [bound.value - extra - rank]

    assert missing
    assert min(missing) == 0
