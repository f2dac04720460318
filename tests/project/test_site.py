"""The documentation site: every page is in the navigation, links are led to pages, nothing comes from elsewhere."""

from __future__ import annotations

import json
import random
import re
import runpy
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from amount import SEED, daily, in_turn
from browser import BROWSER, browsing
from packages import ROOT

from algdim import dimension
from algdim.sweeping.lookup import ATLAS, iterate_entries

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
    assert {*HOOKS["SOURCE"], HOOKS["GALLERY"]} <= set(pages)
    assert {f"docs/{page}" for page in pages if (ROOT / "docs" / page).exists()} == {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")
    }
    assert ["Start", "Guides", "Models", "Theory", "Papers", "Reference", "Developers"] == re.findall(
        r"^  - (\w+):$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2], re.MULTILINE
    )
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
    """Every link of a page to a file of the project leads to one that is there, or is made with the site."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for _, _, target in HOOKS["LINK"].findall(text):
        path = target.partition("#")[0]
        if path and "://" not in path:
            assert (page.parent / path).exists() or path == HOOKS["BROWSER"], target


def test_links_are_led_to_pages():
    """Pages beside docs/ have pages of their own; what is no page becomes text; blocks of code stay."""
    relinked = HOOKS["relinked"]
    known = {"lemmas.md", "models.md"}

    assert "[a](lemmas.md#x) and b" == relinked(
        "[a](../proofs/lemmas.md#x) and [b](../LICENSE)", "docs/p.md", "p.md", known
    )
    assert "[a](models.md)" == relinked("[a](docs/models.md)", "README.md", "index.md", known)
    assert "```text\n[a](../LICENSE)\n```" == relinked("```text\n[a](../LICENSE)\n```", "docs/p.md", "p.md", known)


def show(text, uri="p.md"):
    """A line of a page as the site has it."""
    return HOOKS["restore"](HOOKS["relinked"](text, f"docs/{uri}", uri, {"b_c.md"}))


def test_formulas_are_mathml():
    """Wherever they stand in the text; code, models, targets of links and what mkdocstrings reads are left alone."""
    for kept in ("`a_b`", "2:2^4", "[a](b_c.md)", "::: algdim.fit_at", '    {"a_b": 1}', "the rank of A is 3"):
        assert kept == show(kept)

    x, two, h = "<mi>x</mi>", "<mn>2</mn>", "<mi>h</mi>"
    assert f"so <math><mrow><msup>{x}{two}</msup></mrow></math>, and" == show("so x², and")
    assert f"<math><mrow><msup>{x}{two}</msup></mrow></math>" == show("$x^2$")
    assert f'<math display="block"><mrow><munder><mo>∑</mo>{h}</munder><msub>{x}{h}</msub></mrow></math>' == show(
        "    Σ_h x_h"
    )
    assert "msubsup" in show("Let M = Σ_h w_h a_h b_hᵀ be of rank k")
    assert r"opt\_einsum" == show("opt_einsum")
    assert "# L<sub>ij</sub>" == show("# L_ij")


@in_turn(2)
def test_no_formula_is_left_in_dollars():
    """Each can be written as MathML, and no word of a sentence is taken for one."""
    for page in navigation():
        if not page.startswith("hours/"):
            shown = HOOKS["relinked"](FENCED.sub("", read_page(page)), f"docs/{page}", page, set())
            assert "$" not in re.sub(r"`+[^`]*`+", "", shown), page
    inline = [formula for formula in HOOKS["formulas_met"]() if "display" not in formula]
    words = re.findall(r"<mtext>([^<]*)</mtext>", " ".join(inline))
    assert {word.strip("\u00a0") for word in words} <= {"hidden", "observed", "head", "tail"}


def test_commands_about_models_are_tabs():
    """Shell, Python and R, where each has a word for it; what Python prints is what it prints."""
    page = "```console\n$ algdim dim 2:2,2\n2:2,2\n```"
    shown = HOOKS["make_tabs"](HOOKS["offer_languages"](page))

    assert ["Shell", "Python", "R"] == re.findall(r'^=== "(\w+)"$', shown, re.MULTILINE)
    assert "\n    ".join(str(dimension("2:2,2")).splitlines()[:3]).replace("    \n", "\n") in shown
    for kept in (
        "```console\n$ algdim dim 2:2,2 --json\n{}\n```",
        "```console\n$ algdim dim x\nalgdim: it is no model\n[exit 2]\n```",
        "```console\n$ algdim dim 2:2,2\n2:2,2\n$ algdim dim 2:2,2\n2:2,2\n```",
    ):
        assert kept == HOOKS["make_tabs"](HOOKS["offer_languages"](kept))


def test_the_console_has_its_own_colours():
    """A number with a colon is no redirection, and no word of the output is one of a shell."""
    from pygments.token import Text

    code = '$ algdim dim "A -> B" --json > x\n3:2,2   select test: 4 > 3\n'
    tokens = list(runpy.run_path(str(ROOT / "docs" / "_site" / "lexer.py"))["TranscriptLexer"]().get_tokens(code))
    lines = "".join(text for _, text in tokens)

    assert code == lines
    assert {Text} == {kind for kind, text in tokens if text in {"select", "test", ":", "4"}}
    assert "--json" in [text for kind, text in tokens if kind is not Text]


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


def test_the_eight_screens_are_small():
    """All are on the page on teaching; `python docs/_site/screens.py` takes them again."""
    files = sorted((ROOT / "docs" / "screens").iterdir())
    text = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")

    assert [f"{number}.png" for number in range(1, 9)] == [file.name for file in files]
    assert all(f"](screens/{file.name})" in text for file in files)
    assert all(file.read_bytes()[:4] == b"\x89PNG" and file.stat().st_size < 60_000 for file in files)


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
    """All pages of *Guides* and *Models*, class hours too; each picture that is drawn is on a page."""
    shown = {page: list_pictures(page) for page in navigation()}
    drawn = {f"{name}.svg" for name in (*PICTURES["MODELS"], *PICTURES["COMPUTED"])}

    assert [] == [page for page in list_illustrated() if not shown[page]]
    assert drawn == {path.name for path in PICTURES["FOLDER"].iterdir()}
    assert drawn <= {picture.rpartition("/")[2] for pictures in shown.values() for picture in pictures}


def read_page(page):
    """The source of a page of the navigation."""
    if page == HOOKS["GALLERY"]:
        return HOOKS["write_page"]()
    place = HOOKS["SOURCE"].get(page, f"docs/{page}")
    return (ROOT / place).read_text(encoding="utf-8")


def list_pictures(page):
    """The pictures on a page, each with words for those who do not see it; those that a notebook draws."""
    drawn = re.findall(r"\.plot\(|plt\.show\(\)", read_page(page)) if page.startswith("hours/") else []
    return drawn + re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", read_page(page))


def list_illustrated():
    """The pages of the parts that have pictures."""
    parts = re.split(r"^  - ", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = [part for part in parts if part.partition(":")[0] in {"Guides", "Models"}]
    assert len(found) == 2
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


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_entries_of_the_atlas_have_a_drawing_and_their_sentences(tmp_path):
    """Drawn ones are opened; drawings are missing only where a family has no graph or more than 24 variables."""
    page_file = tmp_path / "atlas.html"
    page_file.write_text(HOOKS["write_browser"](), encoding="utf-8")
    named = ["3:2,2,2,2", "2:3,3,2", "hmm: states 2, items 2, length 4"]
    with browsing() as page:
        page.visit(page_file)
        found = page.ask(
            f"ready.then(() => rows.filter((row, at) => at % 200 === {random.Random(SEED).randrange(200)} || {json.dumps(named)}.includes(row.model)).map(row => {{"
            " open(row); const entry = by('entry'); return [row.model, entry.querySelectorAll('svg').length,"
            " entry.querySelectorAll('svg line').length, entry.querySelectorAll('p').length]; }))"
        )
        assert [] == page.problems
    assert len(found) > 100
    assert {4} == {sentences for *_, sentences in found}
    without = [model for model, drawings, *_ in found if not drawings]
    assert all("polynomial:" in model or len(re.findall(r"[=,^(]", model)) > 10 for model in without), without
    # an edge for each item
    edges = {model: lines for model, _, lines, _ in found}
    assert [4, 3, 7] == [edges[model] for model in named]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser is installed")
def test_the_atlas_is_searched_without_a_server(tmp_path):
    """Words narrow the list; an entry whose certificate is stored leads to its file, another one to the command."""
    entries = [row for row in iterate_entries(ATLAS) if row["class"] == "latent-trees" and row["status"] == "proved"]
    one, other = random.Random(SEED).sample(entries, 2)
    page_file = tmp_path / "atlas.html"
    page_file.write_text(HOOKS["write_browser"](frozenset({(one["class"], one["key"])})), encoding="utf-8")
    show = "ready.then(() => {{ open(rows.find(row => row.model === {})); return by('entry').innerHTML; }})"
    with browsing() as page:
        page.visit(page_file)
        total = page.ask("ready.then(() => by('count').textContent)")
        page.ask(f"by('words').value = {json.dumps(one['model'] + ' latent-trees')}; by('words').oninput();")
        models = page.ask("[...document.querySelectorAll('#rows button')].map(button => button.textContent)")
        stored, made = (page.ask(show.format(json.dumps(row["model"]))) for row in (one, other))
        assert [] == page.problems
    assert str(sum(1 for _ in iterate_entries(ATLAS))) in total
    assert one["model"] in models
    assert all(one["model"] in model for model in models)
    assert f'href="certificates/latent-trees/{one["key"][:2]}/{one["key"]}.json"' in stored
    assert "href" not in made
    assert "algdim prove" in made


def test_certificates_are_next_to_the_page_that_leads_to_them(tmp_path, monkeypatch):
    """Those that are stored, without drafts; a site without them is built too."""
    inside = HOOKS["on_post_build"].__globals__
    monkeypatch.setitem(inside, "STORED", tmp_path / "stored")
    config = {"site_dir": str(tmp_path / "site")}
    HOOKS["on_post_build"](config)
    assert not (tmp_path / "site").exists()
    folder = tmp_path / "stored" / "papers" / "0a"
    folder.mkdir(parents=True)
    for name in ("0a12.json", "0a13.draft"):
        (folder / name).write_text("{}", encoding="utf-8")
    assert HOOKS["list_stored"]() == {("papers", "0a12")}
    HOOKS["on_post_build"](config)
    found = [path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.*")]
    assert found == ["live/certificates/papers/0a/0a12.json"]
