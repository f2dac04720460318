"""The dimension of a latent tree from latent class models (lemmas "capping" and "tree rule").

`algdim.families.discrete.trees.decompose` reduces the tree to an equal one and cuts it. Both bounds of the parts add up: a tree
of hundreds of leaves needs the ranks of latent class models only, each shape once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from algdim.bound.bounds import Bound
from algdim.errors import listed
from algdim.families.discrete.bounds.pairwise import latent_class
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.trees import Decomposition, Reduction
from algdim.figures import big
from algdim.trust import proved_by, trust_in_all

Shape = tuple[int, tuple[int, ...]]

MOST_SUMMANDS = 8
MOST_REPEATED = 4
"""More items of one size are written as a power."""


def shape_of(local: Network) -> Shape:
    """What the dimension of a part depends on: the classes and the items' states, or the table of one without classes.

    >>> from algdim.models.notation import parse
    >>> shape_of(parse("3:2,4,2"))
    (3, (2, 2, 4))
    """
    found = latent_class(local)
    classes, items = found if found is not None else (0, tuple(variable.states for variable in local.observed))
    return classes, tuple(sorted(items))


def class_model(classes: int, sizes: Sequence[int]) -> Network:
    """A latent class model with the names that certificates give its variables.

    >>> [variable.name for variable in class_model(3, (2, 2, 4)).variables]
    ['H', 'X1', 'X2', 'X3']
    """
    items = (Variable(f"X{number}", size, parents=("H",)) for number, size in enumerate(sizes, 1))
    return Network((Variable("H", classes, observed=False), *items))


def by_shape(parts: Decomposition) -> dict[Shape, Network]:
    """One part of each shape."""
    found: dict[Shape, Network] = {}
    for local in parts.locals:
        found.setdefault(shape_of(local), local)
    return found


def added_up(parts: Decomposition, bounds: Mapping[Shape, Bound], side: str) -> Bound:
    """The bound of the tree from one bound for each shape of part: dim M = Σ dim Mᵢ − Σ over inner edges of |X||Z| − 1.

    It holds for lower and for upper bounds alike. Chances of error add up.
    """
    shapes = [shape_of(local) for local in parts.locals]
    times = Counter(shapes)
    total = sum(bounds[shape].value for shape in shapes)
    reason = reduction_text(parts.reduction) + sum_text(times, bounds, parts.shared)
    smaller = parts.reduction.tree
    evidence = {
        "capped": [list(pair) for pair in parts.reduction.capped],
        "spliced": list(parts.reduction.spliced),
        "deleted": list(parts.reduction.deleted),
        "inner_edges": [[a, b, smaller.hidden[a] * smaller.hidden[b] - 1] for a, b in parts.edges],
        "parts": [
            {
                "classes": shape[0],
                "items": list(shape[1]),
                "times": count,
                "value": bounds[shape].value,
                "evidence": {"kind": bounds[shape].kind, "reason": bounds[shape].reason, **bounds[shape].evidence},
            }
            for shape, count in times.items()
        ],
    }
    value = total - parts.shared
    # that each side has the rank that the rule supposes is the last claim of lemma "capping"
    rule = proved_by("tree rule", reason, "capping")
    of_locals = (bounds[shape].trust.about(f"local model {shape_text(shape)}") for shape in times)
    return Bound(value, side, "trees", reason, trust_in_all([rule, *of_locals]), evidence)


def sum_text(times: Counter[Shape], bounds: Mapping[Shape, Bound], shared: int) -> str:
    """The sum in words.

    >>> from algdim.bound.bounds import proved_bound
    >>> sum_text(
    ...     Counter({(2, (2, 2, 2)): 3}),
    ...     {(2, (2, 2, 2)): proved_bound(7, "upper", "counting", "7 parameters", "tree rule")},
    ...     6,
    ... )
    '3 × 7 − 6: local models 2:2,2,2 (7 parameters), less what the inner edges share'
    """
    terms = [
        f"{count} × {big(bounds[shape].value)}" if count > 1 else big(bounds[shape].value)
        for shape, count in times.items()
    ]
    names = [f"{shape_text(shape)} ({bounds[shape].reason})" for shape in times]
    total = " + ".join(terms) if len(terms) <= MOST_SUMMANDS else "the sum"
    less = f" − {big(shared)}" if shared else ""
    kind = "local model" if times.total() == 1 else "local models"
    if not any(classes for classes, _ in times):
        kind = "no latent variable is left,"
    return f"{total}{less}: {kind} {listed(names, most=MOST_SUMMANDS)}{', less what the inner edges share' if shared else ''}"


def shape_text(shape: Shape) -> str:
    """A shape in the notation.

    >>> shape_text((3, (2, 2, 4))), shape_text((3, (2, 2, 2, 2, 2, 4)))
    ('3:2,2,4', '3:2^5,4')
    """
    classes, items = shape
    if not classes:
        return f"a table with {' × '.join(map(str, items))} cells"
    texts = [
        f"{size}^{times}" if times > MOST_REPEATED else ",".join([str(size)] * times)
        for size, times in sorted(Counter(items).items())
    ]
    return f"{classes}:{','.join(texts)}"


def reduction_text(reduction: Reduction) -> str:
    """What was done to the tree first, in words."""
    done: Sequence[tuple[str, Sequence[str]]] = (
        ("capped", [f"{name} to {count} states" for name, count in reduction.capped]),
        ("spliced out", reduction.spliced),
        ("deleted", reduction.deleted),
    )
    texts = [f"{what} {listed(names)}" for what, names in done if names]
    return f"after reduction ({'; '.join(texts)}): " if texts else ""
