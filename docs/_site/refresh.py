"""Writes what the commands and sessions of README.md and docs/ print now: `python docs/_site/refresh.py [PAGE ...]`.

Every block is run as the tests run it, from the top of its page. Output is written whole, also where `…` stood for a part of it; where
it is long its command is named, to be looked at. `--check` writes nothing and fails if anything would be written.
"""

from __future__ import annotations

import argparse
import doctest
import io
import os
import re
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/project")]

from test_examples_in_docs import FENCE, run_command  # noqa: E402  # the tests' own way to read and run

MOST = 45
"""A page with more lines of output than that below a command is hard to read."""


def renew_output(wanted: list[str], got: list[str]) -> tuple[list[str], bool]:
    """What is to stand below a command, and whether somebody has to look at it.

    >>> renew_output(["a", "…", "z"], ["b", "c", "d", "z"]), renew_output(["a"], ["a"] * 90)[1]
    ((['b', 'c', 'd', 'z'], False), True)
    """
    return got, got != wanted and len(got) > MOST


def renew_console(lines: list[str], main: Any) -> tuple[list[str], list[str]]:
    """The lines of a console block, renewed, and the commands that somebody has to look at."""
    import shlex

    result: list[str] = []
    told: list[str] = []
    place = 0
    while place < len(lines):
        first = place
        command = lines[place]
        if not command.startswith("$ "):
            result.append(command)
            place += 1
            continue
        command = command[2:]
        while command.endswith("\\"):
            place += 1
            command = command[:-1] + lines[place]
        place += 1
        result += lines[first:place]
        end = place
        while end < len(lines) and not lines[end].startswith("$ "):
            end += 1
        wanted, place = lines[place:end], end
        while wanted and not wanted[-1].strip():
            wanted.pop()
        words = shlex.split(command)
        target = None
        if len(words) > 2 and words[-2] == ">":
            target, words = words[-1], words[:-2]
        out, err = run_command(main, words[1:])
        if target is not None:
            Path(target).write_text(out, encoding="utf-8")
            out = ""
        got = [line.rstrip() for line in (out + err).rstrip().splitlines()]
        renewed, doubtful = renew_output(wanted, got)
        result += renewed
        told += [command] * doubtful
    return result, told


def renew_session(lines: list[str], names: dict[str, Any], place: str) -> list[str]:
    """The lines of a Python block, run; what its prompts print, renewed."""
    test = doctest.DocTestParser().get_doctest("".join(f"{line}\n" for line in lines), names, place, place, 0)
    test.globs = names
    if not test.examples:
        with redirect_stdout(io.StringIO()):
            exec(compile("\n".join(lines), place, "exec"), names)  # noqa: S102  # a program of the page
        return lines
    got: dict[int, str] = {}

    class Runner(doctest.DocTestRunner):
        def report_failure(self, out: Any, test: Any, example: Any, found: str) -> None:  # noqa: ARG002
            got[example.lineno] = found

    Runner(verbose=False).run(test, out=lambda _: None, clear_globs=False)
    result = list(lines)
    for example in reversed(test.examples):
        if example.lineno not in got or example.exc_msg is not None:
            continue
        begin = example.lineno + example.source.count("\n")
        end = begin + example.want.count("\n")
        result[begin:end] = got[example.lineno].rstrip("\n").replace("\n\n", "\n<BLANKLINE>\n").splitlines()
    return result


def renew_page(text: str, name: str) -> tuple[str, list[str]]:
    """A page with what its blocks print now, and the commands that somebody has to look at."""
    from algdim.cli import main

    names: dict[str, Any] = {"__name__": "__main__"}
    result: list[str] = []
    told: list[str] = []
    body: list[str] = []
    opened: re.Match[str] | None = None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if opened is None:
            result.append(line)
            if fence:
                opened, body = fence, []
        elif fence and not fence["word"] and fence["ticks"].startswith(opened["ticks"]):
            if opened["word"] == "console":
                body, doubtful = renew_console(body, main)
                told += doubtful
            elif opened["word"] == "python":
                body = renew_session(body, names, name)
            result += [f"{opened['indent']}{row}".rstrip() for row in body]
            result.append(line)
            opened = None
        else:
            body.append(line.removeprefix(opened["indent"]))
    return "\n".join(result) + "\n", told


def renew_file(page: Path) -> tuple[str, str, list[str]]:
    """A page as it is and as it should be, its blocks run in a folder of their own, as the tests do."""
    before = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name in ("examples", "proofs"):
            Path(name).symlink_to(ROOT / name)
        with redirect_stderr(io.StringIO()):
            after, told = renew_page(before, page.name)
    return before, after, told


def main_program(arguments: list[str]) -> int:
    """Renew the pages that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="README.md or a page of docs/ (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if anything would be written")
    options = parser.parse_args(arguments)
    os.environ.pop("COLUMNS", None)
    pages = [Path(page).resolve() for page in options.pages] or sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    changed = 0
    for page in pages:
        try:
            before, after, told = renew_file(page)
        except Exception as error:  # noqa: BLE001  # the other pages are renewed all the same
            print(f"{page.relative_to(ROOT)}: not renewed: {type(error).__name__}: {error}")
            changed += 1
            continue
        for command in told:
            print(f"{page.relative_to(ROOT)}: look at: {command}")
        if before != after:
            changed += 1
            print(f"{page.relative_to(ROOT)}: {'would be ' if options.check else ''}renewed")
            if not options.check:
                page.write_text(after, encoding="utf-8")
    return int(options.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main_program(sys.argv[1:]))
