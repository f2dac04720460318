"""What the steps of the page say: pictures of evidence that are true, gradients, exercises with computed answers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from amount import daily

from algdim import dimension
from algdim import explain as explain_again
from algdim.exact.flint import reduce_rows_by_flint
from algdim.explanation.lecture.consequences import find_exercises, write_sentence
from algdim.explanation.lecture.lower import find_special_points
from algdim.explanation.lecture.upper import find_gradient
from algdim.explanation.standing import evaluate_at_point
from algdim.families import load_explaining
from algdim.families.contract import GridSum

explain = cache(explain_again)

GRIDS = [
    "3:2,2,2,2",
    "gaussian: H -> A, B, C, D; hidden H; means off",
    "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G; F <-> G",
]


@pytest.mark.parametrize("text", daily(GRIDS, 3))
def test_grids_are_sums_of_rank_one(text):
    """The parts add up to the matrix exactly, each has rank one, and there are as many as the evidence says."""
    found = explain(text)
    pictures = load_explaining(found.report.model.family).picture_bound(
        found.standing.pmap, found.standing.point, found.report.upper
    )
    grids = [one for one in pictures if isinstance(one, GridSum)]

    assert grids
    for one in grids:
        for i, row in enumerate(one.whole):
            for j, value in enumerate(row):
                assert value == sum(part[i][j] for _, part in one.parts)
        for _, part in one.parts:
            assert 1 == len(reduce_rows_by_flint([list(row) for row in part]).pivots)
        assert len(one.parts) == len(reduce_rows_by_flint([list(row) for row in one.whole]).pivots)


@pytest.mark.parametrize("text", ["5(2,3(2,2),3(2,2))", "3(2,2(2,2),2(2,2))", "4(3,2(2,2),3(2,2),2(2,2,2))"])
def test_trees_add_up(text):
    """The labels at nodes, less those at edges, are the bound."""
    found = explain(text)
    (one,) = load_explaining("discrete").picture_bound(found.report.preparation.whole_map, (), found.report.upper)
    nodes = sum(int(label) for label in one.nodes.values())
    edges = sum(int(label.replace("−", "-")) for label in one.edges.values())

    assert found.report.upper.value == nodes + edges
    assert {variable.name for variable in found.report.model.hidden} == set(one.nodes)


def test_the_gradient_of_a_determinant():
    """A determinant is linear in each entry: the difference quotient is exact."""
    found = explain("3:2,2,2,2")
    names = list(found.standing.pmap.coordinates())
    gradients = []
    for one in found.equations[0]:
        gradient = find_gradient(found.standing, one)
        gradients.append(gradient)
        for number, name in enumerate(names):
            moved = [
                [value + (Fraction(1) if entry == name else 0) for entry, value in zip(row, numbers, strict=True)]
                for row, numbers in zip(one.names, one.numbers, strict=True)
            ]
            assert determinant(moved) - one.value == gradient[number]

    assert 3 == len(gradients)
    assert 2 == len(reduce_rows_by_flint(gradients).pivots)


def determinant(matrix):
    """By Leibniz along the first row."""
    if not matrix:
        return Fraction(1)
    return sum(
        (-1) ** j * value * determinant([row[:j] + row[j + 1 :] for row in matrix[1:]])
        for j, value in enumerate(matrix[0])
    )


def test_why_three_equations_are_two():
    """The page says it, with the dependence."""
    shown = "".join(next(step.parts for step in explain("3:2,2,2,2").lecture().steps if step.key == "upper"))

    assert "Why do 3 equations not take 3 dimensions away" in shown
    assert "∇3 = −∇1 + ∇2" in shown
    assert "They span 2 directions" in shown
    assert "The dimension is at most 13 (proved)." in shown
    assert "The reason (lemmas " in shown


ASKED = [
    "3:2,2,2,2",
    "gaussian: H -> A, B, C, D; hidden H; means off",
    "poisson: {C1,C2},{C3} -> E",
    "loglinear: {A,H}, {B,H}; hidden H",
]


@pytest.mark.parametrize("text", daily(ASKED, 2))
def test_three_exercises(text):
    """Each with its answer; those about another model have its numbers."""
    found = explain(text)
    exercises = list(find_exercises(found.report, found.standing))
    vary = load_explaining(found.report.model.family).vary

    assert 3 == len(exercises)
    answers = dict(exercises)
    for question, model in vary(found.report.model) if vary else ():
        if question in answers:
            assert f"dimension {dimension(model).dimension} (" in answers[question]


def test_the_sentence_says_what_is_known():
    """A dimension that is not proved is not called so."""
    probable = dimension("H1 -> X1, X3, X4; H2 -> X2, X4, X5; H3 -> X1, X3, X5; hidden H1, H2, H3")

    assert "(proved" not in write_sentence(probable)
    assert "probable" in write_sentence(probable)
    assert "not all parameters are identified" in write_sentence(dimension("2:2,2"))
    assert "identified" not in write_sentence(dimension("2:2,2,2"))


@pytest.mark.parametrize(
    "text", daily(["3:2,2,2,2", "max: {C1,C2},{C3} -> E", "gaussian: A -> B -> C", "loglinear: {A,B}, {B,C}, {A,C}"], 2)
)
def test_special_points_are_special(text):
    """In every family where some are shown, the exact rank is smaller."""
    standing = explain(text).standing
    for point, rank in find_special_points(standing).values():
        assert rank == evaluate_at_point(standing.pmap, point, "").rank < standing.rank


def test_states_that_entries_speak_of():
    """No question takes a state away from a hidden variable of which fixed or named entries speak."""
    for clause in ("equal a = P(X1=0|H=0), P(X1=0|H=2)", "fix P(X1=0|H=2)=1/3"):
        found = explain(f"H -> X1, X2, X3; hidden H; states H=3; {clause}")
        questions = [question for question, _ in find_exercises(found.report, found.standing)]

        assert questions
        assert not any("2 states" in question for question in questions)
