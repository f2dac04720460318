"""Latent class models whose dimension is below KZ02's db: the known families.

Abo, Ottaviani, Peterson, "Induction for secant varieties of Segre varieties", Trans. Amer. Math. Soc. 361 (2009)
767-792, arXiv:math/0607191, list the Segre products of projective spaces whose varieties of k-secants are known to have
a smaller dimension than expected, and prove the list to be complete for k ≤ 6. Of these, the unbalanced ones are what
the pairwise bound sees. The others are, in numbers of states and classes, 2, 2, m, m with 2m − 1, m ≥ 2; 3, m, m with
(3m − 1)/2, m ≥ 3 odd; and 3, 4, 4 with 5. In each case they say that the dimension is one below db; lemma "defective"
proves that it is not greater, and no more is claimed here. The order of the items does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.families.discrete.bounds.theorems import free_latent_class
from algdim.families.discrete.model import Network
from algdim.figures import big
from algdim.trust import Trust, proved_by

KIND = "defective"
CITATION = "Abo, Ottaviani, Peterson 2009"


@dataclass(frozen=True, slots=True)
class Defective:
    """A member of a family: its name in numbers of states, and what its dimension is at most."""

    family: str
    classes: int
    items: tuple[int, ...]
    at_most: int

    def __str__(self) -> str:
        """The bound for people."""
        return f"the dimension is at most {big(self.at_most)} ({self.family}; {CITATION})"

    @property
    def why(self) -> str:
        """What the bound rests on."""
        return f"{self.family} ({CITATION})"

    @property
    def trust(self) -> Trust:
        """Trust in the bound."""
        return proved_by("defective", f"{self.family}, free tables: at most {self.at_most}")

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report; ``dimension`` is the number in the cited paper, ``at_most`` what is proved."""
        paper = {"family": self.family, "dimension": self.at_most, "theorem": "arXiv:math/0607191"}
        return {**paper, "at_most": self.at_most, **self.trust.to_dict()}


def defective(classes: int, items: tuple[int, ...]) -> Defective | None:
    """The family to which a latent class model with free tables belongs, ``None`` for all others.

    >>> str(defective(4, (3, 3, 3)))
    'the dimension is at most 25 (3,m,m with (3m − 1)/2 classes, m = 3; Abo, Ottaviani, Peterson 2009)'
    >>> defective(4, (3, 3, 4))
    """
    sizes = tuple(sorted(items))
    if len(sizes) == 4 and sizes[:2] == (2, 2) and sizes[2] == sizes[3] and classes == 2 * sizes[2] - 1:
        m = sizes[2]
        return Defective(f"2,2,m,m with 2m − 1 classes, m = {m}", classes, items, 4 * m * m - 3)
    if len(sizes) == 3 and classes == 5 and sizes == (3, 4, 4):
        return Defective("3,4,4 with 5 classes", classes, items, 43)
    if len(sizes) == 3 and sizes[0] == 3 and sizes[1] == sizes[2]:
        m = sizes[1]
        if m % 2 and 2 * classes == 3 * m - 1:
            return Defective(f"3,m,m with (3m − 1)/2 classes, m = {m}", classes, items, 3 * m * m - 2)
    return None


def defective_upper(model: Network) -> Bound | None:
    """The upper bound of a member of the families, with free tables; ``None`` for other models.

    >>> from algdim.models.notation import parse
    >>> defective_upper(parse("99:50,50,2,2")).value
    9997
    """
    shape = free_latent_class(model)
    found = None if shape is None else defective(*shape)
    if found is None:
        return None
    evidence = {"theorem": "arXiv:math/0607191", "classes": found.classes, "items": list(found.items)}
    return proved_bound(found.at_most, UPPER, KIND, found.why, "defective", evidence=evidence)
