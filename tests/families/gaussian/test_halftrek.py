"""The half-trek criterion: the counts of Foygel, Draisma and Drton, and never against the rank."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from amount import first
from suites.mixed_graphs import mixed_models

from algdim import InputError, dimension
from algdim.families.gaussian.halftrek import IDENTIFIABLE, INFINITE, UNDECIDED, apply_half_trek_criterion
from algdim.families.gaussian.model import Gaussian, GaussianVariable

# All graphs; finite and infinite to one; by the criterion identifiable, infinite, left undecided. The graphs, the finite
# and the infinite ones, and the criterion's 343 and 368 are those of Foygel, Draisma, Drton (2012), Table 1. The
# criterion's other counts follow from them where it decides all (17 and 5); for the six cyclic graphs no source was at hand.
TABLE = {
    (3, True): (22, 17, 5, 17, 5, 0),
    (4, True): (715, 347, 368, 343, 368, 4),
    (3, False): (6, 3, 3, 2, 3, 1),
}


@pytest.mark.parametrize(("count", "acyclic"), first([(3, True), (3, False), (4, True)], 2))
def test_all_small_mixed_graphs(count, acyclic):
    """The verdicts of rank and criterion over all unlabelled graphs are the printed ones; every dimension is proved."""
    models = mixed_models(count, acyclic=acyclic)
    seen = Counter()
    for model in models:
        report = dimension(model)
        verdict = apply_half_trek_criterion(model).verdict
        finite = report.dimension == report.standard
        seen[finite] += 1
        seen[verdict] += 1

        assert report.exact
        assert verdict != (INFINITE if finite else IDENTIFIABLE)

    found = (len(models), seen[True], seen[False], seen[IDENTIFIABLE], seen[INFINITE], seen[UNDECIDED])
    assert TABLE[count, acyclic] == found


def test_the_order_says_how_coefficients_are_found():
    """An instrument: Z -> X -> Y with correlated errors of X and Y; Y's coefficient is found from Z."""
    model = Gaussian(tuple(map(GaussianVariable, "ZXY")), (("Z", "X"), ("X", "Y")), (("X", "Y"),))
    found = apply_half_trek_criterion(model)

    assert IDENTIFIABLE == found.verdict
    assert ("Z",) == dict(found.sets)["Y"]
    assert {"Z", "X", "Y"} == set(found.order)


def test_what_the_criterion_is_not_about():
    """Latent variables and fixed entries are refused; fixed intercepts do not matter."""
    pair = tuple(map(GaussianVariable, "AB"))
    latent = Gaussian((GaussianVariable("H", False), *pair), (("H", "A"), ("H", "B")))
    fixed = Gaussian(pair, (("A", "B"),), fixed=((("v", "A"), Fraction(1)),))
    intercept = Gaussian(pair, (("A", "B"),), fixed=((("m", "A"), Fraction(1)),))

    with pytest.raises(InputError, match="latent are H"):
        apply_half_trek_criterion(latent)
    with pytest.raises(InputError, match=r"fixed or held equal are v\(A\)"):
        apply_half_trek_criterion(fixed)
    assert IDENTIFIABLE == apply_half_trek_criterion(intercept).verdict


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("gaussian: Z -> X -> Y; X <-> Y", "identifiable, every coefficient"),
        ("gaussian: X -> Y; X <-> Y", "infinite-to-one"),
    ],
)
def test_a_report_says_what_the_criterion_says(text, word):
    """Beside the rank, never against it."""
    assert word in dimension(text).note


def test_a_report_is_silent_where_the_criterion_is():
    """About latent variables, and fixed or equal entries, it says nothing."""
    assert "" == dimension("gaussian: H -> X, Y; hidden H").note
    assert "" == dimension("gaussian: X -> Y; fix v(X)=1").note
