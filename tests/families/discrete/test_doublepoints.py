"""Products of forms that vanish at points: the bounds are ranks by definition, what is in print is found, and no bound is too small."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
import pytest
from amount import SEED
from flint import nmod_mat

import algdim
from algdim.families.discrete.bounds import doublepoints
from algdim.families.discrete.bounds.doublepoints import (
    bound_by_double_points,
    find_double_points,
    find_forms,
    is_defective,
    list_pairs,
)
from algdim.families.discrete.bounds.search import make_setting
from algdim.families.discrete.bounds.splitting import Search, bound_dimension, find_unbalanced, list_formats
from algdim.families.discrete.bounds.tangents import (
    ItemGroup,
    count_cells,
    count_directions,
    draw_points,
    format_groups,
)
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse
from atlas.groups import is_in_list_of_two, read_groups

OTHER_PRIME = 1_000_003


def rank_by_definition(groups, classes, source):
    """The rank of the Jacobian of all sums of products of powers, by all entries, at points of its own and modulo another prime."""
    monomials = [list(combinations_with_replacement(range(group.states), group.items)) for group in groups]
    rows = []
    for _ in range(classes):
        vectors = [[source.randrange(1, OTHER_PRIME) for _ in range(group.states)] for group in groups]
        for place, group in enumerate(groups):
            for entry in range(group.states):
                row = []
                for cell in product(*monomials):
                    value = 1
                    for at, indices in enumerate(cell):
                        exponents = [indices.count(state) for state in range(groups[at].states)]
                        if at == place:
                            value = value * exponents[entry] % OTHER_PRIME
                            exponents[entry] -= 1
                        for state, exponent in enumerate(exponents):
                            value = value * pow(vectors[at][state], max(exponent, 0), OTHER_PRIME) % OTHER_PRIME
                    row.append(value)
                rows.append(row)
    return nmod_mat(rows, OTHER_PRIME).rank()


def draw_formats(source, count):
    """Balanced formats with few cells, each with a number of classes about the generic one."""
    formats = [one for one in list_formats(70, is_shared=True) if find_unbalanced(one) is None]
    for groups in source.sample(formats, count):
        middle = count_cells(groups) // count_directions(groups, 1)
        yield groups, max(1, middle + source.randint(-1, 2))


def test_bounds_are_ranks_by_definition():
    """Never below, in any drawn format; and both bounds meet there."""
    source = random.Random(SEED)
    for groups, classes in draw_formats(source, 25):
        dimension = rank_by_definition(groups, classes, source)
        found = find_double_points(0, groups, classes, count_cells(groups))
        assert count_cells(groups) - found.rank >= dimension, (groups, classes)
        assert bound_dimension(Search(), groups, classes) == (dimension, dimension), (groups, classes)


@pytest.mark.parametrize(
    ("model", "less"),
    [("5:3,4^2*", 1), ("6:4^2*,5", 1), ("5:2,3^3*", 1), ("14:4^2*,4^2*", 1), ("15:4^2*,4^2*", 1), ("19:4^2*,5^2*", 1)],
)
def test_special_formats_of_abo_and_brambilla(model, less):
    """Ann. Mat. Pura Appl. 192 (2013), the list of two factors, beside its families: below the expected dimension, by ranks too."""
    classes, _, text = model.partition(":")
    groups = read_groups(text)
    least, most = bound_dimension(Search(), groups, int(classes))
    assert least == most == min(count_cells(groups), count_directions(groups, int(classes))) - less


def test_families_in_print_are_found_and_nothing_else():
    """All formats of two groups with few cells whose list is known: below the expected dimension exactly where the list says."""
    found = 0
    for groups in list_formats(150, is_shared=True):
        if len(groups) != 2 or find_unbalanced(groups) is not None or all(group.states == 2 for group in groups):
            continue
        middle = count_cells(groups) // count_directions(groups, 1)
        for classes in range(middle, middle + 3):
            is_known = is_in_list_of_two([group[:2] for group in groups], classes)
            assert is_defective(0, groups, classes) == is_known, (groups, classes)
            found += is_known
    assert found > 20


@pytest.mark.parametrize("half", range(1, 8))
def test_products_of_three_lines_and_planes(half):
    """Segre-Veronese varieties of P1 x P1 in degrees 1, 1, 2a (Laface, Postinghel 2013), and of two lines and a plane."""
    groups = ItemGroup(2, 1), ItemGroup(2, 1), ItemGroup(2, 2 * half)
    assert find_double_points(0, groups, 2 * half + 1, 9).rank == 1
    more = ItemGroup(2, 1), ItemGroup(2, 2 * half), ItemGroup(3, 1)
    numbers = [is_defective(0, more, classes) for classes in range(1, 4 * half + 3)]
    expected = [bound_dimension(Search(), more, classes) for classes in range(1, 4 * half + 3)]
    assert [
        most < min(count_cells(more), count_directions(more, classes)) for classes, (_, most) in enumerate(expected, 1)
    ] == numbers


@pytest.mark.parametrize(
    ("model", "dimension"),
    [
        ("13:2,2^10*,3", 63),
        ("16:2^10*,3^2*", 62),
        ("28:2^18*,3^2*", 110),
        ("41:3,28^2*", 1216),
    ],
)
def test_models_with_very_many_cells_are_proved(model, dimension):
    """Of few different ones: by the number of the Jacobian's rank from one side, and by products from the other."""
    report = algdim.dimension(model)
    assert (report.dimension, report.exact) == (dimension, True)


def test_what_the_bound_says_can_be_computed_again():
    """From its evidence alone."""
    bound = bound_by_double_points(make_setting(get_param_map(parse("13:2,2^10*,3")), 63, "word", ()))
    said = bound.evidence
    groups = tuple(ItemGroup(*group) for group in said["groups"])
    again = find_double_points(said["seed"], groups, said["classes"], said["codimension"])
    assert [pair._asdict() for pair in again.pairs] == said["pairs"]
    assert count_cells(groups) - 1 - again.rank == bound.value == 63
    assert '"algdim 1|word|format|13 double|' in bound.trust.facts


@pytest.mark.parametrize(
    "model",
    ["H -> X1, X2; hidden H; fix P(X1=0|H=0) = 1/2", "A -> B", "H1 -> X1, X2; H1 -> H2; H2 -> X3; hidden H1, H2"],
)
def test_other_models_have_no_such_bound(model):
    """The tables must be free, and all children of one class."""
    assert bound_by_double_points(make_setting(get_param_map(parse(model)), 0, 0, ())) is None


def test_points_that_are_not_general_prove_nothing():
    """Two equal points have more forms than general ones; so has a point that is 0 in one place of all."""
    groups = ItemGroup(2, 4), ItemGroup(3, 1)
    points = draw_points(0, groups, 3, "some")
    assert find_forms(groups, points, (2, 1), -1, 0).shape == (9 - 3, 1, 9)
    same = [np.concatenate([vectors[:2], vectors[:1]]) for vectors in points]
    assert find_forms(groups, same, (2, 1), -1, 0) is None
    assert find_forms(groups, same, (2, 0), 1, 1) is None
    assert find_forms(groups, points, (2, 0), 1, 1).shape == (9 - 6, 3, 3)


def test_a_wrong_sign_in_exterior_powers_is_seen(monkeypatch):
    """Products that are not 0 on the tangent spaces would prove too much: the test by definition sees it."""
    groups = ItemGroup(3, 1), ItemGroup(4, 2)
    assert find_double_points(0, groups, 5, 9).rank == 1
    wedges = doublepoints.list_wedges
    monkeypatch.setattr(doublepoints, "list_wedges", lambda vectors, power: np.abs(wedges(vectors, power)))
    assert find_double_points(0, groups, 5, 9).rank > 1


def test_no_pair_of_degrees_is_too_large():
    """Groups with very many items, and with many states: what is tried stays small."""
    for text, classes in (
        ("2^100000*,3", 20_000),
        ("300,300^2*", 100),
        ("2^2*,2^2*,2^2*,2^2*,2^2*,2^2*,2^2*,2^2*,2^2*,2^2*", 300),
    ):
        groups = read_groups(text)
        for _, pair in list_pairs(groups, classes, 10):
            assert all(0 <= a + b <= group.items for a, b, group in zip(pair.first, pair.second, groups, strict=True))
        assert (
            prod(group.items + 1 for group in groups) > doublepoints.MOST_DEGREES
            or find_double_points(0, groups, classes, 10).rank >= 0
        )


def test_formats_are_written_as_they_are_read():
    """The notation of the models."""
    assert format_groups(read_groups("2,2^10*,3")) == "2,2^10*,3"
