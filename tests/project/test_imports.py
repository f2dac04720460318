"""What `import algdim` brings in, and what an installation contains."""

from __future__ import annotations

import importlib
import pkgutil
import shutil
import subprocess
import sys
import tomllib
import types
import zipfile
from pathlib import Path

import pytest
from packages import PACKAGES, ROOT

import algdim
import algdim_papers

HEAVY = "sympy mpmath networkx matplotlib opt_einsum flint gmpy2 pandas pyarrow pgmpy sklearn".split()

LOADED = "import sys; print(' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded_after(statement):
    """Return the top-level modules that a fresh interpreter holds after the statement."""
    command = [sys.executable, "-c", f"{statement}\n{LOADED}"]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL, encoding="utf-8"
    )
    return set(run.stdout.split())


@pytest.mark.parametrize("statement", ["import algdim", "import algdim.cli; algdim.cli.build_parser()"])
def test_starting_is_light(statement):
    """Neither the package nor its commands bring in a heavy library before one is needed."""
    loaded = loaded_after(statement)

    assert "algdim" in loaded
    assert set() == loaded & set(HEAVY)


def test_what_computes_nothing_needs_no_numpy():
    """The catalogue, references and the checker are there without numpy, and so is the help."""
    certificate = next((ROOT / "proofs" / "certificates").glob("*.json"))
    lines = [
        "from algdim.cli import build_parser, main",
        "build_parser()",
        "main(['models', 'verma'])",
        "main(['cite'])",
    ]
    loaded = loaded_after("\n".join([*lines, f"assert 0 == main(['verify', {str(certificate)!r}])"]))

    assert "algdim_papers" in loaded
    assert set() == loaded & {"numpy", *HEAVY}


def test_a_small_model_needs_little():
    """The dimension of a small model loads no library but numpy and what that loads, and nothing that reads files."""
    loaded = loaded_after("from algdim.cli import main; main(['dim', '3:2,2,2,2'])")
    more = loaded - loaded_after("import numpy")

    assert "algdim" in more
    assert set() == more & {"shutil", "pathlib", "shlex", "secrets", "tomllib", "json", *HEAVY}


def test_a_heavy_import_would_be_seen():
    """The look into a fresh interpreter does find what was imported."""
    assert {"networkx"} == loaded_after("import networkx") & {"networkx"}


def test_every_public_name_is_there():
    """Each name in ``__all__`` can be loaded, and importing every module puts no module in its place."""
    for entry in (
        *pkgutil.walk_packages(algdim.__path__, "algdim."),
        *pkgutil.walk_packages(algdim_papers.__path__, "algdim_papers."),
    ):
        if entry.name != "algdim.__main__":
            importlib.import_module(entry.name)
    hidden = [name for name in algdim.__all__ if isinstance(getattr(algdim, name), types.ModuleType)]

    assert [] == hidden


def test_there_is_one_version():
    """What is installed has the version that the package states."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert "version" in settings["project"]["dynamic"]
    assert {"path": "algdim/about.py"} == settings["tool"]["hatch"]["version"]


@pytest.mark.slow
def test_a_wheel_is_complete(tmp_path):
    """A wheel holds every module and every data file of the packages, and nothing from beside it; the source stays as it is."""
    # a copy that nobody may write to: not even an old build in it, which is of no use to anybody, gets into the wheel
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    (tree / "build/lib/algdim").mkdir(parents=True)
    (tree / "build/lib/algdim/old.py").touch()
    before = sorted(tree.rglob("*"))
    for folder in (tree, *filter(Path.is_dir, before)):
        folder.chmod(0o555)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(tree)]
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    finally:
        for folder in (tree, *filter(Path.is_dir, before)):
            folder.chmod(0o755)
    assert before == sorted(tree.rglob("*"))
    [wheel] = tmp_path.glob(f"algdim-{algdim.__version__}-*.whl")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    suffixes = {".py", ".toml", ".md", ".css", ".html", ".js", ".gz", ".typed"}
    files = [file for package in PACKAGES for file in tree.glob(f"{package}/**/*") if file.suffix in suffixes]
    wanted = {file.relative_to(tree).as_posix() for file in files}
    beside = f"algdim-{algdim.__version__}.data/data/share"
    wanted |= {f"{beside}/doc/algdim/CHANGELOG.md", f"{beside}/man/man1/algdim.1"}

    assert {"algdim/py.typed", "algdim_papers/py.typed", "algdim_papers/claims/kz02.toml"} <= wanted
    assert wanted == inside
