"""What identifies the parameters of classifiers: the tables that contain the class."""

from __future__ import annotations

from typing import cast

from algdim.analysis import Prepared
from algdim.families.classifier.map import ClassifierMap
from algdim.families.contract import Identifying
from algdim.figures import counted
from algdim.identifiability.kernels import Piece, Pieces
from algdim.trust import proved_by


def occurring_pieces(prepared: Prepared) -> Pieces:
    """The tables that contain the class; on the others nothing observed depends."""
    cmap = cast("ClassifierMap", prepared.whole_map)
    everything = frozenset(range(len(cmap.parameters)))
    occurring = frozenset[int]().union(*cmap.occurring)
    loops = everything - occurring
    facts = f"{counted(len(loops), 'parameter')} in no table that contains the class"
    why = (proved_by("classifier", facts),) if loops else ()
    return Pieces((Piece(cmap, tuple(sorted(occurring))),), loops, why, ())


IDENTIFYING = Identifying(pieces=occurring_pieces, has_polynomial_kernel=False)
