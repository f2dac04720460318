"""The command reproduce: the papers' numbers."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from algdim.cli.options import FAILED_CHECK, add_command, print_json, progress_line, seed_option
from algdim.errors import InputError

FORMS = {"markdown": "Markdown, with the reasons", "latex": "LaTeX, for the package booktabs"}


def add(commands: Any) -> None:
    """The command reproduce."""
    parser = add_command(
        commands,
        "reproduce",
        run,
        "the papers' numbers and formulas, recomputed, with verdicts",
        "algdim reproduce KZ02",
    )
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="GHM96, HM97, KZ02, CH96, MH97 (default: all)")
    forms = parser.add_mutually_exclusive_group()
    for form, words in FORMS.items():
        forms.add_argument(f"--{form}", action="store_const", dest="form", const=form, help=words)
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Judge the claims; a verdict that differs from the recorded one is a failed check."""
    from algdim.claims.judging import render, to_dict
    from algdim.claims.judging import run as judged
    from algdim.claims.reading import claims, papers

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    known = papers()
    for name in arguments.papers:
        if name not in known:
            raise InputError(f"there is no paper {name!r}; known are {', '.join(known)}")
    wanted = [claim for name in arguments.papers or known for claim in claims(name)]
    verdicts = []
    for number, verdict in enumerate(judged(wanted, seed=arguments.seed), 1):
        verdicts.append(verdict)
        if not arguments.quiet and sys.stderr.isatty():
            progress_line(number, len(wanted), verdict.claim.id)
    if arguments.json:
        print_json([to_dict(verdict) for verdict in verdicts])
    elif arguments.form is not None:
        from algdim.tables.verdicts import COLUMNS, NARROW, verdict_grid

        grid = verdict_grid(verdicts, NARROW if arguments.form == "latex" else COLUMNS)
        print(getattr(grid, arguments.form)())
    else:
        print(render(verdicts))
    return FAILED_CHECK if any(verdict.decided and not verdict.agrees for verdict in verdicts) else 0
