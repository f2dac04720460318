"""A network of your own, as a networkx graph: the W structure of GHM96 §5 with more hidden states.

To be found: GHM96 §5 prints the dimensions 9, 10, 10 and 11 for 2, 3, 4 and 5 states of H. The last cannot be: A ⊥ B,
C ⊥ B given A and D ⊥ A given B leave 1 + 1 + 2 + 2 + 4 = 10 dimensions for every number of hidden states.
"""

from __future__ import annotations

import networkx as nx

import algdim

graph = nx.DiGraph([("A", "C"), ("H", "C"), ("H", "D"), ("B", "D")])
graph.nodes["H"]["hidden"] = True

found = {}
for states in (2, 3, 4, 5):
    graph.nodes["H"]["states"] = states
    report = algdim.dimension(graph)
    found[states] = report.dimension
    print(f"H with {states} states: {report.standard} parameters, dimension {report.dimension} ({report.trust})")

assert found == {2: 9, 3: 10, 4: 10, 5: 10}
