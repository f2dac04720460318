"""A model is the same under other names and in another order, and another one where something that means something differs."""

from __future__ import annotations

from itertools import islice

import pytest
from suites.random_gaussians import grouped_model
from suites.renamed_models import scrambled

import algdim
from algdim import compare
from algdim.explanation.comparing import EQUAL
from algdim.explanation.nesting import find_renaming, iterate_orders_of_all, iterate_state_orders
from algdim.families import load_renaming
from hunting.random_models import TURNS, model_of


@pytest.mark.parametrize("turn", range(len(TURNS)))
def test_random_models_are_recognised(turn):
    """Of every family; the names and orders are drawn."""
    for number in range(turn, 12 * len(TURNS), len(TURNS)):
        _, model = model_of("renamed", number)

        assert find_renaming(model, scrambled(model, number)) is not None, model


@pytest.mark.parametrize("number", range(12))
def test_groups_and_sums_are_recognised(number):
    """Numbers of a group that are sums of others."""
    model = grouped_model(number)

    assert find_renaming(model, scrambled(model, number)) is not None, model


@pytest.mark.parametrize("turn", range(len(TURNS)))
def test_a_renamed_model_is_equal(turn):
    """The command says so, with a proof."""
    _, model = model_of("renamed", turn)
    found = compare(model, scrambled(model, turn))

    assert EQUAL == found.relation
    assert found.trust.is_proved


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2:2,2", "2:2,2,2"),
        ("A -> B", "B -> A"),
        ("H -> X, Y; hidden H; fix P(X=0|H=0)=1/3", "H -> X, Y; hidden H; fix P(X=0|H=0)=1/4"),
        ("H -> X, Y; hidden H; fix P(X=0|H=0)=1/3", "H -> X, Y; hidden H; fix P(Y=0|H=0)=1/3"),
        ("H -> X, Y; hidden H; fix P(X=0|H=0)=1/3", "H -> X, Y; hidden H; fix P(X=1|H=0)=1/3"),
        ("A, B -> C; A, B -> D; share s: C, D", "A, B -> C; B, A -> D; share s: C, D"),
        ("A, B -> C; max C", "A, B -> C; parity C"),
        ("A, B, C -> D; at-least 2 D", "A, B, C -> D; at-least 3 D"),
        (
            "gaussian: F -> A, B; hidden F; equal l = b(F->A), b(F->B)",
            "gaussian: F -> A, B; hidden F; equal l = v(A), v(B)",
        ),
        ("gaussian: A, B; equal v(A) = 2 v(B)", "gaussian: A, B"),
        ("gaussian: A, B; equal v(A) = 2 v(B)", "gaussian: A, B; equal v(A) = 3 v(B)"),
        ("gaussian: A, B; equal v(A) = 2 v(B)", "gaussian: A, B; equal v(B) = 2 v(A)"),
        ("loglinear: {A,B}; hierarchical off", "loglinear: {A,B}"),
        ("poisson: {A},{B} -> E", "normal: {A},{B} -> E"),
        ("polynomial: parameters a, b; coordinates a, b", "polynomial: parameters a, b; coordinates a, a"),
        ("polynomial: parameters a, b; coordinates a, a", "polynomial: parameters a, b; coordinates a, b"),
        ("polynomial: parameters a; coordinates a^2", "polynomial: parameters a; coordinates a^3"),
        ("latent-profile: H -> X, Y; hidden H", "latent-profile: H -> X, Y; hidden H; covariances full"),
    ],
)
def test_other_models_are_not_the_same(first, second):
    """A renaming is a bijection that keeps all that is said."""
    assert find_renaming(algdim.model(first), algdim.model(second)) is None


def test_hidden_states_are_renumbered():
    """What is fixed in the first state of a class may be fixed in the second."""
    found = find_renaming(
        algdim.model("H -> X1, X2; hidden H; fix P(H=0)=1/3"), algdim.model("H -> X1, X2; hidden H; fix P(H=1)=1/3")
    )

    assert ("the states of H are numbered otherwise",) == found


def test_orders_of_many_states_are_not_kept():
    """Sixteen states of a class with fixed entries have 20 922 789 888 000 orders; the first ones come at once."""
    items = ", ".join(f"X{number}" for number in range(1, 5))
    model = algdim.model(f"H -> {items}; hidden H; states H=16; fix P(X1=0|H=15)=1/3")
    assert {"H": 16} == load_renaming(model.family).count_reordered(model)
    assert [{}, {"H": (*range(14), 15, 14)}] == list(islice(iterate_state_orders({"H": 16}), 2))


def test_orders_of_many_names_are_not_kept():
    """Sixty names have more orders than there is memory; the first ones come at once."""
    names = [f"H{number}" for number in range(60)]
    found = iterate_orders_of_all([names, ["G"], names])

    assert [tuple(names), ["G"], tuple(names)] == list(next(found))
    assert list(next(found)[2][-2:]) == ["H59", "H58"]


def test_all_orders_come_once():
    """As many as there are, and no class moves into another."""
    found = list(iterate_orders_of_all(["ABC", "D", "EF"]))

    assert 12 == len(found) == len(set(map(str, found)))
    assert {("ABC", "D", "EF")} == {tuple("".join(sorted(one)) for one in chosen) for chosen in found}
    assert [()] == list(iterate_orders_of_all([]))
