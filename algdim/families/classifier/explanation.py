"""How the parameters of classifiers are counted by variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from algdim.families.classifier.map import ClassifierMap
from algdim.families.contract import Explaining, Share
from algdim.families.discrete.explanation import table_shares


def class_shares(cmap: ClassifierMap) -> Iterator[Share]:
    """The parameters of each table of a classifier, and whether the class occurs in it."""
    owners = set(cmap.relevant.owners)
    for share in table_shares(cmap.tables):
        occurs = share.owner in owners or share.owner == "ties"
        yield share if occurs else replace(share, what=f"{share.what}; without the class, it cancels")


EXPLAINING = Explaining(class_shares)
