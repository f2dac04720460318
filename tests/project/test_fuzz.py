"""The fuzzer: some thousand cases of every reader, planted faults that it must find, and the list of readers."""

import ast
import random
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from amount import IS_ALL, SEED
from packages import modules
from sources import nodes_of

import algdim
from algdim import InputError
from algdim.readers.files import FORMATS
from hunting import fuzz, mutations, targets

all_targets = cache(targets.all_targets)
PARTS = 8


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """Run one reader on one text and say what it must not do; what is imported late is not stored, which would be writing."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = signal.signal(signal.SIGPROF, fuzz.on_alarm)
    watch = WATCH

    def run(target, data, seconds=30):  # of processor time
        return fuzz.complaint(target, data, tmp_path / "case", watch, seconds)

    yield run
    signal.signal(signal.SIGPROF, before)


WATCH = fuzz.Watch()


def idle():
    """Do nothing for ever."""
    while True:
        pass


@pytest.mark.drawn
@pytest.mark.parametrize("part", range(PARTS))
def test_hostile_texts_are_refused_cleanly(watched, part):
    """Sixty cases of each reader, the same each time; each day two, drawn with a fresh seed."""
    readers, seed = all_targets(), "tests" if IS_ALL else SEED
    for name in list(readers)[part::PARTS]:
        for data in readers[name].seeds[:3]:
            watched(readers[name], data)  # what is imported late is imported now
        for number in range(60 if IS_ALL else 2):
            assert watched(readers[name], fuzz.made(readers, name, seed, number)) is None, (name, seed, number)


def test_seeds_are_read():
    """What cases are made from is mostly no nonsense: each reader accepts one of its seeds, as far as it has files."""
    assert all(target.seeds for target in all_targets().values())
    for text in targets.documents()[:20]:
        targets.read_dictionary(text)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (lambda data: int("x"), "ValueError"),
        (lambda data: Path("/etc/hostname").open(encoding="utf-8").close(), "not allowed: open /etc/hostname"),
        (lambda data: Path("here").open("w", encoding="utf-8").close(), "not allowed: open here"),
        (lambda data: subprocess.run([sys.executable, "--version"], check=True, capture_output=True), "not allowed"),
        (lambda data: eval("1 + 1"), "not allowed: "),
        (lambda data: exec("x = 1"), "not allowed: "),
        (lambda data: next(iter(())), "StopIteration"),
        (lambda data: idle(), "more than"),
    ],
)
def test_faults_are_found(watched, tmp_path, monkeypatch, run, said):
    """A wrong exception, other files, other programs, execution and idling are complaints."""
    monkeypatch.chdir(tmp_path)

    assert (watched(fuzz.Target(run, (b"",)), b"", 0.2) or "").startswith(said)


def test_clean_errors_are_none(watched):
    """An error of the kind that users see is what is wanted."""

    def refuse(data):
        raise InputError("no")

    assert watched(fuzz.Target(refuse, (b"",)), b"") is None


def test_cases_are_the_same_for_the_same_number():
    """A line that was printed shows the same text again."""
    assert fuzz.made(all_targets(), "notation", "0", 3) == fuzz.made(all_targets(), "notation", "0", 3)
    assert len({fuzz.made(all_targets(), "notation", "0", number) for number in range(50)}) > 40


def test_every_suffix_of_a_model_file_is_fed():
    """A format that is added is fuzzed from then on."""
    assert {f"model file {suffix}" for suffix in FORMATS} <= set(all_targets())


FOREIGN = {"pickle", "marshal", "shelve", "subprocess", "socket", "urllib", "ctypes", "multiprocessing"}
WORKERS = {
    ("sweeping", "subprocess"),
    ("experiments", "multiprocessing"),
    ("exact", "ctypes"),
    ("cli", "urllib"),
    ("studio", "socket"),
}
"""Sweeps and experiments start workers of their own; nothing else starts anything. The studio binds a port
of this machine and quotes a model in its address. The number of threads of numpy's BLAS
has no other door than a function of that library, which is loaded already.
"""


def modules_named(node):
    """The libraries that one line imports."""
    if isinstance(node, ast.Import):
        return {one.name.split(".")[0] for one in node.names}
    return {(node.module or "").split(".")[0]} if isinstance(node, ast.ImportFrom) else set()


def test_no_code_is_made_of_text():
    """Nothing in the packages calls eval, exec or compile, has objects unpickled, or starts a program, but for workers."""
    for file in modules():
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec", "compile"}, (file.name, node.lineno)
            strange = {(file.parent.name, name) for name in modules_named(node) & FOREIGN}
            assert not strange - WORKERS


def test_structured_cases_stay_documents_now_and_then():
    """Half of the cases from documents are documents still, so that what is behind the parser is reached."""
    seeds, whole = targets.documents(), 0
    for number in range(200):
        data = mutations.structured(seeds[number % len(seeds)], random.Random(number))
        try:
            targets.read_dictionary(data)
            whole += 1
        except algdim.AlgdimError:
            pass

    assert whole > 10
