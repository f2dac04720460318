"""Data that lack conditions or entries: what is proved of the model is not said of them."""

from __future__ import annotations

import json
from itertools import product

import pytest

import algdim
from algdim.cli import main
from algdim.fitting.samples import find_gaps

ONE_CONDITION = {"Z": [0] * 4, "X": [0, 0, 1, 1], "Y": [0, 1, 0, 1], "count": [40, 10, 15, 35]}
THREE_CONDITIONS = {"X": [0, 0, 1, 1, 1, 1], "Z": [0, 0, 0, 0, 1, 1], "Y": [0, 1] * 3, "count": [9, 4, 5, 6, 7, 8]}
HALVES = {
    **{f"X{k}": [*(row[k - 1] if k < 3 else None for row in product((0, 1), repeat=2)), *[None] * 4] for k in (1, 2)},
    **{f"X{k}": [*[None] * 4, *(row[k - 3] for row in product((0, 1), repeat=2))] for k in (3, 4)},
    "count": [30, 10, 12, 41, 28, 9, 14, 36],
}


def write(folder, data):
    """Data as a file of comma-separated values."""
    rows = [",".join(data), *(",".join("" if one is None else str(one) for one in row) for row in zip(*data.values(), strict=True))]  # fmt: skip
    file = folder / "data.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(file)


def test_what_is_qualified_can_be_moved_without_a_change_of_the_likelihood():
    """Another row where no case is, and the data are as likely: they do not determine it."""
    text = "Z -> X -> Y; given Z"
    tables = {"Y": [[0.5, 0.5], [0.25, 0.75]]}
    one, other = (
        algdim.fit_at(ONE_CONDITION, text, {**tables, "X": [[0.5, 0.5], row]}) for row in ([0.5, 0.5], [0.125, 0.875])
    )
    assert one.loglik == other.loglik


@pytest.mark.parametrize(
    ("data", "text", "missing", "scope", "names"),
    [
        (ONE_CONDITION, "Z -> X -> Y; given Z", False, "data with every condition", ("Z=1",)),
        (THREE_CONDITIONS, "X, Z -> Y; given X, Z", False, "data with every condition", ("X=0,Z=1",)),
        (THREE_CONDITIONS, "classifier Y: Y -> X, Z", False, "data with every condition", ("X=0,Z=1",)),
        (HALVES, "2:2^4", True, "complete data", ()),
        ({**HALVES, "Z": [0] * 8}, "Z -> X1..X4; given Z", True, "complete data with every condition", ("Z=1",)),
        (THREE_CONDITIONS, "X, Z -> Y", False, "", ()),
        (THREE_CONDITIONS, "X -> Y; given X", False, "", ()),
        ({"Z": ["no"], "X": ["a"]}, "Z -> X; given Z; states Z=3", False, "data with every condition", ("Z=1", "Z=2")),
        ({"Z": ["no", "yes"], "X": [0, 1], "count": [3, 0]}, "Z -> X; given Z", False, "data with every condition", ("Z=yes",)),
    ],
)  # fmt: skip
def test_gaps_are_found(data, text, missing, scope, names):
    """Missing entries, and conditions without cases, in the words of the data."""
    found = algdim.fit(data, text, missing=missing, starts=1, iterations=2)
    gaps = find_gaps(found.model, found.sample)
    assert (gaps.scope, gaps.names, gaps.count) == (scope, names, len(names))
    assert gaps == found.identified.gaps
    first, *rest = found.identified.lines()
    assert first.startswith(f"of {scope}: " if scope else ("locally", "not identified"))
    assert all(scope in line for line in rest if line.startswith("degrees"))
    assert any(name in rest[-1] for name in names) or not names


def test_many_conditions_are_counted_and_few_are_named():
    """Of 2^10 conditions one occurs."""
    data = {f"X{k}": [0, 0] for k in range(1, 11)} | {"Y": [0, 1]}
    gaps = algdim.fit(data, "classifier Y: Y -> X1..X10", starts=1, iterations=1).identified.gaps
    assert gaps.count == 2**10 - 1
    assert 0 < len(gaps.names) < 10


@pytest.mark.parametrize("command", ["fit", "score"])
@pytest.mark.parametrize(
    ("data", "text", "more", "said", "lacking"),
    [
        (ONE_CONDITION, "Z -> X -> Y; given Z", [], "data with every condition", {"count": 1, "conditions": ["Z=1"]}),
        (HALVES, "2:2^4", ["--missing"], "complete data", {"count": 0, "conditions": []}),
        (FULL := {"A": [0, 1], "B": [0, 1], "count": [3, 4]}, "A -> B; given A", [], None, {"count": 0, "conditions": []}),
    ],
)  # fmt: skip
def test_fit_and_score_say_of_what_data(command, data, text, more, said, lacking, tmp_path, capsys):
    """In text and in JSON."""
    words = [
        command,
        write(tmp_path, data),
        text,
        *more,
        *(["--score", "bic"] if command == "score" else ["--starts", "1"]),
    ]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    of = f"of {said}: " if said else ""
    count = algdim.dimension(text).standard
    assert any(line.startswith(f"{of}locally identified (proved): ") and str(count) in line for line in lines)
    assert any(line.startswith(f"degrees of freedom {of}" if said else "degrees of freedom: ") for line in lines)
    if said:
        assert not any(line.startswith(("locally identified", "degrees of freedom:")) for line in lines)
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["identified_of"], found["conditions_without_cases"]) == (said, lacking)
