"""What a newcomer meets: warnings at estimates, scripts beside data, codes of missing answers, encodings."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.cli import main
from algdim.fitting.problems import count_answers
from algdim.fitting.tabulardata import read_columns
from algdim.maps import map_of
from algdim.rank import NEARLY_SMALLER, compute_rational_jacobian, measure_weakest_value
from algdim.readers.files import describe_fit_boundary

SCRIPT = "library(poLCA)\nd <- read.csv('d.csv')\nm <- poLCA(cbind(A, B, C) ~ 1, d, nclass = 2)\n"
ANSWERS = {"A": [1, 2, 2, 1, 2, 1], "B": [1, 2, 3, 3, 1, 2], "C": [1, 4, 2, 2, 1, 1], "count": [9, 5, 7, 8, 4, 6]}


def classes(apart):
    """Two classes whose answers have probabilities that are so far apart, as a parameter file."""
    rows = {f"X{item}": [[f"{item}/10", f"{10 - item}/10"]] * 2 for item in range(1, 5)}
    for item in rows:
        first = Fraction(rows[item][0][0]) + Fraction(apart)
        rows[item] = [rows[item][0], [str(first), str(1 - first)]]
    return {"H": [["2/5", "3/5"]], **rows}


def test_almost_equal_classes_are_warned_of():
    """The exact rank is full, and the warning says how near a smaller one is; in `identify` and in `dim`."""
    at = classes("1/1000000000")
    found = algdim.identify("2:2^4", at=at)
    assert found.at.regular is True
    assert found.at.weakest < NEARLY_SMALLER
    assert "WARNING: singular value 9 of 9" in str(found)
    report = algdim.dimension("2:2^4", at=at)
    assert report.at.regular is True
    assert "WARNING: singular value 9 of 9" in str(report)
    assert report.to_dict()["at"]["weakest"] == report.at.weakest
    far = algdim.identify("2:2^4", at=classes("3/10"))
    assert far.at.weakest > 0.001
    assert "WARNING" not in str(far)


@pytest.mark.parametrize("apart", [3, 5, 7])
def test_the_share_is_that_of_a_matrix_in_floats(apart):
    """Beside numpy's own decomposition; it falls with the distance of the classes."""
    pmap = map_of(algdim.model("2:2,2,2"))
    rows = classes(Fraction(1, 10**apart))
    point = [Fraction(rows["H"][0][0])]
    point += [Fraction(rows[name][state][0]) for name in ("X1", "X2", "X3") for state in (0, 1)]
    named = dict(zip(["P(H=0)", *(f"P({x}=0|H={h})" for x in ("X1", "X2", "X3") for h in (0, 1))], point, strict=True))
    matrix = compute_rational_jacobian(pmap, [named[name] for name in pmap.parameters])
    values = np.linalg.svd(matrix.astype(float), compute_uv=False)
    assert measure_weakest_value(matrix, 7) >= values[6] / values[0]
    assert measure_weakest_value(matrix, 7) < 10 ** (1 - apart)


def test_units_of_variables_give_no_warning():
    """Rows and columns are measured by themselves, too."""
    matrix = np.array([[Fraction(10**12), Fraction(0)], [Fraction(0), Fraction(1, 10**3)]], dtype=object)
    assert measure_weakest_value(matrix, 2) == 1.0
    assert measure_weakest_value(np.array([[Fraction(10**400)]], dtype=object), 1) is None
    assert measure_weakest_value(matrix, 0) is None


def test_at_repeats_that_a_fit_is_near_the_boundary(tmp_path, capsys):
    """From the JSON of the fit, in text and in JSON."""
    fitted = algdim.fit({"A": [0, 0, 1], "B": [0, 0, 1], "count": [5, 4, 9]}, "A -> B").to_dict()
    assert fitted["boundary"]
    assert "within 1/N of the boundary" in describe_fit_boundary(fitted)
    file = tmp_path / "fit.json"
    file.write_text(json.dumps(fitted), encoding="utf-8")
    for command in ("identify", "dim"):
        assert main([command, "A -> B", "--at", str(file)]) == 0
        assert "the fit is within 1/N of the boundary" in capsys.readouterr().out
        assert main([command, "A -> B", "--at", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["at"]["fit_boundary"]
    assert describe_fit_boundary({"boundary": [{"entry": "x", "value": 0}]}) == ""
    with pytest.raises(InputError, match="entry and value"):
        describe_fit_boundary({**fitted, "boundary": ["P(A=0)"]})


def test_select_stops_at_codes_of_missing_answers_as_fit_does():
    """-99 is no third answer unless that is said."""
    data = {"A": [1, 2, 1, 2, -99, 1], "B": [1, 2, 2, 2, 1, 1], "count": [9, 5, 7, 8, 4, 6]}
    with pytest.raises(InputError, match="--na=-99 --missing"):
        algdim.fit(data, "2:2,2", missing=True)
    with pytest.raises(InputError, match=r"--na=-99 --missing.*--all-answers"):
        algdim.select(data, classes="1..1", by="bic", score="bic", missing=True)
    found = algdim.select(data, classes="1..1", by="bic", score="bic", all_answers=True)
    assert found.best.fit.model.states == {"H": 1, "A": 3, "B": 2}
    counts = {"A": [1, 2], "B": [1, 2], "count": [99, 98]}
    assert algdim.select(counts, classes="1..1", by="bic", score="bic").best.report.dimension == 2


@pytest.mark.parametrize("ask", [algdim.fit, algdim.score])
def test_data_say_what_a_script_of_polca_does_not(ask, tmp_path):
    """How many answers the items have, as poLCA takes it: the greatest number. A note says so."""
    script = tmp_path / "script.R"
    script.write_text(SCRIPT, encoding="utf-8")
    options = {"starts": 1} if ask is algdim.fit else {"score": "bic", "starts": 1}
    found = ask(ANSWERS, str(script), **options)
    found = found if ask is algdim.fit else found.fit
    assert found.model.states == {"H": 2, "A": 2, "B": 3, "C": 4}
    assert any("taken from the data: A 2, B 3, C 4" in note for note in found.sample.notes)
    with pytest.raises(InputError, match="does not say how many answers"):
        algdim.dimension(str(script))
    with pytest.raises(InputError, match="does not say how many answers"):
        ask({"A": [1, 2], "B": [1, 2]}, str(script), **options)
    with pytest.raises(InputError, match="--na=-99 --missing"):
        ask({**ANSWERS, "A": [1, 2, -99, 1, 2, 1]}, str(script), **options)


def test_the_command_takes_the_answers_from_the_data_too(tmp_path, capsys):
    """With --format, --items and other options beside."""
    data = tmp_path / "data.csv"
    lines = zip(*ANSWERS.values(), strict=True)
    data.write_text(
        "\n".join([",".join(ANSWERS), *(",".join(map(str, line)) for line in lines)]) + "\n", encoding="utf-8"
    )
    words = ["fit", str(data), "cbind(A, C) ~ 1", "--format", "polca:nclass=2", "--items", "A,C", "--starts", "1"]
    assert main(words) == 0
    assert "taken from the data: A 2, C 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "count"),
    [(["1", "4"], 4), (["0", "1", "2"], 3), (["yes", "no", None], 2), (["1"], 2), (["1000", "2"], 2)],
)
def test_answers_of_an_item(labels, count):
    """The greatest of numbers from 1, else how many differ, at least 2."""
    assert count_answers(read_columns({"A": [*labels, None]}), 0) == count


def test_laplace_says_that_the_prior_is_the_reason():
    """At estimates of greatest likelihood the gradient of the posterior is not 0, because of the prior."""
    data = {"X1": [0, 1], "count": [3, 17]}
    fitted = algdim.fit(data, "states X1=2", starts=1).to_dict()
    found = algdim.score(data, "states X1=2", at=fitted, score="laplace-softmax", alpha=9.0)
    (reason,) = found.reasons.values()
    assert "the prior alpha=9" in reason
    assert "--coordinates softmax" in reason
    mode = algdim.fit(data, "states X1=2", prior="alpha=9", coordinates="softmax", starts=1).to_dict()
    assert algdim.score(data, "states X1=2", at=mode, score="laplace-softmax", alpha=9.0).values


@pytest.mark.parametrize("packed", [False, True])
def test_other_encodings_are_named_or_read(packed, tmp_path, capsys):
    """The error has byte, line and what to do; with the option the file is read."""
    import gzip

    raw = "A,B\nja,groß\nnein,klein\n".encode("latin-1")
    data = tmp_path / ("data.csv.gz" if packed else "data.csv")
    data.write_bytes(gzip.compress(raw) if packed else raw)
    assert main(["fit", str(data), "A -> B", "--starts", "1"]) == 2
    said = capsys.readouterr().err
    assert "byte 10 in line 2 is 0xdf" in said
    assert "--encoding latin-1" in said
    assert main(["fit", str(data), "A -> B", "--starts", "1", "--encoding", "latin-1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["states"]["B"] == ["groß", "klein"]
    assert main(["fit", str(data), "A -> B", "--encoding", "klingon"]) == 2
    assert "'klingon' is not known" in capsys.readouterr().err
