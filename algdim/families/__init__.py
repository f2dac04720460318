"""The families of models: a folder each, imported when a model of the family is met.

What is true of one family stands in its folder; `contract` says what the folder has to offer. To add a family, write its
folder and enter it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from algdim.errors import InputError, join_names

if TYPE_CHECKING:
    from fractions import Fraction

    from algdim.families.contract import (
        Certifying,
        Comparing,
        Constraining,
        Curve,
        Decomposing,
        Domain,
        Explaining,
        Family,
        Fitting,
        Identifying,
        ModelFile,
        Notation,
        Renaming,
        Sampling,
        Scoring,
        Verifying,
    )


class FamilyEntry(NamedTuple):
    """A folder: the families that it holds, their words in the notation with the argument of each, and the names of bounds.

    The word of a family is its name, where no others are given. ``clauses`` are words that begin a clause and that no variable
    can be called, whatever the family, beside those that all families have and those that name a local.
    """

    folder: str
    families: tuple[str, ...]
    bounds: tuple[str, ...]
    words: Mapping[str, str]
    clauses: tuple[str, ...] = ()


def make_entry(
    folder: str, *families: str, bounds: tuple[str, ...] = (), clauses: tuple[str, ...] = (), **arguments: str
) -> FamilyEntry:
    """An entry whose families are words without an argument; ``arguments`` are those of others, ``_`` for a hyphen."""
    words = {word.replace("_", "-"): argument for word, argument in arguments.items()}
    return FamilyEntry(folder, families, bounds, {**dict.fromkeys(families, ""), **words}, clauses)


ENTRIES = (
    make_entry(
        "discrete",
        "discrete",
        bounds=(
            *("counting", "ambient", "mechanisms", "pairwise", "equal-cells", "class-tables", "containing"),
            *(
                "equal-states",
                "common-tables",
                "flattenings",
                "koszul",
                "grids",
                "binary-items",
                "symmetric-items",
                "double-points",
                "nested",
                "symmetry",
                "settimi-smith",
                "defective",
                "determinants",
                "margins",
                "differences",
                "parts",
                "fewer-states",
                "supermodels",
                "normal-form",
                "surroundings",
                "symbolic",
                "span",
            ),
        ),
        clauses=("share", "fix", "equal", "leak", "given"),
        **dict.fromkeys(("sigmoid", "noisy_or", "noisy_max", "max", "sum", "parity"), ""),
        at_least="N",
        phylo="MODEL",
        dynamic="SLICES",
        hmm="",
        diagnosis="MODEL",
    ),
    make_entry(
        "gaussian", "gaussian", bounds=("minors", "half-trek"), clauses=("fix", "equal", "means", "given", "share")
    ),
    make_entry("latentprofile", "latent-profile"),
    make_entry("conditionalgaussian", "conditional-gaussian", bounds=("units",)),
    make_entry(
        "additive",
        *("poisson", "normal", "max-poisson", "max-normal", "at-least-poisson", "at-least-normal"),
        bounds=("shifts",),
        at_least_poisson="N",
        at_least_normal="N",
    ),
    FamilyEntry("classifier", ("classifier",), ("linear-map",), {"classifier": "NAME"}),
    make_entry("loglinear", "loglinear", bounds=("one-interaction",)),
    make_entry("polynomial", "polynomial", normal_classifier="NAME"),
)
"""The families that are available."""

DEFAULT = "discrete"
"""The family of what does not name one."""

FOLDERS: Mapping[str, str] = {name: one.folder for one in ENTRIES for name in one.families}
"""The folder of each family."""

WORDS: Mapping[str, str] = {word: one.folder for one in ENTRIES for word in one.words}
"""The folder that reads what follows a word of the notation."""

ARGUMENTS: Mapping[str, str] = {word: argument for one in ENTRIES for word, argument in one.words.items()}
"""The argument that each word of the notation takes."""


def is_available(name: object) -> bool:
    """Whether there is such a family."""
    return isinstance(name, str) and name in FOLDERS


FRONT = "__init__"


@cache
def load(folder: str, module: str) -> Any:
    """A module of a folder, or the folder itself."""
    if module == FRONT:
        return import_module(f"algdim.families.{folder}")
    return import_module(f"algdim.families.{folder}.{module}")


def load_record(folder: str, module: str, name: str) -> Any:
    """What every family has, in a module of its folder under a name; an error that says which file lacks it."""
    try:
        found = getattr(load(folder, module), name, None)
    except ModuleNotFoundError as error:
        place = f"algdim.families.{folder}"
        if error.name not in (place, f"{place}.{module}"):
            raise  # something else is missing
        file = f"{module}.py" if error.name != place else f"{FRONT}.py"
        raise ImportError(
            f"algdim/families/{folder}/{file} is missing; every family has one, as algdim/families/contract.py says"
        ) from None
    if found is None:
        raise ImportError(
            f"algdim/families/{folder}/{module}.py has no {name}; algdim/families/contract.py says what it is"
        )
    return found


def load_on_demand(folder: str, module: str, name: str) -> Callable[..., Any]:
    """A function of a module of a folder, which is imported when it is called."""

    def call(*arguments: Any) -> Any:
        return getattr(load(folder, module), name)(*arguments)

    return call


MODULES: Mapping[str, str] = {
    "certifying": "certificate",
    "constraining": "constraints",
    "decomposing": "decomposition",
    "verifying": FRONT,
    "identifying": "identification",
    "fitting": "likelihood",
    "sampling": "likelihood",
    "comparing": "comparison",
    "scoring": "scores",
}
"""The module of a folder for what a family may lack."""


def find_capability(name: str, what: str) -> Any:
    """What a family may lack; ``None`` where it does.

    >>> find_capability("polynomial", "sampling") is None
    True
    """
    folder, module = FOLDERS[name], MODULES.get(what, what)
    if find_spec(f"algdim.families.{folder}.{module}") is None:
        module = "family"  # a record of some lines stands there
    return getattr(load(folder, module), what.upper(), None)


def describe_lack(name: str, done: str, what: str, *, by_network: bool = False) -> str:
    """The sentence that refuses what a family lacks, and that others have, maybe ``by_network``, which has the same likelihood.

    >>> describe_lack("polynomial", "simulated", "sampling")
    'models of the family polynomial are not simulated; those of discrete, gaussian, latent-profile, conditional-gaussian, poisson, normal, max-poisson, max-normal, at-least-poisson, at-least-normal, loglinear are'
    """
    networks = [one for one in FOLDERS if by_network and load_family(one).convert_to_network is not None]
    able = [one for one in FOLDERS if one in networks or find_capability(one, what) is not None]
    return f"models of the family {name} are not {done}; those of {join_names(able)} are"


def load_family(name: str) -> Family:
    """What a dimension needs of a family.

    >>> load_family("discrete").no_value
    "an entry of a classifier's table is 0, and derivatives divide by it"
    """
    found: Family = load_record(FOLDERS[name], "family", "FAMILY")
    return found


def load_notation(folder: str) -> Notation:
    """How the models of a folder are read from the notation and printed."""
    found: Notation = load_record(folder, "reading", "NOTATION")
    return found


def load_model_file(name: str) -> ModelFile:
    """How the models of a family are read from a dictionary and written to one."""
    found: ModelFile = load_record(FOLDERS[name], "reading", "FILE")
    return found


def find_certifying(name: str) -> Certifying | None:
    """How certificates of the family are written; ``None`` where there are none."""
    found: Certifying | None = find_capability(name, "certifying")
    return found


def find_verifying(name: str) -> Verifying | None:
    """What certificates of the family rest on; ``None`` where there are none."""
    found: Verifying | None = find_capability(name, "verifying")
    return found


def load_explaining(name: str) -> Explaining:
    """How the maps and models of a family are shown."""
    found: Explaining = load_record(FOLDERS[name], "family", "EXPLAINING")
    return found


def load_renaming(name: str) -> Renaming:
    """What of a model of the family is the same under other names."""
    found: Renaming = load_record(FOLDERS[name], "model", "RENAMING")
    return found


def find_fitting(name: str) -> Fitting | None:
    """How data are read for a model of the family; ``None`` where it has no likelihood here."""
    found: Fitting | None = find_capability(name, "fitting")
    return found


def find_sampling(name: str) -> Sampling | None:
    """How cases of a model of the family are drawn; ``None`` where they are not."""
    found: Sampling | None = find_capability(name, "sampling")
    return found


def load_identifying(name: str) -> Identifying:
    """What is known of the identifiability of the family beside ranks."""
    from algdim.families.contract import NOTHING_KNOWN

    found: Identifying | None = find_capability(name, "identifying")
    return found or NOTHING_KNOWN


def load_domain(name: str) -> Domain:
    """Which parameters are those of a distribution of the family; all of them where it does not say."""
    from algdim.families.contract import ANY_PARAMETERS

    found: Domain | None = find_capability(name, "domain")
    return found or ANY_PARAMETERS


def load_comparing(name: str) -> Comparing:
    """How models of the family are compared with others; refused where they are not."""
    found: Comparing | None = find_capability(name, "comparing")
    if found is None:
        raise InputError(describe_lack(name, "compared", "comparing"))
    return found


def find_constraining(name: str) -> Constraining | None:
    """What lists the equations that a model implies; ``None`` where nothing does."""
    found: Constraining | None = find_capability(name, "constraining")
    return found


def find_curves(name: str) -> Callable[[Any, Sequence[Fraction]], Iterator[tuple[str, Curve]]] | None:
    """What finds curves through a point along which no coordinate changes; ``None`` where only straight lines are known."""
    found: Callable[[Any, Sequence[Fraction]], Iterator[tuple[str, Curve]]] | None = find_capability(name, "curves")
    return found


def find_decomposing(name: str) -> Decomposing | None:
    """What takes a model of the family apart; ``None`` where there is no rule for that."""
    found: Decomposing | None = find_capability(name, "decomposing")
    return found


def load_scoring(name: str) -> Scoring:
    """What scores need of the family beside likelihood and dimension."""
    from algdim.families.contract import NOT_SCORED

    found: Scoring | None = find_capability(name, "scoring")
    return found or NOT_SCORED
