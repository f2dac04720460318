"""The entries of large latent class models: their formats are settled, which gives the dimensions without a rank of any model.

A format of three items or more is settled by splitting (lemma 80); with one item of very many states, or with two items, KZ02's
db is the dimension (lemma 42). What is between the two numbers of a format is computed as every other model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from time import perf_counter
from typing import Any

import algdim
from algdim.families.discrete.bounds.latentclass import compute_latent_class_bounds
from algdim.families.discrete.bounds.pairwise import count_class_parameters, find_latent_class
from algdim.families.discrete.bounds.splitting import Search, find_secants, find_unbalanced
from algdim.families.discrete.bounds.tangents import ItemGroup
from algdim.families.discrete.model import Network


def derive_latent_classes(texts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """A row for each model, with the columns of a store that the atlas keeps."""
    search = Search()
    for text in texts:
        began = perf_counter()
        found = derive_latent_class(search, text)
        yield {"model": text, "outcome": "done", "status": "proved", **found, "seconds": perf_counter() - began}


def derive_latent_class(search: Search, text: str) -> dict[str, Any]:
    """Parameters, cells and dimension of a model, and the kind of its upper bound.

    >>> derive_latent_class(Search(), "5:3,4,4")
    {'standard': 44, 'complete': 47, 'dimension': 43, 'upper_kind': 'koszul'}
    >>> derive_latent_class(Search(), "10:20,15")
    {'standard': 339, 'complete': 299, 'dimension': 249, 'upper_kind': 'pairwise'}
    """
    model = algdim.model(text)
    if not isinstance(model, Network) or (shape := find_latent_class(model)) is None:
        raise ValueError(f"{text} is not a latent class model")
    classes, states = shape
    parameters, saturated = count_class_parameters(classes, states), prod(states) - 1
    groups = tuple(sorted(ItemGroup(number, 1) for number in states))
    settled = find_secants(search, groups)
    if classes <= settled.independent:
        dimension, kind = parameters, "counting"
    elif classes >= settled.full:
        dimension, kind = saturated, "ambient"
    elif find_unbalanced(groups) is not None:
        dimension, kind = compute_latent_class_bounds(model).best_bound, "pairwise"
    else:
        report = algdim.dimension(model)
        if not report.exact:
            raise RuntimeError(f"{text}: the dimension is not proved")
        dimension, kind = report.dimension, report.upper.kind
    return {"standard": parameters, "complete": saturated, "dimension": dimension, "upper_kind": kind}
