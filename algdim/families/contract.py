"""What a family is: a folder with these records, each under its name in the module named here.

| module | name | says |
|---|---|---|
| ``model`` | ``RENAMING`` | what of a model is the same under other names |
| ``reading`` | ``NOTATION`` | its grammar: how models are read from a line of text, and printed |
| ``reading`` | ``FILE`` | its schema: how models are read from a dictionary, as model files have it, and written |
| ``family`` | ``FAMILY`` | its map, what makes it ready for points, its reductions, its bounds in order |
| ``family`` | ``EXPLAINING`` | how parameters are counted and coordinates written out |
| ``domain`` | ``DOMAIN`` | which parameters are those of a distribution, all if it is missing |
| ``identification`` | ``IDENTIFYING`` | what is known of identifiability beside ranks |
| ``likelihood`` | ``FITTING``, ``SAMPLING`` | how data are read and the maximisation prepared, how cases are drawn |
| ``comparison`` | ``COMPARING`` | how models are brought to the same coordinates, and nested in others or not |
| ``equations`` | ``EQUATIONS`` | the equations that a model implies |
| ``curves`` | ``CURVES`` | curves through a point along which no coordinate changes, in words and as functions: of the map and the point |
| ``decomposition`` | ``DECOMPOSITION`` | a model taken apart step by step, by the rule that its family has |
| ``scores`` | ``SCORING`` | what scores need beside likelihood and dimension |
| ``certificate`` | ``CERTIFYING`` | how a model and its proofs are written for the checker |
| ``__init__`` | ``VERIFYING`` | what accepted certificates rest on; nothing of the engine is imported for it |

The first three modules are there in every family, the others where there is something to say; a record of some lines may stand in
``family`` in place of a module of its own. The records hold functions
without state; ``None`` means that the family needs nothing special here. The model itself is a frozen record with the name of
its family in ``family``; its map is a `algdim.maps.Map`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from algdim.trust import Remark

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from algdim.analysis import Analysis, Prepared
    from algdim.bound.bounds import Bound
    from algdim.bound.counting import Complete
    from algdim.bound.strategy import Effort, Finding, Found
    from algdim.explanation.constraints import Constraint, Constraints
    from algdim.explanation.evaluated import Evaluated
    from algdim.explanation.evidence import Embedding, Refutation
    from algdim.fitting.maximization import Prior
    from algdim.fitting.samples import KnownStates
    from algdim.identifiability.kernels import Pieces
    from algdim.jacobian import Evaluator, Probed
    from algdim.maps import Map
    from algdim.report import RankAt, Reason, Report
    from algdim.trust import Trust


class Notation(NamedTuple):
    """The grammar: how models are read and printed; of the text, where its clauses begin, the family word and its argument.

    Families whose texts are clauses have a `algdim.models.clauses.Dialect`: the clauses that they have, and a record of what these say.
    A reader looks at the form of a text; whether what it says is a model the record of the model decides.
    """

    read: Callable[[str, int, str, str], Any]
    text: Callable[[Any], str]


class ModelFile(NamedTuple):
    """The schema: how models are read from a dictionary and written to one; the same holds of what decides."""

    read: Callable[[dict[str, Any]], Any]
    write: Callable[[Any], dict[str, Any]]


class Arrows(NamedTuple):
    """A model as a graph: the numbers of states, if variables have any, and the pairs with correlated errors.

    ``more`` says what there is to the model beside its graph, and which formats have that; nothing if it is the graph.
    """

    states: Mapping[str, int]
    correlated: Sequence[tuple[str, str]]
    more: str = ""


class Products(NamedTuple):
    """Functionals that factorise: whether they are worth it, and what makes a map ready for them, ``None`` without any."""

    pays: Callable[[Any], bool]
    unfolded: Callable[[Any], Probed | None]


class Bounds(NamedTuple):
    """The bounds of a family, in the order in which they are tried.

    ``bounds`` are upper ones that only look at the map. ``searches`` come after a rank, from what ``setting`` makes of the map
    and the rank to be met; where that is about another map, ``of_map`` makes of what they find a bound of the map. ``without_rank``
    is what makes the rank of the whole Jacobian unnecessary; ``whole`` tells the bound of the model from that of what its map
    shows of it.
    """

    bounds: Mapping[str, Callable[[Any], Bound | None]]
    searches: Mapping[str, Callable[[Any], Found]] = MappingProxyType({})
    setting: Callable[[Any, int, int | str, tuple[int | str, ...]], Any] = lambda pmap, *_: pmap
    of_map: Callable[[Bound, Any, Any], Bound] = lambda bound, setting, pmap: bound  # noqa: ARG005
    without_rank: Callable[[Any, Effort, tuple[str, ...], Bound | None], Finding | None] | None = None
    whole: Callable[[Any, Bound], tuple[Bound, Bound | None]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is ranked on its own: its map (with the coordinates that are kept) and what is to be said of it."""

    pmap: Any
    note: str = ""


class Family(NamedTuple):
    """What a dimension needs of a family."""

    make_map: Callable[[Any, Any], Map]
    """The map of a model, as a part of a whole one."""
    evaluator: Callable[[Any], Evaluator]
    """A map made ready for points."""
    bounds: Bounds
    multiplied_out: Callable[[Any], list[list[Any]]] | None = None
    """The Jacobian as polynomials, where the coordinates are quotients of such."""
    products: Products | None = None
    without_irrelevant: Callable[[Any], tuple[Any, tuple[str, ...]]] | None = None
    """The model without hidden variables that cannot matter, and their names."""
    removed: str = "without observed descendants"
    """Which hidden variables cannot matter, in words."""
    removal: str = ""
    """The lemma that says so."""
    simplified: Callable[[Any], tuple[Any, Remark | None]] | None = None
    """The model with simpler locals where they are as good, and which these are and why, ``None`` where nothing is simpler."""
    split: Callable[[Any, Any, Any], Sequence[Part]] = lambda model, pmap, whole: ()  # noqa: ARG005 (no parts)
    """Parts of a map whose dimensions add up."""
    entries_text: Callable[[Sequence[Any]], str] | None = None
    """What the parameters of parts are that need no rank, in words; of their models."""
    pairwise: Callable[[Any], int | None] = lambda pmap: None  # noqa: ARG005 (none is known)
    """KZ02's dp."""
    point: Callable[[Any, Any, Any], list[Fraction]] | None = None
    """The parameters in a parameter file."""
    no_value: str = "a denominator is zero"
    """Why the map may have no value there."""
    rank_at: Callable[[Any, Any, Any, int], RankAt | None] | None = None
    """The rank where the numbers of a parameter file are not rational."""
    of_distributions: Callable[[Any], Trust] | None = None
    """Why a rank of the coordinates is one of the distributions, where these are seen through moments or cumulants."""
    complete: Callable[[Any, int | str], Complete] | None = None
    """The dimension of the saturated model."""
    order: Callable[[Any], int] = lambda pmap: 0  # noqa: ARG005 (no moments are taken)
    """The order of the moments that are taken."""
    as_network: Callable[[Any], Any] | None = None
    """The discrete network that has the same likelihood."""
    graph: Callable[[Any], Graph] | None = None
    """What is drawn."""
    arrows: Callable[[Any], Arrows] | None = None
    """A model as a graph, and what it is more than that."""
    can_hide: bool = True
    """Whether variables can be called hidden afterwards."""
    note: Callable[[Any], Remark] = lambda pmap: Remark()  # noqa: ARG005 (nothing)
    """What is to be said of the map."""
    about: Callable[[Any], tuple[Trust, ...]] | None = None
    """Why rank and counts of the map are those of the model, where its parameters are others than the model's."""


class Constraining(NamedTuple):
    """The equations that models imply.

    ``listed`` lists those of a model, given the size of minors and the seed; ``titles`` are what their kinds are called, in the
    order in which they are printed. ``evaluated`` writes one out: of the map, the equation, the coordinates at a point, and
    other numbers.
    """

    listed: Callable[[Any, int, int | str], Constraints]
    titles: Mapping[str, str]
    evaluated: Callable[[Any, Constraint, Sequence[Fraction], Sequence[Fraction]], Iterator[Evaluated]]


Curve: TypeAlias = "Callable[[Fraction], Sequence[Fraction] | None]"
"""The points of a curve by their distance; ``None`` where there is none."""

Names: TypeAlias = Mapping[str, str]
Orders: TypeAlias = Mapping[str, Sequence[int]]
"""For each hidden variable whose states are renamed the new number of each state."""


def iterate_unchanged_orders(model: Any) -> Iterator[Orders]:
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
    orders: Callable[[Any], Iterator[Orders]] = iterate_unchanged_orders
    same: Callable[[Any, Any], bool] | None = None


class Domain(NamedTuple):
    """Which parameters are those of a distribution.

    ``is_inside`` asks of a map and a point whether it is one, ``strictly`` all nearby ones too, far from others by a margin.
    ``not_negative`` are the numbers of the parameters that 0 is an end of the range of, ``covariances`` those that are drawn
    small, ``coefficients`` those whose zeros are special. ``alike`` groups parameters that are the same where all rows of a
    table are alike, and ``neutral`` ones are 1 there; ``states`` are the lengths of rows of probabilities, ``at_end`` says what is at
    an end where no parameter is 0. ``keeps_signs`` says that other parameters with the same distribution are shown only where all
    signs are the same.
    """

    is_inside: Callable[[Any, Sequence[Fraction], bool, Fraction], bool]
    not_negative: Callable[[Any], frozenset[int]]
    covariances: Callable[[Any], frozenset[int]] | None = None
    coefficients: Callable[[Any], frozenset[int]] | None = None
    alike: Callable[[Any], Iterator[NDArray[Any]]] | None = None
    neutral: Callable[[Any], Iterator[int]] | None = None
    states: Callable[[Any], Sequence[int]] | None = None
    at_end: str = ""
    keeps_signs: bool = True


ANY_PARAMETERS = Domain(lambda pmap, point, strictly, margin: True, lambda pmap: frozenset())  # noqa: ARG005


class Identifying(NamedTuple):
    """What is known of identifiability beside ranks.

    ``unique`` says that parameters are unique up to the names of classes, where a theorem was ``looked_at``;
    ``independent_parts`` are maps without a common parameter, ``by_theorem`` and ``solutions`` count the points with the same
    coordinates. ``pieces`` are the parts among which the kernel of the Jacobian is a direct sum, and it is taken over the rational
    functions if it ``has_polynomial_kernel``. ``beside`` is what other criteria say, ``units`` are those of latent variables,
    ``freedom`` the degrees of freedom where cells may be impossible; ``check_point`` raises where verdicts at given parameters are
    not available.
    """

    unique: Callable[[Any, int | str], Any] | None = None
    looked_at: Callable[[Any], bool] | None = None
    independent_parts: Callable[[Prepared], Sequence[Map]] | None = None
    by_theorem: Callable[[Any, Any, int | str], Any] | None = None
    solutions: Callable[[Any, int | str, int], Any] | None = None
    pieces: Callable[[Prepared], Pieces] | None = None
    has_polynomial_kernel: bool = True
    beside: Callable[[Any, Any, Any], Iterator[Remark]] | None = None
    units: Callable[[Any, int, int | str, Any], Any] | None = None
    freedom: Callable[[Any, Any, Any], Any] | None = None
    check_point: Callable[[Any], None] | None = None


NOTHING_KNOWN = Identifying()


class Scoring(NamedTuple):
    """What scores need: the chain of models below one, CS, which priors are taken and why not others, and the agreement with data.

    ``is_network`` says that a model is a discrete network, whose tables data fill.
    """

    chain: Callable[[Any], Any] | None = None
    completed: Callable[[Any], float] | None = None
    takes_prior: Callable[[Prior], bool] | None = None
    why_no_prior: str = ""
    goodness: Callable[[Any], Any] | None = None
    is_network: bool = False


NOT_SCORED = Scoring()


class Fitting(NamedTuple):
    """What reads data for a model and prepares the maximisation, by maximum likelihood from complete cases if no more is said.

    ``prepare`` takes the model, the data, the prior, whether missing values are allowed, and the states of other data.
    """

    prepare: Callable[[Any, Any, Prior, bool, KnownStates | None], Any]
    has_priors: bool = False
    takes_missing: bool = False


class Sampling(NamedTuple):
    """What draws cases at given parameters with a seed, by the names of columns; whether some of these are states."""

    draw: Callable[[Any, Any, int, int | str], dict[str, NDArray[Any]]]
    has_states: bool = False


class TakenApart(Protocol):
    """A model taken apart."""

    @property
    def derivation(self) -> Reason:
        """The steps as a tree."""

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""


class Decomposing(NamedTuple):
    """What takes a model apart step by step; and the same with its inputs in an order, at parameters, each ``None`` if not given."""

    take_apart: Callable[[Any, Effort], TakenApart]
    take_apart_in_order: Callable[[Any, Effort, Sequence[str] | None, Any], TakenApart] | None = None


Item: TypeAlias = dict[str, Any]


class Certifying(NamedTuple):
    """How certificates of a family are written.

    ``describe`` writes a model that was made ready; ``counts`` tells its parameters and the dimension of the saturated model, given
    the model that the checker reads in the description too. ``sides`` writes the evidence for both bounds, of the description, the
    model that the checker reads in it, and the analysis. ``ordered`` puts a model into the order that the format has, whose ranks
    are by a ``method``.
    """

    describe: Callable[[Prepared], Item]
    counts: Callable[[Prepared, Any], tuple[int, int | None]]
    sides: Callable[[Item, Any, Analysis], tuple[Item, Item]]
    ordered: Callable[[Any], Any] = lambda model: model
    method: str = "auto"


class Verifying(NamedTuple):
    """What accepted certificates of a family rest on, beside what all do.

    The ``lemmas`` of a described model say that rank, counts and evidence are about its distributions; ``rests_on`` has those of
    kinds of evidence that are other than for networks.
    """

    lemmas: Callable[[Item], Sequence[str]]
    rests_on: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Share:
    """How many parameters a variable, a shared table or a pair of variables brings in, those counted before left out."""

    owner: str
    count: int
    what: str

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        return {"of": self.owner, "count": self.count, "what": self.what}


CELL, LOG_ODDS, COVARIANCE, MEAN, MOMENT, CUMULANT, BY_NAME = "P", "λ", "cov", "mean", "E", "κ", ""
"""Kinds of coordinates; behind that of cumulants stands their order, and a name of the user's is all there is of the last one."""


class CoordinateRecord(NamedTuple):
    """What a coordinate is: of a kind, of variables, some of them in states, given others in states. Its text is made from that.

    ``powers`` are those of the variables, of a moment.

    >>> print(
    ...     CoordinateRecord(CELL, states=(("X", 0), ("Y", 1)), given=(("A", 0),)),
    ...     CoordinateRecord(COVARIANCE, ("X", "Y")),
    ... )
    P(X=0,Y=1|A=0) cov(X,Y)
    >>> print(CoordinateRecord(MOMENT, ("X", "Y"), (("C", 0),), powers=(2, 1)))
    E(X^2·Y·1(C=0))
    """

    kind: str
    of: tuple[str, ...] = ()
    states: tuple[tuple[str, int], ...] = ()
    given: tuple[tuple[str, int], ...] = ()
    powers: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The text, as output and JSON have it."""
        kind, of, states, given, powers = self
        if kind == BY_NAME:
            return of[0]
        inside = [f"{name}={state}" for name, state in states]
        if kind == MOMENT:
            factors = [name if power == 1 else f"{name}^{power}" for name, power in zip(of, powers, strict=True)]
            return f"{kind}({'·'.join([*factors, f'1({chr(44).join(inside)})'] if inside else factors)})"
        bar = f"|{','.join([f'{name}={state}' for name, state in given])}" if given else ""
        return f"{kind}({','.join([*of, *inside])}{bar})"


class PathTerm(NamedTuple):
    """One product of parameters, and the path in the graph that it stands for as a line of arrows."""

    product: str
    path: str


class PathTerms(NamedTuple):
    """A coordinate as the sum of its terms, and what is said where there are none."""

    terms: tuple[PathTerm, ...]
    none: str

    def to_list(self) -> list[dict[str, str]]:
        """The form of --json."""
        return [{"product": term.product, "trek": term.path} for term in self.terms]


class Explaining(NamedTuple):
    """How maps are shown.

    ``shares`` counts the parameters by variable. Coordinates are written out as they arise, or ``in_lowest_terms``; quotients
    up to a size of ``most_bits`` (log₂ of numerator and denominator together, by ``log_size``), ``None`` for sums that are
    never multiplied out. ``terms`` are the terms of the first coordinates one by one, where each has a meaning. ``subject`` says what a
    model is a model of, if not of a distribution, ``shows_all`` whether the coordinates are all of it.
    ``has_rational_values``: whether coordinates are rational at rational points.
    """

    shares: Callable[[Any], Iterator[Share]]
    in_lowest_terms: bool = False
    most_bits: int | None = None
    log_size: Callable[[Any], float] | None = None
    terms: Callable[[Any, int | None], tuple[PathTerms, ...]] | None = None
    subject: Callable[[Any], str] | None = None
    shows_all: Callable[[Any], bool] | None = None
    has_rational_values: bool = True


def collect_observed_variables(model: Any) -> dict[str, Any]:
    """The observed variables with their numbers of states, in order."""
    return {variable.name: getattr(variable, "states", None) for variable in model.observed}


def order_variables(model: Any, names: Sequence[str]) -> Any:
    """A model with its observed variables in this order, hidden ones behind them."""
    by_name = {variable.name: variable for variable in model.variables}
    return replace(model, variables=(*(by_name[name] for name in names), *model.hidden))


class InTable(NamedTuple):
    """What families whose coordinates are the cells of a table tell each other of a model, or of its map.

    ``is_separated``: whether the graph shows that two sets of variables are independent given a third one. ``groups``: sets of
    variables, beside which there are no interactions. ``interactions``: the same of a map with nothing hidden, as exactly as is
    known, ``None`` where cells are impossible. ``joint``: the probabilities of some variables at a point. ``possible``: which
    cells are not 0 everywhere, ``None`` for all. ``covering``: the map of a network that contains the model, and why it does.
    """

    is_separated: Callable[[Any, Sequence[str], Sequence[str], Sequence[str]], bool]
    groups: Callable[[Any], set[frozenset[str]]]
    interactions: Callable[[Any], set[frozenset[str]] | None]
    joint: Callable[[Any, Sequence[str], Sequence[Fraction]], NDArray[Any]]
    possible: Callable[[Any], NDArray[np.bool_] | None]
    covering: Callable[[Any], tuple[Any, tuple[Trust, ...]] | None]


class Comparing(NamedTuple):
    """How models are compared with others.

    Models are compared in the first kind of ``coordinates`` of the one that the other has too; ``brought`` makes a model one with
    coordinates of a kind, ``further`` says when models that have not those of another kind can have them. ``observed`` names what is observed (``differ``
    is said where that is not the same) and ``ordered`` sorts it; ``check`` raises for other reasons. ``keeps`` says that variables
    which cannot matter to what is observed are not to be removed: of a model, their names, and whether it is the larger of two.

    ``embeddings`` are tried one after the other: maps of the parameters of a first model to those of a second, which is of the
    family. ``refutations`` are equations of the second model that fail at a point of the first, with a seed. At points maps are
    compared as ``with_same_coordinates`` makes them, unless ``other_coordinates`` says why not.

    ``ends`` says what is at an end of its range at a point, ``reference`` gives the distribution of a likelihood ratio (given the
    embedding, points with their images, the ranks there and both reports), ``no_reference`` why none is known for a larger model.
    """

    coordinates: Callable[[Any], Sequence[str]] = lambda model: (model.family,)
    brought: Callable[[Any, str], Any] = lambda model, kind: model  # noqa: ARG005
    further: Mapping[str, str] = MappingProxyType({})
    observed: Callable[[Any], Mapping[str, Any]] = collect_observed_variables
    differ: str = "the first model observes {}, the second {}; models of the same variables are compared"
    ordered: Callable[[Any, Sequence[str]], Any] = order_variables
    check: Callable[[Any, Any], None] | None = None
    keeps: Callable[[Any, Sequence[str], bool], bool] | None = None
    embeddings: tuple[Callable[[Any, Any], Embedding | None], ...] = ()
    refutations: Callable[[Any, Any, int | str], Iterator[Refutation | None]] | None = None
    with_same_coordinates: Callable[[Any, Any], tuple[Map, Map]] | None = None
    other_coordinates: Callable[[Any, Any], str] | None = None
    ends: Callable[[Any, Sequence[Fraction]], list[str]] | None = None
    reference: Callable[[Embedding, Sequence[Any], Sequence[int], Report, Report], tuple[str, Trust] | None] | None = (
        None
    )
    no_reference: Callable[[Any], str] | None = None
    in_table: InTable | None = None


NOTHING_SPECIAL = Comparing()


Pairs = tuple[tuple[str, str], ...]


class Node(NamedTuple):
    """A variable: what stands below its name, and whether it is observed."""

    name: str
    note: str
    observed: bool


class Graph(NamedTuple):
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
