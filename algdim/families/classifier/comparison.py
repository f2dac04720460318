"""How classifiers are compared: as networks that are conditioned on all inputs."""

from __future__ import annotations

from algdim.families.classifier.family import as_network
from algdim.families.contract import Comparing

COMPARING = Comparing(
    coordinates=lambda model: ("conditional table",),  # noqa: ARG005
    brought=lambda model, kind: as_network(model),  # noqa: ARG005
)
