"""Certificates that were tampered with: random changes, and changes by an adversary who knows the format.

`random_mutant` changes an accepted certificate somewhere. `adversarial` claims a number that is off by one and adapts all
that can be adapted. `is_true` decides by algdim whether a claim is true, whatever its evidence.
"""

from __future__ import annotations

import copy
import json
import random
import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

import brute
from certificates import FOLDER

import algdim
from algdim.certificate.record import written
from algdim.errors import AlgdimError

NUMBER = re.compile(r"-?\b[0-9]+\b")


class Mutant(NamedTuple):
    """The text of a changed certificate, where it came from, and whether it differs in numbers only."""

    text: str
    source: str
    numbers_only: bool


@cache
def originals():
    """The accepted certificates of the corpora, by name."""
    return {file.stem: json.loads(file.read_bytes()) for file in sorted((FOLDER / "accepted").iterdir())}


def places(value, way=()):
    """All places in a document, as paths."""
    yield way
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*way, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*way, number))


def at(data, way):
    """The value at a place."""
    for part in way:
        data = data[part]
    return data


def replaced(data, way, value):
    """The document with another value at a place, which must not be the whole."""
    result = copy.deepcopy(data)
    at(result, way[:-1])[way[-1]] = copy.deepcopy(value)
    return result


def other_number(draw, number):
    """A number near by, or somewhere else."""
    choices = [number + 1, number - 1, 0, 1, 2 * number, draw.randrange(2 * abs(number) + 3), draw.randrange(1 << 40)]
    return draw.choice([choice for choice in choices if choice != number and choice >= 0] or [number + 1])


def random_mutant(seed):
    """One random mutant; most differ in numbers only."""
    draw = random.Random(seed)
    source = draw.choice(list(originals()))
    data = originals()[source]
    if draw.random() < 0.6:
        return Mutant(written(with_other_numbers(draw, data)), source, numbers_only=True)
    change = draw.choice([cut_out, doubled, exchanged, transplanted, other_type, other_byte])
    return Mutant(change(draw, data), source, numbers_only=False)


def with_other_numbers(draw, data):
    """One to three numbers changed, those in texts of fractions and streams included."""
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        numbers = [
            way
            for way in places(data)
            if way and isinstance(at(data, way), int) and not isinstance(at(data, way), bool)
        ]
        texts = [
            way
            for way in places(data)
            if way and isinstance(at(data, way), str) and NUMBER.search(at(data, way)) and "|" in at(data, way)
        ]
        way = draw.choice(numbers if not texts or draw.random() < 0.9 else texts)
        value = at(data, way)
        if isinstance(value, int):
            # the numbers of the claim deserve attention
            names = [name for name, number in data["claim"].items() if isinstance(number, int)]
            way = draw.choice([way, ("claim", draw.choice(names))])
            data = replaced(data, way, other_number(draw, at(data, way)))
        else:
            data = replaced(data, way, NUMBER.sub(lambda found: str(other_number(draw, int(found[0]))), value, count=1))
    return data


def cut_out(draw, data):
    """A member of an object or a list is missing."""
    way = draw.choice([way for way in places(data) if way])
    result = copy.deepcopy(data)
    del at(result, way[:-1])[way[-1]]
    return written(result)


def doubled(draw, data):
    """A member of a list stands twice."""
    lists = [way for way in places(data) if way and isinstance(at(data, way), list) and at(data, way)]
    way = draw.choice(lists)
    value = list(at(data, way))
    value.insert(draw.randrange(len(value) + 1), draw.choice(value))
    return written(replaced(data, way, value))


def exchanged(draw, data):
    """Two values of the same type have changed places."""
    one = draw.choice([way for way in places(data) if way])
    same = [
        way
        for way in places(data)
        if way and type(at(data, way)) is type(at(data, one)) and way[: len(one)] != one and one[: len(way)] != way
    ]
    if not same:
        return cut_out(draw, data)
    other = draw.choice(same)
    return written(replaced(replaced(data, one, at(data, other)), other, at(data, one)))


def transplanted(draw, data):
    """A part of another certificate."""
    other = originals()[draw.choice(list(originals()))]
    mine = [way for way in places(data) if way]
    way = draw.choice(mine)
    theirs = [there for there in places(other) if there and there[-1] == way[-1]]
    return written(replaced(data, way, at(other, draw.choice(theirs)))) if theirs else cut_out(draw, data)


def other_type(draw, data):
    """A value of another type."""
    way = draw.choice([way for way in places(data) if way])
    return written(
        replaced(
            data, way, draw.choice([None, True, False, "", "1", "x", [], [[]], {}, {"kind": "counting"}, -1, 10**30])
        )
    )


def other_byte(draw, data):
    """Some characters of the text changed."""
    text = written(data)
    for _ in range(draw.choice([1, 1, 2, 5])):
        place = draw.randrange(len(text))
        text = (
            text[:place]
            + draw.choice(['"', "{", "}", "[", "]", ",", ":", "0", "9", "-", ".", "e", " ", "\\", "é", ""])
            + text[place + draw.randrange(2) :]
        )
    return text


def nodes(node, way=()):
    """All nodes of evidence, with their places."""
    yield way, node
    for number, inner in enumerate(node.get("parts", ())):
        yield from nodes(inner, (*way, "parts", number))


def resize(draw, model, step):
    """Change what the model's numbers depend on: a number of states, or whether there are means."""
    if model["family"] == "gaussian":
        model["means"] = not model["means"]
        return
    variable = draw.choice([variable for variable in model["variables"] if "states" in variable])
    variable["states"] = max(1 + variable["observed"], variable["states"] + step)


WEAK = {"counting": "standard", "ambient": "complete"}
"""Upper bounds that are numbers of the claim."""


def adversarial(seed):
    """A claim off by one, with evidence that says so as well as it can; some more are about Gaussian and latent-profile models."""
    draw = random.Random(f"adversary {seed}")
    source = draw.choice(list(originals()))
    if draw.random() < 0.2:
        source = draw.choice([name for name in originals() if name.startswith(("gaussian", "profile"))])
    data = copy.deepcopy(originals()[source])
    step = draw.choice([1, -1])
    claim, evidence = data["claim"], data["evidence"]
    if draw.random() < 0.25:
        # another number of the claim; the model may be made to fit
        name = draw.choice(["standard", "complete"])
        claim[name] = step if claim[name] is None else claim[name] + step
        if draw.random() < 0.5:
            resize(draw, claim["model"], step)
        return Mutant(written(data), source, numbers_only=True)
    claim["dimension"] += step
    if draw.random() < 0.5:
        # a true but weak upper bound, so that all depends on the lower one
        value, kind = min((claim[name], kind) for kind, name in WEAK.items() if claim[name] is not None)
        if value > claim["dimension"] - step:
            step = value - claim["dimension"] + step
            claim["dimension"] = value
            evidence["upper"] = {"kind": kind, "value": value}
            lie_about(draw, evidence["lower"], step, honest=False)
            return Mutant(written(data), source, numbers_only=False)
    for side in ("lower", "upper"):
        honest = (side == "lower") == (step < 0) and draw.random() < 0.5
        lie_about(draw, evidence[side], step, honest)
    return Mutant(written(data), source, numbers_only=False)


def lie_about(draw, node, step, honest):
    """Let one leaf of the evidence claim more or less, and the nodes above it with it."""
    leaves = [(way, leaf) for way, leaf in nodes(node) if "parts" not in leaf]
    node["value"] += step
    if not leaves:
        return
    way, leaf = draw.choice(leaves)
    place = node
    for part in way:
        place = place[part]
        if isinstance(place, dict):
            place["value"] += step
    LIES.get(leaf["kind"], plain_lie)(draw, leaf, step, honest)


def plain_lie(draw, leaf, step, honest):
    """Nothing but the value, or another kind that needs nothing else."""
    if not honest and draw.random() < 0.5:
        kind = draw.choice(["counting", "ambient", "entries", "containing"])
        value = leaf["value"]
        leaf.clear()
        leaf.update(kind=kind, value=value)


def rank_lie(draw, leaf, step, honest):
    """One more row and column, wherever they come from, or one less."""
    for key in ("rows", "columns"):
        numbers = leaf[key]
        if step < 0:
            numbers.pop(draw.randrange(len(numbers)) if numbers else 0) if numbers else None
        else:
            for _ in range(step):
                spare = [k for k in range(len(numbers) + 20) if k not in numbers]
                numbers.append(draw.choice([spare[0], spare[0], draw.choice(spare)]))
            numbers.sort()
    if not honest:
        leaf["prime"] = draw.choice([2, 3, 5, 7, leaf["prime"], leaf["prime"] + 2, 8388593, 561, 1 << 62])
        leaf["point"] = draw.choice([leaf["point"], f"algdim 1|{draw.randrange(1000)}|point"])


def equations_lie(draw, leaf, step, honest):
    """More pairs or constants, or less; separators that are too small; other blocks."""
    if not leaf["matrices"] or draw.random() < 0.3:
        leaf["constants"] = leaf["constants"][:-1] if step > 0 else sorted({*leaf["constants"], draw.randrange(8)})
        return
    matrix = draw.choice(leaf["matrices"])
    if step > 0:
        matrix["pairs"].pop()
        return
    matrix["pairs"].append(draw.choice([matrix["pairs"][-1], [draw.randrange(4), draw.randrange(4)]]))
    if honest:
        return
    change = draw.choice(["cut", "prime", *(("order", "blocks", "C") if "S" in matrix else ("rows", "sides"))])
    if change == "prime":
        leaf["prime"] = draw.choice([2, 3, 5, 7, 8388593])
    elif change == "cut" and "S" in matrix:
        matrix["S"] = []
    elif change == "cut":
        (matrix["left"] or matrix["right"]).pop()
    elif change == "order" and "order" in matrix:
        matrix["order"] += 1
    elif change == "blocks":
        draw.shuffle(matrix["blocks"])
    elif change == "C":
        matrix["C"], matrix["blocks"][1] = matrix["blocks"][1][:1], matrix["blocks"][1][1:]
        matrix["state"] = [0]
    elif change == "rows":
        matrix["rows"] = sorted({*matrix["rows"], *matrix["columns"][:1]})
        matrix["pairs"] += [[2, 1], [1, 2]]
    elif change == "sides":
        matrix["left"], matrix["right"] = matrix["right"], matrix["left"]


def kruskal_lie(draw, leaf, step, honest):
    """Other blocks and ranks."""
    draw.choice(leaf["blocks"]).pop()
    leaf["ranks"][draw.randrange(3)] += draw.choice([0, step])


def containing_lie(draw, leaf, step, honest):
    """Another order, or a child forgotten."""
    children = leaf["averaged"][0]["children"]
    draw.choice([children.reverse, children.pop])()


def symmetry_lie(draw, leaf, step, honest):
    """A lower rank of a local map, a field twice, or one more move of some kind, also around an observed variable."""
    first = leaf["fields"][0]
    if isinstance(first, dict):
        first["upper"]["value"] += draw.choice([step, 0])
        leaf["fields"] = leaf["fields"] * draw.choice([1, 2])
        return
    if step > 0:
        leaf["fields"].pop()
        return
    names = [name for field in leaf["fields"] for move in field for name in move["of"]] + ["A", "B", "X1"]
    kind = draw.choice(["equation", "substitution", "errors", "mean"])
    of = [draw.choice(names), "1" if kind == "mean" else draw.choice(names)]
    move = {"move": kind, "of": of, "coefficient": draw.choice(["1", "-1", "1/2"]), "factor": []}
    draw.choice([lambda: leaf["fields"].append([move]), lambda: draw.choice(leaf["fields"]).append(move)])()


LIES = {
    "rank": rank_lie,
    "equations": equations_lie,
    "kruskal": kruskal_lie,
    "containing": containing_lie,
    "symmetry": symmetry_lie,
}


@cache
def facts(model):
    """The true dimension, standard and complete dimension of the model of a claim."""
    data = json.loads(model)
    if "tables" in data:
        return by_hand(data)
    try:
        report = algdim.dimension(as_file(data))
    except AlgdimError:
        return None
    assert report.exact or report.upper.value == report.lower.value

    return report.dimension, report.standard, report.complete


def as_file(data):
    """The model of a claim without tables that are written out, in the form of a model file."""
    if data["family"] != "discrete":
        return data
    variables = [{key: item[key] for key in ("name", "states", "observed")} for item in data["variables"]]
    edges = [[parent, item["name"]] for item in data["variables"] for parent in item["parents"]]
    shares = {item["name"]: {"type": "table", "share": item["table"]} for item in data["variables"] if "table" in item}
    more = {"local": shares, "given": data.get("given")}
    return {"family": "discrete", "variables": variables, "edges": edges, **{k: v for k, v in more.items() if v}}


def by_hand(data):
    """The same for any discrete model, by the sum over all joint states at a random point."""
    sizes = {item["name"]: item["states"] for item in data["variables"]}
    inside = [item for item in data["variables"] if item["name"] not in data.get("given", ())]
    tables, numbers, draw = {}, {}, random.Random(json.dumps(data))
    for item in inside:
        above = list(product(*(range(sizes[parent]) for parent in item["parents"])))
        tables[item["name"]] = table = {}
        for row, states in enumerate(above):
            written = data["tables"].get(item.get("table", item["name"]))
            for state in range(item["states"]):
                if written == "sigmoid":
                    wide = [number for number, parent in enumerate(item["parents"]) if sizes[parent] > 1]
                    entry = ("sigmoid", weights_of(item, wide, states))
                else:
                    entry = ("linear", entry_of(item, written and written[row], states, state))
                table[*states, state] = entry
                for name in entry[1]:
                    name == "1" or numbers.setdefault(name, draw.randrange(1, brute.PRIME))
    places = {name: place for place, name in enumerate(numbers)}
    rows = {}
    for states in product(*map(range, sizes.values())):
        at = dict(zip(sizes, states, strict=True))
        found = [
            with_slopes(
                tables[item["name"]][(*(at[v] for v in item["parents"]), at[item["name"]])], at[item["name"]], numbers
            )
            for item in inside
        ]
        row = rows.setdefault(tuple(at[v["name"]] for v in data["variables"] if v["observed"]), [0] * len(numbers))
        for place, (_, slopes) in enumerate(found):
            others = prod(value for other, (value, _) in enumerate(found) if other != place) % brute.PRIME
            for name, slope in slopes.items():
                row[places[name]] += others * slope
    matrix = [[x % brute.PRIME for x in row] for row in rows.values()]
    return brute.rank(matrix), len(numbers), len(rows) - prod(sizes[name] for name in data.get("given", ()))


def weights_of(item, wide, states):
    """The weights of a sigmoid variable, with the states that they are multiplied by."""
    owner = item.get("table", item["name"])
    return {f"{owner}{number}": states[number] for number in wide} | {f"{owner} a": 1}


def with_slopes(entry, state, numbers):
    """The value of an entry and its derivatives, of a sigmoid one those by the weights; ``numbers`` are their exponentials."""
    kind, terms = entry
    if kind == "linear":
        values = {"1": 1, **numbers}
        slopes = {name: brute.residue(x) for name, x in terms.items()}
        return sum(x * values[name] for name, x in slopes.items()), {n: x for n, x in slopes.items() if n != "1"}
    odds = 1
    for name, times in terms.items():
        odds = odds * pow(numbers[name], times, brute.PRIME) % brute.PRIME
    one = odds * pow(1 + odds, -1, brute.PRIME) % brute.PRIME
    slope = one * (1 - one) * (1 if state else -1)
    return (one if state else 1 - one), {name: times * slope for name, times in terms.items()}


def entry_of(item, written, states, state):
    """An entry as numbers by name; the last of a free row is 1 minus the others."""
    if written:
        entry = written[state] if isinstance(written[state], dict) else {"1": written[state]}
        return {name: Fraction(x) for name, x in entry.items() if Fraction(x)}
    names = [f"{item.get('table', item['name'])}{(*states, k)}" for k in range(item["states"] - 1)]
    return {names[state]: 1} if state < len(names) else {"1": 1} | dict.fromkeys(names, -1)


def is_true(text):
    """Whether a claim is true, by algdim or by hand and not by the checker."""
    claim = json.loads(text)["claim"]
    return facts(json.dumps(claim["model"])) == (claim["dimension"], claim["standard"], claim["complete"])
