"""Plots as SVG: well formed, complete, and the same bytes for the same data."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import InputError
from algdim.plots.svg import WIDTH, Axis, Series, plot

NAMESPACE = "{http://www.w3.org/2000/svg}"
positive = st.floats(1e-9, 1e300)


def height(svg):
    """Of the whole picture."""
    return float(ET.fromstring(svg).get("height"))


def elements(svg, kind):
    """All elements of a kind."""
    return ET.fromstring(svg).findall(f"{NAMESPACE}{kind}")


@given(
    st.lists(st.lists(st.tuples(positive, positive), min_size=1, max_size=5), min_size=1, max_size=10),
    st.booleans(),
    st.booleans(),
)
def test_every_point_is_drawn_within_the_frame(data, across, upward):
    """One circle for each, whatever the scales."""
    series = [Series(f"s{number}", tuple(points)) for number, points in enumerate(data)]
    svg = plot("t", Axis("x", across), Axis("y", upward), series)
    circles = elements(svg, "circle")

    assert sum(map(len, data)) == len(circles)
    assert all(0 <= float(circle.get("cx")) <= WIDTH for circle in circles)
    assert all(0 <= float(circle.get("cy")) <= height(svg) for circle in circles)


def test_equal_ratios_are_equal_distances_on_a_logarithmic_axis():
    """From 1 to 10 it is as far as from 10 to 100."""
    svg = plot("t", Axis("x", logarithmic=True), Axis("y"), [Series("s", ((1, 1), (10, 2), (100, 3)))])
    x = [float(circle.get("cx")) for circle in elements(svg, "circle")]

    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.11)


def test_texts_are_escaped_and_complete():
    """Title, labels, names and ticks; signs that mean something in XML too."""
    svg = plot("a < b & c", Axis("<x>", logarithmic=True), Axis('"y"'), [Series("n&m", ((1, 1), (1000, 2)))])
    texts = [element.text for element in elements(svg, "text")]

    assert {"a < b & c", "<x>", '"y"', "n&m", "1", "10", "100", "1000"} <= set(texts)


def test_lines_join_the_points_where_wanted():
    """A series of points alone has no line."""
    series = [Series("line", ((0, 0), (1, 1))), Series("points", ((0, 1), (1, 0)), joined=False)]

    assert 1 == len(elements(plot("t", Axis("x"), Axis("y"), series), "polyline"))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(value):
    """Rather than drawn somewhere."""
    with pytest.raises(InputError, match="not finite"):
        plot("t", Axis("x"), Axis("y"), [Series("s", ((1.0, value),))])


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_logarithms_are_of_positive_numbers(value):
    """The axis is named."""
    with pytest.raises(InputError, match="'cells'"):
        plot("t", Axis("cells", logarithmic=True), Axis("y"), [Series("s", ((value, 1.0),))])


@pytest.mark.parametrize("series", [[], [Series("empty", ())]])
def test_an_empty_plot_is_refused(series):
    """There is nothing to be seen."""
    with pytest.raises(InputError, match="nothing to be seen"):
        plot("t", Axis("x"), Axis("y"), series)


def test_no_two_series_look_the_same():
    """Not even where there are more of them than colours."""
    svg = plot("t", Axis("x"), Axis("y"), [Series(f"s{number}", ((number, 1),)) for number in range(12)])
    looks = [(circle.get("fill"), circle.get("stroke")) for circle in elements(svg, "circle")]

    assert 12 == len(set(looks))


def test_a_long_name_stays_within_the_picture():
    """The legend is as wide as its longest name needs."""
    name = "a program whose name is rather long"
    svg = plot("t", Axis("x"), Axis("y"), [Series(name, ((0, 0), (1, 1)))])
    (start,) = (float(element.get("x")) for element in elements(svg, "text") if element.text == name)

    assert start + 6.5 * len(name) <= WIDTH


def test_error_bars_reach_a_standard_error_either_way():
    """A bar for each point with an error, as long as the axis has it, and no bar hides another."""
    series = [Series(name, ((0, 10.0), (1, 20.0)), errors=(5.0, 2.0)) for name in "ab"]
    svg = plot("t", Axis("x"), Axis("y"), series)
    bars = [path for path in elements(svg, "path") if path.get("class") == "error"]
    spans = [re.match(r"M(\S+) (\S+)h4m-2 0V(\S+)m", bar.get("d")).groups() for bar in bars]
    lengths = [float(low) - float(high) for _, high, low in spans]

    assert 4 == len({left for left, _, _ in spans})
    assert lengths[0] == pytest.approx(2.5 * lengths[1], abs=0.5)


def test_a_bar_below_zero_ends_at_the_edge_of_a_logarithmic_axis():
    """It has no other place there, and the axis does not become longer for it."""
    points = ((1, 1.0), (2, 10.0))
    with_error = plot("t", Axis("x"), Axis("y", logarithmic=True), [Series("s", points, errors=(3.0, 0.0))])
    without = plot("t", Axis("x"), Axis("y", logarithmic=True), [Series("s", points)])

    assert [one.get("cy") for one in elements(without, "circle")] == [
        one.get("cy") for one in elements(with_error, "circle")
    ]
    with pytest.raises(ValueError, match="shorter"):
        plot("t", Axis("x"), Axis("y"), [Series("s", points, errors=(3.0,))])


def test_whole_numbers_have_whole_ticks_and_begin_where_they_do():
    """There is no class 0, and none and a half."""
    svg = plot("t", Axis("classes", whole=True), Axis("y"), [Series("s", ((2, 1.0), (3, 2.0), (4, 2.0)))])
    below = [element.text for element in elements(svg, "text") if element.get("text-anchor") == "middle"]

    assert ["2", "3", "4"] == [text for text in below if text.isdigit()]


def test_lines_are_told_apart_in_print():
    """The first six by their dashes, beside the colours."""
    svg = plot("t", Axis("x"), Axis("y"), [Series(f"s{number}", ((0, number), (1, number))) for number in range(6)])

    assert 6 == len({line.get("stroke-dasharray") for line in elements(svg, "polyline")})
