"""Solutions of graphs that the half-trek criterion leaves open (Foygel, Draisma, Drton, Annals of Statistics 40, 2012).

Of the 103,670 acyclic mixed graphs on five nodes with at most ten edges 1,314 are left open (see `half_trek_table.py`), and
1,287 of these are generically finite-to-one. To be found: almost every covariance matrix of the model comes from one point
for 121 of them, from two complex points for 1,117, from three for 42 and from four for 7. With the 32,257 that the
criterion finds these are 32,378 graphs in which every coefficient is a rational function of the covariances.

Each number is counted at points modulo primes, with a chance of error (lemma "solutions"); the errors add up to less than one
in ten thousand. About three minutes of processor time.
"""

from __future__ import annotations

from collections import Counter

from keeping import kept

from algdim.families.gaussian.halftrek import UNDECIDED, apply_half_trek_to_graph
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.identifiability.solutions import count_solutions
from algdim.maps import map_of
from algdim.sweeping.families import ANY, Range, build_mixed_graph, iterate_graph_parts
from algdim.sweeping.mixedranks import compute_mixed_ranks

NODES, MOST_EDGES = 5, 10
NAMES = "ABCDE"

graphs = list(iterate_graph_parts(NODES, Range(0, MOST_EDGES), ANY, ANY))
left = [graph for graph in graphs if apply_half_trek_to_graph(build_mixed_graph(*graph)).verdict == UNDECIDED]
ranks = compute_mixed_ranks(left)

table: Counter[tuple[int, int, int]] = Counter()
errors = 0.0
for (dag, bidirected), rank in zip(left, ranks, strict=True):
    graph = build_mixed_graph(dag, bidirected)
    edges = tuple((NAMES[u], NAMES[v]) for v in range(NODES) for u in range(NODES) if graph.parents[v] >> u & 1)
    pairs = tuple((NAMES[u], NAMES[v]) for v in range(NODES) for u in range(v) if graph.siblings[v] >> u & 1)
    if rank < NODES + len(edges) + len(pairs):
        continue
    model = Gaussian(tuple(map(GaussianVariable, NAMES)), edges, pairs, means=False)
    found = count_solutions(map_of(model), 0, 0)
    errors += found.trust.error or 0.0
    table[len(edges), len(pairs), found.number] += 1

total = {number: sum(count for (_, _, n), count in table.items() if n == number) for number in (1, 2, 3, 4)}
print(
    f"{len(left)} graphs left open; {', '.join(f'{count} with {n}' for n, count in total.items())}; error {errors:.0e}"
)
assert len(left) == 1_314
assert total == {1: 121, 2: 1_117, 3: 42, 4: 7}
assert errors < 1e-4

sizes = sorted({(directed, bidirected) for directed, bidirected, _ in table})
lines = [(*size, *(table[*size, number] for number in (1, 2, 3, 4))) for size in sizes]
kept("half_trek_solutions.csv", [("directed", "bidirected", "one", "two", "three", "four"), *lines])
