"""The page of an explanation: well formed, complete without a script, in need of nothing from outside."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser

import pytest
from amount import daily, first, in_turn

from algdim import explain as explain_anew
from algdim.display.html import format_mathematics

explain = cache(explain_anew)


VOID = {"meta", "wbr", "input", "br"}


class Reader(HTMLParser):
    """Checks that what is opened is closed, and gathers text outside scripts and styles, ids and attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.attributes, self.sections = [], [], [], 0

    def handle_starttag(self, tag, attrs):
        """Remember what is open."""
        self.attributes += attrs
        self.sections += tag == "details"
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


@pytest.mark.parametrize(
    "text",
    daily(
        [
            "2:2,2",
            "3:2,2,2,2",
            "gaussian: H -> X1, X2, X3, X4; hidden H",
            "classifier Y: Y -> X2 <- X1; states Y=3, X1=3",
            "2:2^30",
            "polynomial: parameters a, b; coordinates a^2, a*b, b/(1+a)",
            "loglinear: {A,H}, {B,H}; hidden H",
            "sigmoid: A -> B",
        ],
        3,
    ),
)
def test_pages_are_complete_and_closed(text):
    """Every section of the document is open in the page; nothing is loaded from anywhere."""
    found = explain(text)
    document, page = found.document(), found.html()
    reader = read(page)
    seen = "".join(reader.text)

    assert len(document.sections) == reader.sections == page.count("<details open")
    assert all(section.title in seen for section in document.sections)
    assert "://" not in page
    assert not [value for name, value in reader.attributes if name in ("src", "href")]


def test_no_name_leaves_its_place():
    """Text of a model cannot end the script that holds it."""
    found = explain("2:2,2")
    data = re.search(r'id="play-data">(.*?)</script>', found.html(), re.DOTALL)[1]

    assert "<" not in data
    assert found.play == json.loads(data)
    assert "&lt;script&gt;" == format_mathematics("<script>")


def test_a_notebook_gets_no_script():
    """The same sections, and no document around them."""
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


# In a real browser, where one is installed.

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
OPTIONS = "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-dev-shm-usage".split()
needs_browser = pytest.mark.skipif(BROWSER is None, reason=f"no browser: none of {', '.join(BROWSERS)} is installed")


def seen_by_browser(page, folder, *more):
    """The page's elements after its script has run."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [BROWSER, *OPTIONS, f"--user-data-dir={folder / 'profile'}", *more, "--dump-dom", file.as_uri()]
    run = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=120, stdin=subprocess.DEVNULL
    )
    return run.stdout


@in_turn(2)
@needs_browser
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("text", "rank"),
    daily(
        [
            ("3:2,2,2,2", 13),
            ("gaussian: H -> X1, X2, X3; hidden H", 9),
            ("classifier Y: Y -> X2 <- X1; states Y=3, X1=3", 11),
        ],
        1,
    ),
)
def test_the_browser_finds_the_rank(text, rank, tmp_path):
    """The script computes with its own fractions what algdim does, and offers its buttons."""
    found = explain(text)
    shown = seen_by_browser(found.html(), tmp_path)

    assert rank == found.standing.rank
    assert f"Rank {rank} — the dimension: the point is regular." in shown
    assert rank == len(re.findall(r'class="pivot"', shown.partition('id="rank"')[2].partition("</table>")[0]))
    assert "Next step (n)" in shown
    assert '<nav id="tools">' in shown


@in_turn(2)
@needs_browser
@pytest.mark.usefixtures("home")
def test_the_browser_watches_the_rank_fall(tmp_path):
    """Where all rows of a table are alike, the rank of 3:2,2,2,2 falls, as it does in algdim."""
    from algdim.explanation.standing import evaluate_at_point
    from algdim.maps import map_of

    found = explain("3:2,2,2,2")
    special = found.play["points"]["all rows alike"]
    rank = evaluate_at_point(map_of(found.report.model), [Fraction(value) for value in special], "").rank
    click = "<script>[...document.querySelectorAll('#play button')].find((b) => /rows alike/.test(b.textContent)).click();</script>"
    shown = seen_by_browser(found.html().replace("</body>", f"{click}</body>"), tmp_path)

    assert rank < 13
    assert f"Rank {rank} — less than 13: a special point" in shown


@in_turn(2)
@needs_browser
@pytest.mark.usefixtures("home")
def test_steps_fold_and_unfold(tmp_path):
    """All steps closed, then one opened."""
    click = "<script>const all_ = [...document.querySelectorAll('#tools button')]; all_[0].click(); all_[1].click();</script>"
    shown = seen_by_browser(explain("2:2,2").html().replace("</body>", f"{click}</body>"), tmp_path)

    assert 1 == len(re.findall(r"<details [^>]*open", shown))


@in_turn(2)
@needs_browser
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("width", first([390, 1920], 1))
def test_nothing_sticks_out(width, tmp_path):
    """At the width of a phone and of a projector, the page is not wider than its window."""
    page = explain("3:2,2,2,2").html().replace("default-src 'none'", "default-src 'none'; frame-src *")
    (tmp_path / "inner.html").write_text(page, encoding="utf-8")
    # a window is never narrower than 500 pixels, a frame is
    measure = "const d = f.contentDocument.documentElement; document.title = `${d.scrollWidth} of ${d.clientWidth}`"
    frame = (
        f'<iframe id="f" src="inner.html" style="width:{width}px;height:844px;border:0" onload="{measure}"></iframe>'
    )
    shown = seen_by_browser(f"<title></title>{frame}", tmp_path, "--allow-file-access-from-files")
    wide, most = map(int, re.search(r"<title>(\d+) of (\d+)</title>", shown).groups())

    assert wide <= most
