"""The nested Markov head count (lemma "nested" in proofs/lemmas.md), an upper bound for any number of hidden states.

A positive distribution of a network with hidden variables obeys the nested Markov property of its latent projection
(Richardson, Evans, Robins, Shpitser, arXiv:1701.06686), and is then a polynomial in the numbers
q(head = x | tail = y), x without the last state of any member (Evans, Richardson, "Smooth, identifiable supermodels of
discrete DAG models with latent variables", arXiv:1511.06813): as many as Σ over heads of ∏_{head}(r − 1)·∏_{tail} r.
These are rational functions of the parameters, so no more than that many can be independent among the cells.

Tables that are fixed, shared or deterministic are special cases of free ones: the model is contained in that of the
same graph with free tables, whose inner points are positive. So the count bounds every discrete network.
"""

from __future__ import annotations

from math import prod

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.model import Network
from algdim.figures import counted
from algdim.models.graphs import Head, MixedGraph, heads, latent_projection, positions

MOST_OBSERVED = 64
MOST_HEADS = 1024
"""Every set of ten observed variables may be intrinsic."""


def nested(setting: Setting) -> Bound | None:
    """The nested Markov head count, ``None`` if there are too many heads."""
    return head_count(setting.model)


def head_count(model: Network) -> Bound | None:
    """The number of parameters of the nested Markov model on the latent projection, an upper bound for the dimension.

    >>> from algdim.models.notation import parse
    >>> head_count(parse("A -> B -> C -> D; U -> B, D; hidden U; states U=9")).value
    11
    """
    if model.given or not model.hidden or len(model.observed) > MOST_OBSERVED:
        return None
    graph = latent_projection(model)
    found = heads(graph, MOST_HEADS)
    if found is None:
        return None
    sizes = [variable.states for variable in model.observed]
    value = sum(free_numbers(sizes, head) for head in found)
    size = f"{counted(value, 'parameter')} of the nested Markov model on the latent projection"
    reason = f"{size}, {counted(len(found), 'head')} (Evans, Richardson)"
    evidence = {
        "directed": graph.directed,
        "bidirected": graph.bidirected,
        "heads": [told(graph, sizes, head) for head in found],
    }
    return proved_bound(value, UPPER, "nested", reason, "nested", evidence=evidence)


def free_numbers(sizes: list[int], head: Head) -> int:
    """How many numbers q(head | tail) there are with no member of the head in its last state."""
    return prod(sizes[v] - 1 for v in positions(head.head)) * prod(sizes[v] for v in positions(head.tail))


def told(graph: MixedGraph, sizes: list[int], head: Head) -> dict[str, object]:
    """A head as plain values."""
    return {
        "intrinsic": graph.names_of(head.intrinsic),
        "head": graph.names_of(head.head),
        "tail": graph.names_of(head.tail),
        "count": free_numbers(sizes, head),
    }
