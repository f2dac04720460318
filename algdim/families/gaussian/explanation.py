"""How the parameters of Gaussian models are counted by variable, and their map is written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from algdim.families.contract import Explaining, Share
from algdim.families.gaussian.map import GaussianMap, log_size_of_quotients
from algdim.families.gaussian.model import KINDS
from algdim.families.gaussian.treksums import trek_terms
from algdim.figures import counted


def entry_shares(gmap: GaussianMap) -> Iterator[Share]:
    """The entries of each variable of a Gaussian model, and of each pair with an error covariance."""
    kinds: dict[str, Counter[str]] = {variable.name: Counter() for variable in gmap.model.variables}
    seen: set[int] = set()
    for entry, number in gmap.number_of.items():
        if number in seen:
            continue  # equal to one before
        seen.add(number)
        owner = " <-> ".join(entry[1:]) if entry[0] == "c" else entry[-1]
        kinds.setdefault(owner, Counter())[KINDS[entry[0]]] += 1
    for owner, count in kinds.items():
        yield Share(owner, count.total(), ", ".join(counted(times, kind) for kind, times in count.items()))


EXPLAINING = Explaining(
    entry_shares, in_lowest_terms=True, most_bits=24, log_size=log_size_of_quotients, terms=trek_terms
)
