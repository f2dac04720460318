"""Every sentence with the word proved that the program can print stands on docs/what-proved-means.md, beside its lemmas."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from functools import cache

import pytest
from amount import daily
from packages import ROOT, claims_files, modules
from sources import nodes_of
from test_lemmas import ANCHORS, HEADINGS, NAMES
from test_trust import lemmas_given

import algdim
from algdim.cli import main
from algdim.explanation.constraints import list_equation_titles
from algdim.families import FOLDERS
from algdim.trust import PROVED

TITLES = {title for family in FOLDERS for title in list_equation_titles(family).values()}
PAGE = (ROOT / "docs/what-proved-means.md").read_text(encoding="utf-8")
RECORDED = sorted((ROOT / "tests/transcripts/recorded").glob("*.txt"))
MODULES = [file for file in modules() if file.name != "checker.py"]
WORD = re.compile(r"\bprove[ds]\b")
COLUMN = "status: proved"
"""The row of a table whose column *status* says it."""

ROW = re.compile(r"^\| `([^`]+)` \| (.+) \| (.+) \|$", re.MULTILINE)
LINKED = re.compile(r"\[([^\]]+)\]\(\.\./proofs/lemmas\.md#([^)]+)\)")

NEVER_PRINTED = {
    "proves": "the name of a section, an anchor of the page",
    "proved": "the word itself (trust.py)",
    "a proved statement names its lemma and the facts that it was applied to": "the error for a proof without a lemma",
    "the dimension of … is not proved": "an error inside a check",
}
"""Texts with the word that are no sentences of the program, and what they are."""

CLAIMLESS = re.compile(r"^\| `([^`]+)` \| [^|]+ \|$", re.MULTILINE)
NO_CLAIMS = CLAIMLESS.findall(PAGE.partition("## Sentences that claim nothing")[2].partition("\n## ")[0])
"""Sentences of the page with the word that claim nothing of a model."""

PIECES = {
    "… (proved)": "the degrees of freedom, and the words of `compare`, which have rows",
    "… (proved): …": "a verdict of `compare` or a word of `bounds`, each of which has a row",
    "not identified (proved)": "the first words of a row of `dim`",
    "… (proved), …": "a number of `solutions`, which have a row",
    '…: …, proved (lemma "…")…': "the kinds of equations; each has a row, as a test sees",
    "None of the … is identified (proved).": "the first words of a row of `identify`",
    "… (proved): ….": "which parameters are not identified: a row of `identify`",
    "proved; …": "the degrees of freedom of `dim`, which have a row",
    ", dimension … (proved)": "the last words of `select`, which have a row",
    "every dimension is proved": "the end of the line below a table, which has a row",
    "The dimension is … (proved).": "said of bounds that do not meet, so that another word stands there",
    "dimension … (proved), …": "the reason of *not decided*, so that another word stands there",
    "…: the dimension is at least …, and at most … only with proved; a certificate holds what is proved": (
        "an error about a bound that is not proved, so that another word stands there"
    ),
    "the dimension is proved, of …": "why parameters are not decided: the bounds do not meet, so that another word stands there",
    "the dimension of … is not decided: proved": "why a claim is skipped: the bounds do not meet",
    "; proved": "said of a list that is not proved, so that another word stands there",
}
"""Texts that are put together with others, or are never printed with the word, and why."""


EVERY = "Every command that reports a dimension"
"""The section whose sentences any command may print."""


def sections(page=PAGE):
    """The sentences of the page by section: the printed text, and the lemmas with their anchors."""
    parts = re.split(r"^## (.+)$", page.partition("## In JSON")[0], flags=re.MULTILINE)
    tables = zip(parts[1::2], parts[2::2], strict=True)
    return {title: {row[0]: LINKED.findall(row[2]) for row in ROW.findall(text)} for title, text in tables}


ROWS = {sentence: lemmas for table in sections().values() for sentence, lemmas in table.items()}


@cache
def pattern(sentence):
    """What a sentence matches, … standing for any text without the word, blanks for any blanks."""
    parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in sentence.split("…")]
    return re.compile(rf"(?:(?!{WORD.pattern}).)*".join(parts), re.DOTALL)


def sentences_of(command):
    """The sentences that a command may print."""
    return [
        sentence
        for title, table in sections().items()
        if title == EVERY or command in re.split(r"[^a-z]+", title) or (command, title) == ("identify", "bounds")
        for sentence in table
    ]


def is_listed(text, sentences=tuple(ROWS)):
    """Whether a text is one of these sentences, or claims nothing."""
    return any(pattern(one).fullmatch(text) for one in (*sentences, *NO_CLAIMS, *NEVER_PRINTED))


def filled(hole):
    """What stands in a hole of an f-string: proved, if it is a Trust as far as its name says; else …."""
    if hole.endswith("trust.with_lemmas"):
        return 'proved (lemma "…")'
    return PROVED if re.search(r"\btrust$|^self\.lists\.\w+$|^derive_dimension_trust\(|reference\[1\]$", hole) else "…"


def printed_texts(nodes):
    """The texts of a module, docstrings left out: with … for what varies."""
    skipped = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            yield "".join(
                part.value if isinstance(part, ast.Constant) else filled(ast.unparse(part.value))
                for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def unlisted_in(nodes):
    """The texts of a module with the word that stand neither on the page nor among those that claim nothing."""
    found = [text for text in printed_texts(nodes) if WORD.search(text)]
    whole = [text for text in found if not is_listed(text) and text not in PIECES]
    return [text for text in whole if any(WORD.search(line) and not is_listed(line) for line in text.splitlines())]


def test_texts_of_the_code_are_listed():
    """A text of the code with the word stands on the page, or claims nothing and says why."""
    assert {} == {str(file): texts for file in MODULES if (texts := unlisted_in(nodes_of(file)))}


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


@pytest.mark.parametrize("file", claims_files(), ids=lambda file: file.stem)
def test_texts_of_the_claims_are_listed(file):
    """So does a text of the files of claims, which `reproduce` prints."""
    found = [text for _, text in strings_in(tomllib.loads(file.read_text("utf-8"))) if WORD.search(text)]

    assert [] == [text for text in found if not is_listed(text)]


def texts_of_the_script():
    """What the script of a page can say."""
    scripts = sorted((ROOT / "algdim/explanation/lecture").glob("*.js"))
    whole = "\n".join(file.read_text("utf-8") for file in scripts)
    script = re.sub(r"//.*|\$\{[^}]*\}", "…", whole)
    return [text for text in re.findall(r"[`\"]([^`\"\n]*)[`\"]", script) if WORD.search(text)]


def test_texts_of_the_page_of_explain_are_listed():
    """So does what the script of a page says."""
    assert texts_of_the_script()
    assert [] == [text for text in texts_of_the_script() if not is_listed(text)]


def test_every_kind_of_equation_is_listed():
    """`constraints` puts its sentences together from the name of a kind and a Trust."""
    assert [] == [title for title in TITLES if not is_listed(f'{title}: 3, proved (lemma "treks")')]


def bare(line):
    """A line without the lines of a tree, the marks of LaTeX and Markdown, and numbers of sections."""
    text = re.sub(r"^[\s│├└─→#]+", "", line)
    text = re.sub(r"^!\[([^]]*)\]\(.*\)$", r"\1", text)
    return re.sub(r"^\d+ (?=What )", "", re.sub(r"^\\\w+\*?\{(.*)\}$", r"\1", text)).strip()


def is_row(line):
    """Whether a line is a row of a table, in a terminal, Markdown, LaTeX or CSV, one of whose cells is the word."""
    return PROVED in re.split(r"\s{2,}|\s*[|&,]\s*|\s*\\\\", line.strip())


def unlisted_lines(text, sentences):
    """The lines of an output that have the word and are none of these sentences."""
    return [
        line
        for line in text.splitlines()
        if WORD.search(line) and not (COLUMN in sentences and is_row(line)) and not is_listed(bare(line), sentences)
    ]


def unproved(value, sentences, path=""):
    """Objects in a document that say proved and do not name lemmas of the page, and texts that are not listed."""
    if isinstance(value, list):
        for inner in value:
            yield from unproved(inner, sentences, path)
    elif isinstance(value, dict):
        said = [value.get(key) for key in ("status", "trust", "value")]
        lemmas = value.get("lemmas")
        if PROVED in said and (not lemmas or not set(lemmas) <= NAMES):
            yield f"{path}: {lemmas}"
        for key, inner in value.items():
            yield from unproved(inner, sentences, f"{path}.{key}")
    elif isinstance(value, str) and value != PROVED:
        yield from (f"{path}: {line}" for line in unlisted_lines(value, sentences))


def body(text):
    """What a command printed; times are not recorded, and the comma before them is too much for JSON."""
    return re.sub(r",(\s*[}\]])", r"\1", text.partition("\n")[2].rpartition("exit ")[0])


def unlisted_in_output(command, text):
    """What the output of a command says to be proved without a row of the page, or without lemmas."""
    try:
        document = json.loads(text)
    except ValueError:
        return unlisted_lines(text, sentences_of(command))
    return list(unproved(document, sentences_of(command)))


def test_outputs_are_listed():
    """All that recorded commands print with the word stands on the page; in JSON, with lemmas."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in RECORDED}

    assert {} == {
        name: found for name, text in texts.items() if (found := unlisted_in_output(text.split()[2], body(text)))
    }


@pytest.mark.parametrize(
    "words",
    daily(
        [
            "explain|3:2,2,2,2",
            "explain|gaussian: H -> A, B, C, D; hidden H; means off",
            "dim|latent-profile: H -> X1, X2; hidden H",
            "dim|A -> B, C; C -> D; A -> D",
            "decompose|A, B -> C -> D",
            "identify|H -> A, B, C; A -> D; hidden H",
            "compare|states A=2, B=2|A -> B",
            "constraints|max: {C1,C2},{C3} -> E",
            "query|STORE|--columns|model,status",
            "query|STORE|--columns|status,exact,lower_status",
        ],
        4,
    ),
)
def test_objects_with_the_word_have_lemmas(words, tmp_path, capsys):
    """So do the documents of commands that are not recorded."""
    if "STORE" in words:
        algdim.sweep("lc cells<=8", tmp_path / "s.sqlite", workers=1)
    command, *more = words.replace("STORE", str(tmp_path / "s.sqlite")).split("|")
    capsys.readouterr()
    assert 0 == main([command, *more, "--json"])
    text = capsys.readouterr().out

    assert '"proved"' in text
    assert [] == unlisted_in_output(command, text)


def test_lemmas_of_the_page_exist():
    """Each row names lemmas, links lead to their headings, and the words of a link are the name."""
    anchors = {
        heading.lower().replace("(", "").replace(")", "").replace(" ", "-"): name for heading, _, name in HEADINGS
    }

    assert [] == [sentence for sentence, lemmas in ROWS.items() if not lemmas]
    assert {anchor for _, anchor in LINKED.findall(PAGE)} <= ANCHORS
    assert [] == [name for name, anchor in LINKED.findall(PAGE) if anchors.get(anchor) != name]


def test_every_lemma_that_proves_is_on_the_page():
    """A lemma that the code names where it proves something stands on the page."""
    given = {name for file in MODULES for name in lemmas_given(nodes_of(file))}

    assert set() == given - {name for name, _ in LINKED.findall(PAGE)}


def test_every_row_is_printed():
    """No row has a sentence that neither the code nor an output has."""
    texts = {line for file in MODULES for text in printed_texts(nodes_of(file)) for line in text.splitlines()}
    texts |= {text for file in claims_files() for _, text in strings_in(tomllib.loads(file.read_text("utf-8")))}
    texts |= {bare(line) for file in RECORDED for line in file.read_text("utf-8").splitlines()}
    texts |= {*texts_of_the_script(), *(f'{title}: 3, proved (lemma "treks")' for title in TITLES)}
    texts |= set(str(algdim.compare("A -> B", "states A=2, B=2")).splitlines())
    texts = {text for text in texts if WORD.search(text)}

    listed = [one for one in (*ROWS, *NO_CLAIMS) if one != COLUMN]
    assert NO_CLAIMS
    assert [] == [one for one in listed if not any(pattern(one).fullmatch(text) for text in texts)]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (
            "score",
            "laplace   no value: the effective dimension 13 (proved) is below the 14 parameters: the posterior has no peak",
        ),
        (
            "prove",
            "algdim: 3:2,2: the dimension is at least 3, and at most 3 only with probable, error below 6e-19; a certificate holds what is proved",
        ),
    ],
)
def test_errors_with_the_word_stand_on_the_page(command, line):
    """Also what is no claim, or the reason of one that is not made, is on the page and not excused here."""
    assert [] == unlisted_lines(line, sentences_of(command))
    assert any(pattern(one).fullmatch(line) for one in (*sentences_of(command), *NO_CLAIMS))
    assert not any(pattern(one).fullmatch(line) for one in NEVER_PRINTED)


def test_every_row_has_words_of_its_own():
    """No row lets everything through."""
    words = {sentence: re.findall(r"[A-Za-z]{3,}", sentence) for sentence in ROWS}

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
    assert unlisted_in(list(ast.walk(ast.parse(source))))


@pytest.mark.parametrize(
    "output",
    [
        "dimension 3 (proved), and the model is identified (proved)\n",
        "degrees of freedom: 3 (proved); counting parameters gives 2\n",
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
    assert unlisted_in_output("dim", output)


def test_docstrings_and_comments_are_left_out():
    """Only what can be printed counts."""
    source = '"""It is proved here."""\n# it proves much\nx = "nothing"\n'
    assert [] == unlisted_in(list(ast.walk(ast.parse(source))))
