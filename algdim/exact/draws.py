"""Reproducible randomness: SHA-256 in counter mode, described for reimplementation in ``docs/seeds.md``.

A stream is an endless sequence of bytes that a seed and some labels determine. It has no position: every function
reads it from its beginning, so one stream serves one purpose, and the labels say which.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice
from math import ceil
from struct import unpack
from typing import Any

import numpy as np
import numpy.typing as npt

from algdim.errors import InputError

SCHEME = "algdim 1"
RANDOM = "random"
FEW_RESIDUES = 1 << 10
"""So many are kept."""
MOST_CHARACTERS = 200
FEW_INTEGERS = 1 << 6
BLOCK = 32
"""Bytes of one SHA-256 block."""
MOST_KEPT_BLOCKS = 1 << 12
"""So many of a stream are kept: many models are drawn from one, as in a sweep."""


class Stream:
    """An endless sequence of bytes, known by its text; made by `open_stream`. What was read of it is kept, as far as it is little."""

    __slots__ = ("key", "read", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.key = hashlib.sha256(text.encode("utf-8")).digest()
        self.read = b""


@lru_cache(1 << 8, typed=True)
def open_stream(seed: int | str, *labels: int | str) -> Stream:
    """The stream of a seed and labels; the seed 7 and the seed "7" are the same.

    >>> open_stream(0, "point", 2).text
    'algdim 1|0|point|2'
    """
    return Stream(f"{SCHEME}|{check_label('seed', seed)}{join_labels(*labels)}")


@lru_cache(1 << 10, typed=True)
def join_labels(*labels: int | str) -> str:
    """Labels with a bar before each, which are mostly the same for all seeds."""
    return "".join([f"|{check_label('label', label)}" for label in labels])


def format_point_label(seed: int | str, labels: str) -> str:
    """The text of the stream from which a point is drawn, of labels that are joined already.

    >>> format_point_label(0, "equations|0")
    'algdim 1|0|point|equations|0'
    """
    return f"{SCHEME}|{check_label('seed', seed)}|point|{labels}"


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
    end = first + count
    if end > MOST_KEPT_BLOCKS:
        return hash_numbers(source.key, first, end)
    read = source.read
    known = len(read) // BLOCK
    if known < end:
        source.read = read = read + hash_numbers(source.key, known, end)
    return read[first * BLOCK : end * BLOCK]


def hash_numbers(key: bytes, start: int, stop: int) -> bytes:
    """The digests of the key with each of the numbers from ``start`` to ``stop − 1``."""
    begin_anew, found = hashlib.sha256(key).copy, []
    for number in NUMBERS[start:stop] if stop <= FEW_NUMBERS else map(write_number, range(start, stop)):
        one = begin_anew()  # takes less time than a new one
        one.update(number)
        found.append(one.digest())
    return b"".join(found)


def write_number(number: int) -> bytes:
    """The number of a block as it is hashed."""
    return number.to_bytes(8, "big")


FEW_NUMBERS = 1 << 7
NUMBERS = tuple(map(write_number, range(FEW_NUMBERS)))
"""The first numbers, which most streams begin with."""


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


@lru_cache(1 << 8)
def keep_few_residues(source: Stream, prime: int, count: int) -> npt.NDArray[np.int64]:
    """The same, kept, and so not to be changed: many models are drawn from one stream, as in a sweep."""
    return find_residues(source, prime, count)


def find_residues(source: Stream, prime: int, count: int) -> npt.NDArray[np.int64]:
    """The same, found among the words."""
    bits = choose_word_bits(prime)
    mask = (1 << (prime - 1).bit_length()) - 1
    share = prime / (mask + 1)
    # a little more than the expected number of words mostly suffices
    blocks = ceil((count + 3 * (count * (1 - share)) ** 0.5) / share * bits / 8 / BLOCK)
    while True:
        drawn = split_into_words(compute_blocks(source, 0, blocks), bits)
        drawn &= mask
        found = drawn[drawn <= prime - 1]
        if len(found) >= count:
            return found[:count].astype(np.int64)
        blocks += blocks // 4 + 1


def draw_integers(source: Stream, low: int, high: int, count: int) -> list[int]:
    """Integers uniform on low … high, both included, of any size; more of them begin with the same.

    >>> draw_integers(open_stream(0), -10, 10, 5)
    [-10, 3, -10, -7, -6]
    """
    if low > high:
        raise InputError(f"integers from {low} to {high}; the first must not exceed the second")
    if count > FEW_INTEGERS and high - low < 1 << 63:
        return [low + value for value in draw_residues(source, high - low + 1, count).tolist()]
    return list(islice(iterate_integers(source, low, high), count))


def iterate_integers(source: Stream, low: int, high: int) -> Iterator[int]:
    """The same without end, one by one: a few take less time than an array of them."""
    span = high - low + 1
    mask = (1 << (span - 1).bit_length()) - 1
    size = choose_word_bits(span) // 8  # and as many blocks, at a time, are a whole number of words
    for first in count(0, size):
        blocks = compute_blocks(source, first, size)
        for word in unpack(">32I", blocks) if size == 4 else cut_into_words(blocks, size):
            value = word & mask
            if value < span:
                yield low + value


def cut_into_words(blocks: bytes, size: int) -> list[int]:
    """Read bytes as words of any size, big end first."""
    return [int.from_bytes(blocks[at : at + size], "big") for at in range(0, len(blocks), size)]
