"""The sources of the project as syntax trees, each read once for all tests of a process."""

from __future__ import annotations

import ast
from functools import cache


@cache
def tree_of(file):
    """The syntax tree of a Python file; nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file):
    """All nodes of a Python file, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(file)))
