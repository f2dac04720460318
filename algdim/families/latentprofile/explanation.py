"""How the parameters of latent-profile models are counted by item."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from algdim.families.contract import Explaining, Share
from algdim.families.latentprofile.map import MomentMap
from algdim.figures import counted


def moment_shares(pmap: MomentMap) -> Iterator[Share]:
    """The weights of the classes, and the parameters of each item or pair of items."""
    words = {"m": "mean", "v": "variance", "c": "covariance", "P": "probability"}
    kinds: dict[str, Counter[str]] = {variable.name: Counter() for variable in pmap.model.variables}
    for parameter in pmap.parameters:
        match = re.match(r"(\w)\(([^|=)]*)", parameter)
        if match:  # every name has this form
            kinds.setdefault(match[2].replace("<->", " <-> "), Counter())[words[match[1]]] += 1
    for owner, count in kinds.items():
        yield Share(owner, count.total(), ", ".join(counted(times, kind) for kind, times in count.items()))


EXPLAINING = Explaining(moment_shares)
