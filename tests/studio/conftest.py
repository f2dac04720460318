"""One studio and one browser for the tests of a module, and an empty page for each test."""

from __future__ import annotations

import pytest
from browser import browsing


@pytest.fixture(scope="module")
def served():
    """One studio for all tests of this module."""
    from studio_page import serving

    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests of this module."""
    with browsing() as page:
        yield page


@pytest.fixture
def sheet(served, browser):
    """The page with nothing drawn; nothing may go wrong on it."""
    from studio_page import Sheet

    found = Sheet(browser)
    found.forget(served.address)
    found.show(served.address)
    browser.problems.clear()
    yield found
    assert not browser.problems
