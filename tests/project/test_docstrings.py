"""The docstrings of what `import algdim` offers have the form of numpydoc: every parameter, what is returned, an example.

What is named is compared with the signature, and with the names that a console offers; that examples show what comes out
is seen where all docstrings are executed.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from dataclasses import fields, is_dataclass

import pytest
from packages import modules
from sources import nodes_of

import algdim

PUBLIC = {name: getattr(algdim, name) for name in algdim.__all__ if name != "__version__"}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
RECORDS = {name: value for name, value in PUBLIC.items() if is_dataclass(value)}
OTHERS = {"AlgdimError", "InputError", "LatentClass", "LimitError"}


def sections_of(text):
    """The sections of a docstring by title: their lines; what stands before the first is under ''."""
    found, title = {"": []}, ""
    lines = inspect.cleandoc(text).splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line and set(after) == {"-"} and len(after) == len(line):
            title = line
            assert title not in found, f"{title} occurs twice"
            found[title] = []
        elif not (line and set(line) == {"-"}):
            found[title].append(line)
    return found


def names_in(lines):
    """The names that a section explains, each with its kind and with the lines below it."""
    found = {}
    for line in lines:
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            last = [name.strip() for name in names.split(",")]
            for name in last:
                assert name not in found, f"{name} occurs twice"
                found[name] = (kind, [])
        elif line:
            for name in last:
                found[name][1].append(line)
    return found


def test_a_docstring_is_read():
    """The own reader sees sections, names that share a line, kinds and explanations."""
    text = "One.\n\nParameters\n----------\na, b : int\n    Both.\nc\n    One.\n\nExamples\n--------\n>>> 1\n1\n"
    found = sections_of(text)

    assert ["", "Parameters", "Examples"] == list(found)
    assert {"a": ("int", ["    Both."]), "b": ("int", ["    Both."]), "c": ("", ["    One."])} == names_in(
        found["Parameters"]
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_names_its_parameters_and_what_it_returns(name):
    """In the order of the signature, each with its kind and a sentence; what must not be left out is not optional."""
    found = sections_of(FUNCTIONS[name].__doc__)
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    explained = names_in(found["Parameters"])

    assert sorted(parameters) == sorted(explained)
    for parameter, (kind, lines) in explained.items():
        assert kind, parameter
        assert lines, parameter
        if "optional" in kind:
            assert parameters[parameter].default is None, parameter
        elif parameters[parameter].default is None:
            raise AssertionError(f"{parameter} is optional")
    assert any(line.strip() for line in found["Returns"])


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_names_its_attributes(name):
    """Exactly those that a console offers."""
    explained = names_in(sections_of(RECORDS[name].__doc__)["Attributes"])
    inner = RECORDS[name]._inner
    offered = {one for one in dir(RECORDS[name]) if not one.startswith("_")} | {
        one.name for one in fields(RECORDS[name])
    }

    assert offered - inner == set(explained)
    assert inner <= offered
    assert all(lines for _, lines in explained.values())


def test_the_estimator_names_its_parameters():
    """As scikit-learn's do."""
    found = sections_of(algdim.LatentClass.__doc__)
    assert list(inspect.signature(algdim.LatentClass).parameters) == list(names_in(found["Parameters"]))
    assert {"effective_dimension_", "class_prob_", "fit_"} <= set(names_in(found["Attributes"]))


@pytest.mark.parametrize("name", PUBLIC)
def test_each_has_an_example_that_shows_something(name):
    """With what comes out of it; the first line is one sentence."""
    value = PUBLIC[name]
    first, *_ = inspect.cleandoc(value.__doc__).splitlines()
    examples = doctest.DocTestParser().get_examples("\n".join(sections_of(value.__doc__)["Examples"]))

    assert re.fullmatch(r"[^.].*[.]", first)
    assert any(one.want.strip() for one in examples)


def test_nothing_public_is_left_out():
    """What is neither function nor record is known."""
    assert OTHERS == set(PUBLIC) - set(FUNCTIONS) - set(RECORDS)


def methods_without_docstrings(classes):
    """The methods of classes that say nothing, where no protocol and no base class says what they are."""
    said = {
        one.name: {
            method.name for method in one.body if isinstance(method, ast.FunctionDef) and ast.get_docstring(method)
        }
        for one in classes
    }
    protocols = [one for one in classes if any("Protocol" in ast.unparse(base) for base in one.bases)]
    everywhere = set().union(
        *(said[one.name] for one in protocols), *(said.get(name, ()) for name in ("Plain", "Result"))
    )
    for one in classes:
        inherited = set().union(*(said.get(base.id, ()) for base in one.bases if isinstance(base, ast.Name)))
        for method in one.body:
            is_public = isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
            if is_public and method.name not in everywhere | inherited and not ast.get_docstring(method):
                yield f"{one.name}.{method.name}"


def test_a_method_has_a_docstring_unless_its_protocol_has():
    """What several classes implement is said once."""
    classes = [node for path in modules() for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    assert not list(methods_without_docstrings(classes))

    offence = ast.parse(
        "class A(Protocol):\n def f(self):\n  'It.'\nclass B:\n def f(self): ...\n def g(self): ..."
    ).body
    assert list(methods_without_docstrings(offence)) == ["B.g"]
