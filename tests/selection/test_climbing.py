"""Climbs, and the file from which a search resumes."""

import csv
import json

import numpy as np
import pytest
from amount import in_turn

import algdim
from algdim import InputError
from algdim.selection.climbing import Journal, Judgement, climb, prefer, prefer_by_gain

ABOUT = {"format": "algdim-search-1", "search": "made up"}


def some_items(names="ABCDEF", size=400, noise=0.1):
    """Two hidden variables, each with three items, or some of these items; few cases, so that fits are quick."""
    random = np.random.default_rng(3)
    one = random.integers(0, 2, size)
    other = np.where(random.random(size) < 0.8, one, 1 - one)
    hidden = dict(zip("ABCDEF", [one] * 3 + [other] * 3, strict=True))
    items = {name: np.where(random.random(size) >= noise, of, 1 - of).tolist() for name, of in hidden.items()}
    return {name: items[name] for name in names}


def search(kind="interactions", data=None, **more):
    """A selection by a search."""
    options = {"by": "bic+", "score": "bic,bic+"}
    return algdim.select(some_items("ABD") if data is None else data, search=kind, **options, **more)


def test_a_climb_ends_where_no_neighbour_is_better():
    """On a path with two peaks it stays on the nearer one, and has judged what is beside its way only."""
    worth = [0.0, 1.0, 3.0, 2.0, 9.0]
    found = climb(
        0,
        lambda n: [k for k in (n - 1, n + 1) if 0 <= k < len(worth)],
        lambda n: Judgement(worth[n], n, n),
        lambda some: prefer(some, 0.1),
    )

    assert (0, 1, 2) == found.way
    assert [0, 1, 2, 3] == sorted(found.judged)
    assert [3, 2] == found.list_best(2)


def test_the_tolerance_makes_no_circle():
    """A wins by value, B is smaller within the tolerance, C beats B by another dimension, A beats C: it ends all the same."""
    worth = {"A": Judgement(1.0, 5, 9), "B": Judgement(0.95, 5, 8), "C": Judgement(0.97, 6, 9)}

    found = climb("A", lambda one: set("ABC") - {one}, worth.__getitem__, lambda some: prefer(some, 0.1))

    assert len(found.way) <= 3


def test_a_small_step_that_gains_more_for_its_dimension_is_taken_first():
    """Eight points for eight dimensions are less than three for one; what loses is never taken."""
    start, large, small = Judgement(0.0, 1, 1), Judgement(8.0, 9, 9), Judgement(3.0, 2, 2)

    assert "small" == prefer_by_gain([("start", start), ("large", large), ("small", small)], 0.1)
    assert "start" == prefer_by_gain([("start", start), ("worse", Judgement(-1.0, 0, 0))], 0.1)


def test_what_a_file_knows_is_not_judged_again(tmp_path):
    """A line that was cut off is judged again, the whole ones before it are not."""
    path = tmp_path / "search"
    first = Journal(ABOUT, path)
    first.look_up("a", lambda: Judgement(-1.5, 3, 4))
    first.look_up("b", lambda: Judgement(float("-inf"), 1, 1))
    path.write_text(path.read_text(encoding="utf-8") + '{"model": "c", "va', encoding="utf-8")

    again = Journal(ABOUT, path)

    assert again.known == first.known
    assert Judgement(-2.0, 1, 1) == again.look_up("c", lambda: Judgement(-2.0, 1, 1))
    assert "3 candidates scored, 2 of them before" == again.describe()
    assert again.known == Journal(ABOUT, path).known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "no search of algdim"),
        ("[" * 100_000 + "\n", "no search of algdim"),
        (json.dumps({**ABOUT, "search": "another"}) + "\n", "search another, not made up"),
        (json.dumps(ABOUT) + "\nno line\n", "line 2 is no line"),
        (json.dumps(ABOUT) + '\n{"model": "a", "value": 1e999, "dimension": 1, "standard": 1}\n', "a value and two"),
        (json.dumps(ABOUT) + '\n{"model": "a", "value": -1.0, "dimension": true, "standard": 1}\n', "a value and two"),
        (json.dumps(ABOUT) + '\n{"model": "a", "value": -1.0, "dimension": 1}\n', "a value and two"),
    ],
)
def test_other_files_are_refused(tmp_path, text, message):
    """And left as they are."""
    path = tmp_path / "search"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        Journal(ABOUT, path)

    assert text == path.read_text(encoding="utf-8")


def test_an_interrupted_search_resumes(tmp_path):
    """What an uninterrupted one finds, candidate by candidate, and nothing is scored twice."""
    path, told = tmp_path / "search", []

    def stop(text):
        told.append(text)
        if len(told) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(resume=path, progress=stop)
    known, rest = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][1:], []
    found = search(resume=path, progress=rest.append)
    whole = search()

    assert [(str(one.fit.model), one.values) for one in found.candidates] == [
        (str(one.fit.model), one.values) for one in whole.candidates
    ]
    assert [row["model"] for row in known] == told[:5]
    assert not set(told[:5]) & set(rest)
    with pytest.raises(InputError, match="of a search with data"):
        search(data=some_items("ABF"), resume=path)
    with pytest.raises(InputError, match="of a search with by bic"):
        algdim.select(some_items("ABD"), search="interactions", by="bic", resume=path)


@in_turn(3)
def test_the_tree_that_made_the_data_is_found():
    """Two hidden variables, out of 236 trees with binary hidden nodes alone."""
    best = search("latent-trees", some_items(size=1500, noise=0.15), starts=4).best.fit.model

    blocks = {
        frozenset(v.name for v in best.variables if v.parents == (one.name,) and v.observed) for one in best.hidden
    }
    assert {frozenset("ABC"), frozenset("DEF")} == blocks


def test_what_does_not_go_together_is_refused(tmp_path):
    """Each with what is expected."""
    for more, message in [
        ({"kind": "latent-tree"}, "did you mean 'latent-trees'"),
        ({"kind": "classifiers"}, "needs a class"),
        ({"label": "A"}, "has no class"),
    ]:
        with pytest.raises(InputError, match=message):
            search(**more)
    with pytest.raises(InputError, match="a sum over the variables, bic, bic"):
        algdim.select(some_items(), search="interactions", by="cs+")
    with pytest.raises(InputError, match="resume is for"):
        algdim.select(some_items(), classes=2, resume=tmp_path / "search")


@in_turn(2)
def test_names_that_the_notation_does_not_allow_are_found_again(tmp_path):
    """Columns with blanks are items of every search."""
    data = some_items()
    with (tmp_path / "d.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["the first", "2nd", "C"])
        out.writerows(zip(data["A"], data["B"], data["C"], strict=True))

    for kind, more in [("interactions", {}), ("classifiers", {"label": "C"})]:
        best = search(kind, tmp_path / "d.csv", **more).best.fit.model
        assert 3 == len(best.observed)


def test_classes_and_inputs_may_have_any_names():
    """Naive Bayes classifiers and those of any structure, of columns with blanks."""
    data = {"the first": [0, 0, 1, 1] * 30, "the class": [0, 0, 1, 1] * 28 + [1, 1, 0, 0] * 2}

    for more in ({}, {"search": "classifiers"}):
        found = algdim.select(data, label="the class", by="bic+", score="bic+", **more)
        assert {"the_first", "the_class"} == {one.name for one in found.best.fit.model.observed}


def test_missing_entries_are_for_latent_trees_alone():
    """Terms of different variables would be of different cases, and their sum no score."""
    data = some_items("ABD", size=40)
    data["A"][3] = None

    for more in ({}, {"kind": "classifiers", "label": "D"}):
        with pytest.raises(InputError, match="entries are missing"):
            search(data=data, missing=True, **more)
    assert search("latent-trees", data, missing=True, starts=2).searched.compared > 0
