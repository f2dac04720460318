"""Reproducible randomness: SHA-256 in counter mode, described for reimplementation in ``docs/seeds.md``.

A stream is an endless sequence of bytes that a seed and some labels determine. It has no position: every function
reads it from its beginning, so one stream serves one purpose, and the labels say which.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from math import ceil
from struct import unpack
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from algdim.errors import InputError

SCHEME = "algdim 1"
RANDOM = "random"
FEW_RESIDUES = 1 << 10
"""So many are kept."""
MOST_CHARACTERS = 200
FEW_INTEGERS = 1 << 6
BLOCK, WORDS_PER_BLOCK = 32, 8
"""Bytes of one SHA-256 block, and words of 32 bits."""
FEW_BLOCKS, RUN_OF_BLOCKS, MOST_KEPT_BLOCKS = 8, 32, 1 << 12
"""Blocks are computed, and the latest kept, so many at a time, few where few are asked for, unless more than the last number are."""


class Stream(NamedTuple):
    """An endless sequence of bytes, known by its text; made by `open_stream`."""

    text: str

    @property
    def key(self) -> bytes:
        """The SHA-256 digest of the text."""
        return hashlib.sha256(self.text.encode("utf-8")).digest()


@lru_cache(1 << 12, typed=True)
def open_stream(seed: int | str, *labels: int | str) -> Stream:
    """The stream of a seed and labels; the seed 7 and the seed "7" are the same.

    >>> open_stream(0, "point", 2).text
    'algdim 1|0|point|2'
    """
    return Stream("|".join((SCHEME, check_label("seed", seed), *[check_label("label", label) for label in labels])))


def format_point_label(seed: int | str, labels: str) -> str:
    """The text of the stream from which a point is drawn, of labels that are joined already.

    >>> format_point_label(0, "equations|0")
    'algdim 1|0|point|equations|0'
    """
    return f"{open_stream(seed, 'point').text}|{labels}"


def describe_draw(text: str, prime: int | None) -> str:
    """Where a rank was taken, by the text of the stream from which the point is drawn, so that it can be drawn again.

    >>> describe_draw(open_stream(0, "point", 2).text, 101)
    'at the point drawn from "algdim 1|0|point|2" mod 101'
    """
    return f'at the point drawn from "{text}"{"" if prime is None else f" mod {prime}"}'


def check_label(what: str, part: int | str) -> str:
    """The text of a seed or a label, refused if the joined text could be read in two ways."""
    is_number = type(part) is int  # most are, and have digits alone
    if not is_number and (isinstance(part, bool) or not isinstance(part, int | str)):
        raise InputError(f"the {what} {part!r} is of type {type(part).__name__}; an integer or a short text is allowed")
    text = str(part)
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"the {what} has {len(text)} characters; at most {MOST_CHARACTERS} are allowed")
    if not is_number and ("|" in text or not text.isprintable()):
        raise InputError(f"the {what} {text!r} contains a bar or an unprintable character; leave it out")
    return text


def draw_random_seed() -> int:
    """A seed of 64 bits drawn from the operating system."""
    return int.from_bytes(os.urandom(8), "big")


def draw_seed(seed: int | str) -> int | str:
    """The seed itself, or one drawn from the operating system for the word ``random``.

    >>> draw_seed(7)
    7
    """
    return draw_random_seed() if seed == RANDOM else seed


def compute_fingerprint(source: Stream) -> str:
    """The first twelve hexadecimal digits of the stream's key, by which two runs can be compared.

    >>> compute_fingerprint(open_stream(0))
    '973e3af2b2eb'
    """
    return source.key.hex()[:12]


def compute_blocks(source: Stream, first: int, count: int) -> bytes:
    """The blocks number ``first`` … ``first + count − 1``: SHA-256 of the key and the number as 8 bytes, big end first."""
    if count > MOST_KEPT_BLOCKS:
        return hash_numbers(source.key, first, count)
    size = FEW_BLOCKS if count < RUN_OF_BLOCKS else RUN_OF_BLOCKS
    runs = range(first // size, (first + count - 1) // size + 1)
    skipped = (first - runs.start * size) * BLOCK
    return b"".join([compute_run(source.text, run, size) for run in runs])[skipped : skipped + count * BLOCK]


@lru_cache(1 << 12)
def compute_run(text: str, number: int, size: int) -> bytes:
    """Some blocks of a stream: many models are drawn from one, as in a sweep."""
    return hash_numbers(Stream(text).key, number * size, size)


def hash_numbers(key: bytes, first: int, count: int) -> bytes:
    """The digests of the key with each of these numbers."""
    begun, found = hashlib.sha256(key), []
    for number in range(first, first + count):
        one = begun.copy()  # takes half as long as to begin anew
        one.update(number.to_bytes(8, "big"))
        found.append(one.digest())
    return b"".join(found)


def draw_words(source: Stream, count: int, bits: int) -> npt.NDArray[Any]:
    """The first ``count`` words of 32 or 64 bits, big end first, as unsigned integers of the machine.

    >>> draw_words(open_stream(0), 2, 32).tolist()
    [56298933, 3715728416]
    """
    if bits not in (32, 64):
        raise InputError(f"words of {bits} bits; 32 or 64 are allowed")
    return split_into_words(compute_blocks(source, 0, ceil(count * bits / 8 / BLOCK)), bits)[:count]


def split_into_words(blocks: bytes, bits: int) -> npt.NDArray[Any]:
    """Read bytes as words of 32 or 64 bits, big end first."""
    given, own = WORDS[bits]
    return np.frombuffer(blocks, dtype=given).astype(own)


WORDS = {bits: (np.dtype(f">u{bits // 8}"), np.dtype(f"u{bits // 8}")) for bits in (32, 64)}
"""Words of so many bits, as they are drawn and as the machine has them."""


def choose_word_bits(span: int) -> int:
    """The length of the words from which integers below ``span`` are drawn: 32, or the least multiple of 64 that suffices.

    >>> choose_word_bits(1 << 32), choose_word_bits((1 << 32) + 1), choose_word_bits(1 << 65)
    (32, 64, 128)
    """
    return 32 if span <= 1 << 32 else 64 * ceil((span - 1).bit_length() / 64)


def draw_residues(source: Stream, prime: int, count: int) -> npt.NDArray[np.int64]:
    """Integers uniform on 0 … prime − 1: the low bits of each word, those that are too large left out.

    Asking for more gives the same first values. The modulus need not be prime; at most 2^63 is allowed.

    >>> draw_residues(open_stream(0), 101, 5).tolist()
    [53, 32, 77, 94, 32]
    """
    if not 1 <= prime <= 1 << 63:
        raise InputError(f"residues modulo {prime}; a modulus from 1 to 2^63 is allowed")
    return (
        keep_few_residues(source, prime, count).copy() if count <= FEW_RESIDUES else find_residues(source, prime, count)
    )


def find_residues(source: Stream, prime: int, count: int) -> npt.NDArray[np.int64]:
    """The same, found among the words."""
    if prime <= 1 << 32 and count <= FEW_INTEGERS:
        return np.array(draw_few_integers(source, 0, prime, count), dtype=np.int64)
    bits = choose_word_bits(prime)
    mask = (1 << (prime - 1).bit_length()) - 1
    share, per_block = prime / (mask + 1), BLOCK * 8 // bits
    found = np.zeros(0, dtype=np.int64)
    next_block = 0
    while (missing := count - len(found)) > 0:
        # a little more than the expected number of words, so that one round mostly suffices
        blocks = ceil((missing + 3 * (missing * (1 - share)) ** 0.5) / share / per_block)
        drawn = split_into_words(compute_blocks(source, next_block, blocks), bits)
        drawn &= mask
        kept = drawn[drawn <= prime - 1][:missing].astype(np.int64)
        found = np.concatenate((found, kept)) if next_block else kept
        next_block += blocks
    return found


@lru_cache(1 << 8)
def keep_few_residues(source: Stream, prime: int, count: int) -> npt.NDArray[np.int64]:
    """The same, kept, and so not to be changed: many models are drawn from one stream, as in a sweep."""
    return find_residues(source, prime, count)


def draw_few_integers(source: Stream, low: int, span: int, count: int) -> list[int]:
    """The same as `draw_integers` from words of 32 bits, one by one: few take less time than an array of them.

    >>> draw_few_integers(open_stream(0), -10, 21, 5)
    [-10, 3, -10, -7, -6]
    """
    mask = (1 << (span - 1).bit_length()) - 1
    found: list[int] = []
    next_block = 0
    while len(found) < count:
        blocks = ceil((count - len(found)) * (mask + 1) / span / WORDS_PER_BLOCK)
        words = unpack(f">{blocks * WORDS_PER_BLOCK}I", compute_blocks(source, next_block, blocks))
        found += [low + value for word in words if (value := word & mask) < span]
        next_block += blocks
    return found[:count]


def draw_integers(source: Stream, low: int, high: int, count: int) -> list[int]:
    """Integers uniform on low … high, both included, of any size; more of them begin with the same.

    >>> draw_integers(open_stream(0), -10, 10, 5)
    [-10, 3, -10, -7, -6]
    """
    if low > high:
        raise InputError(f"integers from {low} to {high}; the first must not exceed the second")
    span = high - low + 1
    if span <= 1 << 32 and count <= FEW_INTEGERS:
        return draw_few_integers(source, low, span, count)
    if span <= 1 << 63:
        return [low + value for value in draw_residues(source, span, count).tolist()]
    size = choose_word_bits(span) // 8
    mask = (1 << (span - 1).bit_length()) - 1
    found: list[int] = []
    buffer, next_block = b"", 0
    while len(found) < count:
        buffer += compute_blocks(source, next_block, size)
        next_block += size
        whole = len(buffer) - len(buffer) % size
        tries = (int.from_bytes(buffer[at : at + size], "big") & mask for at in range(0, whole, size))
        found.extend(low + value for value in tries if value < span)
        buffer = buffer[whole:]
    return found[:count]
