"""The page of an explanation: well formed, complete without a script, in need of nothing from outside."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser

import pytest
from amount import daily, first, in_turn
from browser import BROWSER, BROWSERS, browsing

from algdim import explain as explain_again
from algdim.display.html import format_mathematics
from algdim.explanation.lecture.jacobian import MOST_FREE, MOST_TABLES
from algdim.explanation.samplepoint import evaluate_at_point
from algdim.maps import map_of

explain = cache(explain_again)

POLYNOMIAL = "polynomial: parameters {}; coordinates {}".format(
    ", ".join(f"a{i}, b{i}" for i in range(80)), ", ".join(f"a{i}*b{j}" for i in range(80) for j in (i, (i + 1) % 80))
)
"""160 parameters, of which 1 is redundant."""

MODELS = [
    "3:2,2,2,2",
    "5(2,3(2,2),3(2,2))",
    "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G; F <-> G",
    "classifier Y: Y -> X2 <- X1; states Y=3, X1=3",
    "sigmoid: H -> X1, X2, X3, X4; hidden H",
    "latent-profile: H -> X, Y, C; hidden H; states H=2, C=3",
    "poisson: {C1,C2},{C3} -> E",
    "max: {C1,C2},{C3} -> E",
    "loglinear: {A,H}, {B,H}; hidden H",
    "polynomial: parameters a, b; coordinates a^2, a*b, b/(1+a)",
    "gaussian: A -> B -> C -> A; D -> A",
    "A -> B -> C -> D; U -> B, D; hidden U",
    "2:2,2",
    "2:2^30",
    "classifier Y: Y -> X1..X100",
    "normal: {A},{A,B,H} -> E; hidden H; states A=60, B=3",
    POLYNOMIAL,
]
"""One or two of every family, small and large."""

VOID = {"meta", "wbr", "input", "br", "mspace"}


class Reader(HTMLParser):
    """Checks that what is opened is closed, and gathers text outside scripts and styles, ids and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.attributes, self.sections = [], [], [], 0

    def handle_starttag(self, tag, attrs):
        """Remember what is open."""
        self.attributes += attrs
        self.sections += tag == "section"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Nothing stays open."""
        self.attributes += attrs

    def handle_endtag(self, tag):
        """What is closed was opened last."""
        assert tag == self.open.pop()

    def handle_data(self, data):
        """Text that people see."""
        if self.open[-1:] not in (["script"], ["style"]):
            self.text.append(data)


def read(page):
    """The page taken apart."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open
    return reader


@pytest.mark.parametrize("text", daily(MODELS, 1))
def test_pages_are_complete_and_closed(text):
    """Every step is in the page without a script; nothing is loaded from anywhere; the policy is strict."""
    found = explain(text)
    lecture, page = found.lecture(), found.html()
    reader = read(page)
    ids = [value for name, value in reader.attributes if name == "id"]

    assert len(lecture.steps) == reader.sections
    assert [f"step-{step.key}" for step in lecture.steps] == [one for one in ids if one.startswith("step-")]
    assert len(ids) == len(set(ids))
    assert "://" not in page
    assert not [value for name, value in reader.attributes if name in ("src", "href") and not value.startswith("#")]
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert "default-src 'none'" in page
    assert len(page.encode()) <= 500_000


def test_no_name_leaves_its_place():
    """Text of a model cannot end the script that holds it."""
    found = explain("2:2,2")
    data = re.search(r'id="page-data">(.*?)</script>', found.html(), re.DOTALL)[1]

    assert "<" not in data
    assert json.loads(json.dumps(found.lecture().data)) == json.loads(data)
    assert "&lt;script&gt;" == format_mathematics("<script>")


def test_a_notebook_gets_no_script():
    """The same steps, and no document around them."""
    shown = explain("2:2,2")._repr_html_()

    assert "<script" not in shown
    assert "<html" not in shown
    read(shown)


def test_styles_stay_inside():
    """In a notebook every rule is nested in the explanation's own element."""
    style = explain("2:2,2")._repr_html_().partition("<style>")[2].partition("</style>")[0]
    depth, outer = 0, []
    for line in style.strip().splitlines():
        if depth == 0:
            outer.append(line)
        depth += line.count("{") - line.count("}")

    assert 0 == depth
    assert ".algdim {" == outer[0]
    assert 1 == len(outer)


def test_the_question_has_the_numbers():
    """Parameters, dimension with its status, saturated, degrees of freedom: in words and in the bars."""
    step = explain("3:2,2,2,2").lecture().steps[0]
    shown = "".join(step.parts)

    assert "14 parameters, 13 dimensions. Where did one go?" == step.title
    assert "can move, is 13 (proved)." in shown
    assert "dimension 15: 2 degrees of freedom, while counting parameters gives 1" in shown
    assert 3 == shown.count('class="bar"')
    assert "9 parameters, 9 dimensions. Is nothing lost?" == explain("2:2,2,2,2").lecture().steps[0].title


# In a real browser, where one is installed.

needs_browser = pytest.mark.skipif(BROWSER is None, reason=f"no browser: none of {', '.join(BROWSERS)} is installed")


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests of this module."""
    with browsing() as page:
        yield page


@pytest.fixture
def show(browser, tmp_path):
    """Open the page of a model, and hold what goes wrong on it to be nothing."""
    browser.problems.clear()

    def shown(text, **how):
        file = tmp_path / "page.html"
        file.write_text(explain(text).html(), encoding="utf-8")
        return browser.visit(file, **how)

    yield shown
    assert not browser.problems


CUT = "[...document.querySelectorAll('.step.now math, .step.now .wide')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"


@needs_browser
@pytest.mark.parametrize(
    "text",
    [
        "5(2,3(2,2),3(2,2))",
        "classifier Y: Y -> X1, X2, X3, X4, X5, X6",
        "Smoking -> TarDepositsLungs -> LungCancerStage1; Socioeconomic01 -> Smoking, LungCancerStage1; hidden Socioeconomic01",
    ],
)
def test_no_formula_is_cut(text, show):
    """A long formula is broken between its terms; it neither sticks out nor makes the screen unreadable."""
    page = show(text, query="?present#step-map")

    assert [] == page.ask(CUT)
    assert page.ask("document.querySelector('.step.now math').getBoundingClientRect().right <= innerWidth")
    assert page.ask("Number(document.querySelector('.step.now').dataset.size)") > 0.8


@in_turn(2)
@needs_browser
@pytest.mark.parametrize("text", daily(MODELS, 1))
def test_every_step_fits_the_screen(text, show):
    """`?present` shows one step at a time, whole, with its heading, at 1280 × 720; the step is in the address."""
    page = show(text, query="?present")
    steps = page.ask("[...document.querySelectorAll('.step')].map((step) => step.id)")
    for number, name in enumerate(steps):
        boxes = page.ask(
            "[...document.querySelectorAll('.step')].filter((step) => step.getClientRects().length)"
            ".map((step) => [step.id, step.getBoundingClientRect().bottom, step.getBoundingClientRect().right, step.firstElementChild.getBoundingClientRect().top])"
        )
        assert [name] == [box[0] for box in boxes]
        assert boxes[0][1] <= 721
        assert boxes[0][2] <= 1281
        assert 0 <= boxes[0][3] < 100
        assert [] == page.ask(CUT)
        assert number == 0 or f"?present#{name}" == page.ask("location.search + location.hash")
        page.press(["ArrowRight", "PageDown", " "][number % 3])


@needs_browser
def test_keys_of_a_presenter(show):
    """Forwards and backwards, to both ends; b darkens the screen; a step in the address is where it begins."""
    page = show("2:2,2", query="?present#step-lower")
    now = "document.querySelector('.step.now').id"
    ids = page.ask("[...document.querySelectorAll('.step')].map((step) => step.id)")

    assert "step-lower" == page.ask(now)
    page.press("ArrowLeft")
    assert ids[ids.index("step-lower") - 1] == page.ask(now)
    page.press("End", "PageDown")
    assert ids[-1] == page.ask(now)
    page.press("Home", "PageUp")
    assert ids[0] == page.ask(now)
    page.press("b")
    assert page.ask("getComputedStyle(document.body, '::after').position") == "fixed"
    page.press("b")
    assert page.ask("getComputedStyle(document.body, '::after').position") != "fixed"


@in_turn(2)
@needs_browser
def test_keys_after_a_button(show):
    """Who has pressed a button goes on with the arrows; in a slider these move it, and Page Down goes on."""
    page = show("2:2,2", query="?present#step-lower")
    now = "document.querySelector('.step.now').id"
    ids = page.ask("[...document.querySelectorAll('.step')].map((step) => step.id)")
    place = ids.index("step-lower")

    page.ask("document.querySelector('#play button').focus()")
    page.press("ArrowRight")
    assert ids[place + 1] == page.ask(now)
    page.press("ArrowLeft")
    page.ask("document.getElementById('towards').focus()")
    page.press("ArrowRight")
    assert [ids[place], "1"] == [page.ask(now), page.ask("document.getElementById('towards').value")]
    page.press("PageDown")
    assert ids[place + 1] == page.ask(now)


@in_turn(2)
@needs_browser
@pytest.mark.parametrize("text", daily(MODELS, 1))
@pytest.mark.parametrize("width", first([390, 1920], 1))
def test_nothing_sticks_out(width, text, show):
    """At the width of a phone and of a projector, the page is not wider than its window."""
    page = show(text, width=width, height=844)

    assert page.ask("document.documentElement.scrollWidth") <= width


SLIDING = [
    "3:2,2,2,2",
    "5(2,3(2,2),3(2,2))",
    "gaussian: H -> A, B, C, D; hidden H; means off",
    "classifier Y: Y -> X2 <- X1; states Y=3, X1=3",
    "sigmoid: H1, H2 -> X1, X2, X3; hidden H1, H2",
    "poisson: {C1,C2},{C3} -> E",
    "max: {C1,C2},{C3} -> E",
    "loglinear: {A,H}, {B,H}; hidden H",
    "polynomial: parameters a, b, c; coordinates a*b, b*c",
    "A -> B -> C -> D; U -> B, D; hidden U",
    "classifier Y: Y -> X1..X100",
    "poisson: {A},{A,B} -> E; states A=60, B=3",
    POLYNOMIAL,
]
"""Models with redundant parameters."""

SLIDE = """(() => {
  const slider = document.getElementById("fibre-slider"), read = (key) => [...document.querySelectorAll(`#fibre [data-key^="${key}"]`)]
    .map((row) => [Number(row.dataset.value), Number(row.querySelector(".value").getAttribute("width"))]);
  const seen = [];
  for (let step = 0; step <= Number(slider.max); step += 1) {
    slider.value = step; slider.dispatchEvent(new Event("input")); seen.push([read("p"), read("c")]);
  }
  return seen;
})()"""


@needs_browser
@pytest.mark.parametrize("text", daily(SLIDING, 1))
def test_the_slider_moves_parameters_and_no_cell(text, show):
    """In every direction: a parameter moves by more than 0.05, its bar too, and no coordinate by more than 1e-12."""
    page = show(text)
    directions = page.ask("document.getElementById('fibre-walk')?.options.length ?? 1")
    for number in range(directions):
        page.ask(
            f"{{const one = document.getElementById('fibre-walk'); if (one) {{ one.value = {number}; one.dispatchEvent(new Event('change')); }}}}"
        )
        seen = page.ask(SLIDE)
        for side in (0, 1):
            columns = [list(zip(*bars, strict=True)) for bars in zip(*(step[side] for step in seen), strict=True)]
            moved, widened = (max(max(c[k]) - min(c[k]) for c in columns) for k in (0, 1))
            largest = max(1.0, *(max(map(abs, column[0])) for column in columns))
            if side:
                assert moved <= 1e-12 * largest
            else:
                assert moved > 0.05
                assert widened > 1


@in_turn(2)
@needs_browser
@pytest.mark.parametrize("text", daily(["2:2,2,2", "sigmoid: H -> X1, X2, X3, X4; hidden H"], 1))
def test_identified_models_show_the_other_solution(text, show):
    """Two points, the classes swapped; no cell moves."""
    page = show(text)
    seen = page.ask(SLIDE)

    assert 2 == len(seen)
    assert max(abs(a[0] - b[0]) for a, b in zip(seen[0][0], seen[1][0], strict=True)) > 0.05
    assert max(abs(a[0] - b[0]) for a, b in zip(seen[0][1], seen[1][1], strict=True)) <= 1e-15
    assert "up to relabelling (proved)" in page.ask("document.getElementById('step-fibre').textContent")


@in_turn(2)
@needs_browser
def test_an_entry_of_the_jacobian_is_explained(show):
    """Under the pointer: its formula and number; the variables of its parameter light up in the network."""
    page = show("3:2,2,2,2")
    x, y = page.ask(
        """(() => {
          document.getElementById("jacobian").scrollIntoView({ block: "center" });
          const box = document.querySelector("#jacobian rect").getBoundingClientRect();
          return [box.left + box.width * 2.5 / 14, box.top + box.height * 0.5 / 16];
        })()"""
    )
    page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    said = page.ask("document.getElementById('jacobian-entry').textContent")
    lit = page.ask("[...document.querySelectorAll('#step-jacobian .lit')].map((node) => node.dataset.name)")

    assert said.startswith("∂ P(X1=0,X2=0,X3=0,X4=0) / ∂ P(X1=0|H=0) = P(H=0)·P(X2=0|H=0)·P(X3=0|H=0)·P(X4=0|H=0) ≈ ")
    assert ["H", "X1"] == sorted(lit)
    exact = explain("3:2,2,2,2").standing.jacobian[0][2]
    assert abs(float(said.split("≈ ")[1].split()[0]) - float(exact)) < 1e-6


@needs_browser
@in_turn(3)
def test_a_stack_lights_up(show):
    """A parameter of one of many alike items is at their stack."""
    page = show(f"gaussian: F -> {', '.join(f'X{number}' for number in range(1, 14))}; hidden F; means off")

    assert ["F", "X1 … X13"] == sorted(
        page.ask("[...document.querySelectorAll('#step-jacobian .lit')].map((node) => node.dataset.name)")
    )


@pytest.mark.parametrize("text", daily(MODELS, 1))
def test_the_reduced_form_shows_what_is_free(text):
    """Every column without pivot is in the reduced form, up to many, the first ones again with more rows; numbers have their fractions."""
    found = explain(text)
    steps = {step.key: "".join(step.parts) for step in found.lecture().steps}
    standing = found.standing
    if standing is None:
        assert "pivot" in steps["reduced"]
        return
    pivots = {column for _, column in standing.reduced.pivots}
    free = [name for number, name in enumerate(standing.pmap.parameters) if number not in pivots]
    shown = steps["reduced"]

    again = min(len(free), MOST_FREE) if "more rows" in shown else 0
    assert min(len(free), MOST_FREE * (1 + MOST_TABLES)) == shown.count('<th class="free">') - again
    for row, _ in standing.reduced.pivots[:5]:
        for number, column in enumerate(sorted(set(range(len(standing.point))) - pivots)[:MOST_FREE]):
            value = standing.reduced.matrix[row][column]
            assert value == 0 or f'title="{value}"' in shown, number


@pytest.mark.parametrize("text", daily(MODELS, 1))
def test_every_map_is_written(text):
    """In MathML, for every family; never a refusal."""
    step = next(step for step in explain(text).lecture().steps if step.key == "map")
    shown = "".join(step.parts)

    assert "<math" in shown
    assert "not shown" not in shown
    assert "at most" not in shown


@needs_browser
@pytest.mark.parametrize(
    ("text", "rank"),
    daily(
        [
            ("3:2,2,2,2", 13),
            ("gaussian: H -> X1, X2, X3; hidden H", 9),
            ("classifier Y: Y -> X2 <- X1; states Y=3, X1=3", 11),
            ("loglinear: {A,H}, {B,H}; hidden H", 3),
            ("max: {C1,C2},{C3} -> E", 8),
        ],
        2,
    ),
)
def test_the_browser_finds_the_ranks(text, rank, show):
    """The script computes with its own fractions what algdim does; every special point is special; sliders move the point."""
    page, found = show(text), explain(text)
    said = "document.getElementById('rank').textContent"
    data = next(step.data for step in found.lecture().steps if step.key == "lower")

    assert rank == found.standing.rank
    assert f"Rank {rank} — the dimension: the point is regular." == page.ask(said)
    assert rank == page.ask("document.querySelectorAll('.meter .on').length")
    assert len(data["points"]) > 1
    for name, point in [*data["points"].items()][1:]:
        page.ask(
            f"[...document.querySelectorAll('#play button')].find((one) => one.textContent === {json.dumps(name)}).click()"
        )
        exact = evaluate_at_point(map_of(found.report.model), [Fraction(value) for value in point], "").rank
        assert exact < rank
        assert page.ask(said).startswith(f"Rank {exact} — less than {rank}: a special point")
        assert exact == page.ask("document.querySelectorAll('.meter .on').length")
    page.ask(
        "{const one = document.querySelector('#play .inputs input[type=range]'); one.value = 123; one.dispatchEvent(new Event('input'));}"
    )
    assert "123/1000" == page.ask("document.querySelector('#play .inputs input:not([type=range])').value")


@in_turn(2)
@needs_browser
def test_towards_a_special_point(show):
    """On the way the rank is the generic one, at the end that of the special point."""
    page = show("3:2,2,2,2")
    slide = "{const one = document.getElementById('towards'); one.value = %d; one.dispatchEvent(new Event('input'));}"
    ranks = []
    for place in (50, 99, 100):
        page.ask(slide % place)
        ranks.append(page.ask("document.querySelectorAll('.meter .on').length"))

    assert [13, 13, 4] == ranks


def test_singular_values_fall_where_the_rank_does():
    """As many as the exact rank falls by."""
    lecture = explain("3:2,2,2,2").lecture()
    shown = "".join(next(step.parts for step in lecture.steps if step.key == "lower"))

    assert 13 == shown.count('<path class="singular')
    assert 9 == shown.count('class="singular falls"')
    assert "floating point: no proof" in shown


@in_turn(2)
@needs_browser
def test_the_sentence_is_copied(show):
    """The button is there, and says what it did."""
    page = show("3:2,2,2,2")
    page.ask("document.getElementById('copy').click()")
    page.ask("new Promise((done) => setTimeout(done, 100))")

    assert page.ask("document.getElementById('copy').textContent").startswith(("Copied", "Selected"))
    assert page.ask("getSelection().toString()").startswith(
        "The latent class model with 3 classes and 4 items (3:2,2,2,2) has 14"
    )


CONTRAST = """(() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((one) => { const c = one / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => { for (; node; node = node.parentElement) { const c = getComputedStyle(node).backgroundColor; if (!/, 0\\)$|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const bad = [];
  for (const node of document.querySelectorAll("p, li, td, th, h1, h2, h3, summary, figcaption, output, blockquote, button, nav a, label, mi, mo")) {
    if (!node.getClientRects().length || node.closest("svg")) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(node.outerHTML.slice(0, 80));
  }
  return bad;
})()"""


@in_turn(2)
@needs_browser
@pytest.mark.parametrize("scheme", daily(["light", "dark"], 1))
def test_everything_can_be_read(scheme, show):
    """The contrast of every text is at least 4.5, in both schemes."""
    page = show("3:2,2,2,2")
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        assert [] == page.ask(CONTRAST)
    finally:
        page.send("Emulation.setEmulatedMedia", features=[])
