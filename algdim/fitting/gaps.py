"""What data lack that a statement about a model supposes: entries, and cases in every condition."""

from __future__ import annotations

from itertools import islice, product
from math import prod

import numpy as np

from algdim.fitting.samples import AnySample, Sample
from algdim.identifiability.estimates import MOST_CONDITIONS_NAMED, NO_GAPS, Gaps
from algdim.models.anymodel import AnyModel


def find_gaps(model: AnyModel, sample: AnySample) -> Gaps:
    """Whether entries are missing, and the states of what is conditioned on that no case has, in the words of the data.

    >>> from algdim.fitting.samples import read_sample
    >>> from algdim.models.notation import parse
    >>> network = parse("Z -> X; given Z")
    >>> find_gaps(network, read_sample({"Z": [0, 0], "X": [0, 1]}, network)).names
    ('Z=1',)
    """
    if not isinstance(sample, Sample):
        return NO_GAPS  # these are complete, and condition on nothing
    given = [name for name in sample.names if name in getattr(model, "given", ())]
    if not given:
        return Gaps(sample.has_missing)
    places = [sample.names.index(name) for name in given]
    sizes = [len(sample.states[place]) for place in places]
    seen = {tuple(row) for row in np.unique(sample.patterns[sample.counts > 0][:, places], axis=0).tolist()}
    count = prod(sizes) - len(seen)
    words = sample.words(model)
    # the first that are not seen come after at most as many that are
    unseen = (row for row in product(*map(range, sizes)) if row not in seen)
    names = (
        ",".join(f"{words.title(name)}={words.state(name, state)}" for name, state in zip(given, row, strict=True))
        for row in islice(unseen, min(count, MOST_CONDITIONS_NAMED))
    )
    return Gaps(sample.has_missing, count, tuple(names))
