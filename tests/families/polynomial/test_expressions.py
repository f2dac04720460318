"""Formulas: what is read, what is printed, what is refused and where."""

from __future__ import annotations

from fractions import Fraction

import brute_polynomial as brute
import pytest
import sympy
from amount import in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim import InputError
from algdim.exact.arithmetic import SingularError, make_rationals
from algdim.families.polynomial.expressions import MOST_DEPTH, convert_from_sympy, format_formula, parse_formula
from algdim.families.polynomial.map import build_polynomial_map, make_formula_program
from algdim.families.polynomial.model import Coordinate, Polynomial
from algdim.rank import make_object_array

NAMES = ("a", "b", "x_1")

LEAVES = st.sampled_from(NAMES) | st.integers(0, 4)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner) | st.tuples(st.just("^"), inner, st.integers(0, 3)),
    max_leaves=8,
)


def value_of(formula, point):
    """The value of a formula at a point, by the engine."""
    pmap = build_polynomial_map(Polynomial(NAMES, (Coordinate("f", formula),)))
    field = make_rationals()
    at = field.elements(make_object_array([point[name] for name in NAMES]))
    return make_formula_program(pmap).forward(field, at)[-1]


@settings(max_examples=some(200))
@given(TREES)
def test_formulas_are_read_as_they_are_written(tree):
    """A formula has the values of what was written, and what is printed is read as the same formula."""
    if brute.divides_by_zero(tree):
        with pytest.raises(InputError, match="divides by zero"):
            parse_formula(brute.text_of(tree))
        return
    formula = parse_formula(brute.text_of(tree))
    assert formula == parse_formula(format_formula(formula))
    for seed in range(2):
        point = {name: Fraction(7 + 13 * place + seed, 3) for place, name in enumerate(NAMES)}
        try:
            expected = brute.dual(tree, point)[0]
        except ZeroDivisionError:
            continue

        assert expected == Fraction(str(value_of(formula, point)))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a - b - 1", "a - b - 1"),
        ("-a^2", "-a^2"),
        ("(-a)**2", "(-a)^2"),
        ("2*a/b*c/d", "2*a*c/(b*d)"),
        ("a/(b/c)", "a/(b/c)"),
        ("a/b/c", "a/(b*c)"),
        ("x*(a + 0.25)/2", "1/2*x*(a + 1/4)"),
        ("((a^2)^3)^2", "a^12"),
        ("a^-2", "1/a^2"),
        ("3 - - 2", "5"),
        ("0*a + b", "b"),
        ("2^10/4", "256"),
        ("1 + a + 1", "a + 2"),
    ],
)
def test_printed_forms(text, printed):
    """Numbers are put together, nesting is flattened, nothing is multiplied out."""
    assert printed == format_formula(parse_formula(text))


HOSTILE = {
    "": "position 1: a number, a parameter or '\\(' is expected, not the end",
    "a b": "position 3: an operator .* is expected, not 'b'; a product is written with '\\*'",
    "2a": "position 2: .* a product is written",
    "a(b)": "position 2: .*there are no functions such as a",
    "sin(a)": "no functions such as sin",
    "__import__('os')": "there are no functions|has no meaning here",
    "a.__class__.mro": "",
    "a^b": "position 3: a whole exponent",
    "a^0.5": "position 3: a whole exponent",
    "a^(2)": "a whole exponent",
    "a^1001": "a whole exponent is 1001; 0 to 1000 is allowed",
    "a^99999999999999999999": "a whole exponent is too large",
    "(a^900)^900": "position 8: the exponent 810000 is too large",
    "a^2^3": r"write \(a\^2\)\^3",
    "((9^999)^999)^999": "more than 4000 digits",
    "9" * 4001: "4001 characters",
    "1/0": "position 2: this divides by zero",
    "a/(b - b)": "position 2: this divides by zero",
    "0/(a - a)": "divides by zero",
    "a/((a + b)^2 - a^2 - 2*a*b - b^2)": "divides by zero",
    "a/(1/(b - b))": "position 5: this divides by zero",
    "(1/(a - a))^0": "divides by zero",
    "(a": "position 3: '\\)' or an operator is expected, not the end",
    "a)": "position 2: an operator",
    "a + ": "not the end of the text",
    "a ^^ b": "a whole exponent",
    "a = b": "an operator .* not '='",
    "α + 1": "GREEK SMALL LETTER ALPHA",
    "a − b": "MINUS SIGN.*it looks like '-'",
    "a × b": "MULTIPLICATION SIGN",
    "a²": "SUPERSCRIPT TWO",
    "٣*a": "ARABIC-INDIC DIGIT THREE",
    "a\u200bb": "ZERO WIDTH SPACE",
    "1e5": "not 'e5'",
    "1.5.2": "'\\.' has no meaning",
    "a\x00": "has no meaning",
    "lambda: 0": "an operator",
    "(" * 5000 + "a" + ")" * 5000: f"more than {MOST_DEPTH} parentheses",
    "-" * 5000 + "a": f"more than {MOST_DEPTH} parentheses",
}


@pytest.mark.parametrize("text", [text for text, why in HOSTILE.items() if why], ids=lambda text: text[:20] or "empty")
def test_hostile_texts_are_refused_with_their_place(text):
    """Whatever is no formula, or too large, is an input error that says what is wrong."""
    with pytest.raises(InputError, match=HOSTILE[text]):
        parse_formula(text)


def test_names_with_dots_are_only_names():
    """A dot belongs to a name; nothing is looked up."""
    assert "a.__class__.mro" == format_formula(parse_formula("a.__class__.mro"))


@in_turn(2)
def test_long_sums_and_chains_of_divisions_do_not_nest():
    """Sums, products and divisions of thousands of factors stay flat."""
    for operator in "+*/-":
        text = operator.join(["a"] * 1500)

        assert parse_formula(text) == parse_formula(format_formula(parse_formula(text)))


def test_sympy_expressions():
    """Expressions of sympy's are read by their structure."""
    a, b = sympy.symbols("a b")

    assert {*parse_formula("a*b - b^2/3").terms} == {*convert_from_sympy(a * b - b**2 / 3).terms}
    assert "1/(a + b)" == format_formula(convert_from_sympy(1 / (a + b)))
    for wrong in (sympy.sin(a), sympy.sqrt(a), sympy.Float(0.5) * a, sympy.pi * a, a**b, sympy.I * a, sympy.zoo):
        with pytest.raises(InputError, match="a sympy expression has a"):
            convert_from_sympy(wrong)


def test_a_point_without_value_is_said_so():
    """A denominator that is zero at a point is an error of its own."""
    with pytest.raises(SingularError):
        value_of(parse_formula("1/(a - b)"), {"a": Fraction(1), "b": Fraction(1), "x_1": Fraction(0)})
