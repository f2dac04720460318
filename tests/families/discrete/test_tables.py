"""Tables: which special entries are allowed, and what they become in the map."""

from fractions import Fraction

import brute
import pytest
from amount import in_turn, some
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from algdim import InputError, dimension
from algdim.families.discrete.locals.table import Table, format_cell, format_row
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_value

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def observed(name="A", states=3, parents=(), fixed=(), equal=(), share=None):
    """An observed variable with special entries."""
    return Variable(name, states, True, parents, Table(share, tuple(fixed), tuple(equal)))


def named(*labels, row=()):
    """Names for the first entries of a row; None leaves one free."""
    return [((row, state), label) for state, label in enumerate(labels) if label]


@pytest.mark.parametrize(
    ("fixed", "equal", "message"),
    [
        ([(((), 3), HALF)], [], "A has states 0 to 2, not 3"),
        ([(((), -1), HALF)], [], "A has states 0 to 2, not -1"),
        ([(((0,), 1), HALF)], [], "an entry of A names 1 parent states; the parents of A are: no parents"),
        ([(((), 0), HALF), (((), 0), THIRD)], [], r"P\(A=0\): this entry is fixed or named 2 times"),
        ([(((), 0), HALF)], [(((), 0), "a")], r"P\(A=0\): this entry is fixed or named 2 times"),
        ([(((), 0), Fraction(3, 2))], [], r"P\(A=0\) is fixed to 3/2; a probability between 0 and 1"),
        ([(((), 0), Fraction(-1, 2))], [], r"P\(A=0\) is fixed to -1/2"),
        (
            [(((), state), THIRD / 2) for state in range(3)],
            [],
            r"row P\(A\) is fixed and sums to 1/2; a fixed row sums to 1",
        ),
        ([(((), 0), HALF), (((), 1), 2 * THIRD)], [], r"row P\(A\): its fixed entries sum to 7/6; at most 1"),
        ([(((), 0), Fraction(1))], [], r"row P\(A\): its fixed entries sum to 1 already"),
    ],
)
def test_impossible_tables_are_refused(fixed, equal, message):
    """The message names the entry or the row."""
    with pytest.raises(InputError, match=message):
        Network((observed(fixed=fixed, equal=equal),))


def test_the_order_of_special_entries_does_not_matter():
    """Tables are equal when they have the same special entries."""
    entries = ((((), 0), HALF), (((), 1), THIRD))

    assert Table(fixed=entries) == Table(fixed=entries[::-1])
    assert Table().is_free
    assert not Table(fixed=entries).is_free


def test_rows_and_entries_are_printed_as_probabilities():
    """The printed form is the one that the notation reads."""
    parents = (("H", 2), ("B", 3))

    assert "P(A|H=1,B=2)" == format_row((1, 2), "A", parents)
    assert "P(A=0|H=1,B=2)" == format_cell(((1, 2), 0), "A", parents)
    assert "P(A=0)" == format_cell(((), 0), "A", ())


@given(st.one_of(st.fractions(max_denominator=10**9), st.fractions().map(lambda value: value / 7**40)))
def test_short_values_are_printed_exactly(value):
    """A fraction of few digits is printed as it is, a long one approximately."""
    is_short = max(abs(value.numerator), value.denominator) < 2**100

    assert is_short == (format_value(value) == str(value))
    assert is_short != format_value(value).startswith("about ")


def test_huge_values_are_printed():
    """No value is too large for a message."""
    assert "a huge number" == format_value(Fraction(10**5000))
    assert format_value(Fraction(1, 10**5000)).startswith("about 0")


@pytest.mark.parametrize(
    ("variables", "standard", "true"),
    [
        # two names in one row, one entry left
        ([observed("A", 3, equal=named("a", "b"))], 2, 2),
        # the same name twice: (a, a, 1 − 2a)
        ([observed("A", 3, equal=named("a", "a"))], 1, 1),
        # (a, a) can only be (1/2, 1/2)
        ([observed("A", 2, equal=named("a", "a"))], 0, 0),
        # A = (a, 1 − a), B = (a, 1 − a): one parameter for two variables
        ([observed("A", 2, equal=named("a")), observed("B", 2, equal=named("a"))], 1, 1),
        # A = (a, b): a tie, b = 1 − a; C = (b, free, free)
        ([observed("A", 2, equal=named("a", "b")), observed("C", 3, equal=named("b"))], 2, 2),
        # ties through three tables: a + b = 1, b + c + d = 1, d = 1/4: all from one parameter
        (
            [
                observed("A", 2, equal=named("a", "b")),
                observed("B", 3, equal=named("b", "c", "d")),
                observed("C", 3, equal=named("d", None, None), fixed=[(((), 1), HALF)]),
            ],
            2,
            2,
        ),
        # half is fixed, so (1/2, a, b) leaves one
        ([observed("A", 3, fixed=[(((), 0), HALF)], equal=named(None, "a", "b"))], 1, 1),
        # a zero in a table
        ([observed("A", 3, fixed=[(((), 2), Fraction(0))])], 1, 1),
    ],
)
def test_names_tie_parameters(variables, standard, true):
    """Names reduce parameters, also where a row consists of names only."""
    model = Network(tuple(variables))

    assert standard == len(get_param_map(model).parameters) == brute.standard(model)
    assert true == dimension(model).dimension == brute.dimension(model)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        # a + b = 1 in A leaves nothing for the free entry of B
        ([observed("A", 2, equal=named("a", "b")), observed("B", 3, equal=named("a", "b"))], "no positive values"),
        # the same, and C leaves room for its free entry
        (
            [
                observed("A", 2, equal=named("a", "b")),
                observed("B", 3, equal=named("a", "b")),
                observed("C", 2, equal=named("a")),
            ],
            "no positive values",
        ),
        # a = 1/2 and a = 1/3
        (
            [observed("A", 2, equal=named("a", "a")), observed("B", 3, equal=named("a", "a", "a"))],
            "contradict each other",
        ),
        # (a, a, a, a) = 1/4 each, but b + 3/4 + a = 1 leaves b = 0
        (
            [
                observed("A", 4, equal=named("a", "a", "a", "a")),
                observed("B", 3, fixed=[(((), 0), Fraction(3, 4))], equal=named(None, "a", "b")),
            ],
            "no positive values",
        ),
        (
            [observed("A", 3, fixed=[(((), 0), HALF), (((), 1), HALF)], equal=named(None, None, "a"))],
            "sum to 1|no positive",
        ),
    ],
)
def test_names_that_cannot_be_positive_are_refused(variables, message):
    """The message names the rows that contradict each other."""
    with pytest.raises(InputError, match=message):
        get_param_map(Network(tuple(variables)))


def test_a_tie_survives_the_removal_of_its_variable():
    """A hidden variable that drops out may still tie names: P(X|A=0) = (a, b) says that a + b = 1."""
    model = Network(
        (
            observed("A", 2, equal=named("a")),
            observed("B", 2, equal=named("b")),
            Variable("X", 2, False, ("A",), Table(equal=tuple(named("a", "b", row=(0,))))),
        )
    )

    assert 1 == brute.dimension(model)
    assert 1 == dimension(model).dimension


@st.composite
def tied_models(draw):
    """Small networks with fixed and named entries anywhere, also in whole rows."""
    names = "ABC"[: draw(st.integers(1, 3))]
    shown = draw(st.sampled_from(names))
    variables = []
    for number, name in enumerate(names):
        parents = tuple(parent for parent in names[:number] if draw(st.booleans()))
        states = draw(st.integers(2, 3))
        rows = [()]
        for parent in parents:
            rows = [(*row, state) for row in rows for state in range(variables[names.index(parent)].states)]
        fixed, equal = [], []
        for row in rows:
            for state in range(states):
                kind = draw(st.sampled_from(("free", "named", "named", "fixed")))
                if kind == "fixed":
                    fixed.append(((row, state), draw(st.sampled_from((Fraction(0), Fraction(1, 4), THIRD, HALF)))))
                if kind == "named":
                    equal.append(((row, state), draw(st.sampled_from("abcd"))))
        hidden = name != shown and draw(st.booleans())
        variables.append(Variable(name, states, not hidden, parents, Table(None, tuple(fixed), tuple(equal))))
    return variables


@in_turn(2)
@settings(max_examples=some(60))
@given(tied_models())
def test_ties_agree_with_the_equations(variables):
    """Parameters and dimension are those of the linear equations that rows and names are."""
    try:
        model = Network(tuple(variables))
        report = dimension(model)
    except InputError:
        reject()  # such a table is impossible

    assert brute.standard(model) == report.standard
    assert brute.dimension(model) == report.dimension
