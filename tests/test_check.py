"""The checker: what it accepts and refuses, and that it stands alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from certificates import FOLDER

from algdim.certificate import checker
from algdim.exact.draws import residues, stream
from algdim.exact.primes import is_prime

CHECKER = Path(__file__).parents[1] / "proofs" / "check.py"
WORDS = ("accepted", "rejected", "unreadable")
REASONS = json.loads((FOLDER / "reasons.json").read_text(encoding="utf-8"))
FILES = sorted(file.relative_to(FOLDER).as_posix() for word in WORDS for file in (FOLDER / word).iterdir())


def run(*files):
    """Run the checker as a stranger does."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("name", FILES)
def test_corpora(name):
    """Each certificate of the corpora gets the verdict of its folder, for the reason that is noted beside it."""
    code, reason = checker.verdict((FOLDER / name).read_bytes())

    assert WORDS.index(name.split("/")[0]) == code
    assert REASONS.get(name, "accepted: dimension") in reason
    assert "\n" not in reason


def test_every_kind_of_evidence_is_accepted_and_refused():
    """The corpora contain every kind of evidence among the accepted, and a refused one that names it."""

    def kinds(value):
        if isinstance(value, dict):
            yield from (value[key] for key in ("kind", "type") if isinstance(value.get(key), str))
            for inner in value.values():
                yield from kinds(inner)
        if isinstance(value, list):
            for inner in value:
                yield from kinds(inner)

    found = {word: set() for word in WORDS}
    for name in FILES:
        if not name.startswith("unreadable"):
            data = json.loads((FOLDER / name).read_bytes())
            found[name.split("/")[0]] |= set(kinds(data["evidence"]))
    known = set(checker.LOWER) | set(checker.UPPER) | {"zeros", "flattening", "koszul"}

    assert set() == known - found["accepted"]
    assert set() == known - found["rejected"]


@pytest.mark.parametrize(
    ("prefix", "lower", "upper"),
    [
        ("gaussian", checker.GAUSSIAN_LOWER, checker.GAUSSIAN_UPPER),
        ("profile", checker.PROFILE_LOWER, checker.PROFILE_UPPER),
    ],
)
def test_every_kind_of_evidence_about_other_families(prefix, lower, upper):
    """The same for each kind of evidence about Gaussian and latent-profile models, on either side."""
    found = {word: set() for word in WORDS}
    for name in FILES:
        word, file = name.split("/")
        if file.startswith(prefix):
            evidence = json.loads((FOLDER / name).read_bytes())["evidence"]
            found[word] |= {(side, evidence[side]["kind"]) for side in ("lower", "upper")}
    known = {("lower", kind) for kind in lower} | {("upper", kind) for kind in upper}

    assert known == found["accepted"]
    assert known == found["rejected"]


def test_exit_code_is_the_worst():
    """Of several files the worst verdict is the exit code, and each has one line."""
    files = [
        FOLDER / "accepted/pairwise.json",
        FOLDER / "rejected/pairwise-value.json",
        FOLDER / "unreadable/empty.json",
    ]
    finished = run(*files)

    assert 2 == finished.returncode
    assert 3 == len(finished.stdout.splitlines())
    assert 0 == run(files[0]).returncode
    assert 1 == run(*files[:2]).returncode
    assert 2 == run("no/such/file").returncode


def test_usage():
    """Without arguments the usage goes to standard error and nothing was accepted; asked for alone, to standard output."""
    nothing, asked = run(), run("--help")

    assert (2, "") == (nothing.returncode, nothing.stdout)
    assert nothing.stderr.startswith("usage: ")
    assert (0, nothing.stderr) == (asked.returncode, asked.stdout)
    assert 1 == run(FOLDER / "accepted/pairwise.json", FOLDER / "rejected/pairwise-value.json").returncode
    assert 2 == run("--help", FOLDER / "rejected/pairwise-value.json").returncode


def test_copy_in_the_package_is_the_same():
    """The wheel contains a copy of the checker, byte for byte: it has to be found where proofs/ is not."""
    assert CHECKER.read_bytes() == Path(checker.__file__).read_bytes()


def test_standard_library_only():
    """The checker imports nothing but the standard library."""
    tree = ast.parse(CHECKER.read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]

    assert set() == {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"__future__"}
    assert not any(isinstance(node, ast.Name) and node.id in {"eval", "exec", "compile"} for node in ast.walk(tree))


def lines_of_code():
    """The numbers of lines that are neither blank nor comment nor docstring."""
    with CHECKER.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    idle = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    }
    code = {line for t in tokens if t.type not in idle for line in range(t.start[0], t.end[0] + 1)}
    for node in ast.walk(ast.parse(CHECKER.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node, clean=False):
            code -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return code


def test_readable_in_one_sitting():
    """The core has at most 600 lines of code; each family and each kind of evidence is a function of at most 60."""
    code = lines_of_code()
    functions = [node for node in ast.parse(CHECKER.read_bytes()).body if isinstance(node, ast.FunctionDef)]
    lengths = {f.name: len(code & set(range(f.lineno, f.end_lineno + 1))) for f in functions}
    readers = {reader.__name__ for reader in checker.FAMILIES.values()}
    ranges = [range(f.lineno, f.end_lineno + 1) for f in functions if f.name in readers]
    section, core = "", 0
    for number, line in enumerate(CHECKER.read_text(encoding="utf-8").splitlines(), 1):
        section = line if line.startswith("# ") and line.endswith("---") else section
        is_core = not section.startswith("# Evidence") and not any(number in lines for lines in ranges)
        core += number in code and is_core

    assert 600 >= core
    assert 60 >= max(lengths.values())


def test_residues_are_those_of_the_package():
    """The checker draws as docs/seeds.md says, for short and for long primes."""
    for prime in (2, 101, 8388593, 2**31 - 1, 4294967311, 2**61 - 1):
        source = stream(7, "point", 3)

        assert residues(source, prime, 50).tolist() == checker.residues(source.text, prime, 50)


def is_prime_there(number):
    """What the checker thinks of a number."""
    try:
        return checker.prime_of(number) == number
    except checker.Invalid:
        return False


def test_primes():
    """The checker's test of primes agrees with sieving and with algdim's, Carmichael numbers and strong pseudoprimes included."""
    sieved = [n for n in range(3000) if n > 1 and all(n % k for k in range(2, int(n**0.5) + 1))]
    awkward = [561, 3215031751, 3474749660383, 341550071728321, 3825123056546413051, 2**61 - 1, 2**63 - 25, 2**62 - 57]

    assert sieved == [n for n in range(3000) if is_prime_there(n)]
    assert [is_prime(n) for n in awkward] == [is_prime_there(n) for n in awkward]


@pytest.fixture
def budgets(monkeypatch):
    """The budgets of the checks that are made."""
    made = []

    class Kept(checker.Budget):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(checker, "Budget", Kept)
    return made


@pytest.mark.slow
def test_rank_300_is_within_the_limit():
    """The format's limit of work leaves room for a minor of 299 rows against probes of a table with 2^14 cells."""
    from algdim.certificate.exporting import prove

    assert 0 == checker.verdict(prove("20:2^14").text.encode())[0]


HUGE = {
    "variables": {"claim.model.variables": [{"name": f"X{k}", "states": 2, "observed": True} for k in range(5000)]},
    "states": {"claim.model.variables.1.states": 10_000, "claim.model.variables.2.states": 10_000},
    "nodes": {"evidence.upper": {"kind": "closed", "value": 1, "of": {"kind": "closed", "value": 1, "of": {}}}},
    "rows": {
        "evidence.lower.rows": list(range(3000)),
        "evidence.lower.columns": list(range(3000)),
        "evidence.lower.value": 3000,
    },
}


@pytest.mark.parametrize("name", HUGE)
def test_limits_are_looked_at_first(name, budgets):
    """What is far too large is refused before a thousandth of the work that is allowed."""
    from certificates import changed

    data = changed(json.loads((FOLDER / "accepted/rank-probes.json").read_bytes()), HUGE[name])

    assert 0 < checker.verdict(json.dumps(data).encode())[0]
    assert checker.MOST_WORK / 1000 > sum(checker.MOST_WORK - budget.left for budget in budgets)


def hostile():
    """Certificates that ask for as much work as they can within the limits, with false numbers."""
    rank = {"kind": "rank", "prime": 2**61 - 1, "point": "algdim 1|0", "probes": "algdim 1|1"}

    def certificate(names, edges, lower, upper):
        model = {"family": "discrete", "variables": names, "edges": edges}
        read = checker.read_discrete(model)
        count = len(checker.network_of(read).parameters)
        upper = {"value": count, **upper}
        claim = {"model": model, "dimension": upper["value"], "standard": count, "complete": read.complete}
        return {"format": checker.FORMAT, "claim": claim, "evidence": {"lower": lower, "upper": upper}}

    def variable(name, states=2, observed=True):
        return {"name": name, "states": states, "observed": observed}

    minor = {**rank, "value": 800, "rows": [*range(800)], "columns": [*range(800)]}
    wide = [*(variable(f"A{k}") for k in range(17)), variable("Y")]
    yield certificate(wide, [[f"A{k}", "Y"] for k in range(17)], {**minor}, {"kind": "counting"})
    leaves = [
        variable(f"{letter}{k}", 6 if letter == "H" else 2, letter != "H") for k in range(600) for letter in "HAB"
    ]
    edges = [edge for k in range(600) for edge in (["R", f"H{k}"], [f"H{k}", f"A{k}"], [f"H{k}", f"B{k}"])]
    yield certificate([variable("R", 50, observed=False), *leaves], edges, minor, {"kind": "counting"})
    items = [variable("H", 3, observed=False), *(variable(f"X{k}") for k in range(4))]
    flat = {"A": ["X0", "X1"], "B": ["X2", "X3"], "C": [], "S": ["H"], "state": [], "rank": 3, "pairs": []}
    many = {"kind": "equations", "value": 13, "prime": 8388593, "point": "algdim 1|0"}
    yield certificate(
        items, [["H", f"X{k}"] for k in range(4)], {}, {**many, "matrices": [{"type": "flattening", **flat}] * 30000}
    )
    chain = [[f"X{k}", f"X{k + 1}"] for k in range(1989)]
    copy = {"type": "table", "fixed": {"P(X1=0|X0=0)": "1", "P(X1=0|X0=1)": "0"}}
    data = certificate([variable(f"X{k}") for k in range(1990)], chain, {}, {"kind": "districts", "parts": []})
    data["claim"]["model"]["local"] = {"X1": copy}
    data["claim"]["standard"] -= 2
    yield data


def hostile_gaussian():
    """The same about Gaussian models: many variables and rows, long fractions, many large matrices."""
    node = {"prime": 2**61 - 1, "point": "algdim 1|0"}

    def certificate(count, observed, lower, upper, edges=()):
        names = [{"name": f"X{k}", "observed": k < observed} for k in range(count)]
        model = {"family": "gaussian", "variables": names, "edges": list(edges), "means": True}
        read = checker.read_gaussian(model)
        claim = {"model": model, "dimension": upper["value"], "standard": len(read.parameters)}
        evidence = {"lower": lower, "upper": upper}
        return {"format": checker.FORMAT, "claim": {**claim, "complete": read.complete}, "evidence": evidence}

    minor = {"kind": "rank", "value": 800, **node, "rows": [*range(800)], "columns": [*range(800)]}
    cycle = [[f"X{i}", f"X{j}"] for i in range(100) for j in range(100) if i != j]
    yield certificate(100, 100, minor, {"kind": "ambient", "value": 5150}, cycle)
    minor = {**minor, "value": 720, "rows": [*range(720)], "columns": [*range(720)]}
    yield certificate(360, 360, minor, {"kind": "counting", "value": 720})
    move = {"move": "both", "of": ["X1", "X1"]}
    long = [{**move, "coefficient": f"1/{10**900 + k}"} for k in range(3000)]
    above = [[f"X{k}", "X0"] for k in range(1, 300)]
    yield certificate(2, 1, {}, {"kind": "moves", "value": 1, **node, "fields": [long]}, above[:1])
    many = [[{**move, "coefficient": "1"}]] * 20000
    yield certificate(300, 1, {}, {"kind": "moves", "value": 1, **node, "fields": many}, above)
    names = [f"X{k}" for k in range(200)]
    matrix = {"rows": names, "columns": names, "left": [], "right": names, "pairs": []}
    yield certificate(200, 200, {}, {"kind": "minors", "value": 1, **node, "constants": [], "matrices": [matrix] * 500})


@pytest.mark.slow
def test_hostile_certificates_are_refused():
    """The numbers are false, and the budget ends what would take long, whatever is asked for."""
    assert all(checker.verdict(json.dumps(data).encode())[0] > 0 for data in (*hostile(), *hostile_gaussian()))
