"""Different parameters with the same distribution: each family checked by formulas of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from amount import daily, some
from hypothesis import assume, given, settings
from strategies import networks

import algdim
from algdim.explanation.equivalentparameters import find_fibre
from algdim.explanation.samplepoint import MOST_ENTRIES, evaluate_at_random_point
from algdim.maps import map_of


def observed(model, values):
    """The observed distribution of a network with free tables, summed over all joint states, parameters by name."""
    found = {}
    for states in product(*(range(variable.states) for variable in model.variables)):
        at = dict(zip((variable.name for variable in model.variables), states, strict=True))
        chance = Fraction(1)
        for variable in model.variables:
            given_ = ",".join(f"{parent}={at[parent]}" for parent in variable.parents)
            row = [
                values[f"P({variable.name}={state}{'|' if given_ else ''}{given_})"]
                for state in range(variable.states - 1)
            ]
            chance *= [*row, 1 - sum(row)][at[variable.name]]
        cell = tuple(at[variable.name] for variable in model.observed)
        found[cell] = found.get(cell, 0) + chance
    return found


def family(text):
    """The map, and a family through its random point."""
    pmap = map_of(algdim.model(text))
    return pmap, find_fibre(evaluate_at_random_point(pmap))


@pytest.mark.parametrize(
    ("text", "is_exact"),
    daily(
        [
            ("2:2,2", True),
            ("3:3,4", True),
            ("A -> C <- H -> D <- B; hidden H", True),
            ("verma", True),
            ("A -> H -> B; hidden H; states A=3", True),
            ("3:2,2,2,2", False),
            ("4:3,3,3", False),
            ("2(2,3(2,2))", True),
        ],
        2,
    ),
)
def test_discrete_families(text, is_exact):
    """Three different points inside the simplices, with one distribution: the same fractions, or 12 digits."""
    from algdim import model

    pmap = map_of(model(text))
    found = find_fibre(evaluate_at_random_point(pmap))
    first, *others = [observed(pmap.model, dict(zip(pmap.parameters, point, strict=True))) for point in found.points]

    assert is_exact == found.exact
    assert 3 == len(set(found.points))
    assert all(0 <= value <= 1 for point in found.points for value in point)
    most = max(abs(other[cell] - first[cell]) for other in others for cell in first)
    assert most == found.difference
    assert most == 0 if is_exact else 0 < most < 1e-10


def test_gaussian_scale():
    """The scale of a factor: Σ and μ written out by hand are the same."""
    pmap, found = family("gaussian: F -> X, Y, Z; hidden F")
    seen = set()
    for point in found.points:
        p = dict(zip(pmap.parameters, point, strict=True))
        b = [p[f"b(F->{name})"] for name in "XYZ"]
        covariances = [b[i] * b[j] * p["v(F)"] + (i == j) * p[f"v({'XYZ'[i]})"] for i in range(3) for j in range(i, 3)]
        seen.add((*covariances, *(p[f"m({name})"] + b[i] * p["m(F)"] for i, name in enumerate("XYZ"))))

    assert found.exact
    assert "the scale of F" == found.along
    assert 1 == len(seen)
    assert 3 == len(set(found.points))


def test_no_family_without_redundant_parameters():
    """Where parameters and dimension are equal in number there is nothing to be shown."""
    assert family("2:2,2,2")[1] is None


def test_where_values_are_no_fractions():
    """Log-odds are not looked at."""
    assert family("classifier Y: Y -> X2 <- X1; states Y=3, X1=3")[1] is None


@given(networks())
@settings(max_examples=some(25))
def test_families_of_random_networks(model):
    """Whatever is shown as exact is exact; the rest agrees to the digits promised."""
    pmap = map_of(model)
    assume(0 < pmap.coordinate_count * len(pmap.parameters) <= min(300, MOST_ENTRIES))
    standing = evaluate_at_random_point(pmap)
    found = find_fibre(standing)
    if found is None:
        return

    assert found.find_changing()
    assert standing.point == found.points[0]
    assert (found.difference == 0) if found.exact else (found.difference < 1e-10)


def test_the_form_for_machines():
    """Exact numbers are text."""
    pmap, found = family("2:2,2")
    document = found.to_dict(pmap.parameters)

    assert ["0", "1/4", "1/2"] == document["steps"]
    assert [str(value) for value in found.points[1]] == list(document["points"][1].values())
