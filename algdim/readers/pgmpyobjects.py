"""Objects of pgmpy: networks with `latents`, whose variables have the states of their tables.

pgmpy is not imported: whoever has such an object has done so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algdim.errors import InputError
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.models.values import format_given_value
from algdim.readers.identifiers import make_notation_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import networkx as nx

LINEAR = "LinearGaussianBayesianNetwork"
DYNAMIC = "DynamicBayesianNetwork"
READ = (
    "DAG",
    "SimpleCausalModel",
    "BayesianNetwork",
    "DiscreteBayesianNetwork",
    "BayesianModel",
    "NaiveBayes",
    "TreeAugmentedNaiveBayes",
)


Slice = tuple[Any, int]
"""A node of a dynamic network: a name, and the slice of time, 0 or 1."""


def is_pgmpy(x: object) -> bool:
    """Whether a graph is an object of pgmpy."""
    return any(kind.__module__.partition(".")[0] == "pgmpy" for kind in type(x).__mro__)


def read_pgmpy(graph: nx.DiGraph[Any]) -> Network | Gaussian:
    """Read a network: latent variables are hidden, states are those of the tables, and 2 where there is none."""
    kind = identify_pgmpy_class(graph)
    if not graph.is_directed() or kind not in (*READ, LINEAR, DYNAMIC):
        raise InputError(
            f"a {kind} of pgmpy is not read; read are {', '.join(READ)}, {LINEAR} and {DYNAMIC}, "
            "and structural equations as the text of lavaan"
        )
    if kind == DYNAMIC:
        return read_dynamic_network(graph)
    nodes = list(graph.nodes)
    names = make_notation_names(map(str, nodes))
    name_of = {node: names[str(node)] for node in nodes}
    if len(names) < len(nodes):
        raise InputError("two nodes have the same text as a name; name them differently")
    latent: set[Any] = set(getattr(graph, "latents", ()))
    if kind == LINEAR:
        variables = tuple(GaussianVariable(name_of[node], node not in latent) for node in nodes)
        return Gaussian(variables, tuple((name_of[one], name_of[other]) for one, other in graph.edges))
    tables = {table.variable: table for table in getattr(graph, "cpds", ())}
    states = collect_state_counts(tables)
    return Network(
        tuple(
            Variable(
                name_of[node],
                states.get(node, 2),
                node not in latent,
                tuple(name_of[parent] for parent in order_table_parents(graph, node, tables)),
                labels=find_table_labels(tables[node], node) if node in tables else (),
            )
            for node in nodes
        )
    )


def identify_pgmpy_class(graph: object) -> str:
    """The class of pgmpy that an object has, itself or by inheritance: what such a class adds to another changes the model."""
    return next(kind.__name__ for kind in type(graph).__mro__ if kind.__module__.partition(".")[0] == "pgmpy")


def read_dynamic_network(graph: nx.DiGraph[Any]) -> Network:
    """The two slices of a dynamic network: a variable with the same parents in both has one table, unless two are given."""
    check_slices(graph)
    nodes = {convert_slice_node(node): node for node in graph.nodes}
    texts = {node: f"{node[0]}_{node[1]}" for node in nodes}
    if len(set(texts.values())) < len(texts):
        raise InputError("two nodes have the same text as a name; name them differently")
    names = make_notation_names(texts.values())
    tables = {convert_slice_node(table.variable): table for table in getattr(graph, "cpds", ())}
    states = collect_state_counts(tables, convert_slice_node)
    latent = {convert_slice_node(node) for node in getattr(graph, "latents", ())}
    parents = {
        node: [convert_slice_node(parent) for parent in order_table_parents(graph, original, tables)]
        for node, original in nodes.items()
    }
    shares: dict[Slice, str] = {}
    for name, time in nodes:
        first, later = (name, 0), (name, 1)
        if time == 0 and later in nodes and set(parents[later]) == {(parent, 1) for parent, _ in parents[first]}:
            parents[later] = [(parent, 1) for parent, _ in parents[first]]
            if has_common_table(tables.get(first), tables.get(later), parents[first]):
                shares |= dict.fromkeys((first, later), make_notation_names([str(name)])[str(name)])
                tables.setdefault(first, tables.get(later))
                tables.setdefault(later, tables.get(first))
    return Network(
        tuple(
            Variable(
                names[texts[node]],
                states.get(node, states.get((node[0], 1 - node[1]), 2)),
                node not in latent,
                tuple(names[texts[parent]] for parent in parents[node]),
                Table(shares.get(node)),
            )
            for node in nodes
        )
    )


def check_slices(graph: nx.DiGraph[Any]) -> None:
    """Refuse nodes whose names are nodes: some versions of pgmpy make ((Z, 0), 0) of the node (Z, 0) where it is said to be latent."""
    doubled = [node for node in graph.nodes if isinstance(node[0], (tuple, type(node))) and node[0][1] in (0, 1)]
    if doubled:
        meant = [f"{node[0][0]}_{node[0][1]}" for node in doubled]
        raise InputError(
            f"the name of the node {format_given_value(doubled[0])} is itself a node; pgmpy makes such nodes of those that are "
            f"added or said to be latent; leave them out, and say with the model what is hidden: "
            f"hidden=[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in sorted(meant))}]"
        )


def convert_slice_node(node: Any) -> Slice:
    """A node of a dynamic network: its name and its slice."""
    return node[0], int(node[1])


def has_common_table(first: Any, later: Any, parents: list[Slice]) -> bool:
    """Whether the tables of a variable in both slices, with parents in this order, are one: so they are unless they differ.

    Numbers are compared as they stand too: where pgmpy copies a table to the other slice, it may mix up the parents' order.
    """
    if first is None or later is None or first.values.tolist() == later.values.tolist():
        return True
    numbers = []
    for table, time in ((first, 0), (later, 1)):
        axes = [convert_slice_node(axis) for axis in table.variables]
        numbers.append(table.values.transpose([0, *(axes.index((parent, time)) for parent, _ in parents)]).tolist())
    return bool(numbers[0] == numbers[1])


def collect_state_counts(tables: Mapping[Any, Any], plain: Callable[[Any], Any] = lambda node: node) -> dict[Any, int]:
    """The numbers of states that tables say, of their variables and of the parents of these."""
    found: dict[Any, int] = {}
    for owner, table in tables.items():
        axes = [plain(axis) for axis in getattr(table, "variables", ())][1:]
        counts = [int(count) for count in getattr(table, "cardinality", ())][1:]
        for node, count in [(owner, count_table_states(table, owner)), *zip(axes, counts, strict=True)]:
            if found.setdefault(node, count) != count:
                raise InputError(
                    f"one table has {found[node]} states of {format_given_value(node)}, and that of {format_given_value(owner)} has {count}; "
                    "all tables must agree"
                )
    return found


def count_table_states(table: Any, node: object) -> int:
    """The number of states of a table's variable."""
    count: Any = getattr(table, "variable_card", None)
    if not hasattr(count, "__index__"):
        raise InputError(f"the table of {format_given_value(node)} has no variable_card; a TabularCPD is expected")
    return int(count)


def find_table_labels(table: Any, node: Any) -> tuple[str, ...]:
    """What the states of a table's variable are called, if that is not their numbers, as it is where nothing is said."""
    found = tuple(map(str, (getattr(table, "state_names", None) or {}).get(node, ())))
    return () if found == tuple(map(str, range(len(found)))) else found


def order_table_parents(graph: nx.DiGraph[Any], node: Any, tables: dict[Any, Any]) -> list[Any]:
    """The parents in the order of the table, else in that of the graph."""
    parents = list(graph.predecessors(node))
    order = list(getattr(tables.get(node), "variables", ()))[1:]
    return sorted(parents, key=order.index) if set(order) == set(parents) else parents
