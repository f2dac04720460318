"""The family "discrete": networks of variables with finitely many states."""

from __future__ import annotations

from typing import Any

from algdim.families.contract import Verifying


def collect_claim_lemmas(model: dict[str, Any]) -> tuple[str, ...]:
    """What is needed of the model that a certificate describes: of what is hidden to no purpose, entries, and weights."""
    from algdim.certificate import checker

    parents = {one["name"]: one["parents"] for one in model["variables"]}
    seen = checker.reached(parents, (one["name"] for one in model["variables"] if one["observed"]))
    tables = model.get("tables", {}).values()
    needed = {
        "irrelevant variables": not seen.issuperset(parents),
        "names and ties": any(isinstance(table, list) for table in tables),
        "sigmoid": any(isinstance(table, str) for table in tables),
    }
    return tuple(lemma for lemma, is_needed in needed.items() if is_needed)


RESTS_ON = {
    "entries": ("generic rank",),
    "kruskal": ("Kruskal",),
    "districts": ("districts",),
    "trees": ("capping", "tree rule"),
    "pairwise": ("pairwise",),
    "secants": ("pairwise", "binary items", "symmetric items", "groups of items"),
    "nested": ("nested",),
    "classifiers": ("classifier",),
    "equations": ("equations", "matrices of bounded rank"),
    "containing.upper": ("supermodels",),
    "equations.minors": ("grids",),
    "equations.D": ("pencils",),
    "equations.chain": ("determinants",),
    "equations.common": ("common tables",),
    "equations.times": ("chains",),
    "equations.margin": ("margins",),
    "equations.through": ("spans",),
    "equations.exchangeable": ("distinct cells",),
    "mechanisms": ("mechanisms",),
    "differences": ("differences",),
    "parts": ("parts",),
    "fewer-states": ("fewer states", "districts"),
    "normal-form": ("normal forms", "symmetry"),
    "containing": ("containing",),
    "sum-scores": ("sigmoid", "generic rank"),
}
"""What the evidence about networks rests on; in certificates of other families it stands inside of theirs."""

VERIFYING = Verifying(collect_claim_lemmas, RESTS_ON)
