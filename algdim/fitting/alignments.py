"""Aligned sequences in the FASTA format, to columns: a column for each sequence, a row for each site."""

from __future__ import annotations

from collections import Counter

from algdim.errors import InputError, join_names
from algdim.figures import format_count

NUCLEOTIDES = frozenset("ACGT")
AMBIGUOUS = frozenset("RYSWKMBDHVNX")
"""Letters that stand for several nucleotides, by the code of the IUPAC."""
GAPS = frozenset("-?")


Alignment = tuple[tuple[str, ...], tuple[list[str | None], ...], tuple[str, ...]]
"""Names, letters of each sequence, notes."""


def read_fasta(text: str, source: str) -> Alignment:
    r"""Read the text of a FASTA file; U is T, a gap and a letter for several nucleotides are missing.

    >>> read_fasta(">A first\nACGU\n>B\nac-t\n", "apes.fasta")[1]
    (['A', 'C', 'G', 'T'], ['A', 'C', None, 'T'])
    """
    names, parts = split_records(text, source)
    sequences = ["".join(part).upper() for part in parts]
    length = len(sequences[0])
    for name, sequence in zip(names, sequences, strict=True):
        if len(sequence) != length:
            raise InputError(
                f"{source}: the sequence {name[:60]} has {format_count(len(sequence), 'letter')} and {names[0][:60]} has {length}; "
                "sequences are aligned before they are read, with '-' for gaps"
            )
    if any("." in sequence for sequence in sequences):
        raise InputError(
            f"{source}: '.' for the letter of the first sequence is not read; write the letters, and '-' for gaps"
        )
    letters = Counter[str]()
    for sequence in sequences:
        letters.update(sequence)
    known: dict[str, str | None] = {letter: letter for letter in letters if letter not in GAPS}
    notes: tuple[str, ...] = ()
    if set(known) <= NUCLEOTIDES | AMBIGUOUS | {"U"}:
        known["U"] = "T"
        unclear = sorted(AMBIGUOUS & set(known))
        known.update(dict.fromkeys(unclear))
        if unclear:
            count = sum(letters[letter] for letter in unclear)
            notes = (
                f"taken as missing: {format_count(count, 'letter')} for several nucleotides ({join_names(unclear)})",
            )
    return tuple(names), tuple([known.get(letter) for letter in sequence] for sequence in sequences), notes


def split_records(text: str, source: str) -> tuple[list[str], list[list[str]]]:
    """The names of the sequences, their first words, and the pieces of each."""
    names: list[str] = []
    parts: list[list[str]] = []
    seen = set[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(">"):
            name = (line[1:].split() or [""])[0]
            if not name or name in seen:
                what = f"the name {name[:60]} occurs twice" if name else "the sequence has no name"
                raise InputError(f"{source}, line {number}: {what}; each has one of its own, as in >Homo_sapiens")
            seen.add(name)
            names.append(name)
            parts.append([])
        elif line.strip() and not line.startswith(";"):
            if not parts:
                raise InputError(f"{source}, line {number}: a line '>' with the name of a sequence is expected first")
            parts[-1].append("".join(line.split()))
    if not names:
        raise InputError(f"{source} is empty; a line '>NAME' and the letters of each sequence are expected")
    return names, parts
