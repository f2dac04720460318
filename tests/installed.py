"""The smoke test of an installed package, run by its own Python outside of the project: what came with it works."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import algdim

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "algdim")


def said(*words: str) -> str:
    """What a command prints."""
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def main() -> None:
    """One use of each kind."""
    assert Path(algdim.__file__).is_relative_to(sysconfig.get_path("purelib")), "not what was installed"
    assert said("--version") == f"algdim {algdim.__version__}\n"
    assert json.loads(said("doctor", "--json"))["healthy"]
    assert json.loads(said("dim", "3:2,2,2,2", "--json"))["dimension"] == 13
    assert json.loads(said("dim", "gaussian: F -> A, B, C, D; hidden F; means off", "--json"))["exact"]
    said("prove", "3:2,2,2,2", "-o", "certificate.json")
    assert "accepted" in said("verify", "certificate.json")
    assert said("models"), "the catalogue"
    assert all(one["verdict"] for one in json.loads(said("reproduce", "MH97", "--json"))), "the claims"
    assert "complete -c algdim" in said("completion", "fish")
    assert Path(algdim.__file__).with_name("py.typed").is_file()
    manual = Path(sysconfig.get_path("data")) / "share" / "man" / "man1" / "algdim.1"
    assert manual.read_text(encoding="utf-8") == said("man"), "the manual page"
    sys.stdout.write(f"algdim {algdim.__version__} works with Python {sys.version.split()[0]}\n")


if __name__ == "__main__":
    main()
