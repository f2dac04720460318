"""The tape: a formula written once, its values and its derivatives in every arithmetic against dual numbers."""

from fractions import Fraction

import numpy as np
import pytest
from amount import some
from brute_gaussian import Dual, total
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim.exact.arithmetic import Floats, Residues, make_rationals
from algdim.exact.tape import FormulaAt, Places, Tape

SIZE = 5
POINT = (Fraction(2, 3), Fraction(-1), Fraction(0), Fraction(5, 2), Fraction(3))
BATCH = np.array([[1, 2, -1], [0, 1, 1], [3, -2, 0], [1, 1, 1], [0, 0, 5]])
TWICE = (2, 2, 0, 4, 1)

STEPS = st.tuples(
    st.sampled_from(["plus", "times", "take", "scale", "repeat"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.lists(st.integers(0, SIZE - 1), min_size=SIZE, max_size=SIZE),
)


def write_on_tape(tape, steps, weights):
    """A formula made of these steps, against weights with a column for each functional."""
    nodes = [tape.point, tape.point[Places(np.array(TWICE))], tape.constant(tape.arithmetic.elements(weights))]
    for word, one, other, places in steps:
        a, b = nodes[one % len(nodes)], nodes[other % len(nodes)]
        match word:
            case "plus":
                nodes.append(a + b)
            case "times":
                nodes.append(a * b)
            case "take":
                nodes.append(a[Places(np.array(places))])
            case "scale":
                nodes.append(a * (other - 4))
            case "repeat":
                nodes.append(a * b[Places(np.array(places[:1]))])
    return (nodes[-1] * nodes[2]).total() + nodes[-2].total()


def write_out(steps, weights):
    """The same in dual numbers, for one functional."""
    point = [Dual(value, {number: Fraction(1)}) for number, value in enumerate(POINT)]
    nodes = [point, [point[k] for k in TWICE], [Dual(int(weight)) for weight in weights]]
    for word, one, other, places in steps:
        a, b = nodes[one % len(nodes)], nodes[other % len(nodes)]
        match word:
            case "plus":
                nodes.append([x + y for x, y in zip(a, b, strict=True)])
            case "times":
                nodes.append([x * y for x, y in zip(a, b, strict=True)])
            case "take":
                nodes.append([a[k] for k in places])
            case "scale":
                nodes.append([x * Dual(other - 4) for x in a])
            case "repeat":
                nodes.append([x * b[places[0]] for x in a])
    return total([*(x * w for x, w in zip(nodes[-1], nodes[2], strict=True)), *nodes[-2]])


@settings(max_examples=some(40))
@given(st.lists(STEPS, min_size=1, max_size=5))
def test_values_and_derivatives_are_those_of_dual_numbers(steps):
    """Over the rationals, modulo a prime and in floats: sums, products, rows taken twice, rows repeated."""
    expected = [write_out(steps, weights) for weights in BATCH.T]
    values = np.array([one.value for one in expected], dtype=object)
    slopes = np.array([[one.slopes.get(k, Fraction(0)) for k in range(SIZE)] for one in expected], dtype=object)
    for field in (make_rationals(), Residues(8388593), Floats()):
        tape = Tape(field, field.elements(np.array(POINT, dtype=object)))
        ready = FormulaAt(tape, lambda vectors, tape=tape: write_on_tape(tape, steps, *vectors))
        into = field.elements(np.zeros((3, SIZE), dtype=np.int64))
        ready.derivatives([BATCH], into)

        expect = pytest.approx if isinstance(field, Floats) else list
        assert expect(convert(field, field.elements(values))) == convert(field, ready.values([BATCH]))
        assert expect(convert(field, field.elements(slopes))) == convert(field, into)


def convert(field, array):
    """Numbers to be compared, residues from 0 on."""
    found = array.ravel().tolist()
    return [x % field.prime for x in found] if isinstance(field, Residues) else found


def test_the_rows_of_a_point_may_be_fixed_numbers():
    """Behind the parameters; nothing is differentiated by them."""
    field = Residues(101)
    tape = Tape(field, field.elements(np.array([2, 3])))
    entries = tape.extend_point(field.elements(np.array([5])))[Places(np.array([2, 0, 0]))]
    into = np.zeros((1, 2))
    ready = FormulaAt(tape, lambda vectors: (entries * tape.constant(vectors[0])).total())
    ready.derivatives([np.array([[7], [1], [10]])], into)

    assert ([(7 * 5 + 11 * 2) - 101], [[11, 0]]) == (ready.values([np.array([[7], [1], [10]])]).tolist(), into.tolist())


def test_values_are_computed_when_they_are_asked_for():
    """A result that is only differentiated is never computed."""
    field = Residues(101)
    tape = Tape(field, field.elements(np.array([2])))
    unknown = tape.step((1,), lambda: pytest.fail("asked for"), (tape.point, lambda above: above))
    into = np.zeros((1, 1))
    tape.differentiate((unknown * 3).total(), into)

    assert [[3]] == into.tolist()
