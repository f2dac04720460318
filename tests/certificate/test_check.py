"""The checker: what it accepts and refuses, and that it stands alone."""

from __future__ import annotations

import ast
import contextlib
import json
import random
import re
import subprocess
import sys
import tokenize
from collections import Counter
from itertools import combinations, product
from math import comb, prod
from pathlib import Path

import pytest
from amount import IS_ALL, daily, drawn
from certificates import FOLDER
from mutants import by_hand
from packages import ROOT
from suites.mixed_networks import mixed_network

import algdim
from algdim.certificate import checker
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import is_prime
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.map import get_param_map

CHECKER = ROOT / "proofs" / "check.py"
WORDS = ("accepted", "rejected", "unreadable")
REASONS = json.loads((FOLDER / "reasons.json").read_text(encoding="utf-8"))
FILES = sorted(file.relative_to(FOLDER).as_posix() for word in WORDS for file in (FOLDER / word).iterdir())


def run(*files):
    """Run the checker as a stranger does."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, encoding="utf-8")


LONG = {"unreadable/polynomial-power.json"}
"""What is refused when the work that is allowed is done; each day at a hundredth of it."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG), id=name) for name in FILES]
)
def test_corpora(name):
    """Each certificate of the corpora gets the verdict of its folder, for the reason that is noted beside it."""
    code, reason = checker.verdict((FOLDER / name).read_bytes())

    assert WORDS.index(name.split("/")[0]) == code
    assert REASONS.get(name, "accepted: dimension") in reason
    assert "\n" not in reason


@pytest.mark.parametrize("name", LONG)
def test_work_beyond_the_limit_is_refused(name, monkeypatch):
    """The same with less work allowed, so that it is refused soon."""
    monkeypatch.setattr(checker, "MOST_WORK", checker.MOST_WORK // 100)

    assert (2, f"unreadable: to check this takes more than {checker.MOST_WORK} steps, the format's limit") == (
        checker.verdict((FOLDER / name).read_bytes())
    )


FAMILIES = {
    "discrete": checker.Discrete,
    "gaussian": checker.Gaussian,
    "latent-profile": checker.Profile,
    "classifier": checker.Classifier,
    "loglinear": checker.LogLinear,
    "polynomial": checker.Formulas,
    "conditional-gaussian": checker.Mixtures,
    **dict.fromkeys(("normal", "poisson"), checker.Additive),
    **dict.fromkeys(("max-normal", "max-poisson", "at-least-normal", "at-least-poisson"), checker.Ordered),
}


def nodes(value):
    """All nodes of evidence."""
    if isinstance(value, dict):
        if isinstance(value.get("kind"), str):
            yield value
        for inner in value.values():
            yield from nodes(inner)
    if isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_of_evidence_is_accepted_and_refused(family):
    """The corpora contain, for each family, every kind of evidence among the accepted, and a refused one that has it."""
    known = {kind for kind, found in checker.KINDS.items() if FAMILIES[family] in found.models}
    found = {word: set() for word in WORDS}
    for name in FILES:
        if not name.startswith("unreadable"):
            data = json.loads((FOLDER / name).read_bytes())
            if data["claim"]["model"]["family"] == family:
                found[name.split("/")[0]] |= {node["kind"] for node in nodes(data["evidence"])}

    assert set(FAMILIES) == set(checker.FAMILIES)
    assert set() == known - found["accepted"]
    assert set() == known - found["rejected"]


def test_every_kind_of_matrix_and_of_field():
    """Koszul flattenings with and without projection, constants, trek separation, kernels and moves are among the accepted."""
    found = set()
    for name in FILES:
        if name.startswith("accepted"):
            for node in nodes(json.loads((FOLDER / name).read_bytes())["evidence"]):
                found |= {key for matrix in node.get("matrices", ()) for key in matrix}
                found |= {kind_of(field) for field in node.get("fields", ())}
                found |= {"constants"} if node.get("constants") else set()

    assert {
        "order",
        "projection",
        "left",
        "constants",
        "kernel",
        "moves",
        "formulas",
        "along",
        "blocks",
        "minors",
        "D",
        "chain",
        "common",
        "words",
        "reversed",
        "moves of a chain",
    } <= found


def kind_of(field):
    """Sums of moves, kernels of local maps, formulas, alone and of discrete models."""
    if isinstance(field, list):
        return "moves"
    return next(
        (
            kind
            for key, kind in (("upper", "kernel"), ("along", "along"), ("times", "moves of a chain"))
            if key in field
        ),
        "formulas",
    )


def watched(directions, seen):
    """The directions of a field, each looked at: no coordinate may change along it."""

    def looked_at(self, check, field, values, item):
        for direction in directions(self, check, field, values, item):
            at = self.at(field, values)
            for number in range(self.coordinates):
                slopes = zip(self.parameters, at.gradient(self.coordinate(number)), strict=True)
                assert sum(slope * direction.get(parameter, 0) for parameter, slope in slopes) % field.prime == 0
            seen[type(self)] += 1
            yield direction

    return looked_at


def test_nothing_observed_changes_along_a_field_that_is_accepted(monkeypatch):
    """The derivatives of all coordinates vanish along the fields of the corpora, at the point where their rank is taken."""
    seen = Counter()
    without = {checker.Profile, checker.Classifier, checker.Additive, checker.Ordered}
    for family in {*FAMILIES.values(), checker.Discrete} - without:
        monkeypatch.setattr(family, "directions", watched(family.directions, seen))
    for name in FILES:
        if name.startswith("accepted") and b'"fields"' in (FOLDER / name).read_bytes():
            assert 0 == checker.verdict((FOLDER / name).read_bytes())[0]

    assert {checker.Discrete, checker.Gaussian, checker.Formulas} <= {*seen}


def test_forms_of_equations_that_are_accepted_vanish_on_all_tangents(monkeypatch):
    """The gradients of equations, times the Jacobian at the point where their rank is taken."""
    points, seen = [], Counter()
    drawn, rank = checker.drawn, checker.Field.rank

    def remembered(field, model, source):
        points.append((model, drawn(field, model, source)))
        return points[-1][1]

    def looked_at(field, rows):
        rows = [list(row) for row in rows]
        if "equations" in sys._getframe(1).f_code.co_name:
            model, values = points[-1]
            at = model.at(field, values)
            jacobian = {}  # of equal coordinates one
            for number, k in enumerate(sys._getframe(1).f_locals["place"]):
                gradient = at.gradient(model.coordinate(number))
                assert gradient == jacobian.setdefault(k, gradient)
            # the sums of a margin take its dimension away, and need not vanish
            own = sys._getframe(1).f_locals
            for row in rows if own["names"] is None else rows[len(own["sums"]) :]:
                for slopes in zip(*jacobian.values(), strict=True):
                    assert sum(x * slope for x, slope in zip(row, slopes, strict=True)) % field.prime == 0
            seen[type(model)] += len(rows)
        return rank(field, rows)

    monkeypatch.setattr(checker, "drawn", remembered)
    monkeypatch.setattr(checker.Field, "rank", looked_at)
    for name in FILES:
        if name.startswith("accepted") and b'"matrices"' in (FOLDER / name).read_bytes():
            assert 0 == checker.verdict((FOLDER / name).read_bytes())[0]

    assert {checker.Discrete, checker.Gaussian, checker.Formulas} <= {*seen}


def test_exit_code_is_the_worst():
    """Of several files the worst verdict is the exit code, and each has one line."""
    files = [
        FOLDER / "accepted/pairwise.json",
        FOLDER / "rejected/rank-value.json",
        FOLDER / "unreadable/empty.json",
    ]
    finished = run(*files)

    assert 2 == finished.returncode
    assert 3 == len(finished.stdout.splitlines())
    assert 0 == run(files[0]).returncode
    assert 1 == run(*files[:2]).returncode
    assert 2 == run("no/such/file").returncode


def test_what_is_accepted_can_be_shown():
    """With -v the model stands below the line, which is the same; nothing below what is refused."""
    good, bad = FOLDER / "accepted/pairwise.json", FOLDER / "rejected/rank-value.json"
    plain, shown = run(good, bad), run("-v", good, bad)
    extra = [line for line in shown.stdout.splitlines() if line not in plain.stdout.splitlines()]

    assert plain.returncode == shown.returncode == 1
    assert set(plain.stdout.splitlines()) <= set(shown.stdout.splitlines())
    assert 1 == len(extra)
    assert json.loads(good.read_bytes())["claim"]["model"] == json.loads(extra[0].removeprefix("  model: "))
    assert (2, "") == (run("-v").returncode, run("-v").stdout)


def test_usage():
    """Without arguments the usage goes to standard error and nothing was accepted; asked for alone, to standard output."""
    nothing, asked = run(), run("--help")

    assert (2, "") == (nothing.returncode, nothing.stdout)
    assert nothing.stderr.startswith("usage: ")
    assert (0, nothing.stderr) == (asked.returncode, asked.stdout)
    assert 1 == run(FOLDER / "accepted/pairwise.json", FOLDER / "rejected/rank-value.json").returncode
    assert 2 == run("--help", FOLDER / "rejected/rank-value.json").returncode


def test_there_is_one_checker():
    """The package has it by a link, which archives hold as the file itself."""
    files = {file.resolve() for folder in ("algdim", "proofs") for file in (ROOT / folder).rglob("*.py")}
    defined = re.compile(r"^def verdict\(data: bytes\)", re.MULTILINE)
    known = [file for file in files if defined.search(file.read_text(encoding="utf-8"))]

    assert CHECKER.read_bytes() == Path(checker.__file__).read_bytes()
    assert not CHECKER.is_symlink()
    if (ROOT / ".git").exists():
        assert [CHECKER] == known


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


PRIME = 2**61 - 1

LINES, FUNCTION, WHOLE = 1000, 60, 2850
"""What a stranger reads for one family, at most; the longest function and the whole file, in lines of code."""

TREE = ast.parse(CHECKER.read_bytes())
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SCOPES = ast.FunctionDef | ast.Lambda | ast.ClassDef | COMPREHENSIONS


def sections():
    """The lines by the titles that stand above them, and the titles that these name as to be read before; the head is core."""
    title, lines, before = "Core: head", {"Core: head": []}, {"Core: head": []}
    for number, line in enumerate(CHECKER.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("# ") and line.endswith("-----"):
            title, _, names = line.strip("# -").partition(", after ")
            assert title not in lines
            lines[title], before[title] = [], names.split(", ") if names else []
        lines[title].append(number)
    return lines, before


def reading(title):
    """The sections that are read for a family: the core, what its title names with what that names, and its own."""
    lines, before = sections()
    found, waiting = [title], [*before[title]]
    while waiting:
        (tool,) = (name for name in lines if name.split(": ")[1] == waiting[0])
        waiting = [*waiting[1:], *before[tool]]
        found += [tool] if tool not in found else []
    return [*(name for name in lines if name.startswith("Core: ")), *found]


def titles(kind):
    """The titles of one kind."""
    return [title for title in sections()[0] if title.startswith(f"{kind}: ")]


def test_sections():
    """The head, the core, tools, theorems in one run, families; a section for each family, and the table of what is known at the end."""
    kinds = [title.split(": ")[0] for title in sections()[0]]
    known = {model.__name__ for model in {found for kind in checker.KINDS.values() for found in kind.models}}
    families = {owner(name) for name in known - {"Kept"}}

    assert "Core: head" == next(iter(sections()[0]))
    assert "Core: what is known" == [*sections()[0]][-1]
    assert ["Core"] * 6 + ["Tools"] * 2 + ["Theorems"] * 6 == kinds[:14]
    assert {"Family", "Tools", "Core"} == set(kinds[14:])
    assert set(titles("Family")) == families


@pytest.mark.parametrize("title", titles("Family"))
def test_core_and_one_family_are_read_in_one_sitting(title):
    """The core and a family, with the tools and the family that its title names, blank lines and all."""
    lines, _ = sections()

    assert sum(len(lines[name]) for name in reading(title)) < LINES


def test_networks_with_quotients_take_a_little_longer():
    """Tables of log-odds and those of classifiers need two tools more, as docs/certificates.md says."""
    lines, _ = sections()
    found = {*reading("Family: discrete networks"), *reading("Tools: tables that are quotients")}

    assert LINES < sum(len(lines[name]) for name in found) <= LINES + 100


def owner(name):
    """The section that defines a name of the module; ``None`` for what is imported."""
    lines, _ = sections()
    defined = {name: line for node in TREE.body for name, line in bound(node, own=True)}
    return next((title for title, numbers in lines.items() if defined.get(name) in numbers), None)


@pytest.mark.parametrize("title", daily(titles("Family"), 3))
def test_a_family_uses_what_was_read(title):
    """A family's section names what the core, the sections before it, and theorems define; networks name one tool more."""
    lines, _ = sections()
    nodes = [node for node in TREE.body if node.lineno in lines[title]]
    names = {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}
    more = {"Tools: tables that are quotients"} if title == "Family: discrete networks" else set()
    used = {owner(name) for name in names & {name for name, _ in bound(TREE)}} - {None, *reading(title)} - more

    assert used <= set(titles("Theorems"))


def bound(node, *, own=False):
    """The names that a scope binds itself, with lines; with ``own`` a definition is what it defines."""

    def walk(one, top):
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and not (top and not own):
            yield one.name, one.lineno
        elif isinstance(one, SCOPES) and not top:
            return
        else:
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id, one.lineno
            elif isinstance(one, ast.arg):
                yield one.arg, one.lineno
            elif isinstance(one, ast.Import | ast.ImportFrom):
                yield from ((alias.asname or alias.name, one.lineno) for alias in one.names)
            elif isinstance(one, ast.ExceptHandler) and one.name:
                yield one.name, one.lineno
            for child in ast.iter_child_nodes(one):
                yield from walk(child, False)

    return list(walk(node, True))


def inner(node):
    """The scopes directly inside a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            yield child
        else:
            yield from inner(child)


def hidden_names(node, module, outside=frozenset(), nearest=frozenset()):
    """Names that hide others: of the module, of functions around a function, arguments or names of comprehensions around one."""
    mine = {name for name, _ in bound(node)} - {"_"}
    if isinstance(node, ast.ClassDef):
        for child in inner(node):
            yield from hidden_names(child, module, outside, nearest)
        return
    shared = {name for one in ast.walk(node) if isinstance(one, ast.Nonlocal) for name in one.names}
    comprehension = isinstance(node, COMPREHENSIONS)
    yield from ((node.lineno, name) for name in mine & module)
    yield from ((node.lineno, name) for name in mine & (nearest if comprehension else outside - shared))
    arguments = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)} if hasattr(node, "args") else set()
    for child in inner(node):
        yield from hidden_names(child, module, outside | mine, nearest | mine if comprehension else arguments)


def hiding(tree):
    """All names of a module that hide others, with lines."""
    module = {name for name, _ in bound(tree)}
    return [found for child in inner(tree) for found in hidden_names(child, module)]


def test_no_name_hides_another():
    """No local name, argument, inner function or comprehension hides a name of the module or of what stands around it."""
    offences = {
        "def f(): pass\ndef g(f): return f": "f",
        "import re\ndef g(): return [re for re in ()]": "re",
        "def g(x):\n    def h():\n        x = 1\n        return x\n    return h": "x",
        "def g(x): return [x for x in x]": "x",
        "def g(): return [[x for x in y] for x, y in ()]": "x",
        "class A:\n    def g(self, A): return A": "A",
    }

    assert [] == hiding(TREE)
    assert list(offences.values()) == [name for text in offences for _, name in hiding(ast.parse(text))]


def test_no_name_is_defined_twice():
    """Neither in the module nor in a class."""
    for node in [TREE, *(one for one in ast.walk(TREE) if isinstance(one, ast.ClassDef))]:
        names = [name for child in node.body for name, _ in bound(child, own=True)]

        assert [] == sorted(name for name in set(names) if names.count(name) > 1)


@pytest.mark.drawn
def test_no_state():
    """The module and its classes hold constants: nothing is declared global or cached, and no check changes what they hold."""
    words = {name for node in ast.walk(TREE) for name in ([node.id] if isinstance(node, ast.Name) else [])}
    before = held()
    for name in drawn(FILES, 12):
        checker.verdict((FOLDER / name).read_bytes())

    assert not any(isinstance(node, ast.Global) for node in ast.walk(TREE))
    assert words.isdisjoint({"globals", "setattr", "cache", "lru_cache"})
    assert before == held()


def held():
    """What the module and its classes hold, as text, without the addresses of functions."""
    classes = [
        value for value in vars(checker).values() if isinstance(value, type) and value.__module__ == checker.__name__
    ]
    values = {name: value for name, value in vars(checker).items() if not name.startswith("__")}
    return repr(values), [repr(sorted(vars(one).items())) for one in classes]


def test_readable():
    """The whole is no longer than it has to be, and no function is longer than a page."""
    code = lines_of_code()
    functions = [node for node in ast.walk(TREE) if isinstance(node, ast.FunctionDef)]
    lengths = {f.name: len(code & set(range(f.lineno, f.end_lineno + 1))) for f in functions}

    assert WHOLE >= len(code)
    assert FUNCTION >= max(lengths.values())


def accepted(name):
    """An accepted certificate, the relevant model of its claim, and the dimension."""
    data = json.loads((FOLDER / f"accepted/{name}.json").read_bytes())
    described = data["claim"]["model"]
    model = checker.FAMILIES[described["family"]](described, checker.Work()).relevant()
    return data, model, data["claim"]["dimension"]


def shown(model, kind, nodes, side="upper"):
    """The values that evidence of a kind shows, where it is not refused."""
    for node in nodes:
        with contextlib.suppress(checker.Refused):
            yield checker.KINDS[kind].function(checker.Check(), side, model, node)


def subsets(names):
    """All subsets, in order."""
    return [[*chosen] for size in range(len(names) + 1) for chosen in combinations(names, size)]


@pytest.mark.parametrize("name", [f"classifier-{x}" for x in ("tables", "linear", "shared", "fixed", "probes")])
def test_no_choice_of_tables_shows_less(name):
    """Whatever tables of a classifier are counted, the bound is no less than the dimension."""
    _, model, dimension = accepted(name)

    assert dimension <= min(shown(model, "class-tables", ({"tables": some} for some in subsets(list(model.factors)))))


@pytest.mark.parametrize(
    ("name", "part"), daily([("mechanisms-max", 3), ("mechanisms-parity", 3), ("mechanisms-all", 3)], 1)
)
def test_no_choice_of_levels_shows_less(name, part):
    """Whatever functions, mechanisms and small levels an adversary names, the bound is no less than the dimension, which is shown."""
    data, model, _ = accepted(name)
    kernel = checker.parts_of(model, checker.Work())[part]
    dimension = data["evidence"]["lower"]["parts"][part]["value"]
    size = kernel.sizes["E"]
    levels = [[*level] for level in product((-1, 0, 1, 2), repeat=size)]
    chosen = [[one] for one in levels] if size == 2 else [[*pair] for pair in combinations(levels[::2], 2)]
    fields = product(["E", *kernel.hidden], subsets(kernel.hidden), subsets(kernel.hidden))
    whole = [{"effect": e, "functions": f, "mechanisms": m} for e, f, m in fields]
    known = data["evidence"]["upper"]["parts"][part]["effects"]
    items = [{**one, "levels": some} for one in whole for some in chosen[:: 1 if size == 2 else 7]]
    twice = [known * 2, *([*known, one] for one in items[::5])]
    found = list(shown(kernel, "mechanisms", ({"effects": one} for one in (known, *twice, *([x] for x in items)))))

    assert dimension == min(found)


@pytest.mark.parametrize("name", ["loglinear", "loglinear-class", "loglinear-boltzmann", "loglinear-ambient"])
def test_no_blocks_show_less(name):
    """Whatever blocks are named, the latent class model has at least the dimension."""
    _, model, dimension = accepted(name)
    partitions = [[]]
    for v in model.observed:
        partitions = [
            [*one[:k], [*one[k], v], *one[k + 1 :]] if k < len(one) else [*one, [v]]
            for one in partitions
            for k in range(len(one) + 1)
        ]
    for blocks in partitions:
        inner = checker.class_model(model.states(model.hidden), *map(model.states, blocks))
        bounds = {"counting": len(inner.parameters), "ambient": inner.complete}
        kind = min(bounds, key=bounds.get)
        upper = {"kind": kind, "value": bounds[kind]}

        assert all(dimension <= value for value in shown(model, "latent-class", [{"blocks": blocks, "upper": upper}]))


@pytest.mark.parametrize("name", ["polynomial", "polynomial-fields", "polynomial-counting", "loglinear-symmetry"])
def test_no_fields_show_less(name):
    """Of all small fields on two parameters none that is accepted shows less than the dimension, alone or together."""
    _, model, dimension = accepted(name)
    point = {"prime": 8388593, "point": "algdim 1|0|point"}
    values = ["1", *model.parameters, *({"product": ["-1", p]} for p in model.parameters)]
    fields = [
        dict(zip(pair, some, strict=True))
        for size in (1, 2)
        for pair in combinations(model.parameters, size)
        for some in product(values, repeat=size)
    ]
    alone = [field for field in fields if [*shown(model, "symmetry", [{**point, "fields": [field]}])]]
    together = list(shown(model, "symmetry", [{**point, "fields": alone}]))

    assert dimension <= min(together)


@pytest.mark.drawn
def test_no_matrices_show_less():
    """Random blocks and random matrices of coordinates with all pairs: those accepted show no less than the dimension."""
    _, model, dimension = accepted("polynomial-sums")
    draw, found = random.Random(0), []
    for _ in range(3000 if IS_ALL else 40):
        names, cut = list(model.parameters), draw.randrange(1, 6)
        blocks = [names[:3], names[3:]] if draw.random() < 0.5 else [names[:cut], names[cut:]]
        size = draw.choice([2, 3, 3])
        known = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]
        rows = [[x if draw.random() < 0.9 else draw.randrange(6) for x in line[:size]] for line in known[:size]]
        pairs = [[0, 0]] if size == 3 else [[0, 0], [0, 1], [1, 0], [1, 1]][: draw.randrange(5)]
        node = {"prime": 8388593, "point": "algdim 1|0|point", "constants": []}
        found += shown(model, "equations", [{**node, "matrices": [{"blocks": blocks, "rows": rows, "pairs": pairs}]}])

    assert dimension == min(found)


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_no_choice_of_blocks_or_fields_shows_less(seed):
    """Of random networks: head counts, theorems, blocks and separators of any kind, districts, random fields."""
    draw, data = random.Random(seed), described_network(f"new kinds {seed}")
    dimension, *_ = by_hand(data)
    whole = checker.discrete(data, checker.Work())
    model = whole.relevant()
    sides = [[v for v in model.observed if draw.random() < 0.5] for _ in range(8)]
    blocks = [[one, [v for v in model.observed if v not in one]] for one in sides]
    separators = [model.hidden, [v for v in model.hidden if draw.random() < 0.5]]
    names = [f"p{k}" for k in range(len(model.parameters))]
    fields = [
        {"along": {name: draw.choice(["1", name, {"product": ["-1", name]}]) for name in draw.sample(names, 2)}}
        for _ in range(8 if 1 < len(names) < 8 else 0)
    ]
    point = {"prime": PRIME, "point": "algdim 1|0|point"}
    found = [
        *shown(model, "nested", [{}]),
        *shown(model, "secants", [{}]),
        *shown(model, "pairwise", ({"blocks": pair, "S": some} for pair in blocks for some in separators)),
        *shown(model, "symmetry", ({**point, "fields": [field]} for field in fields)),
    ]

    assert dimension <= min(found)


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_districts_with_entries_that_vanish(seed):
    """The ranks of kernels, those of entries that count alone where others vanish, sum to the dimension; what counts bounds it."""
    data = described_network(f"kept {seed}")
    dimension, *_ = by_hand(data)
    model = checker.discrete(data, checker.Work()).relevant()
    with contextlib.suppress(checker.Refused):
        parts = checker.parts_of(model, checker.Work())
        ranks = [full_rank(part) for part in parts]

        assert dimension == sum(ranks)
        assert all(rank <= min(part.count, part.complete) for rank, part in zip(ranks, parts, strict=True))


def full_rank(model):
    """The rank of the whole Jacobian at a point."""
    field = checker.Field(PRIME, checker.Work())
    at = model.at(field, checker.drawn(field, model, "algdim 1|1|point"))
    return field.rank(at.gradient(model.coordinate(number)) for number in range(model.coordinates))


def described_network(seed):
    """The model of a claim: a random network of every kind."""
    network = mixed_network(seed)
    return encode_network(network, get_param_map(network))


@pytest.mark.parametrize("name", ["classifier-linear", "classifier-tables", "classifier-probes", "classifier-shared"])
def test_the_linear_map_is_a_lower_bound_where_it_is_said_to_be(name):
    """Whatever tables are named, what is shown as a lower bound is no more than the dimension."""
    _, model, dimension = accepted(name)
    nodes = ({"tables": some} for some in subsets(list(model.factors)))

    assert all(value <= dimension for value in shown(model, "class-tables", nodes, side="lower"))


def test_affine_hull_is_exact():
    """Coefficients that vanish modulo primes that are in use do not make the hull smaller."""
    for prime in (2, 8388593, 2**61 - 1):
        formulas = ["a", {"product": [str(prime), "b"]}, {"sum": ["a", {"product": [str(prime), "c"]}]}]
        coordinates = [{"name": f"f{k}", "formula": one} for k, one in enumerate(formulas)]
        model = {"family": "polynomial", "parameters": ["a", "b", "c"], "coordinates": coordinates}

        assert 3 == checker.polynomial(model, checker.Work()).complete


def test_residues_are_those_of_the_package():
    """The checker draws as docs/seeds.md says, for short and for long primes."""
    for prime in (2, 101, 8388593, 2**31 - 1, 4294967311, 2**61 - 1):
        source = open_stream(7, "point", 3)

        assert draw_residues(source, prime, 50).tolist() == checker.Field(prime, checker.Work()).drawn(source.text, 50)


def test_primes():
    """The checker's test of primes agrees with sieving and with algdim's, Carmichael numbers and strong pseudoprimes included."""
    sieved = [n for n in range(3000) if n > 1 and all(n % k for k in range(2, int(n**0.5) + 1))]
    awkward = [561, 3215031751, 3474749660383, 341550071728321, 3825123056546413051, 2**61 - 1, 2**63 - 25, 2**62 - 57]

    assert sieved == [n for n in range(3000) if checker.is_prime(n)]
    assert [is_prime(n) for n in awkward] == [checker.is_prime(n) for n in awkward]


@pytest.fixture
def works(monkeypatch):
    """The works of the checks that are made."""
    made = []

    class Kept(checker.Work):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(checker, "Work", Kept)
    return made


@pytest.mark.slow
def test_rank_300_is_within_the_limit():
    """The format's limit of work leaves room for a minor of 299 rows against probes of a table with 2^14 cells."""
    from algdim import prove

    assert 0 == checker.verdict(prove("20:2^14").text.encode())[0]


HUGE = {
    "variables": {"claim.model.variables": [{"name": f"X{k}", "states": 2, "observed": True} for k in range(5000)]},
    "states": {"claim.model.variables.1.states": 10_000, "claim.model.variables.2.states": 10_000},
    "names": {"claim.model.names": {f"n{k}": "1/2" for k in range(100_000)}},
    "rows": {
        "evidence.lower.rows": list(range(3000)),
        "evidence.lower.columns": list(range(3000)),
        "evidence.lower.value": 3000,
    },
}


@pytest.mark.parametrize("name", daily(HUGE, 2))
def test_limits_are_looked_at_first(name, works):
    """What is far too large is refused before a hundredth of the work that is allowed."""
    from certificates import changed

    data = changed(json.loads((FOLDER / "accepted/rank-probes.json").read_bytes()), HUGE[name])

    assert 0 < checker.verdict(json.dumps(data).encode())[0]
    assert checker.MOST_WORK / 100 > sum(checker.MOST_WORK - work.left for work in works)


def hostile():
    """Certificates that ask for as much work as they can within the limits, with false numbers."""
    rank = {"kind": "rank", "prime": 2**61 - 1, "point": "algdim 1|0", "probes": "algdim 1|1"}

    def certificate(names, edges, lower, upper):
        parents = {item["name"]: [above for above, below in edges if below == item["name"]] for item in names}
        model = {"family": "discrete", "variables": [{**item, "parents": parents[item["name"]]} for item in names]}
        read = checker.discrete(model, checker.Work())
        count = len(read.parameters)
        upper = {"value": count, **upper}
        claim = {"model": model, "dimension": upper["value"], "standard": count, "complete": read.complete}
        return {"format": checker.FORMAT, "claim": claim, "evidence": {"lower": lower, "upper": upper}}

    def variable(name, states=2, observed=True):
        return {"name": name, "states": states, "observed": observed}

    minor = {**rank, "value": 800, "rows": [*range(800)], "columns": [*range(800)]}
    wide = [*(variable(f"A{k}") for k in range(17)), variable("Y")]
    yield certificate(wide, [[f"A{k}", "Y"] for k in range(17)], {**minor}, {"kind": "counting"})
    leaves = [
        variable(f"{letter}{k}", 6 if letter == "H" else 2, letter != "H") for k in range(300) for letter in "HAB"
    ]
    edges = [edge for k in range(300) for edge in (["R", f"H{k}"], [f"H{k}", f"A{k}"], [f"H{k}", f"B{k}"])]
    yield certificate([variable("R", 50, observed=False), *leaves], edges, minor, {"kind": "counting"})
    items = [variable("H", 3, observed=False), *(variable(f"X{k}") for k in range(4))]
    flat = {"blocks": [["X0", "X1"], ["X2", "X3"]], "C": [], "S": ["H"], "state": [], "pairs": []}
    many = {"kind": "equations", "value": 13, "prime": 8388593, "point": "algdim 1|0", "constants": []}
    yield certificate(items, [["H", f"X{k}"] for k in range(4)], {}, {**many, "matrices": [flat] * 30000})
    chain = [[f"X{k}", f"X{k + 1}"] for k in range(989)]
    data = certificate([variable(f"X{k}") for k in range(990)], chain, {}, {"kind": "districts", "parts": []})
    data["claim"]["model"]["tables"] = {"X1": [["1", "0"], ["0", "1"]]}
    data["claim"]["standard"] -= 2
    yield data
    alone = [variable(f"H{k}", 1, observed=False) for k in range(500)]
    pair = [*alone, variable("X"), variable("Y")]
    clique = [[f"H{j}", f"H{k}"] for k in range(500) for j in range(k)]
    clique += [[one["name"], v] for one in alone for v in "XY"]
    apart = {"blocks": [["X"], ["Y"]], "C": [], "S": [], "state": [], "pairs": []}
    yield certificate(pair, clique, {}, {**many, "value": 1, "matrices": [apart] * 5000})
    yield certificate(pair, clique, {}, {"kind": "nested", "value": 1})
    star = [variable("H", observed=False), *(variable(f"X{k}") for k in range(40))]
    yield certificate(star, [["H", f"X{k}"] for k in range(40)], {}, {"kind": "nested", "value": 80})
    high = {"along": {"p0": {"power": [{"sum": [f"p{k}" for k in range(20)]}, 9]}}}
    fields = {"kind": "symmetry", "value": 1, "prime": 8388593, "point": "algdim 1|0", "fields": [high] * 1000}
    yield certificate(star[:13], [["H", f"X{k}"] for k in range(12)], {}, fields)


def hostile_gaussian():
    """The same about Gaussian models: many variables and rows, long fractions, many large matrices."""
    node = {"prime": 2**61 - 1, "point": "algdim 1|0"}

    def certificate(count, observed, lower, upper, edges=()):
        names = [{"name": f"X{k}", "observed": k < observed} for k in range(count)]
        model = {"family": "gaussian", "variables": names, "edges": list(edges), "means": True}
        read = checker.gaussian(model, checker.Work())
        claim = {"model": model, "dimension": upper["value"], "standard": len(read.parameters)}
        evidence = {"lower": lower, "upper": upper}
        return {"format": checker.FORMAT, "claim": {**claim, "complete": read.complete}, "evidence": evidence}

    minor = {"kind": "rank", "value": 800, **node, "rows": [*range(800)], "columns": [*range(800)]}
    cycle = [[f"X{i}", f"X{j}"] for i in range(100) for j in range(100) if i != j]
    yield certificate(100, 100, minor, {"kind": "ambient", "value": 5150}, cycle)
    minor = {**minor, "value": 720, "rows": [*range(720)], "columns": [*range(720)]}
    yield certificate(360, 360, minor, {"kind": "counting", "value": 720})
    move = {"move": "substitution", "of": ["X1", "X1"], "factor": []}
    long = [{**move, "coefficient": f"1/{10**900 + k}"} for k in range(3000)]
    above = [[f"X{k}", "X0"] for k in range(1, 300)]
    yield certificate(2, 1, {}, {"kind": "symmetry", "value": 1, **node, "fields": [long]}, above[:1])
    many = [[{**move, "coefficient": "1"}]] * 20000
    yield certificate(300, 1, {}, {"kind": "symmetry", "value": 1, **node, "fields": many}, above)
    names = [f"X{k}" for k in range(200)]
    matrix = {"rows": names, "columns": names, "left": [], "right": names, "pairs": []}
    yield certificate(
        200, 200, {}, {"kind": "equations", "value": 1, **node, "constants": [], "matrices": [matrix] * 500}
    )


@pytest.mark.slow
def test_hostile_certificates_are_refused():
    """The numbers are false, and the work ends what would take long, whatever is asked for."""
    assert all(checker.verdict(json.dumps(data).encode())[0] > 0 for data in (*hostile(), *hostile_gaussian()))


@pytest.mark.parametrize("key", ["V", "V free", "W", "W free", "('V',)", "('W', 'free')", "s"])
def test_tables_of_derived_models_are_their_own(key):
    """Whatever a shared table is called: in a larger model, a slice, a part and its margin, what was conditioned on being hidden."""
    shared = {"table": key} if key != "W" else {}
    roots = [{"name": v, "states": 2, "observed": v == "V", "parents": [], **shared} for v in "VW"]
    if key in "VW":
        roots = [one | {"table": key} for one in roots]
    items = [{"name": v, "states": 2, "observed": True, "parents": ["V", "W"]} for v in "XY"]
    claim = {"family": "discrete", "variables": [*roots, *items]}
    model, work = checker.discrete(claim, checker.Work()), checker.Work()
    given = checker.discrete(
        claim | {"variables": [roots[0] | {"table": "V"}, roots[1] | {"table": "W"}, *items]}, work
    )
    larger = checker.supermodel(model, [{"widened": "W", "parents": []}], work)
    slices = checker.slices(given, "V", [], ["W", "X", "Y"], work)
    (_, root), (_, part) = checker.shown_parts(model, [], [[], []], work)
    three = checker.discrete(
        claim | {"variables": [roots[0] | {"table": "V", "states": 3}, roots[1] | {"table": "W"}, *items]}, work
    )
    (times, below), (_, fewer) = checker.with_fewer_states(checker.given_roots(three), [("V", 2)], work)

    assert 9 == len(model.parameters)
    assert 10 == len(larger.parameters)
    assert 5 == len(slices[0].parameters)
    assert 1 == len(root.parameters)
    assert 9 == len(part.parameters)
    assert 10 == len(checker.margin_of(part, ["X", "Y"]).parameters)
    assert 5 == len(checker.shown_parts(model, [], [[], ["V"]], work)[1][1].parameters)
    assert (1, 5, 9) == (times, len(below.parameters), len(fewer.parameters))
    assert 10 == len(checker.margin_of(fewer, ["X", "Y"]).parameters)


def test_what_nothing_observed_depends_on_is_in_no_part():
    """Where an edge was reversed a hidden variable may have no children; it is left out before the parts are made."""
    names = {"H": (False, []), "A": (True, ["H"])}
    listed = [{"name": v, "states": 2, "observed": seen, "parents": above} for v, (seen, above) in names.items()]
    model = checker.discrete({"family": "discrete", "variables": listed}, checker.Work())
    larger = checker.supermodel(model, [{"reversed": "H", "child": "A"}], checker.Work())

    assert {"H": ["A"], "A": []} == {v: one.parents for v, one in larger.variables.items()}
    assert [(1, ["A"])] == [(n, [*one.variables]) for n, one in checker.shown_parts(larger, [], [[]], checker.Work())]


GROUPS = {
    "2^2*,2": (),
    "2^2*,2^2*": (3,),
    "2,2,2^2*": (3,),
    "2^2*,2^3*": (),
    "2^2*,2^4*": (5,),
    "2^2*,2^2*,2^2*": (7,),
    "2,2,2,2": (3,),
    "2,2,2^4*": (5,),
    "2^3*,2^3*": (),
    "2^3*,3^3*": (),
}
"""Items in groups, with the numbers of classes whose dimension is one less than counting says."""


@pytest.mark.parametrize("items", GROUPS)
def test_known_dimensions_of_groups_of_items_are_ranks(items):
    """Of each number of classes up to those that fill the tables: the rank of the whole Jacobian at a point, with the exceptions."""
    fewer = []
    for classes in range(2, 9):
        network = algdim.model(f"{classes}:{items}")
        claimed = checker.discrete(encode_network(network, get_param_map(network)), checker.Work())
        cells = prod(comb(r + n - 1, n) for r, n in checker.item_groups(claimed))
        known = checker.secants(checker.Check(), "upper", claimed, {})
        fewer += [classes] * (known < min(len(claimed.parameters), cells - 1))

        assert full_rank(claimed) == known

    assert GROUPS[items] == tuple(fewer)
