"""Trees in Newick's format, with the model of evolution as an option: files of one tree, or of one for each class of sites.

A NEXUS file has such trees in a block of its own, with names for numbers.
"""

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
    trees = find_trees(text) if text.lstrip()[:6].upper() == "#NEXUS" else text
    try:
        return keep_line(*read_phylogeny(trees, 0, model, given))
    except InputError as error:
        if "\n" in str(error):
            raise
        raise make_position_error(text, 0, str(error)) from None


BEGIN = re.compile(r"(?i)\bbegin\s+trees\s*;")
END = re.compile(r"(?i)\bend(?:block)?\s*;")
TREE = re.compile(r"(?i)\bu?tree\s+(?:\*\s*)?(?:'[^']*'|[^\s='\[;]+)\s*=")
TRANSLATE = re.compile(r"(?i)\btranslate\s([^;]*);")
LABEL = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|(?<=[(,])(\s*)([^\s()\[\]{}:;,'#]+)")


def find_trees(text: str) -> str:
    """The trees of a NEXUS file in their places, with names for their numbers, and blanks elsewhere.

    >>> find_trees("#NEXUS begin trees; translate 1 A, 2 'B c'; tree one = [&U] (1,2); end;").split()
    ['[&U]', "(A,'B", "c');"]
    """
    begin = BEGIN.search(text)
    if begin is None:
        raise make_position_error(text, 0, "the file has no block of trees, 'begin trees;'")
    ended = END.search(text, begin.end())
    end = ended.start() if ended else len(text)
    table = TRANSLATE.search(text, begin.end(), end)
    entries = [entry.split(maxsplit=1) for entry in (table[1] if table else "").split(",")]
    names = {entry[0]: entry[1].strip() for entry in entries if len(entry) == 2}
    pieces, last = [], 0
    for found in TREE.finditer(text, table.end() if table else begin.end(), end):
        stop = text.find(";", found.end(), end) + 1 or end
        tree = LABEL.sub(
            lambda match: match[0] if match[2] is None else match[1] + names.get(match[2], match[2]),
            text[found.end() : stop],
        )
        pieces += [keep_lines(text[last : found.end()]), tree]
        last = stop
    if not pieces:
        raise make_position_error(text, begin.start(), "the block of trees has none, as in tree NAME = ((A,B),C);")
    return "".join(pieces)


def keep_lines(text: str) -> str:
    """Blanks for all signs but the ends of lines, so that places stay."""
    return re.sub(r"[^\n]", " ", text)
