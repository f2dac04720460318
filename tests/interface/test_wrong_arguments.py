"""Whatever is given to a public function, what it raises is an error of algdim that says what was given."""

import inspect

import networkx as nx
import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim

ODD = (
    *(
        None,
        3,
        -1,
        2.5,
        float("nan"),
        10**30,
        "",
        "nonsense",
        "a\0b",
        [],
        {},
        object(),
        b"x",
        True,
        ["a"],
        (1,),
        [None],
    ),
    *({"a": 1}, {1: 2}, np.zeros(3), set()),
)
DATA = {"X1": [0, 1, 1, 0], "X2": [0, 1, 0, 1], "X3": [1, 1, 0, 0]}
TABLES = {"H": [[0.5, 0.5]], **{f"X{number}": [[0.4, 0.6], [0.3, 0.7]] for number in (1, 2)}}
FIT = algdim.fit({"X1": [0, 1]}, "states X1=2", starts=1, identify=False)

BASE = {
    "model": {"x": "2:2,2"},
    "dimension": {"model": "2:2,2"},
    "dimensions": {"models": ["2:2,2"]},
    "identify": {"model": "2:2,2"},
    "bounds": {"model": "2:2,2"},
    "compare": {"first": "2:2,2", "second": "2:2,2"},
    "constraints": {"model": "2:2,2"},
    "decompose": {"model": "2:2,2"},
    "explain": {"model": "2:2"},
    "prove": {"model": "2:2,2"},
    "parametrization": {"model": "2:2"},
    "export": {"model": "A -> B", "to": "dagitty"},
    "fit": {"data": DATA, "model": "X1 -> X2", "starts": 1, "iterations": 5},
    "fit_at": {"data": DATA, "model": "2:2,2", "parameters": TABLES},
    "score": {"data": DATA, "model": "X1 -> X2 -> X3", "score": "bic", "starts": 1},
    "select": {"data": DATA, "classes": "1", "score": "bic", "by": "bic", "starts": 1},
    "simulate": {"model": "2:2,2", "at": TABLES, "n": 3},
    "verify": {"certificate": algdim.prove("2:2")},
    "for_estimator": {"estimator": object()},
    "divergence": {"first": FIT, "second": FIT},
    "table": {"spec": "no such table"},
    "query": {"store": "no such file"},
    "check": {"claims": [{"model": "2:2", "quantity": "parameters", "printed": 3}]},
    "sweep": {"models": "no such kind", "store": "no such file"},
}
"""Arguments with which a function does its work at once, or which it refuses."""

CALLED = {"progress", "executor", "workers", "known"}
"""What a program makes for itself."""

CASES = [
    (name, argument)
    for name in BASE
    for argument in inspect.signature(getattr(algdim, name)).parameters
    if argument not in CALLED
]


def test_all_functions_are_tried():
    """None is forgotten."""
    functions = {name for name in algdim.__all__ if inspect.isfunction(getattr(algdim, name))}
    assert functions == set(BASE)


@settings(max_examples=some(100), deadline=None)
@given(case=st.sampled_from(CASES), odd=st.sampled_from(ODD))
def test_odd_arguments_are_refused_in_words(case, odd):
    """One argument is odd: either it has a meaning, or the error is one of algdim."""
    name, argument = case
    try:
        getattr(algdim, name)(**{**BASE[name], argument: odd})
    except algdim.AlgdimError as error:
        said = str(error)
    else:
        return
    assert len(said) > 8


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: algdim.dimension(3), "expected the notation.*, got the int 3"),
        (lambda: algdim.dimension("2:2", method=["table"]), r"method=\['table'\]: a text is expected"),
        (lambda: algdim.dimension("2:2", method="tabel"), "did you mean 'table'"),
        (lambda: algdim.dimension("2:2", seed=1.5), "seed=1.5: an integer, a short text"),
        (lambda: algdim.dimension("A -> B", hidden=[1]), r"hidden=\[1\]: the names of variables"),
        (lambda: algdim.fit("2:2,2", DATA), "a dict stands where the model is expected; data come first"),
        (lambda: algdim.select(DATA, classes=2.5), r"the classes 2.5: .* or range\(1, 9\)"),
        (lambda: algdim.select(DATA, classes=[]), r"the classes \[\]: .* or range\(1, 9\)"),
        (lambda: algdim.select(DATA, classes=[0, 1]), "0 classes: numbers from 1 upward"),
        (lambda: algdim.select(DATA, classes="1:4"), "the classes '1:4': a range as 1..8"),
        (lambda: algdim.select(DATA, classes=range(1, 10**9)), "with numbers up to 9999"),
        (lambda: algdim.verify("no such file"), "No such file"),
        (lambda: algdim.verify(3), "a certificate is expected, not the int 3"),
        (lambda: algdim.sweep(["2:2"], "s.sqlite"), "algdim.dimensions takes a list of models"),
        (lambda: algdim.divergence(1, FIT), "a fit is expected first"),
    ],
)
def test_the_error_says_what_to_do(call, said):
    """What was given, what is allowed."""
    with pytest.raises(algdim.InputError, match=said):
        call()


def test_an_argument_that_is_not_there_is_a_type_error_as_in_python():
    """With the name that is meant, and the function's."""
    with pytest.raises(
        TypeError, match=r"dimension\(\) has no argument 'methd'; did you mean 'method'\?; it has model"
    ):
        algdim.dimension("2:2", methd="table")
    with pytest.raises(TypeError, match=r"simulate\(\): missing a required argument: 'at'"):
        algdim.simulate("2:2", n=10)


@pytest.mark.parametrize("classes", [range(1, 3), [1, 2], (1, 2), "1..2", [2, 1, 1], np.arange(1, 3)])
def test_ways_to_say_classes(classes):
    """All of them are one and two classes."""
    found = algdim.select(DATA, classes=classes, score="bic", by="bic", starts=1)
    assert [1, 2] == [one.fit.model.states["H"] for one in found.candidates]


def test_a_list_has_its_numbers_alone_and_a_number_itself():
    """Not those between; more classes than the items can use are as many as they can."""

    def classes_of(classes):
        found = algdim.select(DATA, classes=classes, score="bic", by="bic", starts=1)
        return [one.fit.model.states["H"] for one in found.candidates]

    assert [1, 3] == classes_of([3, 1])
    assert [2] == classes_of(2)
    assert [1, 4] == classes_of([1, 50])


def test_hidden_and_format_are_taken_wherever_a_model_is():
    """A graph that does not say which variable is hidden; a text of lavaan."""
    graph = nx.DiGraph([("H", "A"), ("H", "B")])
    text = algdim.model(graph, hidden=["H"])

    assert algdim.dimension(graph, hidden="H").model == text
    assert algdim.identify(graph, hidden=["H"]).report.model == text
    assert [text] == [one.model for one in algdim.dimensions([graph], hidden=["H"])]
    assert algdim.compare(graph, graph, hidden=["H"]).first.model == text
    assert algdim.explain(graph, hidden=["H"]).report.model == text
    assert "latent" in algdim.export(graph, "dagitty", hidden=["H"])
    assert algdim.prove(graph, hidden=["H"]).dimension == 3
    assert algdim.fit({"A": [0, 1], "B": [0, 1]}, graph, hidden=["H"], starts=1).model == text
    assert 3 == algdim.bounds(graph, hidden=["H"]).identifiability.dimension
    assert 3 == algdim.decompose(graph, hidden=["H"]).dimension
    assert algdim.constraints("A -> B -> C", hidden="B").model == "A -> B -> C; hidden B"
    assert 6 == algdim.dimension("f =~ x1 + x2 + x3", format="lavaan:std.lv").standard


def test_hidden_and_format_are_arguments_of_every_function_with_a_model():
    """By their signatures."""
    for name in BASE:
        arguments = inspect.signature(getattr(algdim, name)).parameters
        if {"model", "first", "structures", "models"} & set(arguments) and name not in ("sweep", "divergence"):
            assert {"hidden", "format"} <= set(arguments), name
