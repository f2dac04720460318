"""The ALARM network that ships with the examples is the published one, and hiding some of it changes nothing else."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from math import prod

import pytest
from alarm import alarm, alarm_drawn, alarm_most_children, drawn, most_children, piece, with_hidden
from amount import IS_ALL, in_turn
from amount import drawn as some_of

from algdim import dimension
from algdim.families.discrete.map import get_param_map

# The network as the manual of the R package bnlearn prints it, under `alarm`: [node|parent:parent] …
MODEL_STRING = (
    "[HIST|LVF][CVP|LVV][PCWP|LVV][HYP][LVV|HYP:LVF][LVF][STKV|HYP:LVF][ERLO][HRBP|ERLO:HR][HREK|ERCA:HR][ERCA]"
    "[HRSA|ERCA:HR][ANES][APL][TPR|APL][ECO2|ACO2:VLNG][KINK][MINV|INT:VLNG][FIO2][PVS|FIO2:VALV][SAO2|PVS:SHNT]"
    "[PAP|PMB][PMB][SHNT|INT:PMB][INT][PRSS|INT:KINK:VTUB][DISC][MVS][VMCH|MVS][VTUB|DISC:VMCH][VLNG|INT:KINK:VTUB]"
    "[VALV|INT:VLNG][ACO2|VALV][CCHL|ACO2:ANES:SAO2:TPR][HR|CCHL][CO|HR:STKV][BP|CO:TPR]"
)

LONG_NAMES = {
    "HIST": "HISTORY",
    "LVF": "LVFAILURE",
    "LVV": "LVEDVOLUME",
    "HYP": "HYPOVOLEMIA",
    "STKV": "STROKEVOLUME",
    "ERLO": "ERRLOWOUTPUT",
    "HREK": "HREKG",
    "ERCA": "ERRCAUTER",
    "HRSA": "HRSAT",
    "ANES": "INSUFFANESTH",
    "APL": "ANAPHYLAXIS",
    "ECO2": "EXPCO2",
    "ACO2": "ARTCO2",
    "VLNG": "VENTLUNG",
    "KINK": "KINKEDTUBE",
    "MINV": "MINVOL",
    "INT": "INTUBATION",
    "PVS": "PVSAT",
    "VALV": "VENTALV",
    "SHNT": "SHUNT",
    "PMB": "PULMEMBOLUS",
    "PRSS": "PRESS",
    "VTUB": "VENTTUBE",
    "DISC": "DISCONNECT",
    "MVS": "MINVOLSET",
    "VMCH": "VENTMACH",
    "CCHL": "CATECHOL",
}

# Numbers of levels in the same manual, where they are not 3.
TWO_LEVELS = "HIST HYP LVF ERLO ERCA ANES APL KINK FIO2 PMB SHNT DISC CCHL".split()
FOUR_LEVELS = "ECO2 MINV PRSS VMCH VTUB VLNG VALV".split()

FREE_PARAMETERS = 509  # the numbers less one per row of the tables in pgmpy's alarm.bif, counted


def long(name):
    """The name in pgmpy's file of a node in bnlearn's manual."""
    return LONG_NAMES.get(name, name)


def test_size_is_the_published_one():
    """37 variables and 46 edges, as every description of ALARM says."""
    assert (37, 46) == (len(alarm().variables), len(alarm().edges))


def test_edges_are_those_of_another_source():
    """Edge by edge, the network is the one that the R package bnlearn documents under shorter names."""
    printed = set()
    for node, parents in re.findall(r"\[(\w+)(?:\|([\w:]+))?\]", MODEL_STRING):
        printed |= {(long(parent), long(node)) for parent in parents.split(":") if parent}

    assert printed == set(alarm().edges)


def test_states_are_those_of_another_source():
    """The numbers of states agree with the R package bnlearn's manual."""
    printed = dict.fromkeys(alarm().states, 3)
    printed |= {long(name): 2 for name in TWO_LEVELS}
    printed |= {long(name): 4 for name in FOUR_LEVELS}

    assert printed == alarm().states


def test_parameters_are_as_many_as_the_source_has():
    """The tables of the source have 509 free entries; so has the map, and so has the product formula."""
    network = alarm()
    counted = sum(
        (variable.states - 1) * prod(network.states[parent] for parent in variable.parents)
        for variable in network.variables
    )

    assert FREE_PARAMETERS == counted
    assert FREE_PARAMETERS == len(get_param_map(network).parameters)


def test_no_cycle():
    """The edges have a topological order, with every parent before its children."""
    network = alarm()
    order = list(TopologicalSorter({v.name: v.parents for v in network.variables}).static_order())

    assert all(order.index(parent) < order.index(child) for parent, child in network.edges)


def test_most_children():
    """Four variables have more than two children, and of the nine with two the first in the file is the fifth."""
    names = most_children(alarm())

    assert ("INTUBATION", "HR", "LVFAILURE", "VENTLUNG", "HYPOVOLEMIA") == names
    assert set(names) == {variable.name for variable in alarm_most_children().hidden}


def test_drawn_variables_depend_on_the_seed_alone():
    """Five different variables, the same for the same seed."""
    first = drawn(alarm(), 0)

    assert 5 == len(set(first))
    assert first == drawn(alarm(), 0)
    assert len({drawn(alarm(), seed) for seed in range(20)}) > 1
    assert set(first) == {variable.name for variable in alarm_drawn(0).hidden}


def test_hiding_changes_nothing_else():
    """Edges, states and parameters stay when variables are hidden."""
    for hidden in (alarm_most_children(), alarm_drawn(1)):
        assert 5 == len(hidden.hidden)
        assert alarm().edges == hidden.edges
        assert alarm().states == hidden.states
        assert FREE_PARAMETERS == len(get_param_map(hidden).parameters)


def test_hiding_what_is_not_there():
    """A name that the network does not have is refused."""
    with pytest.raises(ValueError, match="NOBODY"):
        with_hidden(alarm(), ["HR", "NOBODY"])


WHOLE = "counting,ambient,chance"


@pytest.mark.parametrize("network", [alarm_most_children, alarm_drawn])
def test_five_hidden_variables_are_no_trouble(network):
    """2^47 cells and more: the districts and the whole give the same number, and it is proved."""
    report = dimension(network())

    assert report.exact
    assert report.dimension == dimension(network(), bounds="districts,counting,chance").dimension


@in_turn(3)
@pytest.mark.drawn
def test_pieces_agree_with_their_tables():
    """Connected pieces with two hidden variables: all cells and probes, with districts and without."""
    pieces = [found for seed in some_of(range(40), 12) if (found := piece(seed)) is not None]

    assert (20 if IS_ALL else 1) <= len(pieces)
    for model in pieces:
        found = {
            dimension(model, method=method, bounds=bounds).dimension
            for method in ("table", "probes")
            for bounds in (WHOLE, f"{WHOLE},districts")
        }
        assert 1 == len(found), model
