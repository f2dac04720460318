"""algdim: the exact effective dimension of statistical models with hidden variables.

Names are loaded when they are first used, so that `import algdim` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from algdim import about

if TYPE_CHECKING:
    from algdim.certificate.exporting import prove
    from algdim.certificate.verifying import Certificate, verify
    from algdim.checking.record import Checked
    from algdim.checking.running import check
    from algdim.errors import AlgdimError, InputError, LimitError
    from algdim.explanation.comparing import Comparison, compare
    from algdim.explanation.constraints import constraints
    from algdim.explanation.decomposing import decompose
    from algdim.explanation.explaining import explain
    from algdim.explanation.parametrizing import Parametrization, RowReduction, parametrization
    from algdim.families.discrete.boundsreport import bounds
    from algdim.fitting.estimator import LatentClass
    from algdim.fitting.fitting import fit, fit_at
    from algdim.fitting.record import Fit
    from algdim.fitting.simulating import simulate
    from algdim.identifiability.estimators import Estimated, for_estimator
    from algdim.identifiability.identifying import identify
    from algdim.identifiability.record import Identification
    from algdim.readers.anything import model
    from algdim.report import Report, dimension
    from algdim.reports import dimensions
    from algdim.scores.information import divergence
    from algdim.scores.record import Scores
    from algdim.scores.scores import score
    from algdim.selection.choosing import Selection, select
    from algdim.sweeping.querying import query
    from algdim.sweeping.sweeping import sweep
    from algdim.tables.spec import table
    from algdim.writers import export

__version__ = about.VERSION

PUBLIC = {
    "AlgdimError": "algdim.errors",
    "Certificate": "algdim.certificate.verifying",
    "Checked": "algdim.checking.record",
    "Comparison": "algdim.explanation.comparing",
    "Estimated": "algdim.identifiability.estimators",
    "Fit": "algdim.fitting.record",
    "Identification": "algdim.identifiability.record",
    "InputError": "algdim.errors",
    "LatentClass": "algdim.fitting.estimator",
    "LimitError": "algdim.errors",
    "Parametrization": "algdim.explanation.parametrizing",
    "Report": "algdim.report",
    "RowReduction": "algdim.explanation.parametrizing",
    "Scores": "algdim.scores.record",
    "Selection": "algdim.selection.choosing",
    "bounds": "algdim.families.discrete.boundsreport",
    "check": "algdim.checking.running",
    "compare": "algdim.explanation.comparing",
    "constraints": "algdim.explanation.constraints",
    "decompose": "algdim.explanation.decomposing",
    "dimension": "algdim.report",
    "dimensions": "algdim.reports",
    "export": "algdim.writers",
    "divergence": "algdim.scores.information",
    "explain": "algdim.explanation.explaining",
    "fit": "algdim.fitting.fitting",
    "fit_at": "algdim.fitting.fitting",
    "for_estimator": "algdim.identifiability.estimators",
    "identify": "algdim.identifiability.identifying",
    "model": "algdim.readers.anything",
    "parametrization": "algdim.explanation.parametrizing",
    "prove": "algdim.certificate.exporting",
    "query": "algdim.sweeping.querying",
    "score": "algdim.scores.scores",
    "select": "algdim.selection.choosing",
    "simulate": "algdim.fitting.simulating",
    "sweep": "algdim.sweeping.sweeping",
    "table": "algdim.tables.spec",
    "verify": "algdim.certificate.verifying",
}

__all__ = [
    "AlgdimError",
    "Certificate",
    "Checked",
    "Comparison",
    "Estimated",
    "Fit",
    "Identification",
    "InputError",
    "LatentClass",
    "LimitError",
    "Parametrization",
    "Report",
    "RowReduction",
    "Scores",
    "Selection",
    "__version__",
    "bounds",
    "check",
    "compare",
    "constraints",
    "decompose",
    "dimension",
    "dimensions",
    "divergence",
    "explain",
    "export",
    "fit",
    "fit_at",
    "for_estimator",
    "identify",
    "model",
    "parametrization",
    "prove",
    "query",
    "score",
    "select",
    "simulate",
    "sweep",
    "table",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in PUBLIC:
        from algdim.errors import describe_closest_word

        raise AttributeError(
            f"module algdim has no attribute {name!r}{describe_closest_word(name, __all__)}; it has {', '.join(__all__)}"
        )
    value = getattr(import_module(PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
