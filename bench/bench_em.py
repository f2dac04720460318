"""EM for latent class models against StepMix (pip install 'algdim[bench]'): time to the same log-likelihood.

Both get the same data, the same number of random starts and the same tolerance on the mean log-likelihood; each draws its
own starts. StepMix climbs by EM; algdim by its default method, and by plain EM for comparison. The time of a program counts
only if it ends within .01 of the better one; otherwise the line says by how much it fell short.

    python bench/bench_em.py            the three goals of the design
    python bench/bench_em.py 4:2^8 400  one model and sample size
"""

from __future__ import annotations

import sys
import warnings
from time import perf_counter

import numpy as np

import algdim
from algdim.fitting.simulating import Simulation

GOALS = (("3:2^4", 1000, 20), ("4:3^3", 1000, 20), ("4:2^8", 400, 8))
STARTS = 20
TOLERANCE = 1e-9  # of the mean log-likelihood
STEPS = 5000
REPEATS = 3


def data_of(text: str, n: int, seed: int) -> Simulation:
    """Cases from the model at parameters drawn uniformly (CH96 §3)."""
    source = np.random.default_rng(seed)
    model = algdim.model(text)
    classes = model.hidden[0].states
    tables = {"H": [source.dirichlet(np.ones(classes)).tolist()]}
    tables |= {v.name: source.dirichlet(np.ones(v.states), size=classes).tolist() for v in model.observed}
    return algdim.simulate(model, tables, n, seed=seed)


def by_algdim(text: str, data: Simulation, method: str) -> tuple[float, float]:
    """Time and log-likelihood of algdim."""
    begun = perf_counter()
    found = algdim.fit(data, text, starts=STARTS, method=method, absolute=TOLERANCE * len(data), iterations=STEPS)
    return perf_counter() - begun, found.loglik


def by_stepmix(text: str, data: Simulation) -> tuple[float, float]:
    """Time and log-likelihood of StepMix."""
    from stepmix import StepMix

    cases = np.array(list(data.columns.values())).T
    classes = algdim.model(text).hidden[0].states
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = perf_counter()
        model = StepMix(
            classes,
            measurement="categorical",
            n_init=STARTS,
            abs_tol=TOLERANCE,
            rel_tol=0.0,
            max_iter=STEPS,
            random_state=0,
            progress_bar=0,
            verbose=0,
        ).fit(cases)
        seconds = perf_counter() - begun
        return seconds, float(model.score(cases)) * len(cases)


def main() -> None:
    """Print a line for each model."""
    goals = GOALS if len(sys.argv) < 3 else ((sys.argv[1], int(sys.argv[2]), 1),)
    for text, n, goal in goals:
        data = data_of(text, n, seed=1)
        by_algdim(text, data, "auto")  # imports and caches are not measured
        quick = min((by_algdim(text, data, "auto") for _ in range(REPEATS)), key=lambda found: found[0])
        plain = by_algdim(text, data, "em")
        theirs = by_stepmix(text, data)
        best = max(quick[1], plain[1], theirs[1])
        print(f"{text}, N = {n}, {STARTS} starts: goal {goal} times")
        for name, (seconds, loglik) in (("algdim", quick), ("algdim, EM", plain), ("StepMix", theirs)):
            short = "" if best - loglik < 0.01 else f", {best - loglik:.2f} short"
            print(f"  {name:10}  {seconds:8.3f} s  log-likelihood {loglik:.4f}{short}", flush=True)
        print(f"  {theirs[0] / quick[0]:.0f} times as fast; plain EM {theirs[0] / plain[0]:.0f} times")


if __name__ == "__main__":
    main()
