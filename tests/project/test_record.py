"""The record of a run of the tests, which `make slow` writes into a page."""

import re
import shlex
import subprocess
import sys

from amount import in_turn
from packages import ROOT


@in_turn(3)
def test_a_run_is_recorded_in_its_line(tmp_path):
    """The date, the Python and what came out take the place of what stood in the line; the rest stays."""
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nLast run: never.\n\nThe end.\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--record", str(page)]
    done = subprocess.run(
        [*command, "tests/test_figures.py"], cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    line = r"Last run: \d{4}-\d\d-\d\d, Python 3\.\d+\.\d+: \d+ passed in \d+ minutes\."

    assert 0 == done.returncode, done.stdout
    assert re.fullmatch(rf"# Title\n\n{line}\n\nThe end\.\n", page.read_text(encoding="utf-8"))


MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
(SLOWEST,) = re.findall(r"^SLOWEST = (.*)$", MAKEFILE, re.MULTILINE)


def test_make_slow_has_a_page_to_write_into():
    """The page that the Makefile names has the one line."""
    (page,) = re.findall(r"pytest .*--record=(\S+)", MAKEFILE)

    assert 1 == len(re.findall(r"^Last run: ", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE))


@in_turn(2)
def test_options_of_the_makefile_are_known():
    """The options of our own are known without a path; the name of a page that stands alone would be taken for one."""
    lines = re.findall(r"-m pytest -n \$\(WORKERS\)(.*)", MAKEFILE.replace("$(SLOWEST)", SLOWEST))
    options = shlex.split(re.sub(r"\$\(\w+\)", "1", " ".join(lines)))
    command = [sys.executable, "-m", "pytest", "-n", "0", *options, "--markers"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, encoding="utf-8")

    assert lines
    assert 0 == done.returncode, done.stderr
