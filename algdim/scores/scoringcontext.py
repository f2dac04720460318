"""What the scores of one model on one set of data are computed from: a fit, a report, a prior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, cast

from algdim.errors import InputError
from algdim.families import load_scoring
from algdim.families.discrete.locals.curves import check_tables
from algdim.families.discrete.map import ParamMap
from algdim.fitting.likelihood import Tables, make_likelihood_evaluator
from algdim.fitting.maximization import Prior
from algdim.fitting.record import Fit, convert_to_arrays
from algdim.models.anymodel import AnyModel
from algdim.report import Report
from algdim.scores.dirichlet import Priors, Source, derive_network_priors, make_priors


class Greatest(NamedTuple):
    """The greatest log-likelihood of a model on data, and its dimension."""

    loglik: float
    dimension: int


@dataclass(frozen=True, eq=False)
class Material:
    """What the scores are computed from."""

    fit: Fit
    report: Report
    prior: Prior
    network: Source | None
    """A prior network that BDe takes in the place of even exponents."""
    refit: Callable[..., Fit] | None
    """What fits a model to data as this one was fitted; ``None`` where the parameters were given."""
    report_of: Callable[[AnyModel], Report]
    force: bool
    known: dict[AnyModel, Greatest] = field(default_factory=dict)
    """Of models fitted to these data before, in the same way; what is fitted here is put there."""

    @property
    def size(self) -> float:
        """The number of cases."""
        return float(self.fit.sample.size)

    @cached_property
    def pmap(self) -> ParamMap:
        """The map of a discrete network."""
        if not load_scoring(self.fit.model.family).is_network:
            raise InputError(f"this is for discrete networks; the family {self.fit.model.family} has bic to draper+")
        return cast("ParamMap", self.report.preparation.whole_map)

    @property
    def counts(self) -> Tables:
        """The counts of complete data, of variables with weights too."""
        at = make_likelihood_evaluator(self.pmap, self.fit.sample, 1)
        return at.take_expectation(self.tables(self.fit))[1]

    @property
    def priors(self) -> Priors:
        """The prior of every row."""
        check_tables(self.pmap, "this score is for tables")
        if self.network is not None:
            return derive_network_priors(self.pmap, self.network, self.prior.amount)
        return make_priors(self.pmap, self.prior)

    def tables(self, found: Fit) -> Tables:
        """The parameters of a fit as arrays."""
        return convert_to_arrays(self.pmap, found.parameters)

    def compute_expected_counts(self, found: Fit) -> Tables:
        """The expected counts of a fit as arrays."""
        return convert_to_arrays(self.pmap, found.expected)

    def mode(self, coordinates: str) -> Fit:
        """The fit by the mode of the posterior in given coordinates; the fit itself where its parameters were given."""
        if self.refit is None:
            return self.fit
        if self.network is not None:
            raise InputError("a fit knows no prior network; give parameters (--at), or take another prior")
        return self.refit(self.fit.sample, self.fit.model, prior=replace(self.prior, coordinates=coordinates))

    def smaller(self, model: AnyModel) -> Greatest:
        """The greatest log-likelihood of another model and its dimension."""
        if self.refit is None:
            raise InputError("sbic compares greatest likelihoods; leave the parameters (--at) out")
        if model not in self.known:
            report = self.report_of(model)
            self.known[model] = Greatest(self.refit(self.fit.sample, model).loglik, report.dimension)
        return self.known[model]
