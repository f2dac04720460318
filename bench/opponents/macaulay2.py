"""Macaulay2's package GraphicalModels: dimensions of the covariances of linear Gaussian models without cycles.

Debian has it as the package ``macaulay2``. Every question is a process of its own: ``gaussianRing`` of version 2.0 keeps
its rings by the names of the vertices and not by the edges, so a second graph would get the ring of the first.

Its ``discreteVanishingIdeal`` is no opponent. In version 2.0 the ideal is wrong where sorting the vertices along the
edges permutes three of them in a circle: it takes this permutation where the inverse belongs, which is the same for
the identity and for exchanging two. Of the six chains on the vertices 1, 2, 3 the four others get the kernel of their
parametrization; but 2 -> 3 -> 1 gets the ideal that 2 and 3 are independent given 1, instead of 1 and 2 given 3, and
3 -> 1 -> 2 that of 1 and 2 given 3, instead of 2 and 3 given 1. With 2, 3 and 4 states the dimensions (in affine space,
one more than the model's) are 12 instead of 16 and 16 instead of 12. ``by_discrete_ideal`` is there to show that.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

NAME = "Macaulay2"
MISSING = "M2 is not on the path (Debian: apt-get install macaulay2)"
BOUND = 1000  # the parameters of the point are drawn below it
SECONDS = 60.0

# The vertices are numbers, the observed ones first: gaussianRing sorts them, so they keep this order.
BEGIN = """\
needsPackage "GraphicalModels";
setRandomSeed {seed};
seen = {seen};
graphOf = digraph(toList(1..{vertices}), {{{edges}}});
R = gaussianRing graphOf;
"""

RANK = """\
Sigma = submatrix(gaussianParametrization R, toList(0..seen-1), toList(0..seen-1));
coordinates = flatten apply(seen, i -> apply(toList(i..seen-1), j -> Sigma_(i,j)));
parameters = select(gens R, x -> toString first baseName x != "s");
slopes = transpose jacobian matrix {{coordinates}};
columns = apply(parameters, x -> index x);
point = map(QQ, R, apply(numgens R, i -> random(1, {bound})));
print("dimension " | toString rank point slopes_columns);
exit 0
"""

# Parameters and the covariances of hidden variables are no variables of the ideal that is left: each is free in R.
IDEAL = """\
isSeen = x -> (
    name := baseName x;
    toString first name == "s" and all(toList last name, v -> v <= seen)
);
others = select(gens R, x -> not isSeen x);
hidden = select(others, x -> toString first baseName x == "s");
I = gaussianVanishingIdeal R;
if #hidden > 0 then I = eliminate(hidden, I);
print("dimension " | toString(dim I - #others));
exit 0
"""

DISCRETE = """\
needsPackage "GraphicalModels";
graphOf = digraph(toList(1..{vertices}), {{{edges}}});
print("dimension " | toString dim discreteVanishingIdeal(markovRing({states}), graphOf));
exit 0
"""


class Macaulay2Error(Exception):
    """Macaulay2 ended without an answer; the message holds what it wrote."""


def installed() -> bool:
    """Whether M2 is on the path."""
    return shutil.which("M2") is not None


def run(script: str, seconds: float = SECONDS) -> str:
    """What M2 prints when it runs a script; ``subprocess.TimeoutExpired`` after this many seconds."""
    program = shutil.which("M2")
    if program is None:
        raise FileNotFoundError(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "question.m2"
        file.write_text(script, encoding="utf-8")
        ended = subprocess.run(
            [program, "--script", str(file)],
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
        )
    if ended.returncode:
        raise Macaulay2Error(f"M2 ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


def by_rank(seen: int, hidden: int, edges: Sequence[tuple[int, int]], seed: int = 0, seconds: float = SECONDS) -> int:
    """The rank of the Jacobian of ``gaussianParametrization``, observed rows only, at a random point: a lower bound.

    Vertices are 1 to ``seen`` and after them the hidden ones; an edge is (parent, child).
    """
    return _answer(_begin(seen, hidden, edges, seed) + RANK.format(bound=BOUND), seconds)


def by_ideal(seen: int, hidden: int, edges: Sequence[tuple[int, int]], seconds: float = SECONDS) -> int:
    """The dimension of the variety of ``gaussianVanishingIdeal``, covariances of hidden variables eliminated."""
    return _answer(_begin(seen, hidden, edges, 0) + IDEAL, seconds)


def by_discrete_ideal(states: Sequence[int], edges: Sequence[tuple[int, int]], seconds: float = SECONDS) -> int:
    """The dimension of ``discreteVanishingIdeal``, less one since the probabilities sum to 1; may be wrong, see above.

    The vertices are 1 to ``len(states)``, all observed; there are two at least.
    """
    listed = ", ".join(map(str, states))
    return _answer(DISCRETE.format(vertices=len(states), edges=_listed(edges), states=listed), seconds) - 1


def version() -> str:
    """The version of GraphicalModels."""
    return run('needsPackage "GraphicalModels"; print((options GraphicalModels).Version); exit 0').strip()


def factor_edges(factors: int, indicators: int) -> list[tuple[int, int]]:
    """The edges of a model of independent factors, each with all indicators."""
    return [(indicators + k, i) for k in range(1, factors + 1) for i in range(1, indicators + 1)]


def _begin(seen: int, hidden: int, edges: Sequence[tuple[int, int]], seed: int) -> str:
    return BEGIN.format(seed=seed, seen=seen, vertices=seen + hidden, edges=_listed(edges))


def _listed(edges: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{{{parent}, {child}}}" for parent, child in edges)


def _answer(script: str, seconds: float) -> int:
    text = run(script, seconds)
    found = re.search(r"^dimension (-?[0-9]+)$", text, re.MULTILINE)
    if found is None:
        raise Macaulay2Error(f"M2 printed no dimension: {text}")
    return int(found[1])
