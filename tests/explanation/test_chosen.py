"""What a page shows of models that are too large for it: functionals with the whole rank, a part of the model."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from amount import daily, in_turn
from browser import BROWSER, browsing

from algdim import dimension, explain
from algdim.explanation.chosen import evaluate_chosen_coordinates, find_part, offer_parts, take_part
from algdim.explanation.lecture.jacobian import describe_rows
from algdim.explanation.samplepoint import compute_coordinate_values, evaluate_at_point
from algdim.explanation.walks import FloatMap
from algdim.maps import map_of
from algdim.models.notation import parse, to_text


def test_margins_are_sums_of_cells():
    """Each number is the sum of the cells that its name says, and the rank is that of the whole Jacobian."""
    whole = map_of(parse("2:2^12"))
    found = evaluate_chosen_coordinates(whole, 25)
    cells = dict(zip(product(range(2), repeat=12), compute_coordinate_values(whole, found.point), strict=True))

    assert 25 == found.rank == len(found.pmap.coordinates()) == len(found.values)
    for name, value in zip(found.pmap.coordinates(), found.values, strict=True):
        states = {int(item) - 1: int(state) for item, state in re.findall(r"X(\d+)=(\d)", name)}
        assert value == sum(p for cell, p in cells.items() if all(cell[i] == state for i, state in states.items()))


def test_conditions_stay_in_margins():
    """What is conditioned on is not summed over."""
    text = "A, B -> H; H -> X1..X12; hidden H; given A, B"
    whole = map_of(parse(text))
    found = evaluate_chosen_coordinates(whole, dimension(text).dimension)

    assert all(re.search(r"\|A=\d,B=\d\)$", name) for name in found.pmap.coordinates())
    assert all(0 < value < 1 for value in found.values)


@pytest.mark.parametrize(
    "text",
    daily(
        [
            "gaussian: F -> X1..X16; hidden F",
            "classifier Y: Y -> X1..X10; states Y=4",
            "poisson: {C1,C2,C3,C4},{D1,D2,D3,D4,D5},{E1,E2,E3,E4} -> E",
            "sum: {C1,C2,C3},{C4,C5,C6},{C7,C8,C9} -> E",
        ],
        1,
    ),
)
def test_other_families_have_some_of_their_coordinates(text):
    """The values are those of the coordinates with these names."""
    report = dimension(text)
    whole = map_of(parse(text))
    found = evaluate_chosen_coordinates(whole, report.dimension)
    values = compute_coordinate_values(whole, found.point)
    by_name = dict(zip(whole.coordinates(), values, strict=True)) if values else {}

    assert report.dimension == found.rank == len(found.pmap.coordinates())
    if not found.pmap.coordinates()[0].startswith("P(") or "sum" not in text:
        assert [by_name[name] for name in found.pmap.coordinates() if values] == list(found.values)


def test_log_odds_are_those_of_their_inputs():
    """Each row is that of the whole Jacobian with the same name; there may be more inputs than cells can be numbered."""
    whole = map_of(parse("classifier Y: Y -> X1..X6; X1 -> X2; states Y=3, X4=3"))
    found = evaluate_chosen_coordinates(whole, dimension(whole.model).dimension)
    rows = dict(zip(whole.coordinates(), evaluate_at_point(whole, found.point, "").jacobian, strict=True))

    assert [rows[name] for name in found.pmap.coordinates()] == list(found.jacobian)
    large = dimension("classifier Y: Y -> X1..X70")
    assert large.dimension == evaluate_chosen_coordinates(large.preparation.whole_map, large.dimension).rank
    assert "sums of" not in describe_rows(found)


def test_a_part_is_a_margin():
    """Its distribution is the margin of that of the whole, at the same parameters."""
    model = parse("hmm: states 2, items 2, length 5")
    part = take_part(model, ["X_1", "X_2"])
    whole, small = map_of(model), map_of(part)
    point = {name: Fraction(k + 3, 61) for k, name in enumerate(whole.parameters)}
    cells = compute_coordinate_values(whole, list(point.values()))
    margin = compute_coordinate_values(small, [point[name] for name in small.parameters])

    assert set(small.parameters) < set(whole.parameters)
    assert list(margin) == [sum(cells[8 * k : 8 * k + 8]) for k in range(4)]
    assert "H_3" not in to_text(part)


POLYNOMIAL = "polynomial: parameters {}; coordinates {}".format(
    ", ".join(f"a{i}, b{i}" for i in range(80)),
    ", ".join(
        f"a{i}*b{j} + a{(i + 1) % 80}*b{(j + 1) % 80}" for i in range(80) for j in ((7 * i) % 80, (7 * i + 3) % 80)
    ),
)
"""160 parameters."""


def take_offered(text, number):
    """The maps of a model and of the part that is offered as the one of that number, and a point of the first."""
    whole = map_of(parse(text))
    part = list(islice(next(offer_parts(whole.model)), number))[-1]
    point = {name: (k + 3) / (3 * k + 17) for k, name in enumerate(whole.parameters)}
    return whole, map_of(part.model), point


def evaluate_by_name(pmap, point):
    """The coordinates, by name, of a map some of whose parameters have values."""
    values = FloatMap(pmap).find_values(np.array([point[name] for name in pmap.parameters]))
    return dict(zip(pmap.coordinates(), values, strict=True))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("polynomial: parameters a, b, c, d; coordinates a*b + c, b*c, c*d, a^2/d", 2),
        ("latent-profile: H -> X1..X4, C; hidden H; states H=2", 3),
        ("poisson: {A,B},{A,B} -> E", 2),
    ],
)
def test_coordinates_of_a_part_are_some_of_the_whole(text, number):
    """With the same values at the same parameters."""
    whole, small, point = take_offered(text, number)
    mine, all_of_them = evaluate_by_name(small, point), evaluate_by_name(whole, point)

    assert mine
    assert all(abs(value - all_of_them[name]) < 1e-12 for name, value in mine.items())


def test_a_classifier_of_some_inputs_leaves_the_others_in_place():
    """What a table without these inputs adds to the log-odds does not depend on the parameters of the part."""
    text = "classifier Y: A -> Y; Y, A -> X1; Y -> X2..X4; X2, X1 -> X4; states A=3, Y=3"
    whole, small, point = take_offered(text, 2)
    moved = point | {name: value * 0.9 for name, value in point.items() if name in small.parameters}

    def find_difference(at):
        mine = evaluate_by_name(small, at)
        return [value - mine[drop(name)] for name, value in evaluate_by_name(whole, at).items()]

    def drop(name):
        inputs = {variable.name for variable in small.model.variables}
        head, _, rest = name.partition("|")
        kept = [one for one in rest.rstrip(")").split(",") if one.partition("=")[0] in inputs]
        return f"{head}|{','.join(kept)})"

    assert 0 < len(small.model.inputs) < len(whole.model.inputs)
    assert max(abs(a - b) for a, b in zip(find_difference(point), find_difference(moved), strict=True)) < 1e-12


def test_a_sum_with_fewer_causes_is_the_whole_up_to_constants():
    """Cumulants of E with the other causes in state 0 differ from those of the part by a number that is the same in all cells."""
    whole, small, point = take_offered("normal: {A,B},{C,D,H},{F,G} -> E; A -> B; hidden H; states H=2", 3)
    kept = {one.name for one in small.model.variables}
    zero = {(one.name, 0) for one in whole.model.variables if one.name not in kept}

    def drop(name):
        """Without the other causes, where they have the state 0."""
        for cause, state in zero:
            name = name.replace(f",{cause}={state}", "").replace(f"|{cause}={state},", "|")
        return name

    mine = evaluate_by_name(small, {drop(name): value for name, value in point.items()})
    differences = {}
    for record in whole.coordinate_records():
        name = drop(str(record))
        if name in mine:
            kind = record.kind, str(record).partition("|")[0]
            differences.setdefault(kind, []).append(evaluate_by_name(whole, point)[str(record)] - mine.pop(name))

    assert zero
    assert 2 == len(small.model.mechanisms)
    assert not mine
    assert all(max(some) - min(some) < 1e-12 for some in differences.values())


LARGE = [
    "2:2^60",
    "hmm: states 2, items 2, length 100",
    "gaussian: F -> X1..X40; hidden F; means off",
    "loglinear: {A,B},{B,C},{C,D},{D,E},{E,F},{F,G},{G,H},{H,I},{I,J}; hidden J",
    "sigmoid: H1, H2, H3 -> X1..X12; hidden H1, H2, H3",
    "phylo GM: ((((A,B),(C,D)),((E,F),(G,H))),(((I,J),(K,L)),((M,N),(O,P))))",
    "classifier Y: Y -> X1..X10; states Y=4",
    "classifier Y: Y -> X1..X100",
    "classifier Y: Y -> X1, X2; states Y=5, X1=60, X2=50",
    "poisson: {C1,C2,C3,C4,C5,C6,C7,C8} -> E",
    "normal: {A},{A,B,H} -> E; hidden H; states A=60, B=3",
    "latent-profile: H -> X1..X12; hidden H; states H=12",
    POLYNOMIAL,
]


@in_turn(2)
@pytest.mark.parametrize("text", daily(LARGE, 1))
def test_large_models_have_all_steps(text):
    """Eight, with sliders, a reduced matrix and no refusal; special points are special."""
    lecture = explain(text).lecture()
    steps = {step.key: "".join(step.parts) for step in lecture.steps}
    data = next(step.data for step in lecture.steps if step.key == "lower")

    assert 8 == len(steps)
    assert 'id="play"' in steps["lower"]
    assert "pivot" in steps["reduced"]
    assert "<math" in steps["map"]
    assert not re.search(r"not drawn|no sliders|too large to be reduced", "".join(steps.values()))
    assert len(data["points"]) > 1 or "none of these points is special here" in steps["lower"]


@in_turn(2)
def test_a_part_says_that_it_is_one():
    """Both numbers, and that a rank of a margin is a bound for the whole."""
    found = explain("hmm: states 2, items 2, length 100")
    part = find_part(found.report)
    steps = {step.key: re.sub("<[^>]*>", "", "".join(step.parts)) for step in found.lecture().steps}

    assert part.report.standard == len(part.standing.point) < found.report.standard
    assert f"{part.report.standard} parameters of 399" in steps["fibre"]
    assert "so a rank seen here is a lower bound for the whole model, too" in steps["lower"]
    assert "the marginal distribution of X_1" in steps["jacobian"]
    assert "green" not in steps["consequences"]
    assert 3 == steps["consequences"].count("Answer")
    assert "98·7 − 97·3 = 395" in steps["upper"]


def test_rows_have_their_own_names():
    """What is said of an entry that is pointed at names the row in which it is."""
    lecture = explain("2:2^12").lecture()
    data = next(step.data for step in lecture.steps if step.key == "jacobian")

    assert 25 == len(data["rows"])
    assert all(len(re.findall("X", name)) <= 6 for name in data["rows"])


@in_turn(6)
@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
@pytest.mark.parametrize("text", daily(["2:2^60", "gaussian: F -> X1..X16; hidden F", "4:3^8"], 1))
def test_the_browser_finds_large_ranks(text, tmp_path):
    """Modulo a prime, at the point of the page and at special ones, the ranks that are found in fractions here."""
    found = explain(text)
    lecture, file = found.lecture(), tmp_path / "page.html"
    file.write_text(found.html(), encoding="utf-8")
    data = next(step.data for step in lecture.steps if step.key == "lower")
    chosen = evaluate_chosen_coordinates(found.report.preparation.whole_map, found.report.dimension).pmap

    assert data["prime"]
    with browsing() as page:
        page.visit(file)
        for name, point in data["points"].items():
            page.ask(
                f"[...document.querySelectorAll('#play button')].find((one) => one.textContent === {json.dumps(name)}).click()"
            )
            rank = evaluate_at_point(chosen, [Fraction(value) for value in point], "").rank
            said = page.ask("document.getElementById('rank').textContent")
            assert said.startswith(
                f"Rank {rank} of the rows of the Jacobian on this page, modulo the prime {data['prime']}"
            )
            assert rank == page.ask("document.querySelectorAll('.meter .on').length")
        assert not page.problems
