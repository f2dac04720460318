"""Short texts of every family, and what is asked of them, drawn so that they can be bred.

Whatever is drawn comes from a list of choices, numbers from 0 to 1; where the list ends, new ones are drawn. So a part of
the list that is changed, or taken from another text of the family, gives a text that is like the first in all else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

LONGEST = 400
"""Bytes of all models of one command."""

Item = TypeVar("Item")


class Choices:
    """A list of choices that is read, and goes on at its end by chance."""

    def __init__(self, given: Sequence[float], source: random.Random) -> None:
        """Begin at the first choice."""
        self.given, self.source, self.made = given, source, list[float]()
        self.scale = max(0.25, self.next())

    def next(self) -> float:
        """The next choice."""
        place = len(self.made)
        self.made.append(self.given[place] if place < len(self.given) else round(self.source.random(), 6))
        return self.made[-1]

    def of(self, items: Sequence[Item]) -> Item:
        """One of some items."""
        return items[int(self.next() * len(items))]

    def is_so(self, chance: float) -> bool:
        """Whether something happens that has this chance."""
        return self.next() < chance

    def size(self, most: int, least: int = 1) -> int:
        """A whole number; each order of magnitude up to the scale of the text is as frequent as any other."""
        return min(most, int(least * ((most + 1) / least) ** (self.scale * self.next())))

    def some(self, items: Sequence[str], chance: float) -> list[str]:
        """Some of the names."""
        return [item for item in items if self.is_so(chance)]


def name_range(letter: str, count: int) -> list[str]:
    """So many names with a letter."""
    return [f"{letter}{number}" for number in range(1, count + 1)]


def span(letter: str, count: int) -> str:
    """The same names as the notation writes them in short."""
    return f"{letter}1" if count == 1 else f"{letter}1..{letter}{count}"


def end(clauses: list[str], word: str, items: Sequence[str]) -> None:
    """Add a clause, if there is anything in it."""
    if items:
        clauses.append(f"{word} {', '.join(items)}")


def latent_class(draw: Choices) -> str:
    """Classes and items."""
    star = "*" if draw.is_so(0.15) else ""
    items = [f"{draw.size(300, 2)}^{draw.size(30)}{star}" for _ in range(draw.size(5))]
    return f"{draw.size(300)}:{','.join(items)}"


def tree(draw: Choices) -> str:
    """A latent tree."""

    def node(depth: int) -> str:
        states = draw.size(40, 2)
        if depth == 0 or draw.is_so(0.4):
            return f"{states}^{draw.size(6)}" if draw.is_so(0.4) else str(states)
        inner = "!" if draw.is_so(0.15) else ""
        return f"{inner}{states}({','.join(node(depth - 1) for _ in range(draw.size(5)))})"

    return f"{draw.size(40)}({','.join(node(3) for _ in range(draw.size(6, 2)))})"


def states_of(draw: Choices, names: Sequence[str], most: int, chance: float = 0.4) -> list[str]:
    """Numbers of states of some of the variables."""
    return [f"{name}={draw.size(most, 2)}" for name in draw.some(names, chance)]


def edges_of(draw: Choices, names: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Clauses of an acyclic network, and the parents of each variable."""
    chance, parents, clauses = draw.of([0.15, 0.3, 0.6, 1.0]), dict[str, list[str]](), list[str]()
    for number, name in enumerate(names):
        parents[name] = draw.some(names[:number], chance)
        clauses += [f"{', '.join(parents[name])} -> {name}"] if parents[name] else []
    alone = [name for name in names if not parents[name] and not any(name in above for above in parents.values())]
    return [*clauses, *(f"states {name}=2" for name in alone)], parents


LOGITS = ("sigmoid", "multinomial", "adjacent", "cumulative", "rasch")


def network(draw: Choices) -> str:
    """A discrete network with clauses of all kinds."""
    names = name_range("V", draw.size(14, 2))
    clauses, parents = edges_of(draw, names)
    hidden = draw.some(names[:-1], draw.of([0.0, 0.2, 0.5]))
    end(clauses, "hidden", hidden)
    end(
        clauses,
        "states",
        states_of(draw, [name for name in names if f"states {name}=2" not in clauses], draw.of([4, 20, 300])),
    )
    with_parents = [name for name in names if parents[name]]
    for word in draw.some([*LOGITS, "max", "sum"], 0.1):
        end(clauses, word, draw.some(with_parents, 0.3))
    if draw.is_so(0.15):
        end(clauses, "share s:", draw.some(with_parents, 0.5))
    if draw.is_so(0.15):
        one, other = draw.of(names), draw.of(names)
        clauses.append(f"fix P({one}=0)=1/2" if one == other else f"equal e = P({one}=0), P({other}=0)")
    if draw.is_so(0.15):
        end(clauses, "given", [name for name in draw.some(names, 0.5) if not parents[name] and name not in hidden])
    if draw.is_so(0.1) and with_parents:
        name = draw.of(with_parents)
        clauses.append(f"classifier {name} {{{name} -> {', '.join(parents[name])}}}")
    return "; ".join(clauses)


def layers(draw: Choices) -> str:
    """Layers of variables, each a cause of the whole next one: many edges in few signs."""
    letters = "ABCDE"[: draw.size(5, 2)]
    counts = [draw.size(15) for _ in letters]
    spans = [span(letter, count) for letter, count in zip(letters, counts, strict=True)]
    clauses = [" -> ".join(spans)]
    end(clauses, "hidden", draw.some(spans[:-1] if draw.is_so(0.5) else spans[1:], 0.4))
    end(clauses, "states", states_of(draw, spans, draw.of([4, 30, 1000])))
    for word in draw.some([*LOGITS, "max", "sum", "parity", "at-least 2"], 0.08):
        end(clauses, word, [draw.of(spans[1:])])
    if draw.is_so(0.15):
        clauses.append(f"share s: {draw.of(spans)}")
    if draw.is_so(0.15):
        clauses.append(f"given {spans[0]}")
    return "; ".join(clauses)


def sigmoid(draw: Choices) -> str:
    """A sigmoid network."""
    return f"sigmoid: {draw.of([layers, network])(draw)}"


def classifier(draw: Choices) -> str:
    """A classifier: inputs below the class, and edges among them."""
    count = draw.size(20)
    names = name_range("X", count)
    clauses, chance = [f"Y -> {', '.join(draw.some(names, 0.7)) or 'X1'}"], draw.of([0.0, 0.1, 0.3, 0.9])
    clauses += [
        f"{', '.join(above)} -> {name}"
        for number, name in enumerate(names)
        if (above := draw.some(names[:number], chance))
    ]
    end(clauses, "states", states_of(draw, ["Y", *names], draw.of([4, 30, 300])))
    return f"classifier Y: {'; '.join(clauses)}"


def gaussian(draw: Choices) -> str:
    """Layers, paths, cycles, correlated errors, latent variables."""
    clauses = list[str]()
    if draw.is_so(0.5):
        spans = [span(letter, draw.size(25)) for letter in "ABCD"[: draw.size(4)]]
        names = spans
        clauses.append(draw.of([" -> ", " <- ", " <-> "]).join(spans))
    else:
        names = name_range("V", draw.size(25, 2))
        chance = draw.of([0.1, 0.3, 0.7])
        for number, name in enumerate(names):
            for arrow in ("->", "<->"):
                others = draw.some(names[:number], chance)
                clauses += [f"{', '.join(others)} {arrow} {name}"] if others else []
    if draw.is_so(0.3):
        clauses.append(f"{draw.of(names)} {draw.of(['->', '<->'])} {draw.of(names)}")
    if draw.is_so(0.25):
        count = draw.size(60, 3)
        arrow = draw.of([" -> ", " <-> "])
        ring = name_range("R", count)
        clauses.append(arrow.join([*ring, ring[0]]))
    end(clauses, "hidden", draw.some(names, draw.of([0.0, 0.2, 0.5])))
    if draw.is_so(0.5) or not clauses:
        clauses.append("means off")
    return f"gaussian: {'; '.join(clauses)}"


def profile(draw: Choices) -> str:
    """A mixture of normal distributions."""
    count, tables = draw.size(30), draw.size(4) - 1
    items = [span("X", count), *([span("C", tables)] if tables else [])]
    clauses = [f"H -> {', '.join(items)}", "hidden H"]
    states = [f"H={draw.size(100)}"] if draw.is_so(0.7) else []
    states += [f"{span('C', tables)}={draw.size(100, 2)}"] if tables else []
    end(clauses, "states", states)
    end(clauses, "covariances", draw.some(["full", "equal"], 0.5))
    if draw.is_so(0.2):
        clauses.append(f"moments {draw.size(200)}")
    return f"latent-profile: {'; '.join(clauses)}"


def braces(draw: Choices, names: Sequence[str], most: int) -> str:
    """Sets of names."""
    chance = draw.of([0.1, 0.3, 0.8])
    sets = [tuple(draw.some(names, chance) or [draw.of(names)]) for _ in range(draw.size(most))]
    return ",".join(f"{{{','.join(one)}}}" for one in dict.fromkeys(sets))


def mechanisms(draw: Choices) -> str:
    """Causal mechanisms."""
    word = draw.of(["max", "noisy-or", "noisy-max", "sum", "parity", "at-least 2"])
    names, count = name_range("C", draw.size(25)), draw.size(12)
    sets = ",".join(f"{{{name}}}" for name in names) if draw.is_so(0.4) else braces(draw, names, 8)
    names = [name for name in names if f"{name}," in sets or f"{name}}}" in sets]
    clauses = [f"{sets} -> {span('E', count)}"]
    if draw.is_so(0.3):
        end(clauses, "hidden", draw.some(names, draw.of([0.3, 1.0])))
    end(clauses, "states", [*states_of(draw, names, 30, 0.15), *states_of(draw, [span("E", count)], 30, 0.15)])
    if draw.is_so(0.3):
        clauses.append("leak")
    if draw.is_so(0.2):
        end(clauses, "given", names)
    return f"{word}: {'; '.join(clauses)}"


def additive(draw: Choices) -> str:
    """Sums of Poisson or normal variables, sometimes with mixtures inside."""
    names = name_range("A", draw.size(20))
    sets = braces(draw, names, 8)
    clauses, states = list[str](), states_of(draw, [name for name in names if f"{name}}}" in sets], 40, 0.2)
    hidden = name_range("H", draw.size(5) - 1) if draw.is_so(0.5) else []
    sets = ",".join([sets, *(f"{{{draw.of(names)},{name}}}" for name in hidden)])
    clauses.append(f"{sets} -> E")
    end(clauses, "hidden", hidden)
    end(clauses, "states", [*states, *states_of(draw, hidden, 30)])
    if draw.is_so(0.3):
        clauses.append("leak")
    return f"{draw.of(['poisson', 'normal'])}: {'; '.join(clauses)}"


def loglinear(draw: Choices) -> str:
    """Interactions, all pairs, or layers, some variables hidden."""
    names = name_range("A", draw.size(20))
    if draw.is_so(0.4):
        hidden = name_range("H", draw.size(8))
        sets = ",".join(f"{{{one},{other}}}" for one in names for other in hidden)
    else:
        sets = braces(draw, names, 10)
        names = [name for name in names if f"{name}," in sets or f"{name}}}" in sets]
        hidden = draw.some(names, draw.of([0.0, 0.2, 0.5]))
    clauses = [sets]
    end(clauses, "hidden", hidden)
    end(clauses, "states", states_of(draw, list(dict.fromkeys((*names, *hidden))), draw.of([3, 20]), 0.2))
    if draw.is_so(0.2):
        clauses.append("hierarchical off")
    return f"loglinear: {'; '.join(clauses)}"


def polynomial(draw: Choices) -> str:
    """Formulas with sums, products, quotients and powers."""
    names = list("abcdefgh"[: draw.size(8)])
    form = draw.of(["tree", "powers", "fractions"])

    def formula(depth: int) -> str:
        if depth == 0 or draw.is_so(0.2):
            return draw.of([*names, *names, str(draw.size(9))])
        sign = draw.of("+-***/^")
        if sign == "^":
            return f"({formula(depth - 1)})^{draw.size(60, 2)}"
        return f"({formula(depth - 1)}{sign}{formula(depth - 1)})"

    def power() -> str:
        linear = "+".join([str(draw.size(9)), *(f"{draw.size(9)}*{name}" for name in draw.some(names, 0.8))])
        return f"{draw.of(['', '1/'])}({linear})^{draw.size(40)}"

    def fraction() -> str:
        text = draw.of(names)
        for _ in range(draw.size(16)):
            text = f"{draw.of(names)}+1/({text})"
        return text

    made = {"tree": lambda: formula(draw.size(5)), "powers": power, "fractions": fraction}[form]
    coordinates = ", ".join(made() for _ in range(draw.size(12)))
    return f"polynomial: parameters {', '.join(names)}; coordinates {coordinates}"


def conditional(draw: Choices) -> str:
    """Tables, factors and Gaussian variables in one network."""
    counts = {letter: draw.size(most) for letter, most in (("D", 5), ("F", 4), ("X", 20))}
    spans = {letter: span(letter, count) for letter, count in counts.items()}
    between, has_direct = draw.of([" -> ", ", "]), draw.is_so(0.5)
    clauses = [f"{spans['D']}{between}{spans['F']} -> {spans['X']}"]
    if has_direct and between == " -> ":
        clauses.append(f"{draw.of(['D1', spans['D']])} -> {spans['X']}")
    if draw.is_so(0.3):
        clauses.append(" -> ".join(name_range("X", counts["X"])))
    hidden = [spans["F"]] if draw.is_so(0.8) else []
    end(clauses, "hidden", [*hidden, *draw.some([draw.of(["D1", spans["D"]])], 0.7)])
    clauses.append(f"states {spans['D']}={draw.size(draw.of([3, 30, 1000]), 2)}")
    end(clauses, "common", draw.some(["variances", "coefficients", "intercepts"], 0.3))
    end(clauses, "fix", draw.some(["v(F1)=1", "m(F1)=0", "b(F1->X1)=1"], 0.2))
    return f"conditional-gaussian: {'; '.join(clauses)}"


EVOLUTIONS = ("CFN", "JC69", "K2P", "K3P", "SYM", "SSM", "GM", "GM2", "F81", "TN93", "GTR")


def phylogeny(draw: Choices) -> str:
    """Evolution on trees, of random shape or like a comb, or on a network."""
    leaves = name_range("L", draw.size(30, 2))

    def grow() -> str:
        if draw.is_so(0.2):
            text = leaves[0]
            for name in leaves[1:]:
                text = f"({text},{name})"
            return text
        parts = list(leaves)
        while len(parts) > draw.of([1, 3]):
            one = parts.pop(int(draw.next() * len(parts)))
            parts.append(f"({one},{parts.pop(int(draw.next() * len(parts)))})") if parts else parts.append(one)
            if len(parts) == 1:
                break
        return parts[0] if len(parts) == 1 else f"({','.join(parts)})"

    trees = [grow() for _ in range(draw.size(4))]
    if draw.is_so(0.15):
        trees = [f"(({trees[0]},#R),((#R,Q1),Q2))"]
    words = draw.some(["clock", "invariable", f"classes {draw.size(6)}"], 0.2)
    return f"phylo {draw.of(EVOLUTIONS)}: {'; '.join([*trees, *words])}"


CHAINS = ("homogeneous", "stationary", "reversible")


def slices(draw: Choices) -> str:
    """A hidden Markov model, or a template of slices."""
    length = draw.size(draw.of([12, 300]))
    if draw.is_so(0.6):
        items = ",".join(f"{draw.size(12, 2)}^{draw.size(4)}" for _ in range(draw.size(3)))
        words = draw.of([(), ("invariant",), *(CHAINS[:count] for count in (1, 2, 3))])
        return ", ".join([f"hmm: states {draw.size(40, 2)}", f"items {items}", f"length {length}", *words])
    names = name_range("V", draw.size(5))
    clauses, parents = edges_of(draw, names)
    clauses = [clause for clause in clauses if not clause.startswith("states")]
    clauses += [
        f"{before}{draw.of(names)} -> {name}" for name in names for before in draw.some(["prev.", "prev.prev."], 0.3)
    ]
    clauses = clauses or ["prev.V1 -> V1 -> V2"]
    end(clauses, "hidden", draw.some(names, 0.4))
    end(clauses, "states", states_of(draw, names, 20))
    with_parents = [name for name in names if parents[name]]
    for word in draw.some([*LOGITS, "max"], 0.08):
        end(clauses, word, draw.some(with_parents, 0.5))
    end(clauses, "varying", draw.some(names, draw.of([0.0, 0.3])))
    return f"dynamic {length}: {'; '.join(clauses)}"


def diagnosis(draw: Choices) -> str:
    """Items with a row of zeros and ones, and attributes, some of which need others."""
    count, chance = draw.size(10), draw.of([0.2, 0.5, 0.9])
    attributes = name_range("A", count)
    rows = list[str]()
    for _ in range(draw.size(30)):
        bits = ["1" if draw.is_so(chance) else "0" for _ in attributes]
        bits[int(draw.next() * count)] = "1"
        rows.append("".join(bits))
    clauses = [f"items {', '.join(rows)}"]
    if draw.is_so(0.3) and count > 1:
        clauses.append(" -> ".join(attributes[: draw.size(count, 2)]))
    return f"diagnosis {draw.of(['DINA', 'DINO', 'ACDM', 'RRUM', 'LLM', 'GDINA'])}: {'; '.join(clauses)}"


def lavaan(draw: Choices) -> str:
    """A structural equation model as R's lavaan has it."""
    factors, items = name_range("f", draw.size(8)), name_range("x", draw.size(40))
    loads = draw.of([0.2, 0.5, 1.0])
    lines = [f"{name} =~ {' + '.join(draw.some(items, loads) or items[:1])}" for name in factors]
    lines += [
        f"{name} ~ {' + '.join(factors[:number])}" for number, name in enumerate(factors) if number and draw.is_so(0.2)
    ]
    lines += [f"{draw.of(items)} ~~ {draw.of(items)}" for _ in range(draw.size(8) - 1)]
    return "\n".join(lines)


def ring(draw: Choices) -> str:
    """A list of formulas as Macaulay2 has it."""
    names, coordinates = polynomial(draw).removeprefix("polynomial: parameters ").split("; coordinates ")
    return f"R = QQ[{names}]; f = {{{coordinates}}}"


FAMILIES: Mapping[str, Callable[[Choices], str]] = {
    "latent class": latent_class,
    "tree": tree,
    "network": network,
    "layers": layers,
    "sigmoid": sigmoid,
    "classifier": classifier,
    "gaussian": gaussian,
    "latent-profile": profile,
    "mechanisms": mechanisms,
    "additive": additive,
    "loglinear": loglinear,
    "polynomial": polynomial,
    "conditional-gaussian": conditional,
    "phylo": phylogeny,
    "slices": slices,
    "diagnosis": diagnosis,
    "lavaan": lavaan,
    "macaulay2": ring,
}
"""Every family, and how it is written, other programs' forms too."""

FORMATS = ("lavaan", "macaulay2")
"""Families whose texts need to be told how they are read."""

MODEL = "MODEL"

DATA, CLAIMS, POINT = f"data of {MODEL}", f"claims of {MODEL}", f"point of {MODEL}"
"""Words in whose place the path of a file stands, which is made for the model."""

STUDIO = "studio"
"""No command, but a question to the page: the second word."""

METHODS = ("table", "probes", "products", "rational", "rowreduce", "symbolic", "float")
TARGETS = ("macaulay2", "singular", "sympy", "lavaan", "dagitty", "bif", "json")

COMMANDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "dim": (("dim", MODEL),),
    "dim --method": tuple(("dim", MODEL, "--method", method) for method in METHODS),
    "dim --no-proof": (("dim", MODEL, "--no-proof", "--json"),),
    "bounds": (("bounds", MODEL),),
    "decompose": (("decompose", MODEL),),
    "map": (("map", MODEL), ("map", MODEL, "--jacobian"), ("map", MODEL, "--latex")),
    "identify": (("identify", MODEL), ("identify", MODEL, "--json")),
    "compare": (("compare", MODEL, MODEL),),
    "explain": (("explain", MODEL), ("explain", MODEL, "--html"), ("explain", MODEL, "--svg", "states")),
    "constraints": (("constraints", MODEL), ("constraints", MODEL, "--all"), ("constraints", MODEL, "--size", "8")),
    "constraints --data": (("constraints", MODEL, "--data", DATA),),
    "rowreduce": (("rowreduce", MODEL), ("rowreduce", MODEL, "--show"), ("rowreduce", MODEL, "--prime", "101")),
    "export": tuple(("export", MODEL, "--to", target) for target in TARGETS),
    "prove": (("prove", MODEL),),
    "fit": (
        ("fit", DATA, MODEL),
        ("fit", DATA, MODEL, "--prior", "alpha=1.1"),
        ("fit", DATA, MODEL, "--residuals"),
        ("fit", DATA, MODEL, "--bootstrap", "3"),
    ),
    "score": (("score", DATA, MODEL), ("score", DATA, MODEL, "--score", "bic+")),
    "select": (
        ("select", DATA, "--structures", MODEL),
        ("select", DATA, "--classes", "1..5"),
        ("select", DATA, "--structures", MODEL, "--rival"),
    ),
    "simulate": (("simulate", MODEL, "--at", POINT, "-n", "1000"),),
    "check": (("check", CLAIMS),),
    "table": (("table", CLAIMS),),
    "studio": tuple(
        (STUDIO, question, MODEL) for question in ("read", "dim", "constraints", "what-if", "lecture", "certificate")
    ),
}
"""Every command that takes a model, with some of its options."""

SWEEPS: Mapping[str, tuple[str, str, int]] = {
    "lc": ("cells", "items", 3000),
    "trees": ("leaves", "states", 12),
    "mixed": ("nodes", "edges", 9),
    "networks": ("observed", "hidden", 9),
    "random-trees": ("count", "leaves", 2000),
    "random-networks": ("count", "observed", 2000),
}
"""Kinds of sweeps: two of their quantities, and the most of the first."""


def draw_words(family: str, command: str, draw: Choices) -> list[str] | None:
    """The words of one command; ``None`` if its models are too long."""
    form, first = draw.of(COMMANDS[command]), len(draw.made)
    models, before = [FAMILIES[family](draw)], len(draw.made)
    for _ in range(form.count(MODEL) - 1):  # like the first, for others have other variables
        source = random.Random(repr(draw.next()))
        alike = bred(draw.made[first:before], [], source)
        models.append(FAMILIES[family](Choices([draw.made[0], *alike], source)))
    if sum(len(model.encode()) for model in models) > LONGEST:
        return None
    left = iter(models)
    words = [next(left) if word == MODEL else word.replace(MODEL, models[0]) for word in form]
    needs_format = family in FORMATS and MODEL in form and form[0] not in (STUDIO, "select")
    return [*words, "--format", family] if needs_format else words


def draw_sweep(draw: Choices) -> list[str]:
    """A sweep that is only listed."""
    kind = draw.of(list(SWEEPS))
    first, second, most = SWEEPS[kind]
    words = [kind, f"{first}{draw.of(['=', '<='])}{draw.size(most)}"]
    if draw.is_so(0.6):
        words.append(f"{second}{draw.of(['=', '<=', '>='])}{draw.size(12)}")
    return ["sweep", " ".join(words), "--list"]


def bred(one: Sequence[float], other: Sequence[float], source: random.Random) -> list[float]:
    """Choices like the first ones: some are drawn anew, made a little more or less, left out, or taken from the other."""
    made = list(one)
    for _ in range(source.choice((1, 1, 2, 4))):
        place = source.randrange(len(made)) if made else 0
        act = source.random()
        if act < 0.35 and made:
            made[place] = round(source.random(), 6)
        elif act < 0.7 and made:
            made[place] = round(min(0.999999, max(0.0, made[place] + source.gauss(0, 0.1))), 6)
        elif act < 0.8:
            del made[place : place + source.choice((1, 2, 5))]
        elif act < 0.9:
            made[place:place] = [round(source.random(), 6) for _ in range(source.choice((1, 2, 5)))]
        else:
            made[place:] = other[place:]
    return made
