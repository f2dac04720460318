"""The command doctor: version information and a self-test, for bug reports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from algdim.about import REPORT_SCHEMA, VERSION
from algdim.cli.options import (
    FAILED_CHECK,
    Command,
    Flag,
    print_json,
    show,
)
from algdim.exact.threads import GIVEN, count_processors, count_threads
from algdim.figures import format_bytes
from algdim.limits import SECONDS
from algdim.memory import compute_default_memory

NEEDED = ("gmpy2", "networkx", "numpy", "opt_einsum", "python-flint", "sympy")
OPTIONAL = ("cypari", "matplotlib", "pandas", "pgmpy", "polars", "pyarrow", "scikit-learn", "starlette", "uvicorn")


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the self-test: what was expected, what was found, the seconds it took."""

    name: str
    expected: str
    found: str
    seconds: float

    @property
    def is_as_expected(self) -> bool:
        """Whether it is as expected."""
        return self.expected == self.found

    def __str__(self) -> str:
        said = "ok" if self.is_as_expected else f"FAILED: {self.found} instead of {self.expected}"
        return f"{self.name}: {said} ({self.seconds:.2f} s)"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is installed here, what it runs on, and whether it computes."""

    algdim: str
    formats: tuple[str, ...]
    python: str
    system: str
    packages: Mapping[str, str | None]
    blas: str
    threads: int
    processors: int
    memory: str
    environment: Mapping[str, str]
    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether all checks passed and nothing that is needed is missing."""
        return all(check.is_as_expected for check in self.checks) and all(self.packages[name] for name in NEEDED)

    def to_dict(self) -> dict[str, Any]:
        """The form for machines."""
        checks = [{**asdict(check), "passed": check.is_as_expected} for check in self.checks]
        return {**asdict(self), "checks": checks, "healthy": self.healthy}

    def __str__(self) -> str:
        """A page to put into a report of a bug."""
        here = {name: found for name, found in self.packages.items() if found}
        absent = [name for name in self.packages if name not in here]
        lines = [
            f"algdim      {self.algdim} ({', '.join(self.formats)})",
            f"Python      {self.python}",
            f"system      {self.system}",
            f"packages    {', '.join(f'{name} {found}' for name, found in here.items())}",
            f"missing     {', '.join(absent) or 'nothing'}",
            f"BLAS        {self.blas}",
            f"threads     {self.threads} of {self.processors} processors",
            f"memory      {self.memory} unless --max-memory says otherwise",
            f"environment {', '.join(f'{name}={value}' for name, value in self.environment.items()) or 'nothing set'}",
            *(f"check       {check}" for check in self.checks),
            "all is well" if self.healthy else "something is wrong: please report this page",
        ]
        return "\n".join(lines)


def run(arguments: argparse.Namespace) -> int:
    """Print the diagnosis, or the limits."""
    if arguments.limits:
        limits = collect_limits()
        print_json([one.to_dict() for one in limits]) if arguments.json else print("\n".join(map(str, limits)))
        return 0
    found = check_everything()
    show(found, arguments)
    return 0 if found.healthy else FAILED_CHECK


def check_everything() -> Diagnosis:
    """Look at everything."""
    import platform

    from algdim.certificate.checker import FORMAT

    return Diagnosis(
        algdim=VERSION,
        formats=(f"JSON {REPORT_SCHEMA}", FORMAT),
        python=f"{platform.python_version()} ({platform.python_implementation()}, {sys.maxsize.bit_length() + 1} bits)",
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        packages={name: find_version(name) for name in (*NEEDED, *OPTIONAL)},
        blas=describe_blas(),
        threads=count_threads(),
        processors=count_processors(),
        memory=format_bytes(compute_default_memory()),
        environment=GIVEN,
        checks=tuple(run_check(name, *check) for name, check in CHECKS.items()),
    )


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: its name in the code, its value, and what its description says."""

    name: str
    value: int | float | str
    meaning: str

    def __str__(self) -> str:
        words = self.name.removeprefix("MOST_").replace("_", " ").lower()
        value = f"{self.value:g}" if isinstance(self.value, float) else self.value
        return f"  {value} {words}{f': {self.meaning}' if self.meaning else ''}"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one subject: of the module that refuses."""

    module: str
    subject: str
    limits: tuple[Limit, ...]

    def __str__(self) -> str:
        """The subject, and a line for each limit."""
        return "\n".join([f"{self.module}: {self.subject}", *map(str, self.limits)])

    def to_dict(self) -> dict[str, Any]:
        """The form for machines."""
        return asdict(self)


def collect_limits() -> list[Limits]:
    """All limits as the code has them: the constants `MOST_…` of each module, after seconds and memory of a command."""
    from importlib.resources import files
    from pathlib import Path

    root = Path(str(files("algdim")))
    of_command = (
        Limit("SECONDS", SECONDS, "of a processor, for searches that only sharpen a proof (--max-seconds)"),
        Limit("MEMORY", compute_default_memory(), "bytes, half of the machine's (--max-memory)"),
    )
    found = [Limits("algdim/limits.py", "What one command may use.", of_command)]
    for file in sorted(root.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "MOST" in text:
            found.append(read_limits(file.relative_to(root.parent).as_posix(), text))
    return [one for one in found if one.limits]


def read_limits(module: str, text: str) -> Limits:
    r"""The limits in the text of a module, each with the description below it.

    >>> print(read_limits("a.py", "'''Cats.'''\nMOST_LIVES = 3 * 3\n'''Of a cat.'''\nMOST_MICE, NO = 1 << 4, 2\n"))
    a.py: Cats.
      9 lives: Of a cat.
      16 mice
    """
    import ast

    tree = ast.parse(text)
    subject = (ast.get_docstring(tree) or "").partition("\n")[0]
    found: list[Limit] = []
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not isinstance(node, ast.Assign):
            continue
        told = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            told = " ".join(after.value.value.split())
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = (
            node.value.elts if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [node.value]
        )
        for name, value in zip(names, values, strict=True):
            if isinstance(name, ast.Name) and name.id.startswith("MOST"):
                found.append(Limit(name.id, compute_constant(value), told))
    return Limits(module, subject, tuple(found))


def compute_constant(node: Any) -> int | float | str:
    """A constant as a number, if it is made of numbers alone; otherwise its text."""
    import ast
    import operator

    operations: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
        ast.Add: operator.add,
        ast.Mult: operator.mul,
        ast.FloorDiv: operator.floordiv,
        ast.Pow: operator.pow,
        ast.LShift: operator.lshift,
        ast.Sub: operator.sub,
    }
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in operations:
        sides = compute_constant(node.left), compute_constant(node.right)
        if not any(isinstance(side, str) for side in sides):
            found: int | float = operations[type(node.op)](*sides)
            return found
    return ast.unparse(node)


def find_version(name: str) -> str | None:
    """The version of a package, or nothing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def describe_blas() -> str:
    """What numpy multiplies with."""
    try:
        import numpy as np

        built: Any = np.show_config(mode="dicts")
        found = built["Build Dependencies"]["blas"]
        return f"{found.get('name', 'unknown')} {found.get('version', '')}".strip()
    except (ImportError, KeyError, TypeError) as error:
        return f"unknown ({type(error).__name__})"


def run_check(name: str, expected: str, compute: Callable[[], object]) -> Check:
    """One check; whatever goes wrong is its result."""
    began = perf_counter()
    try:
        found = str(compute())
    except Exception as error:  # noqa: BLE001  # a broken installation fails in any way, and that is to be told
        found = f"{type(error).__name__}: {error}"
    return Check(name, expected, found, perf_counter() - began)


def check_by_method(method: str) -> Callable[[], object]:
    """GHM96's latent class model with two classes of four items, of dimension 9, by one method."""

    def compute() -> object:
        from algdim.report import dimension

        return dimension("2:2,2,2,2", method=method, bounds="counting,ambient").dimension

    return compute


def check_proof() -> object:
    """KZ02's 3:2,2,2,2, of dimension 13 where 14 parameters are, and what the checker says of its certificate."""
    from algdim.certificate.exporting import prove
    from algdim.certificate.verifying import verify

    certificate = prove("3:2,2,2,2")
    return f"{certificate.dimension} {verify(certificate).word}"


def compare_kernels() -> object:
    """The rank of a product of two thin matrices by all methods."""
    import numpy as np

    from algdim.exact.draws import draw_residues, open_stream
    from algdim.exact.ranks import METHODS, rank_mod

    prime = 8388593
    left, right = draw_residues(open_stream(0, "doctor"), prime, 2 * 200 * 40).reshape(2, 200, 40).astype(object)
    matrix = (left @ right.T % prime).astype(np.int64)
    return {method: rank_mod(matrix, prime, method=method).value for method in METHODS}


CHECKS: Mapping[str, tuple[str, Callable[[], object]]] = {
    "a matrix of rank 40": ("{'readable': 40, 'rows': 40, 'flint': 40, 'blas': 40}", compare_kernels),
    **{
        f"2:2,2,2,2 by {method}": ("9", check_by_method(method))
        for method in ("table", "probes", "rational", "symbolic")
    },
    "3:2,2,2,2 proved and verified": ("13 accepted", check_proof),
}
"""What is expected, and what computes it."""


COMMANDS: Mapping[str, Command] = {
    "doctor": Command(
        run,
        "print version information and run a self-test (for bug reports)",
        "algdim doctor --json\n  algdim doctor --limits",
        Flag("--limits", "print all limits of sizes and work instead, by subject"),
    )
}
