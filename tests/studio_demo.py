"""Records the pictures of docs/studio.md in a browser: `make studio-demo`.

Drawn as a reader draws it: the W structure from nothing, its dimension, five states, equations, a Gaussian model, a plate, examples.
"""

from __future__ import annotations

from pathlib import Path

from browser import browsing
from studio_page import Sheet, serving

FOLDER = Path(__file__).parents[1] / "docs" / "studio"
SIZE = (1180, 760)


def draw_w_structure(sheet: Sheet) -> None:
    """The W structure from nothing: by keys, by the mouse and by buttons, with names edited in place."""
    page = sheet.page
    sheet.ask("document.getElementById('canvas').focus()")
    page.press("n", "n", "l", "n", "n")
    sheet.wait_for_names("X1", "X2", "H", "X3", "X4")
    for name, wanted in (("X1", "A"), ("X2", "C"), ("X3", "D"), ("X4", "B")):
        sheet.rename(name, wanted)
    page.press("Escape")
    sheet.select("A")
    page.press("c")
    sheet.join("C")  # a key, then a click
    sheet.select("H")
    for end in ("C", "D"):  # from the dot to the variable
        page.drag(sheet.find_middle("#ground .handle .dot"), sheet.find_variable(end))
    page.press("Escape")
    sheet.click("connect")  # a button, then two clicks
    sheet.select("B")
    sheet.join("D")


def record_pictures() -> None:
    """Write them."""
    with serving() as served, browsing() as page:
        sheet = Sheet(page).show(served.address, width=SIZE[0], height=SIZE[1])
        draw_w_structure(sheet)
        sheet.wait_for_dimension(9)
        sheet.click("arrange")
        sheet.select("H")
        sheet.wait("!document.getElementById('what-if-states').hidden")
        page.picture(FOLDER / "w.png")
        page.press("5")
        sheet.wait_for_dimension(10)
        sheet.wait("document.getElementById('states-said').textContent.includes('H with 5 states')")
        sheet.ask("document.getElementById('why').open = document.getElementById('lost').open = false")
        page.picture(FOLDER / "what-if.png")
        sheet.type("gaussian: F -> X1, X2, X3; G -> X3, X4, X5; F <-> G; hidden F, G; means off")
        sheet.wait_for_dimension(12)
        sheet.ask("document.getElementById('lost').open = true; document.activeElement.blur()")
        sheet.wait("document.querySelector('#lost-list').textContent.includes('b(F->X1)')")
        sheet.ask("document.querySelector('#lost-list button').click()")
        sheet.wait("document.querySelector('#fixed button') !== null")
        page.picture(FOLDER / "gaussian.png")
        sheet.type("A -> H -> X1..X20; hidden H; states H=4")
        sheet.wait_for_dimension(87)
        sheet.select("X1")
        sheet.wait("document.querySelector('#what-if-list button') !== null")
        sheet.ask("document.getElementById('why').open = document.getElementById('lost').open = true")
        page.picture(FOLDER / "plate.png")
        sheet.click("open-gallery")
        sheet.wait("[...document.querySelectorAll('.card img')].some((one) => one.complete && one.naturalWidth)")
        page.picture(FOLDER / "examples.png")
        assert not page.problems, page.problems


if __name__ == "__main__":
    record_pictures()
