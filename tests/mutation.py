"""Faults are planted in bound/, identifiability/ and the checker, one at a time: how many of a sample the daily tests catch.

    make mutants FAULTS=1000 SEED=1

mutmut makes the mutants, all of a file in one module, with a switch in each function. Here the tests are collected once;
each of them runs once in a process of its own, to learn how long it takes and which functions it reaches. Then there is a
process for each mutant of the sample, which runs the tests that reach its function, those of its module first, then the
fastest, until one fails. Processes start as copies of the one that has only collected, so no cache is filled by the
code without a fault. A run that was stopped can be resumed: build/mutants/ has what the tests reach (reach.json) and
what came out (outcome.json); it is to be deleted when tests or code have changed, but for ``--again``.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import hashlib
import importlib
import json
import os
import pkgutil
import random
import re
import resource
import shutil
import signal
import sys
import textwrap
import time
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from mutmut.configuration import config
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "mutants"
TREE = BUILD / "tree"
CODE = (
    "algdim/bound/*.py",
    "algdim/families/discrete/bounds/*.py",
    *(f"algdim/families/gaussian/{name}.py" for name in ("halftrek", "minors", "moves", "search", "symmetry", "units")),
    *(f"algdim/families/polynomial/{name}.py" for name in ("hull", "powersums", "symmetry")),
    "algdim/families/*/family.py",
    "algdim/families/*/identification.py",
    "algdim/identifiability/*.py",
    "algdim/certificate/checker.py",
)  # the last is proofs/check.py
COPIED = ("algdim", "algdim_papers", "bench", "docs", "examples", "hunting", "proofs", "tests")
NAMED = (
    "algdim.bound",
    "algdim.families",
    "algdim.identifiability",
    "algdim.certificate",
    "import identifiability",
    "certificates",
)
MORE = ("districts", "entries", "sigmoidparameters", "sums")
"""Files of tests are taken that name one of the first, or are called so; these say it through the public interface."""

LEFT_OUT = "cli dependencies errata examples_in_docs hunt layers lemmas portability record site stopped what_proved_means wording".split()
"""But not these, which start processes, or read the source, which has switches now."""

TRANSCRIPTS = """
import os
import pytest
import transcripts

@pytest.mark.parametrize("name", transcripts.read_commands())
def test_transcripts(name):
    os.environ["COLUMNS"] = "100"
    recorded = (transcripts.RECORDED / f"{name}.txt").read_text(encoding="utf-8")
    assert transcripts.is_alike(recorded, transcripts.run_command(transcripts.read_commands()[name]))
"""
"""The transcripts are tests as well."""

LONGEST = 5.0
"""Seconds of one test, or it is not run."""

LOADED = "flint networkx opt_einsum pandas polars pyarrow sklearn.mixture stepmix.stepmix sympy".split()
"""What functions import when they are called."""

ROUNDS = (2.0, 10.0)
"""Seconds of tests for each mutant, then those for each that has survived them."""


@dataclass(frozen=True)
class Mutant:
    """A function with one fault: the lines of its module, and where in them it stands without the fault and with it."""

    name: str
    lines: list[str] = field(repr=False)
    without: tuple[int, int]
    within: tuple[int, int]

    @property
    def texts(self):
        """The function without the fault and with it."""
        texts = (textwrap.dedent("\n".join(self.lines[a - 1 : b])) for a, b in (self.without, self.within))
        return [re.sub(r"(?m)^def \w+", "def function", text, count=1) for text in texts]

    @property
    def function(self):
        """The function, as mutmut calls it."""
        return self.name.partition("__mutmut_")[0]

    @property
    def is_fault(self):
        """Whether more than wording is changed."""
        return not is_wording(*map(ast.parse, self.texts))

    @property
    def diff(self):
        """What was changed."""
        return "\n".join(list(difflib.unified_diff(*map(str.splitlines, self.texts), n=2, lineterm=""))[2:])


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: "caught", "too long" or "survived"; the last test that ran, and how many had run."""

    what: str
    test: str
    ran: int


def main():
    """Plant, draw, run, tell."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sample", type=int, default=1000, help="how many mutants (default 1000)")
    options.add_argument("--seed", default="1", help="of the draw (default 1)")
    options.add_argument("--first", default="", metavar="PATTERN", help="tests with such names come first")
    options.add_argument("--quick", action="store_true", help="the first round only")
    options.add_argument("--again", action="store_true", help="those that survived last time, after tests were added")
    arguments = options.parse_args()
    os.environ |= {"CI": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(TREE)}
    mutants = planted()
    file = BUILD / "outcome.json"
    names = drawn(mutants, arguments.sample, arguments.seed)
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known = {name: Outcome(**fields) for name, fields in known.items() if name in names}
    names = [name for name in names if name not in known or (arguments.again and known[name].what == "survived")]
    mutants = {name: mutants[name] for name in {*names, *known}}
    rounds = ROUNDS[:1] if arguments.quick else ROUNDS
    runner = Runner([mutants[name] for name in names], known, file, rounds, arguments.first)
    sys.path.insert(0, str(TREE))
    set_mutant_under_test("")
    code = pytest.main(
        ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", *files_of_tests()], plugins=[runner]
    )
    for name, outcome in runner.outcomes.items():
        if outcome.what == "survived" and name in mutants:
            print(f"\n{name}: {outcome.ran} tests\n{mutants[name].diff}")
    print(dict(Counter(outcome.what for outcome in runner.outcomes.values())))
    return code


def planted():
    """Copy the project, with all mutants in the code, and return them."""
    files = [file for place in CODE for file in sorted(ROOT.glob(place))]
    for file in TREE.rglob("*.py"):
        if not (ROOT / file.relative_to(TREE)).exists():
            file.unlink()  # it was moved, or taken away, since the last run
    for folder in COPIED:
        shutil.copytree(ROOT / folder, TREE / folder, dirs_exist_ok=True, ignore=others(files))
    for file in [one for one in ROOT.iterdir() if one.is_file()]:
        shutil.copy(file, TREE)
    (TREE / "tests" / "test_transcripts.py").write_text(TRANSCRIPTS, encoding="utf-8")
    (TREE / "setup.cfg").write_text("[mutmut]\nsource_paths = algdim\n", encoding="utf-8")
    os.chdir(TREE)
    config()  # tests change the folder, and it is read where they are
    mutants = {}
    for file in files:
        relative = file.relative_to(ROOT)
        code, names, spans = mutated(str(relative), file.read_text(encoding="utf-8"))
        if not (TREE / relative).exists() or (TREE / relative).read_text(encoding="utf-8") != code:
            (TREE / relative).write_text(code, encoding="utf-8")
        lines, module = code.split("\n"), ".".join(relative.with_suffix("").parts)
        for name in names:
            original = f"{name.partition('__mutmut_')[0]}__mutmut_orig"
            mutants[f"{module}.{name}"] = Mutant(f"{module}.{name}", lines, spans[original], spans[name])
    return mutants


def others(files):
    """What is not copied: files that get mutants, and what Python keeps."""
    return lambda folder, names: [name for name in names if name == "__pycache__" or Path(folder, name) in files]


def drawn(mutants, count, seed):
    """The names of mutants, drawn with a seed; those of wording are drawn and put back."""
    names = sorted(mutants)
    random.Random(seed).shuffle(names)
    kept = list(islice((name for name in names if mutants[name].is_fault), count))
    print(f"{len(mutants)} mutants; of the first {names.index(kept[-1]) + 1} drawn {len(kept)} are more than wording")
    return kept


def mutated(name, code):
    """A module with its mutants, their names, and the lines of each; kept, as it takes minutes for all."""
    kept = BUILD / "made" / f"{hashlib.sha256(code.encode()).hexdigest()}.json"
    if not kept.exists():
        made = mutate_file_contents(name, code)
        spans = {name: (span.start, span.end) for name, span in made.line_span_by_function_name.items()}
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps([made.code, made.mutant_names, spans]), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))


def is_wording(old, new, *, in_text=False):
    """Whether two trees differ in texts for people only, and in the types told to ``cast``.

    A text is a string with a blank in it, and a formatted string that has such a part, but for what it computes.
    """
    if isinstance(old, list):
        if not isinstance(new, list):
            return False
        if len(old) != len(new):
            return [ast.dump(one) for one in old if not is_text(one)] == [
                ast.dump(one) for one in new if not is_text(one)
            ]
        return all(is_wording(one, other, in_text=in_text) for one, other in zip(old, new, strict=True))
    if not isinstance(old, ast.AST):
        return old == new
    if ast.dump(old) == ast.dump(new):
        return True
    if is_text(old, in_text=in_text) and not (isinstance(old, ast.JoinedStr) and isinstance(new, ast.JoinedStr)):
        return True
    if type(old) is not type(new):
        return False
    if isinstance(old, ast.Call) and isinstance(old.func, ast.Name) and old.func.id == "cast":
        return ast.dump(old.args[-1]) == ast.dump(new.args[-1])
    inside = is_text(old)
    return all(is_wording(getattr(old, field), getattr(new, field), in_text=inside) for field in old._fields)


def is_text(node, *, in_text=False):
    """Whether a node is a text for people."""
    match node:
        case ast.Constant(value=str(value)):
            return in_text or " " in value
        case ast.JoinedStr(values=parts):
            return any(map(is_text, parts))
        case ast.keyword(value=value):
            return is_text(value)
    return False


def files_of_tests():
    """The files whose tests are run."""
    left_out = {f"test_{name}.py" for name in LEFT_OUT}
    more = {f"test_{name}.py" for name in (*MORE, "transcripts")}
    files = [file for file in sorted((TREE / "tests").rglob("test_*.py")) if file.name not in left_out]
    taken = [
        file for file in files if file.name in more or any(name in file.read_text(encoding="utf-8") for name in NAMED)
    ]
    return [str(file) for file in (*taken, *(file for place in CODE for file in sorted(TREE.glob(place))))]


class Runner:
    """Instead of running the collected tests: learn what they reach, then plant each mutant of the sample."""

    def __init__(self, mutants, known, file, rounds, first):
        self.mutants, self.outcomes, self.file, self.rounds, self.first = mutants, dict(known), file, rounds, first

    def pytest_runtestloop(self, session):
        """Everything that is done."""
        if session.testsfailed:
            return None
        load()
        gc.collect()
        gc.freeze()
        items = {item.nodeid: item for item in session.items if "__mutmut_" not in item.nodeid}
        reach = reached(items)
        for seconds in self.rounds:
            for number, mutant in enumerate(self.mutants, 1):
                tests = chosen(mutant, reach, seconds, self.first)
                outcome = self.outcomes[mutant.name] = outcome_of(mutant, [items[test] for test in tests], reach)
                print(number, mutant.name, outcome.what, outcome.ran, outcome.test, file=sys.__stderr__, flush=True)
                told = json.dumps({name: asdict(one) for name, one in self.outcomes.items()}, indent=1)
                self.file.write_text(told, encoding="utf-8")
            self.mutants = [mutant for mutant in self.mutants if self.outcomes[mutant.name].what == "survived"]
        return True


def load():
    """Import what functions import when they are called, once for all processes."""
    import algdim

    for module in pkgutil.walk_packages(algdim.__path__, "algdim."):
        with suppress(ImportError):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for name in LOADED:
        with suppress(ImportError):
            importlib.import_module(name)


def reached(items):
    """For each test that passes: the seconds it takes and the functions it reaches, each test in a process of its own."""
    file = BUILD / "reach.json"
    reach = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for number, (name, item) in enumerate(items.items()):
        if name not in reach:
            written, code = in_copy(measure, item)
            reach[name] = json.loads(written) if code == 0 else [0.0, []]
            if number % 100 == 0:
                print(number, len(items), file=sys.__stderr__, flush=True)
                file.write_text(json.dumps(reach), encoding="utf-8")
    file.write_text(json.dumps(reach), encoding="utf-8")
    return {name: reach[name] for name in items}


def measure(item, tell):
    """Run a test, tell how long it took and what it reached."""
    set_mutant_under_test("stats")
    sys.addaudithook(refuse_processes)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    began = time.process_time()
    if not passes(item):
        return 1
    tell(json.dumps([time.process_time() - began, sorted(state()._stats)]))
    return 0


def refuse_processes(event, _):
    """A test that starts processes fails, and is not run then: the others would not know the fault."""
    if event in {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"}:
        raise RuntimeError("no processes here")


def passes(item):
    """Whether a test passes."""
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def chosen(mutant, reach, most, first):
    """The tests to be run, in order, for this many seconds."""
    own = f"test_{mutant.name.split('.')[-2]}\\.py"
    early = re.compile(f"{first}|{own}" if first else own)
    reaching = [
        (early.search(name) is None, taken, name)
        for name, (taken, functions) in reach.items()
        if mutant.function in functions
    ]
    tests, seconds = [], 0.0
    for _, taken, name in sorted(reaching):
        seconds += taken
        if tests and seconds > most:
            break
        tests.append(name)
    return tests


def outcome_of(mutant, items, reach):
    """Whether one of the tests fails; one reads the source, so it is asked about the function alone."""
    from test_trust import NAMES, lemmas_given

    if {*lemmas_given(ast.walk(ast.parse(mutant.texts[1])))} - NAMES:
        return Outcome("caught", "test_trust.py::test_lemmas_that_prove_exist", 1)
    written, code = in_copy(run_until_failure, mutant, items, reach)
    ran = written.split("\n") if written else [""]
    what = {0: "survived", 1: "caught", -signal.SIGPROF: "too long"}.get(code, "caught")
    return Outcome(what, ran[-1], len(ran) if written else 0)


def run_until_failure(mutant, items, reach, tell):
    """Tell the name of each test before it runs; a test may take ten times as long as without the fault, and two seconds."""
    set_mutant_under_test(mutant.name)
    for number, item in enumerate(items):
        tell("\n" * (number > 0) + item.nodeid)
        signal.setitimer(signal.ITIMER_PROF, 10 * reach[item.nodeid][0] + 2)
        if not passes(item):
            return 1
    return 0


def in_copy(function, *arguments):
    """What a function told, and with which code it ended, in a copy of this process; minus the signal that ended it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        code = 1
        try:
            code = function(*arguments, lambda text: os.write(writing, text.encode()))
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        written = file.read()
    return written, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
