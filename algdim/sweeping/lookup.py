"""The atlas: a file of models with their dimensions, in which a model is found under any names.

A model's key is the hash of its canonical form. Networks with free tables have one form for all that are Markov equivalent
(`algdim.sweeping.structures`), Gaussian models without fixed and equal entries one up to the names of variables; of all other
models the form is their text.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from algdim.about import VERSION
from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Result, cut_cell, make_frame
from algdim.errors import InputError, LimitError
from algdim.families import load_renaming
from algdim.families.contract import Relation
from algdim.models.anymodel import AnyModel
from algdim.models.notation import parse, to_text

ATLAS = Path(__file__).with_name("atlas.csv.gz")
"""The file that is installed with algdim; `atlas/build.py` writes it."""
COLUMNS = ("key", "class", "model", "parameters", "saturated", "dimension", "status", "proof", "identified")
NUMBERS = ("parameters", "saturated", "dimension")
MOST_BYTES = 1 << 26
"""Of an atlas, unpacked."""
MOST_TRIED = 20_000
"""Numberings of one model that are compared."""
ALL, PROBABLE = "all", "probable"
"""In the column `identified`: all parameters, locally; otherwise their number, with the word if that is not proved, or nothing if it was not computed."""


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Result):
    """A model of an atlas, with the text that was looked up."""

    asked: str
    model: str
    kind: str
    """The class of models of the atlas."""
    parameters: int
    saturated: int
    dimension: int
    status: str
    proof: str
    identified: str

    @property
    def expected(self) -> int:
        """The minimum of the number of parameters and the dimension of the saturated model."""
        return min(self.parameters, self.saturated)

    @property
    def defect(self) -> int:
        """How far the dimension is below the expected one."""
        return self.expected - self.dimension

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What is known of it, line by line."""
        count, _, doubt = self.identified.partition(" ")
        of_all = f"{count} of {self.parameters} parameters{f', {doubt}' if doubt else ''}"
        identified = of_all if count.isdecimal() else count or "not computed"
        return [
            ("found as", self.model),
            ("class", self.kind),
            ("dimension", f"{self.dimension} ({self.status} when the atlas was made)"),
            ("expected", f"{self.expected}{f', defective by {self.defect}' if self.defect else ''}"),
            ("parameters", str(self.parameters)),
            ("saturated", str(self.saturated)),
            ("upper bound", self.proof),
            ("locally identified", identified),
            (
                "certificate",
                "algdim prove MODEL, where the format has one"
                if self.status == "proved"
                else "none, the dimension is probable",
            ),
            ("cite", f"atlas of algdim {VERSION}, class {self.kind}"),
        ]

    def _summarise(self) -> str:
        return f"{cut_cell(self.asked)}: dimension {self.dimension} ({self.status} when the atlas was made)"

    def _show(self) -> Iterator[Block]:
        yield TableBlock((), tuple(self.rows), caption=cut_cell(self.asked))

    def _tabulate(self) -> Frame:
        return make_frame([self.to_dict()])

    def lines(self) -> list[str]:
        """A line for each fact."""
        width = max(len(name) for name, _ in self.rows)
        return [self.asked, *(f"  {name:<{width}}  {value}" for name, value in self.rows)]

    def to_dict(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "model": self.asked,
            "found": self.model,
            "class": self.kind,
            "dimension": self.dimension,
            "recorded": self.status,
            "expected": self.expected,
            "defect": self.defect,
            "standard": self.parameters,
            "complete": self.saturated,
            "upper_kind": self.proof,
            "identified": self.identified or None,
        }


def look_up(model: AnyModel, atlas: str | os.PathLike[str] = ATLAS) -> Entry | None:
    """The entry of a model in an atlas, under other names too; ``None`` if there is none.

    >>> from algdim.models.notation import parse
    >>> look_up(parse("B <- G -> A; C <- G -> D; hidden G; states G=3")).dimension
    13
    """
    form, key = make_form(model), compute_key(model)
    for row in iterate_entries(atlas, key):
        # a key is short: the forms decide
        if make_form(parse(row["model"])) == form:
            numbers = {name: int(row[name]) for name in NUMBERS}
            texts = {name: row[name] for name in ("model", "status", "proof", "identified")}
            return Entry(asked=to_text(model), kind=row["class"], **numbers, **texts)  # type: ignore[arg-type]
    return None


def iterate_entries(atlas: str | os.PathLike[str], key: str | None = None) -> Iterator[dict[str, str]]:
    """The rows of an atlas, a .csv file, perhaps packed as .csv.gz, all or those with a key; an error if it is none."""
    try:
        text = read_unpacked(atlas)
        rows = csv.DictReader(io.StringIO(text) if key is None else select_lines(text, key), strict=True)
        if tuple(rows.fieldnames or ()) != COLUMNS:
            raise InputError(f"{atlas}: the columns of an atlas are expected: {', '.join(COLUMNS)}")
        for row in rows:
            if None in row or None in row.values() or not all(row[name].isdecimal() for name in NUMBERS):
                where = f"line {rows.line_num}" if key is None else f"key {key}"
                raise InputError(f"{atlas}, {where}: a row that is not one of an atlas")
            yield row
    except OSError as error:
        raise InputError(
            f"{atlas}: {error.strerror or 'not a packed file'}; name a file that `make atlas` wrote"
        ) from None
    except (UnicodeDecodeError, csv.Error, EOFError, zlib.error) as error:
        raise InputError(f"{atlas}: {error}; that is no atlas of algdim") from None


def read_unpacked(path: str | os.PathLike[str]) -> str:
    """The text of a file, unpacked if it is packed."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if data[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
            data = unpacked.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitError(f"{path}: more than {MOST_BYTES >> 20} MB unpacked; that is no atlas of algdim")
    return data.decode()


def select_lines(text: str, key: str) -> Iterator[str]:
    r"""The first line, and those that begin with a key: to read all others takes much longer than to pass them by.

    >>> list(select_lines("key,model\n1,a\n2,b\n12,c\n2,d", "2"))
    ['key,model', '2,b', '2,d']
    """
    yield text.partition("\n")[0]
    start = text.find(f"\n{key},")
    while start >= 0:
        end = text.find("\n", start + 1)
        yield text[start + 1 : end if end >= 0 else None]
        start = text.find(f"\n{key},", start + 1)


def compute_key(model: AnyModel) -> str:
    """The key of a model in an atlas: the first 40 bits of a hash of its canonical form, for a quick search.

    >>> from algdim.models.notation import parse
    >>> texts = "A -> B -> C", "C -> B -> A", "A <- B -> C", "A -> B <- C"
    >>> len({compute_key(parse(text)) for text in texts})
    2
    """
    return sha256(make_form(model).encode()).hexdigest()[:10]


def make_form(model: AnyModel) -> str:
    """The canonical form of a model as text: equal for models that differ in names, or are Markov equivalent."""
    related = load_renaming(model.family).relate(model)
    return json.dumps([model.family, find_canonical_form(*related) if related is not None else to_text(model)])


def find_canonical_form(colours: Sequence[str], relations: Sequence[Relation]) -> list[Any]:
    """Colours and relations under the numbering that makes them least, of those that refinement leaves open.

    >>> find_canonical_form("ab", [("->", (0, 1))]) == find_canonical_form("ba", [("->", (1, 0))])
    True
    """
    known = frozenset(relations)
    best: list[Any] | None = None
    waiting = [rank_signatures(list(colours))]
    tried = 0
    while waiting:
        tried += 1
        if tried > MOST_TRIED:
            raise LimitError(f"a model with more than {MOST_TRIED} numberings that look alike; it is not in the atlas")
        numbers = refine_colours(waiting.pop(), relations)
        members = defaultdict(list)
        for vertex, number in enumerate(numbers):
            members[number].append(vertex)
        alike = next((group for _, group in sorted(members.items()) if len(group) > 1), None)
        if alike is None:
            order = sorted(range(len(numbers)), key=numbers.__getitem__)
            moved = sorted([label, *(numbers[v] for v in ends)] for label, ends in relations)
            form = [[colours[vertex] for vertex in order], moved]
            best = form if best is None or form < best else best
            continue
        chosen: list[int] = []
        for vertex in alike:
            # of vertices that can change places without any change one is enough
            if not any(is_swap_symmetry(vertex, other, known) for other in chosen):
                chosen.append(vertex)
        waiting += [[2 * number + (place != vertex) for place, number in enumerate(numbers)] for vertex in chosen]
    return best or []


def rank_signatures(signatures: Sequence[Any]) -> list[int]:
    """The place of each signature among the different ones, in their order."""
    places = {signature: place for place, signature in enumerate(sorted(set(signatures)))}
    return [places[signature] for signature in signatures]


def refine_colours(numbers: list[int], relations: Sequence[Relation]) -> list[int]:
    """Numbers that agree only where the numbers around agree, repeatedly; no order of vertices is used."""
    while True:
        around: list[list[Any]] = [[] for _ in numbers]
        for label, ends in relations:
            seen = [numbers[v] for v in ends]
            for place, vertex in enumerate(ends):
                around[vertex].append((label, place, seen))
        found = rank_signatures([(number, str(sorted(near))) for number, near in zip(numbers, around, strict=True)])
        if len(set(found)) == len(set(numbers)):
            return found
        numbers = found


def is_swap_symmetry(one: int, other: int, relations: frozenset[Relation]) -> bool:
    """Whether exchanging two vertices leaves all relations as they are."""
    swapped = {one: other, other: one}
    touched = [(label, ends) for label, ends in relations if one in ends or other in ends]
    return all((label, tuple(swapped.get(v, v) for v in ends)) in relations for label, ends in touched)
