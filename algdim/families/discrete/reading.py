"""How a discrete network is read and printed: by its sizes, or by clauses; or from a model file."""

from __future__ import annotations

from algdim.families import on_demand
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.model import Network
from algdim.families.discrete.sizes import parse_sizes, text_of_tree


def read(text: str, start: int, word: str, argument: str) -> Network:
    """Read a latent class or tree by its sizes, or clauses as the word before the colon says."""
    if text.lstrip()[0] in "0123456789!":
        return parse_sizes(text)
    found: Network = on_demand("discrete", "mechanismnotation", "read_clauses")(text, start, word, argument)
    return found


def print_network(model: Network) -> str:
    """Print a network, as a tree or a causal interaction model if it is one, else as clauses."""
    return text_of_tree(model) or str(on_demand("discrete", "mechanismnotation", "clauses_text")(model))


NOTATION = Notation(read, print_network)
FILE = ModelFile(on_demand("discrete", "file", "from_dictionary"), on_demand("discrete", "file", "to_dictionary"))
