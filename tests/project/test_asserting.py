"""Tests can fail, and none looks at a clock: what a program can see of that, in every file of the tests.

What it cannot see was looked for once with probes: alternatives after an ``or`` that are never reached, loops over nothing.
"""

from __future__ import annotations

import ast
import builtins
from functools import cache

import pytest
from packages import ROOT
from sources import nodes_of, tree_of

TESTS = ROOT / "tests"
FILES = sorted(TESTS.rglob("*.py"))
MODULES = {name: file for file in FILES for name in (file.stem, f"{file.parent.name}.{file.stem}")}

CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime", "now", "utcnow", "today"}
CLOCKS |= {f"{name}_ns" for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")}

MAY_LOOK = {
    ("conftest", "pytest_configure"): "how many minutes a run took is recorded",
    ("conftest", "pytest_terminal_summary"): "the same",
    ("measures", "measure_studio"): "a figure of speed, which is no test",
    ("mutation", "measure"): "faults are tried on the fastest tests first",
    ("test_sweeping", "killed_and_resumed"): "a process is killed at a random moment",
}
"""Functions that may do more with a clock than end what would hang, and why."""

ENDS = "raises warns fail skip exit importorskip deprecated_call".split()
"""What fails by itself: methods of pytest."""


def offences_in(nodes, asserting):
    """Yield what is weak in a file, by line; some functions are known to assert."""
    for node in nodes:
        match node:
            case ast.Assert(test=test):
                yield from (f"{node.lineno}: {what}" for what in weak(test))
            case ast.FunctionDef(name=name) if name.startswith("test_") and not asserts(node, asserting):
                yield f"{node.lineno}: {name} asserts nothing"
            case ast.FunctionDef(name=name) if name.startswith("test_") and is_conditional(node.body, asserting):
                yield f"{node.lineno}: {name} asserts under an if alone"


def weak(test):
    """Yield why an assertion cannot fail, or says nothing where there is nothing."""
    if not any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(test)):
        yield "nothing is computed"
    match test:
        case ast.Tuple(elts=[_, *_]):
            yield "a tuple is always true"
        case ast.BoolOp(op=ast.Or(), values=values) if any(map(is_none, values[:-1])):
            yield "it holds where there is nothing"
        case ast.Compare(left=left, comparators=others):
            sides = [left, *others]
            for one, other in zip(sides, others, strict=False):
                if ast.dump(one) == ast.dump(other) and is_plain(one):
                    yield "a thing is compared with itself"


def is_none(node):
    """Whether it is asked whether something is None."""
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is) and is_constant(node.comparators[0], None)


def is_constant(node, value):
    """Whether a node is this constant."""
    return isinstance(node, ast.Constant) and node.value is value


def is_plain(node):
    """Whether nothing of the project is called, which might give another answer the second time."""
    calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    return all(isinstance(one, ast.Name) and hasattr(builtins, one.id) for one in calls)


def asserting_in(tree):
    """The functions and methods of a file that assert, or call one of the file that does."""
    nodes = [(one.name, inside) for one, inside in functions_in(tree)]
    found = frozenset()
    while more := {name for name, inside in nodes if name not in found and any(says(node, found) for node in inside)}:
        found |= more
    return found


def functions_in(tree):
    """Each function and method of a file with the assertions and calls inside of it, found in one walk."""
    found, outer = [], []

    def visit(node):
        if isinstance(node, ast.Assert | ast.Call):
            for inside in outer:
                inside.append(node)
        if isinstance(node, ast.FunctionDef):
            found.append((node, []))
            outer.append(found[-1][1])
        for child in ast.iter_child_nodes(node):
            visit(child)
        if isinstance(node, ast.FunctionDef):
            outer.pop()

    visit(tree)
    return found


def asserts(function, asserting):
    """Whether a function asserts, or calls what does."""
    return any(says(node, asserting) for node in ast.walk(function))


def says(node, asserting):
    """Whether a node is an assertion, or a call of what asserts."""
    return isinstance(node, ast.Assert) or calls(node, asserting)


def calls(node, asserting):
    """Whether a node is a call of what asserts."""
    match node:
        case ast.Call(func=ast.Subscript()):
            return True  # one of a table of checks
        case ast.Call(func=ast.Name(id=name)):
            return name in asserting
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in asserting or name in ENDS or name.startswith("assert_")
    return False


def is_conditional(statements, asserting):
    """Whether all that is asserted stands under an ``if``, outside of a loop, that asserts nothing else."""

    def always(body):
        for one in body:
            match one:
                case ast.If():
                    if always(one.body) and always(one.orelse):
                        return True
                case ast.With():
                    if always(one.body) or any(calls(item.context_expr, asserting) for item in one.items):
                        return True
                case ast.FunctionDef() | ast.ClassDef():
                    continue
                case _:
                    if any(isinstance(node, ast.Raise) or says(node, asserting) for node in ast.walk(one)):
                        return True
        return False

    return not always(statements)


def clocks_in(tree):
    """Yield the functions that do more with a clock than to set an end and to ask for it, with the lines."""
    if any(is_clock(node) for node in ast.walk(tree)):
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                mine = list(own(function))
                harmless = {id(one) for node in mine for one in ends_by(node)}
                yield from ((function.name, one.lineno) for one in mine if is_clock(one) and id(one) not in harmless)


def own(function):
    """Yield the nodes of a function that are not those of a function inside of it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from own(child)


def ends_by(node):
    """Yield the looks at a clock that end what would hang: clock + seconds, and clock < deadline."""
    match node:
        case ast.BinOp(left=clock, op=ast.Add()) if is_clock(clock):
            yield clock
        case ast.Compare(left=clock, ops=[ast.Lt()], comparators=[ast.Name(id="deadline")]) if is_clock(clock):
            yield clock


def is_clock(node):
    """Whether a node is a look at a clock: a call such as ``time.monotonic()``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="time" | "datetime" | "date"), attr=name)):
            return name in CLOCKS
        case ast.Call(func=ast.Name(id=name)):
            return name in CLOCKS - {"time", "now", "today"}
    return False


@cache
def asserting_of(file):
    """The functions of a file that assert."""
    return asserting_in(tree_of(file))


def known_in(file):
    """The functions that assert among those of a file and those that it imports from other files."""
    known = set(asserting_of(file))
    for node in tree_of(file).body:
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            known |= {one.name for one in node.names} & asserting_of(MODULES[node.module])
    return known


def test_every_test_can_fail():
    """No assertion is always true, and every test has one that is reached."""
    found = [f"{file.name}:{one}" for file in FILES for one in offences_in(nodes_of(file), known_in(file))]

    assert [] == found


def test_no_test_looks_at_a_clock():
    """Clocks end what would hang; nothing is asserted of how long something took."""
    found = {(file.stem, name) for file in FILES for name, _ in clocks_in(tree_of(file))}

    assert set(MAY_LOOK) == found


WEAK = {
    "assert True": "nothing is computed",
    "assert {'H1', 'H2'} - {'H1'}": "nothing is computed",
    "assert (x == 1, 'why')": "a tuple is always true",
    "assert bound is None or bound.value > 3": "it holds where there is nothing",
    "assert x or y is None or f(x)": "it holds where there is nothing",
    "assert x == x": "a thing is compared with itself",
    "assert hash(x) == hash(x)": "a thing is compared with itself",
    "assert 1 < len(x.y) <= len(x.y)": "a thing is compared with itself",
    "pass": "test_it asserts nothing",
    "g(3)": "test_it asserts nothing",
    "if f(x): assert x": "test_it asserts under an if alone",
    "with g():\n  if x: assert y\n  else: pass": "test_it asserts under an if alone",
}


@pytest.mark.parametrize("code", WEAK)
def test_weak_tests_are_found(code):
    """One of each kind."""
    body = code.replace("\n", "\n ")
    found = list(offences_in(ast.walk(ast.parse(f"def test_it():\n {body}")), frozenset()))

    assert found
    assert all(one.endswith(WEAK[code]) for one in found)


@pytest.mark.parametrize(
    "code",
    [
        "assert drawn(3) == drawn(3)",
        "assert x is not None",
        "if f(x): assert x\n else: assert y",
        "with pytest.raises(KeyError): g()",
        "for one in x: assert one",
        "check(x)",
        "if x: pass\n check(x)",
    ],
)
def test_others_are_not(code):
    """What is the same twice by promise, what is asserted in both cases, what helpers assert."""
    tree = ast.parse(f"def check(x):\n assert x\ndef test_it():\n {code}")

    assert [] == list(offences_in(ast.walk(tree), asserting_in(tree)))


def test_looks_at_a_clock_are_found():
    """An end is none, a difference is one."""
    harmless = "deadline = time.monotonic() + 60\n while time.monotonic() < deadline: pass"
    timed = "began = time.perf_counter()\n assert time.perf_counter() - began < 3"

    assert [] == list(clocks_in(ast.parse(f"def test_it():\n {harmless}")))
    assert [("test_it", 2), ("test_it", 3)] == sorted(clocks_in(ast.parse(f"def test_it():\n {timed}")))
