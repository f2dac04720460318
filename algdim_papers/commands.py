"""The commands about the papers: reproduce, their numbers recomputed, and cite, how to cite them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from algdim.cli.options import (
    FAILED_CHECK,
    LIMITS,
    Command,
    Flag,
    OneOf,
    Option,
    list_forms,
    parse_positive,
    print_json,
)
from algdim.cli.printing import find_width, print_text, tell
from algdim.cli.progress import Progress
from algdim.cli.sweeps import TWO_COLUMNS, render_grid
from algdim.errors import InputError, describe_closest_word
from algdim.limits import describe_untried
from algdim.memory import allow_each

if TYPE_CHECKING:
    from algdim.tables.grid import Grid

FORMS = {
    "markdown": "Markdown, with the reasons",
    "latex": "LaTeX, for the package booktabs",
    "html": "HTML",
    "typst": "Typst",
}


def run_reproduce(arguments: argparse.Namespace) -> int:
    """Judge the claims, or run the experiments."""
    if arguments.experiments:
        return run_experiments(arguments)
    if arguments.full or arguments.output:
        raise InputError("--full and --output belong to --experiments; add it, or leave them out")
    with allow_each(arguments.max_seconds, arguments.max_memory) as each:
        code = run_claims(arguments)
    if each.untried:
        tell(f"algdim: {describe_untried(each.all_untried)}")
    return code


def run_experiments(arguments: argparse.Namespace) -> int:
    """Run the experiments; what is not reproduced is reported, and is no error."""
    from algdim_papers.experiments.catalogue import render_section
    from algdim_papers.experiments.catalogue import run as all_run
    from algdim_papers.experiments.printedtables import build_cell_grid, build_printed_tables
    from algdim_papers.experiments.running import DEFAULT, FULL, Setting

    if arguments.max_seconds is not None or arguments.max_memory is not None:
        raise InputError("--max-seconds and --max-memory are for claims; leave them out with --experiments")
    told: Progress = arguments.progress

    def progress(name: str, number: int, total: int) -> None:
        told.count(number, total, name)

    setting = Setting(FULL if arguments.full else DEFAULT, arguments.seed, arguments.workers, progress=progress)
    folder = Path(arguments.output) if arguments.output else None
    found = []
    for experiment, outcome in all_run(arguments.papers, setting, folder):
        found.append(outcome)
        if arguments.json:
            continue
        if arguments.form in (None, "markdown"):
            print(render_section(experiment, outcome) + "\n", flush=True)
        else:
            caption = f"{experiment.paper} {experiment.place}: {experiment.expected}."
            print_grid(build_cell_grid(experiment.name, caption, outcome), arguments)
            if arguments.form == "latex" and arguments.two_columns:
                print("\\clearpage\n")  # floats of so many tables together would be too many for LaTeX
    if arguments.json:
        print_json([outcome.to_dict() for outcome in found])
        return 0
    for grid in build_printed_tables({outcome.name: outcome.findings for outcome in found}):
        print_grid(grid, arguments)
    return 0


def print_grid(grid: Grid, arguments: argparse.Namespace) -> None:
    """Print a table in the form asked for, or in Markdown, and an empty line."""
    print(render_grid(grid, arguments.form or "markdown", arguments) + "\n", flush=True)


def run_claims(arguments: argparse.Namespace) -> int:
    """Judge the claims; a verdict that differs from the recorded one is a failed check."""
    from algdim_papers.claims.judging import convert_verdict, render
    from algdim_papers.claims.judging import run as judged
    from algdim_papers.claims.reading import list_claims, list_papers

    known = list_papers()
    for name in arguments.papers:
        if name not in known:
            raise InputError(
                f"there is no paper {name!r}{describe_closest_word(name, known)}; known are {', '.join(known)}"
            )
    wanted = [claim for name in arguments.papers or known for claim in list_claims(name)]
    verdicts = []
    for number, verdict in enumerate(judged(wanted, seed=arguments.seed), 1):
        verdicts.append(verdict)
        arguments.progress.count(number, len(wanted), verdict.claim.id)
    if arguments.json:
        print_json([convert_verdict(verdict) for verdict in verdicts])
    elif arguments.form is not None:
        from algdim_papers.tables import NARROW_COLUMNS, VERDICT_COLUMNS, build_verdict_grid

        columns = VERDICT_COLUMNS if arguments.form == "markdown" else NARROW_COLUMNS
        print(render_grid(build_verdict_grid(verdicts, columns), arguments.form, arguments))
    else:
        print_text(render(verdicts, find_width(sys.stdout)))
    return FAILED_CHECK if any(verdict.decided and not verdict.agrees for verdict in verdicts) else 0


def run_cite(arguments: argparse.Namespace) -> int:
    """Print references as text or for BibTeX."""
    from algdim_papers.references import select_references

    works = select_references(arguments.works)
    if arguments.json:
        print_json([asdict(work) for work in works])
    elif arguments.bibtex:
        print("\n\n".join(work.bibtex() for work in works))
    else:
        width = max(len(work.key) for work in works)
        print_text("\n".join(f"{work.key.ljust(width)}  {work.text()}" for work in works))
    return 0


COMMANDS: Mapping[str, Command] = {
    "reproduce": Command(
        run_reproduce,
        "the papers' numbers and formulas, recomputed, with verdicts",
        "algdim reproduce KZ02",
        Option(
            "papers",
            "PAPER",
            "GHM96, HM97, KZ02, CH96, MH97 (default: all); with --experiments also their names",
            nargs="*",
        ),
        Flag("--experiments", "run the papers' experiments (an hour on two processors)"),
        Flag("--full", "with --experiments: at least the papers' own sizes (two hours on two processors)"),
        Option("--workers", "N", "with --experiments: number of processes (default 2)", type=parse_positive, default=2),
        Option("--output", "DIR", "with --experiments: folder for figures and outcomes; existing results are reused"),
        OneOf(*list_forms(FORMS)),
        *TWO_COLUMNS,
        *LIMITS,
        doing="the claims of the papers",
        is_about_many=True,
    ),
    "cite": Command(
        run_cite,
        "how to cite algdim and the papers",
        "algdim cite algdim KZ02 --bibtex",
        Option("works", "KEY", "algdim, GHM96, HM97, KZ02, CH96, MH97 (default: all)", nargs="*"),
        Flag("--bibtex", "BibTeX entries"),
    ),
}
