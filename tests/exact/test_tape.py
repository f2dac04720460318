"""The tape: a formula written once, its values and its derivatives in every arithmetic against dual numbers."""

from fractions import Fraction

import numpy as np
import pytest
from amount import some
from brute_gaussian import Dual, total
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim.exact.arithmetic import Floats, Residues, make_rationals
from algdim.exact.tape import FormulaAt, Places, Tape, combine, stack

SIZE = 5
POINT = (Fraction(2, 3), Fraction(-1), Fraction(0), Fraction(5, 2), Fraction(3))
BATCH = np.array([[1, 2, -1], [0, 1, 1], [3, -2, 0], [1, 1, 1], [0, 0, 5]])
TWICE = (2, 2, 0, 4, 1)

STEPS = st.tuples(
    st.sampled_from(["plus", "times", "take", "combine", "repeat", "stack", "complete", "choose", "rows"]),
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
            case "combine":
                nodes.append(combine([(other - 4, a), (1, b), (2, a)]))
            case "repeat":
                nodes.append(a * b[Places(np.array(places[:1]))])
            case "stack":
                nodes.append(stack([a, b, a]).add_rows())
            case "complete":
                nodes.append(a[Places(np.array(places[:4]))].complete())
            case "choose":
                nodes.append(stack([a, b]).choose(np.array(places[:3]) % 2))
            case "rows":
                nodes.append(
                    tape.apply_to_rows(np.array([places, TWICE]).T, multiply_rows)[
                        Places(np.array([one % 2]))
                    ].add_rows()
                )
    return (nodes[-1] * nodes[2]).total() + nodes[-2].total()


def multiply_rows(tape, numbers):
    """The products x y, and x² y + y, of pairs of parameters."""
    x, y = (tape.point[Places(column)] for column in numbers.T)
    return stack([x * y, x * x * y + y])


def write_out(steps, weights, functional):
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
            case "combine":
                nodes.append([x * Dual(other - 2) + y for x, y in zip(a, b, strict=True)])
            case "repeat":
                nodes.append([x * b[places[0]] for x in a])
            case "stack":
                nodes.append([x + y + x for x, y in zip(a, b, strict=True)])
            case "complete":
                some = [a[k] for k in places[:4]]
                nodes.append([*some, Dual(1) + total(Dual(-1) * x for x in some)])
            case "choose":
                nodes.append([a, b][places[functional] % 2])
            case "rows":
                pairs = [(point[k], point[j]) for k, j in zip(places, TWICE, strict=True)]
                nodes.append([x * x * y + y if one % 2 else x * y for x, y in pairs])
    return total([*(x * w for x, w in zip(nodes[-1], nodes[2], strict=True)), *nodes[-2]])


@settings(max_examples=some(40))
@given(st.lists(STEPS, min_size=1, max_size=5))
def test_values_and_derivatives_are_those_of_dual_numbers(steps):
    """Over the rationals, modulo a prime and in floats: sums, products, rows taken twice, rows repeated."""
    expected = [write_out(steps, weights, functional) for functional, weights in enumerate(BATCH.T)]
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
    weights = field.elements(np.array([[7], [1], [10]]))
    ready.derivatives([weights], into)

    assert ([(7 * 5 + 11 * 2) - 101], [[11, 0]]) == (ready.values([weights]).tolist(), into.tolist())


def test_values_are_computed_when_they_are_asked_for():
    """A result that is only differentiated is never computed."""
    field = Residues(101)
    tape = Tape(field, field.elements(np.array([2])))
    unknown = tape.step((1,), lambda: pytest.fail("asked for"), (tape.point, lambda above: above))
    into = np.zeros((1, 1))
    tape.differentiate(combine([(3, unknown)]).total(), into)

    assert [[3]] == into.tolist()
