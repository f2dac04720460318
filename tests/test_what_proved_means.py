"""Every sentence with the word proved that the program can print stands on docs/what-proved-means.md, beside its lemmas."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
from test_lemmas import ANCHORS, HEADINGS, NAMES
from test_trust import lemmas_given

from algdim.explanation.constraints import TITLES
from algdim.trust import PROVED

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/what-proved-means.md").read_text(encoding="utf-8")
RECORDED = sorted((ROOT / "tests/transcripts/recorded").glob("*.txt"))
MODULES = sorted(file for file in ROOT.glob("algdim/**/*.py") if file.name != "checker.py")
WORD = re.compile(r"\bprove[ds]\b")
COLUMN = "status: proved"
"""The row of a table whose column *status* says it."""

ROW = re.compile(r"^\| `([^`]+)` \| (.+) \| (.+) \|$", re.MULTILINE)
LINKED = re.compile(r"\[([^\]]+)\]\(\.\./proofs/lemmas\.md#([^)]+)\)")

NO_CLAIMS = {
    "proved": "the word itself (trust.py)",
    "a proved statement names its lemma and the facts that it was applied to": "the error for a proof without a lemma",
    "numerical, proves nothing": "says that nothing is",
    "…: the bound … is proved by … (…), which certificates do not cover": "an error: there is no certificate",
    "…: the bound … is proved by … (…), which certificates do not cover here (…)": "an error: there is no certificate",
    "…: the dimension is at least …, and at most … only with …; a certificate holds what is proved": "an error",
    "…: no point was drawn at which the rank is …, which is proved by … (…); a certificate needs one; try another --seed": "an error",
    "the dimension of … is not proved": "an error inside a check",
    "the dimension of … is not decided: …": "says that it is open; the Trust is of bounds that do not meet",
    "the effective dimension … (proved) is below the … parameters": "the cause in an error; the dimension is that of a report",
    "store a certificate of every proved dimension": "the help of an option",
    "proves": "the name of a section, an anchor of the page",
    "not proved": "a footnote of what is not",
    "? is not proved: …": "a note on what is not",
    "The dimension is not proved: ….": "a note on what is not",
    "… of … dimensions are not proved": "what is not",
    "…: a row is called proved, and its report has no lemmas; …": "an error: a store that is damaged",
}
"""Texts with the word that claim nothing, and why they may be printed."""

PIECES = {
    "… (proved)": "a piece: `dimension … (proved)` and the words of `compare`, which have rows",
    "… (proved): …": "a verdict of `compare`; `nested` and `not nested` have rows",
    "…: …, proved…": "the kinds of equations; each has a row, as the next test sees",
    "what is printed:": "the help of `dim`, which explains the words",
}
"""Texts that are put together with others, and where the whole sentences stand."""


def rows(page=PAGE):
    """The sentences of the page: the printed text, what it says, the lemmas."""
    return {sentence: (says, LINKED.findall(lemmas)) for sentence, says, lemmas in ROW.findall(page)}


def pattern(sentence):
    """What a sentence matches, … standing for any text, blanks for any blanks."""
    parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in sentence.split("…")]
    return re.compile("(?:.*)".join(parts), re.DOTALL)


PATTERNS = {sentence: pattern(sentence) for sentence in rows() if sentence != COLUMN}
NOTHING = [pattern(sentence) for sentence in NO_CLAIMS]


def is_listed(text):
    """Whether a text is a sentence of the page, or claims nothing."""
    return any(one.fullmatch(text) for one in (*PATTERNS.values(), *NOTHING))


def is_trust(node):
    """Whether what stands in a hole of an f-string is a Trust, as far as its name says."""
    return bool(re.search(r"(\b|_)trust(\.with_lemmas)?\)?$|^self\.lists\.\w+$|\btrust\(|reference\[1\]$", ast.unparse(node)))


def printed_texts(tree):
    """The texts of a module, docstrings left out: a hole that is a Trust says proved, all others …."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            yield "".join(
                part.value if isinstance(part, ast.Constant) else "proved" if is_trust(part.value) else "…"
                for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def unlisted_in(source):
    """The texts of a module with the word that stand neither on the page nor among those that claim nothing."""
    found = [text for text in printed_texts(ast.parse(source)) if WORD.search(text)]
    return [text for text in found if not is_listed(text) and text not in PIECES and not text.strip().startswith("what is printed:")]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(ROOT / "algdim").as_posix())
def test_texts_of_the_code_are_listed(file):
    """A text of the code with the word stands on the page, or claims nothing and says why."""
    assert [] == unlisted_in(file.read_text(encoding="utf-8"))


def strings_in(value):
    """All texts in a document, with the keys that lead to them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ((f"{key}.{path}".rstrip("."), text) for path, text in strings_in(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)
    elif isinstance(value, str):
        yield "", value


@pytest.mark.parametrize("file", sorted(ROOT.glob("algdim/claims/*.toml")), ids=lambda file: file.stem)
def test_texts_of_the_claims_are_listed(file):
    """So does a text of the files of claims, which `reproduce` prints."""
    found = [text for _, text in strings_in(tomllib.loads(file.read_text("utf-8"))) if WORD.search(text)]

    assert [] == [text for text in found if not is_listed(text)]


def test_texts_of_the_page_of_explain_are_listed():
    """So does what the script of a page says."""
    script = re.sub(r"//.*", "", (ROOT / "algdim/explanation/page.js").read_text("utf-8"))
    texts = [re.sub(r"\$\{[^}]*\}", "…", text) for text in re.findall(r"[`\"]([^`\"]*)[`\"]", script)]

    assert [] == [text for text in texts if WORD.search(text) and not is_listed(text)]


def test_every_kind_of_equation_is_listed():
    """`constraints` puts its sentences together from the name of a kind and a Trust."""
    assert [] == [title for title in TITLES.values() if not is_listed(f'{title}: 3, proved (lemma "treks")')]


def bare(line):
    """A line without the lines of a tree, the marks of LaTeX and Markdown, and numbers of sections."""
    text = re.sub(r"^[\s│├└─→#]+", "", line)
    text = re.sub(r"^!\[([^]]*)\]\(.*\)$", r"\1", text)
    return re.sub(r"^\d+ (?=What )", "", re.sub(r"^\\\w+\*?\{(.*)\}$", r"\1", text)).strip()


def is_row(line):
    """Whether a line is a row of a table, in a terminal, Markdown, LaTeX or CSV, one of whose cells is the word."""
    return PROVED in re.split(r"\s{2,}|\s*[|&,]\s*|\s*\\\\", line.strip())


def unlisted_lines(text):
    """The lines of an output that have the word and stand on no row of the page."""
    return [
        line for line in text.splitlines() if WORD.search(line) and not is_row(line) and not is_listed(bare(line))
    ]


def unproved(value, path=""):
    """Objects in a document that say proved and do not name lemmas of the page, and texts that are not listed."""
    if isinstance(value, list):
        for inner in value:
            yield from unproved(inner, path)
    elif isinstance(value, dict):
        said = {value.get("status"), value.get("trust"), value.get("value")}
        lemmas = value.get("lemmas")
        if PROVED in said and (not lemmas or not set(lemmas) <= NAMES):
            yield f"{path}: {lemmas}"
        for key, inner in value.items():
            yield from unproved(inner, f"{path}.{key}")
    elif isinstance(value, str) and value != PROVED:
        yield from (f"{path}: {line}" for line in unlisted_lines(value))


def body(text):
    """What a command printed."""
    return text.partition("\n")[2].rpartition("exit ")[0]


def unlisted_in_output(text):
    """What an output says to be proved without a row of the page, or without lemmas."""
    try:
        document = json.loads(text)
    except ValueError:
        return unlisted_lines(text)
    return list(unproved(document))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_outputs_are_listed(file):
    """All that recorded commands print with the word stands on the page; in JSON, with lemmas."""
    assert [] == unlisted_in_output(body(file.read_text(encoding="utf-8")))


def test_lemmas_of_the_page_exist():
    """Each row names lemmas, links lead to their headings, and the words of a link are the name."""
    anchors = {heading.lower().replace("(", "").replace(")", "").replace(" ", "-"): name for heading, _, name in HEADINGS}

    assert [] == [sentence for sentence, (_, lemmas) in rows().items() if not lemmas]
    assert {anchor for _, anchor in LINKED.findall(PAGE)} <= ANCHORS
    assert [] == [name for name, anchor in LINKED.findall(PAGE) if anchors.get(anchor) != name]


def test_every_lemma_that_proves_is_on_the_page():
    """A lemma that the code names where it proves something stands on the page."""
    given = {name for file in MODULES for name in lemmas_given(ast.parse(file.read_text("utf-8")))}

    assert set() == given - {name for name, _ in LINKED.findall(PAGE)}


def test_every_row_has_words_of_its_own():
    """No row lets everything through."""
    words = {sentence: re.findall(r"[A-Za-z]{3,}", sentence) for sentence in rows()}

    assert [] == [sentence for sentence, found in words.items() if len(found) < 2]


@pytest.mark.parametrize(
    "source",
    [
        'print("the model is identified (proved)")',
        'print(f"{name}: this proves that {count} parameters are enough")',
        'yield f"the fit is right ({report.trust})"',
        'yield f"{len(found)} modes ({self.trust})"',
        'NOTE = "proved by the picture"',
    ],
)
def test_a_text_without_a_row_is_found(source):
    """The test sees a sentence that is not on the page, with the word or with a Trust."""
    assert unlisted_in(source)


@pytest.mark.parametrize(
    "output",
    [
        "the model is identified (proved)\n",
        "├─ 3 modes, each of them proved: see above\n",
        "dimension 3, as the picture proves\n",
        '{"model": "2:2,2", "status": "proved"}',
        '{"fibre": {"status": "proved", "lemmas": []}}',
        '{"parts": [{"status": "proved", "lemmas": ["no such lemma"]}]}',
        '{"rows": [{"status": {"value": "proved", "bold": false}}]}',
        '{"note": "the model is identified (proved)"}',
    ],
)
def test_an_output_without_a_row_is_found(output):
    """The test sees a line that is not on the page, and an object without lemmas."""
    assert unlisted_in_output(output)


def test_docstrings_and_comments_are_left_out():
    """Only what can be printed counts."""
    assert [] == unlisted_in('"""It is proved here."""\n# it proves much\nx = "nothing"\n')
