"""Models up to the names and the order of their variables: what is answered to one is the answer to all of them.

A drawing gets a canonical form: its variables are numbered by colours that are refined until no two are the same (equitable
partitions; where colours do not decide, variables are told apart one after another and the least form is taken). The question
is asked about that form, and its answer is translated back. If the search is given up, the form is still the same model: an
answer that is known is then not found, and no answer is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

Drawing = Mapping[str, Any]

MOST_VARIABLES = 24
"""Of larger models the names stay: their texts are short through ranges of names."""
MOST_LEAVES = 16
"""Forms that are compared: symmetric graphs without alike variables have very many."""
LONGEST_NAME = 1000

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*(?!\()\b")
NUMBERED = re.compile(r"(?<![A-Za-z0-9_.])q(\d{1,3})_")
CONDITIONED = re.compile(r"(?P<whose>[A-Za-z]\([^()|\"\\]*)\|(?P<given>[^()|\"\\]*)\)")
COVARIANCE = re.compile(r"\bc\((?P<one>[A-Za-z0-9_.]+)<->(?P<other>[A-Za-z0-9_.]+)")


class NumberedNames(NamedTuple):
    """The names behind the numbers; the parents of each variable and the pairs with an arc, in the order of the model."""

    names: tuple[str, ...]
    parents: Mapping[str, Sequence[str]]
    arcs: Sequence[tuple[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """For the page, which sends it with its questions."""
        return {"names": [*self.names], "parents": dict(self.parents), "arcs": [list(pair) for pair in self.arcs]}


class Colours(NamedTuple):
    """A numbering that is on its way: the colour of each variable."""

    of: tuple[int, ...]

    @property
    def cells(self) -> list[list[int]]:
        """The variables of each colour, in the order of the model."""
        found: list[list[int]] = [[] for _ in range(len(self.of))]
        for variable, colour in enumerate(self.of):
            found[colour].append(variable)
        return found


class Links(NamedTuple):
    """For each variable the numbers of its parents, its children, and those at the other end of an arc."""

    parents: tuple[tuple[int, ...], ...]
    children: tuple[tuple[int, ...], ...]
    arcs: tuple[tuple[int, ...], ...]


def find_canonical_form(drawing: Drawing) -> tuple[dict[str, Any], NumberedNames] | None:
    """The drawing with numbered variables, and their names; nothing where there are too many variables.

    >>> from algdim.models.anymodel import convert_model_to_dictionary
    >>> from algdim.models.notation import parse
    >>> one, other = (
    ...     convert_model_to_dictionary(parse(text)) for text in ("A -> B <- C; hidden C", "U -> V; W -> V; hidden W")
    ... )
    >>> first, renaming = find_canonical_form(one)
    >>> first == find_canonical_form(other)[0], first["edges"], renaming.names
    (True, [['q0_', 'q2_'], ['q1_', 'q2_']], ('C', 'A', 'B'))
    """
    names = [one["name"] for one in drawing.get("variables", ())]
    if not 1 <= len(names) <= MOST_VARIABLES or "edges" not in drawing:
        return None
    links = find_links(drawing, names)

    def rename(order: Sequence[int]) -> dict[str, Any]:
        return rename_drawing(drawing, [names[variable] for variable in order])

    orders = islice(iterate_orders(drawing, names, links), MOST_LEAVES)
    best = min(orders, key=lambda order: json.dumps(rename(order), sort_keys=True))
    parents = {name: [names[parent] for parent in links.parents[number]] for number, name in enumerate(names)}
    arcs = [(one, other) for one, other in drawing.get("bidirected", ())]
    return rename(best), NumberedNames(tuple(names[variable] for variable in best), parents, arcs)


def find_links(drawing: Drawing, names: Sequence[str]) -> Links:
    """Who is joined to whom."""
    number = {name: place for place, name in enumerate(names)}
    edges = [(number[one], number[other]) for one, other in drawing["edges"]]
    pairs = [(number[one], number[other]) for one, other in drawing.get("bidirected", ())]
    both = [*pairs, *((other, one) for one, other in pairs)]

    def collect(found: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(end for start, end in found if start == place) for place in range(len(names)))

    return Links(collect([(other, one) for one, other in edges]), collect(edges), collect(both))


def iterate_orders(drawing: Drawing, names: Sequence[str], links: Links) -> Iterator[list[int]]:
    """The numberings among which the least is taken: the same ones for all models that differ in names and order alone."""

    def search(colours: Colours) -> Iterator[list[int]]:
        refined = refine(colours, links)
        cells = [cell for cell in refined.cells if len(cell) > 1]
        if not cells:
            yield sorted(range(len(names)), key=lambda variable: refined.of[variable])
            return
        tried: list[int] = []
        for variable in min(cells, key=len):
            if not any(is_symmetry(drawing, names, (one, variable)) for one in tried):
                tried.append(variable)
                yield from search(rank([(colour, place != variable) for place, colour in enumerate(refined.of)]))

    yield from search(rank([describe_variable(drawing, name) for name in names]))


def describe_variable(drawing: Drawing, name: str) -> str:
    """What a variable looks like by itself, without names."""
    (own,) = (one for one in drawing["variables"] if one["name"] == name)
    rest = describe_rest(drawing, {name: "self"}, "other")
    return json.dumps([{key: value for key, value in own.items() if key != "name"}, rest], sort_keys=True)


def describe_rest(drawing: Drawing, called: Mapping[str, str], others: str) -> Any:
    """What is said of variables besides their edges, with other names; where several become alike, as a sorted list."""
    names = {one["name"] for one in drawing["variables"]}

    def rename(text: str) -> str:
        renamed = WORD.sub(lambda found: called.get(found[0], others) if found[0] in names else found[0], text)
        return sort_inside(renamed, lambda given, _: sorted(given), sorted)

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return rename(value)
        if isinstance(value, Mapping):
            return sorted(json.dumps([rename(key), walk(inner)], sort_keys=True) for key, inner in value.items())
        return sorted(json.dumps(walk(inner)) for inner in value) if isinstance(value, (list, tuple)) else value

    return walk({key: value for key, value in drawing.items() if key not in {"variables", "edges", "bidirected"}})


def rank(keys: Sequence[Any]) -> Colours:
    """Colours by the order of what each variable looks like: 0 for the least."""
    order = {key: place for place, key in enumerate(sorted(set(keys)))}
    return Colours(tuple(order[key] for key in keys))


def refine(colours: Colours, links: Links) -> Colours:
    """Tell variables apart by the colours of their neighbours, until nothing changes."""
    while True:
        of = colours.of
        keys = [
            (of[variable], *(tuple(sorted(of[other] for other in joined[variable])) for joined in links))
            for variable in range(len(of))
        ]
        finer = rank(keys)
        if max(finer.of) == max(of):
            return finer
        colours = finer


def is_symmetry(drawing: Drawing, names: Sequence[str], pair: tuple[int, int]) -> bool:
    """Whether two variables can be exchanged without a change of the model."""
    one, other = (names[place] for place in pair)
    swapped = {one: other, other: one}

    def collect(key: str, called: Mapping[str, str]) -> set[Any]:
        found = [tuple(called.get(name, name) for name in link) for link in drawing.get(key, ())]
        return {frozenset(link) for link in found} if key == "bidirected" else set(found)

    if any(collect(key, {}) != collect(key, swapped) for key in ("edges", "bidirected")):
        return False
    own = {name: name for name in names}
    return bool(describe_rest(drawing, own, "") == describe_rest(drawing, own | swapped, ""))


def sort_inside(
    text: str, sort_given: Callable[[list[str], str], list[str]], sort_pair: Callable[[list[str]], list[str]]
) -> str:
    """A text with conditions, P(C=0|A=0,B=1), and pairs, c(X<->Y), in another order; conditions may be sorted by whose they are.

    >>> sort_inside("P(C=0|B=1,A=0) c(Y<->X)", lambda given, owner: sorted(given), sorted)
    'P(C=0|A=0,B=1) c(X<->Y)'
    """

    def sort_conditions(found: re.Match[str]) -> str:
        given = found["given"].split(",")
        owner = re.split(r"[(>]", found["whose"])[-1].partition("=")[0]
        return f"{found['whose']}|{','.join(sort_given(given, owner))})"

    def sort_ends(found: re.Match[str]) -> str:
        one, other = sort_pair([found["one"], found["other"]])
        return f"c({one}<->{other}"

    return COVARIANCE.sub(sort_ends, CONDITIONED.sub(sort_conditions, text))


def rename_drawing(drawing: Drawing, order: Sequence[str]) -> dict[str, Any]:
    """The drawing with numbers for names, in their order."""
    number = {name: place for place, name in enumerate(order)}

    def sort(texts: list[str]) -> list[str]:
        return sorted(texts, key=lambda text: int(found[1]) if (found := NUMBERED.match(text)) else -1)

    def rename(text: str) -> str:
        renamed = WORD.sub(lambda found: f"q{number[found[0]]}_" if found[0] in number else found[0], text)
        return sort_inside(renamed, lambda given, _: sort(given), sort)

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return rename(value)
        if isinstance(value, Mapping):
            pairs = sorted((rename(key), inner) for key, inner in value.items())
            return {key: walk(inner) for key, inner in pairs}
        return [walk(inner) for inner in value] if isinstance(value, (list, tuple)) else value

    by_name = {one["name"]: one for one in drawing["variables"]}
    form = {key: walk(value) for key, value in drawing.items() if key not in {"variables", "edges", "bidirected"}}
    if isinstance(form.get("given"), list):
        form["given"] = sorted(form["given"])
    form["family"] = drawing["family"]
    form["variables"] = [{**by_name[name], "name": f"q{place}_"} for name, place in number.items()]
    edges = sorted(
        ((number[one], number[other]) for one, other in drawing["edges"]), key=lambda pair: (pair[1], pair[0])
    )
    form["edges"] = [[f"q{one}_", f"q{other}_"] for one, other in edges]
    if "bidirected" in drawing:
        pairs = sorted(sorted((number[one], number[other])) for one, other in drawing["bidirected"])
        form["bidirected"] = [[f"q{one}_", f"q{other}_"] for one, other in pairs]
    return form


def read_renaming(fields: Any) -> NumberedNames | None:
    """What the page sends, if it is what it was given: names that nothing needs to quote."""
    if not isinstance(fields, dict):
        return None
    names, parents, arcs = (fields.get(key) for key in ("names", "parents", "arcs"))
    if not (isinstance(names, list) and isinstance(parents, dict) and isinstance(arcs, list)):
        return None
    lists = [names, *parents.values(), *arcs]
    if not all(isinstance(one, list) and len(one) <= MOST_VARIABLES for one in lists):
        return None
    if not all(isinstance(one, str) and len(one) <= LONGEST_NAME and WORD.fullmatch(one) for one in chain(*lists)):
        return None
    return NumberedNames(tuple(names), parents, [(pair[0], pair[1]) for pair in arcs if len(pair) == 2])


def translate_answer(content: bytes, renaming: NumberedNames) -> bytes:
    """An answer with names in place of numbers; conditions and pairs in the order of the model, as it writes them itself.

    >>> translate_answer(b'["P(q1_=0|q0_=1,q2_=0)"]', NumberedNames(("B", "C", "A"), {"C": ["A", "B"]}, ()))
    b'["P(C=0|A=0,B=1)"]'
    """
    names, arcs = renaming.names, set(renaming.arcs)

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return names[number] if number < len(names) else found[0]

    def sort_given(given: list[str], owner: str) -> list[str]:
        parents = list(renaming.parents.get(owner, ()))
        return sorted(
            given, key=lambda one: parents.index(word) if (word := one.partition("=")[0]) in parents else len(parents)
        )

    text = NUMBERED.sub(name, content.decode())
    return sort_inside(text, sort_given, lambda pair: pair[::-1] if (pair[1], pair[0]) in arcs else pair).encode()
