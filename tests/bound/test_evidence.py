"""What bounds say of themselves: the reason in words, the keys of the evidence, and the lemmas, for a model of each kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import algdim
from algdim.bound.bounds import UPPER
from algdim.bound.counting import bound_by_counting
from algdim.families.discrete.bounds.search import bound_by_ambient
from algdim.families.discrete.bounds.secants import bound_binary_items, bound_defective
from algdim.families.discrete.map import get_param_map
from algdim.families.latentprofile.family import bound_by_moments
from algdim.maps import map_of

RING = "gaussian: F -> X, Y; G -> Z, W; F -> G; F, G -> U; hidden F, G"

SAID = {
    ("A -> H -> B; hidden H; states A=3, B=3", "symmetry"): (
        "7 − 2: A counts as a root with a free table, of 2 parameters; 9 − 2; 2 directions around H in which nothing observed changes",
        "prime point parameters rank fields.type fields.hidden fields.left fields.right fields.pairs roots",
        "districts symmetry",
    ),
    ("gaussian: F -> X, Y, Z, W; hidden F", "symmetry"): (
        "14 − 2; 2 directions in which nothing observed changes, the scale of F; the mean of F",
        "seed prime point parameters rank fields.coefficient fields.factor fields.move fields.of",
        "moves symmetry",
    ),
    (RING, "minors"): (
        "20 − 3; 3 equations, cov(X,Y,U; Z,W) (3×2, rank 1 through G); cov(X,Y; Z,W,U) (2×3, rank 1 through F)",
        "codimension seed prime point minors.rows minors.columns minors.rank minors.left minors.right",
        "treks equations",
    ),
    ("gaussian: F, G -> A, B, C, D, E, U; hidden F, G", "minors"): (
        "27 − 4; 4 equations, cov(A,C,D; B,E,U) (3×3, rank 2 through F,G); cov(A,B,E; C,D,U) (3×3, rank 2 through F,G); cov(A,B,D; C,E,U) (3×3, rank 2 through F,G); … (4 in all)",
        "codimension seed prime point minors.rows minors.columns minors.rank minors.left minors.right",
        "treks equations",
    ),
    ("polynomial: parameters x, y, z; coordinates x+y+z, (x+y+z)^2", "symmetry"): (
        "3 − 2; 2 directions in which no coordinate changes; one is dx = (-1); dy = 1",
        "prime point parameters rank fields.x fields.y fields.z",
        "symmetry",
    ),
    ("w-structure-5", "containing"): (
        "12 − 2: A, B count as roots with free tables, of 2 parameters; 12 parameters of the network with H averaged out (arcs reversed, GHM96 §5)",
        "averaged_out parents.A parents.C parents.D parents.B made_free roots",
        "districts containing",
    ),
    ("2(2,3(2,2))", "trees"): (
        "after reduction (suppressed H1): 7: local model 3:2,2,2 (8 cells, which sum to 1)",
        "capped spliced deleted inner_edges parts.classes parts.items parts.times parts.value parts.evidence.kind parts.evidence.reason",
        "tree rule capping counting and ambient",
    ),
    ("2(2(2,2),2(2,2))", "settimi-smith"): (
        "13 − 2·1, a tree of binary variables, hidden ones with two neighbours: 1 (Settimi, Smith 1999; KZ02 Theorem 2)",
        "theorem parameters two_neighbours",
        "tree rule capping Kruskal",
    ),
    ("loglinear: {H,A}, {H,B}, {H,C}, {H,D}; hidden H; states H=3", "containing"): (
        "3:2,2,2,2 contains the model: 15 − 2; 2 equations, flattening X1,X3|X2,X4 (4×4, rank 3); flattening X1,X2|X3,X4 (4×4, rank 3)",
        "model by",
        "log-linear containing matrices of bounded rank equations",
    ),
    ("noisy-or: {A,B},{C},{A,B} -> E; given A, B, C", "mechanisms"): (
        "7 parameters; the 7 of E.1, E.2, E.3 act through 4 numbers",
        "effects",
        "mechanisms",
    ),
    ("classifier Y: Y -> A, B; states Y=3", "linear-map"): (
        "rank 6 of the linear map κ → λ: 2·(1 + 1 + 1)",
        "",
        "classifier interactions",
    ),
    ("gaussian: A -> B -> C; D -> C; hidden D", "ambient"): (
        "6 variances and covariances, 3 means",
        "",
        "counting and ambient",
    ),
    ("latent-profile: H -> X; hidden H", "counting"): ("5 parameters", "", "moments"),
}


def keys(value, before=""):
    """The keys of nested records, with dots; lists are gone into."""
    match value:
        case dict():
            return dict.fromkeys(key for name, inner in value.items() for key in keys(inner, f"{before}.{name}"))
        case [dict() | [dict(), *_], *_]:
            return dict.fromkeys(key for one in value for key in keys(one, before))
    return {before.removeprefix("."): None}


@pytest.mark.parametrize(("text", "kind"), SAID)
def test_what_a_bound_says(text, kind):
    """The whole sentence, and all keys and lemmas."""
    report = algdim.dimension(text, bounds=["counting", "ambient", "districts", kind])
    (bound,) = [one.upper for one in (*report.parts, report) if one.upper.kind == kind][:1]
    reason, evidence, lemmas = SAID[text, kind]

    assert (reason, lemmas.split()) == (bound.reason, " ".join(bound.trust.lemmas).split())
    assert evidence.split() == (list(keys(dict(bound.evidence))) if bound.evidence else [])
    assert (UPPER, True) == (bound.side, bound.is_proved)


def test_kruskal_says_where():
    """The prime and the labels of the draw repeat the ranks."""
    bound = algdim.dimension("3:2^400", bounds="counting,kruskal").lower

    assert {"classes", "blocks", "ranks", "prime", "seed", "labels"} == set(bound.evidence)
    assert bound.reason.endswith(f"ranks mod {bound.evidence['prime']})")


def test_a_large_latent_class_model_has_both_bounds():
    """Where Kruskal's condition holds no rank is taken, and the upper bound stays the count."""
    report = algdim.dimension("3:2^400", bounds="counting,kruskal")

    assert ("kruskal", "counting", 1202, 1202) == (
        *(report.lower.kind, report.upper.kind),
        *(report.lower.value, report.upper.value),
    )


def test_theorems_say_which_model():
    """Both sides of the theorem on binary items, and the upper side alone of the theorem on defective ones."""
    both = bound_binary_items(algdim.model("3:2,2,2,2"))
    other = bound_defective(algdim.model("4:3,3,3"))

    assert [{"theorem": "arXiv:0809.1701", "classes": 3, "items": 4}] * 2 == [dict(one.evidence) for one in both]
    assert ("upper", 25, {"theorem": "arXiv:math/0607191", "classes": 4, "items": [3, 3, 3]}) == (
        *(other.side, other.value),
        dict(other.evidence),
    )


def test_kept_entries_are_counted():
    """Without a leak E is not 1 where A = B = 0: of the kernel's eight entries seven are kept, in four rows."""
    report = algdim.dimension("noisy-or: {A,B},{A},{B} -> E", bounds="counting,ambient,districts,chance")
    part = report.parts[-1]

    assert ("ambient", "upper", 3) == (part.upper.kind, part.upper.side, part.upper.value)
    assert "7 entries kept, 4 sums of them equal to 1" == part.upper.reason


@pytest.mark.parametrize(("bound", "name"), [(bound_by_counting, "counting"), (bound_by_ambient, "ambient")])
def test_bounds_that_count_have_the_name_by_which_they_are_forced(bound, name):
    """Also of a map whose entries are not all kept."""
    pmap = get_param_map(algdim.model("A -> B; given A"))
    kept = replace(pmap, kept_coordinates=np.array([0, 1, 2]))

    assert [(name, UPPER)] * 2 == [(one.kind, one.side) for one in (bound(pmap), bound(kept))]


def test_moments_that_are_taken():
    """An order that is asked for is not called the least."""
    least, asked = (algdim.dimension(f"latent-profile: H -> X; hidden H{more}") for more in ("", "; moments 5"))

    assert "taken are the moments up to order 5, the least order found to show all 5 parameters; what" in str(least)
    assert "taken are the moments up to order 5; what" in str(asked)


def test_moments_say_up_to_which_order():
    """The bound of the moments alone, beside that of the distributions."""
    bound = bound_by_moments(map_of(algdim.model("latent-profile: H -> X; hidden H; moments 4")))

    assert ("ambient", 4, {"order": 4}) == (bound.kind, bound.value, dict(bound.evidence))


def test_moves_say_by_how_much():
    """The scale and the mean of a factor, each by itself and with coefficient 1."""
    bound = algdim.dimension("gaussian: F -> X, Y, Z, W; hidden F", bounds="counting,ambient,symmetry").upper

    assert [
        [{"coefficient": "1", "factor": None, "move": "both", "of": ["F", "F"]}],
        [{"coefficient": "1", "factor": None, "move": "mean", "of": ["F"]}],
    ] == bound.evidence["fields"]
