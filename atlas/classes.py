"""The classes of models of the atlas: sweeps, and lists that no sweep makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import algdim
from algdim.models.notation import to_text
from algdim.sweeping.language import read_sweep
from algdim_papers.claims.reading import list_claims, list_papers
from atlas.latentclasses import derive_latent_classes
from atlas.tables import DEFECTIVE, read_table

SHARED = ("symmetric", "defective-formats")
"""Classes with items of one table: the saturated model is that of all tables with the same symmetry."""


def list_boltzmann_machines() -> Iterator[str]:
    """Restricted Boltzmann machines with 2 to 7 visible and 1 to 5 hidden binary units."""
    for visible, hidden in product(range(2, 8), range(1, 6)):
        pairs = ", ".join(f"{{V{i},H{j}}}" for i in range(1, visible + 1) for j in range(1, hidden + 1))
        yield f"loglinear: {pairs}; hidden {', '.join(f'H{j}' for j in range(1, hidden + 1))}"


def list_hidden_markov_models() -> Iterator[str]:
    """Hidden Markov models with 2 to 4 states, one item, at most 1,024 cells; all kinds of tables."""
    for states, items, length, words in product(
        range(2, 5), range(2, 5), range(2, 11), ("", ", homogeneous", ", homogeneous, stationary, reversible")
    ):
        if items**length <= 1024:
            yield f"hmm: states {states}, items {items}, length {length}{words}"


def list_printed_models() -> Iterator[str]:
    """The models of which the five papers make a claim; of a claim about all n those that are computed."""
    claims = [claim for paper in list_papers() for claim in list_claims(paper)]
    yield from dict.fromkeys(one.model for claim in claims for one in claim.instances if one.model)


MOST_CELLS = 400
"""Different cells of the formats of which the atlas has entries."""


def list_defective_formats() -> Iterator[str]:
    """The latent class models of `atlas/defective.csv` whose dimension is below the expected one, with few different cells."""
    for row in read_table(DEFECTIVE):
        if int(row["cells"]) <= MOST_CELLS and row["dimension"] != row["expected"]:
            yield row["model"]


Models = str | Callable[[], Iterator[str]]
"""A sweep, or a list."""

CLASSES: Mapping[str, Models] = {
    "structures": "structures observed<=4 hidden<=1 classes<=4",
    "structures-two-hidden": "structures observed<=4 hidden=2 classes<=4",
    "latent-classes": "lc cells<=260",
    "large-latent-classes": "lc cells>=261 cells<=1000",
    "latent-trees": "trees leaves<=6 states>=2 states<=3 classes>=2 classes<=3",
    "mixed-graphs": "mixed nodes<=4",
    "symmetric": "symmetric coordinates<=60 items<=6",
    "boltzmann": list_boltzmann_machines,
    "hidden-markov": list_hidden_markov_models,
    "papers": list_printed_models,
    "defective-formats": list_defective_formats,
}

DERIVED: Mapping[str, Callable[[Iterable[str]], Iterator[dict[str, Any]]]] = {
    "large-latent-classes": derive_latent_classes,
}
"""Classes of which lemmas give most dimensions; the rows of their models are not swept."""


def list_models(name: str) -> list[str]:
    """All models of a class, as the atlas writes them."""
    models = CLASSES[name]
    texts = read_sweep(models).texts() if isinstance(models, str) else (to_text(algdim.model(one)) for one in models())
    return list(dict.fromkeys(texts))
