"""Certificates checked by Coq: the theorem has no axioms, and what the checker refuses Coq refuses."""

from __future__ import annotations

import contextlib
import json
import random
import re
import shutil
import subprocess
import sys
from functools import cache

import pytest
from amount import SEED, some
from certificates import FOLDER
from packages import ROOT

from algdim.certificate import checker, verifying
from algdim.cli import main

COQ = ROOT / "proofs" / "coq"
CERTIFICATES = ROOT / "proofs" / "certificates"
FILES = sorted(COQ.glob("*.v"))

ROWS = int(re.search(r"^ROWS \?= (\d+)$", (COQ / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1])

coq = verifying.load_coq_program()
translate = coq.loaded("translate")
needs_coq = pytest.mark.skipif(bool(coq.missing()), reason=coq.missing())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_admitted(path):
    """No file leaves a proof out, assumes anything, or switches off what Coq checks."""
    text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)

    words = r"Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort|Unset Guard Checking|Unset Universe Checking|bypass_check"
    assert [] == re.findall(rf"\b(?:{words})\b", text)


def test_every_file_is_compiled():
    """The Makefile compiles all files that stand there."""
    listed = re.search(r"^FILES = (.*)$", (COQ / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(listed[1].split()) == [path.stem for path in FILES]


def test_the_statement_is_two_clicks_away():
    """README links to the page's statement, which is that of Check.v, and the page to the file and to the definitions."""
    page = (COQ / "README.md").read_text(encoding="utf-8")
    statement = re.search(r"^## The statement$(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL)[1]
    (theorem,) = re.findall(r"```coq\n(.*?)```", statement, re.DOTALL)

    assert "(proofs/coq/README.md#the-statement)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(Check.v)" in statement
    assert "(Model.v)" in statement
    assert theorem in (COQ / "Check.v").read_text(encoding="utf-8")


@needs_coq
def test_theorems_have_no_axioms(tmp_path):
    """`Print Assumptions` of every theorem that the page names: closed under the global context."""
    named = theorems()
    together = ", ".join(f"@{name}" for name in named)
    imports = f"From Algdim Require Import {' '.join(path.stem for path in FILES)}."
    code, printed = coq.compiled(f"{imports}\nDefinition all := ({together}).\nPrint Assumptions all.\n", str(tmp_path))

    assert (code, coq.CLOSED) == (0, printed.strip())
    assert {"check_sound", "dimension_greatest"} <= set(named)
    assert len(named) >= 8


def theorems():
    """The names of theorems in the page of the folder."""
    return re.findall(r"^\| `(\w+)` \|", (COQ / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_theorems_are_in_the_files():
    """Every theorem that the page names is stated in one of the files."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES)

    assert [] == [
        name for name in theorems() if not re.search(rf"^(?:Theorem|Lemma|Corollary) {name}\b", text, re.MULTILINE)
    ]


def marks():
    """What the page of lemmas says of each about Coq: by name, the lines that begin with "In Coq" or "Not in Coq"."""
    page = (ROOT / "proofs" / "lemmas.md").read_text(encoding="utf-8")
    lemmas = re.findall(r"^## Lemma \d+ \(([^\n]+)\)$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return {name: re.findall(r"^\*(?:In Coq:|Not in Coq\.)\*.*$", text, re.MULTILINE) for name, text in lemmas}


def test_every_lemma_says_whether_coq_has_it():
    """One line each, with names of theorems of the folder's page; and what this says of a lemma, the lemma says."""
    found = marks()
    assert [] == [name for name, lines in found.items() if len(lines) != 1], (
        "a lemma ends with *Not in Coq.*, or what is"
    )
    named = {name: set(re.findall(r"`(\w+)`", line)) for name, (line,) in found.items()}
    table = re.findall(r"^\| `(\w+)` \|.*\|(.*)\|$", (COQ / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    cited = [(lemma, theorem) for theorem, text in table for lemma in re.findall(r'Lemma "([^"]+)"', text)]

    assert set() == set().union(*named.values()) - set(theorems())
    assert [] == [pair for pair in cited if pair[1] not in named[pair[0]]]
    assert all(bool(named[name]) == line.startswith("*In Coq:*") for name, (line,) in found.items())
    assert {"generic rank", "lower bound", "counting and ambient", "equations"} <= {lemma for lemma, _ in cited}


@needs_coq
@pytest.mark.parametrize("name", ["KZ02-T1-3-2-2-2-2-dimension", "GHM96-5-conjecture-5"])
def test_published(name):
    """Equations with a rank of cells, and counting with a rank of probes."""
    code, reason = coq.verdict((CERTIFICATES / f"{name}.json").read_bytes())
    claim = json.loads((CERTIFICATES / f"{name}.json").read_bytes())["claim"]

    assert (0, f"accepted by Coq: dimension {claim['dimension']}") == (code, reason)


@needs_coq
def test_w_with_five_states():
    """Ten, not the eleven that is printed: the bounds of the districts in the file, and a minor of the whole."""
    code, reason = coq.verdict((CERTIFICATES / "GHM96-5-w-5.json").read_bytes())

    assert (0, "accepted by Coq, by other evidence: dimension 10") == (code, reason)
    assert "(Parts " in translate.translated((CERTIFICATES / "GHM96-5-w-5.json").read_bytes(), anew=True)


@needs_coq
@pytest.mark.parametrize(("split", "answer"), [("true; true; false", "true"), ("true; false; false", "false")])
def test_parts_keep_hidden_variables_together(split, answer, tmp_path):
    """A hidden variable is in the part of its children."""
    variables = "Var 2 Hidden [::] (free 0 1 2); Var 2 Observed [:: 0] (free 1 2 2); Var 2 Observed [:: 1] (free 3 2 2)"
    text = f"Eval vm_compute in splits (Network 5 [:: {variables}]) [:: {split}].\n"

    assert re.findall("true|false", coq.compiled(translate.HEAD + text, str(tmp_path))[1]) == [answer]


def evaluated(terms, folder):
    """What Coq computes of terms that are true or false."""
    imports = "From Algdim Require Import Model Contract Lower Proper Upper Leaves Containing Check.\n"
    code, printed = coq.compiled(
        f"{translate.HEAD}{imports}Eval vm_compute in {translate.listed(terms)}.\n", str(folder)
    )

    assert code == 0, printed
    return [word == "true" for word in re.findall(r"\b(?:true|false)\b", printed)]


@needs_coq
@pytest.mark.parametrize("dimension", [50, 49, 51])
def test_leaves_are_taken_away(dimension):
    """CH96's model with 16 items and 3 classes without a minor of 50 rows; no other dimension is shown."""
    data = json.loads((CERTIFICATES / "CH96-3-n16-c3.json").read_bytes())
    data["claim"]["dimension"] = dimension
    code, reason = coq.verdict(json.dumps(data).encode(), 30)

    assert (code == 0) == (dimension == 50), reason
    assert code == 2 or ("WithLeaves" in coq.read(json.dumps(data).encode(), 30).text and "by other evidence" in reason)


@needs_coq
def test_leaves_have_parameters_of_their_own(tmp_path):
    """A leaf has one parent, no child, and a free table that no other variable uses; numbers that are none of its own are seen."""
    root, second = "Var 2 Hidden [::] (free 0 1 2)", "Var 2 Observed [:: 0] (free 1 2 2)"
    third = "Var 2 Observed [:: {}] (free {} 2 2)"
    nets = [f"(Network 5 [:: {root}; {second}; {third.format(*numbers)}])" for numbers in ((0, 3), (1, 3), (0, 1))]
    asked = [
        (nets[0], 0, 2, 3),
        (nets[0], 0, 1, 1),
        (nets[1], 0, 1, 1),
        (nets[2], 0, 2, 1),
        (nets[0], 0, 2, 2),
        (nets[0], 1, 2, 3),
    ]
    words = evaluated([f"is_leaf {net} {h} {v} {first}" for net, h, v, first in asked], tmp_path)

    assert words == [True, True, False, False, False, False]


@needs_coq
def test_contained_models(tmp_path):
    """Two items with one table are contained in two items with two tables, where both take its values."""
    items = "Var 2 Hidden [::] (free 0 1 2); Var 2 Observed [:: 0] (free 1 2 2); Var 2 Observed [:: 0] (free {} 2 2)"
    tied, free = f"(Network 3 [:: {items.format(1)}])", f"(Network 5 [:: {items.format(3)}])"
    good, bad = (
        translate.listed(f"[:: {translate.term('1', k)}]" for k in numbers)
        for numbers in ((0, 1, 2, 1, 2), (0, 1, 2, 2, 1))
    )
    words = evaluated(
        [
            f"is_contained {tied} {free} {good}",
            f"is_contained {tied} {free} {bad}",
            f"is_contained {free} {tied} {good}",
            f"check_upper {tied} (Contained {free} {good} Ambient) 3",
            f"check_upper {tied} (Contained {free} {good} Ambient) 2",
        ],
        tmp_path,
    )

    assert words == [True, False, False, True, False]


@needs_coq
def test_a_false_claim_of_another_kind():
    """Other evidence shows no false claim either."""
    data = json.loads((CERTIFICATES / "GHM96-5-w-5.json").read_bytes())
    data["claim"]["dimension"] = 9

    code, reason = coq.verdict(json.dumps(data).encode())
    assert (2, True) == (code, reason.endswith("and other evidence was not found"))


def conditioned(dimension):
    """A certificate of X2 given X1 through a hidden variable of three states; the dimension is 2 · 3 - 2 = 4."""
    shown = [("X1", 2, True, []), ("H", 3, False, ["X1"]), ("X2", 3, True, ["H"])]
    variables = [dict(zip(("name", "states", "observed", "parents"), one, strict=True)) for one in shown]
    model = {"family": "discrete", "variables": variables, "given": ["X1"]}
    evidence = {key: {"kind": "trees", "value": dimension, "parts": []} for key in ("lower", "upper")}
    claim = {"model": model, "dimension": dimension, "standard": 10, "complete": 4}
    return json.dumps({"format": "algdim certificate 2", "claim": claim, "evidence": evidence}).encode()


@needs_coq
def test_conditioned_variables():
    """The upper bound is the number of cells less that of the states of what is given."""
    text = translate.translated(conditioned(4), anew=True)

    assert "\n  4 (Ambient)." in text
    assert coq.verdict(conditioned(4)) == (0, "accepted by Coq, by other evidence: dimension 4")
    assert coq.verdict(conditioned(3))[0] == 2


@needs_coq
def test_idle_parameters_are_refused(tmp_path):
    """A network whose number of parameters is greater than that of those in its tables is not proper."""
    network = "Network {} [:: Var 2 Observed [::] (free 0 1 2)]"
    words = "; ".join(f"is_proper ({network.format(count)})" for count in (1, 2))
    text = f"From Algdim Require Import Model Proper.\nFrom mathcomp Require Import all_ssreflect.\nEval vm_compute in [:: {words}].\n"

    assert re.findall("true|false", coq.compiled(text, str(tmp_path))[1]) == ["true", "false"]


def test_what_is_not_formalised_is_said():
    """Kinds of evidence and families that the files of Coq do not know."""
    names = ("GHM96-8-three-levels-dimension", "HM97-2-trivial-2", "KZ02-T1-4-3-3-3-dimension")
    reasons = [coq.verdict((CERTIFICATES / f"{name}.json").read_bytes()) for name in names]

    assert all(code == 2 and reason.startswith("not formalised: ") for code, reason in reasons)


def test_what_is_missing_is_said(monkeypatch, capsys):
    """Without Coq the command says what to install; without the folder where to find it."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(verifying, "load_coq_program", lambda: coq)

    assert main(["verify", "--verified", "13.json"]) == 2
    assert "apt-get install coq" in capsys.readouterr().err


SMALL = (
    "GHM96-5-conjecture-3",
    "GHM96-5-conjecture-5",
    "KZ02-T1-2-3-3-dimension",
    "KZ02-T1-3-2-2-2-dimension",
    "KZ02-T1-3-2-2-2-2-dimension",
    "KZ02-T1-3-4-5-dimension",
)
"""Published certificates of all formalised kinds that Coq checks in less than a second."""


def recorded(*, large=False):
    """The published certificates that Coq accepts, each with what is said of it: those of `make coq`, or those with greater minors."""
    lines = (COQ / "accepted.txt").read_text(encoding="utf-8").splitlines()
    return {name: other for name, _, other in (line.partition(", ") for line in lines) if ("rows" in other) == large}


def test_the_page_has_the_numbers():
    """How many certificates Coq accepts, and how many by the evidence in the file, as accepted.txt has them."""
    found, large, page = (
        recorded(),
        recorded(large=True),
        (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8"),
    )
    files = [path.stem for path in CERTIFICATES.glob("*.json")]
    own, more = sum(not other for other in found.values()), {*large} - {*found}

    assert {*found, *large} <= {*files}
    assert f"Of the {len(files)} certificates in [proofs/certificates/]" in page
    rows = re.findall(r"^\| (`proofs/check.py`|the same with [^|]*|Coq \(`make coq`\)) \| (\d+) \|", page, re.MULTILINE)
    assert [int(number) for _, number in rows] == [len(files), len(files), len(found)]
    assert f"Of the {len(found)}, Coq checks {own} by the evidence in the file" in page
    assert f"The other {len(found) - own} have evidence" in page
    assert f"minor of at most {ROWS} rows" in page
    assert f"has accepted {len(more)} more" in page
    assert f"{len(large) - len(more)} of the {len(found) - own} by the evidence in the file" in page
    table = {name for name in files if name.startswith("KZ02-T1-")}
    assert f"{len(table & {*found})} of the {len(table)} of KZ02's Table 1" in page
    assert f"check {len(found)} published certificates" in (COQ / "README.md").read_text(encoding="utf-8")


@needs_coq
@pytest.mark.slow
def test_a_large_one():
    """One of the published certificates with a greater minor, drawn afresh."""
    name, note = random.Random(SEED).choice(sorted(recorded(large=True).items()))
    code, reason = coq.verdict((CERTIFICATES / f"{name}.json").read_bytes())

    assert (code, "by other evidence" in note) == (0, "by other evidence" in reason), reason


@needs_coq
def test_some_recorded():
    """Three of the published certificates, drawn afresh, are accepted or not as accepted.txt has it."""
    names = sorted(path.stem for path in CERTIFICATES.glob("*.json"))
    check_recorded([*random.Random(SEED).sample(names, 2), random.Random(SEED).choice(sorted(recorded()))])


@needs_coq
@pytest.mark.slow
def test_recorded():
    """All of them."""
    check_recorded(path.stem for path in CERTIFICATES.glob("*.json"))


def check_recorded(names):
    """Coq says of these certificates what accepted.txt has."""
    found = recorded()
    for name in names:
        code, reason = coq.verdict((CERTIFICATES / f"{name}.json").read_bytes(), ROWS)
        other = "by other evidence" if ", by other evidence:" in reason else ""
        assert (name, found.get(name)) == (name, None if code else other), reason


def numbers_of(value, way=()):
    """The places of all numbers, and of the texts with numbers that name streams."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers_of(inner, (*way, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from numbers_of(inner, (*way, number))
    elif (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and "|" in value):
        yield way


@cache
def districts():
    """The W structure with the published bounds of its districts, and a minor of the whole in place of the districts' ranks."""
    data = json.loads((CERTIFICATES / "GHM96-5-w-5.json").read_bytes())
    _, names = translate.statement(data)
    lower = translate.rank_of_cells(translate.Evidence(data["claim"]["model"], names), translate.PRIME, 10)
    data["evidence"]["lower"] = {key: value for key, value in lower.items() if value is not None}
    return json.dumps(data).encode()


@pytest.mark.parametrize("prime", [0, 1])
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_no_residues_are_drawn_without_a_modulus(side, prime):
    """Below 0 there is no residue, and the search for some would not end."""
    data = json.loads((CERTIFICATES / "KZ02-T1-3-2-2-2-2-dimension.json").read_bytes())
    data["evidence"][side]["prime"] = prime

    assert coq.verdict(json.dumps(data).encode()) == (2, f"invalid: {prime} is not a prime")


def base(name):
    """A certificate all of whose evidence is formalised."""
    return districts() if name == "districts" else (CERTIFICATES / f"{name}.json").read_bytes()


def mutant(seed):
    """A published certificate with a number changed."""
    draw = random.Random(seed)
    data = json.loads(base(draw.choice((*SMALL, "districts"))))
    *way, last = draw.choice(list(numbers_of(data)))
    place = data
    for part in way:
        place = place[part]
    value = place[last]
    if isinstance(value, str):
        place[last] = value + draw.choice("123")
    else:
        place[last] = draw.choice([value + 1, max(0, value - 1), value + 2, 2 * value, draw.randrange(8)])
    return json.dumps(data).encode()


def by_coq(certificates, folder):
    """What Coq says of certificates: whether the checker inside it accepts each; ``False`` of those that are not formalised."""
    found = [False] * len(certificates)
    text, names = translate.HEAD, []
    for number, data in enumerate(certificates):
        try:
            inside = translate.defined(data)
        except (translate.Unformalised, translate.check().Refused):
            continue
        names.append(number)
        text += f"Module M{number}.\n{inside}End M{number}.\n"
    text += f"Eval vm_compute in {translate.listed(f'check M{number}.the_certificate' for number in names)}.\n"
    code, printed = coq.compiled(text, str(folder))
    assert code == 0, printed
    for number, word in zip(names, re.findall(r"\b(?:true|false)\b", printed), strict=True):
        found[number] = word == "true"
    return found


def check_alike(seeds, folder):
    """Both checkers say the same of mutants; return how many are accepted, and how many Coq had to refuse."""
    certificates = [mutant(seed) for seed in seeds]
    words = [not checker.verdict(data)[0] for data in certificates]

    assert words == by_coq(certificates, folder)
    return sum(words)


@needs_coq
def test_districts_of_the_file():
    """An upper bound by districts, and a rank."""
    assert coq.verdict(districts()) == (0, "accepted by Coq: dimension 10")
    assert checker.verdict(districts())[0] == 0


@needs_coq
def test_some_mutants(tmp_path):
    """Coq refuses what the checker refuses, and accepts what it accepts."""
    assert check_alike(range(some(20)), tmp_path) < 20


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("block", range(12))
def test_mutants(block, tmp_path):
    """1,200 mutants, in blocks; more than a thousand of them are refused."""
    assert 0 < check_alike((f"slow {seed}" for seed in range(100 * block, 100 * block + 100)), tmp_path) < 100


ALIKE = sorted(file for word in ("accepted", "rejected", "unreadable") for file in (FOLDER / word).glob("*.json"))


def is_formalised(data):
    """Whether Coq knows the model and all kinds of evidence."""
    try:
        translate.defined(data)
    except (translate.Unformalised, translate.check().Refused):
        return False
    return True


def check_corpora_alike(files, folder):
    """Both checkers say the same of those corpora that are of the kinds that Coq knows; return these."""
    known = [file for file in files if is_formalised(file.read_bytes())]
    words = by_coq([file.read_bytes() for file in known], folder)

    assert [(file.stem, file.parent.name == "accepted") for file in known] == [
        (file.stem, word) for file, word in zip(known, words, strict=True)
    ]
    return known


def test_what_is_accepted_is_readable():
    """Evidence that is not formalised is not called unreadable; without this, margins would be left out without a word."""
    for file in sorted((FOLDER / "accepted").glob("*.json")):
        data = json.loads(file.read_bytes())
        if data["evidence"]["upper"]["kind"] == "equations" and data["claim"]["model"]["family"] == "discrete":
            with contextlib.suppress(translate.Unformalised):
                translate.defined(file.read_bytes())
                assert not {"margin", "exchangeable"} & data["evidence"]["upper"].keys(), file


@needs_coq
def test_some_corpora(tmp_path):
    """Of some files of the corpora, drawn afresh, Coq says what the checker says."""
    check_corpora_alike(random.Random(SEED).sample(ALIKE, 30), tmp_path)


@needs_coq
@pytest.mark.slow
def test_corpora(tmp_path):
    """Of all of them; some are accepted, and more refused."""
    known = check_corpora_alike(ALIKE, tmp_path)
    accepted = sum(file.parent.name == "accepted" for file in known)

    assert 5 < accepted < len(known) / 2


def test_translation_stands_alone():
    """The translator needs nothing but the standard library and the checker."""
    command = [
        sys.executable,
        "-I",
        "-S",
        str(COQ / "translate.py"),
        str(CERTIFICATES / "KZ02-T1-2-2-2-2-dimension.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, encoding="utf-8")

    assert "Definition net : network := Network 7 [::\n  Var 2 Hidden [::] (free 0 1 2);" in done.stdout
