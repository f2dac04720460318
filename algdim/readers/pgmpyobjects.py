"""Objects of pgmpy: networks with `latents`, whose variables have the states of their tables.

pgmpy is not imported: whoever has such an object has done so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algdim.errors import InputError
from algdim.models.gaussian import Gaussian, GaussianVariable
from algdim.models.modelvalues import shown
from algdim.models.network import Network, Variable
from algdim.readers.naming import renamed

if TYPE_CHECKING:
    import networkx as nx

LINEAR = "LinearGaussianBayesianNetwork"
READ = ("DAG", "BayesianNetwork", "DiscreteBayesianNetwork", "BayesianModel", "NaiveBayes", "TreeAugmentedNaiveBayes")


def is_pgmpy(x: object) -> bool:
    """Whether a graph is an object of pgmpy."""
    return any(kind.__module__.partition(".")[0] == "pgmpy" for kind in type(x).__mro__)


def from_pgmpy(graph: nx.DiGraph[Any]) -> Network | Gaussian:
    """Read a network: latent variables are hidden, states are those of the tables, and 2 where there is none."""
    kinds = [kind.__name__ for kind in type(graph).__mro__]
    if not graph.is_directed() or not {*READ, LINEAR}.intersection(kinds):
        raise InputError(
            f"a {type(graph).__name__} of pgmpy is not read; read are {', '.join(READ)} and {LINEAR}, "
            "and structural equations as the text of lavaan"
        )
    nodes = list(graph.nodes)
    names = renamed(map(str, nodes))
    name_of = {node: names[str(node)] for node in nodes}
    if len(names) < len(nodes):
        raise InputError("two nodes have the same text as a name; name them differently")
    latent: set[Any] = set(getattr(graph, "latents", ()))
    if LINEAR in kinds:
        variables = tuple(GaussianVariable(name_of[node], node not in latent) for node in nodes)
        return Gaussian(variables, tuple((name_of[one], name_of[other]) for one, other in graph.edges))
    tables = {table.variable: table for table in getattr(graph, "cpds", ())}
    return Network(
        tuple(
            Variable(
                name_of[node],
                states_of(tables[node], node) if node in tables else 2,
                node not in latent,
                tuple(name_of[parent] for parent in parents_of(graph, node, tables)),
                labels=labels_of(tables[node], node) if node in tables else (),
            )
            for node in nodes
        )
    )


def states_of(table: Any, node: object) -> int:
    """The number of states of a table's variable."""
    count: Any = getattr(table, "variable_card", None)
    if not hasattr(count, "__index__"):
        raise InputError(f"the table of {shown(node)} has no variable_card; a TabularCPD is expected")
    return int(count)


def labels_of(table: Any, node: Any) -> tuple[str, ...]:
    """What the states of a table's variable are called, if that is not their numbers, as it is where nothing is said."""
    found = tuple(map(str, (getattr(table, "state_names", None) or {}).get(node, ())))
    return () if found == tuple(map(str, range(len(found)))) else found


def parents_of(graph: nx.DiGraph[Any], node: Any, tables: dict[Any, Any]) -> list[Any]:
    """The parents in the order of the table, else in that of the graph."""
    parents = list(graph.predecessors(node))
    order = list(getattr(tables.get(node), "variables", ()))[1:]
    return sorted(parents, key=order.index) if set(order) == set(parents) else parents
