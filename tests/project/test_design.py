"""docs/design.md and CONTRIBUTING.md beside the code: the packages, methods, bounds, records, imports and paths that there are."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache

import pytest
from packages import ROOT
from sources import nodes_of, tree_of
from test_layers import FACADE, PAPERS, STAGES, modules_below, part_of

from algdim.bound.strategy import KNOWN
from algdim.families import ENTRIES, FOLDERS, MODULES, find_capability, load, load_family
from algdim.rank import METHODS

DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
PLACE = re.compile(r"`(\w+)` in `([\w./]+\.py)`")
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]*)+|[\w-]+\.(?:py|md|toml|svg)")
LINK = re.compile(r"\]\(([^()#\s:]+)(?:#[^()\s]*)?\)")
MOST_WORDS = 900
"""Of CONTRIBUTING: a page and a half."""


def tables_of(page):
    """The tables of a page: the cells of the head, and of each row."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", page, re.MULTILINE):
        rows = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in block.splitlines()]
        found.append((tuple(cell.strip("| ") for cell in rows[0]), rows[2:]))
    return found


def rows_of(page, head):
    """The rows of all tables with a head, in order, one list for each table."""
    return [rows for names, rows in tables_of(page) if names == head]


def spans(cell):
    """What stands between backquotes."""
    return SPAN.findall(cell)


def differing(what, shown, there):
    """Yield what is missing on the page, and what is named that is not there."""
    yield from (f"{what}: {one} is missing" for one in there if one not in shown)
    yield from (f"{what}: there is no {one}" for one in shown if one not in there)
    if sorted(shown) == sorted(there) and list(shown) != list(there):
        yield f"{what}: the order is {', '.join(there)}"


def parts_in(package):
    """The modules and folders of a package, in the order of the alphabet."""
    files = {file.stem for file in package.glob("*.py")} - {"__init__"}
    return sorted(files | {f"{file.parent.name}/" for file in package.glob("*/__init__.py")})


def part_offences(page):
    """Yield what is wrong with the tables of parts."""
    shown = [[name for row in rows for name in spans(row[0])] for rows in rows_of(page, ("part", "does"))]
    for package, names in zip((FACADE, PAPERS), shown, strict=True):
        yield from differing(package, names, parts_in(ROOT / package))


def order_offences(page):
    """Yield the lines of the printed order of imports that are not those of the stages."""
    block = next(text for text in FENCED.findall(page) if "  < " in text)
    shown = [tuple(line.strip(" <").split(", ")) for line in block.splitlines()[1:-1]]
    for number, stage in enumerate(STAGES):
        line = shown[number] if number < len(shown) else ()
        if line != stage:
            yield f"imports: {', '.join(stage)} stands in line {number + 1}, not {', '.join(line)}"
    yield from (f"imports: there is no stage {', '.join(line)}" for line in shown[len(STAGES) :])


def bounds_tried(name):
    """The bounds of a family, in order."""
    bounds = load_family(name).bounds
    return [*bounds.bounds, *bounds.searches]


def family_offences(page):
    """Yield what is wrong with the table of folders."""
    (rows,) = rows_of(page, ("folder", "families", "bounds, in the order in which they are tried"))
    yield from differing(
        "folders", [name for row in rows for name in spans(row[0])], [f"{one.folder}/" for one in ENTRIES]
    )
    there = {f"{one.folder}/": one.families for one in ENTRIES}
    for folder, families, bounds in rows:
        name = spans(folder)[0]
        for family in there.get(name, ()):
            yield from differing(f"bounds of {family}", spans(bounds), bounds_tried(family))
        yield from differing(f"families of {name}", spans(families), there.get(name, ()))
    inside = {file.parent.relative_to(ROOT / FACADE / "families").as_posix() for file in below_folders()}
    shown = {
        span for span in spans(page) if re.fullmatch(r"\w+/\w+/", span) and span.partition("/")[0] in FOLDERS.values()
    }
    yield from differing("folders of folders", sorted(shown), sorted(f"{name}/" for name in inside))


def below_folders():
    """The packages inside of the folders of families."""
    return (ROOT / FACADE / "families").glob("*/*/__init__.py")


@cache
def records():
    """What the registry asks of a folder, by its name and module, with the families that lack it."""
    found = {}
    for node in nodes_of(ROOT / FACADE / "families" / "__init__.py"):
        match node:
            case ast.Call(func=ast.Name(id="load_record"), args=[_, ast.Constant(module), ast.Constant(record)]):
                found[record, module] = [
                    name for name, folder in FOLDERS.items() if not hasattr(load(folder, module), record)
                ]
    for what in wanted():
        record, module = what.upper(), MODULES.get(what, what)
        found[record, module] = [name for name in FOLDERS if find_capability(name, what) is None]
    return found


def wanted():
    """The capabilities that any module asks for."""
    for file in modules_below(ROOT).values():
        for node in nodes_of(file):
            match node:
                case ast.Call(func=ast.Name(id="find_capability"), args=[_, ast.Constant(what)]):
                    yield what


def record_offences(page):
    """Yield what is wrong with the table of the contract's records."""
    (rows,) = rows_of(page, ("record", "module of the folder", "says", "families without"))
    shown = {(spans(record)[0], spans(module)[0]): spans(without) for record, module, _, without in rows}
    yield from differing(
        "contract", sorted(f"{one} in {two}" for one, two in shown), sorted(f"{one} in {two}" for one, two in records())
    )
    for key in shown.keys() & records().keys():
        yield from differing(f"without {key[0]}", shown[key], records()[key])


def method_offences(page):
    """Yield what is wrong with the tables of methods and bounds."""
    (rows,) = rows_of(page, ("method", "function"))
    shown = [(spans(name)[0], spans(function)[0]) for name, function in rows]
    yield from differing("methods", shown, [(name, function.__name__) for name, function in METHODS.items()])
    (rows,) = rows_of(page, ("bound", "where"))
    yield from differing("bounds", sorted(name for row in rows for name in spans(row[0])), sorted(KNOWN))


@cache
def importers():
    """The parts that import each name of each module; the papers are one, and families are one."""
    found = {}
    for source, file in modules_below(ROOT).items():
        part = part_of(source)
        if part == FACADE:
            continue
        part = PAPERS if part.startswith(PAPERS) else part.partition(".")[0]
        for node in nodes_of(file):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found.setdefault((node.module, alias.name), set()).add(part)
    return found


def flow_offences(page):
    """Yield the steps of the flow that are imported elsewhere than it says."""
    (rows,) = rows_of(page, ("step", "function", "what comes of it", "imported by"))
    for row in rows:
        ((name, path),) = PLACE.findall(row[1])
        module = path.removesuffix(".py").replace("/", ".")
        there = importers().get((module, name), set()) - {part_of(module)}
        yield from differing(f"{name} is imported", sorted(spans(row[3])), sorted(there))


def defined_in(file):
    """The names that a module defines."""
    for node in tree_of(file).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def path_offences(page):
    """Yield the paths that lead nowhere, and the names that the file beside them does not define."""
    text = FENCED.sub("", page)
    homes = (ROOT, ROOT / FACADE, ROOT / PAPERS, ROOT / FACADE / "families")
    for span in SPAN.findall(text):
        if not PATH.fullmatch(span):
            continue
        if "/" not in span:
            is_there = (ROOT / span).exists() or any((ROOT / FACADE).rglob(span))
        elif span.endswith("/"):
            is_there = any((home / span).is_dir() for home in homes)
        else:
            is_there = any(ROOT.glob(span))
        if not is_there:
            yield f"paths: there is no {span}"
    for name, path in PLACE.findall(text):
        file = ROOT / path
        if file.exists() and name not in defined_in(file):
            yield f"paths: {path} defines no {name}"


def make_offences(page):
    """Yield the targets of make that are not there."""
    known = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", page, re.MULTILINE))
    yield from (f"make: there is no target {one}" for one in sorted(asked - known))


def library_offences(page):
    """Yield what is wrong with the tables of dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    declared = {
        re.split(r"[<>=!~\[ ]", one)[0]
        for group in (project["build-system"]["requires"], project["project"]["dependencies"], *extras)
        for one in group
    }
    shown = {name for rows in rows_of(page, ("package", "one reason")) for row in rows for name in row[0].split(", ")}
    yield from differing("dependencies", sorted(shown), sorted(declared - {FACADE}))


def offences_of(page):
    """All that is not as the page on the design says."""
    checks = (
        *(part_offences, order_offences, family_offences, record_offences, method_offences),
        *(flow_offences, path_offences, make_offences, library_offences),
    )
    return [offence for check in checks for offence in check(page)]


def test_the_design_is_that_of_the_code():
    """Parts, imports, families, records, methods, bounds, paths and dependencies are all on the page, and no others."""
    found = offences_of(DESIGN)

    assert [] == found, "docs/design.md: " + "; ".join(found)


GUILTY = {
    "a part is left out": ("| `bound/` |", "| – |", "algdim: bound/ is missing"),
    "a module is left out": ("| `trust` |", "| – |", "algdim: trust is missing"),
    "a part of the papers is left out": ("| `claims/` |", "| – |", "algdim_papers: claims/ is missing"),
    "a part that is not there": ("| `trust` |", "| `trust` `doubt` |", "algdim: there is no doubt"),
    "a folder that is a module": ("| `exact/` |", "| `exact` |", "algdim: exact/ is missing"),
    "another order of imports": ("  < rank\n  < bound\n", "  < bound\n  < rank\n", "imports: rank stands in line 5"),
    "an import is left out": (", wholefiles, nextdoor, families", ", nextdoor, families", "imports: errors, figures"),
    "a stage too many": (
        "  < algdim_papers.offer\n",
        "  < algdim_papers.offer\n  < attic\n",
        "imports: there is no stage",
    ),
    "a family is left out": (
        "| `poisson` `normal` `max-poisson` `max-normal` `at-least-poisson` `at-least-normal` |",
        "| `poisson` |",
        "families of additive/: normal is missing",
    ),
    "a family that is not there": (
        "| `gaussian` |",
        "| `gaussian` `cauchy` |",
        "families of gaussian/: there is no cauchy",
    ),
    "a folder is left out": ("| `loglinear/` |", "| – `linear/` |", "folders: loglinear/ is missing"),
    "a folder of a folder": ("`discrete/locals/`", "`discrete/locales/`", "folders of folders: discrete/locals/"),
    "bounds in another order": ("`minors` `symmetry`", "`symmetry` `minors`", "bounds of gaussian: the order is"),
    "a record is left out": ("| `DOMAIN` |", "| `REALM` |", "contract: DOMAIN in domain is missing"),
    "a record stands elsewhere": (
        "| `FILE` | `reading` |",
        "| `FILE` | `file` |",
        "contract: FILE in reading is missing",
    ),
    "a family that has it": (
        "are drawn | `classifier`",
        "are drawn | `normal` `classifier`",
        "without SAMPLING: there is no",
    ),
    "a method is left out": ("| `float` | `draw_float` |\n", "", "methods: ('float', 'draw_float') is missing"),
    "a method that is not there": ("| `float` |", "| `double` |", "methods: ('float', 'draw_float') is missing"),
    "a bound is left out": ("| `koszul` |", "| – |", "bounds: koszul is missing"),
    "a bound that is not there": ("| `koszul` |", "| `koszul`, `spin` |", "bounds: there is no spin"),
    "who imports": ("| `analysis` `families` |", "| `families` |", "find_both_bounds is imported: analysis is missing"),
    "a file that is not there": (
        "`algdim/bound/chance.py`",
        "`algdim/bound/luck.py`",
        "paths: there is no algdim/bound",
    ),
    "a name that is not there": (
        "| `compute_error` in",
        "| `mistake_of` in",
        "paths: algdim/bound/chance.py defines no",
    ),
    "a target that is not there": ("`make real`", "`make unreal`", "make: there is no target unreal"),
    "a library is left out": ("| gmpy2 |", "| – |", "dependencies: gmpy2 is missing"),
}


@pytest.mark.parametrize("offence", GUILTY)
def test_what_is_false_is_found(offence):
    """One false word on the page is reported."""
    old, new, message = GUILTY[offence]
    assert old in DESIGN

    assert any(found.startswith(message) for found in offences_of(DESIGN.replace(old, new)))


def test_contributing_is_true_and_short():
    """Its paths, names, targets and links are there, and it has a page and a half."""
    assert [] == [*path_offences(CONTRIBUTING), *make_offences(CONTRIBUTING)]
    assert [] == [target for target in LINK.findall(CONTRIBUTING) if not (ROOT / target).exists()]
    assert len(CONTRIBUTING.split()) <= MOST_WORDS
