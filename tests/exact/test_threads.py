"""Threads that share a large matrix: how many, and that nothing depends on it."""

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from amount import in_turn
from packages import ROOT

from algdim import InputError
from algdim.exact import threads as module
from algdim.exact.blas import subtract_product
from algdim.exact.ranks import rank_mod
from algdim.exact.threads import BLAS_VARIABLES, VARIABLE, count_processors, count_threads, run_in_parallel, set_threads

PRIME = 8388593


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """Variables are put back after each test, also those that were not set."""
    for name in (VARIABLE, *BLAS_VARIABLES):
        monkeypatch.setenv(name, "1")
        monkeypatch.delenv(name)
    return monkeypatch


def test_one_thread_unless_more_are_asked_for():
    """A library does not take all processors on its own account."""
    assert 1 == count_threads()


@pytest.mark.parametrize("text", ["0", "-1", "two", "", "1.5", "1000000"])
def test_a_number_that_is_none_is_refused(environment, text):
    """The variable is named in the message."""
    environment.setenv(VARIABLE, text)
    with pytest.raises(InputError, match=VARIABLE):
        count_threads()


def test_the_library_of_numpy_gets_one_thread():
    """Ours call it, so theirs would be too many."""
    set_threads(3)

    assert 3 == count_threads()
    assert {"1"} == {os.environ[name] for name in BLAS_VARIABLES}


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, 8),
        ({"OMP_NUM_THREADS": "2"}, 2),
        ({"OMP_NUM_THREADS": "64"}, 8),
        ({"OMP_NUM_THREADS": "nonsense"}, 8),
        ({"OPENBLAS_NUM_THREADS": "0"}, 1),
        ({VARIABLE: "5", "OMP_NUM_THREADS": "2"}, 5),
    ],
)
def test_by_default_all_processors_work_unless_the_environment_says_less(environment, variables, expected):
    """What bounds the threads of other programs bounds ours."""
    environment.setattr(module, "count_processors", lambda: 8)
    for name, value in variables.items():
        environment.setenv(name, value)
    set_threads()

    assert expected == count_threads()


def test_there_is_a_processor():
    """As many as this process may use."""
    assert 1 <= count_processors() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_piece_is_done_once(count):
    """Whatever the number of threads."""
    set_threads(count)
    done = []
    run_in_parallel(done.append, range(20))

    assert list(range(20)) == sorted(done)


@pytest.mark.parametrize("count", [1, 3])
def test_an_error_in_a_piece_is_raised(count):
    """Nothing fails in silence."""
    set_threads(count)
    with pytest.raises(ZeroDivisionError):
        run_in_parallel(lambda number: 1 / number, [1, 0, 2])


@in_turn(2)
def test_results_do_not_depend_on_the_number_of_threads():
    """Products, ranks, and the rows and columns that show them."""
    source = np.random.default_rng(3)
    left, right = (source.integers(0, PRIME, (1100, 1100)).astype(np.float64) for _ in range(2))
    left[:, 700:] = left[:, :400]
    found = []
    for count in (1, 2, 3):
        set_threads(count)
        target = right.copy()
        subtract_product(target, left[:, :500] - PRIME // 2, right[:500] - PRIME // 2, PRIME)
        found.append((target, rank_mod(left, PRIME), rank_mod(left.T.copy(), PRIME)))

    assert [700] * 6 == [rank.value for _, *ranks in found for rank in ranks]
    for (first, *ranks), (other, *others) in product(found, found):
        assert np.array_equal(first, other)
        assert ranks == others


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_threads_of_its_own():
    """Those of the parent do not exist there."""
    script = (
        "import os; from algdim.exact.threads import run_in_parallel, set_threads; set_threads(2); done = []\n"
        "run_in_parallel(done.append, range(4)); child = os.fork()\n"
        "run_in_parallel(done.append, range(4))\n"
        "os._exit(len(done) != 8) if child == 0 else None\n"
        "print(os.waitpid(child, 0)[1], len(done))"
    )
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        encoding="utf-8",
    )

    assert ("0 8\n", 0) == (found.stdout, found.returncode), found.stderr


FITS = """
import os
import sys
import numpy as np
import algdim
from algdim.exact import threads as onethread
from algdim.fitting import fitting

numbers = []
search = fitting.run_search
fitting.run_search = lambda *given: (numbers.append([says() for says, _ in onethread.find_controls()]), search(*given))[1]
drawn = np.random.default_rng(0).integers(0, 4, (400, 8))
found = algdim.fit({f"X{item + 1}": drawn[:, item].tolist() for item in range(8)}, "3:4^8", starts=2, iterations=30)
print(found.loglik.hex(), [x.hex() for row in found.parameters["H"] for x in row])
print(numbers, [says() for says, _ in onethread.find_controls()])
"""


@in_turn(3)
def test_fits_in_python_have_one_thread(environment):
    """Whatever numpy was loaded with: the same bits as with one thread, one thread inside, and the old number afterwards."""
    found = []
    for number in ("1", "2"):
        environment.setenv("OPENBLAS_NUM_THREADS", number)
        done = subprocess.run(
            [sys.executable, "-c", FITS],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            encoding="utf-8",
        )
        found.append(done.stdout.splitlines())

    assert found[0][0] == found[1][0]
    if found[0][1] != "[[]] []":  # a library that is known
        assert ["[[1]] [1]", "[[1]] [2]"] == [lines[1] for lines in found]


def test_the_last_of_several_callers_puts_the_number_back(monkeypatch):
    """Callers that overlap, as in threads of a server, and one that fails, leave the number as it was."""
    number = [4]
    monkeypatch.setattr(module, "find_controls", lambda: ((lambda: number[0], lambda new: number.__setitem__(0, new)),))
    first, second = module.take_one_thread(), module.take_one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert [1] == number
    second.__exit__(None, None, None)
    assert [4] == number
    with pytest.raises(ZeroDivisionError):
        module.run_with_one_thread(lambda: (number.append(number[0]), 1 // 0))()

    assert [4, 1] == number
