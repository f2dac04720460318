"""The gallery of the site: forty models as they are drawn, and six whole pages of `algdim explain`."""

from __future__ import annotations

from functools import lru_cache

LIVE = {
    "three-classes": ("3:2,2,2,2", "Three classes, four yes/no items: 14 parameters, 13 dimensions"),
    "tree": ("5(2,3(2,2),3(2,2))", "A latent tree taken apart edge by edge"),
    "w-structure": (
        "A -> C <- H -> D <- B; hidden H; states H=5",
        "The W structure with five hidden states: 10, where 11 is printed",
    ),
    "one-factor": ("gaussian: F -> X1, X2, X3, X4; hidden F; means off", "One factor and its tetrads"),
    "causal": ("max: {C1,C2},{C3} -> E", "Causal interaction: independent mechanisms under a maximum"),
    "classifier": ("classifier-figure-2a", "An embedded classifier: log-odds and their matrix"),
}
"""The pages that are made when the site is built, with `algdim explain MODEL --html`."""

GALLERY = {
    "Latent classes and trees": [
        "2:2,2",
        "3:2,2,2,2",
        "4:2,2,2",
        "4:3,3,3",
        "2:2^60",
        "5(2,3(2,2),3(2,2))",
        "3(2,2(2,2),2(2,2))",
        "2(2,!2(2,2))",
    ],
    "Networks": [
        "A -> B -> C",
        "A -> B -> C -> D; U -> B, D; hidden U",
        "A -> C <- H -> D <- B; hidden H",
        "H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2",
        "Z1 -> Z2 -> Z3 -> Z4; Z1 -> X1; Z2 -> X2; Z3 -> X3; Z4 -> X4; hidden Z1, Z2, Z3, Z4",
        "Z1 -> Z2 -> Z3; Z1 -> X1, Y1; Z2 -> X2, Y2; Z3 -> X3, Y3; hidden Z1, Z2, Z3",
        "Smoking -> TarDepositsLungs -> LungCancerStage1; Socioeconomic01 -> Smoking, LungCancerStage1; hidden Socioeconomic01",
        "A, H -> B; A, H -> C; A, H -> D; hidden H; given A",
        "A, B, C -> E; parity E",
    ],
    "Causal interaction, sums, sigmoid networks, classifiers": [
        "max: {C1,C2},{C3} -> E",
        "noisy-or: {A}, {B}, {} -> E",
        "sum: {A},{B} -> E",
        "poisson: {C1,C2},{C3} -> E",
        "sigmoid: H -> X1, X2, X3, X4; hidden H",
        "sigmoid: H1, H2 -> X1, X2, X3; hidden H1, H2",
        "classifier Y: Y -> X1, X2",
        "classifier Y: Y -> X1; Y -> X2; X1 -> X2; states Y=3",
    ],
    "Continuous variables": [
        "gaussian: H -> A, B, C, D; hidden H; means off",
        "gaussian: F -> X1, X2, X3, X4; hidden F; fix b(F->X1)=1, b(F->X2)=1/2; equal l = b(F->X3), b(F->X4)",
        "gaussian: F -> X1, X2, X3; G -> X4, X5, X6; F -> G; hidden F, G; fix b(F->X1)=1, b(G->X4)=1",
        "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G; F <-> G; X1 <-> X5",
        "gaussian: A -> B -> C -> D; U -> B, D; hidden U",
        "gaussian: A -> B -> C -> A; D -> A; means off",
        "gaussian: A -> B -> C -> A; C -> D; A <-> D",
        "gaussian: X -> Y; Y -> Z; Z -> Y",
        "gaussian: A -> B -> C; A <-> C",
        "gaussian: A <-> B; B <-> C; C <-> A",
        "gaussian: X -> Y; X <-> Y",
        "latent-profile: H -> X, Y, C; hidden H; states H=2, C=3; covariances full",
    ],
    "Without arrows": [
        "loglinear: {A,B}, {B,C}, {A,C}",
        "loglinear: {A,B}, {B,C}, {C,D}, {D,A}",
        "loglinear: {A,H}, {B,H}; hidden H",
    ],
}
"""Forty models of all kinds. A test looks at each: no name and no label covers another."""

BEGINNING = """# Gallery

## Six whole pages

Each is one file that [`algdim explain MODEL --html`](teaching.md#a-page-for-the-projector) wrote when this site was built. It needs no network. Press *Present* for the projector.

"""
MIDDLE = """
## Forty models

As `algdim explain MODEL --svg network` draws them. Circles are latent, squares are observed; a number is that of the states; a shaded frame is a district; a dashed arc is a correlated error; a stack stands for many alike items. A test looks at all forty: no name and no label covers another, names of sixteen letters are whole.

"""
END = """
## Compared with dagitty and semPlot

[dagitty](https://www.dagitty.net) draws causal graphs in the browser and in R; semPlot draws structural equation models in R. The same models look different in the three because the pictures answer different questions. The columns describe the defaults of `plot` in dagitty 0.3-4, by its manual, and of `semPaths` in semPlot 1.1.6, by what it draws. Ten structural equation models were drawn by `semPaths` and by algdim, and put next to each other: one factor; two factors, with and without a loading in common; three factors (Holzinger and Swineford); a factor of factors; two and three factors with arrows between them (Bollen's political democracy); indicators and causes of one factor; mediation; an instrument. Ten graphs that dagitty has as examples, from the M-bias graph to Shrier and Platt (2008), Schipf et al. (2010) and van Kampen (2014), were compared at the coordinates that their authors gave; dagitty itself was not run. Where a picture of algdim was the harder one to read, its layout was changed: a factor is above the middle of its indicators, two factors with an arrow are next to each other, graphs with many layers go to the right, and no edge runs through a node of these graphs. A long chain of sixteen variables is still smaller here than where its author bent it by hand.

| | dagitty | semPlot | algdim |
|---|---|---|---|
| what the picture is for | causal paths and adjustment sets | the structure of a fitted model, on request with estimates | which parameters there are, and what limits the dimension |
| latent and observed variables | names, the role of a variable by colour in the browser | circles and squares | circles and squares, as wide as their names |
| names | whole, or abbreviated on request | the first three letters, unless more are asked for | whole up to 16 letters |
| position of nodes | coordinates given by the author; else a spring layout that differs from run to run | layers: a tree, on request a circle or springs | layers, always the same, parents above the middle of their children; chains and graphs of many layers to the right; undirected models on a circle |
| correlated errors | bidirected arrows | curved bidirected arrows | dashed arcs |
| variances and means | not drawn | loops, and triangles for intercepts | not drawn: they are in the table of parameters |
| fixed values | none | dashed edges | the value at the edge, `= 1` |
| numbers of states | none | none | under the name |
| many similar items | one by one | one by one | one stack from 13 on |
| districts | not drawn | not drawn | a shaded frame |

Taken from the conventions that both share: parents above children, latent variables next to each other with their indicators on one side, arrows with two heads for correlated errors, and from path diagrams circles for latent and squares for observed variables. Different on purpose: colour never carries meaning alone, no estimate is shown, and what the dimension depends on is shown: numbers of states, fixed values, districts. Graphs of dagitty and models of lavaan are [read directly](formats.md).
"""


def list_models() -> list[str]:
    """All models, in order."""
    return [text for models in GALLERY.values() for text in models]


@lru_cache
def draw_all() -> dict[str, str]:
    """The pictures, by the place of their files."""
    from algdim import model
    from algdim.plots.networkdrawing import draw_network
    from algdim.plots.svg import convert_to_standalone

    return {
        f"gallery/{number:02}.svg": convert_to_standalone(draw_network(model(text)))
        for number, text in enumerate(list_models(), 1)
    }


@lru_cache
def make_pages() -> dict[str, str]:
    """The pages of `explain`, by the place of their files."""
    import algdim

    return {f"live/{name}.html": algdim.explain(text).html() for name, (text, _) in LIVE.items()}


def write_page() -> str:
    """The page in Markdown."""
    lines = [BEGINNING]
    for name, (text, title) in LIVE.items():
        lines.append(f"- [{title}](live/{name}.html): `{text}`; [as screens](live/{name}.html?present)\n")
    lines.append(MIDDLE)
    number = 0
    for title, models in GALLERY.items():
        lines.append(f'\n### {title}\n\n<div class="gallery" markdown="1">\n\n')
        for text in models:
            number += 1
            lines.append(
                f'<figure markdown="1">\n![{text}](gallery/{number:02}.svg)\n<figcaption markdown="1">`{text}`</figcaption>\n</figure>\n\n'
            )
        lines.append("</div>\n")
    lines.append(END)
    return "".join(lines)
