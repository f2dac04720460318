"""Maps and Jacobians written out, among them GHM96's Figure 1."""

from itertools import product

import brute
import numpy as np
import pytest
from amount import daily, some
from hypothesis import given, settings
from strategies import networks
from sympy import Integer, Symbol, expand, preorder_traversal, simplify

import algdim
from algdim import LimitError
from algdim.display.document import format_matrix
from algdim.exact.arithmetic import Lengths
from algdim.explanation.printing import format_coordinate_latex, format_expression, print_coordinates, print_map
from algdim.families.contract import CoordinateRecord
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.maps import map_of
from algdim.models.notation import parse

# GHM96's symbols: θh, and θ of item i being unbarred (state 0) given h unbarred (state 0) or barred
H = Symbol("P(H=0)")


def theta(item, item_bar, hidden_bar):
    """θ of a feature, barred or not, given h, barred or not."""
    value = Symbol(f"P(X{item}=0|H={int(hidden_bar)})")
    return 1 - value if item_bar else value


def theta_h(bar):
    """θ of h, barred or not."""
    return 1 - H if bar else H


# GHM96 Figure 1 as the text prints it, without bars: the sign, and per summand whether the factor (1 − θh) is printed,
# and the items whose θ follow. The last column is a difference of two products.
FIGURE_1 = (
    ("+h 2", "+h 1", "+1-h 2", "+1-h 1", "12-12"),
    ("-h 2", "+h 1", "-1-h 2", "+1-h 1", "12-12"),
    ("+1-h 2", "-h 1", "+1-h 2", "-1-h 1", "12-12"),
)
COLUMNS = ("P(X1=0|H=0)", "P(X2=0|H=0)", "P(X1=0|H=1)", "P(X2=0|H=1)", "P(H=0)")
ROWS = ("P(X1=0,X2=0)", "P(X1=1,X2=0)", "P(X1=0,X2=1)")


def readings(printed):
    """Everything that a printed entry can mean when bars may have been lost on x1, x2 and h."""
    bars = (False, True)
    if printed == "12-12":
        for a, b, c, d in product(bars, repeat=4):
            for left, right in product(bars, repeat=2):
                yield theta(1, a, left) * theta(2, b, left) - theta(1, c, right) * theta(2, d, right)
        return
    weight, item = printed[1:].split(" ")
    for weight_bar, item_bar, hidden_bar in product(bars, repeat=3):
        outer = 1 - theta_h(weight_bar) if weight == "1-h" else theta_h(weight_bar)
        yield (-1 if printed[0] == "-" else 1) * outer * theta(int(item), item_bar, hidden_bar)


@pytest.fixture(scope="module")
def naive_bayes():
    """The map of GHM96 §5's example, and its Jacobian by names."""
    written = print_map(get_param_map(algdim.model("2:2,2")))
    return {
        (coordinate, parameter): value
        for coordinate, row in zip(written.coordinates, written.jacobian, strict=True)
        for parameter, value in zip(written.parameters, row, strict=True)
    }


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize("column", daily(range(5), 1))
def test_figure_1_is_reproduced(naive_bayes, row, column):
    """Each printed entry equals ours in some placement of the bars that the text has lost."""
    ours = naive_bayes[ROWS[row], COLUMNS[column]]
    fits = [reading for reading in readings(FIGURE_1[row][column]) if expand(reading - ours) == 0]

    assert fits != []


def test_figure_1_by_hand(naive_bayes):
    """The first row and the last column as GHM96's equations for W give them."""
    x = {(i, h): theta(i, False, h) for i in (1, 2) for h in (0, 1)}
    first = (H * x[2, 0], H * x[1, 0], (1 - H) * x[2, 1], (1 - H) * x[1, 1])
    last = (
        x[1, 0] * x[2, 0] - x[1, 1] * x[2, 1],
        (1 - x[1, 0]) * x[2, 0] - (1 - x[1, 1]) * x[2, 1],
        x[1, 0] * (1 - x[2, 0]) - x[1, 1] * (1 - x[2, 1]),
    )

    for parameter, expected in zip(COLUMNS, first, strict=False):
        assert simplify(expected - naive_bayes[ROWS[0], parameter]) == 0
    for coordinate, expected in zip(ROWS, last, strict=True):
        assert simplify(expected - naive_bayes[coordinate, COLUMNS[4]]) == 0


def test_an_entry_with_a_wrong_sign_has_no_reading(naive_bayes):
    """The search over bars can fail: no placement of them changes a sign."""
    ours = naive_bayes[ROWS[0], COLUMNS[0]]

    assert not any(simplify(reading + ours) == 0 for reading in readings(FIGURE_1[0][0]))


@settings(max_examples=some(25))
@given(networks(max_variables=4, max_states=2, special=False, max_table=8))
def test_expressions_are_the_polynomials(model):
    """Coordinates and derivatives are the polynomials that explicit sums over joint states give."""
    written = print_map(get_param_map(model))
    symbols = {name: Symbol(name) for name in written.parameters}

    def expression(polynomial):
        return sum(
            (value * product_of([symbols[name] for name in monomial]) for monomial, value in polynomial.items()),
            Integer(0),
        )

    polynomials = list(brute.free_polynomials(model).values())
    assert len(polynomials) == len(written.expressions)
    for polynomial, value, row in zip(polynomials, written.expressions, written.jacobian, strict=True):
        assert 0 == (expression(polynomial) - value).expand()
        for name, derivative in zip(written.parameters, row, strict=True):
            assert (expression(brute.by(polynomial, name)) - derivative).expand() == 0


def product_of(factors):
    """The product of expressions."""
    result = Integer(1)
    for factor in factors:
        result *= factor
    return result


def test_the_map_is_printed_line_by_line():
    """One coordinate per line; the Jacobian has one line per entry."""
    written = print_map(get_param_map(algdim.model("H -> X; hidden H")))

    assert 2 == len(str(written).splitlines())
    assert 2 * (1 + 3) == len(written.jacobian_text().splitlines())
    assert str(written).startswith("P(X=0) = ")
    assert "**" not in str(written)
    assert "*" not in str(written)


def test_latex_is_balanced():
    """Displays open and close; names with digits and underscores are set."""
    written = print_map(get_param_map(algdim.model("H_1 -> X12, Y_3; hidden H_1")))
    for text in (written.latex(), written.jacobian_latex()):
        assert text.count("{") == text.count("}")
        assert text.count(r"\begin") == text.count(r"\end") == 1
    assert written.latex() in written._repr_latex_()
    assert r"P(X_{12}=0\mid H\_1=0)" in written.latex()


@pytest.mark.parametrize(
    ("record", "text", "latex"),
    [
        (CoordinateRecord("P", (), (("H", 0),)), "P(H=0)", "P(H=0)"),
        (CoordinateRecord("P", (), (("X12", 0),), (("H", 1),)), "P(X12=0|H=1)", r"P(X_{12}=0\mid H=1)"),
        (
            CoordinateRecord("P", (), (("X1", 0), ("X2", 1)), (("A", 0),)),
            "P(X1=0,X2=1|A=0)",
            r"P(X_{1}=0,X_{2}=1\mid A=0)",
        ),
        (CoordinateRecord("", ("a_1",)), "a_1", r"a\_1"),
        (CoordinateRecord("λ", (), (("Y", 1),)), "λ(Y=1)", r"\lambda (Y=1)"),
        (CoordinateRecord("κ2", ("E",), (), (("A1", 0),)), "κ2(E|A1=0)", r"\kappa_{2}(E\mid A_{1}=0)"),
        (CoordinateRecord("mean", ("X1",)), "mean(X1)", r"\operatorname{mean}(X_{1})"),
        (CoordinateRecord("E", ("X",), (("C", 0),), (), (2,)), "E(X^2·1(C=0))", r"\operatorname{E}(X^{2} 1(C=0))"),
        (CoordinateRecord("E", (), (("C", 0),)), "E(1(C=0))", r"\operatorname{E}(1(C=0))"),
    ],
)
def test_names_in_latex(record, text, latex):
    """Trailing digits become indices."""
    assert text == str(record)
    assert latex == format_coordinate_latex(record)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10:2^60", "at most 20000 are allowed"),
        ("2:2^14", "numbers and letters"),
        ("9:20,20,20", "numbers and letters"),
    ],
)
def test_large_maps_are_refused(text, words):
    """Before anything is built, with the number of coordinates, or of what would be written."""
    with pytest.raises(LimitError, match=words):
        print_map(get_param_map(algdim.model(text)))


@pytest.mark.parametrize("text", daily(["2:2^10", "3:12,12,12"], 1))
def test_large_jacobians_are_refused(text):
    """Where the map is written."""
    written = print_map(get_param_map(algdim.model(text)))

    with pytest.raises(LimitError, match=r"at most 20000 are written out|numbers and letters"):
        assert written.jacobian


def test_long_quotients_are_refused():
    """They are counted before a letter is written: a ring of twelve variables has a normaliser of thousands of terms."""
    ring = ",".join(f"{{X{number},X{number % 12 + 1}}}" for number in range(1, 13))
    with pytest.raises(LimitError, match="as quotients, have more than 8192"):
        print_coordinates(map_of(parse(f"loglinear: {ring}")), 8)
    assert 8 == len(print_coordinates(map_of(parse("loglinear: {A,B}, {B,C}")), 8).coordinates)


def test_leaves_are_those_of_the_expressions():
    """What is counted before anything is written is not less than what sympy has, and not much more."""
    for text in ("2:2,2", "3:2,2,2,2", "2(2,2(2,2))"):
        pmap = get_param_map(algdim.model(text))
        evaluator = make_evaluator(pmap)
        ones = Lengths().elements(np.ones(len(pmap.parameters)))
        counted = evaluate_functionals(pmap, Lengths(), ones, evaluator.all_coordinates(), evaluator=evaluator)
        for count, value in zip(counted, print_map(pmap).expressions, strict=True):
            leaves = sum(1 for node in preorder_traversal(value) if not node.args)
            assert leaves <= count <= 3 * leaves, text


@pytest.mark.parametrize("text", ["states A=2, H=3; hidden H", "A -> H; hidden H", "A -> H <- B; hidden H"])
def test_hidden_variables_without_children_are_summed_out(text):
    """A map can be written out although a variable does not matter."""
    written = print_map(get_param_map(algdim.model(text)))
    total = sum(written.expressions)

    assert total.expand() == 1
    assert all("H" not in str(value.expand()) for value in written.expressions)


def test_a_model_without_parameters_is_printed():
    """Its Jacobian has no columns."""
    written = print_map(get_param_map(algdim.model("states A=2, B=2; fix P(A=0)=1/3, P(B=0)=1/4")))

    assert () == written.parameters
    assert ["1/12", "1/4", "1/6", "1/2"] == [format_expression(value) for value in written.expressions]


def test_a_fixed_coefficient_on_a_cycle_is_no_reason_to_refuse():
    """That no chance of error is claimed there does not make the formulas long."""
    written = print_map(map_of(algdim.model("gaussian: A -> B -> A; fix b(A->B)=2; means off")))

    assert "(4·v(A) + v(B))/(4·b(B->A)^2 - 4·b(B->A) + 1)" == format_expression(written.expressions[-1])


def test_matrices_are_aligned():
    """All lines of a matrix are equally wide up to blanks at the end; pivots stand in brackets."""
    text = format_matrix([[1, 0, -3], [0, 100, 2]], [(0, 0), (1, 1)])
    first, second = text.splitlines()

    assert ["[1]", "0", "-3"] == first.split()
    assert ["0", "[100]", "2"] == second.split()
    assert first.index("-3") + 1 == second.index("2")
    assert first.index("1") == second.index("0")
    assert first.index("0") == second.index("0]")
    assert "" == format_matrix([])


def test_what_is_long_is_measured_in_parts(monkeypatch):
    """Refused with its length, however many coordinates there are: no array on the way holds all of them."""
    import algdim.jacobian

    sizes = []
    split = algdim.jacobian.split_row_batches
    monkeypatch.setattr(algdim.jacobian, "TAPE_BYTES", 1 << 16)
    monkeypatch.setattr(algdim.jacobian, "split_row_batches", lambda *given: sizes.append(split(*given)) or sizes[-1])
    with pytest.raises(LimitError, match="numbers and letters; at most"):
        algdim.export("poisson: {A,B,C,D,E},{F,H} -> X; hidden H; states H=5", to="singular")

    assert len(sizes[0]) > 1
