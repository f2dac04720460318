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
| ``constraints`` | ``CONSTRAINING`` | the equations that a model implies |
| ``curves`` | ``CURVES`` | curves through a point along which no coordinate changes, in words and as functions: of the map and the point |
| ``decomposition`` | ``DECOMPOSING`` | a model taken apart step by step, by the rule that its family has |
| ``scores`` | ``SCORING`` | what scores need beside likelihood and dimension |
| ``certificate`` | ``CERTIFYING`` | how a model and its proofs are written for the checker |
| ``__init__`` | ``VERIFYING`` | what accepted certificates rest on; nothing of the engine is imported for it |

The first three modules are there in every family, the others where there is something to say; a record of some lines may stand in
``family`` in place of a module of its own. The records hold functions
without state; ``None`` means that the family needs nothing special here. The model itself is a frozen record with the name of
its family in ``family``; its map is a `algdim.maps.Map`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias

from algdim.display.results import Plain
from algdim.errors import join_names
from algdim.figures import format_count
from algdim.trust import Remark

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from algdim.analysis import Analysis, Prepared
    from algdim.bound.bounds import Bound
    from algdim.bound.counting import Complete
    from algdim.bound.strategy import Effort, Finding, Found
    from algdim.exact.draws import Stream
    from algdim.explanation.constraints import Constraint, Constraints, Evaluated
    from algdim.explanation.evidence import Embedding, Refutation
    from algdim.explanation.testing import Statistic
    from algdim.fitting.maximization import Prior
    from algdim.fitting.samples import KnownStates
    from algdim.identifiability.kernels import Pieces
    from algdim.jacobian import Evaluator, Probed
    from algdim.maps import Functionals, Map, Parameter
    from algdim.report import RankAt, Reason, Report
    from algdim.trust import Trust


class Notation(NamedTuple):
    """How models are read from a line of text, and printed.

    Families whose texts are clauses have a `algdim.models.clauses.Dialect`: the clauses that they have, and a record of what these say.
    A reader looks at the form of a text; whether what it says is a model, the record of the model decides.
    """

    read: Callable[[str, int, str, str], Any]
    """The model in a text: given where its clauses begin, the family word, and the argument of that word."""
    write: Callable[[Any], str]
    """The text of a model, which is read back as an equal one."""


class ModelFile(NamedTuple):
    """How models are read from a dictionary, as model files have it, and written to one; what decides is the same as for a text."""

    read: Callable[[dict[str, Any]], Any]
    """The model that a dictionary describes."""
    write: Callable[[Any], dict[str, Any]]
    """The dictionary of a model."""
    has_locals: bool = False
    """Whether `local` may say of a variable how it depends on its parents, as that a table is shared."""


class Arrows(NamedTuple):
    """A model as a graph, for formats that have graphs."""

    states: Mapping[str, int]
    """The numbers of states, of variables that have any."""
    correlated: Sequence[tuple[str, str]]
    """The pairs with correlated errors."""
    more: str = ""
    """What there is to the model beside its graph, and which formats have that; nothing if it is the graph."""


class Products(NamedTuple):
    """Functionals that factorise."""

    is_worth_it: Callable[[Any], bool]
    """Whether a map has so many that it pays to take them."""
    unfold: Callable[[Any], Probed | None]
    """What makes a map ready for them; ``None`` if it has none."""


class Bounds(NamedTuple):
    """The bounds of a family, in the order in which they are tried."""

    bounds: Mapping[str, Callable[[Any], Bound | None]]
    """Upper bounds that only look at the map, by name."""
    searches: Mapping[str, Callable[[Any], Found]] = MappingProxyType({})
    """Searches for upper bounds, which come after a rank, by name: of a setting."""
    make_setting: Callable[[Any, int, int | str, tuple[int | str, ...]], Any] = lambda pmap, *_: pmap
    """What the searches begin with: of the map, the rank to be met, the seed, and labels of its stream."""
    carry_over: Callable[[Bound, Any, Any], Bound] = lambda bound, setting, pmap: bound  # noqa: ARG005
    """A bound of the map from one of the setting, where that is about another map."""
    find_without_rank: Callable[[Any, Effort, tuple[str, ...], Bound | None], Finding | None] | None = None
    """Both bounds, where the rank of the whole Jacobian is not needed."""
    without_form: tuple[str, ...] = ()
    """Of the first those that certificates have no form for: where one is to be written, they come last."""
    separate: Callable[[Any, Bound], tuple[Bound, Bound | None]] | None = None
    """The bound of the model, and that of what its map shows of it, where these differ."""
    may_find: Mapping[str, Callable[[Any], bool]] = MappingProxyType({})
    """Of some searches whether they can find anything, by the structure of the map that the setting has."""
    rests_on: Callable[[Any, Bound, Effort, tuple[str, ...]], tuple[tuple[Map, Finding], ...]] | None = None
    """The other models on which an upper bound rests, examined for a certificate: of the map, the bound, the effort and the labels of its draws."""


class Counted(NamedTuple):
    """What counting shows of a part: its parameters, the dimension of its saturated model, both bounds where effort allows that."""

    parameters: int
    complete: int
    find: Callable[[Effort], Finding | None]


@dataclass(frozen=True, eq=False)
class Part:
    """What is ranked on its own: a model, its map (with the coordinates that are kept), and what is to be said of it.

    The map is made when it is asked for; where a part is ``counted`` its bounds do not ask for it.
    """

    model: Any
    make_map: Callable[[], Any]
    note: str = ""
    counted: Counted | None = None

    @cached_property
    def pmap(self) -> Any:
        """The map."""
        return self.make_map()

    @property
    def has_all_coordinates(self) -> bool:
        """Whether no coordinate is left out."""
        return self.counted is not None or self.pmap.kept_coordinates is None


def make_part(pmap: Any, note: str = "") -> Part:
    """The part that has a map."""
    return Part(pmap.model, partial(get_itself, pmap), note)


def get_itself(pmap: Any) -> Any:
    """The map; with a name, so that a part can be pickled."""
    return pmap


class Family(NamedTuple):
    """What a dimension needs of a family."""

    make_map: Callable[[Any, Any], Map]
    """The map of a model; given the whole model of which it is a part, or ``None``."""
    make_evaluator: Callable[[Any], Evaluator]
    """A map made ready for points."""
    bounds: Bounds
    multiply_out: Callable[[Any], list[list[Any]]] | None = None
    """The Jacobian as polynomials, where the coordinates are quotients of such."""
    products: Products | None = None
    drop_irrelevant: Callable[[Any], tuple[Any, tuple[str, ...]]] | None = None
    """The model without hidden variables that cannot matter, and their names."""
    why_irrelevant: str = "without observed descendants"
    """Which hidden variables cannot matter, in words."""
    irrelevance_lemma: str = ""
    """The lemma that says so."""
    simplify: Callable[[Any], tuple[Any, Remark | None]] | None = None
    """The model with simpler locals where they are as good, and which these are and why, ``None`` where nothing is simpler."""
    split: Callable[[Any, Any, Any], Sequence[Part]] = lambda model, pmap, whole: ()  # noqa: ARG005 (no parts)
    """Parts of a map whose dimensions add up."""
    describe_entries: Callable[[Sequence[Any]], str] | None = None
    """What the parameters of parts are that need no rank, in words; of their models."""
    compute_pairwise: Callable[[Any], int | None] = lambda pmap: None  # noqa: ARG005 (none is known)
    """KZ02's dp."""
    read_point: Callable[[Any, Any, Any], list[Fraction]] | None = None
    """The parameters in a parameter file."""
    no_value: str = "a denominator is zero"
    """Why the map may have no value there."""
    rank_at: Callable[[Any, Any, Any, int], RankAt | None] | None = None
    """The rank where the numbers of a parameter file are not rational."""
    prove_for_distributions: Callable[[Any], Trust] | None = None
    """Why a rank of the coordinates is one of the distributions, where these are seen through moments or cumulants."""
    compute_complete: Callable[[Any, int | str], Complete | None] | None = None
    """The dimension of the saturated model; it may find that there is none."""
    get_order: Callable[[Any], int] = lambda pmap: 0  # noqa: ARG005 (no moments are taken)
    """The order of the moments that are taken."""
    convert_to_network: Callable[[Any], Any] | None = None
    """The discrete network that has the same likelihood."""
    make_graph: Callable[[Any], Graph] | None = None
    """What is drawn."""
    no_graph: str = "models of this family have no graph; draw the Jacobian instead"
    """Why nothing is, where there is no graph."""
    make_arrows: Callable[[Any], Arrows] | None = None
    """A model as a graph, and what it is more than that."""
    can_hide: bool = True
    """Whether variables can be called hidden afterwards."""
    describe_map: Callable[[Any], Remark] = lambda pmap: Remark()  # noqa: ARG005 (nothing)
    """What is to be said of the map."""
    describe: Callable[[Any], str] = lambda model: ""  # noqa: ARG005 (the notation says it)
    """What kind of model it is, with its numbers of variables, in a few words."""
    prove_counts: Callable[[Any], tuple[Trust, ...]] | None = None
    """Why rank and counts of the map are those of the model, where its parameters are others than the model's."""


class Constraining(NamedTuple):
    """The equations that models imply."""

    find: Callable[[Prepared, int, int | str], Constraints]
    """Those of a model that was made ready, given the size of minors and the seed."""
    titles: Mapping[str, str]
    """What their kinds are called, in the order in which they are printed."""
    evaluate: Callable[[Any, Constraint, Sequence[Fraction], Sequence[Fraction]], Iterator[Evaluated]]
    """One written out: of the map, the equation, the coordinates at a point, and other numbers in their place."""
    measure: Callable[[Sequence[Constraint], Any], tuple[list[Statistic | None], Statistic | None]]
    """Test statistics of equations on data, and one of all independent ones where there is such a test."""


Curve: TypeAlias = "Callable[[Fraction], Sequence[Fraction] | None]"
"""The points of a curve by their distance; ``None`` where there is none."""

Names: TypeAlias = Mapping[str, str]
Orders: TypeAlias = Mapping[str, Sequence[int]]
"""For each hidden variable whose states are renamed the new number of each state."""


def iterate_variable_looks(model: Any) -> Iterator[tuple[str, Any]]:
    """What the variables look like, the observed ones by their names: by their numbers of states, if they have any."""
    for variable in model.variables:
        yield variable.name, (variable.name if variable.observed else "", getattr(variable, "states", None))


Relation = tuple[str, tuple[int, ...]]
"""A label, and the variables that it joins, by their places and in order."""


class Renaming(NamedTuple):
    """What of a model is the same under other names."""

    normalise: Callable[[Any, Names, Orders], Any]
    """The model with its hidden variables and their states renamed, without names and orders that mean nothing: equal for equal models."""
    iterate_looks: Callable[[Any], Iterator[tuple[str, Any]]]
    """What each variable looks like by itself."""
    iterate_links: Callable[[Any], Iterator[tuple[Any, str, str]]]
    """Pairs of variables, each with a label before it."""
    count_reordered: Callable[[Any], Mapping[str, int]] = lambda model: {}  # noqa: ARG005 (the same for all)
    """The hidden variables whose states are to be tried in other orders, and how many states they have."""
    is_same: Callable[[Any, Any], bool] | None = None
    """Whether two models are the same, where no names need be tried."""
    relate: Callable[[Any], tuple[list[str], list[Relation]] | None] = lambda model: None  # noqa: ARG005 (by its text alone)
    """What each variable is by itself, and how they are related, the same for models with the same distributions but for names;
    ``None`` where more than that belongs to the model."""


class Domain(NamedTuple):
    """Which parameters are those of a distribution.

    Parameters of a map are named by their numbers; only ``list_states`` is asked of a model.
    """

    is_inside: Callable[[Any, Sequence[Fraction], bool, Fraction], bool]
    """Whether a point of a map is one; if ``strictly``, all nearby ones too, far from others by a margin."""
    find_not_negative: Callable[[Any], frozenset[int]]
    """Parameters whose range ends at 0."""
    find_covariances: Callable[[Any], frozenset[int]] | None = None
    """Those that are drawn small."""
    find_coefficients: Callable[[Any], frozenset[int]] | None = None
    """Those whose zeros are special."""
    iterate_alike: Callable[[Any], Iterator[NDArray[Any]]] | None = None
    """Groups of parameters that are the same where all rows of a table are alike."""
    iterate_neutral: Callable[[Any], Iterator[int]] | None = None
    """Parameters that are 1 there."""
    list_states: Callable[[Any], Sequence[int]] | None = None
    """The lengths of rows of probabilities."""
    at_end: str = ""
    """What is at an end where no parameter is 0."""
    keeps_signs: bool = True
    """Whether other parameters with the same distribution are shown only where all signs are the same."""


ANY_PARAMETERS = Domain(lambda pmap, point, strictly, margin: True, lambda pmap: frozenset())  # noqa: ARG005


class Identifying(NamedTuple):
    """What is known of identifiability beside ranks."""

    prove_unique: Callable[[Any, int | str], Any] | None = None
    """That the parameters of a model are unique up to the names of classes, ``None`` where no theorem says so."""
    is_looked_at: Callable[[Any], bool] | None = None
    """Whether that theorem is about such a model."""
    split: Callable[[Prepared], Sequence[Map]] | None = None
    """Maps without a common parameter."""
    count_by_theorem: Callable[[Any, Any, int | str], Any] | None = None
    """How many points have the same coordinates, where a theorem says it."""
    count_solutions: Callable[[Any, int | str, int], Any] | None = None
    """The same, counted."""
    find_pieces: Callable[[Prepared], Pieces] | None = None
    """Parts among which the kernel of the Jacobian is a direct sum."""
    has_polynomial_kernel: bool = True
    """Whether that kernel is taken over the rational functions."""
    find_kernel: Callable[[Any], tuple[Sequence[Mapping[int, int]], Trust] | None] | None = None
    """A basis of the kernel of one of them that consists of constant vectors, and why, where a lemma says it."""
    iterate_remarks: Callable[[Any, Any, Any], Iterator[Remark]] | None = None
    """What other criteria say."""
    find_units: Callable[[Any, int, int | str, Any], Any] | None = None
    """The units of latent variables."""
    count_freedom: Callable[[Any, Any, Any], Any] | None = None
    """The degrees of freedom, where cells may be impossible."""
    check_point: Callable[[Any, Any], None] | None = None
    """Raises where there are no verdicts at given parameters: of the map and of what has these."""
    find_doubt: Callable[[Any], str] | None = None
    """Why ranks at points are no verdicts on single parameters of a model; empty where they are."""


NOTHING_KNOWN = Identifying()


class Scoring(NamedTuple):
    """What scores need beside likelihood and dimension."""

    find_chain: Callable[[Any], Any] | None = None
    """The chain of models below one, for sBIC."""
    score_completed: Callable[[Any], float] | None = None
    """Cheeseman and Stutz's score."""
    score_exact: Callable[[Any], float] | None = None
    """The marginal likelihood, where it has a closed form of its own."""
    score_laplace: Callable[[Any], float] | None = None
    """Laplace's approximation, where no parameter is redundant."""
    takes_prior: Callable[[Prior], bool] | None = None
    """Whether a prior is taken."""
    why_no_prior: str = ""
    """Why others are not."""
    measure_goodness: Callable[[Any], Any] | None = None
    """How well a fit and the data agree."""
    is_network: bool = False
    """Whether a model is a discrete network, whose tables data fill."""


NOT_SCORED = Scoring()


class Fitting(NamedTuple):
    """How data are read for a model and its likelihood maximised; without a prior, if no more is said."""

    prepare: Callable[[Any, Any, Prior, bool, KnownStates | None], Any]
    """The maximisation: of the model, the data, the prior, whether missing values are allowed, and the states of other data."""
    has_priors: bool = False
    """Whether there are priors."""
    share_out: Callable[[Any, Any, Mapping[str, Any], bool, KnownStates], Mapping[str, NDArray[Any]]] | None = None
    """The probabilities of hidden states, case × state: of the model, the data, parameters, whether values may be missing, known states."""
    compare_pairs: Callable[[Any, Any], Sequence[Any]] | None = None
    """The bivariate residuals: of the model and a fit."""
    compute_mastery: Callable[[Any, Mapping[str, NDArray[Any]]], Mapping[str, NDArray[Any]]] | None = None
    """The probabilities of attributes of which hidden states are patterns, in each case: of the model and what was shared out."""


class Sampling(NamedTuple):
    """How cases are drawn."""

    draw: Callable[[Any, Any, int, int | str], dict[str, NDArray[Any]]]
    """The columns by name: of a model, its parameters, the number of cases and the seed."""
    has_states: bool = False
    """Whether some of the columns are states."""


class TakenApart(Protocol):
    """A model taken apart: a frozen record with the field `untried`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def derivation(self) -> Reason:
        """The steps as a tree."""

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""

    def to_pandas(self) -> Any:
        """The steps as a pandas data frame."""

    def to_polars(self) -> Any:
        """The steps as a polars data frame."""


class Decomposing(NamedTuple):
    """How a model is taken apart step by step."""

    take_apart: Callable[[Any, Effort], TakenApart]
    """The steps."""
    take_apart_in_order: Callable[[Any, Effort, Sequence[str] | None, Any], TakenApart] | None = None
    """The same with the inputs in an order, at parameters; either may be ``None``."""


JsonNode: TypeAlias = dict[str, Any]
"""A model, or evidence, as a certificate has it."""


def count_parameters(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """How many parameters a model has, and the dimension of the saturated one."""
    del claimed
    return len(prepared.whole_map.parameters), prepared.whole_map.complete


class Certifying(NamedTuple):
    """How a model and its proofs are written for the checker."""

    encode: Callable[[Prepared], JsonNode]
    """A model that was made ready."""
    encode_bounds: Callable[[JsonNode, Any, Analysis], tuple[JsonNode, JsonNode]]
    """The evidence for both bounds: of the model as it is written, as the checker reads it, and the analysis."""
    count_claimed: Callable[[Prepared, Any], tuple[int, int | None]] = count_parameters
    """The parameters, and the dimension of the saturated model; given the model as the checker reads it, too."""
    order: Callable[[Any], Any] = lambda model: model
    """The model in the order that the format has."""
    method: str = "auto"
    """By which method its ranks are taken."""


class Verifying(NamedTuple):
    """What accepted certificates of a family rest on, beside what all do."""

    list_lemmas: Callable[[JsonNode], Sequence[str]]
    """The lemmas which say that rank, counts and evidence are about the distributions of the model that is described."""
    rests_on: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The lemmas of kinds of evidence that are its own, or rest on others here."""


@dataclass(frozen=True, slots=True)
class Share(Plain):
    """How many parameters a variable, a shared table or a pair of variables brings in, those counted before left out."""

    _json: ClassVar[str] = "of=owner count what"

    owner: str
    count: int
    what: str


def count_by_kind(pmap: Map, name_kind: Callable[[Parameter], str]) -> Iterator[Share]:
    """The parameters that each variable or pair brings in, and how many of them are of which kind, as it is called."""
    found: dict[str, Counter[str]] = {variable.name: Counter() for variable in pmap.model.variables}
    for one in pmap.records:
        found.setdefault(one.owner, Counter())[name_kind(one)] += 1
    for owner, count in found.items():
        yield Share(owner, count.total(), ", ".join(format_count(times, kind) for kind, times in count.items()))


CELL, LOG_ODDS, COVARIANCE, MEAN, MOMENT, CUMULANT, BY_NAME = "P", "λ", "cov", "mean", "E", "κ", ""
LEFT_TAIL, LOG_CUMULATIVE = "τ", "logF"
"""Kinds of coordinates; behind those with an order stands this, and a name of the user's is all there is of the empty one."""


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


Grid: TypeAlias = "Sequence[Sequence[Fraction]]"


class GridSum(NamedTuple):
    """A matrix at a point that is a sum of matrices of rank one, each with a name; and what follows from that."""

    name: str
    whole: Grid
    parts: Sequence[tuple[str, Grid]]
    text: str


class OnGraph(NamedTuple):
    """Labels at nodes and edges of a model's graph, and what they add up to; of another model where a bound is by that."""

    nodes: Mapping[str, str]
    edges: Mapping[tuple[str, str], str]
    text: str
    model: Any = None
    of_picture: str = ""
    """What is to be said where the graph is drawn: one that is too large is not."""


class EqualCells(NamedTuple):
    """A table, of which cells with the same number are always equal, with the names of rows and columns."""

    rows: str
    columns: str
    numbers: Sequence[Sequence[int]]
    text: str


class Heads(NamedTuple):
    """Directions that are counted, by what they belong to, and how many more the saturated model has."""

    owners: Sequence[str]
    others: int
    text: str


BoundPicture: TypeAlias = "GridSum | OnGraph | EqualCells | Heads"


class SmallerModel(NamedTuple):
    """A part of a model, for the page of one that is too large: its dimension is a lower bound for that of the whole."""

    model: Any
    name: str
    follows: str
    """The clause that says why a rank seen there is a lower bound for the whole model."""
    keeps: str
    """What a change that leaves the coordinates of the part in place leaves in place, and what it may not."""


FEWER_STATES = (3, 2)
"""Of each variable of a part, where parts with all states are too large."""


def name_margin(model: Any, names: Sequence[str]) -> SmallerModel:
    """The model of the marginal distribution of some variables as a part."""
    return SmallerModel(
        model,
        f"the marginal distribution of {join_names(names, most=12)}",
        "It follows from the whole distribution",
        "this margin in place, not always the whole distribution",
    )


class Explaining(NamedTuple):
    """How maps are shown."""

    count_shares: Callable[[Any], Iterator[Share]]
    """The parameters, by the variables that bring them in."""
    in_lowest_terms: bool = False
    """Whether coordinates are written as quotients in lowest terms, and not as they arise."""
    most_bits: int | None = None
    """Up to which size quotients are multiplied out (log₂ of numerator and denominator together); ``None`` for sums, which never are."""
    compute_log_size: Callable[[Any], float] | None = None
    """That size of a map's coordinates."""
    list_terms: Callable[[Any, int | None], tuple[PathTerms, ...]] | None = None
    """The terms of the first coordinates one by one, where each has a meaning."""
    describe_subject: Callable[[Any], str] | None = None
    """What a model is a model of, if not of a distribution."""
    shows_all: Callable[[Any], bool] | None = None
    """Whether the coordinates are all of it."""
    has_rational_values: Callable[[Any], bool] = lambda pmap: True  # noqa: ARG005 (at all points)
    """Whether the coordinates of a map are rational at rational points."""
    write_formulas: Callable[[Any], Iterator[str]] | None = None
    """The map of a model as the field writes it, line by line in LaTeX; its coordinates one by one if it is missing."""
    picture_bound: Callable[[Any, Sequence[Fraction], Bound], Iterator[BoundPicture]] | None = None
    """What the evidence of an upper bound looks like: of the map, a point (nothing where there is none), and the bound."""
    offer_coordinates: Callable[[Any, int, Stream], tuple[Functionals, tuple[CoordinateRecord, ...]]] | None = None
    """Simple functionals of coordinates that are very many, at most so many, drawn from a stream; else some coordinates are drawn."""
    offer_parts: Callable[[Any], Iterator[Iterator[SmallerModel]]] | None = None
    """Parts of a model that grow, and other such sequences for models of which even the first part is too large."""
    vary: Callable[[Any], Iterator[tuple[str, Any]]] | None = None
    """Questions about a change of a model, and the model that is changed so: exercises."""


def collect_observed_variables(model: Any) -> dict[str, Any]:
    """The observed variables with their numbers of states, in order."""
    return {variable.name: getattr(variable, "states", None) for variable in model.observed}


def order_variables(model: Any, names: Sequence[str]) -> Any:
    """A model with its observed variables in this order, hidden ones behind them."""
    by_name = {variable.name: variable for variable in model.variables}
    return replace(model, variables=(*(by_name[name] for name in names), *model.hidden))


class InTable(NamedTuple):
    """What families whose coordinates are the cells of a table tell each other of a model, or of its map."""

    is_separated: Callable[[Any, Sequence[str], Sequence[str], Sequence[str]], bool]
    """Whether the graph shows that two sets of variables are independent given a third one."""
    find_groups: Callable[[Any], set[frozenset[str]]]
    """Sets of variables, beside which there are no interactions."""
    find_interactions: Callable[[Any], set[frozenset[str]] | None]
    """The same of a map with nothing hidden, as exactly as is known; ``None`` where cells are impossible."""
    compute_joint: Callable[[Any, Sequence[str], Sequence[Fraction]], NDArray[Any]]
    """The probabilities of some variables at a point."""
    find_possible: Callable[[Any], NDArray[np.bool_] | None]
    """Which cells are not 0 everywhere; ``None`` for all."""
    find_covering: Callable[[Any], tuple[Any, tuple[Trust, ...]] | None]
    """The map of a network that contains the model, and why it does."""


class Comparing(NamedTuple):
    """How models are compared with others.

    First both are brought to the same coordinates, with the same variables in the same order. Then ``embeddings`` are tried one after
    the other, and ``iterate_refutations``; the second model is of the family.
    """

    list_coordinates: Callable[[Any], Sequence[str]] = lambda model: (model.family,)
    """The kinds of coordinates that a model can have. Models are compared in the first of these that both have."""
    bring: Callable[[Any, str], Any] = lambda model, kind: model  # noqa: ARG005
    """A model with coordinates of a kind."""
    further: Mapping[str, str] = MappingProxyType({})
    """Other kinds, and when models that have not these can have them."""
    collect_observed: Callable[[Any], Mapping[str, Any]] = collect_observed_variables
    """What is observed, by name."""
    differ: str = "the first model observes {}, the second {}; models of the same variables are compared"
    """What is said where that is not the same."""
    order: Callable[[Any, Sequence[str]], Any] = order_variables
    """A model with what is observed in this order."""
    check: Callable[[Any, Any], None] | None = None
    """Raises for other reasons why two models cannot be compared."""
    keeps_irrelevant: Callable[[Any, Sequence[str], bool], bool] | None = None
    """Whether variables that cannot matter to what is observed stay: of a model, their names, and whether it is the larger of two."""
    embeddings: tuple[Callable[[Any, Any], Embedding | None], ...] = ()
    """Maps of the parameters of a first model to those of a second."""
    iterate_refutations: Callable[[Any, Any, int | str], Iterator[Refutation | None]] | None = None
    """Equations of the second model that fail at a point of the first, drawn from a seed."""
    bring_together: Callable[[Any, Any], tuple[Map, Map]] | None = None
    """Two maps as they are compared at points."""
    explain_other_coordinates: Callable[[Any, Any], str] | None = None
    """Why they are not; empty where they are."""
    describe_ends: Callable[[Any, Sequence[Fraction]], list[str]] | None = None
    """What is at an end of its range at a point."""
    find_reference: (
        Callable[[Embedding, Sequence[Any], Sequence[int], Report, Report], tuple[str, Trust] | None] | None
    ) = None
    """The distribution of a likelihood ratio: of the embedding, points with their images, the ranks there, and both reports."""
    explain_no_reference: Callable[[Any], str] | None = None
    """Why none is known, for a larger model."""
    in_table: InTable | None = None
    """What is told to other families, where the coordinates are the cells of a table."""


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
    labels: Mapping[tuple[str, str], str] = MappingProxyType({})
    """What stands at edges and arcs: fixed values, names of equal ones."""

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
