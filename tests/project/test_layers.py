"""The direction of the imports: backwards along the stages, never forwards, never in a circle; families by the registry.

The engine's own `__init__`, the facade, stands after all its stages: it may import everything of the engine, nothing may
import it. The papers' package stands after the engine, which knows it at one door.

An import counts wherever it stands: on top, inside a function, under ``TYPE_CHECKING``, or as a call of ``import_module``.
"""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import pytest
from packages import FACADE, PACKAGES, PAPERS, ROOT, modules
from sources import nodes_of

STAGES = (
    (
        "errors",
        "figures",
        "folding",
        "about",
        "lemmas",
        "limits",
        "memory",
        "trust",
        "wholefiles",
        "nextdoor",
        "families",
        "display",
        "arguments",
    ),
    ("exact", "models"),
    ("readers", "maps"),
    ("jacobian",),
    ("rank",),
    ("bound",),
    ("analysis",),
    ("report",),
    ("reports",),
    ("identifiability",),
    ("fitting",),
    ("certificate", "scores"),
    ("tables", "plots", "explanation"),
    ("writers", "checking"),
    ("selection",),
    ("sweeping",),
    ("studio",),
    ("cli", "pytesting"),
    ("__main__",),
    ("algdim_papers.printed",),
    ("algdim_papers.claims", "algdim_papers.references"),
    ("algdim_papers.tables", "algdim_papers.experiments"),
    ("algdim_papers.commands",),
    ("algdim_papers.offer",),
)
STAGE_OF = {part: number for number, parts in enumerate(STAGES) for part in parts}

BY_NAME = ("algdim.families", "algdim.cli")
"""Packages that load the modules of their folders by name."""

CONTRACTS = ("algdim.families.contract", "algdim.families.discrete.locals.contract")
"""What names the types of all stages; of the modules that a registry loads."""

GROUND = "discrete"
"""The family on which others stand: folders of families know networks and their tables."""

ON_THE_GROUND = {
    "fitting": "data of tables, and the maximisation that all of them share",
    "scores": "marginal likelihoods and penalties of tables",
    "cli": "the command bounds is about latent class models",
    "plots": "a network with more hidden states is drawn against their number",
    "models": "graphs of networks, and words that name a local",
}
"""Shared parts that may know networks as well, each with the reason."""

MEETS = {
    "readers": "a format says of which family its models are",
    "writers": "the same",
    "sweeping": "what generates models makes them",
    "selection": "the same",
}
"""Parts that may know families by name, each with the reason; so may the papers."""


# A module of one of these names would take the place of the function `algdim.<name>` as soon as it is imported.
PUBLIC = frozenset(
    "model dimension bounds prove verify identify fit score select simulate compare table explain check parametrization".split(),
)

DOOR = ("algdim.nextdoor", "algdim_papers.offer")
"""The one import of the papers by the engine."""

PICTURES = "algdim.display.models"
"""What asks for the picture of a model, which comes after models: they show themselves."""


class Import(NamedTuple):
    """One module names another one, or the facade."""

    source: str
    target: str
    place: str


def modules_below(root):
    """Map the dotted name of every module of the packages in the folder to its file."""
    found = {}
    for file in modules(root):
        parts = [*file.relative_to(root).with_suffix("").parts]
        if parts[-1] == "__init__":
            parts.pop()
        found[".".join(parts)] = file
    return found


def part_of(module):
    """Return the top-level part a dotted name belongs to, or the folder of a family, or the facade; the papers' name stands before theirs."""
    package, _, inner = module.partition(".")
    part = inner.partition(".")[0]
    if part == "families" and "." in inner and module != CONTRACTS[0]:
        return ".".join(inner.split(".")[:2])
    return part if part and package == FACADE else f"{package}.{part}".rstrip(".")


def names_in(node, known):
    """Yield the dotted names that one syntax node imports, and None for what cannot be known."""
    match node:
        case ast.Import():
            for alias in node.names:
                yield alias.name
                if alias.asname is None and alias.name.startswith(f"{FACADE}."):
                    yield FACADE  # this binds the name of the facade
        case ast.ImportFrom(level=0, module=module):
            for alias in node.names:
                longer = f"{module}.{alias.name}"
                yield longer if longer in known else module
        case ast.Call(func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module")):
            match node.args[0] if node.args else None:
                case ast.Constant(value=str(name)):
                    yield name
                case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]) if "." in start:
                    yield start.rpartition(".")[0]
                case _:
                    yield None


@cache
def scan(root):
    """Return all imports among the modules of the packages, and the offences that a single line can commit."""
    known = modules_below(root)
    imports, offences = [], []
    for source, file in known.items():
        here = file.relative_to(root)
        for node in nodes_of(file):
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Call):
                continue
            place = f"{here}:{node.lineno}"
            if isinstance(node, ast.ImportFrom) and node.level:
                offences.append(f"{place}: a relative import; write it absolute")
            for target in names_in(node, known):
                if target is None:
                    # the facade looks its names up in a table
                    if source != FACADE:
                        offences.append(f"{place}: an import whose module is computed; name the module")
                elif target.split(".")[0] in PACKAGES:
                    imports.append(Import(source, target, place))
    return imports, offences


def names_promised(root):
    """Return the public names: the fixed ones and those that the facade lists in ``__all__``."""
    facade = root / FACADE / "__init__.py"
    if not facade.exists():
        return PUBLIC
    lists = [
        node.value
        for node in ast.walk(ast.parse(facade.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and "__all__" in {ast.unparse(t) for t in (node.targets if isinstance(node, ast.Assign) else [node.target])}
    ]
    return PUBLIC | {name for value in lists if value is not None for name in ast.literal_eval(value)}


def part_offences(root):
    """Yield the top-level parts without a stage, and those that are named like a public function."""
    promised = names_promised(root)
    parts = {part_of(module) for module in modules_below(root)} - {*PACKAGES}
    for part in sorted(part for part in parts if not is_folder(part)):
        if part in promised:
            yield f"{part}: a public function has this name; rename the module"
        elif part not in STAGE_OF:
            yield f"{part}: no stage; add it to STAGES"


def is_folder(part):
    """Tell whether a part is the folder of a family."""
    return part.startswith("families.")


def family_offences(imports):
    """Yield the imports of a family by shared modules that are to find it in the registry."""
    for source, target, place in imports:
        here, there = part_of(source), part_of(target)
        if here in PACKAGES or is_of_papers(source) or is_folder(here):
            continue
        is_ground = there == f"families.{GROUND}" and here in ON_THE_GROUND
        if is_folder(there) and not is_ground and here not in MEETS:
            yield f"{place}: {source.removeprefix(f'{FACADE}.')} imports {there}; ask the registry"


def direction_offences(imports):
    """Yield the imports that point forwards."""
    for source, target, place in imports:
        here, there = part_of(source), part_of(target)
        if is_of_papers(target) and not is_of_papers(source):
            if (source, target) != DOOR:
                yield f"{place}: the engine imports the papers; only {DOOR[0]} may, and of them only {DOOR[1]}"
        elif here == FACADE or source in CONTRACTS or (source == PICTURES and there == "plots"):
            continue
        elif there in PACKAGES:
            yield f"{place}: imports {there} itself; import the module that is meant"
        elif here in STAGE_OF and there in STAGE_OF and STAGE_OF[there] > STAGE_OF[here]:
            yield f"{place}: {here} imports {there}, which comes later"


def is_of_papers(module):
    """Whether a module is one of the papers' package."""
    return module.split(".")[0] == PAPERS


def circle_offences(imports):
    """Yield one circle of modules and one circle of parts, if there are any.

    The way through the entry point is none, and nor is what packages load of their own by name.
    """
    inner = [
        entry
        for entry in imports
        if FACADE not in (entry.source, entry.target)
        and is_of_papers(entry.source) >= is_of_papers(entry.target)
        and entry.source not in CONTRACTS
        and not (entry.source == PICTURES and part_of(entry.target) == "plots")
        and not (entry.source == entry.target and entry.source in BY_NAME)
    ]
    for what, name in (("modules", str), ("parts", part_of)):
        graph = {}
        for source, target, _ in inner:
            # a folder has modules of all stages
            if what == "parts" and (is_folder(part_of(source)) or is_folder(part_of(target))):
                continue
            if name(source) != name(target) or what == "modules":
                graph.setdefault(name(source), set()).add(name(target))
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            # graphlib lists each node before the one that depends on it
            yield f"a circle of {what}: {' <- '.join(error.args[1])}"


def offences_in(root):
    """Return every offence in the packages of the folder."""
    imports, offences = scan(root)
    return [
        *offences,
        *part_offences(root),
        *direction_offences(imports),
        *family_offences(imports),
        *circle_offences(imports),
    ]


def test_the_packages_keep_to_the_stages():
    """No import points forwards or in a circle, none but the entry point leads to the papers, and no module hides a public function."""
    assert [] == offences_in(ROOT)


def test_the_packages_are_seen():
    """The scan looks at the real modules and at imports between them."""
    imports = {(entry.source, entry.target) for entry in scan(ROOT)[0]}

    assert {"algdim.errors", "algdim_papers.claims.judging"} <= set(modules_below(ROOT))
    assert {
        ("algdim.families.discrete.model", "algdim.errors"),
        ("algdim_papers.claims.judging", "algdim.trust"),
        DOOR,
    } <= imports


INNOCENT = {
    "__init__.py": "from algdim.cli import main\n__all__ = ['dimension']\n__import__(main.__module__)\n",
    "errors.py": "",
    "exact/__init__.py": "",
    "exact/primes.py": "from algdim.errors import InputError\nimport numpy as np\n",
    "models/__init__.py": "",
    "models/network.py": "from algdim.models import tables\nfrom algdim.exact.primes import draw\n",
    "models/tables.py": "",
    "maps/network.py": "def f(stem):\n    from importlib import import_module\n    return import_module('algdim.models.tables')\n",
    "rank.py": "import algdim.exact.primes as primes\nfrom algdim import errors\n",
    "cli.py": "from algdim.rank import errors\n",
    "nextdoor.py": "def f():\n    from algdim_papers import offer\n",
    "algdim_papers/__init__.py": "",
    "algdim_papers/claims/__init__.py": "",
    "algdim_papers/claims/reading.py": "from algdim.errors import InputError\n",
    "algdim_papers/offer.py": "from algdim.cli import main\nfrom algdim_papers.claims import reading\n",
}

GUILTY = {
    "forwards": ({"rank.py": "from algdim.report import x"}, "rank.py:1: rank imports report"),
    "forwards, a module's name taken from its package": (
        {"rank.py": "from algdim import report", "report.py": ""},
        "rank.py:1: rank imports report",
    ),
    "forwards inside a function": (
        {"rank.py": "def f():\n    from algdim.bound import x"},
        "rank.py:2: rank imports bound",
    ),
    "forwards for types only": (
        {"rank.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import algdim.plots as c"},
        "rank.py:3: rank imports plots",
    ),
    "forwards by a call": (
        {"rank.py": "import importlib\nimportlib.import_module('algdim.plots')"},
        "rank.py:2: rank imports plots",
    ),
    "forwards by a call with a computed end": (
        {"rank.py": "from importlib import import_module\nimport_module(f'algdim.scores.{2}')"},
        "rank.py:2: rank imports scores",
    ),
    "a computed import": ({"rank.py": "__import__('al' + 'gdim')"}, "rank.py:1: an import whose module is computed"),
    "a family by name": (
        {"rank.py": "from algdim.families.gaussian.model import x", "families/gaussian/model.py": ""},
        "rank.py:1: rank imports families.gaussian; ask the registry",
    ),
    "networks by name": (
        {"rank.py": "from algdim.families.discrete.model import x", "families/discrete/model.py": ""},
        "rank.py:1: rank imports families.discrete; ask the registry",
    ),
    "relative": ({"rank.py": "from . import errors"}, "rank.py:1: a relative import"),
    "relative in the facade": ({"__init__.py": "from .errors import x"}, "__init__.py:1: a relative import"),
    "the facade": ({"rank.py": "import algdim"}, "rank.py:1: imports algdim itself"),
    "the facade under another name": ({"rank.py": "import algdim as a"}, "rank.py:1: imports algdim itself"),
    "a name of the facade": ({"rank.py": "from algdim import dimension"}, "rank.py:1: imports algdim itself"),
    "the facade bound on the way": ({"rank.py": "import algdim.errors"}, "rank.py:1: imports algdim itself"),
    "a circle of two modules": (
        {"models/tables.py": "def f():\n    from algdim.models.network import x"},
        "a circle of modules: algdim.models.",
    ),
    "a circle of three modules": (
        {"bound/a.py": "from algdim.bound.b import x", "bound/b.py": "from algdim.bound.c import x"}
        | {"bound/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from algdim.bound.a import x"},
        "a circle of modules: algdim.bound.",
    ),
    "a module that imports itself": ({"rank.py": "from algdim.rank import x"}, "a circle of modules: algdim.rank"),
    "a circle through a package": (
        {"bound/__init__.py": "from algdim.bound.a import x", "bound/a.py": "from algdim.bound import y"},
        "a circle of modules: algdim.bound",
    ),
    "exact and models need each other": (
        {"exact/fields.py": "from algdim.models.tables import x"},
        "a circle of parts: ",
    ),
    "the papers": (
        {"rank.py": "def f():\n    from algdim_papers.claims import reading"},
        "rank.py:2: the engine imports the papers",
    ),
    "the papers in the facade": (
        {"__init__.py": "import algdim_papers"},
        "__init__.py:1: the engine imports the papers",
    ),
    "the papers by a call": (
        {"rank.py": "__import__('algdim_papers.offer')"},
        "rank.py:1: the engine imports the papers",
    ),
    "more of the papers at the entry point": (
        {"nextdoor.py": "from algdim_papers.claims import reading"},
        "nextdoor.py:1: the engine imports the papers",
    ),
    "forwards in the papers": (
        {"algdim_papers/tables.py": "from algdim_papers.commands import x"},
        "algdim_papers/tables.py:1: algdim_papers.tables imports algdim_papers.commands",
    ),
    "the facade from the papers": (
        {"algdim_papers/claims/checks.py": "from algdim import dimension"},
        "algdim_papers/claims/checks.py:1: imports algdim itself",
    ),
    "a circle in the papers": (
        {"algdim_papers/claims/checks.py": "from algdim_papers.claims.checks import x"},
        "a circle of modules: algdim_papers.claims.checks",
    ),
    "no stage": ({"helpers.py": ""}, "helpers: no stage"),
    "no stage in the papers": ({"algdim_papers/rank.py": ""}, "algdim_papers.rank: no stage"),
    "named like a public function": ({"table.py": ""}, "table: a public function has this name"),
    "a package named like a public function": ({"bounds/a.py": ""}, "bounds: a public function has this name"),
    "named like a name in __all__": (
        {"rank.py": "", "__init__.py": "__all__: list[str] = ['rank']"},
        "rank: a public function has this name",
    ),
}


def plant(root, files):
    """Write a tree of files, of the engine where no package is named."""
    for name, text in files.items():
        file = root / name if name.startswith(PAPERS) else root / FACADE / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def test_an_innocent_tree_passes(tmp_path):
    """What is allowed gives no offence."""
    assert [] == offences_in(plant(tmp_path, INNOCENT))


@pytest.mark.parametrize("offence", GUILTY)
def test_every_offence_is_found(tmp_path, offence):
    """One offence in an innocent tree is reported, and nothing else is."""
    files, message = GUILTY[offence]
    found = offences_in(plant(tmp_path, INNOCENT | files))

    assert 1 == len(found), found
    assert found[0].removeprefix(f"{FACADE}/").startswith(message)
