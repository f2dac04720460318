"""What the commands print, recorded: a change of wording, of a number or of an exit code is seen before it is made.

    python tests/transcripts.py              compare; print what differs; exit 1 if anything does
    python tests/transcripts.py --accept [NAME ...]   record what is printed now, of these commands or of all

tests/transcripts/commands.txt lists the commands, tests/transcripts/recorded/NAME.txt has what each printed. A difference
that is meant is accepted by name, and CHANGELOG.md says why.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import shlex
import sys
from pathlib import Path

from rounding import is_alike

FOLDER = Path(__file__).with_suffix("")
FILES, RECORDED = FOLDER / "files", FOLDER / "recorded"
TIMES = (
    (re.compile(r'^ *"(seconds|threads)": .*\n', re.MULTILINE), ""),
    (re.compile(r"\b\d+(\.\d+)? (s|ms|seconds|minutes)\b"), "TIME"),
    (re.compile(r" \(\d+(\.\d+)? s\)"), ""),
    (re.compile(r" +\d+\.\d\d$", re.MULTILINE), ""),  # the last column of `reproduce`
    (re.compile(r"^usage:.*\n(?: .*\n)*", re.MULTILINE), ""),  # broken into lines as this Python does it
)
TAGS = (
    (re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL), ""),
    (re.compile(r"<[^>]*>"), " "),
    (re.compile(r"[ \t]+"), " "),
    (re.compile(r"\s*\n\s*"), "\n"),
)


def read_commands() -> dict[str, list[str]]:
    """The words of each command by its name."""
    lines = (FOLDER / "commands.txt").read_text(encoding="utf-8").splitlines()
    named = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {name: [word.replace("FILES", "files") for word in shlex.split(words)] for name, words in named}


def run_command(words: list[str]) -> str:
    """What a command prints, with its exit code; without times, and of a page its text."""
    from algdim.cli import main

    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors), contextlib.chdir(FOLDER):
        try:
            code = main(words)
        except SystemExit as stopped:
            code = stopped.code
        except Exception as error:  # noqa: BLE001 (a traceback is what this is to show)
            code = f"by {type(error).__name__}: {error}"
    printed = output.getvalue()
    if "--html" in words:
        printed = replace_all(printed, TAGS)
    parts = [f"$ algdim {shlex.join(words)}", printed.rstrip("\n"), errors.getvalue().rstrip("\n"), f"exit {code}"]
    return replace_all("\n".join(part for part in parts if part) + "\n", TIMES)


def replace_all(text: str, pairs: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    """The text after each replacement in turn."""
    for pattern, new in pairs:
        text = pattern.sub(new, text)
    return text


def show_difference(name: str, recorded: str, printed: str) -> None:
    """The lines that differ."""
    lines = difflib.unified_diff(
        recorded.splitlines(), printed.splitlines(), f"{name}, recorded", f"{name}, now", lineterm="", n=1
    )
    print("\n".join(lines), end="\n\n")


def main_program(arguments: list[str]) -> int:
    """Compare or accept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", nargs="*", metavar="NAME", help="record what is printed now (default: all)")
    options = parser.parse_args(arguments)
    os.environ["COLUMNS"] = "100000"  # nothing is folded, so that a line is a sentence
    commands = read_commands()
    if unknown := set(options.accept or ()) - set(commands):
        parser.error(f"there is no command {', '.join(sorted(unknown))}; known are those of {FOLDER / 'commands.txt'}")
    if options.accept is not None:
        for name in options.accept or commands:
            RECORDED.mkdir(exist_ok=True)
            (RECORDED / f"{name}.txt").write_text(run_command(commands[name]), encoding="utf-8")
        return 0
    wrong = 0
    for name, words in commands.items():
        file = RECORDED / f"{name}.txt"
        recorded, printed = file.read_text(encoding="utf-8") if file.exists() else "", run_command(words)
        if not is_alike(recorded, printed):
            wrong += 1
            show_difference(name, recorded, printed)
    for file in sorted(RECORDED.glob("*.txt")):
        if file.stem not in commands:
            wrong += 1
            print(f"{file} belongs to no command")
    print(f"{len(commands)} transcripts, {wrong} differ")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parents[1]))
    sys.exit(main_program(sys.argv[1:]))
