"""How the parameters of additive models are counted by cause and mechanism."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from algdim.families.additive.map import AdditiveMap
from algdim.families.contract import Explaining, Share


def summand_shares(pmap: AdditiveMap) -> Iterator[Share]:
    """The parameters of each cause, hidden variable inside a mechanism, and mechanism variable."""
    owners = Counter(re.split(r"[(|=)]", parameter)[1] for parameter in pmap.parameters)
    for owner, count in owners.items():
        yield Share(owner, count, "")


EXPLAINING = Explaining(summand_shares)
