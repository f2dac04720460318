"""What a family says of the range of its parameters: where names are not chosen by the user, they say the same."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

import algdim
from algdim.explanation.samplepoint import evaluate_at_random_point, find_covariances
from algdim.families import FOLDERS, load, load_domain
from algdim.maps import map_of

LETTERS = {
    "gaussian": "v",
    "latent-profile": "Pv",
    "poisson": "Pl",
    "normal": "Pv",
    "loglinear": "t",
    "classifier": "P",
}
"""The first letters of the parameters that are never negative."""

MODELS = (
    "gaussian: H -> A, B, C; A <-> B; B -> C; hidden H",
    "latent-profile: H -> X, Y, C, D; hidden H; states H=3, C=3, D=2; covariances full",
    "latent-profile: H -> X, Y, Z; hidden H; states H=2; covariances full, equal",
    "latent-profile: H -> X; hidden H; states H=2",
    "poisson: {A,B},{B} -> E; states A=3, B=2",
    "poisson: {A,H},{B} -> E; hidden H; states A=2, H=3",
    "normal: {A,H},{B} -> E; A -> B; A -> H; hidden H; states A=2, B=3, H=3",
    "loglinear: {A,B}, {B,C}",
    "classifier Y: Y -> X1, X2; X1 -> X2; states Y=3",
    "polynomial: parameters v, c; coordinates v*c, v + c",
)


@pytest.mark.parametrize("text", MODELS)
def test_kinds_are_those_of_the_names(text):
    """Of models without equal entries."""
    pmap = map_of(algdim.model(text))
    places = dict(enumerate(pmap.parameters))
    own = pmap.model.family != "polynomial"

    assert {n for n, name in places.items() if own and "<->" in name} == find_covariances(pmap)
    letters = LETTERS.get(pmap.model.family, "")
    assert {n for n, name in places.items() if name[0] in letters} == load_domain(pmap.model.family).find_not_negative(
        pmap
    )


@pytest.mark.parametrize("text", MODELS[:-1])  # formulas say nothing of a domain
def test_rows_are_those_of_the_names(text):
    """Of mixtures and sums: the states but the last of one variable under one condition."""
    pmap = map_of(algdim.model(text))
    folder = FOLDERS[pmap.model.family]
    rows_of = getattr(load(folder, "family"), "list_probability_rows", None)
    if rows_of is None:
        return
    rows = defaultdict(list)
    for number, name in enumerate(pmap.parameters):
        if found := re.fullmatch(r"P\(([^=|]*)=\d+(\|.*)?\)", name):
            rows[found[1], found[2]].append(number)

    assert {tuple(row) for row in rows.values()} == {tuple(row.tolist()) for row in rows_of(pmap)}


@pytest.mark.parametrize("count", [6, 8])
def test_covariances_that_are_equal_are_made_small_too(count):
    """The point that is shown is one of a distribution, whatever the covariances are called."""
    names = [f"X{number}" for number in range(count)]
    pairs = [(one, other) for number, one in enumerate(names) for other in names[number + 1 :]]
    edges = "; ".join(f"{one} <-> {other}" for one, other in pairs)
    entries = [f"c({one}<->{other})" for one, other in pairs]
    equal = "; ".join(f"equal e{n} = {', '.join(entries[2 * n : 2 * n + 2])}" for n in range(len(entries) // 2))

    assert evaluate_at_random_point(map_of(algdim.model(f"gaussian: {edges}; means off; {equal}"))).inside
