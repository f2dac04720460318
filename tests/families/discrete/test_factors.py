"""The map of a discrete model: names, sizes, shared arrays, coordinates."""

from fractions import Fraction

import brute
import pytest
from amount import some
from hypothesis import given, settings
from strategies import networks

import algdim
from algdim import InputError
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable


@given(networks())
@settings(max_examples=some(60))
def test_counts_are_those_of_the_equations(model):
    """Parameters, cells and the saturated dimension agree with the brute force."""
    pmap = get_param_map(model)

    assert brute.standard(model) == len(pmap.parameters) == len(set(pmap.parameters))
    assert brute.complete(model) == pmap.complete
    assert len(brute.observed_cells(model)) == pmap.cells


def test_parameters_are_named_as_the_notation_reads_entries():
    """In order of the variables, the first parent slowest; shared tables are named by their share."""
    text = "A -> C <- B; share r: A, B; states A=3, B=3"

    assert (
        "P(r=0)",
        "P(r=1)",
        *(f"P(C=0|A={a},B={b})" for a in range(3) for b in range(3)),
    ) == get_param_map(algdim.model(text)).parameters


def test_named_entries_keep_their_names():
    """A parameter with a name has it in print."""
    equal = ((((), 0), "a"), (((), 1), "b"))
    pmap = get_param_map(Network((Variable("A", 3, local=Table(equal=equal)),)))

    assert ("a", "b") == pmap.parameters


def test_parents_of_a_shared_table_have_neutral_names():
    """A transition table that is used at every step names its parent by place."""
    pmap = get_param_map(algdim.model("A -> B -> C; share t: B, C"))

    assert ("P(A=0)", "P(t=0|pa1=0)", "P(t=0|pa1=1)") == pmap.parameters
    assert 2 == len(pmap.arrays)
    assert 3 == len(pmap.factors)
    assert ("A", "t") == pmap.owners


def test_coordinates_are_the_observed_cells():
    """The first variable slowest; conditions stand behind the bar."""
    pmap = get_param_map(algdim.model("A -> H -> B; hidden H; states B=3; given A"))

    assert [f"P(B={b}|A={a})" for a in range(2) for b in range(3)] == pmap.coordinates()
    assert (6, 4, (2, 3)) == (pmap.cells, pmap.complete, pmap.shape)


def test_variables_conditioned_on_have_no_factor():
    """Nor parameters."""
    pmap = get_param_map(algdim.model("A -> B; given A"))

    assert ("P(B=0|A=0)", "P(B=0|A=1)") == pmap.parameters
    assert 1 == len(pmap.factors)


def test_counting_cells_builds_nothing():
    """A model with 2^1000 cells has a map."""
    pmap = get_param_map(algdim.model("2:2^1000"))

    assert 2**1000 == pmap.cells
    assert 2001 == len(pmap.parameters)


def test_names_given_by_users_cannot_be_taken_for_entries():
    """A name that looks like a free entry of another table would become the same parameter, and is refused."""
    equal = ((((), 0), "P(B=0)"),)
    with pytest.raises(InputError, match=r"P\(B=0\)"):
        get_param_map(Network((Variable("A", 3, local=Table(equal=equal)), Variable("B", 3))))


def test_a_point_is_found_from_tables():
    """Fixed entries are passed over."""
    fixed = ((((0,), 0), Fraction(1, 3)),)
    model = Network((Variable("A"), Variable("B", parents=("A",), local=Table(fixed=fixed))))
    tables = {
        "A": [[Fraction(1, 4), Fraction(3, 4)]],
        "B": [[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 5), Fraction(4, 5)]],
    }

    assert [Fraction(1, 4), Fraction(1, 5)] == get_param_map(model).point(tables)


@pytest.mark.parametrize("text", ["1:2,2", "A -> H; hidden H; states H=1"])
def test_one_state_has_no_parameters(text):
    """A hidden variable with one state contributes none."""
    pmap = get_param_map(algdim.model(text))

    assert all("H=" not in name.partition("|")[0] for name in pmap.parameters)
