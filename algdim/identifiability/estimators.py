"""`algdim.for_estimator`: the effective dimension and the BIC with it, of models that other libraries have fitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar

from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Plain, Result, cut_cell, make_frame
from algdim.errors import InputError, describe_type
from algdim.figures import format_count
from algdim.limits import Untried, describe_untried
from algdim.memory import allow
from algdim.readers.estimatorobjects import Normals, format_class_count, read_estimator
from algdim.report import dimension
from algdim.trust import Trust, proved_by


@dataclass(frozen=True, slots=True, repr=False)
class Estimated(Result, Plain):
    """A fitted estimator: its counts, and on the data given the BIC with the dimension and with the number of parameters.

    Both BIC are −2 log-likelihood + d·log n, as scikit-learn has them: smaller is better. Of a dimension that is only known
    to lie between bounds it is the lower one.

    Attributes
    ----------
    text
        What the estimator is.
    standard, dimension, exact, trust
        The number of parameters; the dimension, whether it is proved, and its status.
    n, loglik
        The number of cases and the log-likelihood; `None` without data.
    bic, bic_count
        The BIC with the dimension, and with the number of parameters; `None` without data.
    untried
        Searches for a proof that were not made to their end.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> found = Estimated("a mixture", 5, 4, proved_by("lower bound", "rank 4"), 100, -50.0)
    >>> round(found.bic, 3), round(found.bic_count, 3)
    (118.421, 123.026)
    """

    _json: ClassVar[str] = "estimator=text standard dimension exact trust n loglik bic bic_count not_tried=untried"

    _inner: ClassVar[frozenset[str]] = frozenset({"compute_information_criterion"})

    text: str
    standard: int
    dimension: int
    trust: Trust
    n: int | None = None
    loglik: float | None = None
    untried: tuple[Untried, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the dimension is a theorem."""
        return self.trust.is_proved

    @property
    def bic(self) -> float | None:
        """The BIC with the effective dimension; ``None`` without data."""
        return self.compute_information_criterion(self.dimension)

    @property
    def bic_count(self) -> float | None:
        """The BIC with the number of parameters, as other programs have it."""
        return self.compute_information_criterion(self.standard)

    def compute_information_criterion(self, count: int) -> float | None:
        """−2 log-likelihood + count · log n."""
        return None if self.n is None or self.loglik is None else -2 * self.loglik + count * log(self.n)

    def _show(self) -> Iterator[Block]:
        rows = [("dimension", f"{self.dimension} ({self.trust})"), ("parameters", str(self.standard))]
        if self.bic is not None and self.bic_count is not None:
            rows += [("BIC", f"{self.bic:.6g}"), ("BIC by counting", f"{self.bic_count:.6g}"), ("n", str(self.n))]
        yield TableBlock((), tuple(rows), caption=cut_cell(self.text))

    def _tabulate(self) -> Frame:
        return make_frame([self.to_dict()])

    def _summarise(self) -> str:
        line = f"{self.text}: effective dimension {self.dimension} of {self.standard} parameters ({self.trust})"
        untried = f"; {describe_untried(self.untried)}" if self.untried else ""
        if self.bic is None or self.bic_count is None:
            return line + untried
        instead = f", not {self.bic_count:.6g}" if self.dimension != self.standard else ", no correction needed"
        return f"{line}; BIC {self.bic:.6g}{instead} (n = {self.n}){untried}"


def for_estimator(
    estimator: Any, X: Any = None, *, max_memory: int | str | None = None, max_seconds: float | None = None
) -> Estimated:
    """The effective dimension of a fitted estimator of another library, and with data the BIC that it gives.

    Parameters
    ----------
    estimator : object
        A fitted StepMix, GaussianMixture of scikit-learn, or LatentClass of algdim.
    X : array or data frame, optional
        The data, of which the estimator says the log-likelihood.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Estimated
        The dimension, and both BIC if there are data.

    Examples
    --------
    >>> import numpy as np
    >>> class GaussianMixture:
    ...     __module__ = "sklearn.mixture"
    ...     covariance_type, means_ = "diag", np.zeros((3, 2))
    >>> print(for_estimator(GaussianMixture()))
    GaussianMixture, 3 classes, covariances diag: effective dimension 14 of 14 parameters (proved)
    """
    text, model = read_estimator(estimator)
    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        standard, found, trust = count_estimator_dimension(model)
        untried = allowance.since(known)
    if X is None:
        return Estimated(text, standard, found, trust, untried=untried)
    try:
        n = len(X)
        # all three have the mean log-likelihood as `score`
        mean = float(estimator.score(X))
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise InputError(f"the estimator does not take the data X, {describe_type(X)}: {error}") from error
    return Estimated(text, standard, found, trust, n, mean * n, untried)


def count_estimator_dimension(model: Any) -> tuple[int, int, Trust]:
    """The number of parameters, the dimension and its status.

    A mixture of normal distributions has as many dimensions as parameters (lemma "normal mixtures").
    """
    if isinstance(model, Normals):
        count = model.parameters
        facts = f"{format_class_count(model.classes)}, covariances {model.kind}, {format_count(count, 'parameter')}"
        return count, count, proved_by("normal mixtures", facts)
    report = dimension(model)
    return report.standard, report.dimension, report.trust
