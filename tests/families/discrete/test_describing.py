"""Models as certificates describe them: tables written out, chains for rules, values of the names."""

from __future__ import annotations

from itertools import product

import pytest

import algdim
from algdim.certificate import checker
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.map import get_param_map

RULES = {
    "max": lambda *states: max(states),
    "sum": lambda *states: sum(states),
    "parity": lambda *states: sum(states) % 2,
}


def read(text):
    """The checker's model of a network."""
    network = algdim.model(text)
    return checker.discrete(encode_network(network, get_param_map(network)), checker.Work())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("parents", [1, 2, 3, 5])
def test_rules(rule, parents):
    """The chain has the value of the rule, for every state of the parents."""
    names = [f"X{k}" for k in range(parents)]
    model = read(f"{', '.join(names)} -> Y; {rule} Y")

    possible = {(*states, RULES[rule](*states)) for states in product(range(2), repeat=parents)}
    assert possible == model.possible(model.observed, checker.Work())


def test_names_of_chains_are_new():
    """Auxiliary variables do not take names that are there."""
    model = read("A, B, C -> Y; max Y; Y.2 -> Z")

    assert ["Y.2_"] == model.hidden


def test_ties_that_small_values_do_not_fit():
    """The values of tied names come from a linear program where small ones are not positive."""
    model = read("A -> X; states A=3; equal a = P(A=0); equal b = P(A=1); equal c = P(A=2), P(X=0|A=0)")

    assert 4 == len(model.parameters)


def test_shared_tables_stand_once():
    """A shared table has its parameters once, fixed entries and all."""
    network = algdim.model("A -> B -> C; share s: B, C; fix P(B=0|A=0)=1/3")
    claim = encode_network(network, get_param_map(network))

    assert ["s"] == list(claim["tables"])
    assert 2 == len(checker.discrete(claim, checker.Work()).parameters)
