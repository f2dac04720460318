"""The dimension of a latent tree from latent class models (lemmas "capping" and "tree rule").

`algdim.families.discrete.trees.cut_latent_tree` reduces the tree to an equal one and cuts it. The rule has a condition: an edge
X–Z can be cut if P(observed on X's side | X) has rank |X| at some point, and likewise for Z. So first the ranks of all sides
are taken. Against product probes the matrix has a row for each state of X and a column for each probe; its rank is a lower
bound (lemma "probes"). Seen from X the tree is rooted at X, so the tables pointing away from X are free, and one table drawn
for each direction of each edge serves all sides.

Then both bounds of the parts add up: a tree of hundreds of leaves needs the ranks of latent class models only, each shape once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import ClassVar

import numpy as np

from algdim.bound.bounds import Bound
from algdim.display.results import Plain
from algdim.errors import join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.pairwise import find_latent_class
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import Decomposition, LatentTree, TreeReduction
from algdim.figures import format_integer
from algdim.trust import proved_by, trust_in_all

SPARE_PROBES = 16
MOST_STATES = 1000
"""The condition is not tested at hidden variables with more states."""
MOST_ENTRIES = 20_000_000

Direction = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SideRank(Plain):
    """The rank of P(observed on the near side | near), and the number of states it has to reach."""

    _json: ClassVar[str] = "near far states rank holds prime streams"

    near: str
    far: str
    states: int
    rank: int
    prime: int
    streams: str = ""
    """How the texts of the streams begin from which the tables and the probes are drawn, one for each edge and each item."""

    @property
    def holds(self) -> bool:
        """Whether the condition is proved."""
        return self.rank == self.states

    def __str__(self) -> str:
        reached = f"= |{self.near}|" if self.holds else f"< |{self.near}| = {self.states}"
        return f"rank P({self.near}'s side | {self.near}) = {self.rank} {reached}"


def is_small_enough(tree: LatentTree) -> bool:
    """Whether the ranks are small enough to be taken."""
    largest = max(tree.hidden.values(), default=0)
    width = largest + SPARE_PROBES
    messages = 2 * len(tree.inner_edges) * largest * width
    leaf = max(tree.observed.values()) * width
    return largest <= MOST_STATES and messages <= MOST_ENTRIES and leaf <= MOST_ENTRIES


def compute_side_ranks(tree: LatentTree, seed: int | str = 0, number: int = 0) -> tuple[SideRank, ...]:
    """Both ranks of every edge between hidden variables, at one point modulo a prime.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.discrete.trees import find_latent_tree
    >>> [(side.near, side.rank, side.states) for side in compute_side_ranks(find_latent_tree(parse("3(2,2,3(2))")))]
    [('H1', 3, 3), ('H2', 2, 3)]
    """
    place = ("sides", number)
    prime = draw_prime(open_stream(seed, "prime", *place), RESIDUE_BITS)
    field = Residues(prime)
    count = max(tree.hidden.values(), default=0) + SPARE_PROBES
    found: dict[Direction, Array] = {}

    def draw_array(use: str, rows: int, columns: int, *names: str) -> Array:
        return field.elements(
            draw_residues(open_stream(seed, use, *place, *names), prime, rows * columns).reshape(rows, columns)
        )

    def ones(name: str) -> Array:
        return field.elements(np.ones((tree.hidden[name], count), dtype=np.int64))

    def seen_from(name: str, other: str) -> Array:
        """For every state of ``name``, what the probes see of ``other`` and of what is beyond it."""
        if other in tree.observed:
            states = tree.observed[other]
            beyond = draw_array("probes", states, count, other)
        else:
            states = tree.hidden[other]
            beyond = found[other, name]
        free = draw_array("point", tree.hidden[name], states - 1, name, other)
        table = np.hstack([free, field.elements(1 - free.sum(axis=1, keepdims=True).astype(np.int64))])
        return field.matmul(table, beyond)

    order, parent = order_from_root(tree)
    for near in reversed(order[1:]):
        below = [seen_from(near, other) for other in tree.neighbours[near] if other != parent[near]]
        found[near, parent[near]] = reduce(field.multiply, below, ones(near))
    for near in order:
        # the products of all but one: of those before it and of those after it
        seen = [seen_from(near, other) for other in tree.neighbours[near]]
        before = list(accumulate(seen[:-1], field.multiply, initial=ones(near)))
        after = list(accumulate(seen[:0:-1], field.multiply, initial=ones(near)))[::-1]
        for other, left, right in zip(tree.neighbours[near], before, after, strict=True):
            if other in tree.hidden:
                found[near, other] = field.multiply(left, right)
    beginning = open_stream(seed, "point", *place).text
    return tuple(
        SideRank(near, far, tree.hidden[near], rank_mod(found[near, far], prime).value, prime, beginning)
        for one, two in tree.inner_edges
        for near, far in ((one, two), (two, one))
    )


def order_from_root(tree: LatentTree) -> tuple[list[str], dict[str, str]]:
    """The hidden variables, each after the one through which it is reached from the first; that one ("" for the first)."""
    root = next(iter(tree.hidden), "")
    order, parent = [root] if root else [], {root: ""}
    for name in order:
        for other in tree.neighbours[name]:
            if other in tree.hidden and other != parent[name]:
                parent[other] = name
                order.append(other)
    return order, parent


Shape = tuple[int, tuple[int, ...]]

MOST_SUMMANDS = 8
MOST_REPEATED = 4
"""More items of one size are written as a power."""


def compute_shape(local: Network) -> Shape:
    """What the dimension of a part depends on: the classes and the items' states, or the table of one without classes.

    >>> from algdim.models.notation import parse
    >>> compute_shape(parse("3:2,4,2"))
    (3, (2, 2, 4))
    """
    found = find_latent_class(local)
    classes, items = found if found is not None else (0, tuple(variable.states for variable in local.observed))
    return classes, tuple(sorted(items))


def group_by_shape(parts: Decomposition) -> dict[Shape, Network]:
    """One part of each shape."""
    found: dict[Shape, Network] = {}
    for local in parts.locals:
        found.setdefault(compute_shape(local), local)
    return found


def add_bounds(parts: Decomposition, bounds: Mapping[Shape, Bound], side: str) -> Bound:
    """The bound of the tree from one bound for each shape of part: dim M = Σ dim Mᵢ − Σ over inner edges of |X||Z| − 1.

    It holds for lower and for upper bounds alike. Chances of error add up.
    """
    shapes = [compute_shape(local) for local in parts.locals]
    times = Counter(shapes)
    total = sum(bounds[shape].value for shape in shapes)
    reason = describe_reduction(parts.reduction) + describe_sum(times, bounds, parts.shared)
    smaller = parts.reduction.tree
    evidence = {
        "capped": [list(pair) for pair in parts.reduction.capped],
        "spliced": list(parts.reduction.spliced),
        "deleted": list(parts.reduction.deleted),
        "inner_edges": [[a, b, smaller.hidden[a] * smaller.hidden[b] - 1] for a, b in parts.edges],
        "parts": [
            {
                "classes": shape[0],
                "items": list(shape[1]),
                "times": count,
                "value": bounds[shape].value,
                "evidence": {"kind": bounds[shape].kind, "reason": bounds[shape].reason, **bounds[shape].evidence},
            }
            for shape, count in times.items()
        ],
    }
    value = total - parts.shared
    # that each side has the rank that the rule supposes is the last claim of lemma "capping"
    rule = proved_by("tree rule", reason, "capping")
    of_locals = (bounds[shape].trust.about(f"local model {format_shape(shape)}") for shape in times)
    return Bound(value, side, "trees", reason, trust_in_all([rule, *of_locals]), evidence)


def describe_sum(times: Counter[Shape], bounds: Mapping[Shape, Bound], shared: int) -> str:
    """The sum in words.

    >>> from algdim.bound.bounds import prove_bound
    >>> describe_sum(
    ...     Counter({(2, (2, 2, 2)): 3}),
    ...     {(2, (2, 2, 2)): prove_bound(7, "upper", "counting", "7 parameters", "tree rule")},
    ...     6,
    ... )
    '3 × 7 − 6: local models 2:2,2,2 (7 parameters), minus the overlap along inner edges'
    """
    terms = [
        f"{count} × {format_integer(bounds[shape].value)}" if count > 1 else format_integer(bounds[shape].value)
        for shape, count in times.items()
    ]
    names = [f"{format_shape(shape)} ({bounds[shape].reason})" for shape in times]
    total = " + ".join(terms) if len(terms) <= MOST_SUMMANDS else "the sum"
    less = f" − {format_integer(shared)}" if shared else ""
    kind = "local model" if times.total() == 1 else "local models"
    if not any(classes for classes, _ in times):
        kind = "no latent variable is left,"
    return f"{total}{less}: {kind} {join_names(names, most=MOST_SUMMANDS)}{', minus the overlap along inner edges' if shared else ''}"


def format_shape(shape: Shape) -> str:
    """A shape in the notation.

    >>> format_shape((3, (2, 2, 4))), format_shape((3, (2, 2, 2, 2, 2, 4)))
    ('3:2,2,4', '3:2^5,4')
    """
    classes, items = shape
    if not classes:
        return f"a table with {' × '.join(map(str, items))} cells"
    texts = [
        f"{size}^{times}" if times > MOST_REPEATED else ",".join([str(size)] * times)
        for size, times in sorted(Counter(items).items())
    ]
    return f"{classes}:{','.join(texts)}"


def describe_reduction(reduction: TreeReduction) -> str:
    """What was done to the tree first, in words."""
    done: Sequence[tuple[str, Sequence[str]]] = (
        ("reduced", [f"{name} to {count} states" for name, count in reduction.capped]),
        ("suppressed", reduction.spliced),
        ("deleted", reduction.deleted),
    )
    texts = [f"{what} {join_names(names)}" for what, names in done if names]
    return f"after reduction ({'; '.join(texts)}): " if texts else ""
