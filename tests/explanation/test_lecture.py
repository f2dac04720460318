"""What the steps of the page say: pictures of evidence that are true, gradients, exercises with computed answers."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest
from amount import daily, in_turn

import algdim
from algdim import dimension
from algdim import explain as explain_again
from algdim.exact.flint import reduce_rows_by_flint
from algdim.explanation.lecture.consequences import find_exercises, write_sentence
from algdim.explanation.lecture.lower import find_special_points
from algdim.explanation.lecture.question import ask_question
from algdim.explanation.lecture.upper import find_gradient
from algdim.explanation.samplepoint import compute_coordinate_values, evaluate_at_point
from algdim.families import load_explaining
from algdim.families.contract import GridSum
from algdim.families.discrete.picturing import show_span

explain = cache(explain_again)

GRIDS = [
    "3:2,2,2,2",
    "gaussian: H -> A, B, C, D; hidden H; means off",
    "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G; F <-> G",
]


@pytest.mark.parametrize("text", daily(GRIDS, 1))
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

    assert "Why do 3 equations not lower the dimension by 3" in shown
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


@in_turn(2)
def test_the_sentence_says_what_is_known():
    """A dimension that is not proved is not called so."""
    probable = dimension(
        "K -> H1, H2; H1 -> X1; H2 -> X2; hidden K, H1, H2; states K=3, H1=3, H2=3, X1=4, X2=4; share h: H1, H2; share e: X1, X2"
    )

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


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("gaussian: F -> A, B; hidden F; fix v(A)=0", ["b(F->A) is fixed to 1"]),
        ("gaussian: F -> A, B; hidden F; equal v(A) = 1/2 - b(F->A)", ["the errors of A and B are correlated"]),
    ],
)
def test_no_question_is_about_what_is_no_model(text, asked):
    """An error of variance 0 has no covariance, and no variance is negative."""
    model = algdim.model(text)

    assert [f"What happens if {one}?" for one in asked] == [
        question for question, _ in load_explaining("gaussian").vary(model)
    ]


def test_moments_do_not_say_what_data_can():
    """Two normals are identified by higher moments: where four of them stay, data may still distinguish the parameters."""
    text = "latent-profile: H -> X; hidden H; moments 4"

    assert "no amount of data" not in read_step(text, "fibre")
    assert "higher orders may" in read_step(text, "fibre")
    assert "dimension lacks" not in read_step(text, "upper")
    assert "Higher orders may change in it" in read_step(text, "upper")
    assert "5 parameters, 4 dimensions or more. Is one lost?" == ask_question(dimension(text))
    assert "no amount of data" in read_step("3:2,2,2,2", "fibre")


def test_states_that_entries_speak_of():
    """No question takes a state away from a hidden variable of which fixed or named entries speak."""
    for clause in ("equal a = P(X1=0|H=0), P(X1=0|H=2)", "fix P(X1=0|H=2)=1/3"):
        found = explain(f"H -> X1, X2, X3; hidden H; states H=3; {clause}")
        questions = [question for question, _ in find_exercises(found.report, found.standing)]

        assert questions
        assert not any("2 states" in question for question in questions)


# What each kind of evidence looks like.

EVIDENCE = [
    ("H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2", "grids", "there the minors are 0"),
    (
        "H -> X1, X2, X3; hidden H; states H=4, X1=2, X2=2, X3=2; share s: X1, X2, X3",
        "equal-cells",
        "4 different ones of 8",
    ),
    ("phylo JC69: (A,B,C); classes 2", "equal-states", "Cells with the same number"),
    ("phylo JC69: ((A,B),(C,D)); classes 3", "span", "All distributions lie in one linear space, of dimension 13"),
    ("3:2,2,5", "pairwise", "3·(4 + 5 − 3) = 18; their sum is 1, so 17 remain"),
    ("loglinear: {A,B,H}, {C,G}, {A,C}; hidden H, G", "one-interaction", "Summed out"),
    ("9(2,2,5(2,2(2)))", "trees", "The tree is drawn after its reduction"),
    ("4:3,3,3", "koszul", "Koszul flattening"),
    ("5(2,3(2,2),3(2,2))", "trees", "17 + 17 + 17 − 14 − 14 = 23"),
]


def read_step(text, key):
    """All of one step of a page."""
    return "".join(next(step.parts for step in explain(text).lecture().steps if step.key == key))


@pytest.mark.parametrize(("text", "kind", "said"), daily(EVIDENCE, 1))
def test_evidence_has_its_picture(text, kind, said):
    """A picture, and what it shows."""
    shown = read_step(text, "upper")

    assert kind == explain(text).report.upper.kind
    assert '<figure class="evidence">' in shown
    assert said in re.sub(r"</?sub>", "", shown)


def test_a_district_too_large_for_a_point_has_its_picture():
    """What is left of mechanisms that others absorb needs no point: two pictures, the second without E.3."""
    causes = [f"C{number}" for number in range(1, 11)]
    shown = read_step(f"max: {{{','.join(causes[:9])}}},{{{','.join(causes[1:])}}},{{C2}} -> E", "upper")
    first, second = shown.split('<figure class="evidence">')[1:]

    assert 'data-name="E.3"' in first
    assert 'data-name="E.3"' not in second.partition("</svg>")[0]
    assert "Without E.3 the model has the same distributions" in re.sub(r"</?sub>", "", second)


def test_equal_cells_are_equal():
    """Cells with the same number in the picture have the same value at a point, and others have not."""
    report = dimension("phylo JC69: ((A,B),(C,D)); classes 3")
    pmap = report.preparation.whole_map
    point = [Fraction(k, 97) for k in range(5, 5 + len(pmap.parameters))]
    values = compute_coordinate_values(pmap, point)
    one = next(show_span(pmap, report.upper))
    numbers = [number for row in one.numbers for number in row]

    assert len(set(numbers)) == len(set(values)) == len(set(zip(numbers, values, strict=True)))


@in_turn(3)
def test_one_by_one_equations_would_take_more():
    """Two flattenings of 8 × 4 and rank 3: five each, eight together."""
    assert "separately they would lower the dimension by 5 + 5 = 10" in read_step("5(2,3(2,2),3(2,2))", "upper")
    assert "= −∇1 + ∇2" in read_step("gaussian: F -> X1, X2, X3, X4; hidden F; means off", "upper")


@in_turn(3)
def test_districts_that_share_parameters_are_not_counted_one_by_one():
    """Four treatments have one table: the sum has a number for all of them."""
    shown = read_step("dynamic 4: prev.H, A -> H -> X; hidden H", "upper")

    assert "Districts with parameters in common are taken together" in shown
    assert "Each district, given its parents" in read_step("A -> C <- H -> D <- B; hidden H", "upper")


def test_a_function_keeps_the_states_of_its_parents():
    """No exercise asks for a model that there is not."""
    text = "states A=3, E=4; A, B -> E; A -> X; hidden A; sum E"

    assert "Exercises" in read_step(text, "consequences")


def test_minors_with_means_are_no_covariances():
    """A fixed intercept gives a minor that has a column of means; it is not drawn as a matrix of covariances."""
    text = "gaussian: X0 -> X1, X2; X1 -> X2, X3; U0 -> X3, X2; X0 <-> X2, X3; hidden U0; fix m(X0)=-2, m(X1)=0"

    assert "The dimension is at most" in read_step(text, "upper")


def test_a_page_without_formulas_or_curves():
    """A page says that there is no slider, and does not call a formula too long that there is not."""
    page = explain_again("H -> X1, X2; probit X1, X2; hidden H; states H=3").html()

    assert "No curve is shown: the probabilities of a probit" in page
    assert "The cells are not written out one by one; the formula above is all of them." in page
    assert "Move the slider" not in page
    assert "too long" not in page
