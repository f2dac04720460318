"""The model file: a dictionary to a model and back."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from strategies import networks

from algdim import InputError
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import parse
from algdim.models.values import read_exact_value

A, B = {"name": "A"}, {"name": "B"}


def with_rule(**rule):
    return {"variables": [A, {"name": "B", "states": 3}], "edges": [["A", "B"]], "local": {"B": rule}}


def with_table(**table):
    return {"variables": [A, B], "edges": [["A", "B"]], "local": {"B": {"type": "table", **table}}}


@given(networks(deterministic=True))
def test_round_trip(model):
    """What is written is read back as an equal record, through JSON too."""
    assert model == read_model_dictionary(convert_model_to_dictionary(model))
    assert model == read_model_dictionary(json.loads(json.dumps(convert_model_to_dictionary(model))))


def test_the_example_of_the_documents():
    """The documented example is read."""
    data = {
        "family": "discrete",
        "variables": [{"name": "H", "states": 2, "observed": False}, {"name": "X1", "states": 2, "observed": True}],
        "edges": [["H", "X1"]],
        "local": {"X1": {"type": "table", "share": "x"}},
    }

    assert Network(
        (Variable("H", observed=False), Variable("X1", parents=("H",), local=Table("x")))
    ) == read_model_dictionary(data)
    assert data == convert_model_to_dictionary(read_model_dictionary(data))


def test_defaults():
    """Variables are binary and observed, the family is discrete, there are no edges."""
    assert Network((Variable("A"),)) == read_model_dictionary({"variables": [A]})


def test_special_entries_mean_what_the_notation_means():
    """Fixed and named entries, shares and given agree with the notation."""
    data = {
        "variables": [{"name": "H", "observed": False}, {"name": "X"}, {"name": "Y"}, {"name": "Z"}],
        "edges": [["H", "X"], ["Z", "X"], ["H", "Y"], ["Z", "Y"]],
        "local": {
            "X": {"type": "table", "share": "x", "fixed": {"P(X=1|Z=0,H=1)": "1/3"}},
            "Y": {"type": "table", "share": "x", "equal": {"P(Y=0|H=0,Z=0)": "a"}},
        },
        "given": ["Z"],
    }
    text = "H, Z -> X, Y; states H=2, X=2, Y=2, Z=2; hidden H; share x: X, Y; fix P(X=1|H=1,Z=0)=1/3; equal a = P(X=0|H=0,Z=0); given Z"

    assert parse(
        f"states H=2, X=2, Y=2, Z=2; {text.replace('states H=2, X=2, Y=2, Z=2; ', '')}"
    ) == read_model_dictionary(data)


def test_rules_mean_what_the_notation_means():
    """Functions of the parents agree with the notation; their states are written like those of others."""
    data = {
        "variables": [A, {"name": "B", "states": 3}, {"name": "M", "states": 3}, {"name": "S", "states": 4}],
        "edges": [["A", "M"], ["B", "M"], ["A", "S"], ["B", "S"]],
        "local": {"M": {"type": "max"}, "S": {"type": "sum"}},
    }

    assert parse("A, B -> M, S; states B=3; max M; sum S") == read_model_dictionary(data)
    assert {"P": {"type": "parity"}, "Q": {"type": "at-least", "n": 2}} == convert_model_to_dictionary(
        parse("A, B -> P, Q; parity P; at-least 2 Q")
    )["local"]


def test_entries_of_a_share_are_written_once():
    """Special entries of a shared table stand at its first variable."""
    written = convert_model_to_dictionary(parse("H -> X, Y; hidden H; share x: X, Y; fix P(Y=1|H=0)=0"))["local"]

    assert {
        "X": {"type": "table", "share": "x", "fixed": {"P(X=1|H=0)": "0"}},
        "Y": {"type": "table", "share": "x"},
    } == written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1/3", Fraction(1, 3)),
        ("0.1", Fraction(1, 10)),
        (0.1, Fraction(1, 10)),
        (Decimal("0.10"), Fraction(1, 10)),
        (1, Fraction(1)),
        (Fraction(2, 7), Fraction(2, 7)),
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_values_are_exact(value, expected):
    """Strings, numbers and decimals are read as written."""
    assert expected == read_exact_value(value, "here")


@pytest.mark.parametrize(
    "value",
    [
        True,
        None,
        "a",
        "-1/2",
        "1/0",
        "1e5",
        [],
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        Decimal("1e100000"),
        Decimal("1e-100000"),
        pytest.param(10**9000, id="huge"),
    ],
)
def test_bad_values_are_refused(value):
    """Everything else is refused, with its place."""
    with pytest.raises(InputError, match=r"^here: "):
        read_exact_value(value, "here")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the model: a list is not a table"),
        ({}, "variables is missing"),
        ({"variables": []}, "the model is empty"),
        ({"variables": {}}, "variables is a table"),
        ({"variables": "A"}, "variables is 'A'"),
        ({"variables": [A], "edge": []}, "the model: unknown key 'edge'; allowed are family, variables, edges"),
        ({"variables": [A], 3: []}, "the key 3 is not text"),
        ({"variables": ["A"]}, "variables[0]: 'A' is not a table"),
        ({"variables": [A, {}]}, "variables[1].name is missing"),
        ({"variables": [A, {"name": 3}]}, "variables[1].name is 3"),
        ({"variables": [A, A]}, "variables[1].name: duplicate variable name A"),
        ({"variables": [{"name": "a b"}]}, "variables[0].name: 'a b' is not a name"),
        ({"variables": [{"name": "ä"}]}, "LATIN SMALL LETTER A WITH DIAERESIS is not allowed"),
        ({"variables": [{"name": ""}]}, "variables[0].name: '' is not a name"),
        ({"variables": [{"name": "hidden"}]}, "variables[0].name: 'hidden' is a clause word"),
        ({"variables": [{"name": "A", "state": 2}]}, "variables[0]: unknown key 'state'; allowed are name, states"),
        ({"variables": [A, B, {"name": "C", "states": "3"}]}, "variables[2].states is '3'"),
        ({"variables": [{"name": "A", "states": 1}]}, "variables[0].states is 1; an observed variable has"),
        ({"variables": [{"name": "A", "labels": ["a"]}]}, "variables[0].labels is"),
        ({"variables": [{"name": "A", "labels": ["a", "a"]}]}, "variables[0].labels is"),
        ({"variables": [{"name": "A", "labels": "ab"}]}, "2 different texts are expected"),
        ({"variables": [{"name": "A", "labels": []}]}, "2 different texts are expected"),
        ({"variables": [{"name": "A", "states": 0, "observed": False}]}, "a hidden variable has an integer from 1"),
        ({"variables": [{"name": "A", "states": True}]}, "variables[0].states is True"),
        ({"variables": [{"name": "A", "states": 2.0}]}, "variables[0].states is 2.0"),
        ({"variables": [{"name": "A", "states": 10**5000}]}, "variables[0].states is a huge number"),
        ({"variables": [{"name": "A", "observed": 1}]}, "variables[0].observed is 1; true or false"),
        ({"variables": [{"name": "A", "observed": False}]}, "all variables are hidden"),
        ({"variables": [A], "edges": {}}, "edges is a table"),
        ({"variables": [A], "edges": [["A"]]}, "edges[0] is a list; a pair"),
        ({"variables": [A], "edges": ["AB"]}, "edges[0] is 'AB'; a pair"),
        ({"variables": [A], "edges": [["A", 1]]}, "edges[0] is a list; a pair"),
        ({"variables": [A], "edges": [["A", "C"]]}, "edges[0]: there is no variable C"),
        ({"variables": [A], "edges": [["A", "A"]]}, "edges[0]: an edge from A to itself"),
        ({"variables": [A, B], "edges": [["A", "B"], ["A", "B"]]}, "edges[1]: the edge A -> B occurs twice"),
        ({"variables": [A, B], "edges": [["A", "B"], ["B", "A"]]}, "the edges form a cycle"),
        (
            {"variables": [A], "family": "weibull"},
            "family: 'weibull' is not available in this version; available: discrete",
        ),
        ({"variables": [A], "family": 3}, "family: 3 is not available"),
        ({"variables": [A], "family": []}, "family: a list is not available"),
        ({"variables": [A], "local": []}, "local: a list is not a table"),
        ({"variables": [A], "local": {"C": {"type": "table"}}}, "local.C: there is no variable C; known are A"),
        ({"variables": [A], "local": {"A": "table"}}, "local.A: 'table' is not a table"),
        ({"variables": [A], "local": {"A": {}}}, "local.A.type is missing; available: table"),
        (
            {"variables": [A], "local": {"A": {"type": "max"}}},
            "local.A: A is a function of its parents (max) and has none",
        ),
        (with_rule(type="max"), "local.B: B has 3 states; as a function (max) of A (2) it has 2"),
        (with_rule(type="sum", n=2), "local.B: unknown key 'n'; allowed are type"),
        (with_rule(type="parity"), "local.B: B has 3 states; as a function (parity) of A (2) it has 2"),
        (with_rule(type="at-least"), "local.B.n is missing; the number of parents"),
        (with_rule(type="at-least", n=0), "local.B.n is 0; the number of parents"),
        (with_rule(type="at-least", n=True), "local.B.n is True"),
        (with_rule(type="at-least", n="2"), "local.B.n is '2'"),
        (with_rule(type="at-least", n=2, share="x"), "unknown key 'share'; allowed are type, n"),
        (
            {"variables": [A, B], "edges": [["A", "B"]], "local": {"B": {"type": "at-least", "n": 2}}},
            "local.B: B asks for at least 2 of 1 parents; 1 to 1 is allowed",
        ),
        (
            {"variables": [A], "local": {"A": {"type": "softmax"}}},
            "local.A.type: 'softmax' is not available in this version; available: table",
        ),
        ({"variables": [A], "given": "A"}, "given: 'A' is not a list of names"),
        ({"variables": [A], "given": ["C"]}, "given C: there is no variable C"),
        ({"variables": [A], "given": ["A"]}, "every observed variable is conditioned on"),
        (with_table(shared="x"), "local.B: unknown key 'shared'; allowed are type, share, fixed, equal"),
        (with_table(tree={}), "local.B.tree: a node has one key, the parent that it asks, not 0"),
        (with_table(share=3), "local.B.share is 3"),
        (with_table(share="a b"), "local.B.share: 'a b' is not a name"),
        (with_table(share="A"), "share A: a variable outside the share has this name too"),
        (with_table(fixed=[]), "local.B.fixed: a list is not a table"),
        (with_table(fixed={"P(B=1|A=0)": "x"}), "local.B.fixed['P(B=1|A=0)']: 'x' is not a value"),
        (with_table(fixed={"P(B=1|A=0)": 2}), "local.B: P(B=1|A=0) is fixed to 2; a probability"),
        (with_table(fixed={"P(B=1|A=0)": 10**3900}), "is fixed to a huge number"),
        (with_table(fixed={"P(B=1|A=0)": "1/3", "P(B=0|A=0)": "1/3"}), "sums to 2/3; a fixed row sums to 1"),
        (with_table(fixed={"P(B=1|A=0)": "1/3", "P(B=1 | A=0)": "1/3"}), "this entry is fixed or named 2 times"),
        (with_table(fixed={"P(A=1)": "1/3"}), "this is an entry of A, not of B"),
        (with_table(fixed={"P(B=1)": "1/3"}), "must name the state of its parent A"),
        (with_table(fixed={"P(B=1|A=2)": "1/3"}), "A has the states 0 to 1, not 2"),
        (with_table(fixed={"B=1": "1/3"}), "an entry such as P(X=1|H=0) is expected"),
        (with_table(equal={"P(B=1|A=0)": 1}), "local.B.equal['P(B=1|A=0)'] is 1; a name"),
        (with_table(equal={"P(B=1|A=0)": "1"}), "'1' is not a name"),
        (with_table(fixed={"P(B=1|A=0)": "1/3"}, equal={"P(B=1|A=0)": "a"}), "this entry is fixed or named 2 times"),
    ],
)
def test_bad_dictionaries_are_refused(data, message):
    """Each wrong dictionary is refused with its place."""
    with pytest.raises(InputError) as caught:
        read_model_dictionary(data)

    assert message in str(caught.value)


def test_sums_of_many_digits_are_refused_in_short():
    """A wrong sum with thousands of digits is told approximately."""
    fixed = {"P(B=1|A=0)": f"1/{10**3900 + 1}", "P(B=0|A=0)": f"1/{10**3900 + 3}"}

    with pytest.raises(InputError, match="sums to about"):
        read_model_dictionary(with_table(fixed=fixed))
