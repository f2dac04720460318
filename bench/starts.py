"""The default funnel of starts against CH96's staged restart, and both against 200 starts that all climb to the end."""

from __future__ import annotations

from collections.abc import Iterator

import fits
import measuring

SHAPES = (("4:2^8", 400), ("3:3^5", 500), ("5:2^8", 1000), ("4:3,3,3", 1000))
"""Models and numbers of cases, taken in turn."""
SEEDS, QUICK = range(40, 60), 4
"""Others than those that the shape of the funnel was chosen on, 0 to 39."""
NEAR = 0.1
"""Nats below the best of many starts."""
MANY = 200
GOAL = 0.95


def sections(quick: bool) -> Iterator[measuring.Section]:
    """One table: how far each way stays below the best known, and its steps."""
    seeds = SEEDS[:QUICK] if quick else SEEDS
    rows, near, steps = [], dict.fromkeys(("funnel", "staged"), 0), dict.fromkeys(("funnel", "staged"), 0)
    for number in seeds:
        text, short, taken = fitted(number)
        rows.append((text, str(number), *(f"{short[name]:.3f}" for name in near), *(str(taken[name]) for name in near)))
        for name in near:
            near[name] += short[name] <= NEAR
            steps[name] += taken[name]
    about = (
        f"Latent class models, their parameters and data drawn at random. *short* is by how many nats the best log-likelihood stays below the best of {MANY} starts\n"
        "that all climb to the end; steps are those of all starts together. The funnel is the default; the staged restart is CH96 §3's, by EM as printed."
    )
    header = ("model", "data set", "funnel, short", "staged, short", "funnel, steps", "staged, steps")
    verdicts = [
        measuring.at_least(
            f"data sets within {NEAR} of the best, funnel ({near['staged']} of {len(seeds)} staged)",
            near["funnel"] / len(seeds),
            GOAL,
        ),
        measuring.at_most("steps of the funnel by those of the staged restart", steps["funnel"] / steps["staged"], 1),
    ]
    yield measuring.Section("Starts", about, header, rows, (), verdicts)


def fitted(number: int) -> tuple[str, dict[str, float], dict[str, int]]:
    """One data set: the model, nats short of the best known, steps."""
    import algdim

    text, cases = SHAPES[number % len(SHAPES)]
    data = fits.data_of(text, cases, number)
    found = {
        "funnel": algdim.fit(data, text, seed=number),
        "staged": algdim.fit(data, text, starts="staged", method="em", seed=number),
        "many": algdim.fit(data, text, starts=MANY, seed=number, absolute=1e-5),
    }
    best = max(one.loglik for one in found.values())
    return (
        text,
        {name: best - one.loglik for name, one in found.items()},
        {name: one.iterations for name, one in found.items()},
    )
