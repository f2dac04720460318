from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import InputError
from algdim.exact.draws import (
    Stream,
    compute_fingerprint,
    draw_integers,
    draw_random_seed,
    draw_residues,
    draw_words,
    open_stream,
)

SPANS = (1, 2, 3, 5, 100, 2**22 + 15, 2**23 - 15, 2**32, 2**32 + 1, 2**61 - 1, 2**63, 2**63 + 1, 2**64 + 13, 10**40)


def by_the_book(seed: object, labels: tuple[object, ...], span: int, count: int) -> list[int]:
    """docs/seeds.md once more, one number at a time, with the standard library only."""
    key = hashlib.sha256("|".join(["algdim 1", str(seed), *map(str, labels)]).encode()).digest()
    size = 4 if span <= 2**32 else 8 * -(-(span - 1).bit_length() // 64)
    numbers: list[int] = []
    buffer, block = b"", 0
    while len(numbers) < count:
        while len(buffer) < size:
            buffer += hashlib.sha256(key + block.to_bytes(8, "big")).digest()
            block += 1
        word, buffer = int.from_bytes(buffer[:size], "big"), buffer[size:]
        low_bits = word % 2 ** (span - 1).bit_length()
        if low_bits < span:
            numbers.append(low_bits)
    return numbers


@pytest.mark.parametrize("span", SPANS)
def test_integers_follow_the_documented_scheme(span: int) -> None:
    """Integers of every size are those that the scheme gives when written from its description."""
    drawn = draw_integers(open_stream("any seed", "label", 3), 7, 6 + span, 50)

    assert [7 + number for number in by_the_book("any seed", ("label", 3), span, 50)] == drawn


@given(st.integers(), st.lists(st.integers(0, 9), max_size=3), st.integers(1, 2**63), st.integers(0, 200))
def test_residues_follow_the_documented_scheme(seed: int, labels: list[int], prime: int, count: int) -> None:
    """Residues are those of the scheme, whatever the seed, the labels and the modulus."""
    drawn = draw_residues(open_stream(seed, *labels), prime, count)

    assert by_the_book(seed, tuple(labels), prime, count) == drawn.tolist()


@given(st.sampled_from(SPANS), st.integers(0, 300), st.integers(0, 300))
def test_more_values_begin_with_the_same(span: int, few: int, more: int) -> None:
    """Asking for more values never changes the first ones."""
    source = open_stream(5)

    assert draw_integers(source, 0, span - 1, few + more)[:few] == draw_integers(source, 0, span - 1, few)


def test_residues_are_uniform() -> None:
    """Every residue modulo 97 comes about equally often."""
    counts = Counter(draw_residues(open_stream(1), 97, 97_000).tolist())

    assert set(range(97)) == set(counts)
    assert all(840 < times < 1160 for times in counts.values())  # 1000 expected, five standard deviations


def test_words_are_the_bytes_of_the_stream() -> None:
    """Words of 32 and of 64 bits are the same bytes read in two ways."""
    source = open_stream("words")
    halves = draw_words(source, 20, 32).tolist()

    assert [(a << 32) + b for a, b in zip(halves[::2], halves[1::2], strict=True)] == draw_words(
        source, 10, 64
    ).tolist()


def test_labels_and_seeds_make_different_streams() -> None:
    """No two different lists of seed and labels share a stream."""
    sources = [
        open_stream(0),
        open_stream(1),
        open_stream(-1),
        open_stream(0, ""),
        open_stream(0, "", ""),
        open_stream(0, 1),
        open_stream(0, 1, 2),
        open_stream(0, 12),
        open_stream("a"),
        open_stream("a", 0),
    ]

    assert len(sources) == len({compute_fingerprint(source) for source in sources})


def test_a_number_and_its_text_are_one_seed() -> None:
    """A seed that was read from a text file or a command line is the one that was printed."""
    assert open_stream(7, "point").text == open_stream("7", "point").text


def test_a_stream_keeps_its_text() -> None:
    """The text of the stream is what is hashed."""
    assert open_stream("é", "x").text == "algdim 1|é|x"
    assert open_stream("é", "x").key == Stream("algdim 1|é|x").key
    assert hashlib.sha256("algdim 1|é|x".encode()).hexdigest()[:12] == compute_fingerprint(open_stream("é", "x"))


@pytest.mark.parametrize("seed", ["a|b", "a\nb", "x" * 201, True, 1.5, None, "\ud800"])
def test_ambiguous_seeds_are_refused(seed: object) -> None:
    """A seed or a label that could be misread is refused."""
    with pytest.raises(InputError):
        open_stream(seed)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        open_stream(0, seed)  # type: ignore[arg-type]


def test_impossible_draws_are_refused() -> None:
    """An empty range, a modulus out of range and other word lengths are refused."""
    with pytest.raises(InputError):
        draw_integers(open_stream(0), 1, 0, 1)
    with pytest.raises(InputError):
        draw_residues(open_stream(0), 0, 1)
    with pytest.raises(InputError):
        draw_residues(open_stream(0), 2**63 + 1, 1)
    with pytest.raises(InputError):
        draw_words(open_stream(0), 1, 16)


def test_random_seeds_differ() -> None:
    """Seeds from the system differ and fit into 64 bits."""
    seeds = {draw_random_seed() for _ in range(10)}

    assert 10 == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_residues_may_be_changed():
    """Who changes what was drawn changes it for himself alone."""
    first = draw_residues(open_stream(0, "own"), 101, 5)
    kept = first.tolist()
    first[:] = 0

    assert kept == draw_residues(open_stream(0, "own"), 101, 5).tolist()
