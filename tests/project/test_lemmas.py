"""The lemmas that code and documents cite exist, and formulas among them agree with what is computed."""

from __future__ import annotations

import re
from math import prod

import pytest
from packages import ROOT, claims_files, modules

import algdim
from algdim import dimension
from algdim.lemmas import LEMMAS
from algdim.sweeping.language import read_sweep
from algdim_papers.claims.reading import list_claims

HEADINGS = re.findall(
    r"^## (Lemma (\d+) \((.+)\))$", (ROOT / "proofs/lemmas.md").read_text(encoding="utf-8"), re.MULTILINE
)
NAMES = {name for _, _, name in HEADINGS}
ANCHORS = {heading.lower().replace("(", "").replace(")", "").replace(" ", "-") for heading, _, _ in HEADINGS}
CITATION = re.compile(r'\blemmas? ("[^"]+"(?:(?:,| and|,? or)? "[^"]+")*)', re.IGNORECASE)


def cited(text):
    """The names of lemmas that a text cites, line ends and comment signs read as blanks.

    >>> cited('by the lemmas "capping" and "tree\\n# rule" it is equal; lemma "W"')
    ['capping', 'tree rule', 'W']
    """
    joined = re.sub(r"\s*\n\s*(#:? )?\s*", " ", text).replace('\\"', '"')
    return [name for group in CITATION.findall(joined) for name in re.findall(r'"([^"]+)"', group)]


def test_lemmas_are_numbered_in_order():
    """The numbers count up from 1, and no name occurs twice."""
    assert [str(number) for number in range(1, len(HEADINGS) + 1)] == [number for _, number, _ in HEADINGS]
    assert len(HEADINGS) == len(NAMES)


def test_cited_lemmas_exist():
    """A lemma that a module or a file of claims cites by name is on the page."""
    paths = [*modules(), *claims_files()]
    missing = {str(path): set(cited(path.read_text(encoding="utf-8"))) - NAMES for path in paths}

    assert len(paths) > 100
    assert {} == {path: names for path, names in missing.items() if names}


@pytest.mark.parametrize("path", sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")]), ids=lambda path: path.stem)
def test_linked_lemmas_exist(path):
    """A link into the page of lemmas leads to a heading."""
    links = re.findall(r"lemmas\.md#([^)\s]+)", path.read_text(encoding="utf-8"))
    assert set() == set(links) - ANCHORS


def test_claims_for_all_n_name_their_lemma():
    """Nothing computes that a formula holds beyond the cases: each such claim cites a lemma on the page."""
    general = [claim for claim in list_claims() if claim.cases]
    assert general
    assert [] == [claim.id for claim in general if cited(claim.lemma) != list(claim.lemmas) or not claim.lemmas]


def test_the_package_knows_the_names_of_the_page():
    """`algdim.lemmas` has the names of the page in its order: a lemma that is added there is added here."""
    assert [name for _, _, name in HEADINGS] == list(LEMMAS)


def test_an_unknown_lemma_would_be_noticed():
    """The check sees names that are not on the page, also across a line end."""
    assert {"tree rules"} == set(cited('lemmas "capping", "tree\n# rules"')) - NAMES


@pytest.mark.parametrize("hidden", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 2, 2, 2), (2, 3, 3, 2), (2, 2, 3, 3)])
def test_the_formula_for_the_w_structure(sizes, hidden):
    """Lemma 21's formula is the dimension found, and proved, for W structures of several sizes."""
    a, b, c, d = sizes
    rows, columns = a * (c - 1), b * (d - 1)
    rank = min(hidden - 1, rows, columns)
    text = f"A -> C <- H -> D <- B; hidden H; states A={a}, B={b}, C={c}, D={d}, H={hidden}"
    report = dimension(text)

    assert (a - 1) + (b - 1) + rows + columns + rank * (rows + columns - rank) == report.dimension
    assert report.exact


@pytest.mark.parametrize(
    ("tree", "pairs"),
    [
        ("2(2,2,2(2,2))", 0),
        ("2(2,2(2,2),2(2,2,2))", 0),
        ("2(2,2(2))", 2),
        ("2(2,2,2(2(2,2)))", 1),
        ("2(2(2,2,2),2(2(2,2)))", 2),
    ],
)
def test_the_count_for_binary_trees(tree, pairs):
    """Two parameters of a binary tree are redundant for each hidden variable with exactly two neighbours."""
    report = dimension(tree)

    assert 2 * pairs == report.redundant
    assert report.exact


def test_few_classes():
    """Lemma 42 (b) is the dimension found by ranks and equations; (a) holds for all models in which all is independent."""
    full = {}
    for text in read_sweep("lc cells<=30").texts():
        classes, *items = (variable.states for variable in algdim.model(text).variables)
        found = dimension(text).dimension
        full[(*items, classes)] = found == classes * (sum(items) - len(items) + 1) - 1
        for place, m in enumerate(items):
            others = items[:place] + items[place + 1 :]
            q = prod(others)
            if q - sum(others) + len(others) <= classes <= min(m, q):
                assert classes * (m + q) - classes**2 - 1 == found, text
    assert all(full.get((*items, fewer), True) for (*items, k), yes in full.items() if yes for fewer in range(2, k))
