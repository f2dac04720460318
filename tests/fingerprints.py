"""Print a fingerprint of what is said of some models: the same wherever, and however, it is computed."""

from __future__ import annotations

import hashlib
import json
import sys
from multiprocessing import get_context

import algdim

MODELS = (
    "3:2,2,2,2",
    "5:3,4,4",
    "4(2,3(2,2),!2(2,2))",
    "A -> C <- H -> D <- B; hidden H",
    "sigmoid: H1, H2 -> X1, X2, X3; hidden H1, H2",
    "noisy-or: {A},{B,C},{} -> E; hidden C",
    "gaussian: F -> X1, X2, X3, X4; X1 <-> X2; hidden F",
    "loglinear: {A,H}, {B,H}, {C,H}; hidden H",
    "latent-profile: H -> X1, X2; hidden H; moments 3",
    "poisson: {A,H},{B} -> E; hidden H",
    "classifier Y: Y -> X1, X2, X3; X1 -> X2",
    "polynomial: parameters a, b, c; coordinates a*b, b*c/(1 + a), (a - c)^3",
    "40:3,4,5,6,7",
)
"""One of each family, and one whose matrix is large enough to be shared by threads."""

PROVED = MODELS[:4]
TIMES = {"seconds", "threads"}


def without_times(document):
    """A report without what may differ."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if key not in TIMES}
    return [without_times(value) for value in document] if isinstance(document, list) else document


def fingerprint(text, seed):
    """Of the report and, where there is one, the certificate."""
    said = json.dumps(without_times(algdim.dimension(text, seed=seed).to_dict()), sort_keys=True)
    if text in PROVED:
        said += algdim.prove(text, seed=seed).text
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def all_of(seed):
    """Of all models."""
    return [fingerprint(text, seed) for text in MODELS]


if __name__ == "__main__":
    how, seed = sys.argv[1:]
    if how == "here":
        found = all_of(seed)
    else:
        algdim.dimension(MODELS[-1])  # a child that is forked finds a parent that has used its threads
        with get_context(how).Pool(1) as pool:
            found = pool.apply(all_of, (seed,))
    print(" ".join(found))
