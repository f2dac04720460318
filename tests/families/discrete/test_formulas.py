"""The map of a network as it is written: evaluated as it stands, it gives the observed distribution."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from amount import some
from hypothesis import given, settings
from strategies import networks

from algdim import model
from algdim.display.mathml import format_value_latex
from algdim.families.discrete.formulas import write_network_formulas


def evaluate(text, values, states, tables):
    """The value of sums and products of tables: a sum reaches as far as its parentheses."""
    text = text.strip()
    if text.startswith(r"\sum_"):
        names, rest = re.fullmatch(r"\\sum_\{((?:[^{}]|\{[^{}]*\})*)\} (.*)", text, re.DOTALL).groups()
        return sum(evaluate(rest, {**values, names: state}, states, tables) for state in range(states[names]))
    parts = split(text)
    if len(parts) > 1:
        found, place = 1.0, 0
        while place < len(parts):
            part = r"\,".join(parts[place:]) if parts[place].startswith(r"\sum") else parts[place]
            place = len(parts) if parts[place].startswith(r"\sum") else place + 1
            found *= evaluate(part, values, states, tables)
        return found
    if text.startswith(r"(\sum"):
        return evaluate(text[1:-1], values, states, tables)
    if text.startswith(r"\prod"):
        first, last, rest = re.fullmatch(r"\\prod_\{i=(\d+)\}\^\{(\d+)\} (.*)", text).groups()
        found = 1.0
        for number in range(int(first), int(last) + 1):
            found *= evaluate(rest.replace("{i}", f"{{{number}}}"), values, states, tables)
        return found
    own, _, given_ = text.removeprefix("P(").removesuffix(")").partition(r"\mid ")
    parents = tuple(values[name] for name in given_.split(",")) if given_ else ()
    return tables[own][parents][values[own]]


def split(text):
    """The factors outside of all parentheses and braces."""
    found, depth, start, place = [], 0, 0, 0
    while place < len(text):
        depth += (text[place] in "({") - (text[place] in ")}")
        if depth == 0 and text.startswith(r"\,", place):
            found.append(text[start:place])
            start = place + 2
        place += 1
    return [*found, text[start:]]


def check(network):
    """All observed cells, from the formula and from the joint distribution."""
    draw = random.Random(1)
    name = {variable.name: format_value_latex(variable.name) for variable in network.variables}
    states = {name[variable.name]: variable.states for variable in network.variables}
    tables = {}
    for variable in network.variables:
        rows = {}
        for row in product(*(range(network.states[parent]) for parent in variable.parents)):
            numbers = [draw.random() for _ in range(variable.states)]
            rows[row] = [number / sum(numbers) for number in numbers]
        tables[name[variable.name]] = rows
    formula = next(write_network_formulas(network)).partition(" = ")[2]
    observed = [variable for variable in network.variables if variable.observed]
    for cell in product(*(range(variable.states) for variable in observed)):
        values = {name[variable.name]: state for variable, state in zip(observed, cell, strict=True)}
        expected = 0.0
        for joint in product(*(range(variable.states) for variable in network.variables)):
            at = {name[v.name]: s for v, s in zip(network.variables, joint, strict=True)}
            if all(at[one] == state for one, state in values.items()):
                term = 1.0
                for variable in network.variables:
                    if variable.name in network.given:
                        continue
                    own = name[variable.name]
                    term *= tables[own][tuple(at[name[parent]] for parent in variable.parents)][at[own]]
                expected += term
        assert abs(expected - evaluate(formula, values, states, tables)) < 1e-12, formula


@given(networks())
@settings(max_examples=some(20), deadline=None)
def test_the_formula_is_the_map(drawn):
    """Of random networks."""
    check(drawn)


@pytest.mark.parametrize(
    "text", ["3:2,2,2,2", "2(2,3(2,2),2(2,2))", "H1 -> X1, X2, X3; H2 -> X1, X2, X3; hidden H1, H2"]
)
def test_products_over_items(text):
    """Of models with alike items, and trees."""
    check(model(text))


def test_nested_sums():
    """Sums are as far inside as they can be."""
    (line,) = write_network_formulas(model("2(2,2(2,2))"))

    assert line.endswith(
        r"\sum_{h_{1}} P(h_{1})\,P(x_{1}\mid h_{1})\,\sum_{h_{2}} P(h_{2}\mid h_{1})\,P(x_{2}\mid h_{2})\,P(x_{3}\mid h_{2})"
    )
