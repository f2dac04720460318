"""What a family is: a folder with these records, each under its name in the module named here.

| module | name | says |
|---|---|---|
| ``model`` | ``RENAMING`` | what of a model is the same under other names |
| ``reading`` | ``NOTATION``, ``FILE`` | how its models are read from a line of text or a model file, and written |
| ``family`` | ``FAMILY`` | its map, what makes it ready for points, its reductions, its bounds in order |
| ``family`` | ``EXPLAINING`` | how parameters are counted and coordinates written out |
| ``domain`` | ``DOMAIN`` | which parameters are those of a distribution |
| ``identification`` | ``IDENTIFYING`` | what is known of identifiability beside ranks |
| ``likelihood`` | ``FITTING``, ``SAMPLING`` | how data are read and the maximisation prepared, how cases are drawn |
| ``equations`` | ``EQUATIONS`` | the equations that a model implies: of the model, the size of minors and the seed |
| ``certificate`` | ``CERTIFYING`` | how a model and its proofs are written for the checker |

The records hold functions without state; ``None`` stands for what most families do. The model itself is a frozen record
with the name of its family in ``family``; its map is a `algdim.maps.anymap.Map`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from algdim.bound.bounds import Bound
    from algdim.bound.counting import Complete
    from algdim.bound.strategy import Effort, Finding, Found
    from algdim.fitting.priors import Prior
    from algdim.fitting.samples import KnownStates
    from algdim.jacobian import Evaluator, Probed
    from algdim.maps.anymap import Map
    from algdim.report import RankAt
    from algdim.trust import Remark, Trust


class Notation(NamedTuple):
    """How models are read and printed: of the text, where its clauses begin, the family word and its argument; of a model."""

    read: Callable[[str, int, str, str], Any]
    text: Callable[[Any], str]


class ModelFile(NamedTuple):
    """How models are read from a dictionary and written to one."""

    read: Callable[[dict[str, Any]], Any]
    write: Callable[[Any], dict[str, Any]]


class Products(NamedTuple):
    """Functionals that factorise: whether they are worth it, and what makes a map ready for them, ``None`` without any."""

    pays: Callable[[Any], bool]
    unfolded: Callable[[Any], Probed | None]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a family, in the order in which they are tried.

    ``bounds`` are upper ones that only look at the map. ``searches`` come after a rank, from what ``setting`` makes of the map
    and the rank to be met (also by how much what they find is too large). ``without_rank`` is what makes the rank of the whole
    Jacobian unnecessary; ``whole`` tells the bound of the model from that of what its map shows of it.
    """

    bounds: Mapping[str, Callable[[Any], Bound | None]]
    searches: Mapping[str, Callable[[Any], Found]] = field(default_factory=dict)
    setting: Callable[[Any, int, int | str, tuple[int | str, ...]], tuple[Any, int]] | None = None
    without_rank: Callable[[Any, Effort, tuple[str, ...], Bound | None], Finding | None] | None = None
    whole: Callable[[Any, Bound], tuple[Bound, Bound | None]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is ranked on its own: its map (with the coordinates that are kept) and what is to be said of it."""

    pmap: Any
    note: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """What a dimension needs of a family.

    ``make_map`` makes the map of a model, as a part of a whole one; ``evaluator`` makes a map ready for points;
    ``multiplied_out`` gives the Jacobian as polynomials where the coordinates are quotients of such. ``without_irrelevant``
    removes hidden variables that cannot matter, which are those ``removed``, by the lemma ``removal``; ``simplified`` puts simpler locals into places
    where they are as good; ``split`` cuts a map into parts whose dimensions add up. ``point`` reads a parameter file,
    ``no_value`` says why the map may have no value there, ``rank_at`` takes the
    rank where the numbers of a file are not rational. ``pairwise`` is KZ02's dp, ``complete`` the dimension of the
    saturated model, ``order`` that of the moments taken, ``note`` what is to be said of the map,
    ``about`` why its rank and counts are those of the model, where its parameters are others than the model's;
    ``as_network`` gives the discrete network that has the same likelihood, ``graph`` what is drawn; ``can_hide`` says whether
    variables can be called hidden afterwards.
    """

    make_map: Callable[[Any, Any], Map]
    evaluator: Callable[[Any], Evaluator]
    bounds: Bounds
    multiplied_out: Callable[[Any], list[list[Any]]] | None = None
    products: Products | None = None
    without_irrelevant: Callable[[Any], tuple[Any, tuple[str, ...]]] | None = None
    removed: str = "without observed descendants"
    removal: str = ""
    simplified: Callable[[Any], tuple[Any, tuple[str, ...]]] | None = None
    split: Callable[[Any, Any, Any], Sequence[Part]] | None = None
    pairwise: Callable[[Any], int | None] | None = None
    point: Callable[[Any, Any, Any], list[Fraction]] | None = None
    no_value: str = "a denominator is zero"
    rank_at: Callable[[Any, Any, Any, int], RankAt | None] | None = None
    complete: Callable[[Any, int | str], Complete] | None = None
    order: Callable[[Any], int] | None = None
    as_network: Callable[[Any], Any] | None = None
    graph: Callable[[Any], Graph] | None = None
    can_hide: bool = True
    note: Callable[[Any], Remark] | None = None
    about: Callable[[Any], tuple[Trust, ...]] | None = None


Names: TypeAlias = Mapping[str, str]
Orders: TypeAlias = Mapping[str, Sequence[int]]
"""For each hidden variable whose states are renamed the new number of each state."""


def as_they_are(model: Any) -> Iterator[Orders]:
    """Yield the states of hidden variables as they are numbered."""
    del model
    yield {}


class Renaming(NamedTuple):
    """What of a model is the same under other names.

    ``form`` is the model without the names and orders that mean nothing, its hidden variables and their states renamed: models
    of equal forms are equal. ``looks`` tells what a variable looks like by itself, ``links`` labelled pairs of variables;
    ``orders`` are the orders of states to be tried. ``same`` decides by itself where no names are to be tried.
    """

    form: Callable[[Any, Names, Orders], Any]
    looks: Callable[[Any], Iterator[tuple[str, Any]]]
    links: Callable[[Any], Iterator[tuple[Any, str, str]]]
    orders: Callable[[Any], Iterator[Orders]] = as_they_are
    same: Callable[[Any, Any], bool] | None = None


@dataclass(frozen=True, slots=True)
class Domain:
    """Which parameters are those of a distribution.

    ``is_inside`` asks of a map and a point whether it is one, ``strictly`` all nearby ones too, far from others by a margin.
    ``not_negative`` are the numbers of the parameters that 0 is an end of the range of, ``covariances`` those that are drawn
    small, ``coefficients`` those whose zeros are special. ``alike`` groups parameters that are the same where conditions make no
    difference, and ``neutral`` ones are 1 there; ``states`` are the lengths of rows of probabilities, ``at_end`` says what is at
    an end where no parameter is 0.
    """

    is_inside: Callable[[Any, Sequence[Fraction], bool, Fraction], bool]
    not_negative: Callable[[Any], frozenset[int]]
    covariances: Callable[[Any], frozenset[int]] | None = None
    coefficients: Callable[[Any], frozenset[int]] | None = None
    alike: Callable[[Any], Iterator[NDArray[Any]]] | None = None
    neutral: Callable[[Any], Iterator[int]] | None = None
    states: Callable[[Any], Sequence[int]] | None = None
    at_end: str = ""


@dataclass(frozen=True, slots=True)
class Identifying:
    """What is known of identifiability beside ranks.

    ``unique`` says that parameters are unique up to the names of classes, where a theorem was ``looked_at``;
    ``independent_parts`` are maps without a common parameter, ``by_theorem`` and ``solutions`` count the points with the same
    coordinates. ``pieces`` or ``parts_of_kernel`` cut a map for the kernel of its Jacobian, which is taken over the rational
    functions if it ``has_polynomial_kernel``. ``beside`` is what other criteria say, ``units`` are those of latent variables,
    ``freedom`` the degrees of freedom where cells may be impossible; ``check_point`` refuses points with no verdicts.
    """

    unique: Callable[[Any, int | str], Any] | None = None
    looked_at: Callable[[Any], bool] | None = None
    independent_parts: Callable[[Any, Any], Sequence[Map]] | None = None
    by_theorem: Callable[[Any, Any, int | str], Any] | None = None
    solutions: Callable[[Any, int | str, int], Any] | None = None
    pieces: Callable[[Any], Any] | None = None
    parts_of_kernel: Callable[[Any, Any], Sequence[Map]] | None = None
    has_polynomial_kernel: bool = True
    beside: Callable[[Any, Any, Any], Iterator[Remark]] | None = None
    units: Callable[[Any, int, int | str, Any], Any] | None = None
    freedom: Callable[[Any, Any, Any], Any] | None = None
    check_point: Callable[[Any], None] | None = None


NOTHING_KNOWN = Identifying()


class Fitting(NamedTuple):
    """What reads data for a model and prepares the maximisation, by maximum likelihood from complete cases if no more is said.

    ``prepare`` takes the model, the data, the prior, whether entries may be missing, and the states of other data.
    """

    prepare: Callable[[Any, Any, Prior, bool, KnownStates | None], Any]
    has_priors: bool = False
    takes_missing: bool = False


class Sampling(NamedTuple):
    """What draws cases at given parameters with a seed, by the names of columns; whether some of these are states."""

    draw: Callable[[Any, Any, int, int | str], dict[str, NDArray[Any]]]
    has_states: bool = False


Item: TypeAlias = dict[str, Any]


class Certifying(NamedTuple):
    """How certificates of a family are written.

    ``describe`` writes a model; ``counts`` tells its parameters and the dimension of the saturated model, ``sides`` the evidence
    for both bounds, each given the model that the checker reads in the description too. The ``lemmas`` of a described model say
    that rank, counts and evidence are about its distributions; ``rests_on`` has those of kinds of evidence that are other than
    for networks; ``ordered`` puts a model into the order that the format has.
    """

    describe: Callable[[Any], Item]
    counts: Callable[[Any, Any], tuple[int, int | None]]
    sides: Callable[[Item, Any, Any, Effort], tuple[Item, Item]]
    lemmas: Callable[[Item], Sequence[str]]
    rests_on: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ordered: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How many parameters a variable, a shared table or a pair of variables brings in, those counted before left out."""

    owner: str
    count: int
    what: str

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        return {"of": self.owner, "count": self.count, "what": self.what}


@dataclass(frozen=True, slots=True)
class Explaining:
    """How maps are shown.

    ``shares`` counts the parameters by variable. Coordinates are written out as they arise, or ``in_lowest_terms``; quotients
    up to a size of ``most_bits`` (log₂ of numerator and denominator together, by ``log_size``), ``None`` for sums that are
    never multiplied out. ``terms`` are the terms of the first coordinates one by one, where each has a meaning.
    """

    shares: Callable[[Any], Iterator[Share]]
    in_lowest_terms: bool = False
    most_bits: int | None = None
    log_size: Callable[[Any], float] | None = None
    terms: Callable[[Any, int | None], tuple[Any, ...]] | None = None


Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A variable: what stands below its name, and whether it is observed."""

    name: str
    note: str
    observed: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn of a model: nodes, edges with arrows, edges without, arcs between correlated errors, frames."""

    nodes: tuple[Node, ...]
    edges: Pairs = ()
    lines: Pairs = ()
    arcs: Pairs = ()
    frames: tuple[tuple[str, ...], ...] = ()

    def is_above(self, one: str, other: str) -> bool:
        """Whether an arc is drawn above its ends, because edges leave them below."""
        return any(start in (one, other) for start, _ in self.edges)

    def neighbours(self) -> dict[str, set[str]]:
        """The nodes at the other ends of the edges at each node."""
        found: dict[str, set[str]] = {node.name: set() for node in self.nodes}
        for one, other in (*self.edges, *self.lines):
            found[one].add(other)
            found[other].add(one)
        return found
