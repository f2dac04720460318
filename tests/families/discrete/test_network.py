"""The record of a discrete model: what is refused, and with which words."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from strategies import networks

from algdim import InputError
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable, merge_shared_entries
from algdim.models.values import MOST_STATES


def variable(name, *parents, states=2, observed=True, local=None):
    """A variable with its parents."""
    return Variable(name, states, observed, parents, Table() if local is None else local)


FIXED = Table(fixed=((((), 0), Fraction(1, 3)),))


@pytest.mark.parametrize(
    ("variables", "given_names", "message"),
    [
        ([], (), "the model is empty"),
        ([variable("A"), variable("A")], (), "duplicate variable name A"),
        ([variable("A", states=1)], (), "A has 1 state; an observed variable has 2 to"),
        ([variable("A"), variable("H", states=0, observed=False)], (), "H has 0 states; a hidden variable has 1 to"),
        ([variable("A", states=MOST_STATES + 1)], (), f"A has {MOST_STATES + 1} states"),
        ([variable("A", observed=False), variable("B", "A", observed=False)], (), "all variables are hidden"),
        ([variable("A", "B")], (), "the edge B -> A: there is no variable B; known are A"),
        ([variable("A"), variable("B", "A", "A")], (), "the edge A -> B occurs twice"),
        ([variable("A", "A")], (), "cycle: A -> A"),
        ([variable("A", "C"), variable("B", "A"), variable("C", "B")], (), "the edges form a cycle"),
        ([variable("A"), variable("B")], ("C",), "given C: there is no variable C; known are A, B"),
        ([variable("A"), variable("B")], ("A", "A"), "given A, A: a name occurs twice"),
        ([variable("A"), variable("H", observed=False)], ("H",), "H is hidden"),
        ([variable("A"), variable("B", "A")], ("B",), "B has the parents A"),
        ([variable("A", local=FIXED), variable("B")], ("A",), "A has a local map of its own"),
        ([variable("A"), variable("H", observed=False)], ("A",), "every observed variable is conditioned on"),
    ],
)
def test_a_wrong_model_is_refused(variables, given_names, message):
    """The message names the variable or the edge and says what is allowed."""
    with pytest.raises(InputError, match=message):
        Network(tuple(variables), given_names)


def test_the_cycle_is_printed_along_its_edges():
    """Each arrow of the printed cycle is an edge of the model."""
    variables = (variable("A", "C"), variable("B", "A"), variable("C", "B"), variable("D", "A"))
    with pytest.raises(InputError) as caught:
        Network(variables)
    names = str(caught.value).partition(": ")[2].partition(";")[0].split(" -> ")
    edges = {(parent, child.name) for child in variables for parent in child.parents}

    assert names[0] == names[-1]
    assert set() == set(pairwise(names)) - edges


def test_a_model_is_frozen():
    """Nothing of a model can be changed."""
    model = Network((variable("A"),))
    with pytest.raises(FrozenInstanceError):
        model.given = ("A",)
    with pytest.raises(FrozenInstanceError):
        model.variables[0].states = 3


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            [variable("A", local=Table("s")), variable("B", states=3, local=Table("s"))],
            "share s: A and B have tables of different shape",
        ),
        (
            [variable("A", local=Table("s")), variable("B", "A", local=Table("s"))],
            "share s: A and B have tables of different shape",
        ),
        (
            [variable("A", local=Table("s")), variable("B", local=Table("s", FIXED.fixed))],
            "share s: A and B fix or name entries differently",
        ),
        ([variable("A", local=Table("B")), variable("B")], "share B: a variable outside the share has this name"),
    ],
)
def test_shared_tables_must_be_one_table(variables, message):
    """Members of a share have the same shape and the same special entries."""
    with pytest.raises(InputError, match=message):
        Network(tuple(variables))


def test_a_share_may_have_the_name_of_a_member():
    """The name of the table is then the variable's own."""
    model = Network((variable("A", local=Table("A")), variable("B", local=Table("A"))))

    assert ("A", "A") == tuple(member.local.share for member in model.variables)


def test_special_entries_of_a_share_are_gathered():
    """What is fixed at one member holds for all."""
    first, second = merge_shared_entries(
        [variable("A", local=Table("s", FIXED.fixed)), variable("B", local=Table("s"))]
    )

    assert first.local == second.local
    assert FIXED.fixed == first.local.fixed


@given(networks())
def test_views_of_a_model_are_consistent(model):
    """Observed and hidden variables are all of them; edges, states and parents tell the same graph."""
    assert set(model.variables) == set(model.observed) | set(model.hidden)
    assert len(model.variables) == len(model.observed) + len(model.hidden)
    assert sum(len(v.parents) for v in model.variables) == len(model.edges) == len(set(model.edges))
    for child in model.variables:
        assert tuple(parent for parent, name in model.edges if name == child.name) == child.parents
    assert hash(model) == hash(Network(model.variables, model.given))
