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
    with_seed,
)
from algdim.cli.progress import duration
from algdim.errors import InputError

if TYPE_CHECKING:
    from algdim.sweeping.language import Entries, Sweep
    from algdim.sweeping.sweeping import State


def add(commands: Any) -> None:
    """The command sweep."""
    example = "algdim sweep 'lc cells<=60' --store results.sqlite\n  algdim query results.sqlite --where 'dimension < best_bound'"
    help_text = "the dimensions of many models, stored row by row; the same command goes on where it was stopped"
    parser = add_command(commands, "sweep", run, help_text, example)
    parser.add_argument(
        "models",
        metavar="SWEEP",
        help="a kind of models with ranges, such as 'lc cells<=260', or a file of models (.txt; .csv and .toml, which may give each a label); kinds: lc, trees, mixed, "
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
    from algdim.sweeping.language import read_sweep, twice_text
    from algdim.sweeping.sweeping import sweep

    models = read_sweep(arguments.models)
    if arguments.list:
        found = models.entries(keep_going=arguments.keep_going)
        texts = readable(models, found)
        if found.made:
            print(f"algdim: note: {twice_text(found)}", file=sys.stderr)
        print_json(texts) if arguments.json else print("\n".join(texts))
        return 0
    if arguments.store is None:
        raise InputError("where to? give --store FILE, or --list to see the models only")
    with ExitStack() as stack:
        make, workers = None, arguments.workers
        if arguments.dask is not None:
            connection = stack.enter_context(client(arguments.dask))
            make, workers = (lambda: dask_executor(connection)), workers or worker_count(connection)
        swept = sweep(
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
            progress=lambda state: arguments.progress.say(told(state)),
        )
    arguments.progress.wipe()
    if arguments.json:
        print_json(with_seed(swept.to_dict(), arguments))
    else:
        print(swept)
    return 0 if swept.complete else FAILED_CHECK


def readable(models: Sweep, entries: Entries) -> list[str]:
    """The models that can be read; of the others it is said what is wrong with them."""
    for unread in entries.models.values():
        if unread is not None:
            print(f"algdim: {models}: {unread}", file=sys.stderr)
    return [text for text, unread in entries.models.items() if unread is None]


def told(state: State) -> str:
    """How many models are done, how many a second, and how long it may take."""
    left = "" if state.remaining is None else f", {duration(state.remaining)} left"
    wrong = sum(count for outcome, count in state.outcomes.items() if outcome != "done")
    failed = f", {wrong} without a result" if wrong else ""
    return f"{state.before + state.done}/{state.total} {state.rate:.3g} models/s{left}{failed}"
