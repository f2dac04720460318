"""What holds for every family and every local, as checks: each gets an entry of the table in `families` and a model.

A check raises if something is not so. What a family does not have is tested too: it is refused, in the words that the
table names.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from math import log, sqrt

import families
import numpy as np
import pytest
from amount import IS_ALL
from suites.agreement import EXACT_METHODS, check_counts, check_same
from test_json import described, keys_of
from test_page import Reader

import algdim
from algdim.bound.strategy import KNOWN
from algdim.certificate.exporting import NotProvedError
from algdim.cli import main
from algdim.models.notation import to_text

SYMBOLIC_TERMS = 60
"""Coordinates times parameters up to which the map is multiplied out."""

CASES, DRAWS = 12, 4000
ERROR = 1e-9
"""The chance that a sample is called wrong that is right; the seeds are fixed."""


@cache
def model_of(family, seed):
    """The model of a seed."""
    return family.model(seed)


def text_of(model):
    """The model in the notation."""
    return to_text(model)


def draw_of(family, model):
    """Random choices that are the same for the same model."""
    return random.Random(f"{family.name} {text_of(model)}")


def document(text):
    """The value of a JSON text that has no number which JSON has not."""

    def refuse(word):
        raise AssertionError(f"{word} is no number of JSON")

    return json.loads(text, parse_constant=refuse)


def check_methods(family, model):
    """All methods find the dimension of the brute force, with the counts and the promises of a report, by any seed."""
    expected, counts = family.dimension(model), (family.standard(model), family.complete(model))
    for method in (*EXACT_METHODS, "float", "symbolic", "auto"):
        if method == "symbolic" and not is_multiplied_out(family, model):
            continue
        try:
            report = algdim.dimension(model, method=method)
        except algdim.LimitError:
            assert method == "symbolic"  # no polynomials, or they grow beyond the limit
            continue
        except algdim.InputError as error:
            if method in ("table", "probes", "auto") or not is_without_formulas(family, error):
                raise
            continue
        assert (method, expected) == (method, report.dimension)
        check_counts(report, *counts)
        assert method != "symbolic" or report.exact
        assert (model, model.family) == (report.model, report.to_dict()["family"])
        if report.moments is not None:
            known = min(report.standard, report.moments.complete)
            assert report.dimension <= report.moments.upper.value <= known
    assert expected == algdim.dimension(text_of(model), seed=7).dimension
    check_same(algdim.dimension(model), algdim.dimension(model))


def is_without_formulas(family, error):
    """Whether something is refused because entries are no rational functions."""
    return bool(re.search(family.sometimes.get(families.EXPLAIN, "^$"), str(error)))


def is_multiplied_out(family, model):
    """Whether elimination with symbols is quick; of cycles and of sums it is not even for small ones."""
    complete = family.complete(model)
    return complete is not None and "cycles" not in family.name and complete * family.standard(model) <= SYMBOLIC_TERMS


def check_bounds(family, model):
    """No bound is below the dimension, alone or by districts; where the bounds meet they say the dimension."""
    expected = family.dimension(model)
    forms = [(name, districts) for name in KNOWN for districts in ("", ",districts")]
    # each day a third of them, another one for each model
    draw_of(family, model).shuffle(forms)
    for name, districts in forms if IS_ALL else forms[: len(forms) // 3]:
        report = algdim.dimension(model, bounds=f"{name},{family.last_bound}{districts}")
        assert (name, districts, True) == (name, districts, report.lower.value <= expected <= report.upper.value)
        assert not report.exact or expected == report.dimension
        assert name == "chance" or report.upper.is_proved
    automatic = algdim.dimension(model)
    assert automatic.lower.value <= expected <= automatic.upper.value
    assert not automatic.exact or expected == automatic.dimension


def check_reading(family, model):
    """Text, file, dictionary, graph and what other programs read are read back as the same model, or refused in words."""
    text, file = text_of(model), algdim.export(model, "json")
    assert model == algdim.model(text)
    assert model == algdim.model(file, format="json")
    assert model == algdim.model(document(file))
    assert text == text_of(algdim.model(text))
    same = {"dagitty": True, "bif": True, "lavaan": False}
    for target, is_same in same.items():
        try:
            written = algdim.export(model, target)
        except algdim.InputError:  # the program has no words for it
            assert model.family not in WRITTEN.get(target, ()) or not is_plain(model)
            continue
        again = algdim.model(written, format="lavaan:lavaan" if target == "lavaan" else target)
        assert family.dimension(model) == family.dimension(again)
        assert not is_same or model == again
    if model.family == "discrete":
        from algdim.readers.graphs import convert_to_graph

        assert model == algdim.model(convert_to_graph(model).copy())


WRITTEN = {"dagitty": ("discrete", "gaussian"), "bif": ("discrete",), "lavaan": ("gaussian",)}
"""The families that each program has."""


def is_plain(model):
    """Whether a graph says everything: free tables or numbers, no means, no groups, nothing given."""
    if model.family == "gaussian":
        return not (model.fixed or model.equal or model.linear or model.groups or model.means)
    plain = all(
        variable.local == type(variable.local)() for variable in model.variables if variable.local.kind == "table"
    )
    return plain and not model.given and {variable.local.kind for variable in model.variables} == {"table"}


def check_proof(family, model):
    """What is proved has a certificate that the checker accepts, of the dimension and of no other."""
    expected, report = family.dimension(model), algdim.dimension(model)
    try:
        certificate = algdim.prove(model)
    except NotProvedError as error:
        if report.exact and not re.search(family.sometimes.get(families.PROVE, "^$"), str(error)):
            raise
        return
    assert expected == certificate.dimension
    assert "accepted" == algdim.verify(certificate).word
    for change in (-1, 1):
        data = document(certificate.text)
        data["claim"]["dimension"] += change
        assert not algdim.verify(data).accepted
        for side in data["evidence"].values():
            side["value"] += change
        assert not algdim.verify(data).accepted


def check_point(family, model):
    """At given parameters the rank is that of brute force; verdicts count as many dimensions as there are."""
    point = family.point(model, draw_of(family, model))
    file, expected = family.file(model, point), family.dimension(model)
    rank = family.rank_at(model, point)
    try:
        report = algdim.dimension(model, at=file)
    except algdim.InputError as error:
        if not re.search(family.sometimes.get(families.AT, "^$"), str(error)):
            raise
        with pytest.raises(algdim.InputError, match=family.sometimes[families.AT]):
            algdim.identify(model, at=file)
        return
    assert rank == report.at.rank
    assert report.at.regular in ({False, None} if rank < expected else {True, None})
    assert not report.exact or report.moments is not None or report.at.regular == (rank == expected)
    no_verdicts = family.refused.get(families.IDENTIFY_AT)
    found = algdim.identify(model, at=None if no_verdicts else file)
    assert expected == found.report.dimension
    names = [verdict.parameter for verdict in found.verdicts]
    assert family.standard(model) == len(set(names)) == len(names)
    if found.report.exact or not found.undecided:
        assert family.standard(model) - expected == len(found.fixing)
    assert set(found.lost) >= set(found.fixing)
    if no_verdicts:
        with pytest.raises(algdim.InputError, match=no_verdicts):
            algdim.identify(model, at=file)
        return
    here = found.at
    assert rank == here.rank
    assert names == [name for name, _ in here.identifiable]
    assert rank < len(names) or {True} >= {known for _, known in here.identifiable}
    assert not (here.regular and rank < expected)
    if here.regular:
        assert set(here.list_parameters(True)) == set(names) - set(found.lost) - set(found.undecided)
        assert rank >= len(here.list_parameters(True))


def check_explanation(family, model):
    """The explanation has the dimension in all four forms and in JSON, and each form is well formed."""
    expected, text = family.dimension(model), text_of(model)
    found = algdim.explain(model)
    assert expected == found.report.dimension
    assert f"dimension {expected}" in found.text()
    assert all(sign.isprintable() or sign == "\n" for sign in found.text())
    assert found.markdown().startswith("# ")
    assert f"dimension {expected}" in found.markdown()
    latex = found.latex()
    opened = Counter(part.partition("}")[0] for part in latex.split(r"\begin{")[1:])
    assert opened == Counter(part.partition("}")[0] for part in latex.split(r"\end{")[1:])
    assert 1 == opened["document"]
    page = Reader()
    page.feed(found.html())
    page.close()
    assert [] == page.open
    assert f"dimension {expected}" in "".join(page.text)
    assert not [value for name, value in page.attributes if name == "src" and "//" in (value or "")]
    told = document(json.dumps(found.to_dict(), allow_nan=False))
    assert (text, model.family, expected) == (told["model"], told["family"], told["report"]["dimension"])
    assert family.standard(model) == sum(share["count"] for share in told["parameters"])
    assert not [share["of"] for share in told["parameters"] if set(share["of"]) & set("()|=")]


COUNTS = ("poisson", "max-poisson", "at-least-poisson")
"""Families of which an effect is a count."""


def some_cases(family, model, law):
    """Random cases that can occur, as columns: states by their chances, numbers near 0 or 1."""
    draw = draw_of(family, model)
    cells = [cell for cell in law.mixtures if law.chance(cell) > 0]
    # each state that a variable can have occurs, for a column shows no other
    chosen = [*cells, *draw.choices(cells, k=CASES)] if law.states else [()] * CASES
    columns = {name: [cell[place] for cell in chosen] for place, name in enumerate(law.states)}
    whole = model.family in COUNTS
    for name in law.numbers:
        drawn = [draw.randint(0, 6) if whole else draw.uniform(-2, 3) for _ in chosen]
        # without means in the model those of the data are taken out
        shift = 0 if getattr(model, "means", True) else sum(drawn) / len(drawn)
        columns[name] = [value - shift for value in drawn]
    return columns


def check_likelihood(family, model):
    """The log-likelihood of cases at given parameters is that of the definition."""
    point = family.point(model, draw_of(family, model))
    file = (family.fit_file or family.file)(model, point)
    if families.FIT in family.refused:
        for action in (algdim.fit, lambda data, model: algdim.fit_at(data, model, file)):
            with pytest.raises(algdim.InputError, match=family.refused[families.FIT]):
                action({"A": [0, 1]}, model)
        return
    if family.law is None:
        return
    law = family.law(model, point)
    columns = some_cases(family, model, law)
    cases = [dict(zip(columns, case, strict=True)) for case in zip(*columns.values(), strict=True)]
    expected = sum(law.log_density(case) for case in cases)
    try:
        found = algdim.fit_at(columns, model, file)
    except algdim.InputError as error:
        if not re.search(family.sometimes.get(families.FIT, "^$"), str(error)):
            raise
        return
    assert expected == pytest.approx(found.loglik, rel=1e-7, abs=1e-7)
    document(json.dumps(found.to_dict(), allow_nan=False))


def check_missing(family, model):
    """With missing entries it is the sum over them, or the integral: the law of what each case shows."""
    if families.FIT in family.refused or family.law is None:
        return
    draw = draw_of(family, model)
    point = family.point(model, draw)
    law = family.law(model, point)
    columns = some_cases(family, model, law)
    for name, column in columns.items():
        if name not in law.given:
            # the first cases show every state that there is
            columns[name] = [
                value if row < len(law.mixtures) + 1 or draw.random() < 0.7 else None
                for row, value in enumerate(column)
            ]
    cases = [dict(zip(columns, case, strict=True)) for case in zip(*columns.values(), strict=True)]
    expected = sum(law.log_density(case) for case in cases)
    try:
        found = algdim.fit_at(columns, model, (family.fit_file or family.file)(model, point), missing=True)
    except algdim.InputError as error:
        if not re.search(family.sometimes.get(families.FIT, "^$") + "|the model has no means", str(error)):
            raise
        return
    assert expected == pytest.approx(found.loglik, rel=1e-7, abs=1e-7)
    assert found.sample.missing == sum(value is None for column in columns.values() for value in column) - sum(
        len(case) for case in cases if law.numbers and all(value is None for value in case.values())
    )


def check_sample(family, model):
    """A sample has the frequencies and distribution functions of the definition."""
    point = family.point(model, draw_of(family, model))
    file = family.file(model, point)
    if families.SIMULATE in family.refused and (model.family != "classifier" or len(model.variables) > 1):
        with pytest.raises(algdim.InputError, match=family.refused[families.SIMULATE]):
            algdim.simulate(model, file, 5)
        return
    if family.law is None:
        return
    law = family.law(model, point)
    data = algdim.simulate(model, (family.fit_file or family.file)(model, point), DRAWS)
    assert {*law.states, *law.numbers} == set(data.columns)
    cells = list(zip(*(data[name].tolist() for name in law.states), strict=True)) if law.states else [()] * DRAWS
    assert set(cells) <= {cell for cell in law.mixtures if law.chance(cell) > 0}
    most = sqrt(log(2 * len(law.mixtures) / ERROR) / (2 * DRAWS))
    counts = Counter(cells)
    assert all(abs(counts[cell] / DRAWS - law.chance(cell)) <= most for cell in law.mixtures)
    if not law.numbers:
        return
    draw = draw_of(family, model)
    weights = np.array(
        [draw.uniform(0.2, 1) * (1 if model.family in COUNTS else draw.choice([-1, 1])) for _ in law.numbers]
    )
    values = np.stack([data[name] for name in law.numbers], axis=1) @ weights
    for cell in law.mixtures:
        inside = np.sort(values[[one == cell for one in cells]])
        for value in inside[:: max(1, len(inside) // 20)]:
            share = np.count_nonzero(inside <= value + 1e-9) / DRAWS
            assert abs(share - law.below(cell, weights, value)) <= most


def run(*arguments):
    """The exit code of a command, and what it prints on both channels."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(arguments))
    return code, out.getvalue(), err.getvalue()


def check_json(family, model):
    """What commands print as JSON is JSON, says the model, and counts what brute force counts; comparing finds nothing."""
    text, expected = text_of(model), family.dimension(model)

    def told(*arguments):
        code, out, err = run(*arguments, "--json")
        assert 0 == code
        assert all(line.startswith("algdim: note: ") for line in err.splitlines()), err
        found = document(out)
        assert set() == set(keys_of(found)) - words_of(arguments[0])
        return found

    report = told("dim", text)
    assert (expected, model.family) == (report["dimension"], report["family"])
    assert (family.standard(model), text) == (report["standard"], report["model"])
    if families.VERDICTS in family.sometimes and expected < family.standard(model):
        assert re.search(family.sometimes[families.VERDICTS], run("identify", text)[2])
    else:
        found = told("identify", text)
        assert (expected, family.standard(model)) == (found["dimension"], len(found["parameters"]))
    code, out, err = run("map", text, "--json")
    if code:  # it is too large to be written out, or no formula
        assert err.rstrip().endswith("smaller model") or is_without_formulas(family, err)
    else:
        assert family.standard(model) == len(document(out)["parameters"])
    assert "equal" == told("compare", text, text)["relation"]
    if families.CONSTRAINTS in family.refused:
        code, out, err = run("constraints", text)
        assert (True, "") == (code != 0, out)
        assert family.refused[families.CONSTRAINTS] in err
    else:
        told("constraints", text)


@cache
def words_of(command):
    """The keys that the page about JSON describes for a command."""
    return frozenset(
        re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", described(command), flags=re.MULTILINE | re.DOTALL))
    )


CHECKS = {
    "methods": check_methods,
    "bounds": check_bounds,
    "reading": check_reading,
    "proof": check_proof,
    "point": check_point,
    "likelihood": check_likelihood,
    "missing": check_missing,
    "sample": check_sample,
    "explanation": check_explanation,
    "json": check_json,
}
SLOWER = ("explanation", "json")
"""These take a second for each family, and are made of fewer models."""
