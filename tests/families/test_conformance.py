"""What holds for every family and every local: one suite, on random small models of the table in `families`.

The model of a failure is printed with the line that draws it again.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import families
import pytest
from amount import IS_ALL, drawn
from families import FAMILIES
from suites.conformance import CHECKS, SLOWER, check_likelihood, check_sample, model_of, text_of

import algdim
from algdim.families import FOLDERS
from algdim.families.discrete.locals import LOCALS

SEEDS = range(30)
(TODAY,) = drawn(range(len(SEEDS)), 1) if not IS_ALL else (0,)


def told_before(check, family, seed):
    """The model of a seed, printed for the case that it fails."""
    model = model_of(family, seed)
    print(f"{family.name}, seed {seed}: {text_of(model)}")
    print(
        f"again: ALGDIM_TESTS=all python -m pytest -m slow 'tests/families/test_conformance.py::test_conformance[{check}-{family.name}-{seed}]'"
    )
    return model


def seeds_of(check, number):
    """The seeds of a check and the kind of a number; each day one, of every second kind, and of every sixth where that is slow."""
    seeds = SEEDS[: len(SEEDS) // 3] if check in SLOWER else SEEDS
    if IS_ALL:
        return seeds
    place = TODAY + number + 7 * list(CHECKS).index(check)
    return [seeds[place % len(seeds)]] if place % (6 if check in SLOWER else 2) == 0 else []


CASES_OF = [
    pytest.param(
        check,
        family,
        seed,
        id=f"{check}-{family.name}-{seed}",
        marks=pytest.mark.slow if IS_ALL else (),
    )
    for check in CHECKS
    for number, family in enumerate(FAMILIES)
    for seed in seeds_of(check, number)
]


@pytest.mark.parametrize(("check", "family", "seed"), CASES_OF)
def test_conformance(check, family, seed):
    """What the check says, each day of the model of another seed."""
    CHECKS[check](family, told_before(check, family, seed))


def by_dimension(family, by):
    """The kind with another dimension."""
    return replace(family, dimension=lambda model: family.dimension(model) + by)


PLANTED = {
    "methods": by_dimension,
    "bounds": by_dimension,
    "proof": by_dimension,
    "point": lambda family, by: replace(family, rank_at=lambda model, point: family.rank_at(model, point) + by),
    "json": lambda family, by: replace(family, standard=lambda model: family.standard(model) + by),
    "explanation": by_dimension,
}
"""What is made wrong for each check: the brute force is off by one."""


PLANTS = [
    pytest.param(family, check, id=f"{family.name}-{check}", marks=() if number < 2 and place < 4 else pytest.mark.slow)
    for number, family in enumerate(FAMILIES[::5])
    for place, check in enumerate(PLANTED)
    if check != "proof" or families.PROVE not in family.sometimes
]
"""Where a model has no certificate there is nothing to compare."""


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize(("family", "check"), PLANTS)
def test_a_brute_force_that_is_off_by_one_fails(family, check, by):
    """The suite itself: of some models all of a check pass, and none with a brute force that is wrong."""
    model = next(model for seed in range(50) if algdim.dimension(model := model_of(family, seed)).exact)
    CHECKS[check](family, model)
    with pytest.raises(AssertionError):
        CHECKS[check](PLANTED[check](family, by), model)


DATA_FAMILIES = [family for family in FAMILIES if family.law is not None]


@pytest.mark.parametrize("family", DATA_FAMILIES, ids=lambda family: family.name)
def test_other_parameters_have_another_likelihood(family):
    """The suite itself: the law of other parameters fails."""

    def other(model, point):
        return family.law(model, family.point(model, random.Random(1)))

    for seed in range(20):
        check_likelihood(family, model_of(family, seed))
        try:
            check_likelihood(replace(family, law=other), model_of(family, seed))
        except AssertionError:
            return
    raise AssertionError("the likelihood of other parameters passes")


def test_another_law_is_seen_in_a_sample():
    """The suite itself: samples of some families, held against the law of other parameters."""
    failed = Counter()
    for family in DATA_FAMILIES:
        if families.SIMULATE not in family.refused:
            wrong = replace(
                family, law=lambda model, point, true=family: true.law(model, true.point(model, random.Random(1)))
            )
            for seed in range(2):
                try:
                    check_sample(wrong, model_of(family, seed))
                except AssertionError:
                    failed[family.name] += 1
    assert len(failed) >= 15


def test_every_family_and_every_local_is_in_the_table():
    """What can be read as a model, and every kind of local."""
    models = [model_of(family, seed) for family in FAMILIES for seed in SEEDS[:2]]
    locals_ = {variable.local.kind for model in models if model.family == "discrete" for variable in model.variables}
    missing = {*FOLDERS} - {model.family for model in models}

    assert not missing, f"tests/families.py asks in FAMILIES for random models and a brute force of {sorted(missing)}"
    assert {*LOCALS} <= locals_ | {"noisy-or", "noisy-max"}
