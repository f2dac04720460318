"""Models of evolution on trees: ``phylo JC69: ((A,B),(C,D)); clock``, with mixtures, invariable sites and reticulations.

Every node is a variable, hidden unless it is a leaf; its table has the names that the model gives to transitions. What is
reversible with a free equilibrium is a proposal, drawn from the equilibrium and accepted with a chance that depends on the two
states: two hidden variables more at each edge, and again tables with names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.short.newick import (
    PATTERN,
    NewickNode,
    NewickTree,
    read_tree,
    subdivide_by_clock,
    suppress_root,
    write_tree,
)
from algdim.figures import format_integer
from algdim.models.tokens import Cursor, make_position_error

NUCLEOTIDES = ("A", "C", "G", "T")
MOST_CLASSES = 50
MOST_CELLS, MOST_IN_ALL = 200_000, 1_500_000
"""Entries of one table, and of all."""

Entry = Fraction | str | None
"""An entry of a table: a number, a name, or free."""

UNIFORM, SYMMETRIC, FREE, NAMED = "uniform", "symmetric", "free", "named"
"""Distributions of the root: all states alike, complements alike, any, and the equilibrium by its names."""


class Substitution(NamedTuple):
    """A model of substitution: its states, which transitions have one name, the root, and whether it proposes and accepts."""

    states: int
    name: Callable[[int, int], str]
    root: str = UNIFORM
    proposes: bool = False


def name_pair(i: int, j: int) -> str:
    """The two nucleotides, in small letters."""
    return f"{NUCLEOTIDES[i]}{NUCLEOTIDES[j]}".lower()


def name_strands(i: int, j: int) -> str:
    """A transition and that of the complements, which is the same one on the other strand."""
    return name_pair(*min((i, j), (3 - i, 3 - j)))


def name_unordered(i: int, j: int) -> str:
    """Both directions alike."""
    return name_pair(min(i, j), max(i, j))


MODELS: Mapping[str, Substitution] = {
    "CFN": Substitution(2, lambda i, j: "q"),  # noqa: ARG005
    "GM2": Substitution(2, lambda i, j: f"{i}{j}", FREE),
    "JC69": Substitution(4, lambda i, j: "q"),  # noqa: ARG005
    "K2P": Substitution(4, lambda i, j: "bab"[(i ^ j) - 1]),
    "K3P": Substitution(4, lambda i, j: "bac"[(i ^ j) - 1]),
    "SYM": Substitution(4, name_unordered),
    "SSM": Substitution(4, name_strands, SYMMETRIC),
    "GM": Substitution(4, name_pair, FREE),
    "F81": Substitution(4, lambda i, j: "s", NAMED, proposes=True),  # noqa: ARG005
    "TN93": Substitution(4, lambda i, j: "v" if (i ^ j) != 2 else "ry"[i % 2], NAMED, proposes=True),
    "GTR": Substitution(4, name_unordered, NAMED, proposes=True),
}
"""The models, states in the order A, C, G, T; in `K2P` and `K3P` a is the chance of the transition, b and c of transversions."""

ALIASES: Mapping[str, str] = {
    "JC": "JC69",
    "K80": "K2P",
    "K81": "K3P",
    "K3ST": "K3P",
    "GMM": "GM",
    "N2": "CFN",
    "TrN": "TN93",
}

RATES = (
    "is a model of rates: its probabilities are exponentials of one rate matrix times lengths, no rational functions of them, "
    "so no rank of it is exact; "
)
REFUSED: Mapping[str, str] = {
    "HKY": f"HKY {RATES}the nearest is TN93, whose edges have any matrices of its form, those of HKY among them",
    "HKY85": f"HKY {RATES}the nearest is TN93, whose edges have any matrices of its form, those of HKY among them",
    "F84": f"F84 {RATES}the nearest is TN93, whose edges have any matrices of its form, those of F84 among them",
}

NOT_CLOSED = ("SYM", "GTR")
"""Models whose matrices on two edges in a row have a product of another form."""

CLAUSES = ("clock", "invariable", "classes")


@dataclass(frozen=True, slots=True)
class Phylogeny:
    """What a line says: the model, a tree for each class of sites, and whether there are a clock and invariable sites."""

    model: str
    trees: tuple[NewickTree, ...]
    has_clock: bool
    has_invariable: bool


def read_line(text: str, start: int, word: str, argument: str) -> tuple[Network, str]:
    """Read ``phylo MODEL: TREE; TREE; clock; invariable; classes 2``, as a network and as it is printed."""
    del word
    return read_phylogeny(text, start, argument, {})


def read_phylogeny(text: str, start: int, argument: str, options: Mapping[str, int]) -> tuple[Network, str]:
    """Read what stands behind the model: trees and clauses, with further clauses as options."""
    model = choose_model(argument)
    cursor = Cursor(text, start, PATTERN)
    trees: list[NewickTree] = []
    said = dict(options)
    read: set[str] = set()
    while cursor.now.kind != "end":
        if cursor.now.text in CLAUSES:
            clause = cursor.take()
            if clause.text in read:
                raise make_position_error(text, clause.at, f"'{clause.text}' occurs twice; once is allowed")
            read.add(clause.text)
            said[clause.text] = read_class_count(cursor) if clause.text == "classes" else 1
        elif cursor.meets("(") and not read:
            trees.append(read_tree(cursor))
        else:
            cursor.fail("a tree such as ((A,B),(C,D)), or 'clock', 'invariable' or 'classes 2' behind the trees")
        if cursor.now.kind != "end" and not cursor.skip(";"):
            cursor.fail("';' or the end of the text")
    if not trees:
        cursor.fail("a tree such as ((A,B),(C,D))")
    if "classes" in said and len(trees) > 1:
        raise InputError("'classes' belongs to one tree; write each of several trees as often as it has classes")
    check_trees(trees, model, "clock" in said)
    spec = Phylogeny(model, tuple(trees * said.get("classes", 1)), "clock" in said, "invariable" in said)
    return expand_phylogeny(spec), write_phylogeny(spec)


def read_class_count(cursor: Cursor) -> int:
    """Read the number behind 'classes'."""
    token = cursor.now
    if not token.text.isdigit() or len(token.text) > 9 or not 1 <= int(token.text) <= MOST_CLASSES:
        cursor.fail(f"the number of classes of sites (1 to {MOST_CLASSES})")
    cursor.index += 1
    return int(token.text)


def choose_model(word: str) -> str:
    """The model of this name."""
    name = ALIASES.get(word, word)
    if name in REFUSED:
        raise InputError(REFUSED[name])
    if name not in MODELS:
        raise InputError(
            f"the model of evolution {word[:60]!r} is not known{describe_closest_word(word, MODELS)}; "
            f"known are {join_names(MODELS, most=len(MODELS))}"
        )
    return name


def check_trees(trees: Sequence[NewickTree], model: str, has_clock: bool) -> None:
    """Raise unless all trees have the same leaves, and a clock fits them."""
    leaves = set(trees[0].leaves)
    for tree in trees[1:]:
        if set(tree.leaves) != leaves:
            differ = sorted(leaves ^ set(tree.leaves))
            raise InputError(f"the trees of a mixture have the same leaves; these differ in {join_names(differ)}")
    if has_clock and any(tree.is_network for tree in trees):
        raise InputError("a clock is available on trees; this is a network, with nodes of two parents. Leave one out")
    if has_clock and model in NOT_CLOSED:
        raise InputError(
            f"a clock with {model} is not available: products of its matrices are not of its form, and those of one rate matrix "
            "are no rational functions; F81, TN93, SSM, GM and the group-based models are closed under products"
        )


def write_phylogeny(spec: Phylogeny) -> str:
    """Print the line."""
    one = spec.trees[0]
    if len(spec.trees) > 1 and all(tree == one for tree in spec.trees):
        trees, classes = [one], [f"classes {len(spec.trees)}"]
    else:
        trees, classes = list(spec.trees), []
    words = [*classes, *(["invariable"] if spec.has_invariable else []), *(["clock"] if spec.has_clock else [])]
    return f"phylo {spec.model}: {'; '.join([*map(write_tree, trees), *words])}"


class SiteClass(NamedTuple):
    """A class of sites: the place of its tree among the different ones, its part of the names, whether it changes at all."""

    tree: int
    name: str
    changes: bool


@dataclass(frozen=True, slots=True)
class SiteOption:
    """What one class says of a variable: its parents there, of which a switch chooses one, and what their edges are called."""

    parents: tuple[str, ...]
    keys: tuple[str, ...]
    site: SiteClass


class Expansion:
    """Collects the variables of a phylogeny."""

    def __init__(self, spec: Phylogeny) -> None:
        self.model, self.has_clock = MODELS[spec.model], spec.has_clock
        make = subdivide_by_clock if spec.has_clock else suppress_root
        distinct = list(dict.fromkeys(spec.trees))
        self.trees = [make(tree) for tree in distinct]
        many = len(spec.trees) > 1
        self.sites = [
            SiteClass(distinct.index(tree), f"{number}." if many else "", True)
            for number, tree in enumerate(spec.trees, 1)
        ]
        if spec.has_invariable:
            self.sites.append(SiteClass(0, "i.", False))
        self.taken = {name for tree in distinct for name in tree.leaves}
        self.leaves = frozenset(self.taken)
        self.names = [self.name_nodes(tree) for tree in self.trees]
        self.site = self.find_name("Class")
        self.variables: dict[str, Variable] = {}
        self.sizes: dict[str, int] = {}
        self.entries = 0

    def find_name(self, wanted: str) -> str:
        """A name that no other variable has."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted

    def name_nodes(self, tree: NewickTree) -> list[str]:
        """The variables of a tree; trees have their leaves in common, and nothing else."""
        return [node.name if node.name in self.leaves else self.find_name(node.name) for node in tree.nodes]

    def add(
        self, name: str, states: int, parents: Sequence[str], row: Callable[[tuple[int, ...]], list[Entry]]
    ) -> None:
        """Add a variable whose table has these rows."""
        fixed: list[tuple[Cell, Fraction]] = []
        equal: list[tuple[Cell, str]] = []
        sizes = [self.sizes[parent] for parent in parents]
        entries = prod(sizes) * states
        if entries > MOST_CELLS:
            raise LimitError(
                f"the table of {name} has {format_integer(entries)} entries; at most {format_integer(MOST_CELLS)} are allowed: "
                "a leaf of a mixture has a parent in each tree"
            )
        self.entries += entries
        if self.entries > MOST_IN_ALL:
            raise LimitError(
                f"the tables have more than {format_integer(MOST_IN_ALL)} entries; at most that many are allowed: take fewer "
                "species or classes"
            )
        for given in product(*map(range, sizes)):
            for state, entry in enumerate(row(given)):
                if isinstance(entry, str):
                    equal.append(((given, state), entry))
                elif entry is not None:
                    fixed.append(((given, state), entry))
        observed = name in self.leaves
        labels = NUCLEOTIDES if observed and states == len(NUCLEOTIDES) else ()
        local = Table(fixed=tuple(fixed), equal=tuple(equal))
        self.variables[name] = Variable(name, states, observed, tuple(parents), local, labels)
        self.sizes[name] = states

    def expand(self) -> Network:
        """All variables."""
        if len(self.sites) > 1:
            self.add(self.site, len(self.sites), (), lambda given: [None] * len(self.sites))  # noqa: ARG005
        leaves: list[str] = []
        for number, names in enumerate(self.names):
            for place, name in enumerate(names):
                if name in self.leaves and len(self.trees) > 1:
                    leaves += [name] if not number else []  # behind the inner nodes of all trees
                else:
                    self.add_node(name, self.list_options({number: place}))
        for name in leaves:
            places = {number: names.index(name) for number, names in enumerate(self.names)}
            self.add_node(name, self.list_options(places))
        return Network(tuple(self.variables.values()))

    def list_options(self, places: Mapping[int, int]) -> list[SiteOption]:
        """What each class says of the variable in these places of trees; where it is in none of its tree, what others say."""
        found: list[SiteOption] = []
        own = [site for site in self.sites if site.tree in places]
        for one in self.sites:
            site = one if one.tree in places else own[0]
            tree, names = self.trees[site.tree], self.names[site.tree]
            node: NewickNode = tree.nodes[places[site.tree]]
            above = tuple(names[up] for up in node.parents)
            keys = tuple(f"{node.key}.{name}." if len(above) > 1 else f"{node.key}." for name in above)
            found.append(SiteOption(above, tuple(f"{key}{site.name}" for key in keys), site))
        return found

    def add_node(self, name: str, options: list[SiteOption]) -> None:
        """Add a node, with a switch for each pair of parents, and a proposal if the model has one."""
        states = self.model.states
        above = list(dict.fromkeys(parent for option in options for parent in option.parents))
        switches: dict[tuple[str, ...], str] = {}
        for option in options:
            if len(option.parents) > 1 and option.parents not in switches:
                switches[option.parents] = self.find_name(f"{name}.from")
                self.add(switches[option.parents], len(option.parents), (), lambda given: [None, None])  # noqa: ARG005
        by_class = [self.site] if len(set(options)) > 1 else []
        parents = [*above, *switches.values(), *by_class]

        def choose(given: tuple[int, ...]) -> tuple[SiteOption, str, int]:
            """The option, its key and the parent's state, -1 at a root."""
            state = dict(zip(parents, given, strict=True))
            option = options[state[self.site]] if by_class else options[0]
            if not option.parents:
                return option, "", -1
            one = state[switches[option.parents]] if len(option.parents) > 1 else 0
            return option, option.keys[one], state[option.parents[one]]

        is_plain = len(parents) == len(above) <= 1
        if not self.model.proposes or not above:
            self.add(name, states, parents, lambda given: self.make_row(*choose(given), is_plain))
            return
        proposal, accepted = self.find_name(f"{name}.z"), self.find_name(f"{name}.b")
        own = [self.site] if len({self.name_equilibrium(option) for option in options}) > 1 else []
        self.add(
            proposal, states, own, lambda given: self.make_root_row(options[given[0]] if own else options[0], False)
        )
        self.add(
            accepted, 2, [proposal, *parents], lambda given: self.make_acceptance_row(given[0], *choose(given[1:]))
        )

        def make_result_row(given: tuple[int, ...]) -> list[Entry]:
            _, _, old = choose(given[2:])
            return make_point_mass(given[0] if given[1] or old < 0 else old, states)

        self.add(name, states, [proposal, accepted, *parents], make_result_row)

    def make_row(self, option: SiteOption, key: str, old: int, is_plain: bool) -> list[Entry]:
        """The distribution of a node, given what its class says and its parent's state."""
        model = self.model
        if old < 0:
            return self.make_root_row(option, is_plain)
        if not option.site.changes:
            return make_point_mass(old, model.states)
        if model.root == FREE and is_plain and not self.has_clock:  # with a clock other edges have the same matrix
            return [None] * model.states
        return [None if new == old else f"{key}{model.name(old, new)}" for new in range(model.states)]

    def name_equilibrium(self, option: SiteOption) -> str:
        """The beginning of the names of a root's probabilities; sites that do not change have those of the first class."""
        if not option.site.changes and self.model.root == NAMED:
            return self.sites[0].name
        return option.site.name

    def make_root_row(self, option: SiteOption, is_plain: bool) -> list[Entry]:
        """The distribution of a root."""
        model = self.model
        if model.root == UNIFORM:
            return [Fraction(1, model.states)] * model.states
        if model.root == FREE and is_plain:
            return [None] * model.states
        begin = f"pi.{self.name_equilibrium(option)}"
        letters = [one.lower() for one in NUCLEOTIDES] if model.states == len(NUCLEOTIDES) else ["0", "1"]
        if model.root == SYMMETRIC:
            return [f"{begin}{letters[min(state, 3 - state)]}" for state in range(model.states)]
        return [f"{begin}{letter}" for letter in letters]

    def make_acceptance_row(self, proposed: int, option: SiteOption, key: str, old: int) -> list[Entry]:
        """The chance that a proposal is accepted; a state that is proposed to itself changes nothing."""
        if old < 0 or old == proposed or not option.site.changes:
            return make_point_mass(0, 2)
        return [None, f"{key}{self.model.name(old, proposed)}"]


def make_point_mass(state: int, states: int) -> list[Entry]:
    """The distribution of what is certain."""
    return [Fraction(int(one == state)) for one in range(states)]


def expand_phylogeny(spec: Phylogeny) -> Network:
    """The network of a phylogeny."""
    return Expansion(spec).expand()
