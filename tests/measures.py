"""What a reader meets in the first minute, in figures: `make measures`. Exit code 1 if a goal is missed.

Each measure is a line: whether its goal is met, the figure, the goal. Most are tests too; those of the built site and of the page of
`algdim explain` ask Chromium, and are skipped where there is none. `--site DIR` takes a site that is built, `NUMBER ...` some of the measures.
"""

from __future__ import annotations

import argparse
import inspect
import io
import os
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
FOLDERS = [ROOT, *(HERE / name for name in (".", "cli", "errors", "interface", "models", "project"))]
SIZE = (1280, 720)
"""Pixels of the window in which the site and the page are measured."""
STEPS = 8
LEAST_LETTER = 10
LONGEST_NAME = 16


class Figure(NamedTuple):
    """What a measure found: a sentence with the goal, whether it is met, and what misses it."""

    text: str
    is_met: bool
    missed: tuple[str, ...] = ()


class Skipped(Exception):  # noqa: N818  # it is no error
    """A measure that cannot be taken here, and why."""


def out_of(found: int, total: int, what: str, missed: Iterator[str] | list[str] = ()) -> Figure:
    """All of so many are asked for."""
    return Figure(f"{what}: {found} of {total}; all", found == total > 0, tuple(missed))


def run(words: str, terminal: bool = False) -> tuple[int, str, str]:
    """The exit code of a command, what it prints, and its diagnostics."""
    from test_foldedoutput import FILES, Terminal

    from algdim.cli import main

    out, err = (Terminal() if terminal else io.StringIO() for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([word.replace("FILES", str(FILES)) for word in shlex.split(words)])
        except SystemExit as stopped:
            code = stopped.code
    return code, out.getvalue(), err.getvalue()


def measure_blocks(site: Path | None) -> Figure:
    """The site in a window of 1280 pixels: blocks that are wider than their place."""
    from browser import BROWSER, browsing

    if BROWSER is None:
        raise Skipped("no browser is installed")
    with tempfile.TemporaryDirectory() as folder:
        built = site or build_site(Path(folder) / "site")
        pages = sorted(path for path in built.rglob("*.html") if path.name != "404.html")
        blocks, wide = 0, []
        with browsing() as page:
            for path in pages:
                page.visit(path, width=SIZE[0], height=SIZE[1])
                found = page.ask(
                    "[...document.querySelectorAll('.md-content pre > code')].map((one) => one.scrollWidth - one.clientWidth)"
                )
                blocks += len(found)
                wide += [f"{path.relative_to(built)}: {by} pixels" for by in found if by > 2]
    text = f"blocks of the site that overflow at {SIZE[0]} pixels: {len(wide)} of {blocks}; at most 2 %"
    return Figure(text, len(wide) <= 0.02 * blocks > 0, tuple(wide))


def build_site(target: Path) -> Path:
    """The site, built strictly."""
    if find_spec("mkdocs") is None:
        raise Skipped("mkdocs is not installed; `make docs` installs it, --site DIR takes a site that is built")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    subprocess.run(
        command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    return target


def measure_lines() -> Figure:
    """A terminal of 80 columns: what dim, identify, select, score and compare print."""
    from test_foldedoutput import WIDE

    from algdim.folding import measure_width

    os.environ["COLUMNS"] = "80"
    commands = [words for words in WIDE if words.split()[0] in ("dim", "identify", "select", "score", "compare")]
    lines = [(words, line) for words in commands for line in "\n".join(run(words, terminal=True)[1:]).splitlines()]
    del os.environ["COLUMNS"]
    wide = [f"{words}: {line}" for words, line in lines if measure_width(line) > 80]
    return Figure(
        f"lines over 80 columns on a terminal of 80: {len(wide)} of {len(lines)}; none", lines and not wide, tuple(wide)
    )


def make_results() -> dict[str, object]:
    """A result of every kind."""
    import test_showing

    with tempfile.TemporaryDirectory() as folder:
        return {**{kind: test_showing.made(kind) for kind in test_showing.MAKERS}, "Swept": test_showing.swept(folder)}


def measure_representations() -> Figure:
    """What a result prints itself as."""
    lengths = {kind: len(repr(result)) for kind, result in make_results().items()}
    longest = max(lengths, key=lengths.get)
    return Figure(
        f"longest repr of a result: {lengths[longest]} characters ({longest}); at most 300", lengths[longest] <= 300
    )


def measure_notebooks() -> Figure:
    """What a notebook shows."""
    from test_showing import Tags

    tags = {kind: Tags(result._repr_html_()).seen for kind, result in make_results().items()}
    plain = [kind for kind, seen in tags.items() if not seen & {"table", "svg"} or "pre" in seen]
    return out_of(len(tags) - len(plain), len(tags), "results that a notebook shows as a table or a figure", plain)


def measure_output() -> Figure:
    """README and pages: every output is what is printed, to the last line."""
    from test_examples_in_docs import DOCUMENTS, blocks_of, failures_in

    os.environ.pop("COLUMNS", None)
    failures, blocks = [], 0
    for page in DOCUMENTS:
        text = page.read_text(encoding="utf-8")
        blocks += sum(block.word in ("python", "console") for block in blocks_of(text))
        with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stderr(io.StringIO()):
            for name in ("examples", "proofs"):
                Path(name).symlink_to(ROOT / name)
            failures += failures_in(text, page.name)
    text = f"outputs on README and {len(DOCUMENTS) - 1} pages, {blocks} blocks, in which … stands for a part, or that differ: {len(failures)}; none"
    return Figure(text, blocks and not failures, tuple(failures))


def measure_pictures() -> Figure:
    """The pages under Guides, Models, Questions about a model, With data."""
    from test_site import list_illustrated, list_pictures

    pages = list_illustrated()
    bare = [page for page in pages if not list_pictures(page)]
    return out_of(len(pages) - len(bare), len(pages), "pages of guides and models with a picture", bare)


def measure_typos() -> Figure:
    """Commands, options, values, formats and models with a slip of the pen."""
    from test_did_you_mean import OTHERWISE, TYPOS, named

    missed = [text for text, wanted in TYPOS if not named(run(text)[2], wanted)]
    missed += [text for text, advice in OTHERWISE if advice not in run(text)[2]]
    total = len(TYPOS) + len(OTHERWISE)
    text = f"typos that are answered with what is meant: {total - len(missed)} of {total}; 38 of 40"
    return Figure(text, total >= 40 and total - len(missed) >= 0.95 * total, tuple(missed))


def measure_misreadings() -> Figure:
    """Ways to write a model that other programs have."""
    from test_ways_to_write import READ, REFUSED, meaning

    from algdim import InputError, model

    wrong = [text for text, same in READ if meaning(model(text)) != meaning(model(same))]
    for text, said in REFUSED:
        try:
            model(text)
        except InputError as error:
            if said in str(error).partition("\n  ")[0]:
                continue
        wrong.append(text)
    total = len(READ) + len(REFUSED)
    return Figure(
        f"natural ways to write a model that are misread: {len(wrong)} of {total}; none",
        total >= 40 and not wrong,
        tuple(wrong),
    )


def measure_steps() -> Figure:
    """The page of `algdim explain` as a presentation: after each `n` the heading is seen, and the step fits."""
    from browser import BROWSER, browsing

    from algdim import explain

    if BROWSER is None:
        raise Skipped("no browser is installed")
    step = "(document.querySelector('.step.now') || [...document.querySelectorAll('details[open]')].pop())"
    place = f"(() => {{ const s = {step}, h = s.querySelector('h2, summary').getBoundingClientRect(), t = s.getBoundingClientRect(); return [h.top, h.bottom, t.top, t.bottom]; }})()"
    bar = "(() => { const b = document.getElementById('tools'); return b && getComputedStyle(b).display !== 'none' && getComputedStyle(b).position === 'sticky' ? b.getBoundingClientRect().bottom : 0; })()"
    press = "(document.body || document).dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))"
    missed = []
    with tempfile.TemporaryDirectory() as folder, browsing() as page:
        file = Path(folder) / "page.html"
        file.write_text(explain("3:2,2,2,2").html(), encoding="utf-8")
        page.visit(file, width=SIZE[0], height=SIZE[1], query="?present")
        page.ask(
            "[...document.querySelectorAll('#tools button')].filter((one) => /Close all/.test(one.textContent)).forEach((one) => one.click())"
        )
        for number in range(1, STEPS + 1):
            page.ask(press)
            top, bottom, first, last = page.ask(place)
            least = page.ask(bar)
            if not (least - 1 <= top and bottom <= SIZE[1] and least - 1 <= first and last <= SIZE[1] + 1):
                missed.append(
                    f"step {number}: heading {top:.0f} to {bottom:.0f}, step {first:.0f} to {last:.0f}, bar to {least:.0f}"
                )
    return out_of(
        STEPS - len(missed), STEPS, f"steps whose heading is seen and that fit {SIZE[0]} × {SIZE[1]} after `n`", missed
    )


def measure_names() -> Figure:
    """Networks with names of sixteen letters: each is there, whole, large enough, and covers no other."""
    from browser import BROWSER, browsing

    from algdim.explanation.explaining import draw_picture

    if BROWSER is None:
        raise Skipped("no browser is installed")
    names = [
        f"{word}{'abcdefghijklmnop'[len(word) :]}"
        for word in ("Smoking", "Socioeconomic", "TarDeposits", "Hypovolemia", "LungCancer")
    ]
    models = [
        f"{names[0]} -> {', '.join(names[1:])}; hidden {names[0]}",
        f"gaussian: {' -> '.join(names)}; {names[0]} <-> {names[2]}; means off",
    ]
    missed, total = [], 0
    with tempfile.TemporaryDirectory() as folder, browsing() as page:
        for model in models:
            file = Path(folder) / "network.html"
            file.write_text(
                f"<!doctype html><meta charset=utf-8>{drawing(draw_picture(model, 'network'))}", encoding="utf-8"
            )
            page.visit(file, width=SIZE[0], height=SIZE[1])
            found = page.ask(
                "[...document.querySelectorAll('svg text')].map((one) => { const b = one.getBoundingClientRect(), m = one.getScreenCTM();"
                " return [one.textContent, parseFloat(getComputedStyle(one).fontSize) * m.a, b.left, b.right, b.top, b.bottom]; })"
            )
            for name in names:
                total += 1
                shown = [one for one in found if one[0].strip() == name]
                covered = [
                    other[0]
                    for one in shown
                    for other in found
                    if other is not one
                    and one[2] < other[3]
                    and other[2] < one[3]
                    and one[4] + 2 < other[5]
                    and other[4] + 2 < one[5]
                ]
                if not shown or shown[0][1] < LEAST_LETTER or covered:
                    missed.append(
                        f"{name}: {f'{shown[0][1]:.1f} pixels' if shown else 'not whole'}{f', covers {covered}' if covered else ''}"
                    )
    return out_of(
        total - len(missed),
        total,
        f"names of {LONGEST_NAME} letters that a network shows whole, at {LEAST_LETTER} pixels or more",
        missed,
    )


def drawing(text: str) -> str:
    """The element of a picture, without the head of the file."""
    ET.fromstring(text)
    return text[text.index("<svg") :]


def measure_words() -> Figure:
    """README and docs: words that docs/style.md replaces."""
    from test_style import uses

    pages = [ROOT / "README.md", *(path for path in (ROOT / "docs").rglob("*.md") if path.name != "style.md")]
    found = [f"{page.name}: {use}" for page in pages for use in uses(page.read_text(encoding="utf-8"))]
    return Figure(
        f"words that docs/style.md replaces, in README and {len(pages) - 1} pages: {len(found)}; none",
        not found,
        tuple(found),
    )


def measure_first_screen() -> Figure:
    """README: forty lines."""
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    picture = any("](docs/fibre.svg)" in line for line in first)
    table = any(line.startswith("| model | printed or counted | true (proved) |") for line in first)
    return Figure(
        f"first screen of README: picture {picture}, table of printed and true numbers {table}; both", picture and table
    )


def measure_frames() -> Figure:
    """pandas and polars."""
    results = make_results()
    equal = [kind for kind, result in results.items() if result.to_pandas().shape == result.to_polars().shape]
    return out_of(len(equal), len(results), "results that become data frames of pandas and polars")


def measure_arguments() -> Figure:
    """What is given to public functions, sensible or not."""
    from test_wrong_arguments import BASE, CASES, ODD

    import algdim

    missed = []
    for name, argument in CASES:
        for odd in ODD:
            try:
                getattr(algdim, name)(**{**BASE[name], argument: odd})
            except algdim.AlgdimError:
                pass
            except Exception as error:  # noqa: BLE001  # it is counted
                missed.append(f"{name}({argument}={odd!r}): {type(error).__name__}: {error}")
    total = len(CASES) * len(ODD)
    return out_of(total - len(missed), total, "odd arguments that are accepted or refused in words", missed)


def measure_docstrings() -> Figure:
    """Public functions."""
    from test_docstrings import FUNCTIONS, names_in, sections_of

    pairs = [(name, one) for name, value in FUNCTIONS.items() for one in inspect.signature(value).parameters]
    named = {name: names_in(sections_of(value.__doc__)["Parameters"]) for name, value in FUNCTIONS.items()}
    missed = [f"{name}: {one}" for name, one in pairs if one not in named[name]]
    return out_of(len(pairs) - len(missed), len(pairs), "parameters of public functions that a docstring names", missed)


KEY, FIRST_ANSWER = 20, 300
"""Milliseconds: from a key to the drawn canvas of the studio with 50 variables, and to its answer about a model of the papers."""


def measure_studio() -> Figure:
    """The studio: from a key to the canvas, and to the first answer."""
    from browser import BROWSER, browsing

    if BROWSER is None or find_spec("uvicorn") is None:
        raise Skipped("no browser, starlette or uvicorn is installed")
    from statistics import median
    from time import perf_counter

    from studio_page import Sheet, serving

    from algdim.studio.serving import LANES

    pairs = [(f"H{number}", f"X{4 * number}..X{4 * number + 3}") for number in range(10)]
    large = f"{'; '.join(f'{one} -> {items}' for one, items in pairs)}; hidden H0..H9"
    press = (
        "(async () => { const found = []; for (let count = 0; count < 30; count += 1) { await new Promise((done) => setTimeout(done, 50));"
        "const began = performance.now(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));"
        "document.querySelector('#ground .selected').getBoundingClientRect(); found.push(performance.now() - began); } return found; })()"
    )
    with serving(lanes=LANES) as served, browsing() as page:
        sheet = Sheet(page).show(served.address, width=SIZE[0], height=SIZE[1])
        sheet.type(large)
        sheet.wait("document.querySelectorAll('#ground [data-name]').length === 50")
        sheet.select("X3")
        times = sheet.ask(press)
        drawn = median(times)
        late = []
        for entry in served.ask(question="gallery")[1]["models"]:
            if entry["citation"].split()[0] in ("GHM96", "HM97", "KZ02", "CH96", "MH97"):
                began = perf_counter()
                served.ask(question="dim", text=served.ask(question="read", text=entry["text"])[1]["text"])
                took = 1000 * (perf_counter() - began)
                late += [f"{entry['name']}: {took:.0f} ms"] if took > FIRST_ANSWER else []
    text = f"studio: {drawn:.0f} ms (at least {min(times):.0f}) from a key to the canvas with 50 variables, {len(late)} models of the papers answered after {FIRST_ANSWER} ms; {KEY}, none"
    return Figure(text, drawn <= KEY and not late, tuple(late))


MEASURES: tuple[Callable[..., Figure], ...] = (
    measure_blocks,
    measure_lines,
    measure_representations,
    measure_notebooks,
    measure_output,
    measure_pictures,
    measure_typos,
    measure_misreadings,
    measure_steps,
    measure_names,
    measure_words,
    measure_first_screen,
    measure_frames,
    measure_arguments,
    measure_docstrings,
    measure_studio,
)


def take_measures(numbers: list[int], site: Path | None) -> int:
    """Print each, and return the exit code."""
    missed = 0
    for number, measure in enumerate(MEASURES, 1):
        if numbers and number not in numbers:
            continue
        try:
            figure = measure(site) if measure is measure_blocks else measure()
        except Skipped as reason:
            print(f"skipped {number:2}  {measure.__doc__.splitlines()[0]} {reason}", flush=True)
            continue
        print(f"{'met    ' if figure.is_met else 'MISSED '} {number:2}  {figure.text}", flush=True)
        if not figure.is_met:
            missed += 1
            print(*(f"             {line}" for line in figure.missed[:10]), sep="\n", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.path[:0] = [str(folder) for folder in FOLDERS]
    os.environ["NO_COLOR"] = "1"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="the measures to take (default: all)")
    parser.add_argument("--site", type=Path, help="a site that is built")
    options = parser.parse_args()
    import_module("algdim")
    sys.exit(take_measures(options.numbers, options.site and options.site.resolve()))
