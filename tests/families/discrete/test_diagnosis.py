"""Cognitive diagnosis: Q-matrices as they are read, dimensions by definition and from print, identification, what is refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from amount import daily

import algdim
from algdim.errors import InputError, LimitError
from algdim.families.discrete.short.diagnosis import find_diagnosis, prove_dina_identifiability
from algdim.fitting.diagnostics import compute_memberships
from algdim.models.notation import parse, to_text

FRACTIONS = (
    "00010110 00010010 00010010 01101010 01010011 00000010 11000010 00000010 01000000 01001011 "
    "01001010 00000011 01011010 01000010 10000010 01000010 01001010 01001110 11101010 01101010"
).split()
"""Tatsuoka's fraction subtraction (1984): 20 items, 8 attributes."""


def test_fraction_subtraction():
    """The R package CDM counts 58 of 256 patterns that DINA distinguishes: 57 + 2·20, proved."""
    report = algdim.dimension(f"diagnosis DINA: items {', '.join(FRACTIONS)}")

    assert (
        len(
            {
                tuple(all(a >= int(q) for a, q in zip(p, row, strict=True)) for row in FRACTIONS)
                for p in product((0, 1), repeat=8)
            }
        )
        == 58
    )
    assert (97, 295, True) == (report.dimension, report.standard, report.exact)


def chance(model, row, pattern, next_parameter):
    """The chance that an item is solved, by the definition of its model."""
    own = [one for one, q in zip(pattern, row, strict=True) if q == "1"]
    if model in ("DINA", "DINO"):
        slip, guess = next_parameter("s"), next_parameter("g")
        return 1 - slip if (all if model == "DINA" else any)(own) else guess
    if model == "GDINA":
        return next_parameter(str(own))
    if model == "ACDM":
        return next_parameter("d") + sum(next_parameter(f"d{k}") * one for k, one in enumerate(own))
    if model == "RRUM":
        return next_parameter("r") * np.prod([1 if one else next_parameter(f"r{k}") for k, one in enumerate(own)])
    return 1 / (1 + np.exp(-next_parameter("l") - sum(next_parameter(f"l{k}") * one for k, one in enumerate(own))))


def rank_by_definition(model, rows, patterns):
    """The rank of the Jacobian of all cells, with derivatives by complex steps."""
    rng = np.random.default_rng(1)
    names = {}

    def law(values):
        weights = [values(f"p{number}") for number in range(len(patterns) - 1)]
        weights.append(1 - sum(weights))
        total = 0
        for weight, pattern in zip(weights, patterns, strict=True):
            table = np.array(weight)
            for item, row in enumerate(rows):
                solved = chance(model, row, pattern, lambda name, item=item: values(f"{item}.{name}"))
                table = np.multiply.outer(table, np.array([1 - solved, solved]))
            total = total + table
        return total.ravel()

    def collect(name):
        return names.setdefault(name, rng.uniform(0.03, 0.11) + 0j)

    law(collect)
    columns = [
        law(lambda other, name=name: names[other] + (1e-30j if other == name else 0)).imag / 1e-30 for name in names
    ]
    sizes = np.linalg.svd(np.array(columns), compute_uv=False)
    return int((sizes > 1e-10 * sizes[0]).sum()), len(names)


CASES = [
    ("DINA", "10, 01, 11, 10, 01", "", 4),
    ("DINA", "10, 01, 11, 11, 11", "", 4),
    ("DINA", "11, 11, 10, 10, 10", "", 4),
    ("DINO", "10, 01, 11, 11, 11", "", 4),
    ("GDINA", "10, 01, 11, 10, 01, 11", "", 4),
    ("ACDM", "10, 01, 11, 10, 01, 11", "", 4),
    ("RRUM", "10, 01, 11, 10, 01, 11", "", 4),
    ("LLM", "10, 01, 11, 10, 01, 11", "", 4),
    ("DINA", "100, 010, 001, 110, 011, 111", "; A1 -> A2, A3", 5),
    ("GDINA", "100, 010, 001, 110, 011, 111", "; A1 -> A2; A2 -> A3", 4),
    ("ACDM", "110, 011, 101, 100, 010, 001", "; A1 -> A2", 6),
]


@pytest.mark.parametrize(("model", "items", "hierarchy", "count"), daily(CASES, 3))
def test_ranks_by_definition(model, items, hierarchy, count):
    """Patterns one by one, chances by the formula of the model, derivatives in floating point."""
    rows = items.split(", ")
    edges = [edge.split(" -> ") for edge in hierarchy.removeprefix("; ").split("; ") if edge]
    presupposed = [(int(a[1:]) - 1, int(b[1:]) - 1) for a, bs in edges for b in bs.split(", ")]
    patterns = [p for p in product((0, 1), repeat=len(rows[0])) if all(p[a] >= p[b] for a, b in presupposed)]
    report = algdim.dimension(f"diagnosis {model}: items {items}{hierarchy}")
    rank, _ = rank_by_definition(model, rows, patterns)

    assert len(patterns) == count
    assert rank == report.dimension


@pytest.mark.parametrize(
    ("model", "parameters"),
    [("DINA", 15 + 14), ("DINO", 15 + 14), ("GDINA", 15 + 4 * 2 + 4 + 8 + 16), ("ACDM", 15 + 4 * 2 + 3 + 4 + 5)],
)
def test_parameters(model, parameters):
    """2^K - 1 and, for each item, 2, 2^m or m + 1 (de la Torre 2011), with m attributes required."""
    items = "1000, 0100, 0010, 0001, 1100, 1110, 1111"

    assert parameters == algdim.dimension(f"diagnosis {model}: items {items}", bounds="no-proof").standard


@pytest.mark.parametrize(
    ("items", "identified", "why"),
    [
        # Gu and Xu (2019), equation (5): the identity above three rows whose columns differ, or do not
        ("100, 010, 001, 110, 101, 111, 011", True, ""),
        ("100, 010, 001, 111, 111", False, "the columns of A1, A2"),
        ("110, 010, 001, 110, 101, 111", False, "no item requires A1 alone"),
        ("100, 010, 001, 110, 100", False, "A2 is required by 2 items"),
    ],
)
def test_identifiability_of_dina(items, identified, why):
    """The conditions of Gu and Xu (2019), which are necessary and sufficient; of DINO they are the same."""
    for model in ("DINA", "DINO"):
        remark = prove_dina_identifiability(find_diagnosis(parse(f"diagnosis {model}: items {items}")))

        assert identified == ("identified wherever" in remark.text)
        assert why in remark.text
        assert ("DINA",) == remark.trust.lemmas


def test_remarks():
    """`identify` says what the theorem says, of the model that it is about alone."""
    text = "diagnosis DINA: items 10, 01, 11, 10"

    assert "A2 is required by 2 items" in "".join(one.text for one in algdim.identify(text).remarks)
    assert find_diagnosis(algdim.model(text, hidden="X1")) is None
    assert prove_dina_identifiability(find_diagnosis(parse(text.replace("DINA", "GDINA")))) is None


@pytest.mark.parametrize(
    "text",
    [
        "diagnosis DINA: items 10, 01, 11",
        "diagnosis GDINA: items add=10, sub=01, both=11; attributes Plus, Minus; Plus -> Minus",
        "diagnosis LLM: items 110, 011, 101, 111",
        "diagnosis ACDM: items 10, 01, 11",
        "diagnosis RRUM: items 10, 01, 11",
    ],
)
def test_round_trip(text):
    """The line is printed as it was read."""
    assert text == to_text(parse(text))
    assert parse(to_text(parse(text))) == parse(text)


@pytest.mark.parametrize(
    "table",
    [
        "item,Plus,Minus\nadd,1,0\nsub,0,1\nboth,1,1\n",
        "Plus;Minus\n1;0\n0;1\n1;1\n",
        "1 0\n0 1\n1 1\n",
        '"","Plus","Minus"\n"1",1,0\n"2",0,1\n"3",1,1\n',
    ],
)
def test_files(tmp_path, table):
    """A Q-matrix as R writes it, with or without names."""
    path = tmp_path / "q.csv"
    path.write_text(table, encoding="utf-8")
    model = algdim.model(path, format="qmatrix:model=DINA")
    same = parse("diagnosis DINA: items 10, 01, 11")

    assert [v.states for v in same.variables] == [v.states for v in model.variables]
    assert algdim.dimension(same).dimension == algdim.dimension(model).dimension
    if "add" in table:
        assert "diagnosis DINA: items add=10, sub=01, both=11; attributes Plus, Minus" == to_text(model)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("a,b\n1,2\n", "is neither 0 nor 1"),
        ("a,b\n1\n", "1 column"),
        ("a,b\n", "no item"),
    ],
)
def test_files_that_are_refused(tmp_path, table, message):
    """The place, and what is allowed."""
    path = tmp_path / "q.csv"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        algdim.model(path, format="qmatrix:model=DINA")


def test_a_matrix_without_a_model():
    """It is asked for."""
    with pytest.raises(InputError, match="qmatrix:model=DINA"):
        algdim.model("1 0\n0 1\n", format="qmatrix")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("diagnosis DINA: 10, 01", "takes no family word"),
        ("diagnosis DINA: items 10, 011", "this row has 3 signs"),
        ("diagnosis DINA: items 10, 00", "requires no attribute"),
        ("diagnosis DINA: items 10, 10", "no item requires the attribute A2"),
        ("diagnosis DINA: items 10, 12", "a row of zeros and ones"),
        ("diagnosis DINAA: items 10, 01", "did you mean 'DINA'"),
        ("diagnosis DINA: items 10, 01; A1 -> A2; A2 -> A1", "in a circle"),
        ("diagnosis DINA: items 10, 01; A1 -> A3", "there is no attribute A3"),
        ("diagnosis DINA: items 10, 01; attributes A", "there are 2 columns"),
        ("diagnosis DINA: items a=10, a=01", "the same name"),
        ("diagnosis: items 10", "'diagnosis MODEL:'"),
    ],
)
def test_what_is_refused(text, message):
    """What was given, what is allowed."""
    with pytest.raises(InputError, match=message):
        parse(text)


def test_too_many_attributes():
    """2^K patterns."""
    with pytest.raises(LimitError, match="at most 12"):
        parse(f"diagnosis DINA: items {'1' * 13}")
    with pytest.raises(LimitError, match="take fewer items"):
        parse(f"diagnosis DINA: items {', '.join(['1' * 12] * 20)}")


@pytest.mark.parametrize("kind", ["DINA", "GDINA", "LLM"])
def test_the_mastery_of_attributes(kind):
    """The patterns by their zeros and ones, and of each attribute the sum of those that have it; of LLM it is hidden itself."""
    draw = np.random.default_rng(0)
    data = {f"X{k}": draw.integers(0, 2, 40).tolist() for k in range(1, 6)}
    found = algdim.fit(data, f"diagnosis {kind}: items 10, 01, 11, 10, 01; attributes A, B; A -> B", starts=2)
    columns = compute_memberships(data, found).columns

    assert ["P(Pattern=00)", "P(Pattern=10)", "P(Pattern=11)", "Pattern"] == list(columns)[5:9]
    assert {"00", "10", "11"} >= set(columns["Pattern"])
    assert np.allclose(columns["P(A=1)"], 1 - columns["P(Pattern=00)"], atol=1e-9)
    assert np.allclose(columns["P(B=1)"], columns["P(Pattern=11)"], atol=1e-9)
