"""Structures of embedded Bayesian network classifiers, and the steps of a search over them (HM97 §5).

Only factors with the class matter for p(y|x) (HM97 Equation 4): the table of the class given its parents, and those of its
children given the class and other inputs. So a structure is the parents of the class, and each child with its other parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from algdim.errors import InputError, join_names
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network, Variable, find_cycle
from algdim.models.anymodel import AnyModel
from algdim.selection.searches import MOST_INPUTS

MOST_ENTRIES = 1 << 12
"""Of one table."""

Inputs = frozenset[str]


@dataclass(frozen=True, slots=True)
class ClassStructure:
    """The factors that contain the class."""

    above: Inputs = frozenset()
    """The parents of the class."""
    below: frozenset[tuple[str, Inputs]] = frozenset()
    """Its children, each with its parents but the class."""

    @property
    def inputs(self) -> Inputs:
        """All that occur."""
        return self.above.union(*({child} | others for child, others in self.below))


def iterate_class_structures(here: ClassStructure, label: str, sizes: dict[str, int]) -> Iterator[ClassStructure]:
    """The structures one step away: an edge at the class more, less or turned, an edge into one of its children more or less."""
    for found in iterate_changes(here, [name for name in sizes if name != label]):
        tables = [found.above, *(others | {child} for child, others in found.below)]
        fits = all(sizes[label] * prod(sizes[one] for one in table) <= MOST_ENTRIES for table in tables)
        if fits and len(found.inputs) <= MOST_INPUTS and not find_cycle(list_parents(found)):
            yield found


def iterate_changes(here: ClassStructure, names: Sequence[str]) -> Iterator[ClassStructure]:
    """All steps, some of them with a cycle or too large."""
    below = dict(here.below)
    for name in names:
        if name in below:
            rest = here.below - {(name, below[name])}
            yield replace(here, below=rest)
            yield ClassStructure(here.above | {name}, rest)
            for other in names:
                if other != name:
                    yield replace(here, below=rest | {(name, below[name] ^ {other})})
        elif name in here.above:
            yield replace(here, above=here.above - {name})
            yield ClassStructure(here.above - {name}, here.below | {(name, frozenset())})
        else:
            yield replace(here, below=here.below | {(name, frozenset())})
            yield replace(here, above=here.above | {name})


def list_parents(structure: ClassStructure) -> dict[str, list[str]]:
    """The parents of each child among the inputs; those of other inputs cancel."""
    parents: dict[str, list[str]] = {name: [] for name in sorted(structure.inputs)}
    return {**parents, **{child: sorted(others) for child, others in structure.below}}


def build_classifier(structure: ClassStructure, label: str, items: dict[str, Variable]) -> AnyModel:
    """The classifier of a structure; without inputs the class alone."""
    if label not in items or len(items) < 2:
        raise InputError(
            f"the class {label!r}: a named column of the data is expected, and at least one more; there are {join_names(items)}"
        )
    if not structure.inputs:
        return Network((items[label],))
    below = dict(structure.below)
    inputs = tuple(
        replace(items[name], parents=(label, *sorted(below[name]))) if name in below else items[name]
        for name in items
        if name in structure.inputs
    )
    return Classifier(Network((replace(items[label], parents=tuple(sorted(structure.above))), *inputs)), label)
