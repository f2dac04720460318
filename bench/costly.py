"""The slowest model of each family that was found, by the hunt for costly texts and by hand: its time, and why."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import measuring

MOST_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Slow:
    """A command, how it is called on the page, and why it takes long."""

    family: str
    name: str
    words: tuple[str, ...]
    why: str


def list_items(letter: str, count: int, first: int = 1) -> str:
    """Names in a row."""
    return ", ".join(f"{letter}{number}" for number in range(first, first + count))


CAUSES, EFFECTS = list_items("A", 20), list_items("B", 10)
SUMS = "{}: {{A1,A2,A3,A4,A5,A6}},{{B1,B2,B3,B4,B5,B6}} -> E; hidden A1, B1"
SLOW = (
    Slow(
        "networks",
        "a noisy-or of twenty hidden causes of ten effects",
        ("dim", f"{CAUSES} -> {EFFECTS}; hidden {CAUSES}; max {EFFECTS}"),
        "sums over the states of twenty hidden variables; the search for equations is not begun",
    ),
    Slow(
        "networks",
        "3:4,2000",
        ("dim", "3:4,2000"),
        "a rank of 6,000 columns; the theorem on two items is quick, its evidence is not",
    ),
    Slow(
        "networks",
        "34:50^8 by its rank",
        ("dim", "34:50^8", "--bounds", "counting,chance"),
        "a rank of 13,377 rows that is asked for; with other bounds a theorem answers",
    ),
    Slow(
        "networks, sigmoid",
        "a sigmoid variable of eleven hidden causes, to Singular",
        ("export", "sigmoid: A1..A11 -> B1; hidden B1", "--to", "singular"),
        "2,048 coordinates are written out",
    ),
    Slow(
        "gaussian",
        "a ring of thirty bidirected variables, its equations",
        ("constraints", "gaussian: " + "; ".join(f"X{n} <-> X{n % 30 + 1}" for n in range(1, 31))),
        "many candidates for separators",
    ),
    Slow(
        "latent-profile",
        "30 classes and 40 indicators",
        ("dim", f"latent-profile: H -> {list_items('X', 40)}; hidden H; states H=30"),
        "tried by hand: one rank of 2,000 parameters and their moments",
    ),
    Slow(
        "conditional-gaussian",
        "a class of 82 states and a factor, twelve indicators",
        ("dim", "conditional-gaussian: D1, F1 -> X1..X12; hidden F1, D1; states D1=82; common variances"),
        "a rank of 1,996 probes of 2,063 parameters",
    ),
    Slow(
        "conditional-gaussian",
        "four discrete variables of six states above two hidden factors",
        (
            "prove",
            "conditional-gaussian: D1..D4 -> F1..F2 -> X1..X2; hidden F1..F2, D1; states D1..D4=6; common variances",
        ),
        "ranks of 2,634 rows at further points; then it is rejected",
    ),
    Slow(
        "poisson",
        "causes in groups of six and six, identifiability",
        ("identify", SUMS.format("poisson")),
        "ranks of 3,082 moments, one for each of 128 parameters whose combinations are looked for",
    ),
    Slow(
        "normal",
        "causes in groups of six and six, identifiability",
        ("identify", SUMS.format("normal")),
        "the same of 5,130 moments",
    ),
    Slow(
        "max-poisson",
        "causes in groups of six and six",
        ("dim", "max-poisson: {A1,A2,A3,A4,A5,A6},{B1,B2,B3,B4,B5,B6} -> E"),
        "none was found that is slow; tried by hand",
    ),
    Slow(
        "max-normal",
        "ten causes, each with a mechanism",
        ("dim", f"max-normal: {','.join(f'{{A{n}}}' for n in range(1, 11))} -> E"),
        "none was found that is slow; tried by hand",
    ),
    Slow(
        "classifier",
        "an input with 123 states and one with 33, without proofs",
        ("dim", "classifier Y: Y -> X2, X3; X1 -> X2; X1, X2 -> X3; states X1=123, X3=33", "--no-proof"),
        "a rank of 8,118 rows that is asked for",
    ),
    Slow(
        "classifier",
        "a class, and 1,000 features",
        ("dim", f"classifier Y: Y -> {list_items('X', 1000)}"),
        "as many blocks as features",
    ),
    Slow(
        "loglinear",
        "all interactions of eleven variables, five hidden, identifiability",
        ("identify", f"loglinear: {{{','.join(f'A{n}' for n in range(1, 12))}}}; hidden A1, A2, A3, A4, A5"),
        "contractions for a kernel with 2,047 effects",
    ),
    Slow(
        "polynomial",
        "seven coordinates 1/(1 + linear form)^4 in six parameters",
        (
            "dim",
            "polynomial: parameters "
            + list_items("x", 6)
            + "; coordinates "
            + ", ".join(
                "1/(1 + " + " + ".join(f"{(k * 7 + j * j) % 23 + 1}*x{j}" for j in range(1, 7)) + ")^4"
                for k in range(1, 8)
            ),
        ),
        "the hull is computed at points",
    ),
)


def sections(quick: bool) -> list[measuring.Section]:
    """One table; what does not end in time is said."""
    rows, most = [], MOST_SECONDS
    for slow in SLOW[:: 4 if quick else 1]:
        ran = measuring.run([sys.executable, "-m", "algdim", *slow.words], most)
        seconds = f"more than {most}" if ran.code < 0 else measuring.short(ran.seconds)
        outcome = "ended" if ran.code < 0 else "answer" if ran.code == 0 else f"exit code {ran.code}"
        rows.append([slow.family, f"`{slow.words[0]}`, {slow.name}", outcome, seconds, str(ran.megabytes), slow.why])
    about = (
        f"Commands of their own, processor time and peak memory by the kernel's count, ended after {most} seconds of processor time. How such texts are found, and what was\n"
        "corrected, is on the page on [reliability](reliability.md#costly-short-texts)."
    )
    header = ["family", "command", "outcome", "seconds", "MB", "why"]
    return [measuring.Section("The slowest model of each family that was found", about, header, rows)]
