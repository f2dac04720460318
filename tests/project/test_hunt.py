"""The hunt for wrong numbers: a few models of every kind, planted mistakes that it must find, and the shrinking of what it finds."""

import json

import brute
import pytest
from amount import daily

import algdim
from algdim.families.additive.map import build_additive_map
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from hunting import hunt, oracle
from hunting.random_models import KINDS, model_of
from hunting.variations import padded, permuted, relabelled, smaller


@pytest.mark.parametrize("number", daily(range(2 * len(KINDS)), 4))
def test_nothing_is_wrong(number):
    """Two models of every kind are examined in every way."""
    _, model = model_of("tests", number)

    assert [] == hunt.found_in(model, number)


def test_models_are_the_same_for_the_same_number():
    """A line that was printed shows the same model again."""
    for number in range(len(KINDS)):
        assert model_of(5, number) == model_of(5, number)


@pytest.mark.parametrize(("module", "name"), daily([("counting", "counting"), ("pairwise", "pairwise")], 1))
def test_a_bound_that_is_too_low_is_found_and_made_smaller(monkeypatch, module, name):
    """A mistake is planted in one bound; the hunt finds it, and what it prints is no larger than what it was shown."""
    from dataclasses import replace

    from algdim.families.discrete import family

    own = family.FAMILY.bounds
    plain = own.bounds[name]

    def mistaken(pmap):
        bound = plain(pmap)
        return None if bound is None else replace(bound, value=bound.value - 1)

    wrong = family.FAMILY._replace(bounds=own._replace(bounds={**own.bounds, name: mistaken}))
    monkeypatch.setattr(family, "FAMILY", wrong)
    model = algdim.model("2:2,2,2,3" if name == "counting" else "3:2,2,4")
    kinds = {found.kind for found in hunt.found_in(model, 0)}

    assert kinds
    small = hunt.minimised(model, min(kinds), 0, seconds=5)
    assert len(json.dumps(convert_model_to_dictionary(small))) <= len(json.dumps(convert_model_to_dictionary(model)))


def test_a_rank_that_is_too_high_is_found(monkeypatch):
    """A brute force that says less than is true is found out, whatever the method."""
    monkeypatch.setattr(oracle, "dimension", lambda model: brute.dimension(model) - 1)

    assert {"auto: lower above", "rational with counting,ambient: lower above"} <= {
        found.kind for found in hunt.found_in(algdim.model("2:2,2,2"), 0)
    }


def test_variations_are_models_of_the_same_dimension():
    """Names, orders and padding: what the dimension should be is known."""
    from random import Random

    model = algdim.model("A -> X <- H -> Y; hidden H; states X=3; fix P(X=0|A=0,H=1)=1/3")
    document, draw = convert_model_to_dictionary(model), Random(1)
    expected = algdim.dimension(model).dimension
    other, more = padded(document, draw)

    assert expected == algdim.dimension(read_model_dictionary(relabelled(document, draw))).dimension
    assert expected == algdim.dimension(read_model_dictionary(permuted(document, draw))).dimension
    assert expected + more == algdim.dimension(read_model_dictionary(other)).dimension
    assert all(len(json.dumps(less)) <= len(json.dumps(document)) for less in smaller(document))


@pytest.mark.parametrize(("text", "expected"), [("poisson: {A} -> E", 3), ("normal: {A,B} -> E; A -> B", 11)])
def test_the_oracle_of_sums_counts_what_can_be_counted(text, expected):
    """Without mixtures each rate, mean and variance of one mechanism is seen."""
    model = algdim.model(text)

    assert expected == oracle.dimension(model)
    assert 1 <= build_additive_map(model).order
