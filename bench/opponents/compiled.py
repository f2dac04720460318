"""Programs in C++ that ask a library: compiled once in each process, given a matrix as a file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from time import process_time

import numpy as np
from measuring import clock
from numpy.typing import NDArray

PRIME = 8388593
"""The greatest below 2^23, where sums of products of balanced residues are exact in float64."""


def missing(header: str) -> str:
    """Why a library cannot be asked; empty if it can."""
    if not shutil.which("g++"):
        return "g++ is not on the path"
    ended = subprocess.run(
        ["g++", "-x", "c++", "-E", "-"],  # noqa: S607 (found on the path)
        input=f"#include <{header}>",
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    return "its headers are not installed (bench/install_opponents.sh)" if ended.returncode else ""


BUILT = Path(__file__).parents[2] / "build" / "bench" / "programs"


@cache
def compile_program(name: str, libraries: tuple[str, ...]) -> str:
    """The program of a source file of this folder; it is compiled when the source is newer."""
    source, program = Path(__file__).with_name(f"{name}.cpp"), BUILT / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        BUILT.mkdir(parents=True, exist_ok=True)
        made = BUILT / f"{name}-{os.getpid()}"  # others may compile it as well
        command = ["g++", "-O3", "-march=native", "-fopenmp", "-w", str(source), "-o", str(made), *libraries]
        subprocess.run(command, capture_output=True, check=True)
        made.replace(program)
    return str(program)


def find_blas(program: str) -> str:
    """Which BLAS a program is linked with; empty if it has none."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False, encoding="utf-8").stdout  # noqa: S607
    found = re.search(r"libblas\S* => (\S+)", listed)
    return str(Path(found[1]).resolve()) if found else ""


def run(command: Sequence[str]) -> tuple[int, float, float]:
    """The rank that a program prints, and its seconds for conversion and rank."""
    printed = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    rank, conversion, seconds = printed.split()
    return int(rank), float(conversion), float(seconds)


def rank_of(program: str, matrix: NDArray[np.int64], prime: int) -> tuple[int, float, float]:
    """The same of residues; the conversion includes the writing of the file."""
    with tempfile.NamedTemporaryFile(suffix=".matrix") as file:
        began = process_time()
        np.concatenate([np.array(matrix.shape), matrix.ravel()]).astype(np.int64).tofile(file.name)
        written = process_time() - began
        rank, conversion, seconds = run([program, file.name, str(prime)])
    return rank, written + conversion, seconds


def dimension(
    program: str, classes: int, items: Sequence[int], seed: int, prime: int
) -> tuple[int, float, float, float]:
    """The dimension of a latent class model and the seconds for table, conversion and rank."""
    from opponents.full_table import of_residues

    began = clock()
    matrix = of_residues(classes, items, seed, prime)
    built = clock() - began
    rank, conversion, seconds = rank_of(program, matrix, prime)
    return rank, built, conversion, seconds
