"""The documentation site: every page is in the navigation, links are led to pages, nothing comes from elsewhere."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from amount import daily
from packages import ROOT

HOOKS = runpy.run_path(str(ROOT / "docs" / "_site" / "hooks.py"))
HOUSE = runpy.run_path(str(ROOT / "docs" / "_site" / "house.py"))
FIBRE = runpy.run_path(str(ROOT / "docs" / "_site" / "fibre.py"))
BADGES = runpy.run_path(str(ROOT / "docs" / "_site" / "badges.py"))
PICTURES = runpy.run_path(str(ROOT / "docs" / "_site" / "pictures.py"))
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
FENCED = re.compile(r"^ *(`{3,}).*?^ *\1 *$", re.MULTILINE | re.DOTALL)


def navigation():
    """The pages named in mkdocs.yml."""
    return re.findall(r"^ +- [^:\n]+: ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_navigation_names_each_page_once():
    """Those beside docs/ too; a page that it does not name is put under More."""
    pages = navigation()

    assert len(pages) == len(set(pages)) > 30
    assert set(HOOKS["SOURCE"]) <= set(pages)
    assert all((ROOT / place).exists() for place in HOOKS["BESIDE"])


def test_pages_opened_as_files_have_the_search():
    """The index is a script, and what stands in for a worker is ours: the plugin would take it from elsewhere."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")

    assert "  - offline " in settings
    assert "  polyfills: [iframe-worker.js]\n" in settings
    assert 'location.protocol === "file:"' in (ROOT / "docs" / "iframe-worker.js").read_text(encoding="utf-8")


def test_a_page_that_is_absent_breaks_nothing():
    """Its entry is left out, and a part of the navigation that becomes empty too."""
    known = set()

    assert [{"A": "a.md"}] == HOOKS["fitted"]([{"A": "a.md"}, {"B": "b.md"}, {"C": [{"D": "d.md"}]}], {"a.md"}, known)
    assert {"a.md"} == known


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda file: file.stem)
def test_links_lead_somewhere(page):
    """Every link of a page to a file of the project leads to one that is there."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for _, _, target in HOOKS["LINK"].findall(text):
        path = target.partition("#")[0]
        if path and "://" not in path:
            assert (page.parent / path).exists(), target


def test_links_are_led_to_pages():
    """Pages beside docs/ have pages of their own; what is no page becomes text; blocks of code stay."""
    relinked = HOOKS["relinked"]
    known = {"lemmas.md", "models.md"}

    assert "[a](lemmas.md#x) and b" == relinked(
        "[a](../proofs/lemmas.md#x) and [b](../LICENSE)", "docs/p.md", "p.md", known
    )
    assert "[a](models.md)" == relinked("[a](docs/models.md)", "README.md", "index.md", known)
    assert "```text\n[a](../LICENSE)\n```" == relinked("```text\n[a](../LICENSE)\n```", "docs/p.md", "p.md", known)


def test_formulas_have_indices_and_exponents():
    """Wherever they stand in the text; code, models, targets of links and what mkdocstrings reads are left alone."""
    relinked = HOOKS["relinked"]
    for kept in ("`a_b`", "2:2^4", "[a](b_c.md)", "::: algdim.fit_at", "    Σ_j x^j"):
        assert kept == relinked(kept, "docs/p.md", "p.md", {"b_c.md"})

    assert "(L<sub>ij</sub>)<sup>−1</sup> y<sub>S<sub>i</sub></sub>" == relinked(
        "(L_ij)^−1 y_{S_i}", "README.md", "p", set()
    )
    assert "∂<sub>j</sub>N<sub>i</sub> e<sup>(b<sub>j</sub>)</sup>" == relinked(
        "∂_jN_i e^(b_j)", "README.md", "p", set()
    )
    assert r"opt\_einsum" == relinked("opt_einsum", "README.md", "p", set())


def test_a_block_about_a_file_is_named_after_it():
    """Words behind the kind of a block are no part of it on the site."""
    block = "```text file=a/b_c.py\nx_y\n```"

    assert '```{ .text title="a/b_c.py" }\nx_y\n```' == HOOKS["relinked"](block, "docs/p.md", "p.md", set())


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed; `make docs` installs it")
def test_the_site_needs_no_network(tmp_path):
    """Built strictly, no page loads a script, a style, a font or a picture from elsewhere."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    pages = list((tmp_path / "site").rglob("*.html"))

    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"?(?:https?:)?//", text), page


def test_the_house_is_drawn_from_the_code():
    """The picture is that of the stages and families there are; `python docs/_site/house.py` draws it anew."""
    drawn = HOUSE["drawn_from_the_code"]()
    shown = set(re.findall(r'bold">([^<]*)<', drawn))

    assert drawn == (ROOT / "docs" / "house.svg").read_text(encoding="utf-8")
    assert {*HOUSE["WORDS"], "families", "proofs/check.py", "algdim_papers, next door"} <= shown


def test_the_picture_of_the_readme_is_computed():
    """It is drawn anew within a tenth of a point, and along the whole curve no cell changes, while all parameters do."""
    points = FIBRE["follow_fibre"]()
    drawn, shown = FIBRE["draw_fibre"](points), FIBRE["PICTURE"].read_text(encoding="utf-8")
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (drawn, shown)]
    cells = [FIBRE["compute_cells"](point) for point in points[::20]]

    assert NUMBER.sub("", drawn) == NUMBER.sub("", shown)
    assert numbers[0] == pytest.approx(numbers[1], abs=0.11)
    assert max(abs(cell - cells[0]).max() for cell in cells) < 1e-14
    assert (points.max(axis=0) - points.min(axis=0)).min() > 0.02


@pytest.mark.parametrize("name", daily([*PICTURES["MODELS"], *PICTURES["COMPUTED"]], 8))
def test_the_pictures_of_the_pages_are_drawn_from_the_models(name):
    """As `python docs/_site/pictures.py` draws them anew; computed numbers within a tenth of a point."""
    drawn, shown = PICTURES["draw"](name), (PICTURES["FOLDER"] / f"{name}.svg").read_text(encoding="utf-8")
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (drawn, shown)]

    assert NUMBER.sub("", drawn) == NUMBER.sub("", shown)
    assert numbers[0] == pytest.approx(numbers[1], abs=0.11)
    assert name in PICTURES["COMPUTED"] or drawn == shown


def test_each_guide_and_each_family_has_a_picture():
    """All pages from *Guides* to *With data*; each picture that is drawn is on a page."""
    shown = {page: list_pictures(page) for page in navigation()}
    drawn = {f"{name}.svg" for name in (*PICTURES["MODELS"], *PICTURES["COMPUTED"])}

    assert [] == [page for page in list_illustrated() if not shown[page]]
    assert drawn == {path.name for path in PICTURES["FOLDER"].iterdir()}
    assert drawn <= {picture.rpartition("/")[2] for pictures in shown.values() for picture in pictures}


def read_page(page):
    """The source of a page of the navigation."""
    place = HOOKS["SOURCE"].get(page, f"docs/{page}")
    return (ROOT / place).read_text(encoding="utf-8")


def list_pictures(page):
    """The pictures on a page, each with words for those who do not see it."""
    return re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", read_page(page))


def list_illustrated():
    """The pages of the parts that have pictures."""
    parts = re.split(r"^  - ", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [
        part for part in parts if part.partition(":")[0] in {"Guides", "Models", "Questions about a model", "With data"}
    ]
    assert len(found) == 4
    return [page for part in found for page in re.findall(r": ([\w/-]+\.md)$", part, re.MULTILINE)]


def test_blocks_fit():
    """A line of a block is as long as a window of 1280 pixels shows, or the block is folded there."""
    long = []
    for page in navigation():
        lines = read_page(page).splitlines()
        fence = ""
        for number, line in enumerate(lines):
            opening = HOOKS["FENCE"].match(line)
            if opening and not fence:
                fence, begin = opening[1], number
            elif opening and line.strip() == fence:
                fence = ""
            elif fence and len(line) > 91 and not HOOKS["can_be_folded"](lines[begin + 1 :], fence):
                long.append(f"{page}:{number + 1}: {line}")

    assert not long, "\n".join(long)


def test_the_badges_are_those_of_the_source():
    """Nothing is fetched to draw them; `python docs/_site/badges.py` draws them anew."""
    facts = BADGES["read_facts"]()

    assert BADGES["draw_badges"](facts) == (ROOT / "docs" / "badges.svg").read_text(encoding="utf-8")
    assert ["version", "python", "licence", "mypy", "certificates"] == [name for name, _ in facts]


def test_the_names_of_the_reference_are_there():
    """What the page takes docstrings from can be imported."""
    names = re.findall(r"^::: (\S+)$", (ROOT / "docs" / "reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    found = [name.rpartition(".") for name in names]

    assert len(found) > 20
    assert [] == [name for name in found if not hasattr(import_module(name[0]), name[2])]
