"""Latent trees taken apart: numbers of KZ02, where the untested rule errs, where no rule is used, and large trees."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from amount import in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import decompose, dimension
from algdim.families.discrete.bounds.trees import compute_shape
from algdim.families.discrete.decomposition import ByRank, ByRule
from algdim.families.discrete.trees import (
    build_local_models,
    convert_to_network,
    count_parameters,
    find_latent_tree,
    reduce_tree,
)
from algdim.trust import probable

NO_SEARCH = "counting,ambient,chance"


def rank_of(model):
    """The rank of the whole, no theorem used."""
    return dimension(model, bounds=NO_SEARCH).dimension


def untested_rule(text, rank=rank_of):
    """KZ02 Corollary 4.1 without a look at regularity: ds less the differences of the local models."""
    tree = find_latent_tree(algdim.model(text))
    differences = [count_parameters(find_latent_tree(local)) - rank(local) for local in build_local_models(tree)]
    return count_parameters(tree) - sum(differences)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [("3(2,3(2))", 3, 2), ("3(2,2,3(2))", 7, 8), ("5(2,2,5(2,2))", 15, 14), ("5(2,2,5(2,3))", 23, 24)],
)
def test_where_the_untested_rule_errs(text, right, wrong):
    """The rule as it is printed, the rank, and the rule after reduction."""
    found = decompose(text)

    assert wrong == untested_rule(text)
    assert right == rank_of(algdim.model(text)) == found.dimension
    assert found.exact
    assert found.rule


def test_the_hlc_model_of_kz02():
    """KZ02 §4: 41 standard parameters, 23 effective ones, local differences 3, 12, 3."""
    found = decompose("5(2,3(2,2),3(2,2))")
    (part,) = found.parts

    assert (41, 23, True) == (found.standard, found.dimension, found.exact)
    assert 23 == rank_of(algdim.model("5(2,3(2,2),3(2,2))"))
    assert {"H1": 12, "H2": 3, "H3": 3} == {local.name: local.difference for local in part.locals}
    assert "41 − 23 = 12 + 3 + 3 = 18" in str(found)
    assert not part.reduction.is_changed


def test_every_step_is_shown():
    """Capping with both numbers of states, splicing and deletion with the neighbours."""
    shown = str(decompose("9(2,2,5(2,2(2)),4(2,2,2(2,2(3(2)))))"))
    deleted = str(decompose("H -> A, B, C, K; hidden H, K"))

    assert "reduced" in shown
    assert "→" in shown
    assert "suppressed" in shown
    assert "rank condition on each inner edge" in shown
    assert "KZ02 Theorem 5" in shown
    assert "deleted K (2 states), a leaf next to H" in deleted


@st.composite
def trees(draw, depth=2):
    """Draw the text of a latent tree, some observed variables inside."""
    children = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.integers(0, 2)) == 0:
            children.append(draw(trees(depth=depth - 1)))
        else:
            children.append(str(draw(st.integers(2, 3))))
    bang = "!" if depth < 2 and draw(st.integers(0, 3)) == 0 else ""
    return f"{bang}{draw(st.integers(2, 4))}({','.join(children)})"


@settings(max_examples=some(60))
@given(trees())
def test_the_sum_is_the_rank(text):
    """Whatever the parts, their sum is the rank of the whole, and the counts agree."""
    found = decompose(text)
    report = dimension(text, bounds=NO_SEARCH)

    assert (report.standard, report.dimension) == (found.standard, found.dimension)
    assert found.dimension <= found.upper
    assert all(isinstance(part, ByRule | ByRank) for part in found.parts)


@settings(max_examples=some(60))
@given(trees())
def test_observed_inner_variables_cut_the_tree_into_districts(text):
    """Cutting by hand at an observed inner variable X, each piece keeping X: the dimensions add up less what X repeats."""
    model = algdim.model(text)
    degree = {variable.name: 0 for variable in model.variables}
    for edge in model.edges:
        for name in edge:
            degree[name] += 1
    inner = [variable for variable in model.observed if degree[variable.name] > 1]
    pieces = pieces_between(model, {variable.name for variable in inner})
    repeated = sum((degree[variable.name] - 1) * (variable.states - 1) for variable in inner)
    total = sum(rank_of(piece) for piece in pieces)

    assert total - repeated == dimension(model, bounds=NO_SEARCH).dimension == decompose(text).dimension


def pieces_between(model, inner):
    """The parts of a tree between its observed inner variables, each with copies of those it touches."""
    from algdim.families.discrete.trees import LatentTree

    neighbours = {variable.name: [] for variable in model.variables}
    for one, other in model.edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    left, found = set(neighbours) - inner, []
    groups = [{one, other} for one, other in model.edges if {one, other} <= inner]
    while left:
        waiting, group = [left.pop()], set()
        while waiting:
            name = waiting.pop()
            group.add(name)
            if name not in inner:
                waiting += [other for other in neighbours[name] if other not in group]
        left -= group
        groups.append(group)
    hidden = {variable.name for variable in model.hidden}
    for group in groups:
        joined = {
            name: tuple(o for o in neighbours[name] if o in group and not (len(group) > 2 and {name, o} <= inner))
            for name in group
        }
        states = {name: model.states[name] for name in group}
        tree = LatentTree(
            {name: count for name, count in states.items() if name in hidden},
            {name: count for name, count in states.items() if name not in hidden},
            joined,
        )
        found.append(convert_to_network(tree))
    return found


@st.composite
def polytrees(draw):
    """Draw a network whose graph is a tree with edges in any direction."""
    size = draw(st.integers(3, 6))
    edges, states = [], []
    for number in range(1, size):
        other = draw(st.integers(0, number - 1))
        edges.append(f"V{other} -> V{number}" if draw(st.booleans()) else f"V{number} -> V{other}")
        states.append(draw(st.integers(2, 3)))
    hidden = draw(st.lists(st.integers(0, size - 1), max_size=size - 1, unique=True))
    clauses = ["; ".join(edges), "states " + ", ".join(f"V{place + 1}={count}" for place, count in enumerate(states))]
    return "; ".join([*clauses, *(["hidden " + ", ".join(f"V{name}" for name in hidden)] if hidden else [])])


@settings(max_examples=some(60))
@given(polytrees())
def test_polytrees(text):
    """Variables with two parents go by districts and ranks; the sum is the rank of the whole."""
    assert rank_of(algdim.model(text)) == decompose(text).dimension


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("H -> A, B, K; K -> C, D; hidden H, K; share s: A, B", "A, B have shared, fixed or equal entries"),
        ("H -> A, B, K; K -> C, D; hidden H, K; fix P(K=0|H=0)=0", "K has shared, fixed or equal entries"),
        (
            "H -> A, B, K; K -> C, D; hidden H, K; equal t = P(A=0|H=0), P(A=0|H=1)",
            "A has shared, fixed or equal entries",
        ),
        ("H -> B <- K -> C, D; H -> A; hidden H, K", "B has more than one parent"),
        ("2(2,2,1(2,2))", "H2 has one state"),
    ],
)
def test_no_rule_where_the_tables_are_not_free(text, why):
    """It is said that the rule is not used, and why; the rank is taken."""
    found = decompose(text)

    assert not found.rule
    assert why in str(found)
    assert "the rule is not used" in str(found)
    assert rank_of(algdim.model(text)) == found.dimension


def test_the_rule_would_be_wrong_with_shared_tables():
    """Two items that share a table: the local differences of free models do not give the dimension."""
    text = "H -> A, B, K; K -> C, D; hidden H, K; share s: A, B, C, D"

    assert rank_of(algdim.model(text)) != rank_of(algdim.model("H -> A, B, K; K -> C, D; hidden H, K"))
    assert rank_of(algdim.model(text)) == decompose(text).dimension


def caterpillar():
    """Three hundred observed and a hundred hidden variables."""
    text = "2(2,2,2)"
    for number in range(99):
        text = f"{3 if number % 2 else 2}(3,3,2,{text})"
    return text


def test_three_hundred_observed_and_a_hundred_hidden_variables(monkeypatch):
    """Of the hundred local models each shape is ranked once; the conditions go by messages along the edges."""
    ranked = []
    monkeypatch.setattr(
        "algdim.families.discrete.decomposition.dimension",
        lambda local, **options: ranked.append(compute_shape(local)) or dimension(local, **options),
    )
    found = decompose(caterpillar())

    assert (300, 100) == (len(found.model.observed), len(found.model.hidden))
    assert found.exact
    assert 198 == len(found.parts[0].ranks)
    assert len(set(ranked)) == len(ranked) < 10
    assert found.dimension == dimension(caterpillar()).dimension


@in_turn(3)
def test_a_large_random_tree_with_much_to_reduce():
    """A hundred hidden variables with up to nine states, leaves hung on anywhere."""
    found = decompose(random_tree(random.Random(3), 100, 300, 9))

    assert found.exact
    assert found.parts[0].reduction.is_changed
    assert json.dumps(found.to_dict())


def test_json():
    """What scripts read: steps, conditions, cuts, local models."""
    document = json.loads(json.dumps(decompose("5(2,2,5(2,3))").to_dict()))
    (part,) = document["parts"]

    assert (23, True, True) == (document["dimension"], document["exact"], document["rule"])
    assert document["dimension"] == sum(local["dimension"] for local in part["locals"]) - part["shared"]
    assert part["steps"]
    assert all(condition["holds"] for condition in part["conditions"])
    assert [side for cut in part["cuts"] for side in cut["sides"]]


def random_tree(source, hidden, leaves, most):
    """A random latent tree in which every hidden variable has something below."""
    parent = [-1, *(source.randrange(number) for number in range(1, hidden))]
    items = [[] for _ in range(hidden)]
    for number in range(hidden):
        if number not in parent:
            items[number].append(str(source.randint(2, 3)))
    for _ in range(leaves - sum(map(len, items))):
        items[source.randrange(hidden)].append(str(source.randint(2, 3)))
    texts = [""] * hidden
    for number in reversed(range(hidden)):
        below = [texts[child] for child in range(hidden) if parent[child] == number]
        texts[number] = f"{source.randint(2, most)}({','.join([*items[number], *below])})"
    return texts[0]


@pytest.mark.slow
def test_a_thousand_random_trees():
    """The rule after reduction is the rank of the whole; the untested rule errs both ways, on irregular trees only."""
    source, ranks = random.Random(20), {}

    def local_rank(local):
        shape = (local.hidden[0].states, tuple(sorted(item.states for item in local.observed)))
        if shape not in ranks:
            ranks[shape] = rank_of(local)
        return ranks[shape]

    irregular, signs = 0, []
    for _ in range(1000):
        text = random_tree(source, source.randint(2, 4), source.randint(3, 6), source.choice((3, 4, 5)))
        rank, found = rank_of(algdim.model(text)), decompose(text)
        error = untested_rule(text, local_rank) - rank
        changed = reduce_tree(find_latent_tree(algdim.model(text))).is_changed
        irregular += changed
        signs += [error] if error else []

        assert rank == found.dimension, text
        assert found.exact, text
        assert changed or not error, text
    assert 300 <= irregular
    assert 100 <= len(signs)
    assert min(signs) < 0 < max(signs)


OPEN = "A -> B -> C -> D -> E; U -> B, D; V -> A, E; hidden U, V; max C; states A=3, B=3, C=3"


@in_turn(3)
def test_trust_in_the_sum():
    """A tree rests on the tree rule and on what proves its parts; a sum that is only probable is not called "at most"."""
    tree = decompose("5(2,3(2,2),3(2,2))")
    several = decompose("A -> B; C -> D -> E; hidden D")
    open_one = decompose(OPEN)
    report = dimension(OPEN)

    assert ("tree rule", "capping") == tree.trust.lemmas[:2]
    assert "districts" in several.trust.lemmas
    assert {"status": "proved", "error": None} == {key: tree.to_dict()[key] for key in ("status", "error")}
    assert ("probable", False) == (open_one.trust.status, open_one.exact)
    assert (report.dimension, str(report.trust)) == (open_one.dimension, str(open_one.trust))
    assert f"dimension {report.dimension} ({report.trust})" in str(open_one)


def test_trust_between_bounds():
    """Where bounds do not meet they are said, and a doubt about the upper one with them."""
    found = decompose("5(2,3(2,2),3(2,2))")
    (part,) = found.parts
    upper = replace(found.parts[0].locals[1].report.upper, value=99, trust=probable(1e-9))
    locals_ = (part.locals[0], replace(part.locals[1], report=replace(part.locals[1].report, upper=upper)))
    wider = replace(found, parts=(replace(part, locals=(*locals_, *part.locals[2:])),))

    assert "bounds only" == wider.trust.status
    assert f"between 23 and {wider.upper} (at most {wider.upper}: probable, error below 1e-09)" == str(wider.trust)
