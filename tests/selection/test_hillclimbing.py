"""Hill-climbing over hidden states, with scores made up."""

import pytest

import algdim
from algdim import InputError
from algdim.families.discrete.trees import find_latent_tree
from algdim.models.notation import to_text
from algdim.selection.searches import has_excess, iterate_larger_trees, replace_states, search_state_numbers

TREE = algdim.model("5(2,3(2,2),3(2,2))")


def states_of(model):
    """The hidden states in order."""
    return tuple(variable.states for variable in model.hidden)


def run(value, tree=TREE):
    """Climb by a made-up score; what was assessed, in order."""
    return search_state_numbers(
        tree, lambda model: (states_of(model), value(states_of(model))), lambda some: max(some, key=lambda x: x[1])
    )


def test_the_climb_goes_where_the_score_rises_most():
    """From 2, 2, 2 to the peak at 4, 3, 2; every neighbour of the path is assessed, and the start is binary."""
    found = run(lambda s: -2 * (s[0] - 4) ** 2 - (s[1] - 3) ** 2 - (s[2] - 2) ** 2)

    assert (2, 2, 2) == found[0][0]
    assert (4, 3, 2) == max(found, key=lambda one: one[1])[0]
    assert {(3, 2, 2), (2, 3, 2), (2, 2, 3)} == {one[0] for one in found[1:4]}


def test_it_ends_at_the_cap():
    """A score that always rises meets KZ02 Lemma 4.1; the start has nothing in excess, nor has anything assessed."""
    found = run(sum)

    end = max(found, key=lambda one: one[1])[0]

    assert [] == list(iterate_larger_trees(replace_states(TREE, dict(zip(("H1", "H2", "H3"), end, strict=True)))))
    for states, _ in found:
        sizes = dict(zip(("H1", "H2", "H3"), states, strict=True))
        assert sizes["H1"] <= 2 * min(sizes["H2"], sizes["H3"])
        assert sizes["H2"] <= min(4, 2 * sizes["H1"])


def test_a_start_that_nothing_improves_stays():
    """The start and its neighbours are all that is assessed."""
    assert 4 == len(run(lambda s: -sum(s)))


def test_the_paper_s_model_is_a_candidate():
    """KZ02 §6: 5(2,3(2,2),3(2,2)) has no state in excess, 7(2,3(2,2),3(2,2)) has."""
    assert not has_excess(find_latent_tree(TREE))
    assert has_excess(find_latent_tree(algdim.model("7(2,3(2,2),3(2,2))")))
    assert "5(2,3(2,2),3(2,2))" in [to_text(one) for one in iterate_larger_trees(algdim.model("4(2,3(2,2),3(2,2))"))]


@pytest.mark.parametrize("text", ["A -> B", "gaussian: F -> X; hidden F", "H -> A, B, C; hidden H; share t: A, B"])
def test_other_models_are_refused(text):
    """Only trees with hidden variables and free tables have states to climb over."""
    with pytest.raises(InputError, match="the tree"):
        search_state_numbers(algdim.model(text), lambda model: model, lambda some: some[0])


def test_hidden_leaves_are_refused():
    """A hidden variable that joins nothing can have no states."""
    with pytest.raises(InputError, match="H2 joins nothing"):
        search_state_numbers(algdim.model("H -> A, B, H2; hidden H, H2"), lambda model: model, lambda some: some[0])
