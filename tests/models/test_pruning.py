"""Hidden variables that cannot matter."""

import brute
import pytest
from amount import in_turn, some
from hypothesis import assume, given, settings
from strategies import networks
from suites.agreement import is_small

import algdim
from algdim import dimension
from algdim.families.discrete.model import Network, Variable, find_ancestors
from algdim.models.anymodel import remove_irrelevant


@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("O -> X; hidden X", ("X",)),
        ("O -> X -> Y -> Z; hidden X, Y, Z", ("X", "Y", "Z")),
        ("H -> O; H -> X; hidden H, X", ("X",)),
        ("A -> H <- B; hidden H", ("H",)),
        ("states A=2, B=2", ()),
        ("H -> X; hidden H", ()),
        ("states A=2, H=3; hidden H", ("H",)),
    ],
)
def test_barren_variables_are_removed(text, removed):
    """A hidden variable goes if no observed one descends from it (KZ02 §1)."""
    model = algdim.model(text)
    smaller, found = remove_irrelevant(model)

    assert removed == found
    assert [v for v in model.variables if v.name not in removed] == list(smaller.variables)


@in_turn(2)
@given(networks())
def test_what_remains_is_what_leads_to_observed_variables(model):
    """Exactly the hidden variables without a path to an observed one are removed; a second time nothing is."""
    smaller, removed = remove_irrelevant(model)
    kept = {v.name for v in smaller.variables}
    children = {v.name: {c for p, c in model.edges if p == v.name} for v in model.variables}

    def reaches(name):
        return model_variable[name].observed or any(reaches(child) for child in children[name])

    model_variable = {v.name: v for v in model.variables}

    assert {name for name in model_variable if not reaches(name)} == set(removed)
    assert set(model_variable) - kept == set(removed)
    assert (smaller, ()) == remove_irrelevant(smaller)


@settings(max_examples=some(50))
@given(networks(max_variables=4, max_states=3, max_table=30))
def test_removal_does_not_change_the_distribution(model):
    """At any point, the observed distribution is the same without the variables removed."""
    assume(is_small(model))
    smaller, _ = remove_irrelevant(model)
    classes, _ = brute.equations(model)
    point = brute.random_point(model)

    def value_of(entry):
        return point[classes[entry]]

    assert brute.distribution(model, value_of, brute.PRIME) == brute.distribution(smaller, value_of, brute.PRIME)


def test_removed_variables_are_reported_and_counted():
    """The parameters of what is removed still count as standard, and so as redundant (KZ02 §1)."""
    report = dimension("O -> X; hidden X")

    assert ("X",) == report.removed
    assert (3, 1, 2) == (report.standard, report.dimension, report.redundant)
    assert "removed first: X" in str(report)


def test_ancestors_include_the_names_themselves():
    """And nothing beside the ancestors."""
    model = Network((Variable("A"), Variable("B", parents=("A",)), Variable("C", parents=("B",)), Variable("D")))

    assert {"A", "B"} == find_ancestors(model, ("B",))
    assert frozenset() == find_ancestors(model, ())
