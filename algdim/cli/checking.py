"""The command check: claims of a table or a file, recomputed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from algdim.cli.options import (
    MEMORY,
    Command,
    Flag,
    OneOf,
    Option,
    format_json,
    list_forms,
    make_seed_option,
    parse_allowed_seconds,
    print_or_write,
    with_seed,
)
from algdim.cli.printing import colour_verdicts, find_width, is_in_colour, tell
from algdim.cli.sweeps import FORMS, SUFFIXES, TABLE_FILE, render_grid
from algdim.errors import AlgdimError, InputError
from algdim.folding import USUAL, fold_text
from algdim.wholefiles import find_state

if TYPE_CHECKING:
    from algdim.checking.record import Checked

WORDS = """

exit codes:
  0  all claims are confirmed
  1  a claim is refuted
  4  a claim is open: the bounds do not meet, or the value is only probable
  2  the file cannot be read"""
EVERY = 0.5
"""Seconds between two looks at a file that is watched."""
TEMPLATE_FORMS = ("toml", "csv", "markdown", "latex")


def run_check(arguments: argparse.Namespace) -> int:
    """Check the claims once or again and again, or print a template."""
    from algdim.checking.knowing import Finder
    from algdim.checking.reading import TEMPLATES, read_claims
    from algdim.checking.running import judge_claims, split_columns
    from algdim.tables.listing import add_place_to_errors

    if arguments.template is not None:
        if arguments.claims is not None:
            raise InputError("--template prints a file and reads none; leave FILE out")
        return print_or_write(TEMPLATES[arguments.template], arguments.output)
    path: str | None = arguments.claims
    if path is None:
        raise InputError(
            "which file? give a .toml, .csv, .md or .tex file with claims; `algdim check --template` prints one"
        )
    columns = None if arguments.columns is None else split_columns(arguments.columns)
    finder = Finder(seed=arguments.seed)

    files = [path]

    def check_once() -> int:
        with add_place_to_errors(path):
            claims = read_claims(path, columns)
            files[:] = claims.files
            found = judge_claims(
                claims,
                finder,
                accept_probable=arguments.accept_probable,
                folder=arguments.certificates,
                max_memory=arguments.max_memory,
                max_seconds=arguments.max_seconds,
                progress=arguments.progress.count,
            )
        arguments.progress.finish()
        form = choose_form(arguments)
        print_or_write(render_checked(found, form, arguments), arguments.output)
        if not arguments.quiet:
            tell_beside(found, form, is_shown=arguments.output is None)
        return found.code

    return watch_files(path, files, check_once) if arguments.watch else check_once()


def tell_beside(found: Checked, form: str, *, is_shown: bool) -> None:
    """Say on standard error what the form that was printed has no place for, and what was written into a file."""
    if not is_shown:
        tell(f"algdim: {found.source}: {found.counts}")
    if form not in {"text", "json"}:
        for note in found.notes:
            tell(f"algdim: {note}")


def choose_form(arguments: argparse.Namespace) -> str:
    """The form that an option names, or the end of the file to write; text without either."""
    suffix = "" if arguments.output is None else Path(arguments.output).suffix.lower()
    return "json" if arguments.json else arguments.form or SUFFIXES.get(suffix, "text")


def render_checked(found: Checked, form: str, arguments: argparse.Namespace) -> str:
    """The verdicts in the form that is asked for."""
    if form == "json":
        return format_json(with_seed(found.to_dict(), arguments))
    if form == "text":
        width = find_width(sys.stdout) if arguments.output is None else USUAL
        text = fold_text(found.text(width), width)
        return colour_verdicts(text) if arguments.output is None and is_in_colour(sys.stdout) else text
    return render_grid(found.grid, form, arguments)


def watch_files(
    path: str, files: Sequence[str], run: Callable[[], int], wait: Callable[[float], None] = time.sleep
) -> int:
    """Run now and whenever one of the files changes, which a run may name anew, until an interrupt; the code of the last run.

    A file that cannot be read, as one that is half written, is told and watched on.
    """
    code: int = 0
    seen: dict[str, tuple[int, int] | None] = {}
    try:
        while True:
            now = {file: find_state(file) for file in files}
            if not seen or any(now[file] != seen.get(file, now[file]) for file in now):
                seen = now
                try:
                    code = run()
                except AlgdimError as error:
                    tell(f"algdim: {error}")
                    code = error.exit_code
                seen = {file: find_state(file) for file in files} | seen
                tell(f"algdim: watching {path}; Ctrl-C ends")
            wait(EVERY)
    except KeyboardInterrupt:
        return code


COMMANDS: Mapping[str, Command] = {
    "check": Command(
        run_check,
        "claims of a table, recomputed: confirmed, refuted or open",
        "algdim check claims.csv\n  algdim check paper.tex --certificates proofs --latex -o marked.tex" + WORDS,
        Option(
            "claims",
            "FILE",
            "claims: .toml, .csv, or the tables of a Markdown (.md) or LaTeX (.tex) text (see docs/check.md)",
            nargs="?",
        ),
        Option(
            "--columns", "NAMES", "what the columns of the tables are, in order, separated by commas; - leaves one out"
        ),
        Flag("--accept-probable", "let a probable dimension decide a claim, which is open without this"),
        Option("--certificates", "DIR", "write a certificate for each claim that a proved dimension decides"),
        Flag("--watch", "check again whenever the file changes, until Ctrl-C"),
        OneOf(*list_forms(FORMS, "the table: ")),
        Option(
            "--template",
            "FORM",
            f"print a file with claims to start from: {', '.join(TEMPLATE_FORMS)} (default toml)",
            nargs="?",
            const="toml",
            choices=TEMPLATE_FORMS,
        ),
        *TABLE_FILE,
        make_seed_option(),
        MEMORY,
        Option(
            "--max-seconds",
            "S",
            "seconds of each answer for searches that only sharpen a proof (default 120; inf: no limit)",
            type=parse_allowed_seconds,
        ),
        doing="the claims of the file",
        is_about_many=True,
    )
}
