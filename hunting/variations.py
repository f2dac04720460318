"""Other forms of a model whose dimension follows from its own; they are made from its dictionary, so that all families share them."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


def names_of(document: Document) -> list[str]:
    """What a model calls its variables or parameters."""
    return [one["name"] for one in document.get("variables", [])] or list(document.get("parameters", []))


def relabelled(document: Document, draw: random.Random) -> Document:
    """The same model with other names, also inside texts."""
    names = names_of(document)
    new = [f"n{number}_" for number in range(len(names))]
    draw.shuffle(new)
    mapping = dict(zip(names, new, strict=True))
    keys = {"parameters", "coordinates", "variables", "name", "states", "observed", "edges", "local", "given", "type"}

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key if key in keys else rename(key): inner_of(key, inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [walk(inner) for inner in value]
        return rename(value) if isinstance(value, str) else value

    def inner_of(key: str, inner: Any) -> Any:
        return inner if key in {"family", "type", "share", "moments", "covariances"} else walk(inner)

    def rename(text: str) -> str:
        return WORD.sub(lambda found: mapping.get(found[0], found[0]), text)

    result: Document = walk(document)
    return result


def permuted(document: Document, draw: random.Random) -> Document:
    """The same model with its variables in another order, and the parents too, unless tables are shared."""
    result = copy.deepcopy(document)
    draw.shuffle(result.get("variables", []))
    draw.shuffle(result.get("interactions", []))
    draw.shuffle(result.get("coordinates", []) if isinstance(result.get("coordinates"), list) else [])
    if not any("share" in local for local in result.get("local", {}).values()):
        draw.shuffle(result.get("edges", []))
    return result


def with_other_states(document: Document, draw: random.Random) -> Document | None:
    """The same network of tables with the states of one variable in another order."""
    locals_ = document.get("local", {})
    if document["family"] != "discrete" or any(
        local["type"] != "table" or "share" in local for local in locals_.values()
    ):
        return None
    chosen = draw.choice(document["variables"])
    order = draw.sample(range(chosen["states"]), chosen["states"])
    pattern = re.compile(rf"(?<![A-Za-z0-9_.]){re.escape(chosen['name'])}=([0-9]+)")
    text = pattern.sub(lambda found: f"{chosen['name']}={order[int(found[1])]}", json.dumps(locals_))
    return {**document, "local": json.loads(text)} if locals_ else None


def padded(document: Document, draw: random.Random) -> tuple[Document, int] | None:
    """The model with something that cannot matter, or is independent of the rest, and by how much the dimension grows."""
    result, family = copy.deepcopy(document), document["family"]
    names = names_of(document)
    if family == "polynomial":
        result["parameters"].append("pad")
        result["parameters"].append("unused")
        if isinstance(result["coordinates"], dict):
            result["coordinates"]["pad"] = "pad^3"
        else:
            result["coordinates"].append("pad^3")
        return result, 1
    if family == "latent-profile":
        return None
    count = 2 if family == "loglinear" else 3  # there all joint states are visited
    states = {} if family == "gaussian" else {"states": count}
    result["variables"].insert(draw.randint(0, len(names)), {"name": "Pad.X", **states, "observed": True})
    some = draw.sample(names, draw.randint(0, len(names)))
    if family == "classifier":
        inputs = [name for name in some if name != document["class"]]
        result.setdefault("edges", []).extend([name, "Pad.X"] for name in inputs)
        return result, 0
    if family == "loglinear":
        result["variables"].append({"name": "Pad.H", "states": 2, "observed": False})
        result["interactions"] += [["Pad.H"], ["Pad.X"]]
        return result, 1
    if family in ("poisson", "normal"):
        return result, 2
    size = {"states": 2} if states else {}
    result["variables"].insert(draw.randint(0, len(names)), {"name": "Pad.H", **size, "observed": False})
    result.setdefault("edges", []).extend([name, "Pad.H"] for name in some)
    if family == "gaussian":
        return result, 2 if result.get("means", True) else 1
    return result, 2


def smaller(document: Document) -> Iterator[Document]:
    """Documents with a little less in them, those with much less first; not all of them are models."""
    for name in names_of(document):
        yield without(document, name)
    yield from shrunk(document)


def without(value: Any, name: str) -> Any:
    """The document without a name and without all that mentions it as a whole word."""

    def mentions(inner: Any) -> bool:
        if isinstance(inner, str):
            return name in WORD.findall(inner)
        if isinstance(inner, list):
            return all(isinstance(one, str) for one in inner) and any(mentions(one) for one in inner)
        return isinstance(inner, dict) and inner.get("name") == name

    if isinstance(value, dict):
        return {
            key: without(inner, name)
            for key, inner in value.items()
            if not (name in WORD.findall(key) or (isinstance(inner, str) and mentions(inner)))
        }
    if isinstance(value, list):
        return [without(inner, name) for inner in value if not mentions(inner)]
    return value


def shrunk(value: Any) -> Iterator[Any]:
    """A value with one part left out or one number smaller."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("name", "family"):
                yield {other: one for other, one in value.items() if other != key}
                for one in shrunk(inner):
                    yield {**value, key: one}
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield value[:number] + value[number + 1 :]
            for one in shrunk(inner):
                yield [*value[:number], one, *value[number + 1 :]]
    elif isinstance(value, bool):
        if not value:
            yield True
    elif isinstance(value, int) and value > 1:
        yield value - 1
