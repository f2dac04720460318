"""Trees in Newick's format, with the model of evolution as an option: files of one tree, or of one for each class of sites."""

from __future__ import annotations

import re

from algdim.errors import InputError
from algdim.families.discrete.model import Network
from algdim.families.discrete.short import keep_line
from algdim.families.discrete.short.phylogeny import MOST_CLASSES, read_phylogeny
from algdim.models.tokens import make_position_error
from algdim.readers.formats import Options, read_integer_option

MODEL = re.compile(r"\[\s*model\s+([A-Za-z0-9]{1,20})\s*\]")
"""A comment that says the model."""
WORDS = {"model": "NAME", "clock": "", "invariable": "", "classes": "NUMBER"}


def read_newick(text: str, options: Options) -> Network:
    r"""Read the trees of a file.

    >>> read_newick("((A:0.1,B:0.2):0.3,(C,D));\n", {"model": "JC69"}).short
    'phylo JC69: ((A,B),(C,D))'
    """
    said = MODEL.search(text)
    model = options.get("model") or (said[1] if said else "")
    if not model:
        message = (
            "the file does not say the model of evolution; give it, as in --format newick:model=JC69, or write [model JC69] "
            "into the file"
        )
        raise make_position_error(text, 0, message)
    given = {word: 1 for word in ("clock", "invariable") if word in options}
    if "classes" in options:
        given["classes"] = read_integer_option(options, "classes", 1, 1, MOST_CLASSES, "the format newick")
    try:
        return keep_line(*read_phylogeny(text, 0, model, given))
    except InputError as error:
        if "\n" in str(error):
            raise
        raise make_position_error(text, 0, str(error)) from None
