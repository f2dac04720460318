"""The types that a user's program sees."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from packages import ROOT

CLIENT = ROOT / "tests" / "typed_client.py"

pytestmark = pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed; `make lint` has it")


def checked(file, tmp_path):
    """What mypy says of a file that imports algdim."""
    words = ["--strict", "--explicit-package-bases", f"--cache-dir={tmp_path / 'cache'}", "--no-error-summary"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *words, str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    return run.returncode, run.stdout


@pytest.mark.slow
def test_a_client_is_well_typed(tmp_path):
    """What it asserts of types holds, and it runs."""
    assert (0, "") == checked(CLIENT, tmp_path)
    subprocess.run([sys.executable, str(CLIENT)], check=True, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('algdim.dimension("2:2,2", methd="table")', "methd"),
        ('wrong: str = algdim.dimension("2:2,2").dimension', "Incompatible types"),
        ("algdim.verify()", "certificate"),
    ],
)
def test_wrong_clients_are_found(tmp_path, line, said):
    """So the annotations say something."""
    file = tmp_path / "wrong.py"
    file.write_text(f"import algdim\n\n{line}\n", encoding="utf-8")
    code, out = checked(file, tmp_path)

    assert (1, True) == (code, said in out)
