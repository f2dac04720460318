"""The language of sweeps: what is read, what is generated, and what is refused with which words."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations, permutations, product
from unittest import mock

import pytest
from amount import in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import AlgdimError, InputError, LimitError
from algdim.families.gaussian.model import Gaussian
from algdim.models.notation import to_text
from algdim.sweeping import families, language
from algdim.sweeping.families import Range
from algdim.sweeping.language import KINDS, read_sweep

SMALL = [
    "lc cells<=40",
    "trees leaves<=5 states<=3 classes<=3",
    "trees leaves<=4 nodes<=7 neighbours>=2",
    "mixed nodes=3",
    "networks observed=3 hidden<=2 classes<=3",
    "random-trees count=60 seed=3",
    "random-networks count=60 seed=3",
    "random-trees count=9 leaves>=9 leaves<=10",
    "networks observed=2 hidden>=0 hidden<=1",
]


@pytest.mark.parametrize("text", SMALL)
def test_models_are_printed_as_the_notation_prints_them(text):
    """A model's text is its identity: parsed and printed it is the same, and none occurs twice."""
    texts = read_sweep(text).texts()

    assert texts == [to_text(algdim.model(one)) for one in texts]
    assert len(texts) == len(set(texts))
    assert texts == read_sweep(text).texts()


@pytest.mark.parametrize("text", SMALL)
def test_round_trip(text):
    """A sweep is printed so that it is read as the same."""
    assert read_sweep(text) == read_sweep(str(read_sweep(text)))


@settings(max_examples=some(30))
@given(st.integers(4, 40), st.integers(2, 4), st.integers(2, 6))
def test_ranges_are_obeyed(cells, items, classes):
    """Every latent class model is in the ranges, and those of a narrower sweep are those of the wider one that fit."""
    narrow = read_sweep(f"lc cells<={cells}, items <= {items}, classes<={classes}").texts()
    shapes = {text: algdim.model(text) for text in read_sweep(f"lc cells<={cells}").texts()}
    wanted = [
        text for text, model in shapes.items() if len(model.observed) <= items and model.hidden[0].states <= classes
    ]

    assert wanted == narrow


@pytest.mark.parametrize(
    "terms",
    [["leaves>=10", "leaves<=12"], ["hidden>=5", "hidden<=6", "seed=2"], ["states>=2", "states=3", "leaves=9"]],
)
def test_terms_stand_in_any_order(terms):
    """What a sweep says does not depend on what is said first."""
    assert 1 == len({str(read_sweep(" ".join(["random-trees count=2", *order]))) for order in permutations(terms)})


def test_a_number_outside_its_range_is_refused():
    """A number and a limit that excludes it, whichever stands first."""
    for text in ("lc cells>=8 cells=5", "lc cells=5 cells>=8"):
        with pytest.raises(InputError, match="no number of cells is from 8 to 5"):
            read_sweep(text)


@pytest.mark.slow
def test_latent_classes_up_to_260_cells():
    """The 6,628 models of which twelve have a dimension below db."""
    assert 6628 == len(read_sweep("lc cells<=260").texts())


def test_trees_are_as_many_as_in_print():
    """Trees without nodes of degree two, by number of leaves: OEIS A007827."""
    counts = [len(read_sweep(f"trees leaves={leaves}").texts()) for leaves in range(3, 8)]

    assert [1, 2, 3, 7, 13] == counts


def test_trees_with_states_are_the_classes():
    """Four leaves on two hidden variables with states of their own, by going through all and sorting the two sides."""
    wanted = set()
    for a, b in product((2, 3), repeat=2):
        for leaves in product((2, 3), repeat=4):
            sides = ((a, tuple(sorted(leaves[:2]))), (b, tuple(sorted(leaves[2:]))))
            wanted.add(tuple(sorted(sides)))

    assert len(wanted) == len(read_sweep("trees leaves=4 hidden=2 states<=3 classes<=3").texts())


@in_turn(3)
def test_trees_that_are_not_wanted_take_no_time():
    """Trees with many hidden variables are left out before they get states, and leaves of one node can change places."""
    # one hidden variable; two with 2 and 6, 3 and 5, or 4 and 4 leaves
    assert 5 + 25 + 25 + 15 == len(read_sweep("trees leaves=8 hidden<=2 classes<=6").texts())
    # lists of 12 numbers of five, their order left out
    assert 1820 == len(read_sweep("trees leaves=12 hidden=1 states<=6").texts())
    # the same with a chain of two hidden variables: 1 and 11 leaves, 2 and 10, and so on
    assert 6 == len(read_sweep("trees leaves=12 hidden=2 neighbours>=2").texts())


def test_mixed_graphs_are_the_classes():
    """Acyclic mixed graphs on three vertices, by going through all labelled ones and renaming."""
    names = range(3)
    pairs = list(combinations(names, 2))
    classes = set()
    for arrows in product((0, 1, 2), repeat=3):
        directed = {pair[:: 1 if arrow == 1 else -1] for pair, arrow in zip(pairs, arrows, strict=True) if arrow}
        if directed in ({(0, 1), (1, 2), (2, 0)}, {(1, 0), (2, 1), (0, 2)}):
            continue
        for size in range(4):
            for bidirected in combinations(pairs, size):
                classes.add(
                    frozenset(
                        (
                            frozenset((p[v], p[w]) for v, w in directed),
                            frozenset(frozenset((p[v], p[w])) for v, w in bidirected),
                        )
                        for p in permutations(names)
                    )
                )
    models = [algdim.model(text) for text in read_sweep("mixed nodes=3").texts()]

    assert len(classes) == len(models)
    assert all(isinstance(model, Gaussian) and not model.means and not model.hidden for model in models)


def test_mixed_graphs_of_foygel_draisma_and_drton():
    """All acyclic mixed graphs on five vertices with at most ten edges are 103,670 (Foygel, Draisma, Drton, arXiv:1107.5552)."""
    from algdim.sweeping.families import ANY, iterate_graph_parts

    assert 103_670 == sum(1 for _ in iterate_graph_parts(5, Range(0, 10), ANY, ANY))


def test_networks_are_the_classes():
    """Three observed variables and one hidden root with two children or more, by going through all labelled ones."""
    names = range(3)
    pairs = list(combinations(names, 2))
    classes = set()
    for arrows in product((0, 1, 2), repeat=3):
        directed = {pair[:: 1 if arrow == 1 else -1] for pair, arrow in zip(pairs, arrows, strict=True) if arrow}
        if directed in ({(0, 1), (1, 2), (2, 0)}, {(1, 0), (2, 1), (0, 2)}):
            continue
        for block in [*pairs, (0, 1, 2)]:
            images = (
                (frozenset((p[v], p[w]) for v, w in directed), frozenset(p[v] for v in block))
                for p in permutations(names)
            )
            classes.add(frozenset(images))

    assert len(classes) == len(read_sweep("networks observed=3").texts())


def test_files_of_models(tmp_path):
    """Lines of a text file, or the models of a table; comments and doubles are left out, names are what they stand for."""
    lines = tmp_path / "some.txt"
    lines.write_text("# mine\n\n2:2,2\nH -> A, B; hidden H\n2(2,2)\n", encoding="utf-8")
    table = tmp_path / "some.csv"
    table.write_text('label,model\none,"2:2,2"\n', encoding="utf-8")

    assert ["2:2,2", "H -> A, B; hidden H"] == read_sweep(str(lines)).texts()
    assert ["2:2,2"] == read_sweep(str(table)).texts()


def test_all_lines_that_cannot_be_read_are_said(tmp_path):
    """At once, with their numbers in the file; those that can be read are read nevertheless where they are asked for."""
    lines = tmp_path / "some.txt"
    lines.write_text("# mine\n\n2:2,2\n2:2,\n3:2,2,2,2\nno.json\n", encoding="utf-8")
    found = read_sweep(str(lines))

    with pytest.raises(InputError) as caught:
        found.texts()
    said = str(caught.value).splitlines()

    assert f"{lines}: 2 of 4 models cannot be read" == said[0]
    assert said[1].startswith("  line 4, '2:2,': ")
    assert said[2].startswith("  line 6, 'no.json': ")
    assert ["fix that, or let --keep-going record it as failed"] == said[3:]
    assert ["2:2,2", "2:2,", "3:2,2,2,2", "no.json"] == list(found.entries().models)
    assert [True, False, True, False] == [unread is None for unread in found.entries().models.values()]


def test_a_file_without_models_is_refused(tmp_path):
    """Comments are no models."""
    lines = tmp_path / "some.txt"
    lines.write_text("# nothing\n", encoding="utf-8")

    with pytest.raises(InputError, match="there is no such model; list some"):
        read_sweep(str(lines)).texts()


REFUSED = {
    "": "the sweep is empty; a sweep is written like",
    "foo cells<=3": "there is no kind 'foo' of models; known are lc, symmetric, trees",
    "lc": "how many cells",
    "lc cells<=9 foo=3": "lc has no quantity 'foo'; it has cells, items, states, classes",
    "lc cells": "'cells' is no range; one is written like cells<=12",
    "lc cells=<9": "'cells=<9' is no range",
    "lc cells<=2": "no number of cells is from 4 to 2",
    "lc cells<=9 classes>=5 classes<=3": "no number of classes is from 5 to 3",
    "lc cells<=9 classes>=1": "the least allowed is 2",
    "lc cells<=9 items>=4": "there is no such model",
    "lc cells<=9999": "at most 4096 are allowed for lc",
    "lc cells<=9999999": "numbers up to 1000000",
    "mixed nodes<=9": "at most 6 are allowed for mixed",
    "trees leaves<=6 neighbours>=2": "needs nodes<=",
    "trees leaves<=40": "at most 14 are allowed",
    "trees leaves<=4 states>=3": "how many states",
    "random-trees leaves<=5": "how many count",
    "nothing.txt": "there is no such file",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_say_why(text):
    """What cannot be swept is refused with the reason and what is allowed."""
    with pytest.raises(AlgdimError) as caught:
        read_sweep(text).texts()

    assert REFUSED[text] in str(caught.value)


@given(st.sampled_from(sorted(KINDS)), st.text("cels<=>123 ,", max_size=20))
def test_texts_are_read_or_refused(kind, rest):
    """Whatever is written, there is a sweep or an error of ours."""
    with suppress(AlgdimError):
        assert kind == read_sweep(f"{kind} {rest}").kind


def test_a_list_that_grows_too_long_is_refused_before_it_is_made(monkeypatch):
    """By how many there are at least; whoever waits for one that is not is told how long it is by now."""
    told = []
    monkeypatch.setattr(language, "EACH_TOLD", 20)
    read_sweep("mixed nodes<=3").entries(progress=told.append)
    assert ["20 models so far", "40 models so far"] == told[:2]
    monkeypatch.setattr(language, "MOST_MODELS", 30)
    with (
        mock.patch.object(families, "iterate_graph_parts", side_effect=AssertionError),
        pytest.raises(LimitError, match="more than 30 models; narrow the ranges"),
    ):
        read_sweep("mixed nodes<=3").entries()


@pytest.mark.parametrize("text", ["mixed nodes<=3", "mixed nodes=4 edges<=2", "mixed nodes=3 directed>=2 bidirected=1"])
def test_there_are_no_fewer_mixed_graphs_than_counted(text):
    """The bound is that of orbits under groups."""
    sweep = read_sweep(text)
    known = len(sweep.texts())
    assert 0 < families.count_mixed_graphs_at_least(sweep.ranges) <= known
