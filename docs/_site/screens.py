"""Takes the pictures of the eight screens in docs/teaching.md, with the browser of the tests: `python docs/_site/screens.py`."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

FOLDER = ROOT / "docs" / "screens"
MODEL = "3:2,2,2,2"
STEPS = 8
FIBRE = 2
MOVE = """(() => {
  const slider = document.querySelector("#step-fibre input[type=range]");
  slider.value = +slider.min + 0.9 * (slider.max - slider.min);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})()"""
"""On the screen with the fibre the slider is moved."""
WIDTH, HEIGHT, SHOWN = 1280, 720, 0.75
"""Pixels of the window, and how large its picture is."""
COLOURS = 48
"""The pages have few, so that few are enough."""


def take_screens(model: str = MODEL) -> list[bytes]:
    """The steps of the page in presentation, as PNG files."""
    from browser import browsing
    from PIL import Image

    from algdim import explain

    found = []
    with tempfile.TemporaryDirectory() as folder, browsing() as page:
        place = Path(folder)
        (place / "page.html").write_text(explain(model).html(), encoding="utf-8")
        page.visit(place / "page.html", width=WIDTH, height=HEIGHT, query="?present")
        for number in range(STEPS):
            if number:
                page.press("ArrowRight")
            if number == FIBRE:
                page.ask(MOVE)
            page.ask("new Promise((done) => setTimeout(done, 300))")
            page.picture(place / "screen.png")
            size = round(WIDTH * SHOWN), round(HEIGHT * SHOWN)
            with Image.open(place / "screen.png") as picture:
                small = (
                    picture.convert("RGB")
                    .resize(size, Image.Resampling.LANCZOS)
                    .quantize(COLOURS, dither=Image.Dither.NONE)
                )
            out = io.BytesIO()
            small.save(out, "PNG", optimize=True)
            found.append(out.getvalue())
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for number, picture in enumerate(take_screens(), 1):
        (FOLDER / f"{number}.png").write_bytes(picture)
        print(f"{number}.png {len(picture) // 1000} kB", file=sys.stderr)
