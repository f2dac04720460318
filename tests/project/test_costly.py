"""The search for costly texts: what it draws, that it measures and ends what costs too much, and that it goes on."""

import os
import random
import sys
from dataclasses import asdict, replace
from importlib.util import find_spec
from itertools import count
from json import dumps

import pytest
from amount import SEED, in_turn

from algdim.errors import AlgdimError
from algdim.limits import sharpen
from hunting import costly, short_texts
from hunting.costly import Run, Search
from hunting.short_texts import COMMANDS, FAMILIES, LONGEST, Choices, bred, draw_sweep, draw_words

ONE = Run(0, "tree", "dim", ("dim", "2:2"), (0.5, 0.5), 1.0, 1 << 20, "0", "")


@pytest.mark.parametrize("family", FAMILIES)
def test_texts_come_from_their_choices(family):
    """The same choices give the same text; most of the texts are models."""
    read = 0
    for number in range(40):
        draw = Choices((), random.Random(f"{SEED}/{number}"))
        text = FAMILIES[family](draw)
        assert text == FAMILIES[family](Choices(draw.made, random.Random(1)))
        try:
            costly.read_model(text)
        except AlgdimError:
            continue
        read += 1
    assert read >= 5


def test_commands_have_their_models():
    """Not longer than is said; where two are compared they are like each other."""
    for number, command in enumerate(list(COMMANDS) * 3):
        words = draw_words("latent class", command, Choices((), random.Random(number)))
        if words is not None:
            models = [word.rpartition(" of ")[2] for word in words if ":" in word]
            assert len(set(models)) == 1 or command == "compare"
            assert max(map(len, models)) <= LONGEST
    assert draw_sweep(Choices((), random.Random(0)))[0] == "sweep"


def test_words_for_files_and_for_the_page(tmp_path):
    """Data, claims and parameters are written for the model; what is asked of the page is answered."""
    network = "H -> A, B; hidden H; states A=3"
    for kind, (write, suffix) in costly.FILES.items():
        path = tmp_path / f"{kind}{suffix}"
        write(network, path)
        assert path.stat().st_size > 20
    assert (tmp_path / "data.csv").read_text(encoding="utf-8").startswith("A,B\n")
    assert [0, 0, 2] == [
        costly.ask_studio(*asked) for asked in (("dim", network), ("what-if", network), ("dim", "A -> "))
    ]


def test_what_is_loaded_beforehand_exists():
    """A module that has another name would end the search before its first text."""
    assert [] == [module for module in costly.FOR_FILES if find_spec(module) is None]


def test_children_are_like_their_elders():
    """A child has most of the choices of one elder, in their order."""
    for number in range(20):
        one, other = [k / 100 for k in range(50)], [0.99] * 50
        child = bred(one, other, random.Random(number))
        assert child != one
        assert all(0 <= choice < 1 for choice in child)


def test_the_costliest_have_children():
    """A text that was ended has none, nor one that is refused; families that have cost much come less often."""
    search = Search("0")
    for number, seconds in enumerate((1.0, 3.0, 2.0)):
        search.take(replace(ONE, number=number, seconds=seconds))
    search.take(replace(ONE, number=3, seconds=9.0, outcome="time"))
    search.take(replace(ONE, number=4, seconds=9.0, outcome="2"))

    assert [3.0, 2.0, 1.0] == [one.seconds for one in search.elders["tree", "dim"]]
    assert search.number == 5
    assert search.spent["tree", "dim"] > 20
    family, command, words, choices = search.next()
    assert (family, command, words, choices) == search.next()  # the same until it is taken


@in_turn(2)
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_what_costs_too_much_is_ended(tmp_path, monkeypatch):
    """Time and memory are those of the system; a traceback is told from a refusal."""

    def act(words, errors, seconds):
        del errors, seconds
        if words[0] == "idle":
            sharpen("a search without end", lambda: all(number >= 0 for number in count()))
        if words[0] == "hoard":
            hoard = []
            while True:
                hoard.append(bytearray(1 << 22))
        if words[0] == "break":
            raise ZeroDivisionError
        return int(words[0])

    monkeypatch.setattr(costly, "act", act)
    most = costly.look_at(os.getpid())[1] + (200 << 20)
    limits = {"0": 30, "3": 30, "idle": 0.3, "hoard": 30}
    outcomes = {word: costly.run([word], tmp_path, seconds, most) for word, seconds in limits.items()}

    assert {"0": "0", "3": "3", "idle": "time", "hoard": "memory"} == {word: one[2] for word, one in outcomes.items()}
    assert outcomes["idle"][0] >= 0.3
    assert ["", "", "limits.sharpen", ""] == [outcomes[word][4] for word in ("0", "3", "idle", "hoard")]
    assert outcomes["hoard"][1] > outcomes["0"][1] + (100 << 20)
    assert costly.run(["break"], tmp_path, 30, most)[2] == "traceback"


def test_a_list_that_was_cut_is_read(tmp_path):
    """As far as it goes."""
    path = tmp_path / "0.jsonl"
    path.write_text(dumps(asdict(ONE)) + "\n" + dumps(asdict(ONE))[:50], encoding="utf-8")

    assert [ONE] == list(costly.read_runs(path))


def test_faults_are_told_from_refusals():
    """A refusal is none; a text beyond what is promised is, if it said nothing."""
    long = replace(ONE, seconds=130.0)
    assert [False, False, True, False, True, True] == [
        costly.is_fault(one)
        for one in (
            ONE,
            replace(ONE, outcome="3", said="algdim: too large"),
            long,
            replace(long, said="algdim dim: 30 s: rank 3 of 9"),
            replace(ONE, outcome="traceback"),
            replace(ONE, outcome="memory"),
        )
    ]
    table = costly.rank([ONE, long, replace(ONE, family="network", words=("dim", "A -> B"))], 10)
    assert "| `dim 2:2` | 130.0 | 1 MB | 0 |  |" in table
    assert "`dim 'A -> B'`" in table
    assert short_texts.span("X", 3) == "X1..X3"
