"""A second reader of the format of certificates, written from proofs/FORMAT.md alone: which objects, keys and words there are.

It shares no code with proofs/check.py, computes nothing and knows no limits but those of texts. What it refuses no checker may accept.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction


class NotInTheFormat(Exception):  # noqa: N818 - the test's word
    """Where, and what is expected."""


def fail(place, expected):
    """Say where."""
    raise NotInTheFormat(f"{place}: {expected}")


def whole(value, place):
    """A number from 0; truth values are none."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        fail(place, "a number from 0")


def integer(value, place):
    """Any integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        fail(place, "an integer")


def truth(value, place):
    """Or false."""
    if not isinstance(value, bool):
        fail(place, "true or false")


def text(value, place):
    """Printable, not too long."""
    if not isinstance(value, str) or not 1 <= len(value) <= 1000 or not value.isprintable():
        fail(place, "a text")


def name(value, place):
    """Of a variable."""
    if not isinstance(value, str) or len(value) > 1000 or re.match(r"^[A-Za-z_][A-Za-z0-9_.]*\Z", value) is None:
        fail(place, "a name")


def fraction(value, place):
    """In lowest terms."""
    if not isinstance(value, str) or len(value) > 1000 or re.match(r"^-?[0-9]+(/[0-9]+)?\Z", value) is None:
        fail(place, "a fraction")
    above, _, below = value.partition("/")
    if (below == "0" * len(below) and below) or str(Fraction(int(above), int(below or 1))) != value:
        fail(place, "a fraction in lowest terms")


def stream(value, place):
    """A text that begins so."""
    text(value, place)
    if not value.startswith("algdim 1|"):
        fail(place, "a stream")


def each(inner, *, empty=True):
    """A list of things of one kind."""

    def reader(value, place):
        if not isinstance(value, list) or not (empty or value):
            fail(place, "a list")
        for one in value:
            inner(one, place)

    return reader


def table(inner, keys=text):
    """An object, not empty, whose keys are free."""

    def reader(value, place):
        if not isinstance(value, dict) or not value:
            fail(place, "an object, not empty")
        for key, one in value.items():
            keys(key, place)
            inner(one, f"{place}.{key}")

    return reader


def record(optional=None, **needed):
    """An object with these keys and no others."""
    optional = optional or {}

    def reader(value, place):
        if not isinstance(value, dict):
            fail(place, "an object")
        for key in needed:
            if key not in value:
                fail(place, f"the key {key}")
        for key, one in value.items():
            if key not in needed and key not in optional:
                fail(place, f"no key {key}")
            (needed[key] if key in needed else optional[key])(one, f"{place}.{key}")

    return reader


def word(*allowed):
    """One of some texts."""

    def reader(value, place):
        if value not in allowed or not isinstance(value, str):
            fail(place, " or ".join(allowed))

    return reader


def formula(value, place):
    """A parameter, a number, or a sum, product, quotient, power."""
    if isinstance(value, str):
        (fraction if re.match(r"^[-0-9]", value) else text)(value, place)
        return
    if not isinstance(value, dict) or len(value) != 1:
        fail(place, "a formula")
    ((kind, inner),) = value.items()
    if kind in ("sum", "product") or (kind == "quotient" and isinstance(inner, list) and len(inner) == 2):
        each(formula)(inner, place)
    elif kind == "power" and isinstance(inner, list) and len(inner) == 2:
        formula(inner[0], place)
        whole(inner[1], place)
    else:
        fail(place, "a formula")


names, pairs = each(name), each(each(whole))


def entry(value, place):
    """A number, or a sum of numbers times parameters."""
    (fraction if isinstance(value, str) else table(fraction))(value, place)


def rows(value, place):
    """A table that is written out."""
    each(each(entry))(value, place)


def of_a_table(value, place):
    """What stands in `tables` of a discrete model."""
    if isinstance(value, str):
        word("sigmoid", "multinomial", "adjacent", "cumulative", "rasch")(value, place)
    elif isinstance(value, list):
        rows(value, place)
    else:
        classifier(value, place)


VARIABLE = {"name": name, "states": whole, "observed": truth, "parents": names}
NETWORK = {"variables": each(record({"table": text}, **VARIABLE))}


def classifier(value, place):
    """A network with a class."""
    record({"tables": table(rows), "names": table(fraction)}, family=word("classifier"), **{"class": name}, **NETWORK)(
        value, place
    )


def additive(value, place):
    """Poisson or normal: a sum, the greatest, or the n-th largest."""
    variables = each(record({"states": whole, "observed": truth}, name=name))
    families = [f"{function}{law}" for function in ("", "max-", "at-least-") for law in ("poisson", "normal")]
    if isinstance(value, dict) and "effects" in value:
        several = each(record(name=name, mechanisms=each(names)), empty=False)
        record({"edges": each(names)}, family=word("poisson", "normal"), variables=variables, effects=several)(
            value, place
        )
        return
    needed = {"family": word(*families), "variables": variables, "effect": name, "mechanisms": each(names)}
    record({"edges": each(names), "least": whole}, **needed)(value, place)


MODELS = {
    "discrete": record(
        {"tables": table(of_a_table), "names": table(fraction), "given": each(name, empty=False)},
        family=word("discrete"),
        **NETWORK,
    ),
    "gaussian": record(
        {"bidirected": each(names, empty=False), "fixed": table(fraction), "equal": table(name)},
        family=word("gaussian"),
        variables=each(record(name=name, observed=truth)),
        edges=each(names),
        means=truth,
    ),
    "latent-profile": record(
        {"covariances": table(truth)},
        family=word("latent-profile"),
        variables=each(record({"states": whole}, name=name, observed=truth)),
    ),
    "conditional-gaussian": record(
        {"common": each(text, empty=False), "fixed": table(fraction), "equal": table(name)},
        family=word("conditional-gaussian"),
        variables=each(record({"states": whole}, name=name, observed=truth)),
        edges=each(names),
    ),
    **{f"{function}{law}": additive for function in ("", "max-", "at-least-") for law in ("poisson", "normal")},
    "classifier": classifier,
    "polynomial": record(
        family=word("polynomial"), parameters=names, coordinates=each(record(name=name, formula=formula))
    ),
    "loglinear": record(
        family=word("loglinear"), variables=each(record(name=name, states=whole, observed=truth)), effects=each(names)
    ),
}

POINT = {"prime": whole, "point": stream}
MATRICES = {
    "discrete": record(
        {"order": whole, "projection": each(each(integer))},
        blocks=each(names),
        C=names,
        S=names,
        state=each(whole),
        pairs=pairs,
    ),
    "gaussian": record(rows=each(text), columns=each(text), left=each(text), right=each(text), pairs=pairs),
    "polynomial": record(blocks=each(each(text)), rows=each(each(whole)), pairs=pairs),
}
GRID = record(
    blocks=each(names),
    C=names,
    G=names,
    H=names,
    state=each(whole),
    minors=each(each(whole)),
    together=truth,
    pairs=pairs,
)
MOVE = record(
    move=word("equation", "substitution", "errors", "mean"), of=each(text), coefficient=fraction, factor=each(text)
)
EFFECT = record(effect=name, functions=names, mechanisms=names, levels=each(each(integer)))


def field(value, place, family):
    """A field of `symmetry`."""
    if family == "gaussian" and isinstance(value, list):
        each(MOVE)(value, place)
    elif family == "gaussian" or family in ("polynomial", "loglinear", "conditional-gaussian"):
        table(formula)(value, place)
    elif isinstance(value, dict) and "along" in value:
        record({"hidden": names}, along=table(formula))(value, place)
    elif isinstance(value, dict) and "times" in value:
        record(hidden=names, times=each(names))(value, place)
    else:
        record(hidden=names, upper=lambda node, at: evidence(node, at, "discrete"))(value, place)


def matrix(value, place, family):
    """A matrix of a family; of networks also one of minors."""
    if family == "discrete" and isinstance(value, dict) and "minors" in value:
        GRID(value, place)
    elif family == "discrete" and isinstance(value, dict) and "D" in value:
        record(blocks=each(names), C=names, D=names, G=names, H=names, state=each(whole), pairs=pairs)(value, place)
    elif family == "discrete" and isinstance(value, dict) and "chain" in value:
        lines = {"rows": each(whole), "columns": each(whole), "state": each(whole), "pairs": pairs}
        record(blocks=each(names), C=names, chain=names, **lines)(value, place)
    elif family == "discrete" and isinstance(value, dict) and "common" in value:
        record(common=each(names), pairs=pairs)(value, place)
    elif family == "discrete" and isinstance(value, dict) and "times" in value:
        of = {"words": whole} if "words" in value else {"reversed": truth}
        record(hidden=names, times=each(names), pairs=pairs, **of)(value, place)
    elif family == "discrete" and isinstance(value, dict) and "through" in value:
        record(blocks=each(names), C=names, through=names, state=each(whole), pairs=pairs)(value, place)
    else:
        MATRICES.get(family, word())(value, place)


def step(value, place):
    """A hidden variable averaged out, more parents, or an edge reversed."""
    if isinstance(value, dict) and "widened" in value:
        record(widened=name, parents=names)(value, place)
    elif isinstance(value, dict) and "reversed" in value:
        record(reversed=name, child=name)(value, place)
    else:
        record(hidden=name, children=names)(value, place)


def evidence(value, place, family):
    """A node."""

    def inner(node, at):
        evidence(node, at, "discrete" if family == "loglinear" else family)

    def inner_classifier(node, at):
        evidence(node, at, "classifier")

    kinds = {
        "rank": {**POINT, "rows": each(whole), "columns": each(whole)},
        "equations": {**POINT, "constants": each(whole), "matrices": each(lambda one, at: matrix(one, at, family))},
        "pairwise": {"blocks": each(names), "S": names},
        "class-tables": {"tables": names},
        "classifiers": {"of": each(record(name=name, upper=inner_classifier))},
        "one-interaction": {"hidden": names, "upper": lambda node, at: evidence(node, at, family)},
        "latent-class": {"blocks": each(names), "upper": inner},
        "mechanisms": {"effects": each(EFFECT)},
        "symmetry": {**POINT, "fields": each(lambda one, at: field(one, at, family))},
        "kruskal": {**POINT, "probes": stream, "blocks": each(names), "ranks": each(whole)},
        "containing": {"averaged": each(step)},
        "normal-form": {
            **POINT,
            "constants": table(fraction),
            "fields": each(lambda one, at: field(one, at, family)),
            "kernel": each(table(formula)),
        },
        "parts": {"observed": names, "of": each(record(slices=names, upper=inner))},
        "fewer-states": {"steps": each(record(variable=name, states=whole, lower=inner)), "upper": inner},
        "differences": {"variable": name, "reduced": names, "order": names, "parts": each(inner)},
        "districts": {"parts": each(inner)},
        "trees": {"parts": each(inner)},
    } | {
        key: {}
        for key in ("counting", "ambient", "secants", "nested", "shifts", "entries", "order-statistics", "sum-scores")
    }
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in kinds:
        fail(place, "evidence of a kind")
    optional = {"rank": {"probes": stream}}
    if family == "discrete":
        optional["containing"] = {"upper": inner}
        optional["equations"] = {
            "exchangeable": each(names, empty=False),
            "margin": each(name, empty=False),
            "upper": inner,
        }
        given = {"margin", "upper", "exchangeable"} & value.keys()
        if kind == "equations" and given not in (set(), {"exchangeable"}, {"margin", "upper"}):
            fail(place, "margin with upper, or exchangeable alone")
    record(optional.get(kind, {}), kind=word(kind), value=whole, **kinds[kind])(value, place)


def model(value, place):
    """A model of a family."""
    family = value.get("family") if isinstance(value, dict) else None
    if not isinstance(family, str) or family not in MODELS:
        fail(place, "a family")
    MODELS[family](value, place)


def complete(value, place):
    """A number or null."""
    if value is not None:
        whole(value, place)


def read(data):
    """Read a certificate, or raise."""

    def once(items):
        if len({key for key, _ in items}) != len(items):
            fail("the file", "no key twice")
        return dict(items)

    def none(digits):
        fail("the file", f"integers, not {digits}")

    def whole_number(digits):
        return none(digits) if digits == "-0" or len(digits) > 1000 else int(digits)

    try:
        found = json.loads(
            data.decode("utf-8"), object_pairs_hook=once, parse_int=whole_number, parse_float=none, parse_constant=none
        )
    except (ValueError, RecursionError) as error:
        raise NotInTheFormat(str(error)) from None
    claim = record(model=model, dimension=whole, standard=whole, complete=complete)
    shape = {"format": word("algdim certificate 2"), "claim": claim, "evidence": record(lower=anything, upper=anything)}
    record(**shape)(found, "the file")
    for side, node in found["evidence"].items():
        evidence(node, side, found["claim"]["model"]["family"])


def anything(value, place):
    """What is read when the family is known."""
