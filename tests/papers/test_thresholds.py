"""The decision thresholds of the verdicts are on the page of the experiments, and nowhere else in the code."""

import ast

from packages import ROOT
from sources import nodes_of

from algdim_papers.experiments import thresholds

VALUES = {name: value for name, value in vars(thresholds).items() if name.isupper()}


def printed(value):
    """A number as the page has it."""
    return f"{value:,}".replace(",", " ") if value >= 10_000 else f"{value:.4g}".removeprefix("0")


def test_the_page_explains_every_threshold():
    """By its name and its value, in a row of a table."""
    page = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    table = {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("| `")}

    for name, value in VALUES.items():
        for number in value.values() if isinstance(value, dict) else [value]:
            assert printed(number) in table[f"`{name}`"]


def test_no_verdict_turns_at_a_bare_number():
    """What decides in a judge is 0 or a threshold by name."""
    for file in (ROOT / "algdim_papers" / "experiments").glob("*.py"):
        for node in nodes_of(file):
            if isinstance(node, ast.FunctionDef) and (
                node.name.startswith("judged") or node.name.endswith(("cell", "cells"))
            ):
                compared = [one for each in ast.walk(node) if isinstance(each, ast.Compare) for one in each.comparators]
                bare = [one.value for one in compared if isinstance(one, ast.Constant) and one.value not in (0, 1, 2)]
                assert [] == [value for value in bare if isinstance(value, int | float)], (file.name, node.name)
