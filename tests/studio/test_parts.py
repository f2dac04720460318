"""The page's parts by hand: plates, bent arrows, the row of what is selected, touch, links from anywhere, and answers that come late."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from urllib.parse import quote

import pytest
from browser import BROWSER, BROWSERS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import studio_page

served, browser, sheet = studio_page.served, studio_page.browser, studio_page.sheet

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason=f"no browser: none of {', '.join(BROWSERS)} is installed"),
    pytest.mark.slow,
]

W = "A -> C <- H -> D <- B; hidden H"
STATE = "JSON.parse(decodeURIComponent(location.hash.slice(7)))"


def wait_for_text(sheet, text):
    """Wait until the model is this text."""
    sheet.wait(f"document.getElementById('text').value === {json.dumps(text)}")


def choose(sheet, name, value):
    """Set a field and tell the page."""
    sheet.ask(
        f"(() => {{ const one = document.getElementById({json.dumps(name)}); one.value = {json.dumps(value)};"
        "one.dispatchEvent(new Event('change')); })()"
    )


def find_bend(sheet, key):
    """How far an arrow is bent, as the page keeps it."""
    return sheet.ask(f"(() => {{ try {{ return {STATE}.bends[{json.dumps(key)}] ?? 0 }} catch {{ return 0 }} }})()")


def test_a_plate_for_many_items(sheet):
    """One variable becomes twenty, changed as one: states, name, arrows, latent; shown each; taken back; typed ranges fold."""
    page = sheet.page
    sheet.ask("document.getElementById('canvas').focus()")
    page.press("l", "n")
    sheet.select("H")
    page.press("c")
    sheet.join("X1")
    sheet.select("X1")
    choose(sheet, "items", 20)
    sheet.wait_for_dimension(41)
    assert ["H", "X1"] == sheet.names
    assert "20 alike variables X1 … X20, observed, 2 states" in sheet.ask(
        "document.querySelector('[data-name=X1]').getAttribute('aria-label')"
    )
    assert 2 == sheet.ask("document.querySelectorAll('[data-name=X1] .copy').length")
    page.press("3")
    sheet.wait_for_dimension(81)
    sheet.rename("X1", "Item7")
    sheet.wait("document.getElementById('text').value.includes('Item20')")
    assert ["H", "Item1"] == sheet.names
    sheet.wait_for_dimension(81)
    page.press("n")
    sheet.wait("document.querySelectorAll('#ground .node').length === 3")
    page.press("c")
    sheet.join("Item1")
    sheet.wait("(document.getElementById('text').value.match(/Item20/g) ?? []).length >= 2")
    sheet.wait("!document.getElementById('status').textContent.includes('computing')")
    drawn = sheet.ask("document.querySelectorAll('#ground .link').length")
    assert 2 == drawn
    for _ in range(2):
        page.press("z", modifiers=2)
    sheet.wait_for_dimension(81)
    sheet.select("Item1")
    choose(sheet, "items", 4)
    sheet.wait_for_dimension(17)
    sheet.click("unfold")
    sheet.wait_for_names("H", "Item1", "Item2", "Item3", "Item4")
    sheet.wait_for_dimension(17)
    page.press("p")
    sheet.wait_for_names("H", "Item1")
    page.press("Delete")
    sheet.wait_for_names("H")
    page.press("z", modifiers=2)
    sheet.wait_for_names("H", "Item1")
    sheet.type("H -> Y1..Y5; hidden H; states H=3")
    sheet.wait_for_names("H", "Y1", "Y2", "Y3", "Y4", "Y5")
    sheet.type("H -> Y1..Y30; hidden H; states H=3")  # five of them stood for themselves
    sheet.wait_for_names("H", "Y1")
    sheet.wait_for_dimension(92)
    sheet.type("H -> Y1..Y30; hidden H; states H=3, Y7=3")
    sheet.wait("document.querySelectorAll('#ground .node').length === 3")  # Y7 is not alike
    link = sheet.wait(f"location.hash.includes('Y7') && {STATE}.text.includes('Y7=3') && location.href")
    sheet.forget(link)
    sheet.show(link)
    sheet.wait("document.querySelectorAll('#ground .node').length === 3")


def test_arrows_are_bent(sheet):
    """By the mouse, by keys; the bend outlives a new name, an undo and a link, and is straightened by a button."""
    sheet.type("A -> B; A -> C")
    sheet.wait_for_dimension(5)
    sheet.click("arrange")
    x, y = sheet.find_middle("#ground [data-key='edge A B'] .stroke")
    sheet.page.drag((x, y), (x - 15, y - 10), (x - 60, y - 20))
    sheet.wait(f"(() => {{ try {{ return {STATE}.bends['edge A B'] }} catch {{ return 0 }} }})()")
    bend = find_bend(sheet, "edge A B")
    assert abs(bend) > 20
    sheet.rename("B", "Banana")
    wait_for_text(sheet, "A -> Banana, C")
    sheet.wait(f"{STATE}.bends['edge A Banana'] === {bend}")
    x, y = sheet.find_middle("#ground [data-key='edge A C'] .stroke")
    sheet.page.drag((x, y))
    sheet.wait("document.querySelector('#ground .selected')?.dataset.key === 'edge A C'")
    sheet.page.press("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight")
    sheet.wait(f"{STATE}.bends['edge A C'] === 24")
    assert "A → C" == sheet.shown("selected-name")
    sheet.click("straighten")
    sheet.wait(f"!{STATE}.bends['edge A C']")
    sheet.page.press("z", modifiers=2)
    sheet.wait(f"{STATE}.bends['edge A C'] === 24")


def test_what_is_selected_is_changed_without_keys(sheet):
    """States, observed, table and deletion by buttons; of an arrow what the model is without it and turned round."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.select("H")
    sheet.click("more")
    sheet.wait_for_dimension(10)
    assert "3" == sheet.shown("states-now")
    sheet.click("fewer")
    sheet.wait_for_dimension(9)
    sheet.click("turn")
    wait_for_text(sheet, "A -> C <- H -> D <- B")
    sheet.wait_for_dimension(11)
    sheet.click("turn")
    sheet.wait_for_dimension(9)
    sheet.select("C")
    choose(sheet, "table", "sigmoid")
    wait_for_text(sheet, f"{W}; sigmoid C")
    choose(sheet, "table", "table")
    wait_for_text(sheet, W)
    sheet.page.drag(sheet.find_middle("#ground [data-key='edge A C'] text"))
    sheet.wait("document.getElementById('what-if-list').textContent.includes('C → A')")
    assert "without A → C" in sheet.shown("what-if-list")
    assert sheet.ask("document.querySelectorAll('#fix-this button').length") == 0  # of C, not of the arrow
    sheet.click("remove")
    sheet.wait("document.querySelectorAll('#ground .link').length === 3")
    sheet.select("C")
    sheet.wait("document.querySelectorAll('#fix-this button').length > 0")
    sheet.ask("document.querySelector('#fix-this button').click()")
    sheet.wait("document.querySelector('#fixed button') !== null")


def test_both_kinds_of_variables(sheet):
    """A mixture of regressions, drawn: observed variables are Gaussian, latent ones classes; each becomes the other by a field."""
    sheet.click("new-conditional-gaussian")
    sheet.page.press("n", "n", "l")
    sheet.wait_for_names("X1", "X2", "H")
    for one, other in (("X1", "X2"), ("H", "X2"), ("H", "X1")):
        sheet.select(one)
        sheet.page.press("c")
        sheet.join(other)
    sheet.wait_for_dimension(11)
    assert "conditional-gaussian: " in sheet.text
    assert "ℝ" in sheet.ask("document.querySelector('#ground [data-name=X1]').textContent")
    sheet.select("H")
    choose(sheet, "kind-of", "gaussian")
    sheet.wait("document.querySelector('#ground [data-name=H]').textContent.includes('ℝ')")
    sheet.wait("!document.getElementById('status').textContent.includes('computing')")
    assert sheet.ask("document.getElementById('states-part').hidden")


def touch(sheet, *places):
    """A finger: down at the first place, along the others, up."""
    for way, place in (("touchStart", places[0]), *(("touchMove", one) for one in places[1:]), ("touchEnd", None)):
        points = [{"x": place[0], "y": place[1]}] if place else []
        sheet.page.send("Input.dispatchTouchEvent", type=way, touchPoints=points)


def test_the_w_structure_by_touch(sheet, served):
    """On a telephone, by one finger: variables, arrows from the dot, five states; two fingers zoom."""
    sheet.page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        sheet.show(served.address, width=390, height=844)
        for name in ("add-observed", "add-observed", "add-latent", "add-observed", "add-observed"):
            touch(sheet, sheet.find_middle(f"#{name}"))
        sheet.wait_for_names("X1", "X2", "H", "X3", "X4")
        touch(sheet, sheet.find_middle("#zoom-fit"))
        for one, other in (("X1", "X2"), ("H", "X2"), ("H", "X3"), ("X4", "X3")):
            touch(sheet, sheet.find_variable(one))
            sheet.wait(f"document.querySelector('#ground .handle')?.dataset.handle === '{one}'")
            start, end = sheet.find_middle("#ground .handle .dot"), sheet.find_variable(other)
            count = sheet.ask("document.querySelectorAll('#ground .link').length")
            touch(sheet, start, [(a + b) / 2 for a, b in zip(start, end, strict=True)], end)
            sheet.wait(f"document.querySelectorAll('#ground .link').length === {count + 1}")
        sheet.wait_for_dimension(9)
        touch(sheet, sheet.find_variable("H"))
        sheet.wait("!document.getElementById('states-part').hidden")
        for _ in range(3):
            sheet.ask("document.getElementById('more').scrollIntoView({block: 'center'})")
            touch(sheet, sheet.find_middle("#more"))
        sheet.wait_for_dimension(10)
        assert "states H=5" in sheet.text
        sheet.ask("scrollTo(0, 0)")
        wide = "document.querySelector('#ground [data-name=H] .shape').getBoundingClientRect().width"
        before = sheet.ask(wide)
        fingers = [[{"x": 190 - d, "y": 300, "id": 0}, {"x": 190 + d, "y": 300, "id": 1}] for d in (30, 60, 90)]
        for way, points in (
            ("touchStart", fingers[0]),
            ("touchMove", fingers[1]),
            ("touchMove", fingers[2]),
            ("touchEnd", []),
        ):
            sheet.page.send("Input.dispatchTouchEvent", type=way, touchPoints=points)
        assert sheet.ask(wide) > 1.5 * before
    finally:
        sheet.page.send("Emulation.setTouchEmulationEnabled", enabled=False)


BROKEN = (
    {"drawing": {"family": "discrete", "variables": [None], "edges": []}},
    {"drawing": {"family": "discrete", "variables": [{"name": 1}], "edges": []}},
    {"drawing": {"family": "discrete", "variables": [{"name": "A"}], "edges": [["A"]]}, "text": "A"},
    {"drawing": {"family": "gaussian", "variables": [{"name": "A"}], "edges": [], "bidirected": {}}},
    {"drawing": {"variables": {}, "edges": 3}, "places": 4, "bends": []},
    {"text": "A -> B", "places": {"A": ["x", "y"], "B": None}, "bends": {"edge A B": "x"}, "plates": [["A"], 3]},
    {"text": "A -> B", "drawing": None, "plates": {"A": 1}, "draft": 7},
    {"drawing": {"family": "discrete", "variables": [{"name": "A", "states": 2, "observed": True}] * 2, "edges": []}},
    {"drawing": {"family": "x", "variables": [{"name": "__proto__", "observed": 1}], "edges": [["__proto__"] * 2]}},
    *(
        {"drawing": {"family": "discrete", "variables": [{"name": "X1", "states": 2}], "edges": [], **more}}
        for more in ({"local": {"X1": None}}, {"given": "X1"}, {"common": {}}, {"linear": None}, {"fixed": 3})
    ),
    [],
    7,
    None,
)


@pytest.mark.parametrize("state", BROKEN, ids=range(len(BROKEN)))
def test_links_from_anywhere(sheet, served, state):
    """Whatever stands in a link: the page opens, takes keys, and says what is wrong if anything is."""
    sheet.show(f"{served.address}#model={quote(json.dumps(state))}")
    sheet.wait("!document.getElementById('status').textContent.includes('computing')")
    if "X1" in sheet.names:
        sheet.select("X1")
        sheet.page.press("3", "Delete")
    sheet.click("new-discrete")
    sheet.ask("document.getElementById('canvas').focus()")
    sheet.page.press("n")
    sheet.wait_for_names("X1")
    sheet.wait_for_dimension(1)
    assert "states X1=2" == sheet.text


def test_turned_directions_are_shown_not_obeyed(sheet):
    """Signs that turn what follows around stand in the message as signs, and a name of 1,000 letters is cut on the drawing."""
    sheet.type("A -> B")
    sheet.wait_for_dimension(3)
    sheet.rename("A", "a\u202eb")
    sheet.wait("!document.getElementById('wrong').hidden")
    assert "\u202e" not in sheet.ask(
        "document.getElementById('wrong').textContent + document.querySelector('#ground').textContent"
    )
    assert "a\\u202eb" in sheet.ask("document.querySelector('#ground').textContent")
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_dimension(3)
    sheet.rename("A", "x" * 1000)
    sheet.wait_for_dimension(3)
    assert len(sheet.ask("document.querySelector('#ground .node text').textContent")) == 24
    assert sheet.ask("document.documentElement.scrollWidth <= innerWidth")


HELD = """
window.held = []; window.hold = () => false; const real = window.fetch;
window.fetch = async (path, options) => {
  const fields = JSON.parse(options.body), answer = await real(path, {...options, signal: undefined});
  if (window.hold(fields)) await new Promise((done) => window.held.push(done));
  return answer;
};
"""


def test_late_answers_are_not_shown(sheet):
    """Answers that come after the model has changed, or is wrong, change nothing: not its number, equations, fixings or files."""
    sheet.ask(HELD)
    sheet.type("gaussian: F -> X1, X2, X3; hidden F; means off")
    sheet.wait(
        "document.getElementById('number').textContent === '6' && document.querySelector('#lost-list button') !== null"
    )
    sheet.ask(
        "window.hold = (fields) => fields.question === 'what-if'; document.querySelector('#lost-list button').click()"
    )
    sheet.wait("window.held.length > 0")
    sheet.ask("window.hold = () => false")
    sheet.type("gaussian: F -> X1, X2; hidden F; means off")
    sheet.wait_for_dimension(3)
    sheet.ask("window.held.forEach((go) => go()); window.held = []")
    assert "" == sheet.shown("fixed")
    sheet.ask("window.hold = (fields) => fields.question !== 'read'")
    sheet.type("gaussian: F -> X1, X2, X3, X4; hidden F; means off")
    sheet.wait("window.held.length > 1")
    sheet.type("gaussian: F -> -> X1")
    sheet.wait("!document.getElementById('wrong').hidden")
    sheet.ask("window.hold = () => false; window.held.forEach((go) => go()); window.held = []")
    sheet.ask("new Promise((done) => setTimeout(done, 700))")
    assert ["–", "no model", ""] == [sheet.shown(name) for name in ("number", "status", "equation-list")]
    sheet.ask("window.hold = (fields) => fields.question === 'read'")
    sheet.type("A -> B")
    sheet.wait("window.held.length > 0")
    sheet.type("A -> B -> C")
    sheet.wait("window.held.length > 1")
    sheet.ask("window.hold = () => false; window.held[1]()")
    sheet.wait_for_dimension(5)
    sheet.ask("window.held[0]()")
    sheet.ask("new Promise((done) => setTimeout(done, 100))")
    assert ["A -> B -> C", ["A", "B", "C"], "5"] == [sheet.text, sheet.names, sheet.shown("number")]
    sheet.select("B")
    sheet.wait("document.querySelector('#what-if-list button') !== null")
    sheet.ask("document.getElementById('canvas').focus(); window.hold = (fields) => fields.question === 'read'")
    sheet.page.press("n")
    sheet.wait_for_names("A", "B", "C", "X1")
    sheet.ask("document.querySelector('#what-if-list button').click()")  # of the model before
    sheet.ask("window.hold = () => false; window.held.forEach((go) => go())")
    sheet.wait_for_dimension(6)
    assert ["A", "B", "C", "X1"] == sheet.names


def test_a_file_is_of_the_model_that_is_drawn(sheet):
    """Save, clicked before the program has read the last change, waits for it."""
    sheet.ask(HELD)
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.wait("document.getElementById('form').options.length > 5")
    sheet.ask(
        "HTMLAnchorElement.prototype.click = function () {}; const make = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { window.last = blob; return make(blob); }; document.getElementById('form').value = 'python'"
    )
    sheet.ask("window.hold = (fields) => fields.question === 'read'")
    sheet.select("H")
    sheet.page.press("5")
    sheet.click("save")
    sheet.wait("window.held.length > 0")
    assert "computing" == sheet.shown("status")
    sheet.ask("window.hold = () => false; window.held.forEach((go) => go())")
    sheet.wait("Boolean(window.last)")
    assert "states H=5" in sheet.ask("window.last.text()")


def test_a_wrong_text_is_taken_back(sheet):
    """The drawing is paler while the text is wrong, the error stands where it is, and one undo leads back to what was read."""
    sheet.type("A -> B;\nB -> C;\nC -> -> D")
    sheet.wait("!document.getElementById('wrong').hidden")
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.type("A -> C;\nB ->\n-> C; C -> X")
    sheet.wait("document.querySelector('#where mark') !== null")
    assert sheet.ask("document.getElementById('place').classList.contains('behind')")
    assert sheet.ask("document.getElementById('where').textContent") == sheet.text
    mark, box = (
        sheet.ask(
            f"(() => {{ const one = document.querySelector('{place}').getBoundingClientRect(); return [one.x, one.y, one.right, one.bottom]; }})()"
        )
        for place in ("#where mark", "#text")
    )
    assert box[0] < mark[0] < mark[2] < box[2]
    assert box[1] < mark[1] < mark[3] < box[3]
    sheet.ask("document.getElementById('canvas').focus()")
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_dimension(9)
    assert W == sheet.text
    assert not sheet.ask("document.getElementById('place').classList.contains('behind')")


def test_a_new_variable_is_seen(sheet):
    """Whatever is drawn, and however near: what a key adds stands where the hand can reach it."""
    sheet.type("H -> X1, X2, X3, X4; hidden H")
    sheet.wait_for_dimension(9)
    for _ in range(4):
        sheet.click("zoom-in")
    sheet.select("H")
    sheet.page.press("n", "n", "n")
    sheet.wait_for_names("H", *(f"X{number}" for number in range(1, 8)))
    sheet.page.press("Escape")
    sheet.wait("document.querySelector('#ground .selected') === null")
    sheet.touch("X7")
    assert "X7" == sheet.ask("document.querySelector('#ground .selected')?.dataset.name")


def test_the_text_of_an_earlier_drawing_is_pale(sheet):
    """A drawing that is no model has no text: the one that is there is shown as one of before, until there is one again."""
    sheet.type("A -> B")
    sheet.wait_for_dimension(3)
    sheet.rename("B", "1 B")
    sheet.wait("document.getElementById('paper').classList.contains('behind')")
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_dimension(3)
    assert not sheet.ask("document.getElementById('paper').classList.contains('behind')")


def test_where_keys_go_after_renaming(sheet):
    """To the drawing after Enter, also where the name is taken; to the text if that is clicked: letters there are no commands."""
    focus = "(document.activeElement.dataset.name ?? document.activeElement.id)"
    sheet.type("2:2,2")
    sheet.wait_for_dimension(3)
    for name, key, expected in (("X1", "Enter", "X2"), ("X1", None, "text"), ("B", None, "text")):
        sheet.ask("document.querySelector('#ground [data-name=X2]').focus()")
        sheet.page.press("F2")
        sheet.wait("document.activeElement.id === 'name'")
        sheet.page.type(name)
        sheet.page.press(key) if key else sheet.page.drag(sheet.find_middle("#text"))
        sheet.wait("document.getElementById('name').hidden")
        assert expected == sheet.ask(focus)
    sheet.wait_for_names("H", "X1", "B")


def test_messages_end_with_what_they_are_about(sheet):
    """Neither a new drawing nor an undo keeps what was said of the one before."""
    sheet.type("A -> B; states C=2")
    sheet.wait_for_dimension(4)
    sheet.select("A")
    sheet.page.press("c")
    sheet.join("C")
    sheet.wait("document.getElementById('said').textContent === 'A → C'")
    sheet.wait_for_dimension(5)
    sheet.click("save")
    sheet.wait("document.getElementById('saved').textContent !== ''")
    sheet.click("new-gaussian")
    sheet.wait("document.getElementById('status').textContent === 'nothing drawn'")
    assert ["", "", "Nothing is selected."] == [sheet.shown(name) for name in ("said", "saved", "selected-name")]


def test_quick_hands(sheet):
    """Keys faster than answers: the number at the end is that of the model at the end, and equations and what-ifs are its own."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.select("H")
    for keys in ("5423", "12345", "3232"):
        sheet.page.press(*keys)
    for back, key in pairwise("zzyzyyzz "):
        sheet.page.press(back, modifiers=2)
        assert key
    sheet.page.press("5")
    sheet.wait_for_dimension(10)
    sheet.wait("document.getElementById('what-if').getAttribute('aria-busy') === 'false'")
    assert "states H=5" in sheet.text
    assert sheet.shown("states-said").startswith("H with 5 states: dimension 10 (proved)")
    assert re.search(r"parameters\s*26", sheet.ask("document.getElementById('rows').innerText"))
