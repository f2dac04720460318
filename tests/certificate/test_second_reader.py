"""FORMAT.md and the checker agree: a second reader, written from the page, refuses nothing that is accepted."""

import copy
import json
import random

import pytest
from amount import daily
from certificates import FOLDER
from second_reader import NotInTheFormat, read

from algdim.certificate import checker

ACCEPTED = sorted((FOLDER / "accepted").iterdir(), key=lambda file: file.name)
SMALL = [file for file in ACCEPTED if file.stat().st_size < 4000]


def refused(data):
    """Whether the second reader refuses it."""
    try:
        read(data)
    except NotInTheFormat:
        return True
    return False


@pytest.mark.parametrize("word", ["accepted", "rejected"])
def test_what_is_in_the_format_is_read(word):
    """Whatever the checker accepts or calls false, it calls unreadable nothing of it."""
    assert [] == [file.name for file in sorted((FOLDER / word).iterdir()) if refused(file.read_bytes())]


def places(value, path=()):
    """All places in a value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(data, rng):
    """A text in which one value is another, or is gone, or has a neighbour that no format knows."""
    data = copy.deepcopy(data)
    path = rng.choice([path for path in places(data) if path])
    around = data
    for key in path[:-1]:
        around = around[key]
    others = [None, True, 0, -1, "", "1", "1/2", "2/4", "x", [], {}, [None], {"A": None}, [[]], {"1": "1"}]
    kind = rng.randrange(4)
    if kind == 0 and isinstance(around, dict):
        del around[path[-1]]
    elif kind == 1 and isinstance(around, dict):
        around[rng.choice(["along", "tables", "names", "given", "order", "probes", "hidden", "x"])] = rng.choice(others)
    else:
        around[path[-1]] = rng.choice(others)
    return data


@pytest.mark.parametrize("seed", daily(range(20), 4))
def test_what_the_second_reader_refuses_is_not_accepted(seed):
    """Of certificates that are accepted, each with one change."""
    rng = random.Random(seed)
    seen = 0
    for file in rng.sample(SMALL, 40):
        data = json.loads(file.read_bytes())
        for _ in range(5):
            text = json.dumps(changed(data, rng)).encode()
            if refused(text):
                seen += 1
                assert 0 != checker.verdict(text)[0], (file.name, text)

    assert seen > 20


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("pairwise.json", ("claim", "model", "tables"), {"{observed}": None}),
        ("pairwise.json", ("claim", "model", "tables"), None),
        ("pairwise.json", ("claim", "model", "given"), None),
        ("rank-probes.json", ("evidence", "lower", "probes"), None),
    ],
)
def test_null_is_no_value(name, path, value):
    """Where a key is not needed it is left out."""
    file = FOLDER / "accepted" / name
    data = json.loads((file if file.exists() else FOLDER / "accepted" / "pairwise.json").read_bytes())
    if isinstance(value, dict):
        value = {data["claim"]["model"]["variables"][-1]["name"]: None}
    around = data
    for key in path[:-1]:
        around = around[key]
    around[path[-1]] = value
    text = json.dumps(data).encode()

    assert refused(text)
    assert checker.Unreadable.code == checker.verdict(text)[0]


def test_a_field_that_has_a_bound_is_along_nothing():
    """`along` that is null stood beside `upper`."""
    for file in ACCEPTED:
        data = json.loads(file.read_bytes())
        upper = data["evidence"]["upper"]
        if upper["kind"] == "symmetry" and isinstance(upper["fields"][0], dict) and "upper" in upper["fields"][0]:
            upper["fields"][0]["along"] = None
            text = json.dumps(data).encode()

            assert refused(text)
            assert checker.Unreadable.code == checker.verdict(text)[0]
            return
    pytest.fail("no such field among the accepted")


def test_a_bound_is_of_hidden_variables_that_are_named():
    """`hidden` can be left out beside `along` alone."""
    for file in ACCEPTED:
        data = json.loads(file.read_bytes())
        upper = data["evidence"]["upper"]
        if upper["kind"] == "symmetry" and isinstance(upper["fields"][0], dict) and "upper" in upper["fields"][0]:
            del upper["fields"][0]["hidden"]
            text = json.dumps(data).encode()

            assert refused(text)
            assert checker.Unreadable.code == checker.verdict(text)[0]
            return
    pytest.fail("no such field among the accepted")
