"""Write certificates: both bounds of a dimension with all that is needed to check them again.

The evidence is that of an analysis. The models that it is about, districts, kernels, local models
of trees, are derived here, and by the checker on its own; where the two differ nothing is written. The checker is run on
every certificate before it is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from algdim.analysis import Analysis, Prepared, analyse
from algdim.arguments import check_arguments
from algdim.bound.bounds import Bound
from algdim.bound.strategy import CHANCE, DISTRICTS, Effort, Finding, choose_bounds
from algdim.certificate import checker
from algdim.certificate.verifying import Certificate
from algdim.errors import AlgdimError, LimitError
from algdim.exact.draws import draw_seed
from algdim.families import describe_lack, find_certifying
from algdim.families.contract import Certifying, JsonNode
from algdim.jacobian import PRODUCTS
from algdim.limits import describe_untried
from algdim.maps import Map
from algdim.memory import allow, choose_memory_limit
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.rank import Draw

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


class NotProvedError(AlgdimError):
    """There is no certificate, because the dimension is not proved, or not by evidence that the format knows."""

    exit_code = 1


@check_arguments
def prove(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    bounds: str | Sequence[str] = "auto",
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Certificate:
    """A certificate of a model's dimension, which can be checked without algdim.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    bounds : str or list of str
        The upper bounds that may be tried, such as "counting,parts".
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Certificate
        The claim and the evidence.

    Raises
    ------
    AlgdimError
        Where the dimension is not proved, or not by evidence that certificates hold.

    Examples
    --------
    >>> print(prove("3:2,2,2,2"))
    dimension 13, parameters 14, saturated 15: rank and equations
    """
    from algdim.readers.anything import read_model

    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        prepared = Prepared(read_model(model, format=format, hidden=hidden))
        try:
            return prove_prepared_model(prepared, draw_seed(seed), choose_memory_limit(max_memory), bounds)
        except NotProvedError as error:
            untried = allowance.since(known)
            raise NotProvedError(f"{error}; {describe_untried(untried)}") if untried else error from None


def prove_prepared_model(
    prepared: Prepared, seed: int | str, max_memory: int, bounds: str | Sequence[str] = "auto"
) -> Certificate:
    """The certificate of a model that was made ready: by bounds that have a form in it, else by all."""
    network = prepared.model
    form = find_certifying(network.family)
    if form is None:
        raise NotProvedError(f"{to_text(network)}: {describe_lack(network.family, 'certified', 'certifying')}")
    ordered = form.order(network)
    prepared = prepared if ordered == network else Prepared(ordered)
    names = choose_bounds(bounds)
    effort = Effort(form.method, names, seed, max_memory, minors=checker.MOST_RANK)
    first = tuple(name for name in names if name not in LAST)
    if first and first != names:
        # else with all bounds: there may be another proof, or one without a form; what was found is not found again
        with suppress(NotProvedError, LimitError):
            return certify_effort(prepared, form, effort._replace(bounds=first))
    return certify_effort(prepared, form, effort)


def certify_effort(prepared: Prepared, form: Certifying, effort: Effort) -> Certificate:
    """The certificate that an effort leads to, by districts or else as one piece."""
    try:
        model = form.encode(prepared)
        claimed = checker.FAMILIES[prepared.model.family](
            model, checker.Work()
        )  # refuses what is too large before any work
        analysis = analyse(prepared, effort)
        try:
            return make_certificate(form, model, claimed, analysis)
        except NotProvedError:
            if all(found.part.has_all_coordinates for found in analysis.parts):
                raise
            # entries of kernels that are left out may take the proof with them
            whole = tuple(name for name in effort.bounds if name != DISTRICTS)
            return make_certificate(form, model, claimed, analyse(prepared, effort._replace(bounds=whole)))
    except checker.Unreadable as refused:
        raise make_size_error(prepared.model, refused) from None


def make_certificate(form: Certifying, model: JsonNode, claimed: Any, analysis: Analysis) -> Certificate:
    """What was found as a certificate: nothing is searched for."""
    network = analysis.model
    standard, complete = form.count_claimed(analysis.prepared, claimed)
    lower, upper = form.encode_bounds(model, claimed, analysis)
    claim = {"model": model, "dimension": lower["value"], "standard": standard, "complete": complete}
    found = Certificate({"format": checker.FORMAT, "claim": claim, "evidence": {"lower": lower, "upper": upper}})
    code, reason = checker.verdict(found.text.encode())
    if code == checker.Unreadable.code:
        raise make_size_error(network, reason)
    if code:
        raise RuntimeError(f"{to_text(network)}: the checker does not accept the certificate ({reason})")
    return found


def make_size_error(model: AnyModel, reason: object) -> LimitError:
    """The error for a certificate that is too large."""
    return LimitError(f"{to_text(model)}: the certificate is beyond the format's limits ({reason})")


def make_proof_error(model: AnyModel, bound: Bound) -> NotProvedError:
    """The error for a proof that the format does not have."""
    return NotProvedError(
        f"{to_text(model)}: the bound {bound.value} is proved by {bound.kind} ({bound.reason}), "
        "which certificates do not cover"
    )


def check_exact(finding: Finding, model: AnyModel) -> None:
    """Raise unless the bounds prove the dimension."""
    lower, upper = finding.lower, finding.upper
    if not (lower.is_proved and upper.is_proved):
        raise NotProvedError(
            f"{to_text(model)}: the dimension is at least {lower.value}, and at most {upper.value} only with "
            f"{upper.trust}; a certificate holds what is proved"
        )
    if lower.value != upper.value:
        raise NotProvedError(
            f"{to_text(model)}: the dimension is between {lower.value} and {upper.value}; "
            "a certificate needs two bounds that are equal"
        )


def choose_best_draw(finding: Finding) -> Draw:
    """The first draw that shows the greatest rank."""
    return max(finding.draws, key=lambda draw: draw.rank.value)


def write_rank(finding: Finding, pmap: Map, bound: Bound) -> JsonNode:
    """A minor at the point that a finding rests on."""
    best = choose_best_draw(finding)
    if best.rank.value < bound.value:
        raise NotProvedError(
            f"{to_text(pmap.model)}: no point was drawn at which the rank is {bound.value}, which is proved by {bound.kind} "
            f"({bound.reason}); a certificate needs one; try another --seed"
        )
    if best.prime is None:
        raise NotProvedError(f"{to_text(pmap.model)}: the rank was not taken modulo a prime; use the method auto")
    if best.functionals == PRODUCTS:
        raise NotProvedError(
            f"{to_text(pmap.model)}: the rank was taken against products, which certificates do not cover"
        )
    if best.rank.value > checker.MOST_RANK:
        raise LimitError(
            f"{to_text(pmap.model)}: a minor with {best.rank.value} rows; certificates hold at most {checker.MOST_RANK}"
        )
    rows = (
        best.rank.rows if pmap.kept_coordinates is None else [int(pmap.kept_coordinates[row]) for row in best.rank.rows]
    )
    node = {"kind": "rank", "value": bound.value, "prime": best.prime, "point": best.streams[0]}
    if len(best.streams) > 1:
        node["probes"] = best.streams[1]
    return node | {"rows": list(rows), "columns": sorted(best.rank.columns)}


LAST = frozenset(("pairwise", "nested", "settimi-smith", "defective", "half-trek", "symbolic", CHANCE))
"""Bounds that are used where no others suffice: they have no form, or a longer one, or rest on theorems cited.

Without what is only probable one rank is taken, not as many as make it sure enough.
"""
