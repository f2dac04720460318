"""Latent-profile models for Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from algdim.families.latentprofile.model import LatentProfile, ProfileVariable


@st.composite
def profiles(draw, max_classes=3, max_continuous=3, max_order=4, *, stated=True):
    """Draw a model, the items in any order; with ``stated`` it states the order of its moments."""
    continuous = draw(st.integers(1, max_continuous))
    categorical = draw(st.lists(st.integers(2, 3), max_size=2))
    names = draw(st.permutations(("A", "X1", "Y_2", "z.1", "m", "P")))[: continuous + len(categorical)]
    sizes = draw(st.permutations([*[None] * continuous, *categorical]))
    items = tuple(ProfileVariable(name, states) for name, states in zip(names, sizes, strict=True))
    order = draw(st.integers(1, max_order)) if stated else None
    return LatentProfile("H", draw(st.integers(1, max_classes)), items, draw(st.booleans()), draw(st.booleans()), order)
