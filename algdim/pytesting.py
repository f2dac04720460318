"""A plugin of pytest for authors who keep their claims true: fixtures `assert_dimension` and `assert_claims`.

pytest loads it by its entry point in every project in which algdim is installed, so it imports nothing before it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from algdim.checking.record import Checked
    from algdim.readers.anything import ModelLike
    from algdim.report import Report


def assert_dimension(model: ModelLike, dimension: int, *, accept_probable: bool = False, **options: Any) -> Report:
    """Fail unless the dimension of a model is proved to be this number; further options are those of `algdim.dimension`.

    >>> assert_dimension("3:2,2,2,2", 13).dimension
    13
    """
    from algdim.report import dimension as find_dimension

    __tracebackhide__ = True  # pytest shows the line of the test, not these
    report = find_dimension(model, **options)
    if report.dimension != dimension:
        raise AssertionError(f"the dimension is {report.dimension}, not {dimension}\n{report}")
    if not report.exact and not accept_probable:
        raise AssertionError(f"{dimension} is open; accept_probable=True lets a probable dimension pass\n{report}")
    return report


def assert_claims(path: str | os.PathLike[str], **options: Any) -> Checked:
    """Fail unless all claims of a file are confirmed; further options are those of `algdim.check`."""
    from algdim.checking.running import check

    __tracebackhide__ = True
    found = check(path, **options)
    if found.code:
        raise AssertionError(f"{found}")
    return found


@pytest.fixture(name="assert_dimension", scope="session")
def give_assert_dimension() -> Callable[..., Report]:
    """The function above."""
    return assert_dimension


@pytest.fixture(name="assert_claims", scope="session")
def give_assert_claims() -> Callable[..., Checked]:
    """The function above."""
    return assert_claims
