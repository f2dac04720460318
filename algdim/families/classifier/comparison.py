"""How classifiers are compared: as networks that are conditioned on all inputs."""

from __future__ import annotations

from algdim.families.classifier.model import Classifier
from algdim.families.contract import Comparing
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.model import Network, Variable


def conditional_network(model: Classifier) -> Network:
    """The network over the class given the inputs that a classifier stands for (HM97 §2)."""
    label = next(variable for variable in model.variables if variable.name == model.label)
    if not model.inputs:
        return Network((label,))
    states = model.states
    roots = (Variable(name, states[name]) for name in model.inputs)
    own = Variable(model.label, model.classes, parents=model.inputs, local=Embedded(model))
    return Network((*roots, own), model.inputs)


COMPARING = Comparing(
    coordinates=lambda model: ("conditional table",),  # noqa: ARG005
    brought=lambda model, kind: conditional_network(model),  # noqa: ARG005
)
