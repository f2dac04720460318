"""Foygel, Draisma and Drton (2012), Annals of Statistics 40, arXiv:1107.5552: the half-trek criterion on five variables.

To be found: there are 103,670 acyclic mixed graphs on five nodes with at most ten edges, up to isomorphism. Of these 33,544
are generically finite-to-one and 70,126 infinite-to-one. The half-trek criterion finds 32,257 identifiable and 70,099
infinite-to-one; it never contradicts a rank.

A graph with full rank is finite-to-one, proved; that of the criterion's infinite-to-one graphs is not full, proved by
their Theorem 2. The other ranks that are not full are the greatest of three, each modulo a random prime of 23 bits. About 30
seconds of processor time.
"""

from __future__ import annotations

from collections import Counter

from keeping import kept

from algdim.families.gaussian.halftrek import IDENTIFIABLE, INFINITE, apply_half_trek_to_graph
from algdim.sweeping.families import ANY, Range, build_mixed_graph, iterate_graph_parts
from algdim.sweeping.mixedranks import compute_mixed_ranks

NODES, MOST_EDGES = 5, 10
HEADS = ("finite", "infinite", "identifiable", "half-trek infinite", "undecided finite", "undecided infinite")

graphs = list(iterate_graph_parts(NODES, Range(0, MOST_EDGES), ANY, ANY))
parameters = [NODES + len(dag.edges) + len(bidirected) for dag, bidirected in graphs]
ranks = compute_mixed_ranks(graphs)
# what is not full is looked at twice more
again = [number for number, rank in enumerate(ranks) if rank < parameters[number]]
more = compute_mixed_ranks([graphs[number] for number in again], seed=1, draws=2)
full = [bool(rank == count) for rank, count in zip(ranks, parameters, strict=True)]
for number, rank in zip(again, more, strict=True):
    full[number] = bool(rank == parameters[number])

table: Counter[tuple[int, int, str]] = Counter()
for (dag, bidirected), is_finite in zip(graphs, full, strict=True):
    verdict = apply_half_trek_to_graph(build_mixed_graph(dag, bidirected)).verdict
    assert not (verdict == IDENTIFIABLE and not is_finite)
    assert not (verdict == INFINITE and is_finite)
    size = (len(dag.edges), len(bidirected))
    table[*size, "finite" if is_finite else "infinite"] += 1
    words = {IDENTIFIABLE: "identifiable", INFINITE: "half-trek infinite"}
    table[*size, words.get(verdict, f"undecided {'finite' if is_finite else 'infinite'}")] += 1

total = {head: sum(count for (_, _, name), count in table.items() if name == head) for head in HEADS}
print(f"{len(graphs)} graphs: {', '.join(f'{count} {head}' for head, count in total.items())}")
assert len(graphs) == 103_670
assert (total["finite"], total["infinite"]) == (33_544, 70_126)
assert (total["identifiable"], total["half-trek infinite"]) == (32_257, 70_099)

sizes = sorted({(directed, bidirected) for directed, bidirected, _ in table})
lines = [(*size, *(table[*size, head] for head in HEADS)) for size in sizes]
kept("half_trek_table.csv", [("directed", "bidirected", *HEADS), *lines])
