"""The worst texts of each kind of work that the checker does within its limits: steps, seconds and memory of each.

python proofs/worst.py [NAME ...]   (default: all; several minutes)

FORMAT.md promises 60 seconds and 1 GB for whatever is within the limits. Each text here needs most of the steps that are
allowed, or is refused when they are used up; half of the promise has to do for it. The exit code is 1 if it does not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from math import comb, prod
from pathlib import Path
from typing import Any, NamedTuple

CHECKER = Path(__file__).parent / "check.py"
SECONDS, MEGABYTES = 30, 500
PRIME = 2**61 - 1

Json = dict[str, Any]


class Worst(NamedTuple):
    """A kind of work: the text of some size, the size that takes it to the limits, and a small one."""

    text: Callable[[int], Json]
    large: int
    small: int


def point(**more: Any) -> Json:
    """A prime and a stream."""
    return {"prime": PRIME, "point": "algdim 1|worst", **more}


def minor(value: int, **more: Any) -> Json:
    """The first rows and columns."""
    return {"kind": "rank", "value": value, "rows": [*range(value)], "columns": [*range(value)], **point(), **more}


def equations(value: int, matrices: Iterable[Any] = (), constants: Iterable[int] = ()) -> Json:
    """Equations."""
    return {"kind": "equations", "value": value, "constants": [*constants], "matrices": [*matrices], **point()}


def symmetry(value: int, fields: Iterable[Any]) -> Json:
    """Fields."""
    return {"kind": "symmetry", "value": value, "fields": [*fields], **point()}


def certificate(model: Json, standard: int, complete: int | None, dimension: int, upper: Json, lower: Json) -> Json:
    """The whole file."""
    claim = {"model": model, "dimension": dimension, "standard": standard, "complete": complete}
    return {"format": "algdim certificate 2", "claim": claim, "evidence": {"lower": lower, "upper": upper}}


def variable(name: str, states: int, parents: Iterable[str] = (), *, observed: bool = True, **more: Any) -> Json:
    """A variable of a network."""
    return {"name": name, "states": states, "observed": observed, "parents": [*parents], **more}


def network(variables: list[Json], upper: Json, lower: Json, dimension: int, **more: Any) -> Json:
    """A certificate of a network, with the numbers of the claim."""
    sizes = {v["name"]: v["states"] for v in variables}
    written = {*more.get("tables", {})}
    free = {v.get("table", v["name"]): v for v in variables if v.get("table", v["name"]) not in written}
    standard = sum((v["states"] - 1) * prod(sizes[p] for p in v["parents"]) for v in free.values())
    standard += len(more.get("names", {})) - sum(sizes[v] - 1 for v in more.get("given", []))
    cells = prod(v["states"] for v in variables if v["observed"])
    model = {"family": "discrete", "variables": variables, **more}
    complete = cells - prod(sizes[v] for v in more.get("given", []))
    return certificate(model, standard, complete, dimension, upper, lower)


def star(n: int) -> Json:
    """A hidden variable that all factors share: the order of a contraction."""
    chain = [variable("V", 1, observed=False)]
    chain += [variable(f"H{k}", 1, ["V", *([f"H{k - 1}"] if k else [])], observed=False) for k in range(n)]
    chain += [variable("X", 2, [f"H{n - 1}"]), variable("Y", 2)]
    matrix = {"blocks": [["X"], ["Y"]], "C": [], "S": [], "state": [], "pairs": [[0, 0]]}
    return network(chain, equations(2, [matrix] * 1000), minor(2), 2)


def minors(n: int) -> Json:
    """Determinants of six rows for many states."""
    items = [variable("H", 6, observed=False), variable("U", n), variable("V", 2)]
    items += [variable("E", 6, ["H", "U"]), variable("F", 6, ["H", "V"])]
    matrix = {"blocks": [["E"], ["F"], ["U"], ["V"]], "C": [], "chain": ["H"], "state": [], "pairs": []}
    lines = {"rows": [*range(6)], "columns": [*range(6)]}
    return network(items, equations(1, [{**matrix, **lines}]), minor(1), 1)


def sparse_move(n: int) -> Json:
    """A chain of many states whose move has one entry in each row, looked at in all places."""
    items = [variable("H", n, observed=False), variable("M", 2, ["H"], observed=False, table="m")]
    items += [variable("G", n, ["M"], observed=False, table="g")]
    items += [variable("X", 2, ["H"], table="x"), variable("Y", 2, ["G"], table="x")]
    into = [["1", "0"] if k % 2 else ["0", "1"] for k in range(n)]
    out = [["1" if k == one else "0" for k in range(n)] for one in range(2)]
    chain = {"hidden": ["H", "G"], "times": [["X"], ["Y"]], "reversed": True, "pairs": []}
    return network(items, equations(3, [chain]), minor(3), 3, tables={"m": into, "g": out})


def keys(n: int) -> Json:
    """Joint states of a thousand variables, of which a few have two states."""
    chain = [variable(f"H{k}", 1, [f"H{k - 1}"] if k else [], observed=False) for k in range(994 - 2 * n)]
    for k in range(n):
        chain.append(variable(f"G{k}", 2, observed=False))
        chain.append(variable(f"K{k}", 1, [chain[-2]["name"], f"G{k}"], observed=False))
    chain += [variable("X", 2, [chain[-1]["name"]]), variable("Y", 2)]
    hidden = [v["name"] for v in chain if not v["observed"]]
    matrix = {"blocks": [["X"], ["Y"]], "C": [], "S": hidden, "state": [], "pairs": []}
    return network(chain, equations(2, [matrix]), minor(2), 2)


def cells(n: int) -> Json:
    """Which of all cells are possible."""
    items = [variable(f"X{k}", 2) for k in range(n)]
    return network(items, equations(1, constants=[0]), minor(1), 1, tables={f"X{n - 1}": [["1", "0"]]})


def long_keys(n: int) -> Json:
    """A table with many parents of one state."""
    singles = [f"S{k}" for k in range(900)]
    parents = [f"P{k}" for k in range(n)]
    found = [variable(v, 1, observed=False) for v in singles] + [variable(v, 2) for v in parents]
    return network([*found, variable("X", 2, [*singles, *parents])], {"kind": "ambient", "value": 1}, minor(1), 1)


def long_table(n: int) -> Json:
    """A table with nearly as many entries as are allowed, or one with few."""
    parents = [f"P{k}" for k in range(3 if n else 17)]
    found = [variable(v, 2) for v in parents]
    value = 2 ** (len(parents) + 1) - 1
    return network([*found, variable("X", 2, parents)], {"kind": "ambient", "value": value}, minor(1), value)


def shared(n: int) -> Json:
    """A table with long sums that many variables share."""
    names = {f"a{k}": "0" for k in range(n)}
    terms = dict.fromkeys(names, "1")
    rows = [[{"1": "1/2", **terms}, {"1": "1/2", **dict.fromkeys(names, "-1")}]]
    items = [variable(f"X{k}", 2, table="t") for k in range(990)]
    return network(items, {"kind": "counting", "value": n}, minor(1), n, tables={"t": rows}, names=names)


def elimination(n: int) -> Json:
    """A dense minor: n items of two states, and classes as many as give 800 parameters."""
    classes = min(800 // (n + 1), n * n)
    items = [variable("H", classes, observed=False), *(variable(f"X{k}", 2, ["H"]) for k in range(n))]
    value = classes * (n + 1) - 1
    return network(items, {"kind": "counting", "value": value}, minor(value, probes="algdim 1|rows"), value)


def probes(n: int) -> Json:
    """Probes that are drawn and not used."""
    lower = {**minor(1, probes="algdim 1|rows"), "rows": [15999]}
    return network([variable("X", n), variable("Y", 2)], {"kind": "counting", "value": n}, lower, n)


def classes(n: int) -> Json:
    """A minor of Kruskal's kind: two blocks without items, and ones for all classes."""
    items = [variable("H", n, observed=False), *(variable(f"X{k}", 2, ["H"]) for k in range(4))]
    blocks = [["X0", "X1", "X2"], ["X3"], []]
    lower = {"kind": "kruskal", "value": 1, "blocks": blocks, "ranks": [n, n, 2], "probes": "algdim 1|u", **point()}
    return network(items, {"kind": "counting", "value": 5 * n - 1}, lower, 5 * n - 1)


def flattening(n: int) -> Json:
    """A square matrix of rank 1, and an equation that has all cells."""
    matrix = {"blocks": [["X"], ["Y"]], "C": [], "S": [], "state": [], "pairs": [[0, 0]]}
    return network([variable("X", n), variable("Y", n)], equations(2 * n - 2, [matrix]), minor(1), 2 * n - 2)


def gradients(n: int) -> Json:
    """The rank of many equations in many cells."""
    pairs = [[k // n, k % n] for k in range(n * n // 2)]
    matrix = {"blocks": [["X"], ["Y"]], "C": [], "S": [], "state": [], "pairs": pairs}
    return network([variable("X", n + 1), variable("Y", n + 1)], equations(2 * n, [matrix]), minor(1), 2 * n)


def koszul(n: int) -> Json:
    """A flattening with exterior powers."""
    items = [
        variable("H", 1, observed=False),
        variable("X", n, ["H"]),
        variable("Y", 3, ["H"]),
        variable("Z", 3, ["H"]),
    ]
    matrix = {"blocks": [["X"], ["Y"], ["Z"]], "C": [], "S": ["H"], "state": [], "order": n // 2, "pairs": []}
    return network(items, equations(n + 3, [matrix]), minor(1), n + 3)


def projection(n: int) -> Json:
    """A projection with many rows."""
    items = [variable("H", 1, observed=False), *(variable(v, 9, ["H"]) for v in "XYZ")]
    rows = [[1 + i * k for k in range(9)] for i in range(n)]
    matrix = {
        "blocks": [["X"], ["Y"], ["Z"]],
        "C": [],
        "S": ["H"],
        "state": [],
        "order": 1,
        "projection": rows,
        "pairs": [],
    }
    return network(items, equations(24, [matrix]), minor(1), 24)


def open_tables(n: int) -> Json:
    """Tables of a classifier that become full one after the other."""
    items = [variable("Y", 3), *(variable(f"X{k}", 2, ["Y", *([f"X{k - 1}"] if k else [])]) for k in range(n))]
    evidence = {"kind": "class-tables", "value": 4 * n, "tables": []}
    model = {"family": "classifier", "variables": items, "class": "Y"}
    return certificate(model, 6 * n - 1, 2 ** (n + 1), 4 * n, evidence, evidence)


def faces(n: int) -> Json:
    """Subsets of the causes."""
    names = [f"A{k}" for k in range(n)]
    model = {
        "family": "poisson",
        "variables": [{"name": v} for v in names],
        "effect": "E",
        "mechanisms": [[v for v in names if v != left] for left in names[: 36 - 2 * n + 1] or names[:1]],
    }
    causes = model["mechanisms"]
    size = n + sum(2 ** len(one) for one in causes)
    return certificate(model, size, 2**n - 1 + 2**n, size, {"kind": "shifts", "value": 0}, minor(1))


def independent(n: int) -> Json:
    """Districts of a network without edges between causes that are hidden: intrinsic sets."""
    items = [variable(f"H{k}", 2, observed=False) for k in range(n - 1)]
    items += [variable(f"X{k}", 2, [f"H{j}" for j in (k - 1, k) if 0 <= j < n - 1]) for k in range(n)]
    chain = [
        {**v, "parents": [*v["parents"], *([f"X{int(v['name'][1:]) - 1}"] if v["name"] != "X0" else [])]}
        if v["observed"]
        else v
        for v in items
    ]
    return network(chain, {"kind": "nested", "value": 1}, minor(1), 1)


def kept(n: int) -> Json:
    """Kernels of which only some cells count."""
    rows = [[["1", "0"], ["1/2", "1/2"]][k % 2] for k in range(2)]
    items = [variable("X0", 2), *(variable(f"X{k}", 2, [f"X{k - 1}"]) for k in range(1, n))]
    items += [variable("H", 2, observed=False)]
    items += [variable(f"Z{k}", 2, ["H", "X1"]) for k in range(n)]
    upper = {"kind": "districts", "value": 1, "parts": [{"kind": "counting", "value": 1}] * (n + 1)}
    return network(items, upper, minor(1), 1, tables={f"X{k}": rows for k in range(1, n)})


def local(n: int) -> Json:
    """The Jacobian of a local map."""
    items = [variable("H", n, observed=False), variable("X", n, ["H"]), variable("Y", n, ["H"])]
    field = {"hidden": ["H"], "upper": {"kind": "secants", "value": n * n - 1}}
    return network(items, symmetry(n * n - 1, [field]), minor(1), n * n - 1)


def normal_form(value: int, constants: Iterable[int], kernel: Iterable[Json] = ()) -> Json:
    """Constants and vectors of the kernel."""
    found = {"constants": {f"p{k}": "1/2" for k in constants}, "fields": [], "kernel": [*kernel]}
    return {"kind": "normal-form", "value": value, **found, **point()}


def mixings(n: int) -> Json:
    """The fields that mix the states of one variable."""
    items = [variable("H", 2, observed=False), variable("X", n, ["H"])]
    return network(items, normal_form(1, range(1, 2 * n - 1)), minor(1), 1)


def weightings(n: int) -> Json:
    """The fields that give weights to the joint states of two variables."""
    items = [variable("A", n), variable("B", n, ["A"]), variable("C", 2, ["B"])]
    return network(items, normal_form(1, range(n - 1)), minor(1), 1)


def slices(n: int) -> Json:
    """One state after the other of many variables that a part is conditioned on."""
    items = [variable("H", 1, observed=False), *(variable(f"X{k}", 2) for k in range(n))]
    items += [variable(f"Y{k}", 2, ["H", f"X{k}"]) for k in range(n)]
    one = {"kind": "counting", "value": 1}
    parts = [{"slices": [f"X{k}" for k in range(n)], "upper": one}, *({"slices": [], "upper": one} for _ in range(n))]
    return network(items, {"kind": "parts", "value": 1, "observed": [], "of": parts}, minor(1), 1)


def fewer(n: int) -> Json:
    """One state less, again and again, of what a table with many parents is conditioned on."""
    parents = [f"H{k}" for k in range(n)]
    items = [variable("X", n + 9), *(variable(v, 2, observed=False) for v in parents)]
    items += [variable("Y", 2, [*parents, "X"]), variable("Z", 2, ["H0"])]
    steps = [{"variable": "X", "states": k, "lower": minor(0)} for k in range(n + 8, 1, -1)]
    upper = {"kind": "fewer-states", "value": 1, "steps": steps, "upper": {"kind": "counting", "value": 1}}
    return network(items, upper, minor(1), 1)


def vectors(n: int) -> Json:
    """A vector of polynomials, multiplied with the Jacobian."""
    items = [variable("H", 2, observed=False), *(variable(f"X{k}", 2, ["H"]) for k in range(8))]
    power = {"power": [{"sum": [f"p{k}" for k in range(2, 17)]}, n]}
    return network(items, normal_form(1, [1], [{"p0": power}]), minor(1), 1)


def effect(n: int) -> Json:
    """Levels whose numbers grow from function to function."""
    digits = "1" + "0" * 300 + "7"
    most = str(10**301 + 6)
    rows = [[f"1/{digits}", f"{most}/{digits}"]] * 2
    items = [variable("M", 2, observed=False)]
    items += [variable(f"F{k}", 2, ["M" if not k else f"F{k - 1}"], observed=False, table="F") for k in range(n)]
    items += [variable("E", 2, [f"F{n - 1}"])]
    one = {"effect": "E", "functions": [f"F{k}" for k in range(n)], "mechanisms": ["M"], "levels": [[1, 2]]}
    tables = {"F": [["1", "0"], rows[0]], "E": [["1", "0"], ["0", "1"]]}
    return network(items, {"kind": "mechanisms", "value": 1, "effects": [one]}, minor(1), 1, tables=tables)


def sigmoid(n: int) -> Json:
    """Entries that are quotients."""
    parents = [f"P{k}" for k in range(n)]
    items = [*(variable(v, 2) for v in parents), variable("X", 2, parents)]
    found = network(items, {"kind": "counting", "value": 2 * n + 1}, minor(1), 2 * n + 1, tables={"X": "sigmoid"})
    found["claim"]["standard"] = 2 * n + 1
    return found


def odds(n: int) -> Json:
    """Odds of many states: the odds of each in the odds of all."""
    items = [variable("P", n), variable("X", n, ["P"])]
    found = network(items, {"kind": "counting", "value": 2 * n - 1}, minor(1), 2 * n - 1, tables={"X": "adjacent"})
    found["claim"]["standard"] = 2 * n - 1
    return found


def embedded(n: int) -> Json:
    """A classifier in the place of a table."""
    names = [f"P{k}" for k in range(n)]
    inner = {
        "family": "classifier",
        "class": "X",
        "variables": [variable("X", 2), *(variable(v, 2, ["X"]) for v in names)],
    }
    items = [*(variable(v, 2) for v in names), variable("X", 2, names)]
    found = network(items, {"kind": "counting", "value": 3 * n + 1}, minor(1), 3 * n + 1, tables={"X": inner})
    found["claim"]["standard"] = 3 * n + 1
    return found


def log_linear(n: int) -> Json:
    """An interaction of many variables with long names."""
    names = ["A" * 400 + str(100 + k) for k in range(n)]
    model = {
        "family": "loglinear",
        "variables": [{"name": v, "states": 2, "observed": True} for v in names],
        "effects": [names],
    }
    return certificate(model, 1, 2**n - 1, 1, {"kind": "counting", "value": 1}, minor(1))


def idle(n: int) -> Json:
    """States that occur in no effect."""
    names = [f"A{k}" for k in range(n)]
    model = {
        "family": "loglinear",
        "variables": [{"name": v, "states": 1000, "observed": True} for v in names],
        "effects": [names[:1]],
    }
    return certificate(model, 999, 1000**n - 1, 999, {"kind": "counting", "value": 999}, minor(1))


def program(n: int) -> Json:
    """A sum over many joint states of hidden variables, any two of which interact: the steps are kept for the derivatives."""
    hidden, seen = [f"H{k}" for k in range(n)], ["A", "B"]
    effects = [[one, other] for k, one in enumerate(hidden) for other in hidden[k + 1 :]]
    effects += [[one, v] for one in hidden for v in seen]
    variables = [{"name": v, "states": 2, "observed": v in seen} for v in [*hidden, *seen]]
    model = {"family": "loglinear", "variables": variables, "effects": effects}
    size = len(effects)
    return certificate(model, size, 3, size, {"kind": "counting", "value": size}, minor(1))


def formulas(coordinates: Iterable[Any], parameters: Iterable[str], value: int, upper: Json | None = None) -> Json:
    """A certificate of formulas."""
    listed = [{"name": f"f{k}", "formula": one} for k, one in enumerate(coordinates)]
    model = {"family": "polynomial", "parameters": [*parameters], "coordinates": listed}
    above = upper or {"kind": "counting", "value": value}
    return certificate(model, len(model["parameters"]), len(listed), value, above, minor(value))


def terms(n: int) -> Json:
    """A power with many terms."""
    return formulas([{"power": [{"sum": ["1", *"abcd"]}, n]}], "abcd", 1)


def squares(n: int) -> Json:
    """A power of powers: a product of very many factors."""
    one: Any = "a"
    for _ in range(n):
        one = {"power": [one, 2]}
    return formulas([one, "b"], "ab", 1, symmetry(1, [{"b": one}]))


def fractions(n: int) -> Json:
    """Numbers with very many digits."""
    return formulas([{"power": [{"quotient": [{"sum": ["a", "7" * 500]}, "3" * 501]}, n]}], "a", 1)


def denominators(n: int) -> Json:
    """A sum with many different denominators."""
    return formulas([{"sum": [{"quotient": ["a", str(k)]} for k in range(2, n)]}], "a", 1)


def hulls(n: int) -> Json:
    """Many coordinates with different denominators."""
    return formulas([{"quotient": ["a", str(2 + k % 100)]} for k in range(n)], "a", 1)


def jets(n: int) -> Json:
    """Many coordinates, each with its own denominator, at a point."""
    names = [f"a{k}" for k in range(n)]
    return formulas([{"power": [{"sum": names}, 2]}, *names], names, n)


def blocks(n: int) -> Json:
    """Blocks without parameters, very many of them."""
    names = [f"a{k}" for k in range(n)]
    matrix = {"blocks": [[]] * (10 * n), "rows": [[0]], "pairs": []}
    return formulas([names[0]], names, 1, equations(1, [matrix]))


def gaussian(variables: list[Json], edges: list[list[str]], upper: Json, value: int, **more: Any) -> Json:
    """A certificate of a Gaussian model."""
    model = {"family": "gaussian", "variables": variables, "edges": edges, "means": False, **more}
    count = sum(v["observed"] for v in variables)
    size = len(edges) + len(variables) - len(more.get("fixed", {}))
    return certificate(model, size, comb(count + 1, 2), value, upper, minor(1))


def covariances(n: int) -> Json:
    """A matrix of very many covariances."""
    names = [f"X{k}" for k in range(n)]
    matrix = {"rows": names, "columns": names, "left": names, "right": [], "pairs": []}
    return gaussian([{"name": v, "observed": True} for v in names], [], equations(n, [matrix]), n)


def paths(n: int) -> Json:
    """The inverse of a long path."""
    names = [f"X{k}" for k in range(n)]
    edges = [[names[k], names[k + 1]] for k in range(n - 1)]
    return gaussian(
        [{"name": v, "observed": True} for v in names], edges, {"kind": "counting", "value": 2 * n - 1}, 2 * n - 1
    )


def moves(n: int) -> Json:
    """Fields without moves, very many of them."""
    names = [f"X{k}" for k in range(n)]
    edges = [[a, b] for a in names for b in names if a < b]
    size = len(edges) + n
    return gaussian([{"name": v, "observed": True} for v in names], edges, symmetry(size, [[]] * (100 * n)), size)


def cuts(n: int) -> Json:
    """Matrices of one entry, very many of them, in a model with many arcs."""
    names = [f"X{k}" for k in range(n)]
    edges = [[a, b] for a in names for b in names if a < b]
    last = max(names)
    matrix = {"rows": [last], "columns": [last], "left": [last], "right": [], "pairs": []}
    seen = [{"name": v, "observed": v == last} for v in names]
    return gaussian(seen, edges, equations(1, [matrix] * (50 * n)), 1)


def moments(n: int) -> Json:
    """Moments of many continuous items that covary."""
    model = {
        "family": "latent-profile",
        "variables": [
            {"name": "H", "states": 3, "observed": False},
            *({"name": f"X{k}", "observed": True} for k in range(n)),
        ],
        "covariances": {"full": True},
    }
    size = 3 * (1 + n) - 1 + 3 * comb(n + 1, 2)
    last = sum(comb(n + k - 1, k) for k in range(1, 30))
    found = minor(min(size, 80))
    wanted = [max(0, min(last, 299_000) - 800) + k for k in range(min(size, 80))]
    return certificate(model, size, None, size, {"kind": "counting", "value": size}, {**found, "rows": wanted})


def covariances_of_classes(n: int) -> Json:
    """One matrix for very many classes."""
    classes = min((299_000 - comb(n + 1, 2)) // (n + 1), n * n)
    model = {
        "family": "latent-profile",
        "variables": [
            {"name": "H", "states": classes, "observed": False},
            *({"name": f"X{k}", "observed": True} for k in range(n)),
        ],
        "covariances": {"full": True, "equal": True},
    }
    size = classes * (1 + n) - 1 + comb(n + 1, 2)
    return certificate(model, size, None, size, {"kind": "counting", "value": size}, minor(1))


def cumulants(n: int) -> Json:
    """Cumulants of high orders of mixtures."""
    model = {
        "family": "normal",
        "variables": [{"name": "H", "states": n, "observed": False}],
        "effect": "E",
        "mechanisms": [["H"]],
    }
    size = 3 * n - 1
    rows = min(size, 100)
    lower = {**minor(rows), "rows": [*range(rows)]}
    return certificate(model, size, None, size, {"kind": "shifts", "value": size}, lower)


def summands(n: int) -> Json:
    """Very many summands without causes."""
    model = {"family": "poisson", "variables": [], "effect": "E", "mechanisms": [[]] * n}
    return certificate(model, n, 1, 1, {"kind": "shifts", "value": 1}, minor(1))


KINDS: Mapping[str, Worst] = {
    "blocks": Worst(blocks, 100_000, 10),
    "cells": Worst(cells, 19, 6),
    "classes": Worst(classes, 2400, 4),
    "covariances": Worst(covariances, 900, 5),
    "covariances-of-classes": Worst(covariances_of_classes, 450, 4),
    "cumulants": Worst(cumulants, 40, 2),
    "cuts": Worst(cuts, 500, 5),
    "denominators": Worst(denominators, 1500, 9),
    "effect": Worst(effect, 30, 3),
    "elimination": Worst(elimination, 30, 3),
    "embedded": Worst(embedded, 13, 3),
    "faces": Worst(faces, 17, 4),
    "fewer": Worst(fewer, 12, 2),
    "flattening": Worst(flattening, 200, 4),
    "formulas-blocks": Worst(jets, 150, 4),
    "fractions": Worst(fractions, 25, 3),
    "gradients": Worst(gradients, 45, 4),
    "hulls": Worst(hulls, 75_000, 20),
    "idle": Worst(idle, 330, 2),
    "intrinsic": Worst(independent, 110, 4),
    "kept": Worst(kept, 16, 3),
    "keys": Worst(keys, 18, 2),
    "koszul": Worst(koszul, 10, 4),
    "local": Worst(local, 33, 2),
    "log-linear": Worst(log_linear, 15, 3),
    "long-keys": Worst(long_keys, 12, 3),
    "long-table": Worst(long_table, 0, 1),
    "minors": Worst(minors, 40, 2),
    "mixings": Worst(mixings, 60, 3),
    "moments": Worst(moments, 12, 2),
    "moves": Worst(moves, 600, 4),
    "odds": Worst(odds, 25, 3),
    "open-tables": Worst(open_tables, 998, 9),
    "paths": Worst(paths, 430, 5),
    "probes": Worst(probes, 380, 3),
    "program": Worst(program, 15, 3),
    "projection": Worst(projection, 22, 4),
    "shared": Worst(shared, 3500, 3),
    "slices": Worst(slices, 499, 3),
    "sigmoid": Worst(sigmoid, 15, 3),
    "sparse-move": Worst(sparse_move, 1000, 2),
    "squares": Worst(squares, 21, 4),
    "star": Worst(star, 990, 5),
    "summands": Worst(summands, 9999, 5),
    "terms": Worst(terms, 40, 3),
    "vectors": Worst(vectors, 3, 1),
    "weightings": Worst(weightings, 30, 2),
}

MEASURED = """
import importlib.util, json, sys, time
spec = importlib.util.spec_from_file_location("check", sys.argv[1])
check = importlib.util.module_from_spec(spec)
sys.modules["check"] = check
spec.loader.exec_module(check)
runs = []
class Work(check.Work):
    def __init__(self):
        super().__init__()
        runs.append(self)
check.Work = Work
data = sys.stdin.buffer.read()
begun = time.process_time()
code, reason = check.verdict(data)
seconds = time.process_time() - begun
steps = sum(check.MOST_WORK - max(0, work.left) for work in runs)
with open("/proc/self/status") as file:  # what getrusage says is at least the size of the process that began this one
    most = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
print(json.dumps([steps, seconds, most / 1024, reason]))
"""


def measured(name: str, size: int) -> tuple[int, float, float, str]:
    """The steps that were counted, processor seconds, megabytes of the process at most, and the verdict."""
    text = json.dumps(KINDS[name].text(size), separators=(",", ":")).encode()
    command = [sys.executable, "-I", "-S", "-c", MEASURED, str(CHECKER)]
    finished = subprocess.run(command, input=text, capture_output=True, check=True)  # noqa: S603 - this program
    steps, seconds, megabytes, reason = json.loads(finished.stdout)
    return steps, seconds, megabytes, reason


def main(names: list[str]) -> int:
    """Print the table."""
    worst = 0
    for name in names or KINDS:
        steps, seconds, megabytes, reason = measured(name, KINDS[name].large)
        late = seconds > SECONDS or megabytes > MEGABYTES
        worst = max(worst, int(late))
        print(
            f"{name:24} {steps:>12,} {seconds:6.1f} s {megabytes:5.0f} MB  {reason[:70]}{'  TOO MUCH' if late else ''}",
            flush=True,
        )
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
