"""Draws the pictures of the pages, docs/pictures/*.svg, as the commands draw them: `python docs/_site/pictures.py [NAME ...]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
CATALOGUE_OF_KZ02 = "lc cells<=27"

MODELS: Mapping[str, tuple[str, str]] = {
    "additive": ("network", "poisson: {A,B},{B,C} -> E"),
    "maxima": ("network", "max-poisson: {A,B},{B,C} -> E"),
    "shared": ("network", "poisson: {A,H},{B} -> E; {H},{B} -> F; hidden H"),
    "ordered": ("network", "at-least-normal 2: {A},{B},{A,C} -> E"),
    "causal": ("network", "max: {C1,C2},{C3} -> E"),
    "claims": ("derivation", "3:2,2,2,2"),
    "classes": ("states", "3:2^4"),
    "classifier": ("network", "classifier-figure-2a"),
    "clinic": ("network", "examples/clinic.bif"),
    "compare": ("network", "mh97-f1"),
    "conditional-gaussian": (
        "network",
        "conditional-gaussian: H -> X1..X5; F, G -> X1..X5; hidden H, F, G; states H=2; fix v(F)=1, v(G)=1",
    ),
    "confounder": ("network", "Gene -> Smoking, Cancer; Smoking -> Cancer; hidden Gene"),
    "diagnosis": ("network", "diagnosis DINA: items 10, 01, 11, 10, 01"),
    "examples": ("jacobian", "A -> C <- H -> D <- B; hidden H"),
    "factor": ("jacobian", "gaussian: F -> X1, X2, X3; hidden F; means off"),
    "front-door": ("network", "examples/frontdoor.dagitty"),
    "gaussian": ("network", "gaussian-w-structure"),
    "groups": ("network", "G -> H; H -> A, B, C; G, H -> D; hidden H; given G"),
    "holzinger-swineford": ("network", "examples/holzinger-swineford.lav"),
    "interactions": ("network", "max: {A},{B,C} -> E; A -> B"),
    "latent-profile": ("network", "latent-profile: H -> X1, X2, C; hidden H; states H=3, C=4"),
    "loglinear": ("network", "loglinear: {X1,H}, {X2,H}, {X3,H}, {X4,H}; hidden H; states H=3"),
    "pairs": ("network", "examples/pairs.R"),
    "pairs-jacobian": ("jacobian", "examples/pairs.R"),
    "phylogeny": ("network", "phylo JC69: ((Human,Chimpanzee),(Gorilla,Orangutan))"),
    "polynomial": ("jacobian", "polynomial: parameters a, b, c; coordinates a*b, b*c, a/c"),
    "sigmoid": ("network", "sigmoid: H1, H2 -> X1, X2, X3, X4; hidden H1, H2"),
    "symptoms": ("fibre", "gaussian: f -> x1, x2; hidden f; fix v(f)=1; means off"),
    "slices": ("network", "hmm: states 3, items 4, length 3, homogeneous"),
    "ternary": ("states", "4:3,3,3"),
    "topics": ("network", "3:50^4*"),
    "tetrads": ("network", "gaussian: f -> x1, x2, x3, x4; hidden f; means off"),
    "tree": ("network", "5(2,3(2,2),3(2,2))"),
    "two-factors": (
        "network",
        "gaussian: f -> x1, x2, x3; g -> y1, y2, y3; f -> g; hidden f, g; means off",
    ),
    "verma": ("network", "verma"),
    "w-three": ("network", "A -> C <- H -> D <- B; hidden H; states H=3"),
}
"""The pictures that `algdim explain MODEL --svg KIND` draws: by name the kind and the model."""


def draw_model(name: str) -> str:
    """A picture of one model."""
    from algdim.explanation.explaining import draw_picture

    kind, model = MODELS[name]
    with chdir(ROOT):
        return draw_picture(model, kind)


def draw_selection(score: str) -> str:
    """The scores of one to five classes for 500 cases of two, which docs/selecting.md chooses from."""
    import algdim

    truth = {"H": [[0.4, 0.6]], **{f"X{k}": [[0.9, 0.1], [0.2, 0.8]] for k in range(1, 5)}}
    data = algdim.simulate("2:2^4", truth, 500, seed=1)
    return str(algdim.select(data.columns, classes="1..5", score=score, by=score.partition(",")[0]).plot())


def draw_sweep() -> str:
    """Dimension against parameters of all latent class models with up to 27 cells: below the line parameters are redundant."""
    import algdim
    from algdim.plots.svg import Axis, Series, plot

    with tempfile.TemporaryDirectory() as folder:
        swept = algdim.sweep(CATALOGUE_OF_KZ02, f"{folder}/results.sqlite", workers=1)
        rows = algdim.query(swept.store, columns=["standard", "dimension"]).to_pandas()
    pairs = sorted({(int(standard), int(de)) for standard, de in zip(rows["standard"], rows["dimension"], strict=True)})
    most = max(standard for standard, _ in pairs)
    return plot(
        "latent class models with at most 27 cells",
        Axis("parameters"),
        Axis("dimension"),
        [
            Series("a model", tuple((float(x), float(y)) for x, y in pairs), joined=False),
            Series("dimension = parameters", ((0.0, 0.0), (float(most), float(most)))),
        ],
    )


COMPUTED: Mapping[str, Callable[[], str]] = {
    "scores": lambda: draw_selection("bic+,sbic,bic"),
    "selecting": lambda: draw_selection("bic+,bic"),
    "sweep": draw_sweep,
}
"""Those that are drawn from numbers of a computation."""


def draw(name: str) -> str:
    """The text of a picture."""
    return COMPUTED[name]() if name in COMPUTED else draw_model(name)


def write_pictures(names: list[str]) -> None:
    """Draw those that are named, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or [*MODELS, *COMPUTED]:
        (FOLDER / f"{name}.svg").write_text(draw(name), encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    write_pictures(sys.argv[1:])
