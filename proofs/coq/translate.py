"""Write a certificate as a term of Coq: python3 -I -S translate.py FILE.

What Coq then checks is a statement about the network that is written here, so the first part of this file has to be
believed, or its output read beside the certificate; README.md shows both. The second part finds numbers that make checking
quick, such as inverse matrices. Nothing in it has to be believed: what it gets wrong Coq refuses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import copy
from functools import cache
from importlib.machinery import SourceFileLoader
from itertools import combinations, product
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

READER = Path(__file__).resolve().parent.parent / "check.py"
FORMALISED = ("rank", "counting", "ambient", "equations", "districts")
MOST_RANK = 140
"""Of a minor in the file: Coq needs some minutes for it."""
MOST_RANK_ANEW = 400
"""Of a minor that is looked for, modulo a smaller prime."""
MOST_CELLS = 1024
"""Where cells are written out."""


class Unformalised(Exception):  # noqa: N818 - not an error of this program
    """The certificate is about something that the Coq files do not define, or has evidence that they do not know."""


class UnknownKind(Unformalised):
    """Evidence of a kind that the Coq files do not know, or too large; there may be other evidence."""


@cache
def check() -> Any:
    """The checker beside this file: it reads the format and has arithmetic modulo a prime."""
    loader = SourceFileLoader("algdim_check", str(READER))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


# What has to be believed: the network and the claim -------------------------------------------------------------------
def listed(items: Any) -> str:
    """A list."""
    items = list(items)
    return "[:: " + "; ".join(items) + "]" if items else "[::]"


def in_order(variables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The variables with parents before their children: each time the first one whose parents have been taken."""
    left = list(variables)
    taken: list[dict[str, Any]] = []
    while left:
        known = {item["name"] for item in taken}
        item = next((item for item in left if known.issuperset(item["parents"])), None)
        if item is None:
            raise Unformalised("the network has a cycle")
        left.remove(item)
        taken.append(item)
    return taken


def term(fraction: str, parameter: int | None) -> str:
    """A fraction times a parameter, or alone."""
    above, _, below = fraction.partition("/")
    sign = "Zneg" if above.startswith("-") else "Zpos"
    return f"Term ({sign} {above.lstrip('-')}%positive) {below or 1}%positive {'None' if parameter is None else f'(Some {parameter})'}"


def network(model: dict[str, Any]) -> tuple[str, int, list[str]]:
    """The network, the number of parameters, and the variables in Coq's order; the checker has read the model before.

    Parameters are numbered in the order of the certificate: variable by variable, row by row, state by state, term by term.
    """
    states = {item["name"]: item["states"] for item in model["variables"]}
    written, given = model.get("tables", {}), model.get("given", [])
    count, named, tables = 0, {}, {}
    for item in model["variables"]:
        key = item.get("table", item["name"])
        if item["name"] in given or key in tables:
            continue
        rows = prod(states[parent] for parent in item["parents"])
        real = [states[parent] for parent in item["parents"] if states[parent] > 1]
        if key not in written or (written[key] == "sigmoid" and real in ([], [2])):
            tables[key] = f"free {count} {rows} {item['states']}"
            count += rows * (item["states"] - 1)
            continue
        if not isinstance(written[key], list):
            raise Unformalised(
                f"the table {key} is one of log-odds or a classifier, which proofs/coq/Model.v does not define"
            )
        lines = []
        for row in written[key]:
            entries = []
            for entry in row:
                terms = []
                for name, fraction in entry.items() if isinstance(entry, dict) else [("1", entry)]:
                    if fraction == "0":
                        continue
                    if name != "1" and name not in named:
                        named[name] = count
                        count += 1
                    terms.append(term(fraction, named.get(name)))
                entries.append(listed(terms))
            lines.append(listed(entries))
        tables[key] = listed(lines)
    ordered = in_order(model["variables"])
    numbers = {item["name"]: number for number, item in enumerate(ordered)}
    variables = []
    for item in ordered:
        name = item["name"]
        place = "Given" if name in given else "Observed" if item["observed"] else "Hidden"
        parents = listed([str(numbers[parent]) for parent in item["parents"]])
        table = "[::]" if name in given else tables[item.get("table", name)]
        variables.append(f"Var {item['states']} {place} {parents} ({table})")
    text = f"Network {count} [::\n  " + ";\n  ".join(variables) + "]"
    return text, count, [item["name"] for item in ordered]


def statement(certificate: dict[str, Any]) -> tuple[str, list[str]]:
    """The network with what is claimed of it, and its variables in Coq's order."""
    claim = certificate["claim"]
    net, _, names = network(claim["model"])
    lines = [
        f"Definition net : network := {net}.",
        f"Definition claimed := {claim['dimension']}.",
        f"Definition parameters_claimed := {claim['standard']}.",
        f"Definition complete_claimed := {claim['complete']}%num.",
    ]
    return "\n".join(lines), names


# What Coq checks: the evidence ----------------------------------------------------------------------------------------
def numbers(items: Any) -> str:
    """A list of binary numbers."""
    return "[:: " + "; ".join(map(str, items)) + "]%num" if items else "[::]"


def inverted(matrix: list[list[int]], prime: int) -> list[list[int]]:
    """The columns of the inverse of a matrix modulo a prime, none if there is no inverse."""
    size = len(matrix)
    if any(len(row) != size for row in matrix):
        return []
    work = [[*row, *(int(k == number) for k in range(size))] for number, row in enumerate(matrix)]
    for column in range(size):
        pivot = next((k for k in range(column, size) if work[k][column] % prime), None)
        if pivot is None:
            return []
        work[column], work[pivot] = work[pivot], work[column]
        try:
            scale = pow(work[column][column], -1, prime)
        except ValueError:  # not a prime
            return []
        line = work[column] = [x * scale % prime for x in work[column]]
        for k in range(size):
            factor = work[k][column]
            if k != column and factor:
                work[k] = [(x - factor * y) % prime for x, y in zip(work[k], line, strict=True)]
    return [[work[row][size + column] for row in range(size)] for column in range(size)]


def independent(
    rows: list[list[int]], prime: int, most: int | None = None
) -> tuple[list[int], list[int], list[list[int]]]:
    """The rows that are independent of those before them, at most so many, as many columns with a minor, and its inverse."""
    kept: list[int] = []
    columns: list[int] = []
    reduced: list[list[int]] = []
    for number, row in enumerate(rows):
        if len(kept) == most:
            break
        left = [x % prime for x in row]
        for column, line in zip(columns, reduced, strict=True):
            factor = left[column]
            if factor:
                left = [(x - factor * y) % prime for x, y in zip(left, line, strict=True)]
        first = next((k for k, x in enumerate(left) if x), None)
        if first is not None:
            try:
                scale = pow(left[first], -1, prime)
            except ValueError:  # not a prime
                continue
            kept.append(number)
            columns.append(first)
            reduced.append([x * scale % prime for x in left])
    columns.sort()
    return kept, columns, inverted([[rows[k][column] for column in columns] for k in kept], prime)


def unlimited() -> Any:
    """The checker's count of steps, without its limit: what is too much has been refused before."""
    work = check().Work()
    work.left = 1 << 80
    return work


def evidence_read_as(node: Any, _: str) -> dict[str, Any]:
    """A node of evidence, with the keys of its kind and no others."""
    reader = check()
    kind = node.get("kind") if type(node) is dict else None
    if type(kind) is not str or kind not in reader.KINDS:
        raise Unformalised("evidence of an unknown kind")
    if kind not in FORMALISED:
        raise UnknownKind(f"evidence of the kind {kind}")
    read: dict[str, Any] = reader.read(
        node, {"kind": reader.as_text, "value": reader.as_whole, **reader.KINDS[kind].form}, kind
    )
    return read


class Flattening:
    """A matrix of sums of cells whose rank is bounded by the states of variables that separate."""

    def __init__(self, evidence: Evidence, at: Any, prime: int, item: dict[str, Any]) -> None:
        reader, names = evidence.check, [evidence.check.as_name]
        form = {"blocks": [names], "C": names, "S": names, "state": [reader.as_whole], "pairs": [[reader.as_whole]]}
        if type(item) is dict and {"through", "minors", "D", "chain", "common", "times"} & {*item}:
            raise UnknownKind(
                "matrices that tables bound or have in common, chains, minors on grids, and determinants of pencils and of slices"
            )
        item = reader.read(item, {**form, "order?": reader.as_whole, "projection?": [[reader.as_integer]]}, "a matrix")
        if item["order"] is not None or len(item["blocks"]) != 2:
            raise UnknownKind("Koszul flattenings")
        seen, hidden = evidence.model.observed, evidence.model.hidden
        used = [v for block in (*item["blocks"], item["C"]) for v in block]
        if not (
            len(used) == len({*used})
            and {*used} <= {*seen}
            and {*item["S"]} <= {*hidden}
            and len(item["S"]) == len({*item["S"]})
        ):
            raise Unformalised("blocks that are no blocks of variables")
        if not (all(item["blocks"]) and len(item["state"]) == len(item["C"])):
            raise Unformalised("an empty block, or no state of C")
        self.evidence, self.prime, sizes = evidence, prime, evidence.sizes
        self.blocks, self.state = item["blocks"], dict(zip(item["C"], item["state"], strict=True))
        self.sides = self.divided({*item["C"], *item["S"]})
        self.lines = [
            [dict(zip(block, x, strict=True)) for x in product(*(range(sizes[v]) for v in block))]
            for block in self.blocks
        ]
        self.values = []
        for row in self.lines[0]:
            units = [{**row, **column, **self.state} for column in self.lines[1]]
            sums = [[int(unit.get(v, k) == k) for v in seen for k in range(sizes[v])] for unit in units]
            self.values.append([at.value(functional) for functional in sums])
        self.rows, _, _ = independent(self.values, prime)
        self.columns, _, _ = independent([list(line) for line in zip(*self.values, strict=True)], prime)
        self.inverse = inverted([[self.values[i][j] for j in self.columns] for i in self.rows], prime)
        self.asked = item["pairs"]
        self.pairs: list[tuple[int, int]] = []

    def divided(self, middle: set[str]) -> dict[str, str]:
        """The side of each variable: what a path in the moral graph of the ancestors joins to the first block is on the left."""
        model, check = self.evidence.full, self.evidence.check
        parents = {v: x.parents for v, x in model.variables.items()}
        inside = check.reached(parents, {*self.blocks[0], *self.blocks[1], *middle})
        joined: dict[str, set[str]] = {}
        for v in inside:
            for w in (v, *parents[v]):
                joined.setdefault(w, set()).update((v, *parents[v]))
        right = check.reached(joined, self.blocks[1], middle)
        outside = {v: "LeftSide" if v in model.given else "Outside" for v in model.variables}
        return {
            **outside,
            **{v: "Middle" if v in middle else "RightSide" if v in right else "LeftSide" for v in inside},
            **dict.fromkeys(self.blocks[0], "LeftSide"),
        }

    def kernel(self, side: int) -> tuple[list[int], list[list[int]]]:
        """The rows that depend on those before them, and the relations."""
        values = [list(line) for line in zip(*self.values, strict=True)] if side else self.values
        basis, other = (self.columns, self.rows) if side else (self.rows, self.columns)
        numbers = [k for k in range(len(values)) if k not in basis]
        inverse = self.inverse if side else [list(line) for line in zip(*self.inverse, strict=True)]
        vectors = []
        for number in numbers:
            found = [int(k == number) for k in range(len(values))]
            for t, k in enumerate(basis):
                found[k] = (
                    -sum(values[number][j] * inverse[u][t] for u, j in enumerate(other)) % self.prime if inverse else 0
                )
            vectors.append(found)
        return numbers, vectors

    def forms(self) -> list[tuple[tuple[int, int], list[int]]]:
        """The pairs of a row and a column, and the form of each."""
        (rows, left), (columns, right) = self.kernel(0), self.kernel(1)
        found = []
        for pair in self.asked:
            if len(pair) != 2 or pair[0] >= len(rows) or pair[1] >= len(columns):
                raise Unformalised("a pair that names no vectors of the kernels")
            form = []
            for cell in self.evidence.cells():
                here = all(cell[v] == x for v, x in self.state.items())
                i, j = (
                    next(k for k, line in enumerate(lines) if all(cell[v] == x for v, x in line.items()))
                    for lines in self.lines
                )
                form.append(left[pair[0]][i] * right[pair[1]][j] % self.prime if here else 0)
            found.append(((rows[pair[0]], columns[pair[1]]), form))
        return found

    def text(self) -> str:
        """The matrix for Coq."""
        evidence, sizes = self.evidence, self.evidence.sizes

        def weights(states: dict[str, int]) -> str:
            return evidence.by_name({v: [int(k == x) for k in range(sizes[v])] for v, x in states.items()})

        left, right = (listed([weights(line) for line in lines]) for lines in self.lines)
        return (
            f"Flattening {listed([self.sides.get(v, 'Outside') for v in evidence.names])}\n    {left}\n    {right}\n    {weights(self.state)}\n"
            f"    {listed(map(str, self.rows))} {listed(map(str, self.columns))} {listed([numbers(column) for column in self.inverse])}\n"
            f"    {listed([f'({i}, {j})' for i, j in self.pairs])}"
        )


class Evidence:
    """Translates the evidence for one model."""

    most, most_anew = MOST_RANK, MOST_RANK_ANEW

    def __init__(self, model: dict[str, Any], names: list[str]) -> None:
        self.check = check()
        self.full = self.check.discrete(model, unlimited())
        self.model = self.full.relevant()
        self.names, self.sizes = names, self.full.sizes
        self.numbers = {name: number for number, name in enumerate(self.full.parameters)}

    def field(self, prime: int) -> Any:
        """Residues modulo any number from 2 on, of which numbers can be drawn; Coq looks whether it is a prime."""
        self.check.require(prime > 1, f"{prime} is not a prime")
        field = object.__new__(self.check.Field)
        field.prime, field.work = prime, unlimited()
        return field

    def bits(self, prime: int, terms: int) -> int:
        """How many bits longer than the modulus sums of products get."""
        return prime.bit_length() + terms.bit_length() + 1

    def weights(self, functional: list[int]) -> str:
        """A functional: for each variable in Coq's order its numbers."""
        found, start = {}, 0
        for name in self.model.observed:
            found[name] = functional[start : start + self.sizes[name]]
            start += self.sizes[name]
        return listed([numbers(found.get(name, [])) for name in self.names])

    def point(self, field: Any, source: str) -> tuple[dict[Any, int], str]:
        """The values of the relevant model's parameters, and of all in the order of their numbers."""
        values = self.check.drawn(field, self.model, source)
        return values, numbers([values.get(name, 0) for name in self.numbers])

    def minor(self, node: dict[str, Any]) -> str:
        """A minor of the Jacobian, with its inverse."""
        if node["kind"] != "rank":
            raise UnknownKind(f"evidence of the kind {node['kind']} for a lower bound")
        if len(node["rows"]) != len(node["columns"]):
            raise Unformalised(f"a minor of {len(node['rows'])} rows and {len(node['columns'])} columns")
        if len(node["rows"]) > self.most:
            raise UnknownKind(f"a minor of {len(node['rows'])} rows; at most {self.most}")
        self.check.increasing(node["columns"], "columns", len(self.model.parameters))
        probes = node["probes"] is not None
        self.check.increasing(node["rows"], "rows", 20 * self.check.MOST_RANK if probes else self.model.coordinates)
        prime, field = node["prime"], self.field(node["prime"])
        values, point = self.point(field, node["point"])
        if probes:
            width, count = self.model.width, max(node["rows"], default=-1) + 1
            drawn = field.drawn(node["probes"], width * count)
            functionals = [drawn[width * row : width * (row + 1)] for row in node["rows"]]
        else:
            functionals = [self.model.coordinate(row) for row in node["rows"]]
        at = self.model.at(field, values)
        inverse = inverted([[at.gradient(one)[column] for column in node["columns"]] for one in functionals], prime)
        names = list(self.model.parameters)
        columns = [self.numbers[names[column]] for column in node["columns"]]
        return (
            f"ByMinor (Minor {prime}%num {self.bits(prime, len(columns))}\n  {point}\n  {listed([self.weights(one) for one in functionals])}\n"
            f"  {listed(map(str, columns))}\n  {listed([numbers(column) for column in inverse])})"
        )

    def equations(self, node: dict[str, Any], *, found: bool = False) -> str:
        """Sums of cells, and matrices of bounded rank; what was found anew has to show the value."""
        if node["constants"]:
            raise Unformalised("cells that vanish identically")
        if node.get("exchangeable") is not None:
            raise UnknownKind("equations among distinct cells")
        if node.get("margin") is not None:
            raise UnknownKind("equations of what a margin leaves open")
        if self.full.coordinates > MOST_CELLS:
            raise Unformalised(f"equations of {self.full.coordinates} cells; at most {MOST_CELLS}")
        prime, field = node["prime"], self.field(node["prime"])
        values, point = self.point(field, node["point"])
        at = self.model.at(field, values)
        given = [name for name in self.names if name in self.full.given]
        sums, rows = [], []
        for state in product(*(range(self.sizes[name]) for name in given)):
            unit = dict(zip(given, state, strict=True))
            sums.append({name: [int(k == x) for k in range(self.sizes[name])] for name, x in unit.items()})
            rows.append(self.row({name: {x} for name, x in unit.items()}))
        texts = [Flattening(self, at, prime, item) for item in node["matrices"]]
        forms = [(number, pair, form) for number, one in enumerate(texts) for pair, form in one.forms()]
        kept, columns, inverse = independent([*rows, *(form for _, _, form in forms)], prime)
        if found and self.full.coordinates - len(kept) != node["value"]:
            raise Unformalised(
                f"evidence of this kind, and the equations that were found show {self.full.coordinates - len(kept)}"
            )
        chosen = [forms[k - len(rows)][:2] for k in kept if k >= len(rows)]
        for number, one in enumerate(texts):
            one.pairs = [pair for at_, pair in chosen if at_ == number]
        return (
            f"Equations {prime}%num {self.bits(prime, self.full.coordinates)}\n  {point}\n"
            f"  {listed([self.by_name(sums[k]) for k in kept if k < len(rows)])}\n"
            f"  {listed([one.text() for one in texts])}\n"
            f"  {listed(map(str, columns))}\n  {listed([numbers(column) for column in inverse])}"
        )

    def by_name(self, weights: dict[str, list[int]]) -> str:
        """Weights of variables."""
        return listed([numbers(weights.get(name, [])) for name in self.names])

    def cells(self) -> list[dict[str, int]]:
        """The cells in Coq's order."""
        seen = [name for name in self.names if name in self.full.observed]
        return [dict(zip(seen, x, strict=True)) for x in product(*(range(self.sizes[name]) for name in seen))]

    def row(self, states: dict[str, set[int]]) -> list[int]:
        """The sum of the cells in which variables have certain states."""
        return [int(all(cell[name] in some for name, some in states.items())) for cell in self.cells()]

    def upper(self, node: dict[str, Any]) -> str:
        """An upper bound. Hidden variables without observed descendants are a part of their own, with one cell."""
        barren = {v for v in self.full.variables if v not in self.model.variables}
        if barren and node["kind"] in ("counting", "districts"):
            return self.parts([(barren, "Ambient", 0), (set(), self.upper_of_relevant(node), node["value"])])
        return self.upper_of_relevant(node)

    def upper_of_relevant(self, node: dict[str, Any]) -> str:
        """An upper bound for the model without such variables."""
        match node["kind"]:
            case "counting":
                return "Counting"
            case "ambient":
                return "Ambient"
            case "equations":
                return f"(ByEquations ({self.equations(node)}))"
            case "districts":
                return self.districts(node)
        raise UnknownKind(f"evidence of the kind {node['kind']} for an upper bound")

    def districts(self, node: dict[str, Any]) -> str:
        """A bound for each district."""
        kernels = self.check.parts_of(self.model, unlimited())
        if len(kernels) < 2 or len(node["parts"]) != len(kernels):
            raise Unformalised("evidence for another number of districts")
        if any(isinstance(kernel, self.check.Kept) for kernel in kernels):
            raise UnknownKind("districts with entries that vanish")
        found = []
        for kernel, part in zip(kernels, node["parts"], strict=True):
            inner = evidence_read_as(part, "a part")
            one = copy(self)
            one.full = kernel
            one.model = kernel.relevant()
            found.append(({*kernel.variables} - {*kernel.given}, one.upper(inner), inner["value"]))
        return self.parts(found)

    def parts(self, found: list[tuple[set[str], str, int]]) -> str:
        """The first part with its bound, and the others with theirs."""
        (inside, text, value), *others = found
        if not others:
            return text
        flags = listed("true" if name in inside else "false" for name in self.names)
        return f"(Parts {flags}\n  {text} {value}\n  {self.parts(others)} {sum(bound for _, _, bound in others)})"


MOST_OBSERVED = 6
SMALL = 30
"""Of a minor of the whole, where no leaves are taken away."""
PRIME, SMALL_PRIME, POINT = 4603777, 4093, "algdim 1|0|point|0"


class NoRank(Unformalised):
    """The rank is not great enough at a point."""


def lower_anew(evidence: Evidence, dimension: int) -> tuple[int, str]:
    """Other evidence for a lower bound: a minor of cells, of the whole or of what is left without some leaves."""
    model = evidence.model
    if dimension <= SMALL and model.coordinates <= MOST_CELLS:
        return dimension, minor_of_cells(evidence, PRIME, dimension)
    for leaves, rest in without_leaves(evidence, dimension):
        left = dimension - sum(rest.states * (model.sizes[v] - 1) for v in leaves)
        for prime in (SMALL_PRIME, PRIME):
            try:
                text = minor_of_cells(rest.evidence, prime, left)
                return dimension, with_leaves(rest, prime, leaves, text, left)
            except NoRank:
                continue
    return dimension, minor_of_cells(evidence, PRIME, dimension)


def minor_of_cells(evidence: Evidence, prime: int, rank: int) -> str:
    """A minor of so many cells."""
    one = copy(evidence)
    one.most = evidence.most_anew
    return one.minor(rank_of_cells(evidence, prime, rank))


def rank_of_cells(evidence: Evidence, prime: int, rank: int) -> dict[str, Any]:
    """Evidence of so many cells for a lower bound."""
    model = evidence.model
    if model.coordinates > MOST_CELLS:
        raise Unformalised(
            f"evidence of this kind, and other evidence is not looked for among {model.coordinates} cells"
        )
    if rank > evidence.most_anew:
        raise Unformalised(
            f"evidence of this kind, and other evidence is a minor of {rank} rows; at most {evidence.most_anew}"
        )
    field = evidence.field(prime)
    at = model.at(field, evidence.check.drawn(field, model, POINT))
    jacobian = [at.gradient(model.coordinate(row)) for row in range(model.coordinates)]
    rows = independent(jacobian, prime, rank)[0]
    columns = independent([jacobian[row] for row in rows], prime)[1]
    if len(columns) < rank:
        raise NoRank("evidence of this kind, and no point was found where the rank of the Jacobian is the dimension")
    return {
        "kind": "rank",
        "value": rank,
        "prime": prime,
        "point": POINT,
        "rows": rows,
        "columns": columns,
        "probes": None,
    }


class Rest(NamedTuple):
    """A network without some leaves, children of one hidden variable."""

    evidence: Evidence
    parent: str
    states: int


def without_leaves(evidence: Evidence, dimension: int) -> Iterator[tuple[list[str], Rest]]:
    """Leaves of a hidden variable that can be taken away, and what is left; as many as may be first."""
    model = evidence.model
    parents = {parent for x in model.variables.values() for parent in x.parents}
    groups = {
        h: [
            v
            for v in model.observed
            if model.variables[v].parents == [h] and model.variables[v].free and v not in parents
        ]
        for h in model.hidden
    }
    h, leaves = max(groups.items(), key=lambda item: len(item[1]), default=("", []))
    for kept in range(1, len(leaves)):
        gone, states = leaves[kept:], model.sizes[h]
        left = dimension - sum(states * (model.sizes[v] - 1) for v in gone)
        rest = copy(evidence)
        rest.model = evidence.check.Discrete({v: x for v, x in model.variables.items() if v not in gone}, model.given)
        if 0 <= left <= rest.model.complete and states <= rest.model.coordinates:
            yield gone, Rest(rest, h, states)


def with_leaves(rest: Rest, prime: int, leaves: list[str], text: str, left: int) -> str:
    """A lower bound that counts the parameters of these leaves."""
    evidence, h, states = rest
    model, field = evidence.model, evidence.field(prime)
    values, point = evidence.point(field, POINT)
    shown = evidence.check.Discrete(
        {v: x._replace(observed=x.observed or v == h) for v, x in model.variables.items()}, model.given
    )
    at = shown.at(field, values)
    for count in range(1, len(model.observed) + 1):
        names = model.observed[:count]
        cells = [dict(zip(names, x, strict=True)) for x in product(*(range(model.sizes[v]) for v in names))]
        if not states <= len(cells) <= MOST_CELLS:
            continue
        rows = []
        for cell in cells:
            units = [{**cell, h: y} for y in range(states)]
            sums = [[int(unit.get(v, k) == k) for v in shown.observed for k in range(shown.sizes[v])] for unit in units]
            rows.append([at.value(functional) for functional in sums])
        kept = independent(rows, prime, states)[0]
        if len(kept) == states:
            inverse = inverted([rows[k] for k in kept], prime)
            weights = [
                evidence.by_name({v: [int(k == x) for k in range(model.sizes[v])] for v, x in cells[number].items()})
                for number in kept
            ]
            firsts = [(v, evidence.numbers[v, (0,), 0]) for v in leaves]
            return (
                f"WithLeaves {evidence.names.index(h)} {listed([f'({evidence.names.index(v)}, {first})' for v, first in firsts])}\n"
                f"  (Independence {prime}%num {evidence.bits(prime, states)}\n  {point}\n  {listed(weights)}\n"
                f"  {listed([numbers(column) for column in inverse])})\n  {left} ({text})"
            )
    raise NoRank("evidence of this kind, and the others are not independent given the hidden variable")


def upper_anew(evidence: Evidence, dimension: int) -> tuple[int, str]:
    """Other evidence for an upper bound: counting, ambient, or equations of pairs of blocks."""
    model = evidence.model
    if len(model.parameters) == dimension:
        return dimension, evidence.upper({"kind": "counting", "value": dimension})
    if evidence.full.complete == dimension:
        return dimension, evidence.upper({"kind": "ambient", "value": dimension})
    if len(model.observed) > MOST_OBSERVED:
        raise Unformalised(
            f"evidence of this kind, and equations are not looked for among {len(model.observed)} variables"
        )
    field = evidence.field(PRIME)
    at = model.at(field, evidence.check.drawn(field, model, POINT))
    matrices = list(separated_blocks(evidence, at))
    point = {"prime": PRIME, "point": POINT}
    node = {"kind": "equations", "value": dimension, **point, "constants": [], "matrices": matrices}
    return dimension, f"(ByEquations ({evidence.equations(node, found=True)}))"


def bounds(evidence: Evidence, nodes: dict[str, Any], dimension: int, *, anew: bool) -> Iterator[str]:
    """The values and the evidence of both sides; where evidence may be looked for anew, only of a side that needs it."""
    for side, translated_as, found_anew in (
        ("lower", Evidence.minor, lower_anew),
        ("upper", Evidence.upper, upper_anew),
    ):
        try:
            node = evidence_read_as(nodes[side], side)
            value, text = node["value"], translated_as(evidence, node)
        except UnknownKind:
            if not anew:
                raise
            value, text = found_anew(evidence, dimension)
        yield f"{value} ({text})"


def separated_blocks(evidence: Evidence, at: Any) -> Iterator[dict[str, Any]]:
    """Matrices of two blocks of observed variables that hidden ones separate, with the rank that these have states."""
    model, sizes = evidence.model, evidence.sizes
    for places in product(range(3), repeat=len(model.observed)):
        blocks = [[v for v, place in zip(model.observed, places, strict=True) if place == side] for side in (0, 1)]
        if not all(blocks) or blocks[0][0] > blocks[1][0]:
            continue
        choices = [list(some) for count in range(len(model.hidden) + 1) for some in combinations(model.hidden, count)]
        choices.sort(key=lambda some: prod(sizes[v] for v in some))
        names = next((some for some in choices if model.separated(*blocks, some)), None)
        if names is None:
            continue
        one = Flattening(evidence, at, PRIME, {"blocks": blocks, "C": [], "S": names, "state": [], "pairs": []})
        left, right = (len(lines) - len(one.rows) for lines in one.lines)
        if len(one.rows) == len(one.columns) == prod(sizes[v] for v in names) and left * right:
            pairs = [list(pair) for pair in product(range(left), range(right))]
            yield {"blocks": blocks, "C": [], "S": names, "state": [], "pairs": pairs}


def defined(data: bytes, most: int | None = None, *, anew: bool = False) -> str:
    """The certificate as definitions of Coq; minors have at most this many rows. Evidence may be looked for anew."""
    reader = check()
    count = reader.as_whole
    claim = {"model": reader.anything, "dimension": count, "standard": count, "complete": count}
    sides = dict.fromkeys(("lower", "upper"), reader.anything)
    certificate = reader.read(
        reader.parsed(data), {"format": reader.as_text, "claim": claim, "evidence": sides}, "the certificate"
    )
    if certificate["format"] != reader.FORMAT:
        raise Unformalised(f"the format is not {reader.FORMAT}")
    model = certificate["claim"]["model"]
    family = model.get("family") if type(model) is dict else None
    if family != "discrete":
        raise Unformalised(f"the family {str(family)[:20]} has no definition in proofs/coq/Model.v")
    reader.discrete(model, reader.Work())
    text, names = statement(certificate)
    evidence = Evidence(model, names)
    if most is not None:
        evidence.most = evidence.most_anew = most
    lower, upper = bounds(evidence, certificate["evidence"], certificate["claim"]["dimension"], anew=anew)
    return f"""{text}

Definition the_certificate := Certificate net claimed parameters_claimed complete_claimed
  {lower}
  {upper}.
"""


HEAD = """From mathcomp Require Import all_ssreflect.
From Coq Require Import BinPos BinNat BinNums.
From Algdim Require Import Model Lower Separation Equations Districts Leaves Containing Check.
"""
THEOREM = """
Lemma accepted : check the_certificate = true. Proof. vm_cast_no_check (erefl true). Qed.

Theorem dimension_of_net : dimension net = claimed. Proof. exact (check_dimension accepted). Qed.
"""


def translated(data: bytes, most: int | None = None, *, anew: bool = False) -> str:
    """The certificate as a file of Coq that ends with the theorem."""
    return f"{HEAD}\n{defined(data, most, anew=anew)}{THEOREM}"


def main(words: list[str]) -> int:
    """Write the file for a certificate to standard output."""
    try:
        print(translated(Path(words[0]).read_bytes()), end="")
    except Unformalised as reason:
        print(f"{words[0]}: not formalised: {reason}", file=sys.stderr)
        return 2
    except check().Refused as reason:
        print(f"{words[0]}: {reason.word}: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
