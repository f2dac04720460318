"""The family "discrete" in the notation: sizes, clauses, or mechanisms, as the word before the colon says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from algdim.families.contract import Notation
from algdim.families.discrete.clauses import discrete, sigmoid
from algdim.families.discrete.clausetexts import text_of_clauses
from algdim.families.discrete.mechanismnotation import BUILDERS, MECHANISMS, interaction_text
from algdim.families.discrete.model import Network
from algdim.families.discrete.sizes import parse_sizes, text_of_tree
from algdim.models.clauses import DISCRETE, Clauses, Dialect, parse_clauses

DIALECTS: Mapping[str, tuple[Dialect, Callable[[Clauses, str], Network]]] = {
    "discrete": (DISCRETE, discrete),
    "sigmoid": (DISCRETE, sigmoid),
    **{kind: (MECHANISMS, build) for kind, build in BUILDERS.items()},
}
"""What a word before the colon says of the clauses that follow, and what they mean."""


def read(text: str, start: int, word: str, argument: str) -> Network:
    """Read a latent class or tree by its sizes, or clauses."""
    if text.lstrip()[0] in "0123456789!":
        return parse_sizes(text)
    dialect, build = DIALECTS[word]
    return build(parse_clauses(text, start, dialect), argument)


def print_network(model: Network) -> str:
    """Print a network, as a tree or a causal interaction model if it is one."""
    return text_of_tree(model) or interaction_text(model) or text_of_clauses(model)


NOTATION = Notation(read, print_network)
