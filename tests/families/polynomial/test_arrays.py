"""Matrices and tensors in the notation, functions of Python: dimensions from print, the same by hand, what is refused."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import algdim
from algdim.errors import AlgdimError, InputError, LimitError
from algdim.models.notation import parse, to_text

CAMERA = (
    "P[3,4]; Q[i] = P[i,1] + P[i,4]; R[i] = P[i,2] + 2*P[i,4]; U[i] = P[i,3] + 3*P[i,4]; V[i] = P[i,1] + P[i,2] + P[i,4]; "
    "W[i] = P[i,2] - P[i,3] + P[i,4]; Z[i] = 2*P[i,1] + P[i,3] - P[i,4]; coordinates "
    + ", ".join(f"{point}[{row}]/{point}[3]" for point in "QRUVWZ" for row in (1, 2))
)
"""The images of six points under a matrix."""


def map_of_arrays(text):
    """A map in the notation."""
    return algdim.dimension(f"polynomial: parameters {text}")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        # matrices of rank at most r: r(m + n - r)
        ("A[3,2], B[2,4]; X = A*B; coordinates X", 2 * (3 + 4 - 2)),
        ("A[4,1], B[1,4]; coordinates A*B", 7),
        ("A[4,2]; coordinates A*A'", 4 * 2 - 1),  # symmetric, of rank 2
        ("A[3,2], B[2,2], C[2,3]; coordinates A*B*C", 8),
        # frameworks in the plane and in space: 2n - 3 (Laman 1970), 3n - 6
        ("P[5,2]; coordinates D[i,j] = sum k: (P[i,k] - P[j,k])^2", 7),
        ("P[5,3]; coordinates D[i,j] = sum k: (P[i,k] - P[j,k])^2", 9),
        # tensors of rank r in general position: r(a + b + c - 2), affine
        ("A[2,3], B[2,3], C[2,3]; T[i,j,k] = sum r: A[r,i]*B[r,j]*C[r,k]; coordinates T", 14),
        ("A[2,2], B[2,2], C[2,2]; T[i,j,k] = sum r: A[r,i]*B[r,j]*C[r,k]; coordinates T", 8),
        # five general ternary quartics' powers fill a hypersurface (Clebsch 1861), cells with repetition
        ("A[5,3]; T[i,j,k,l] = sum r: A[r,i]*A[r,j]*A[r,k]*A[r,l]; coordinates T", 14),
        # factor analysis with two factors: Λ Λ' + diag: 5·2 - 1 + 5
        ("L[5,2], d[5], I[5,5]; S[i,j] = sum k: L[i,k]*L[j,k]; coordinates S", 9),
        # a pinhole camera's projection is known up to scale: 11 (Hartley and Zisserman 2004)
        (
            CAMERA,
            11,
        ),
    ],
)
def test_printed_dimensions(text, printed):
    """The numbers of textbooks."""
    assert printed == map_of_arrays(text).dimension


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("A[2,2], b; coordinates b*A", "A_1_1, A_1_2, A_2_1, A_2_2, b; coordinates b*A_1_1, b*A_1_2, b*A_2_1, b*A_2_2"),
        ("A[1,2], b[2]; c = A*b; coordinates c", "A_1_1, A_1_2, b_1, b_2; coordinates c_1 = A_1_1*b_1 + A_1_2*b_2"),
        ("A[2]; coordinates X[i] = A[i]^2/A[1]", "A_1, A_2; coordinates X_1 = A_1^2/A_1, X_2 = A_2^2/A_1"),
        (
            "A[2]; s = sum i: A[i]; coordinates s, -A + A, A[2]",
            "A_1, A_2; coordinates s = A_1 + A_2, f2 = -A_1 + A_1, f3 = -A_2 + A_2, f4 = A_2",
        ),
        (
            "A[2,3]; coordinates A'",
            "A_1_1, A_1_2, A_1_3, A_2_1, A_2_2, A_2_3; coordinates A_1_1, A_2_1, A_1_2, A_2_2, A_1_3, A_2_3",
        ),
        ("a1..a2, B[1]; coordinates a1 - 2*a2, B", "a1, a2, B_1; coordinates f1 = a1 - 2*a2, B_1 = B_1"),
        ("A[2,2]; coordinates 1/2*sum i, j: A[i,j]", None),
    ],
)
def test_what_is_meant(text, same):
    """The formulas that one would write by hand; a sum stands at the beginning of a formula or of parentheses."""
    if same is None:
        with pytest.raises(InputError, match="there is no sum"):
            parse(f"polynomial: parameters {text}")
        return
    model = parse(f"polynomial: parameters {text}")

    assert parse(f"polynomial: parameters {same}") == model
    assert parse(to_text(model)) == model


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A[2,2]; coordinates A[1,3]", "is not from 1 to 2"),
        ("A[2,2]; coordinates A[1]", "A has 2 indices, and 1 are given"),
        ("A[2,2]; coordinates A[i,1]", "the index i is open"),
        ("A[2,3]; coordinates A*A", "matrices and vectors that fit"),
        ("A[2], B[2]; coordinates A*B", "Write other products with indices"),
        ("A[2,3]; coordinates A + A'", "2 × 3 and 3 × 2 are added"),
        ("A[2,3]; coordinates X[i] = A[i,i]", "places of the sizes 2, 3"),
        ("A[2,3]; coordinates X[i] = A[1,1]", "occurs in no place"),
        ("A[2,3]; coordinates A^2", "the base of a power is an array"),
        ("A[2,3]; coordinates 1/A", "what is divided by is an array"),
        ("A[2]; coordinates A'", "a matrix is expected"),
        ("A[2]; A = A; coordinates A", "A is there already"),
        ("A[2]; coordinates X", "there is no X"),
        ("A[0]; coordinates A", "1 to 5000"),
        ("A[100,100]; coordinates A", "at most 5000"),
        ("A[2]; X[i,i] = A[i]; coordinates X", "different indices"),
        ("A[2]; coordinates A[1", r"'\]' or ','"),
        ("A[2]; coordinates 1/(A[1] - A[1])", "divides by zero"),
        ("A[2]; X = A", "another definition or the coordinates"),
    ],
)
def test_what_is_refused(text, message):
    """The place, and what is allowed."""
    with pytest.raises(InputError, match=message):
        parse(f"polynomial: parameters {text}")


def test_much_in_few_words():
    """Formulas that grow with each definition end before they are large."""
    doubling = "; ".join(f"X{n}[i] = X{n - 1}[i]*(sum k: X{n - 1}[k])" for n in range(1, 25))
    with pytest.raises(LimitError):
        parse(f"polynomial: parameters X0[4]; {doubling}; coordinates X24")


@pytest.mark.slow
def test_long_sums():
    """Steps are counted."""
    with pytest.raises(LimitError, match="steps"):
        parse("polynomial: parameters A[70,70]; s = sum a, b, c, d: A[a,b]*A[c,d]; coordinates s")


def network(first, second):
    """Quadratic activations between two matrices, at enough inputs to tell all quadrics in two variables apart."""
    inputs = np.array([[1, 0], [0, 1], [1, 1]], dtype=object)
    return ((inputs @ first.T) ** 2) @ second.T


@pytest.mark.parametrize(
    ("widths", "printed"),
    # Kileel, Trager and Bruna (2019): polynomial networks with squares; two inputs have 3 coefficients for each output
    [((1, 1), 2), ((2, 1), 3), ((1, 2), 3), ((2, 2), 6), ((3, 2), 6)],
)
def test_functions_of_python(widths, printed):
    """They are called once, with names; neurons may be scaled against each other."""
    hidden, out = widths
    model = {"family": "polynomial", "parameters": {"V": [hidden, 2], "W": [out, hidden]}, "coordinates": network}
    report = algdim.dimension(model)

    assert printed == report.dimension
    assert hidden * 2 + out * hidden == report.standard


def test_what_functions_may_return():
    """Arrays, numbers, lists and tables of them; names go along."""
    found = algdim.model(
        {
            "family": "polynomial",
            "parameters": {"A": [2], "b": []},
            "coordinates": lambda A, b: {"s": A.sum() / b, "t": [1 - b, b**-2]},
        }
    )

    assert ("s", "t_1", "t_2") == tuple(one.name for one in found.coordinates)
    assert "polynomial: parameters A_1, A_2, b; coordinates s = (A_1 + A_2)/b, t_1 = -b + 1, t_2 = 1/b^2" == to_text(
        found
    )
    listed = {"family": "polynomial", "parameters": ["a", "b"], "coordinates": lambda a, b: a * b}
    assert 1 == algdim.dimension(listed).dimension
    powers = {"family": "polynomial", "parameters": {"L": [14, 5]}, "coordinates": powers_of_forms}
    assert comb(8, 4) - 1 == algdim.dimension(powers, bounds="no-proof").dimension


def powers_of_forms(forms):
    """The sum of the fourth powers of forms, by its coefficients up to constants (Alexander and Hirschowitz 1995)."""
    return [
        (forms[:, a] * forms[:, b] * forms[:, c] * forms[:, d]).sum()
        for a in range(5)
        for b in range(a, 5)
        for c in range(b, 5)
        for d in range(c, 5)
    ]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a: a if a > 0 else -a, "asks for the value"),
        (lambda a: np.exp(float(a)), "asks for the value"),
        (lambda a: a**0.5, "an integer is expected"),
        (lambda a: "a", "formulas of its arguments"),
        (lambda a: a * 0.5, None),
    ],
)
def test_functions_that_are_refused(function, message):
    """What has no rational formula."""
    with pytest.raises((AlgdimError, TypeError), match=message or "unsupported operand"):
        algdim.model({"family": "polynomial", "parameters": {"a": []}, "coordinates": function})


def test_shapes_that_are_none():
    """They are asked for."""
    for shape in ("two", [0], [True], 0):
        with pytest.raises(InputError, match="a shape such as"):
            algdim.model({"family": "polynomial", "parameters": {"A": shape}, "coordinates": lambda A: A})


def test_matrices_of_sympy():
    """Matrices and arrays of expressions are read row by row, as the list of their entries is."""
    sympy = pytest.importorskip("sympy")
    a, b, c = symbols = sympy.symbols("a b c")
    rows = [[a * b, a * c], [b, c]]
    expected = algdim.model({"family": "polynomial", "parameters": [*symbols], "coordinates": [*rows[0], *rows[1]]})

    for matrix in (sympy.Matrix(rows), sympy.ImmutableMatrix(rows), np.array(rows)):
        read = algdim.model({"family": "polynomial", "parameters": [*symbols], "coordinates": matrix})
        assert expected == read
