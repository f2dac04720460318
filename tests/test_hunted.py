"""Wrong results and crashes that were hunted down, each with the smallest model that showed it."""

import json

import pytest

import algdim
from algdim.cli import main

TIES = "states A=3; hidden A; equal x=P(A=0); equal y=P(A=1); "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TIES + "C -> B; states B=3; equal z=P(A=2), P(B=0|C=0), P(B=0|C=1)", 4),
        (TIES + "states B=3; equal z=P(A=2), P(B=0), P(B=1)", 1),
        (TIES + "states B=3; equal z=P(A=2), P(B=0)", 2),
        (TIES + "C -> B; equal z=P(A=2), P(B=0|C=0)", 3),
    ],
)
def test_ties_through_a_removed_variable_leave_parameters_that_are_no_entries(text, expected):
    """One table whose entry is 1 − x − y has two parameters and one degree of freedom."""
    report = algdim.dimension(text)

    assert expected == report.dimension == algdim.dimension(text, method="rational").dimension
    assert report.lower.value <= report.upper.value


def test_a_point_is_found_where_parameters_are_no_entries():
    """The rank at given tables needs some parameters that give these tables."""
    tables = {"A": [["1/4", "1/4", "1/2"]], "C": [["1/2", "1/2"]], "B": [["1/2", "1/2"], ["1/3", "2/3"]]}
    report = algdim.dimension(TIES + "C -> B; equal z=P(A=2), P(B=0|C=0)", at=tables)

    assert (3, True) == (report.at.rank, report.at.regular)


def test_a_share_may_have_the_name_of_its_member():
    """Also where that member is a parent outside of a district."""
    assert 3 == algdim.dimension("A -> X -> Y; share X: X, Y").dimension


@pytest.mark.parametrize("arguments", [("dim", "--method", "symbolic"), ("map",)])
def test_polynomials_with_too_many_terms_are_refused(arguments, capsys):
    """Thirty hidden variables in a chain have few cells and 2^30 terms in each."""
    names = [f"H{number}" for number in range(30)]
    text = f"{' -> '.join(names)} -> X; hidden {', '.join(names)}"

    assert 3 == main([arguments[0], text, *arguments[1:]])
    assert "terms" in capsys.readouterr().err


def test_many_named_entries_need_no_linear_program():
    """Rows whose entries all have names of their own can be uniform."""
    rows = range(300)
    equal = "; ".join(f"equal e{row}x{state} = P(B={state}|A={row})" for row in rows for state in range(3))

    assert 299 + 600 == algdim.dimension(f"A -> B; states A=300, B=3; {equal}").dimension


def test_parents_with_one_state_do_not_count():
    """More of them than an array has axes are no reason to fail."""
    names = [f"H{number}" for number in range(70)]
    text = f"{', '.join(names)} -> X; hidden {', '.join(names)}; states {', '.join(f'{name}=1' for name in names)}"

    assert 1 == algdim.dimension(text).dimension


def test_a_number_that_proves_nothing_is_not_called_a_bound():
    """Floating point gives no theorem, also where the upper bound is one."""
    assert "numerical, proves nothing" == algdim.dimension("3:2,2,2,2", bounds="counting", method="float").trust


def test_control_characters_are_not_echoed(tmp_path, capsys):
    """A message about a file does not let the file write to the terminal."""
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({"A": [["1/2", "1/2"]], "\x1b[31mRED": 1}))

    assert 2 == main(["dim", "A -> B", "--at", str(path)])
    assert "\x1b" not in capsys.readouterr().err
