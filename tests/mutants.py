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
from types import SimpleNamespace
from typing import NamedTuple

import brute
import brute_sigmoid
from certificates import FOLDER

import algdim
from algdim import AlgdimError
from algdim.certificate.verifying import write_json

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
        return Mutant(write_json(with_other_numbers(draw, data)), source, numbers_only=True)
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
    return write_json(result)


def doubled(draw, data):
    """A member of a list occurs twice."""
    lists = [way for way in places(data) if way and isinstance(at(data, way), list) and at(data, way)]
    way = draw.choice(lists)
    value = list(at(data, way))
    value.insert(draw.randrange(len(value) + 1), draw.choice(value))
    return write_json(replaced(data, way, value))


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
    return write_json(replaced(replaced(data, one, at(data, other)), other, at(data, one)))


def transplanted(draw, data):
    """A part of another certificate."""
    other = originals()[draw.choice(list(originals()))]
    mine = [way for way in places(data) if way]
    way = draw.choice(mine)
    theirs = [there for there in places(other) if there and there[-1] == way[-1]]
    return write_json(replaced(data, way, at(other, draw.choice(theirs)))) if theirs else cut_out(draw, data)


def other_type(draw, data):
    """A value of another type."""
    way = draw.choice([way for way in places(data) if way])
    return write_json(
        replaced(
            data, way, draw.choice([None, True, False, "", "1", "x", [], [[]], {}, {"kind": "counting"}, -1, 10**30])
        )
    )


def other_byte(draw, data):
    """Some characters of the text changed."""
    text = write_json(data)
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
    for number, one in enumerate(node.get("of", ())):
        yield from nodes(one["upper"], (*way, "of", number, "upper"))
    for number, one in enumerate(node.get("steps", ())):
        yield from nodes(one["lower"], (*way, "steps", number, "lower"))
    if isinstance(node.get("upper"), dict):
        yield from nodes(node["upper"], (*way, "upper"))


def resize(draw, model, step):
    """Change what the model's numbers depend on: a number of states, or whether there are means."""
    if model["family"] == "gaussian":
        model["means"] = not model["means"]
        return
    if model["family"] == "polynomial":
        model["coordinates"] = model["coordinates"][1:] if step < 0 else model["coordinates"]
        model["parameters"] += ["spare"][:step]
        return
    variable = draw.choice([variable for variable in model["variables"] if "states" in variable])
    variable["states"] = max(1 + variable["observed"], variable["states"] + step)


WEAK = {"counting": "standard", "ambient": "complete"}
"""Upper bounds that are numbers of the claim."""


FAMILIES = (
    *("gaussian", "profile", "classifier", "embedded", "loglinear", "polynomial", "rule", "mechanisms"),
    *(
        "nested",
        "pairwise",
        "secants",
        "along",
        "districts-kept",
        "differences",
        "parts",
        "fewer-states",
        "determinants",
        "normal-form",
    ),
)


def adversarial(seed):
    """A claim off by one, with evidence that says so as well as it can; some more are about what has fewer certificates."""
    draw = random.Random(f"adversary {seed}")
    source = draw.choice(list(originals()))
    if draw.random() < 0.3:
        source = draw.choice([name for name in originals() if name.startswith(FAMILIES)])
    data = copy.deepcopy(originals()[source])
    step = draw.choice([1, -1])
    claim, evidence = data["claim"], data["evidence"]
    if draw.random() < 0.25:
        # another number of the claim; the model may be made to fit
        name = draw.choice(["standard", "complete"])
        claim[name] = step if claim[name] is None else claim[name] + step
        if draw.random() < 0.5:
            resize(draw, claim["model"], step)
        return Mutant(write_json(data), source, numbers_only=True)
    claim["dimension"] += step
    if draw.random() < 0.5:
        # a true but weak upper bound, so that all depends on the lower one
        value, kind = min((claim[name], kind) for kind, name in WEAK.items() if claim[name] is not None)
        if value > claim["dimension"] - step:
            step = value - claim["dimension"] + step
            claim["dimension"] = value
            evidence["upper"] = {"kind": kind, "value": value}
            lie_about(draw, evidence["lower"], step, honest=False)
            return Mutant(write_json(data), source, numbers_only=False)
    for side in ("lower", "upper"):
        honest = (side == "lower") == (step < 0) and draw.random() < 0.5
        lie_about(draw, evidence[side], step, honest)
    return Mutant(write_json(data), source, numbers_only=False)


def lie_about(draw, node, step, honest):
    """Let one leaf of the evidence claim more or less, and the nodes above it with it."""
    leaves = [(way, leaf) for way, leaf in nodes(node) if not {"parts", "of", "upper"} & leaf.keys()]
    node["value"] += step
    if not leaves:
        return
    if node["kind"] == "differences" and not honest and draw.random() < 0.3:
        # less or more reduced, another order or variable
        key = draw.choice(["reduced", "order"])
        draw.choice(
            [
                lambda: node[key] and node[key].pop(),
                lambda: draw.shuffle(node[key]),
                lambda: node[key].extend(node[key][-1:]),
            ]
        )()
        return
    if node["kind"] == "parts" and not honest and draw.random() < 0.5:
        # more or less observed, slices of other variables, parts that change places or are missing
        names = ["A", "B", "C", "G", "H"]
        one = draw.choice(node["of"])
        draw.choice(
            [
                lambda: node["observed"] and node["observed"].pop(),
                lambda: node["observed"].append(draw.choice(names)),
                lambda: one["slices"] and one["slices"].pop(),
                lambda: one["slices"].append(draw.choice(names)),
                lambda: draw.shuffle(node["of"]),
                lambda: node["of"].remove(one),
                lambda: one["upper"].update(value=max(0, one["upper"]["value"] + step)),
                lambda: one["upper"].update(kind=draw.choice(["counting", "ambient", "nested", "containing"])),
            ]
        )()
        return
    if node["kind"] == "fewer-states" and not honest and draw.random() < 0.6:
        # other variables or numbers of states, steps in another order or missing, ranks that are said to be greater
        one = draw.choice(node["steps"])
        names = [step["variable"] for step in node["steps"]]
        draw.choice(
            [
                lambda: one.update(states=max(0, one["states"] + draw.choice([1, -1]))),
                lambda: one.update(variable=draw.choice([*names, "A", "C", "H", "Y"])),
                lambda: draw.shuffle(node["steps"]),
                lambda: node["steps"].remove(one),
                lambda: node["steps"].append(copy.deepcopy(one)),
                lambda: one["lower"].update(value=one["lower"]["value"] + 1),
                lambda: rank_lie(draw, one["lower"], 1, honest=False),
                lambda: one["lower"].update(kind=draw.choice(["secants", "entries", "ambient"])),
                lambda: node["upper"].update(value=max(0, node["upper"]["value"] + step)),
                lambda: node["upper"].update(kind=draw.choice(["counting", "ambient", "nested", "containing"])),
            ]
        )()
        return
    way, leaf = draw.choice(leaves)
    place = node
    for part in way:
        place = place[part]
        if isinstance(place, dict) and "value" in place:
            place["value"] += step
    LIES.get(leaf["kind"], plain_lie)(draw, leaf, step, honest)


def plain_lie(draw, leaf, step, honest):
    """Nothing but the value, or another kind that needs nothing else."""
    if not honest and draw.random() < 0.5:
        kind = draw.choice(["counting", "ambient", "entries", "containing", "nested", "secants"])
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
    if leaf["matrices"] and "rows" in leaf["matrices"][0] and "blocks" in leaf["matrices"][0]:
        # of sums of monomials: fewer rows, fewer blocks
        draw.choice([leaf["matrices"][0]["rows"].pop, leaf["matrices"][0]["blocks"].pop])()
        return
    if leaf.get("margin") and not honest and draw.random() < 0.3:
        # fewer variables in a margin, of which no more is shown
        leaf["margin"].pop(draw.choice([0, -1]))
        return
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
    others = ("order", "blocks", "C") if "S" in matrix else ("rows", "sides") if "left" in matrix else ()
    others = ("blocks", "chain", "given", "given") if "chain" in matrix else others
    change = draw.choice(["cut", "prime", *others])
    if change == "prime":
        leaf["prime"] = draw.choice([2, 3, 5, 7, 8388593])
    elif change == "cut" and "S" in matrix:
        matrix["S"] = []
    elif change == "cut" and "left" in matrix:
        (matrix["left"] or matrix["right"]).pop()
    elif change == "cut":
        # of grids and spans: one member of a list less
        matrix[draw.choice(sorted(key for key, value in matrix.items() if isinstance(value, list) and value))].pop()
    elif change == "order" and "order" in matrix:
        matrix["order"] += 1
    elif change == "blocks":
        draw.shuffle(matrix["blocks"])
    elif change == "C":
        matrix["C"], matrix["blocks"][1] = matrix["blocks"][1][:1], matrix["blocks"][1][1:]
        matrix["state"] = [0]
    elif change == "chain":
        # another order, or one more
        draw.shuffle(matrix["chain"])
        matrix["chain"] += draw.choice([[], ["H"], ["G"], ["B"]])
    elif change == "given":
        # a block and what it is given in each other's places
        one = draw.choice(matrix["blocks"])
        one[:], matrix["C"] = matrix["C"] or one, one[:]
        matrix["state"] = [0] * len(matrix["C"])
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
    if isinstance(first, dict) and "along" in first:
        # the same inside a field of a discrete model, or another place where it is said to be one
        inner = {"fields": [first["along"]]}
        symmetry_lie(draw, inner, step, honest)
        more = [{"hidden": draw.choice([[], ["H"]]), "along": field} for field in inner["fields"][-1:]]
        leaf["fields"] = draw.choice([leaf["fields"] + more, more, leaf["fields"] * 2, leaf["fields"][:-1]])
        return
    if isinstance(first, dict) and "upper" not in first:
        # a field that moves one parameter more, or one alone; or a field twice
        name = draw.choice(list(first))
        more = draw.choice(
            [{**first, "a": name}, {name: first[name]}, {name: "1"}, first, {name: {"power": [name, 2]}}]
        )
        leaf["fields"] = leaf["fields"][:-1] if step > 0 else [*leaf["fields"], more]
        return
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


def tables_lie(draw, leaf, step, honest):
    """Other tables of which the parameters are counted."""
    names = ["A", "B", "C", "X", "X1", "X2", "Y", *leaf["tables"]]
    draw.choice([lambda: leaf["tables"].append(draw.choice(names)), lambda: leaf["tables"] and leaf["tables"].pop()])()


def pairwise_lie(draw, leaf, step, honest):
    """A variable in the other block, in both or in none; no separator."""
    one, other = draw.sample(leaf["blocks"], 2)
    change = draw.choice(["move", "copy", "drop", "cut"])
    if change == "cut" or not one:
        leaf["S"] = []
        return
    name = draw.choice(one)
    if change != "copy":
        one.remove(name)
    if change != "drop":
        other.append(name)
        other.sort()


def mechanisms_lie(draw, leaf, step, honest):
    """Other levels, an effect twice, functions or mechanisms that are missing or too many."""
    effect = draw.choice(leaf["effects"])
    level = draw.choice(effect["levels"])
    change = draw.choice(["level", "fewer", "twice", "mechanism", "function", "both"])
    if change == "level":
        level[draw.randrange(len(level))] += draw.choice([1, -1, 2])
    elif change == "fewer":
        effect["levels"].remove(level)
    elif change == "twice":
        leaf["effects"].append(copy.deepcopy(effect))
    elif change == "mechanism":
        effect["mechanisms"].pop(draw.randrange(len(effect["mechanisms"])))
    elif change == "function" and effect["functions"]:
        effect["functions"].pop(draw.randrange(len(effect["functions"])))
    else:
        effect["mechanisms"] += effect["functions"]


def normal_form_lie(draw, leaf, step, honest):
    """Another constant, one less or one more; a vector twice, changed or made up; no fields."""
    constants, kernel = leaf["constants"], leaf["kernel"]
    name, other = draw.choice(list(constants)), f"p{draw.randrange(14)}"
    made_up = {draw.choice([name, other]): draw.choice(["1", other, {"product": [other, other]}])}
    changes = [
        lambda: kernel.append(made_up),
        lambda: kernel.append(copy.deepcopy(draw.choice(kernel or [made_up]))),
        lambda: constants.update({name: draw.choice(["0", "1", "1/2", "-3"])}),
        lambda: constants.update({other: draw.choice(["0", "1", "1/2", "-3"])}),
        lambda: len(constants) > 1 and constants.pop(name, None),
        lambda: kernel and draw.choice(kernel).update(made_up),
        lambda: kernel and kernel[-1] and kernel[-1].popitem(),
        lambda: kernel and kernel.pop(),
        lambda: leaf["fields"] and leaf["fields"].pop(),
        lambda: leaf["fields"].append({"hidden": ["H"], "along": made_up}),
    ]
    for _ in range(draw.choice([1, 1, 2, 3])):
        draw.choice(changes)()
    if not honest and draw.random() < 0.3:
        leaf["prime"] = draw.choice([2, 3, 5, 7, 8388593])


LIES = {
    "class-tables": tables_lie,
    "mechanisms": mechanisms_lie,
    "pairwise": pairwise_lie,
    "rank": rank_lie,
    "equations": equations_lie,
    "kruskal": kruskal_lie,
    "containing": containing_lie,
    "symmetry": symmetry_lie,
    "normal-form": normal_form_lie,
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
    if data["family"] == "loglinear":
        sets = {"interactions": data["effects"], "hierarchical": False}
        return {"family": "loglinear", "variables": data["variables"], **sets}
    if data["family"] == "polynomial":
        return data | {"coordinates": {one["name"]: formula_text(one["formula"]) for one in data["coordinates"]}}
    if data["family"] not in ("discrete", "classifier"):
        return data
    variables = [{key: item[key] for key in ("name", "states", "observed")} for item in data["variables"]]
    edges = [[parent, item["name"]] for item in data["variables"] for parent in item["parents"]]
    keys = {item["name"]: item.get("table", item["name"]) for item in data["variables"]}
    named = {
        key for name, key in keys.items() if key != name
    }  # without a key the name is it, which another one may have
    shares = {name: {"type": "table", "share": key} for name, key in keys.items() if key in named}
    more = {"local": shares, "given": data.get("given")}
    more = {**more, "class": data.get("class")}
    return {"family": data["family"], "variables": variables, "edges": edges, **{k: v for k, v in more.items() if v}}


def formula_text(formula):
    """A formula of a certificate as text, with parentheses around everything."""
    if isinstance(formula, str):
        return f"({formula})"
    ((word, inner),) = formula.items()
    if word == "power":
        return f"({formula_text(inner[0])}^{inner[1]})"
    sign = {"sum": "+", "product": "*", "quotient": "/"}[word]
    return f"({sign.join(map(formula_text, inner)) or ('0' if word == 'sum' else '1')})"


def by_hand(data):
    """The same for any discrete model or classifier, by the sum over all joint states at a random point."""
    sizes = {item["name"]: item["states"] for item in data["variables"]}
    numbers, draw, rows = {}, random.Random(json.dumps(data)), {}
    if data["family"] == "classifier":
        found = posterior(data, numbers, draw)
        complete = prod(sizes.values()) // sizes[data["class"]] * (sizes[data["class"]] - 1)
    else:
        found = joint(data, numbers, draw)
    for states, (_, slopes) in found.items():
        seen = [k for k, v in zip(states, data["variables"], strict=True) if v["observed"]]
        row = rows.setdefault(tuple(seen), dict.fromkeys(numbers, 0))
        for name, slope in slopes.items():
            row[name] += slope
    if data["family"] != "classifier":
        complete = len(rows) - prod(sizes[name] for name in data.get("given", ()))
    return brute.rank([[x % brute.PRIME for x in row.values()] for row in rows.values()]), len(numbers), complete


def joint(data, numbers, draw, before=""):
    """The product of all entries, and its derivatives, in every joint state in which none is missing.

    ``numbers`` gets a random value for every parameter; their names begin with ``before``.
    """
    sizes = {item["name"]: item["states"] for item in data["variables"]}
    inside = [item for item in data["variables"] if item["name"] not in data.get("given", ())]
    tables = [table_by_hand(data, item, sizes, numbers, draw, before) for item in inside]
    found = {}
    for states in product(*map(range, sizes.values())):
        at = dict(zip(sizes, states, strict=True))
        entries = [
            table[(*(at[v] for v in item["parents"]), at[item["name"]])]
            for item, table in zip(inside, tables, strict=True)
        ]
        slopes = {}
        for place, (_, own) in enumerate(entries):
            others = prod(value for other, (value, _) in enumerate(entries) if other != place) % brute.PRIME
            for name, slope in own.items():
                slopes[name] = slopes.get(name, 0) + others * slope
        found[states] = prod(value for value, _ in entries) % brute.PRIME, slopes
    return found


def table_by_hand(data, item, sizes, numbers, draw, before):
    """A variable's entries with their derivatives, by the states of its parents and its own."""
    owner, table = item.get("table", item["name"]), {}
    written = data.get("tables", {}).get(owner)
    if isinstance(written, dict):
        order = [variable["name"] for variable in written["variables"]]
        places = [order.index(name) for name in (*item["parents"], item["name"])]
        inner = posterior(written, numbers, draw, f"{before}{owner}|")
        return {tuple(states[k] for k in places): entry for states, entry in inner.items()}
    for row, states in enumerate(product(*(range(sizes[parent]) for parent in item["parents"]))):
        for state in range(item["states"]):
            if isinstance(written, str):
                table[*states, state] = logit_by_hand(item, written, Weights(numbers, draw, before))(states, state)
                continue
            terms = entry_of(item, written and written[row], states, state)
            terms = {name if name == "1" else before + name: x for name, x in terms.items()}
            for name in terms:
                name == "1" or numbers.setdefault(name, draw.randrange(1, brute.PRIME))
            table[*states, state] = with_slopes(terms, numbers)
    return table


def posterior(data, numbers, draw, before=""):
    """The probability of the class given all others, and its derivatives, by all states."""
    place = [variable["name"] for variable in data["variables"]].index(data["class"])
    cells = joint(data, numbers, draw, before)
    lines = {}
    for states in cells:
        lines.setdefault((*states[:place], *states[place + 1 :]), []).append(states)
    found = {}
    for line in lines.values():
        total = sum(cells[states][0] for states in line)
        inverse = pow(total, -1, brute.PRIME)
        lost = {}
        for states in line:
            for name, slope in cells[states][1].items():
                lost[name] = lost.get(name, 0) + slope
        for states in line:
            value, slopes = cells[states]
            chance = value * inverse % brute.PRIME
            moved = {n: (slopes.get(n, 0) - chance * x) * inverse % brute.PRIME for n, x in lost.items()}
            found[states] = chance, moved
    return found


class Weights(brute_sigmoid.Residues):
    """Random exponentials of weights, noted among the other numbers."""

    def __init__(self, numbers, draw, before):
        self.numbers, self.draw, self.before = numbers, draw, before

    def drawn(self, key):
        """The number of a weight."""
        return self.numbers.setdefault(f"{self.before}{key}", self.draw.randrange(1, brute.PRIME))


def logit_by_hand(item, word, weights):
    """The entries of a table of log-odds, with their derivatives by the weights."""
    local = SimpleNamespace(kind="multinomial" if word == "sigmoid" else word, share=item.get("table"))
    variable = SimpleNamespace(name=item["name"], states=item["states"], parents=item["parents"], local=local)

    def entry(states, state):
        value, slopes = brute_sigmoid.logit_entry(variable, states, state, weights)
        return value, {f"{weights.before}{key}": slope for key, slope in slopes.items()}

    return entry


def with_slopes(terms, numbers):
    """The value of an entry and its derivatives."""
    values = {"1": 1, **numbers}
    slopes = {name: brute.residue(x) for name, x in terms.items()}
    return sum(x * values[name] for name, x in slopes.items()), {n: x for n, x in slopes.items() if n != "1"}


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
