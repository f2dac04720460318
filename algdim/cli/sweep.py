"""The command sweep: many models, with a store that can be gone on with."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from algdim.cli.options import (
    FAILED_CHECK,
    add_command,
    add_seed_and_memory,
    positive,
    print_json,
    progress_line,
    with_seed,
)
from algdim.errors import InputError

if TYPE_CHECKING:
    from algdim.sweeping.language import Sweep
    from algdim.sweeping.sweeping import State


def add(commands: Any) -> None:
    """The command sweep."""
    example = "algdim sweep 'lc cells<=60' --store results.sqlite\n  algdim query results.sqlite --where 'dimension < best_bound'"
    help_text = "the dimensions of many models, stored row by row; the same command goes on where it was stopped"
    parser = add_command(commands, "sweep", run, help_text, example)
    parser.add_argument(
        "models",
        metavar="SWEEP",
        help="a kind of models with ranges, such as 'lc cells<=260', or a file of models (.txt, .csv, .toml); kinds: lc, trees, mixed, "
        "networks, random-trees, random-networks (see docs/sweeps.md)",
    )
    parser.add_argument("--store", metavar="FILE", help="the SQLite file of results; it is made, or gone on with")
    parser.add_argument("--list", action="store_true", help="only list the models, one on a line")
    parser.add_argument(
        "--method", default="auto", metavar="NAME", help="how ranks are found, as in `algdim dim` (default auto)"
    )
    parser.add_argument(
        "--bounds", default="auto", metavar="NAMES", help="bounds to try, as in `algdim dim` (default auto)"
    )
    parser.add_argument("--certificates", action="store_true", help="store a certificate of every proved dimension")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes at a time (default: all processors)")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="use the workers of a Dask scheduler, e.g. tcp://10.0.0.1:8786"
    )
    parser.add_argument("--timeout", type=seconds, metavar="S", help="give a model up after so many seconds")
    parser.add_argument("--retry", action="store_true", help="try models again that failed before")
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="record models of a file that cannot be read as failed (default: they are listed, and nothing is begun)",
    )
    add_seed_and_memory(parser)


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Run a sweep, or only list its models."""
    from algdim.sweeping.cluster import client, dask_executor, worker_count
    from algdim.sweeping.language import read_sweep
    from algdim.sweeping.sweeping import sweep

    models = read_sweep(arguments.models)
    if arguments.list:
        texts = readable(models) if arguments.keep_going else models.texts()
        print_json(texts) if arguments.json else print("\n".join(texts))
        return 0
    if arguments.store is None:
        raise InputError("where to? give --store FILE, or --list to see the models only")
    with ExitStack() as stack:
        make, workers = None, arguments.workers
        if arguments.dask is not None:
            connection = stack.enter_context(client(arguments.dask))
            make, workers = (lambda: dask_executor(connection)), workers or worker_count(connection)
        found = sweep(
            models,
            arguments.store,
            executor=make,
            workers=workers,
            seed=arguments.seed,
            method=arguments.method,
            bounds=arguments.bounds,
            certificates=arguments.certificates,
            timeout=arguments.timeout,
            max_memory=arguments.max_memory,
            retry=arguments.retry,
            keep_going=arguments.keep_going,
            progress=told if sys.stderr.isatty() and not arguments.quiet else None,
        )
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
    else:
        print(found)
    return 0 if found.complete else FAILED_CHECK


def readable(models: Sweep) -> list[str]:
    """The models that can be read; of the others it is said what is wrong with them."""
    entries = models.entries()
    for unread in entries.values():
        if unread is not None:
            print(f"algdim: {models}: {unread}", file=sys.stderr)
    return [text for text, unread in entries.items() if unread is None]


def told(state: State) -> None:
    """Say how many models are done, how many a second, and how long it may take."""
    left = "" if state.remaining is None else f", {duration(state.remaining)} left"
    wrong = sum(count for outcome, count in state.outcomes.items() if outcome != "done")
    failed = f", {wrong} without a result" if wrong else ""
    progress_line(state.before + state.done, state.total, f"{state.rate:.3g} models/s{left}{failed}")


def duration(value: float) -> str:
    """A time in words.

    >>> duration(59.4), duration(600), duration(9000)
    ('59 s', '10 min', '2.5 h')
    """
    if value < 100:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 6000 else f"{value / 3600:.1f} h"
