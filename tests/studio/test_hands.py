"""The page of the studio in a real browser: what hands do there, what is kept, and what hostile names do not do."""

from __future__ import annotations

import json
import random

import pytest
from amount import SEED, in_turn
from browser import BROWSER, BROWSERS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import studio_page
from studio_demo import draw_w_structure
from studio_page import Sheet, another_tab, serving

from algdim.studio.answering import answer_question

served, browser, sheet = studio_page.served, studio_page.browser, studio_page.sheet

pytestmark = pytest.mark.skipif(BROWSER is None, reason=f"no browser: none of {', '.join(BROWSERS)} is installed")

W = "A -> C <- H -> D <- B; hidden H"


@in_turn(2)
def test_the_w_structure_is_drawn_and_proved(sheet):
    """Nine dimensions with two states of H, ten with five (GHM96, §5, and its erratum); undone, nine; the slider says the same."""
    draw_w_structure(sheet)
    sheet.wait_for_dimension(9)
    assert "A -> C <- H -> D <- B; hidden H" == sheet.text
    sheet.select("H")
    sheet.page.press("5")
    sheet.wait_for_dimension(10)
    assert f"{W}; states H=5" == sheet.text
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_dimension(9)
    assert W == sheet.text
    sheet.page.press("y", modifiers=2)
    sheet.wait_for_dimension(10)
    sheet.select("H")
    sheet.wait("!document.getElementById('what-if-states').hidden")
    sheet.ask("const one = document.getElementById('states'); one.value = 1; one.dispatchEvent(new Event('input'))")
    assert "H with 1 state: dimension 6 (proved), 6 parameters" == sheet.shown("states-said")
    sheet.click("states-apply")
    sheet.wait_for_dimension(6)


@pytest.mark.slow
def test_text_is_drawn(sheet):
    """Typed, it is seen; what the hand has placed stays; an error is marked in its place, and the drawing stays."""
    sheet.type("A -> C <- H; hidden H")
    sheet.wait_for_dimension(3)
    x, y = sheet.find_variable("C")
    sheet.page.drag((x, y), (x + 20, y + 30), (x + 60, y + 50))
    moved = sheet.find_variable("C")
    sheet.type(W)
    sheet.wait_for_dimension(9)

    assert {"A", "B", "C", "D", "H"} == set(sheet.names)
    assert [round(x + 60), round(y + 50)] == [round(one) for one in moved]
    places = (
        sheet.ask("JSON.parse(decodeURIComponent(location.hash.slice(7))).places")
        if sheet.wait("location.hash.includes('D%20')")
        else {}
    )
    assert {"A", "B", "C", "D", "H"} == set(places)
    sheet.type("A -> C <- <- B")
    sheet.wait("!document.getElementById('wrong').hidden")
    assert "<" == sheet.ask("document.querySelector('#where mark').textContent")
    assert "true" == sheet.ask("document.getElementById('text').getAttribute('aria-invalid')")
    assert {"A", "B", "C", "D", "H"} == set(sheet.names)


HOSTILE = [
    "<script>window.hurt = 1</script>",
    "<img src=x onerror=hurt=1>",
    "\"'`&quot;",
    "ا\u202eبA",
    "x" * 1000,
    "__proto__",
    "constructor",
    "hidden",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_do_nothing(sheet, name):
    """A name that the notation does not have is refused with a sentence; undone, the drawing is as it was. As text, too."""
    sheet.type("A -> B")
    sheet.wait_for_dimension(3)
    sheet.rename("A", name)
    sheet.wait("!document.getElementById('wrong').hidden || document.getElementById('number').textContent === '3'")
    sheet.wait_for_names(name, "B")
    assert not sheet.ask(
        "'hurt' in window || document.querySelectorAll('#ground script, #ground img, #answers script').length"
    )
    sheet.ask("document.getElementById('canvas').focus()")
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_names("A", "B")
    sheet.wait_for_dimension(3)
    sheet.type(f"A -> {name}")
    sheet.wait("!document.getElementById('wrong').hidden || document.getElementById('number').textContent === '3'")
    assert not sheet.ask("'hurt' in window")


@pytest.mark.slow
def test_two_tabs_and_a_new_start(served, sheet):
    """Each tab keeps its own drawing; a program that was killed and started again loses nothing that was drawn, even meanwhile."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    with another_tab(sheet.page):
        other = Sheet(sheet.page).show(served.address)
        other.wait_for_dimension(9)  # the last drawing
        other.type("2:2,2")
        other.wait_for_dimension(3)
    assert W == sheet.text
    sheet.show(served.address)
    sheet.wait_for_dimension(9)
    assert W == sheet.text
    with serving() as another:
        sheet.forget(another.address)
        sheet.show(another.address)
        sheet.type("2:2,2,2")
        sheet.wait_for_dimension(7)
    sheet.type("2:2,2,2,2")
    sheet.wait("document.getElementById('wrong').textContent.includes('what you drew is kept')")
    sheet.page.problems.clear()  # the browser tells that nobody answers
    with serving(another.port) as again:
        assert again.token != another.token
        with another_tab(sheet.page):
            fresh = Sheet(sheet.page).show(again.address)
            fresh.wait_for_dimension(9)
            assert fresh.text == "2:2,2,2,2"
    sheet.page.problems.clear()  # the first tab was rejected: its token is an old one


@pytest.mark.slow
def test_gaussian_models_are_drawn(sheet):
    """Arcs by a key, not identified coefficients in colour, and fixing one of them."""
    sheet.click("new-gaussian")
    sheet.page.press("l", "n", "n", "n")
    for name in ("X1", "X2", "X3"):
        sheet.select("H")
        sheet.page.press("c")
        sheet.join(name)
    sheet.wait_for_dimension(6)
    assert "gaussian: H -> X1, X2, X3; hidden H; means off" == sheet.text
    assert 3 == sheet.ask("document.querySelectorAll('#ground .link.edge.lost').length")
    sheet.ask(
        "[...document.querySelectorAll('#lost-list button')].find((one) => one.textContent === 'b(H->X1)').click()"
    )
    sheet.wait("document.querySelector('#fixed button') !== null")
    sheet.ask("document.querySelector('#fixed button').click()")
    sheet.wait("document.getElementById('lost').hidden && document.getElementById('number').textContent === '6'")
    assert "fix b(H->X1)=1" in sheet.text
    sheet.select("X1")
    sheet.page.press("b")
    sheet.join("X2")
    sheet.wait("document.getElementById('text').value.includes('X1 <-> X2')")
    sheet.wait("document.querySelectorAll('#ground .link.arc').length === 1")
    sheet.select("X1")
    sheet.page.press("Delete")
    sheet.wait("!document.getElementById('text').value.includes('X1')")
    sheet.page.press("z", modifiers=2)
    sheet.wait("document.getElementById('text').value.includes('X1 <-> X2')")


@pytest.mark.slow
def test_it_is_reached_by_keys_and_labelled(sheet):
    """Every control has a name, Tab goes through variables and arrows, keys move; what is said is announced."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    nameless = sheet.ask(
        "[...document.querySelectorAll('button, select, input, textarea, [tabindex]')].filter((one) => one.offsetParent !== null || one.ownerSVGElement)"
        ".filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).map((one) => one.outerHTML.slice(0, 80))"
    )
    assert [] == nameless
    sheet.ask("document.getElementById('canvas').focus()")
    seen = []
    for _ in range(9):
        sheet.page.press("Tab")
        seen.append(sheet.ask("document.activeElement.getAttribute('aria-label')"))
    assert "H, latent, 2 states: not identified (proved): P(H=0)" in seen
    assert any(one.startswith("arrow from A to C") for one in seen)
    before = sheet.find_variable("B")
    sheet.select("B")
    sheet.page.press("ArrowRight", "ArrowDown")
    after = sheet.find_variable("B")
    assert after[0] > before[0]
    assert after[1] > before[1]
    assert "polite" == sheet.ask("document.getElementById('big').getAttribute('aria-live')")


CONTRAST = """(() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const bright = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (one) => { for (let at = one; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c[3] === undefined || c[3] === 1) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.ownerSVGElement && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
    .filter((one) => !one.disabled).map((one) => { const a = bright(parse(getComputedStyle(one).color)), b = bright(ground(one)); return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML.slice(0, 60)]; })
    .concat([...document.querySelectorAll('#ground text')].map((one) => { const behind = [...one.parentElement.querySelectorAll('.shape, rect')].pop();
      const a = bright(parse(getComputedStyle(one).fill)), b = bright(parse(behind ? getComputedStyle(behind).fill : '255 255 255')); return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML]; }))
    .concat([...document.querySelectorAll('#ground .shape, #ground .stroke, button, textarea, select')].filter((one) => one.checkVisibility() && !one.disabled).map((one) => {
      const style = getComputedStyle(one), a = bright(parse(one.ownerSVGElement ? style.stroke : style.borderTopColor)), b = bright(one.ownerSVGElement ? [255, 255, 255] : ground(one.parentElement));
      return [1.5 * (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.outerHTML.slice(0, 90)]; }).filter(([, text]) => !/class="card/.test(text)))
    .filter(([ratio]) => ratio < 4.5);
})()"""


@pytest.mark.slow
def test_contrast(sheet):
    """All text has the contrast that WCAG asks for at the level AA, 4.5, on the drawing too; outlines and frames of controls 3."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.select("H")
    sheet.wait("!document.getElementById('what-if-states').hidden")
    assert [] == sheet.ask(CONTRAST)
    sheet.type("gaussian: F -> X1, X2, X3; G -> X3, X4; F <-> G; hidden F, G; means off")
    sheet.wait("document.querySelector('#lost-list').textContent.includes('b(G->X4)')")
    sheet.ask("document.querySelector('#lost-list button').click()")
    sheet.wait("document.querySelector('#fixed button') !== null")
    assert [] == sheet.ask(CONTRAST)
    sheet.type("gaussian: F -> -> X1")
    sheet.wait("!document.getElementById('wrong').hidden")
    sheet.click("open-gallery")
    sheet.wait("document.querySelector('.card') !== null")
    assert [] == sheet.ask(
        CONTRAST.replace("#ground text", "#nothing")
    )  # what is drawn is paler while the text is wrong


@pytest.mark.slow
def test_what_is_taken_away(sheet):
    """Every form gives a file; the picture has no script and the names as text; the link opens the drawing again."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    sheet.wait("document.getElementById('form').options.length > 10")
    sheet.ask(
        "window.taken = {}; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { const url = make(blob); window.last = blob; return url; };"
        "HTMLAnchorElement.prototype.click = function () { window.taken[this.download] = window.last; }"
    )
    for form in sheet.ask("[...document.getElementById('form').options].map((one) => one.value)"):
        if form == "lavaan":
            continue
        sheet.ask(
            f"document.getElementById('saved').textContent = ''; document.getElementById('form').value = {json.dumps(form)}"
        )
        sheet.click("save")
        sheet.wait("document.getElementById('saved').textContent.endsWith(' saved')")
    taken = sheet.ask("Object.fromEntries(Object.entries(window.taken).map(([name, blob]) => [name, blob.size]))")
    assert {"model.svg", "model.png", "certificate.json", "lecture.html", "model.tex"} <= set(taken)
    assert all(taken.values())
    svg = sheet.ask("window.taken['model.svg'].text()")
    assert "<script" not in svg
    assert svg.count("<ellipse") == 1
    link = sheet.ask("location.href")
    sheet.forget(link)
    sheet.show(link)
    sheet.wait_for_dimension(9)
    assert W == sheet.text


@pytest.mark.slow
def test_nothing_sticks_out(sheet):
    """On a telephone the page is not wider than its window; by touch a variable is added and joined."""
    sheet.type(W)
    sheet.wait_for_dimension(9)
    link = sheet.ask("location.href")
    sheet.show(link, width=390, height=844)

    assert sheet.ask("document.documentElement.scrollWidth") <= 390
    sheet.page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        for way in ("touchStart", "touchEnd"):
            x, y = sheet.find_variable("H")
            points = [{"x": x, "y": y}] if way == "touchStart" else []
            sheet.page.send("Input.dispatchTouchEvent", type=way, touchPoints=points)
        sheet.wait("document.querySelector('#ground .selected')?.dataset.name === 'H'")
    finally:
        sheet.page.send("Emulation.setTouchEmulationEnabled", enabled=False)


@pytest.mark.slow
def test_data_are_scored(sheet):
    """BIC by parameters and by dimension, of a file that goes no further than the program."""
    sheet.type("2:2,2")
    sheet.wait_for_dimension(3)
    sheet.ask(
        "const files = new DataTransfer(); files.items.add(new File(['X1,X2\\n0,1\\n1,0\\n1,1\\n0,0\\n'], 'data.csv'));"
        "const one = document.getElementById('file'); one.files = files.files; one.dispatchEvent(new Event('change'))"
    )
    sheet.wait("document.getElementById('score').textContent.includes('bic+')")

    assert "dimension 3 (proved)" in sheet.shown("score")
    sheet.type("X1 -> X2")
    sheet.wait(
        "document.getElementById('score').textContent.startsWith('X1 -> X2')"
    )  # again, of the model that is drawn now
    sheet.type("X1 -> ")
    sheet.wait("document.getElementById('score').textContent === ''")


@pytest.mark.slow
def test_what_is_fixed_follows_the_hand(sheet):
    """A renamed variable keeps its fixed and shared numbers; what a change makes meaningless is dropped, and nothing else."""
    text = "document.getElementById('text').value"
    sheet.type("gaussian: F -> X, Y, Z; hidden F; fix b(F->X)=1, v(Y)=2; means off")
    sheet.wait("document.getElementById('number').textContent === '5'")
    sheet.rename("F", "b")
    sheet.wait(
        "document.getElementById('text').value === 'gaussian: b -> X, Y, Z; hidden b; fix b(b->X)=1, v(Y)=2; means off'"
    )
    sheet.select("X")
    sheet.page.press("Delete")
    sheet.wait("document.getElementById('text').value === 'gaussian: b -> Y, Z; hidden b; fix v(Y)=2; means off'")
    sheet.type("gaussian: F -> X, Y, Z; hidden F; equal b(F->X) = b(F->Y) + b(F->Z)")
    sheet.wait_for_dimension(8)
    sheet.rename("Z", "W")
    sheet.wait(f"{text}.endsWith('equal b(F->X) = b(F->Y) + b(F->W)')")
    sheet.select("W")
    sheet.page.press("Delete")
    sheet.wait(f"{text} === 'gaussian: F -> X, Y; hidden F'")
    sheet.type("conditional-gaussian: F -> X, Y; H -> X, Y; hidden H, F; states H=2; common b(F->X)")
    sheet.wait("document.getElementById('status').textContent !== 'computing'")
    sheet.rename("X", "W")
    sheet.wait(f"{text}.endsWith('common b(F->W)')")
    sheet.select("W")
    sheet.page.press("Delete")
    sheet.wait(f"!{text}.includes('W')")
    assert sheet.ask("document.getElementById('wrong').hidden")
    sheet.type("H -> X, Y, Z; hidden H; share one: X, Y; fix P(Z=0|H=0)=1/3")
    sheet.wait("document.getElementById('number').textContent === '4'")
    sheet.rename("Z", "constructor")
    sheet.wait("document.getElementById('text').value.endsWith('fix P(constructor=0|H=0)=1/3')")
    assert "share one: X, Y" in sheet.text
    sheet.select("constructor")
    sheet.page.press("3")
    sheet.wait(
        "document.getElementById('text').value === 'H -> X, Y, constructor; hidden H; states constructor=3; share one: X, Y'"
    )


@pytest.mark.slow
def test_the_fibre_slider(sheet):
    """The page of explain, within the page: an origin of its own."""
    sheet.type("2:2,2")
    sheet.wait_for_dimension(3)
    sheet.click("lecture")
    sheet.wait("document.querySelector('#lecture-page iframe') !== null")
    frames = "sheet"
    while frames != "null":  # an opaque origin, when it is loaded
        frames = sheet.ask(
            "(() => { try { return String(document.querySelector('#lecture-page iframe').contentDocument?.title ?? null) } catch { return 'null' } })()"
        )
    assert sheet.ask("document.getElementById('lecture-dialog').open")


@pytest.mark.slow
def test_a_text_is_not_lost_when_the_hand_is_quick(sheet):
    """Who leaves the text before it was read finds it read."""
    sheet.type("A -> B")
    sheet.ask("document.getElementById('text').blur()")
    sheet.wait_for_dimension(3)
    assert "A -> B" == sheet.text
    sheet.click("open-gallery")
    sheet.wait("document.querySelector('.card') !== null")
    sheet.ask("[...document.querySelectorAll('.card')].find((one) => one.dataset.name === 'w-structure').click()")
    sheet.wait_for_dimension(9)
    sheet.ask("document.getElementById('canvas').focus()")
    sheet.page.press("z", modifiers=2)
    sheet.wait_for_dimension(3)
    assert ["A", "B"] == sheet.names


TEXTS = (W, "2:2,2,2", "H -> X1..X15; hidden H", "gaussian: F -> X, Y, Z; hidden F", "A -> ", "dag { A -> B }", "")
SAID = "['text', 'number', 'status'].map((id) => { const one = document.getElementById(id); return one.value ?? one.textContent; })"


def check_claim(sheet, answers):
    """Whether the page claims something now, at whatever moment; then it is what the program says of the text on the page."""
    text, number, status = sheet.ask(SAID)
    if status != "proved":
        return 0
    if text not in answers:
        answers[text] = answer_question({"question": "dim", "text": text})
    assert number == str(answers[text]["dimension"]), text
    return 1


@pytest.mark.slow
@pytest.mark.parametrize("start", ["new-discrete", "new-gaussian", "new-conditional-gaussian"])
def test_any_keys_leave_drawing_and_text_in_step(served, sheet, start):
    """Random keys, drags, clicks and texts: nothing goes wrong on the page, no moment has a false number, and what is drawn is what the text says."""
    draws, answers, claims = random.Random(f"{SEED} {start}"), {}, 0
    keys = [*"nnnllcccbbo123+-p", "Tab", "Tab", "Enter", "Escape", "Delete", "ArrowRight", "ArrowUp", " "]
    buttons = ["fold", "unfold", "turn", "more", "fewer", "remove", "connect", "arrange", "states-apply"]
    sheet.click(start)
    sheet.ask("document.getElementById('canvas').focus()")
    for _ in range(120):
        names, what = sheet.names, draws.random()
        if what < 0.2 and names:
            sheet.ask(
                f"document.querySelector('#ground [data-name=\"{draws.choice(names)}\"]')?.focus(); document.getElementById('name').blur()"
            )
        elif what < 0.3 and names:
            x, y = sheet.find_middle("#canvas")
            sheet.page.drag((x, y), (x + draws.randrange(-200, 200), y + draws.randrange(-100, 100)))
        elif what < 0.45:
            sheet.page.press(draws.choice("zy"), modifiers=2)
        elif what < 0.5:
            sheet.type(draws.choice(TEXTS))
        elif what < 0.6:
            name = draws.choice(buttons)
            sheet.ask(
                f"(() => {{ const one = document.getElementById('{name}'); if (one.checkVisibility()) one.click(); }})()"
            )
        elif what < 0.65:
            sheet.ask("document.querySelector('#what-if-list button, #lost-list button, #fixed button')?.click()")
        else:
            sheet.page.press(draws.choice(keys))
        claims += check_claim(sheet, answers)
        if draws.random() < 0.3:
            sheet.wait("!document.getElementById('status').textContent.includes('computing')")
            claims += check_claim(sheet, answers)
    sheet.page.press("Escape", "Escape")
    settled = (
        "!document.getElementById('status').textContent.includes('computing') && document.getElementById('name').hidden"
    )
    sheet.wait(settled)
    assert claims
    if sheet.ask("document.getElementById('wrong').hidden") and sheet.text:
        _, found = served.ask(question="read", text=sheet.text)
        folded = sheet.ask("document.querySelectorAll('#ground .copy').length / 2")
        graph, shown = found["graph"], {one["name"] for one in found["graph"]["nodes"]}
        assert {*sheet.names} <= shown
        assert folded or len(sheet.names) == len(shown)
        count = sheet.ask("document.querySelectorAll('#ground .link').length")
        assert folded or count == len(graph["edges"]) + len(graph["arcs"]) + len(graph["lines"])
    else:
        assert not sheet.ask("document.getElementById('wrong').hidden") or [] == sheet.names


@pytest.mark.slow
def test_while_a_proof_is_looked_for(sheet):
    """The number is there before its proof, with what is known of it; a change of the model ends the search."""
    sheet.ask(
        "window.wait = new Promise((done) => { window.goOn = done; }); const real = window.fetch; window.left = [];"
        "window.fetch = async (path, options) => { const fields = JSON.parse(options.body); options.signal.addEventListener('abort', () => window.left.push(String(fields.as?.names)));"
        "if (fields.question === 'dim' && !fields.quick && fields.as.names.includes('C')) await window.wait; return real(path, options); }"
    )
    sheet.type(W)
    sheet.wait("document.getElementById('status').textContent.endsWith('; looking for a proof')")
    assert sheet.shown("status").startswith("probable, error below ")
    assert "9" == sheet.shown("number")
    assert 0 == sheet.ask("document.querySelectorAll('#ground .lost').length")
    sheet.type("A -> X -> C")
    sheet.wait("document.getElementById('rows').getAttribute('aria-busy') === 'true'")
    sheet.type("A -> B")
    sheet.wait_for_dimension(3)
    assert any({*one.split(",")} == {*"ABCDH"} for one in sheet.ask("window.left"))
    assert "false" == sheet.ask("document.getElementById('rows').getAttribute('aria-busy')")
    sheet.ask("window.goOn()")
    sheet.type(f"{W}; states H=3")
    sheet.wait_for_dimension(10)


@pytest.mark.slow
def test_text_of_other_programs(sheet):
    """Written as lavaan and dagitty have it, and typed in them; the drawing follows, and changes it."""
    sheet.type("f =~ x1 + x2 + x3")
    sheet.wait("document.getElementById('number').textContent === '6'")
    sheet.ask(
        "document.getElementById('notation').value = 'dagitty'; document.getElementById('notation').dispatchEvent(new Event('change'))"
    )
    sheet.wait("document.getElementById('said').textContent.includes('dagitty cannot say')")  # a loading is fixed
    sheet.type("dag { A -> B <-> C }")
    sheet.wait("document.querySelectorAll('#ground .link.arc').length === 1")
    sheet.select("A")
    sheet.page.press("Delete")
    sheet.wait("document.getElementById('text').value === 'dag {\\nB\\nC\\nB <-> C\\n}\\n'")
    sheet.ask(
        "document.getElementById('notation').value = ''; document.getElementById('notation').dispatchEvent(new Event('change'))"
    )
    sheet.wait("document.getElementById('text').value === 'gaussian: B <-> C; means off'")
    assert ["B", "C"] == sheet.names
