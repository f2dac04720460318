"""Print what `make oldest` installs: of every dependency the oldest version that is allowed, and what the tests need."""

from __future__ import annotations

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
needed = project["dependencies"] + [
    one for one in project["optional-dependencies"]["test"] if one.startswith(("hypothesis", "pytest>"))
]
for requirement in needed:
    name, _, version = requirement.partition(">=")
    if not version:
        raise SystemExit(f"{requirement} has no lower bound")
    print(f"{name}=={version}")
