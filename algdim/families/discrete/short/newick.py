"""Trees and networks of species in Newick's format, ``((A,B),(C,D))``, and its extension by ``#H1`` for two parents.

Lengths, comments and what else stands behind a colon are read over: they are one point of the model. Nothing here recurses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from algdim.errors import InputError
from algdim.models.tokens import NAME, Cursor, make_position_error
from algdim.readers.identifiers import make_notation_names

MOST_NODES = 5000
PATTERN = re.compile(
    r"(?P<space>[ \t\r\n]+|\[[^\]]*\])|(?P<quoted>'(?:[^']|'')*')|(?P<symbol>[(),:;#])|(?P<label>[^\s()\[\]{}:;,'#]+)"
)


class NewickNode(NamedTuple):
    """A node: its name, its parents by their places in the tree, and what its edges are called in names of parameters."""

    name: str
    parents: tuple[int, ...]
    key: str


class NewickTree(NamedTuple):
    """A rooted tree, or a network in which nodes have two parents; parents stand before their children."""

    nodes: tuple[NewickNode, ...]

    @property
    def children(self) -> list[list[int]]:
        """The children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for place, node in enumerate(self.nodes):
            for parent in node.parents:
                found[parent].append(place)
        return found

    @property
    def leaves(self) -> tuple[str, ...]:
        """The names of the nodes without children."""
        return tuple(node.name for node, below in zip(self.nodes, self.children, strict=True) if not below)

    @property
    def is_network(self) -> bool:
        """Whether a node has two parents."""
        return any(len(node.parents) > 1 for node in self.nodes)


@dataclass(slots=True, eq=False)
class Draft:
    """A node while it is read: where it stands, its label, the tag that it shares with another mention, its children."""

    at: int
    label: str = ""
    tag: str = ""
    children: list[Draft] = field(default_factory=list)


def read_tree(cursor: Cursor) -> NewickTree:
    """Read a tree, up to the ';' behind it.

    >>> read_tree(Cursor("((A:1,B:2),'C d')", 0, PATTERN)).leaves
    ('A', 'B', 'C_d')
    """
    begin = cursor.now.at
    root = read_drafts(cursor)
    drafts = merge_mentions(root, cursor.text)
    check_labels(drafts, cursor.text, begin)
    return name_nodes(drafts)


def read_drafts(cursor: Cursor) -> Draft:
    """Read parentheses; those that are open are kept on a stack."""
    opened: list[Draft] = []
    count = 0
    while True:
        while cursor.meets("("):
            opened.append(Draft(cursor.take().at))
            count += 1
        node = Draft(cursor.now.at)
        count += 1
        if count > MOST_NODES:
            message = f"the tree has more than {MOST_NODES} nodes; at most {MOST_NODES} are allowed"
            raise make_position_error(cursor.text, node.at, message)
        read_label(cursor, node)
        if not node.label and not node.tag:
            cursor.fail("the name of a leaf, or '('", "a tree is written ((A,B),(C,D))")
        while True:
            if not opened:
                return node
            opened[-1].children.append(node)
            if cursor.skip(","):
                break
            if not cursor.skip(")"):
                message = f"the parenthesis at position {opened[-1].at + 1} is open"
                cursor.fail("',' or ')'", message)
            node = opened.pop()
            read_label(cursor, node)


def read_label(cursor: Cursor, node: Draft) -> None:
    """Read what stands behind a leaf or a ')': a name, a tag, lengths."""
    if cursor.now.kind in ("label", "quoted"):
        text = cursor.take().text
        node.label = text[1:-1].replace("''", "'") if text.startswith("'") else text
    if cursor.skip("#"):
        if cursor.now.kind != "label":
            cursor.fail("the tag of a node with two parents, as #H1,")
        node.tag = cursor.take().text
    while cursor.skip(":"):
        if cursor.now.kind == "label":
            cursor.index += 1


def merge_mentions(root: Draft, text: str) -> list[Draft]:
    """All nodes, parents before children; the two mentions of a node with two parents are one."""
    found: list[Draft] = []
    waiting, by_tag = [root], dict[str, Draft]()
    mentions: dict[str, int] = {}
    while waiting:
        node = waiting.pop()
        if node.tag:
            mentions[node.tag] = mentions.get(node.tag, 0) + 1
            first = by_tag.setdefault(node.tag, node)
            if first is not node:
                if first.children and node.children:
                    raise make_position_error(text, node.at, f"#{node.tag} has children twice; write them once")
                first.children, first.label = first.children or node.children, first.label or node.label
                if node.children:
                    waiting.extend(reversed(node.children))
                continue
        found.append(node)
        waiting.extend(reversed(node.children))
    for node in found:
        node.children = [by_tag[child.tag] if child.tag else child for child in node.children]
    for tag, times in mentions.items():
        if times != 2:
            message = (
                f"#{tag} occurs {'once' if times == 1 else f'{times} times'}; a node with two parents is written twice"
            )
            raise make_position_error(text, by_tag[tag].at, message)
    return sort_drafts(found, text)


def sort_drafts(drafts: list[Draft], text: str) -> list[Draft]:
    """Parents before children."""
    missing = {id(draft): 0 for draft in drafts}
    for draft in drafts:
        for child in draft.children:
            missing[id(child)] += 1
    found, waiting = list[Draft](), [drafts[0]]
    while waiting:
        draft = waiting.pop()
        found.append(draft)
        for child in reversed(draft.children):
            missing[id(child)] -= 1
            if not missing[id(child)]:
                waiting.append(child)
    if len(found) < len(drafts):
        raise make_position_error(
            text, drafts[0].at, "a node is its own ancestor; time runs from the root to the leaves"
        )
    return found


def check_labels(drafts: list[Draft], text: str, begin: int) -> None:
    """Raise unless there are two leaves at least, and all have names of their own."""
    leaves = [draft for draft in drafts if not draft.children]
    if len(leaves) < 2:
        raise make_position_error(text, begin, "a tree has two leaves at least, as (A,B)")
    seen: set[str] = set()
    for leaf in leaves:
        label = leaf.label or leaf.tag
        if label in seen:
            raise make_position_error(text, leaf.at, f"the leaf {label[:60]} occurs twice; each leaf has its own name")
        seen.add(label)


def name_nodes(drafts: list[Draft]) -> NewickTree:
    """Names of the notation: leaves keep theirs as far as possible, inner nodes without one are N1, N2 and so on."""
    leaves = make_notation_names(draft.label or draft.tag for draft in drafts if not draft.children)
    taken, names, number = set(leaves.values()), list[str](), 0
    for draft in drafts:
        label = draft.label or draft.tag
        if not draft.children:
            names.append(leaves[label])
            continue
        if not NAME.fullmatch(label) or label in taken or make_notation_names([label])[label] != label:
            number += 1
            while f"N{number}" in taken:
                number += 1
            label = f"N{number}"
        taken.add(label)
        names.append(label)
    place = {id(draft): index for index, draft in enumerate(drafts)}
    parents: list[list[int]] = [[] for _ in drafts]
    for draft in drafts:
        for child in draft.children:
            parents[place[id(child)]].append(place[id(draft)])
    if any(len(set(one)) < len(one) for one in parents):
        raise InputError("a node with two parents has the same parent twice; its parents are two nodes")
    return NewickTree(tuple(NewickNode(name, tuple(up), name) for name, up in zip(names, parents, strict=True)))


def write_tree(tree: NewickTree) -> str:
    """Print a tree so that it can be read again.

    >>> write_tree(read_tree(Cursor("((A:1,B:2),(C,D)x)", 0, PATTERN)))
    '((A,B),(C,D)x)'
    """
    children = tree.children
    given = {node.name for node in tree.nodes if re.fullmatch(r"N[0-9]+", node.name) is None}
    done: set[int] = set()
    pieces: list[str] = []
    waiting: list[int | str] = [0]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            pieces.append(one)
            continue
        node = tree.nodes[one]
        is_double = len(node.parents) > 1
        label = f"#{node.name}" if is_double else node.name if node.name in given or not children[one] else ""
        if not children[one] or one in done:
            pieces.append(label)
            done.add(one)
            continue
        done.add(one)
        behind: list[int | str] = ["("]
        for number, child in enumerate(children[one]):
            behind += [",", child] if number else [child]
        waiting += reversed([*behind, f"){label}"])
    return "".join(pieces)


def suppress_root(tree: NewickTree) -> NewickTree:
    """The tree whose root is a child of the old one, where that has two children: its two edges become one.

    Of two leaves it is the one whose name comes first, so that several trees have the same leaf above the other.
    """
    children = tree.children
    if len(children[0]) != 2 or len(tree.nodes) < 3:
        return tree
    usable = [child for child in children[0] if len(tree.nodes[child].parents) == 1]
    other = [child for child in usable if children[child]] or sorted(usable, key=lambda child: tree.nodes[child].name)
    if not other or len(usable) < 2:
        return tree
    new = other[0]
    old = next(child for child in children[0] if child != new)
    moved = [
        tree.nodes[new]._replace(parents=()),
        *(
            node._replace(parents=(new,)) if place == old else node
            for place, node in enumerate(tree.nodes)
            if place not in (0, new)
        ),
    ]
    places = [new, *(place for place in range(len(tree.nodes)) if place not in (0, new))]
    number = {place: index for index, place in enumerate(places)}
    return NewickTree(tuple(node._replace(parents=tuple(number[up] for up in node.parents)) for node in moved))


def subdivide_by_clock(tree: NewickTree) -> NewickTree:
    """The tree with a node on each lineage at each branching time; all edges of a time slice have one key, t1 the latest.

    Of two branchings neither of which is above the other, the one with fewer edges below is the later, then the one that is
    written first. Another order gives other inequalities and the same equations.
    """
    children = tree.children
    height = [0] * len(tree.nodes)
    for place in reversed(range(len(tree.nodes))):
        height[place] = max((height[child] + 1 for child in children[place]), default=0)
    inner = sorted((place for place in range(len(tree.nodes)) if children[place]), key=lambda p: (height[p], p))
    time = {place: rank for rank, place in enumerate(inner, 1)}
    found: list[NewickNode] = []
    number: dict[int, int] = {}
    for place, node in enumerate(tree.nodes):
        if node.parents:
            above = number[node.parents[0]]
            for moment in range(time[node.parents[0]], time.get(place, 0) + 1, -1):
                found.append(NewickNode(f"{node.name}.t{moment - 1}", (above,), f"t{moment}"))
                above = len(found) - 1
            found.append(NewickNode(node.name, (above,), f"t{time.get(place, 0) + 1}"))
        else:
            found.append(node)
        number[place] = len(found) - 1
    return NewickTree(tuple(found))
