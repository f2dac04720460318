"""What the page draws of the evidence for a network: sums over classes that add up, with the ranks that the text says."""

from __future__ import annotations

import re

import pytest
import sympy
from amount import in_turn

from algdim import dimension, explain
from algdim.explanation.lecture.upper import draw_districts
from algdim.explanation.samplepoint import evaluate_at_random_point
from algdim.families.discrete.picturing import picture_table_bound


def rank_of(matrix):
    """By another library."""
    return sympy.Matrix(
        [[sympy.Rational(value.numerator, value.denominator) for value in row] for row in matrix]
    ).rank()


def draw(text):
    """The pictures of a model's upper bound."""
    report = dimension(text)
    standing = evaluate_at_random_point(report.preparation.whole_map, 0)
    return report, list(picture_table_bound(standing.pmap, standing.point, report.upper))


@pytest.mark.parametrize(
    ("text", "kind", "each", "size"), [("3:2,2,2,2", "flattening", 1, 4), ("4:3,3,3", "koszul", 2, 9)]
)
def test_flattenings_are_sums_over_classes(text, kind, each, size):
    """KZ02 Table 1's two models: each class gives a matrix of small rank, and their sum has not full rank."""
    report, pictures = draw(text)
    bounded = [one["rank"] for one in report.upper.evidence["equations"] if one["type"] == kind]

    assert len(pictures) == len(bounded) > 0
    for (_, whole, parts, said), bound in zip(pictures, bounded, strict=True):
        total = [[sum(matrix[i][j] for _, matrix in parts) for j in range(size)] for i in range(size)]
        assert total == [list(row) for row in whole]
        assert [each] * len(parts) == [rank_of(matrix) for _, matrix in parts]
        assert bound == rank_of(whole) == each * len(parts) < size == len(whole)
        assert re.search(rf"at most {bound}\b", said)


def test_districts_without_a_picture_of_their_own_show_directions(monkeypatch):
    """A district with redundant parameters has arrows, one for each parameter that moves, if its family draws nothing."""
    monkeypatch.setattr("algdim.explanation.lecture.upper.draw_family_evidence", lambda part, standing: ())
    report = dimension("H -> A, B; C <- G -> D; B -> C; hidden H, G")
    drawn = "".join(draw_districts(report))

    assert [("trees", 3), ("containing", 5)] == [(part.upper.kind, part.dimension) for part in report.parts]
    assert 'class="arrow"' in drawn
    assert "to first order changes none of the cells" in drawn


def test_an_independence_is_a_matrix_of_rank_one():
    """Nothing separates the sides: one part, the matrix itself."""
    _, drawn = draw("P -> A, B; Q -> B, C; R -> C, D; hidden P, Q, R; states P=4, Q=4, R=4")

    assert [1, 1] == [len(one.parts) for one in drawn]
    assert all(rank_of(one.whole) == 1 for one in drawn)
    assert "A,B are independent of D" in drawn[0].text


@in_turn(2)
def test_a_tree_that_is_too_large_is_not_said_to_be_drawn():
    """In its place a margin is, with its own bound."""
    lecture = explain("hmm: states 2, items 2, length 100").lecture()
    shown = "".join(next(step.parts for step in lecture.steps if step.key == "upper"))
    whole, _, margin = shown.partition("For example the marginal distribution")

    assert "The tree is drawn" not in whole
    assert "The tree is drawn after its reduction" in margin
    assert '<figure class="evidence">' in margin
