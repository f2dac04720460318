"""Hypothesis strategies for Gaussian models."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from suites.random_gaussians import possible

from algdim.families.gaussian.model import Gaussian, GaussianVariable

NAMES = ("A", "B", "F", "X1", "Y_2", "z.1", "b", "v")
VALUES = (Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2))
LABELS = ("l", "k")


@st.composite
def gaussians(draw, max_variables=5, *, cycles=True, special=True):
    """Draw a Gaussian model; with ``special`` also fixed and equal numbers, but no fixed coefficient on a cycle."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=max_variables, unique=True))
    hidden = set(draw(st.lists(st.sampled_from(names), max_size=len(names) - 1, unique=True)))
    ordered = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    either = [*ordered, *((other, one) for one, other in ordered)]
    if not cycles:  # against the order of the names too, but along one order
        place = {name: number for number, name in enumerate(draw(st.permutations(names)))}
        either = [edge for edge in either if place[edge[0]] < place[edge[1]]]
    some = st.lists(st.sampled_from(either), max_size=2 * len(names), unique=True) if either else st.just([])
    edges = draw(some)
    pairs = draw(st.lists(st.sampled_from(ordered), max_size=3, unique=True)) if ordered else []
    bidirected = [pair[::-1] if draw(st.booleans()) else pair for pair in pairs]
    variables = tuple(GaussianVariable(name, name not in hidden) for name in names)
    bare = Gaussian(variables, tuple(edges), tuple(bidirected), draw(st.booleans()))
    if not special:
        return bare
    fixable = [entry for entry in bare.entries if entry[0] != "b" or not cycles]
    if cycles:
        fixable += [("b", *edge) for edge in edges if not reaches(edges, edge[1], edge[0])]
    chosen = draw(st.lists(st.sampled_from(fixable), max_size=3, unique=True))
    fixed = tuple((entry, draw(st.sampled_from(VALUES))) for entry in chosen)
    fixed = tuple((entry, -value if entry[0] != "v" and draw(st.booleans()) else value) for entry, value in fixed)
    fixed = possible(fixed, bidirected)
    rest = [entry for entry in bare.entries if entry not in chosen]
    named = draw(st.lists(st.sampled_from(rest), max_size=4, unique=True)) if rest else []
    equal = [(entry, f"{draw(st.sampled_from(LABELS))}{entry[0]}") for entry in named]
    return Gaussian(variables, tuple(edges), tuple(bidirected), bare.means, fixed, tuple(equal))


def reaches(edges, start, end):
    """Whether a directed path leads from one variable to another."""
    found = [start]
    for name in found:
        found += [child for parent, child in edges if parent == name and child not in found]
    return end in found
