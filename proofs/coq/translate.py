"""Write a certificate as a term of Coq: python3 -I -S translate.py FILE.

What Coq then checks is a statement about the network that is written here, so the first part of this file has to be
believed, or its output read beside the certificate; README.md shows both. The second part finds numbers that make checking
quick, such as inverse matrices. Nothing in it has to be believed: what it gets wrong Coq refuses.
"""

from __future__ import annotations

import importlib.util
import sys
from math import prod
from pathlib import Path
from typing import Any

READER = Path(__file__).resolve().parent.parent / "check.py"


class Unformalised(Exception):  # noqa: N818 - not an error of this program
    """The certificate is about something that the Coq files do not define, or has evidence that they do not know."""


def check() -> Any:
    """The checker beside this file: it reads the format and has arithmetic modulo a prime."""
    if "check" not in sys.modules:
        spec = importlib.util.spec_from_file_location("check", READER)
        assert spec is not None and spec.loader is not None
        sys.modules["check"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["check"])
    return sys.modules["check"]


# What has to be believed: the network and the claim -------------------------------------------------------------------
def listed(items: Any) -> str:
    """A list."""
    return "[:: " + "; ".join(items) + "]" if items else "[::]"


def in_order(variables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The variables with parents before their children: each time the first one whose parents have been taken."""
    left, taken = list(variables), []
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
    return f"Term ({sign} {above.lstrip('-')}) {below or 1} {'None' if parameter is None else f'(Some {parameter})'}"


def network(model: dict[str, Any]) -> tuple[str, int, list[str]]:
    """The network, the number of parameters, and the variables in Coq's order.

    Parameters are numbered in the order of the certificate: variable by variable, row by row, state by state, term by term.
    """
    if model["family"] != "discrete":
        raise Unformalised(f"the family {model['family']} has no definition in proofs/coq/Model.v")
    states = {item["name"]: item["states"] for item in model["variables"]}
    written, given = model.get("tables", {}), model.get("given", [])
    count, named, tables = 0, {}, {}
    for item in model["variables"]:
        key = item.get("table", item["name"])
        if item["name"] in given or key in tables:
            continue
        rows = prod(states[parent] for parent in item["parents"])
        if key not in written:
            tables[key] = f"free {count} {rows} {item['states']}"
            count += rows * (item["states"] - 1)
            continue
        if not isinstance(written[key], list):
            raise Unformalised(f"the table {key} is sigmoid or a classifier, which proofs/coq/Model.v does not define")
        lines = []
        for row in written[key]:
            entries = []
            for entry in row:
                terms = []
                for name, fraction in entry.items() if isinstance(entry, dict) else [("1", entry)]:
                    if name != "1" and name not in named:
                        named[name] = count
                        count += 1
                    if fraction != "0":
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


class Evidence:
    """Translates the evidence for one model."""

    def __init__(self, model: dict[str, Any], names: list[str]) -> None:
        self.check = check()
        self.full = self.check.discrete(model, self.check.Work())
        self.model = self.full.relevant()
        self.names, self.sizes = names, self.full.sizes
        self.numbers = {name: number for number, name in enumerate(self.full.parameters)}

    def field(self, prime: int) -> Any:
        """Residues modulo any number; Coq looks whether it is a prime."""
        field = object.__new__(self.check.Field)
        field.prime, field.work = prime, self.check.Work()
        return field

    def bits(self, prime: int) -> int:
        """How many bits longer than the modulus sums of products get."""
        return prime.bit_length() + 16

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
        return values, numbers([values.get(name, 0) for name in self.full.parameters])

    def minor(self, node: dict[str, Any]) -> str:
        """A minor of the Jacobian, with its inverse."""
        if node.get("kind") != "rank":
            raise Unformalised(f"evidence of the kind {node.get('kind')} for a lower bound")
        prime, field = node["prime"], self.field(node["prime"])
        values, point = self.point(field, node["point"])
        if "probes" in node:
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
            f"Minor {prime}%num {self.bits(prime)}\n  {point}\n  {listed([self.weights(one) for one in functionals])}\n"
            f"  {listed(map(str, columns))}\n  {listed([numbers(column) for column in inverse])}"
        )

    def upper(self, node: dict[str, Any]) -> str:
        """An upper bound."""
        match node.get("kind"):
            case "counting":
                if len(self.model.parameters) < len(self.full.parameters):
                    raise Unformalised("parameters of hidden variables without observed descendants")
                return "Counting"
            case "ambient":
                return "Ambient"
        raise Unformalised(f"evidence of the kind {node.get('kind')} for an upper bound")


def translated(data: bytes) -> str:
    """The certificate as a file of Coq that ends with the theorem."""
    certificate = check().parsed(data)
    text, names = statement(certificate)
    evidence = Evidence(certificate["claim"]["model"], names)
    lower = evidence.minor(certificate["evidence"]["lower"])
    upper = evidence.upper(certificate["evidence"]["upper"])
    return f"""From mathcomp Require Import all_ssreflect.
From Coq Require Import BinNat BinNums.
From Algdim Require Import Model Lower Check.

{text}

Definition lower_evidence := {lower}.
Definition upper_evidence := {upper}.
Definition the_certificate := Certificate net claimed parameters_claimed complete_claimed lower_evidence upper_evidence.

Lemma accepted : check the_certificate = true. Proof. vm_cast_no_check (erefl true). Qed.

Theorem dimension_of_net : dimension net = {certificate["claim"]["dimension"]}. Proof. exact (check_dimension accepted). Qed.
"""


def main(words: list[str]) -> int:
    """Write the file for a certificate to standard output."""
    try:
        print(translated(Path(words[0]).read_bytes()), end="")
    except Unformalised as reason:
        print(f"{words[0]}: not formalised: {reason}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
