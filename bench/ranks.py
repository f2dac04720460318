"""Measure ranks of dense matrices modulo a 23-bit prime: ``python bench/bench_rank.py [--threads T] [N …]``.

The matrices are square and uniform. ``product`` is the time of one matrix product of the same size (2·N³ operations);
``ratio`` compares the speeds, elimination being counted as (2/3)·N³. FLINT's times are with and without the way from
the array; they include the search for independent rows and columns only where the rank is not full (never here).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import measuring

PRIME = 8388593
MOST_FOR_FLINT = 1000
SIZES = (20, 50, 100, 300, 500, 1000)
QUICK = (20, 50, 100, 300)


def best(run: Callable[[], object], times: int) -> float:
    """Return the least of several times in seconds."""
    least = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return least


def row(size: int) -> str:
    """Measure one size and print it as a row of the table."""
    import flint

    from algdim.exact.blas import rank_by_blas
    from algdim.exact.draws import residues, stream
    from algdim.exact.flint import rank_by_flint

    matrix = residues(stream(0, "bench", size), PRIME, size * size).reshape(size, size).astype(float)
    times = 1 if size > 2000 else 3 if size > 300 else 10
    product = best(lambda: matrix @ matrix, times)
    blas = best(lambda: rank_by_blas(matrix, PRIME), times)
    cells = [f"{size:6d}", f"{product:10.5f}", f"{blas:10.5f}", f"{product / 3 / blas:6.2f}"]
    if size <= MOST_FOR_FLINT:
        converted = flint.nmod_mat(size, size, matrix.astype(int).ravel().tolist(), PRIME)
        cells += [f"{best(lambda: rank_by_flint(matrix, PRIME), times):10.5f}", f"{best(converted.rank, times):10.5f}"]
    return " ".join(cells)


def main() -> None:
    """Read the arguments and print the table."""
    parser = measuring.parser(__doc__)
    parser.add_argument("sizes", metavar="N", type=int, nargs="*", help=f"sizes (default {', '.join(map(str, SIZES))})")
    arguments = parser.parse_args()
    measuring.pin(arguments.threads)
    print(measuring.environment())
    print("     N    product       blas  ratio      flint   in flint")
    for size in arguments.sizes or (QUICK if arguments.quick else SIZES):
        print(row(size), flush=True)


if __name__ == "__main__":
    main()
