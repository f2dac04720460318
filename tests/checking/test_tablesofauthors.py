"""Tables as authors write them: the same claims in many layouts, and what must not be taken for a claim."""

from __future__ import annotations

import pytest

from algdim.checking.reading import read_claims
from algdim.errors import InputError


def read(folder, text, suffix=".tex"):
    """The claims of a text: model, quantity, what is printed; and the notes."""
    path = folder / f"claims{suffix}"
    path.write_text(text, encoding="utf-8")
    found = read_claims(str(path))
    return [(one.source.text, one.quantity, one.printed.text) for one in found.claims], found.notes


CLAIMS = [
    ("2:2^8", "parameters", "17"),
    ("2:2^8", "dimension", "17"),
    ("2:2^8", "df", "238"),
    ("3:2,2,2,2", "parameters", "14"),
    ("3:2,2,2,2", "dimension", "≤ 14"),
    ("3:2,2,2,2", "df", "1…2"),
    ("A -> C <- H; hidden H", "dimension", "1234"),
]
ROWS = r"""
eight & $2{:}2^{8}$ & 17 & \textbf{17} & $238^{\dagger}$ \\
four & \texttt{3:2,2,2,2} & 14\tnote{a} & $\leq 14$ & 1--2 \\
part & $A \to C \leftarrow H$; hidden $H$ & n/a & \num{1234}$^{*}$ & --- \\
"""
LAYOUTS = {
    "booktabs": r"\begin{tabular}{llrrr}\toprule Name & Model & $d_s$ & $d_e$ & df \\ \midrule"
    + ROWS
    + r"\bottomrule\end{tabular}",
    "lines": r"\begin{tabular}{|l|l|r|r|r|}\hline Name & Model & $d_s$ & $d_e$ & df \\ \hline\hline"
    + ROWS.replace("\\\\\n", "\\\\ \\hline\n")
    + r"\end{tabular}",
    "two rows of heads": r"""\begin{tabular}{llrrr}\toprule
\multirow{2}{*}{Name} & \multirow{2}{*}{Model} & \multicolumn{3}{c}{Counts\textsuperscript{a}} \\ \cmidrule(lr){3-5}
 & & $d_s$ & $d_e$ & df \\ \midrule"""
    + ROWS
    + r"\end{tabular}",
    "titles of groups": r"\begin{tabular}{llrrr}Name & Model & $d_s$ & $d_e$ & df \\ \midrule"
    + ROWS.replace("part &", r"\multicolumn{5}{l}{\emph{Networks}} \\ part &")
    + r"\end{tabular}",
    "rotated": r"\begin{tabular}{llrrr}Name & Model & \rotatebox{90}{\# parameters} & \begin{turn}{90}dim.\end{turn} & \begin{sideways}d.f.\end{sideways} \\ \midrule"
    + ROWS
    + r"\end{tabular}",
    "long": r"""\begin{longtable}{llrrr}
\caption{Models.}\label{t} \\ \toprule
Name & Model & $d_s$ & $d_e$ & df \\ \midrule \endfirsthead
\multicolumn{5}{l}{continued} \\ Name & Model & $d_s$ & $d_e$ & df \\ \midrule \endhead
\midrule \multicolumn{5}{r}{continued} \\ \endfoot
\bottomrule \endlastfoot"""
    + ROWS
    + r"\end{longtable}",
    "tabularray": r"\begin{tblr}{colspec={llrrr}} Name & Model & $d_s$ & $d_e$ & df \\ \hline" + ROWS + r"\end{tblr}",
    "no heads": "% algdim: label, model, parameters, dimension, df\n\\begin{tabular}{llrrr}" + ROWS + r"\end{tabular}",
    "heads of another language": r"% algdim: label, model, parameters, dimension, df"
    "\n"
    r"\begin{tabular}{llrrr} & & \multicolumn{3}{c}{Anzahl} \\ \cline{3-5} Modell & & frei & wirksam & Rest \\ \hline"
    + ROWS
    + r"\end{tabular}",
    "commands of its own": r"""\newcommand{\lc}[2]{$#1{:}#2$}
\newcommand*\de{\ensuremath{d_e}}
\def\ds{d_s}\DeclareMathOperator{\df}{df}
\begin{tabular}{llrrr}\toprule Name & Model & $\ds$ & \de & $\df$ \\ \midrule"""
    + ROWS.replace("$2{:}2^{8}$", r"\lc{2}{2^{8}}").replace(r"\texttt{3:2,2,2,2}", "\\lc{3}\n  {2,2,2,2}")
    + r"\bottomrule\end{tabular}",
    "cells over several columns": r"\begin{tabular}{llrrr}Name & Model & $d_s$ & $d_e$ & df \\ \midrule"
    + ROWS.replace(r"17 & \textbf{17}", r"\multicolumn{2}{c}{\textbf{17}}").replace(
        "part & $A \\to C \\leftarrow H$; hidden $H$ &", "\\multicolumn{2}{l}{$A \\to C \\leftarrow H$; hidden $H$} &"
    )
    + r"\end{tabular}",
    "cells set by tabularray": r"\begin{tblr}{colspec={llrrr}} \SetCell[r=2]{l} Name & \SetCell[r=2]{l} Model & \SetCell[c=3]{c} Counts & & \\"
    r" & & $d_s$ & $d_e$ & df \\" + ROWS + r"\end{tblr}",
    "pictures in a column that is left out": "% algdim: label, model, parameters, dimension, df, -\n"
    r"\begin{tabular}{llrrrl}Name & Model & $d_s$ & $d_e$ & df & \includegraphics{graph} \\ \midrule"
    + ROWS.replace("\\\\\n", "& \\tikz \\draw (0,0); \\\\\n")
    + r"\end{tabular}",
    "second of two": r"\begin{tabular}{lr} City & Rain \\ \midrule Oslo & 3 \\ \end{tabular}"
    r"\begin{comment}\begin{tabular}{lr} Model & df \\ 2:2 & 7 \\ \end{tabular}\end{comment}"
    "\n% \\begin{tabular}{lr} Model & df \\\\ 2:2 & 7 \\\\ \\end{tabular}\n"
    r"\begin{tabular}{llrrr}Name & Model & $d_s$ & $d_e$ & df \\"
    + ROWS
    + r"\end{tabular}\end{document} \begin{tabular}{lr} Model & df \\ 2:2 & 7 \\ \end{tabular}",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_claims_in_every_layout(tmp_path, layout):
    """Rules, heads over several columns and rows, rotated heads, titles, long tables; comments and code claim nothing."""
    found, _ = read(tmp_path, LAYOUTS[layout])

    assert found == CLAIMS


def test_the_same_claims_in_markdown(tmp_path):
    """With the marks of type, footnotes and entities."""
    text = """
| Name | Model | $d_s$ | dim | d.f. |
|:--|:--|--:|--:|--:|
| eight | 2:2<sup>8</sup> | 17 | **17** | 238<sup>†</sup> |
| four | `3:2,2,2,2` | 14[^1] | &le; 14 | 1–2 |
| part | A -\\> C <- H; hidden H | n/a | **1,234**\\* | — |
"""
    found, _ = read(tmp_path, text, ".md")

    assert found == CLAIMS


def test_the_same_claims_in_csv(tmp_path):
    """As a spreadsheet with another decimal sign writes them."""
    text = (
        "\ufeffname;model;# parameters;dimension;df\neight;2:2^8;17;17;238†\nfour;3:2,2,2,2;14;≤ 14;1-2\n"
        'part;"A -> C <- H; hidden H";n.a.;1,234;\n'
    )
    found, _ = read(tmp_path, text, ".csv")

    assert found == CLAIMS


def test_a_model_over_several_rows(tmp_path):
    r"""The cell of \multirow is the model of every row beside it."""
    source = r"""\begin{tabular}{llr} Model & Quantity & Printed \\ \midrule
\multirow{2}{*}{$3{:}2^4$} & dimension & 13 \\ & df & 2 \\ $2{:}2^4$ & df & 6 \\ \end{tabular}"""

    assert [("3:2^4", "dimension", "13"), ("3:2^4", "df", "2"), ("2:2^4", "df", "6")] == read(tmp_path, source)[0]
    with pytest.raises(InputError, match="written below one over several rows"):
        read(tmp_path, source.replace("& df & 2", "2:2 & df & 2"))


def test_what_is_not_read_is_said(tmp_path):
    """Tables without models, titles, and other files, none of which is dropped in silence."""
    _, notes = read(tmp_path, r"\input{other} " + LAYOUTS["titles of groups"] + LAYOUTS["second of two"])

    assert [note.partition(",")[0] for note in notes] == [
        "not read: the file other",
        "not read: line 4",
        "not read: the table at line 5",
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (r"$2{:}2^n$ & 1", "exponent"),
        (r"$2{:}2$^{a}$ & 1", "may be a part of a name"),
        (r"$H^a \to X$ & 1", "may be a part of a name"),
        (r"$X^* \to X$ & 1", "may be a part of a name"),
        (r"$H \to X$, $Y^*$ & 1", "may be a part of a name"),
        (r"$H \to X$ & 13\,14", "an integer is expected"),
        (r"$H \to X$ & 13\textsuperscript{2}", "an integer is expected"),
        (r"$H \to X$ & 2$^n$", "exponent"),
        (r"$H \to X$ & 13$^a$14", "an integer is expected"),
        (r"$H \to X$ & \makecell{13\\140}", "an integer is expected"),
        (r"$H \to X$ & 13\%", "an integer is expected"),
        (r"$H \to X$ & 14--12", "does not begin below its end"),
        (r"\multicolumn{1}{l}{$H \to X$} & \multicolumn{2}{c}{3}", "3 cells; the table has 2 columns"),
        (r"$H \to X$ & \includegraphics{thirteen}", "includegraphics is not understood"),
        (r"$H \to X$ & \ding{80}", "not understood"),
        (r"\tikz \node {H}; & 3", "tikz is not understood"),
    ],
)
def test_what_could_be_read_wrongly_is_refused(tmp_path, row, words):
    """Each of these was, or would be, a false claim about another model or another number."""
    with pytest.raises(InputError) as error:
        read(tmp_path, rf"\begin{{tabular}}{{lr}} Model & $d_e$ \\ \midrule {row} \\ \end{{tabular}}")
    assert words in str(error.value)


def test_marks_behind_a_model(tmp_path):
    """They are left out where they cannot belong to a name."""
    source = r"\begin{tabular}{lr} Model & $d_e$ \\ $3{:}2^4$$^{*}$ & 13 \\ 5(2,3(2,2))$^\dagger$ & 7 \\ \end{tabular}"

    assert ["3:2^4", "5(2,3(2,2))"] == [model for model, _, _ in read(tmp_path, source)[0]]


def test_a_comma_that_may_be_a_decimal_point(tmp_path):
    """Of a score it is refused; of an integer it separates thousands."""
    (tmp_path / "x.csv").write_text("H,X\n", encoding="utf-8")
    with pytest.raises(InputError, match="may be a decimal point"):
        read(tmp_path, "model;quantity;printed;data\n2:2;bic;-705,123;x.csv\n", ".csv")


def test_a_rule_below_a_row_without_numbers(tmp_path):
    """Heads that are whole end with their row, so that no row of claims is taken for another one of them."""
    source = r"\begin{tabular}{llr} Model & identified & $d_e$ \\ $3{:}2^4$ & --- & --- \\ \hline $2{:}2^4$ & yes & 9 \\ \end{tabular}"

    assert [("2:2^4", "identifiable", "yes"), ("2:2^4", "dimension", "9")] == read(tmp_path, source)[0]


def test_quantities_in_rows(tmp_path):
    """A table with a model at the head of each column."""
    source = r"""\begin{tabular}{l|cc} \hline Model & $2{:}2^4$ & $3{:}2^4$ \\ \hline
$d_s$ & 9 & 14 \\ $d_e$ & 9 & --- \\ \hline\end{tabular}"""
    expected = [("2:2^4", "parameters", "9"), ("3:2^4", "parameters", "14"), ("2:2^4", "dimension", "9")]

    assert expected == read(tmp_path, source)[0]
    assert expected == read(tmp_path, "| | 2:2^4 | 3:2^4 |\n|--|--|--|\n| ds | 9 | 14 |\n| dim | 9 | – |\n", ".md")[0]
    with pytest.raises(InputError, match="the row 'AIC' is not known"):
        read(tmp_path, source.replace("$d_s$", "AIC"))


def test_models_by_their_number_of_classes(tmp_path):
    """The column says how many classes, a comment of what."""
    source = r"""% algdim: model {}:2^4, parameters, dimension
\begin{tabular}{crr} Classes & $p$ & $d$ \\ \hline 1 & 4 & 4 \\ 2 & 9 & 9 \\ \vdots & \vdots & \vdots \\ \end{tabular}"""
    with pytest.raises(InputError, match="takes an integer"):
        read(tmp_path, source)
    found, _ = read(tmp_path, source.replace(r"\vdots & \vdots & \vdots \\", ""))

    assert [model for model, _, _ in found] == ["1:2^4", "1:2^4", "2:2^4", "2:2^4"]


def test_dots_between_variables(tmp_path):
    """`X_1, …, X_4` are four variables; between other names dots are an error of the notation."""
    source = r"\begin{tabular}{lr} Model & dim \\ $H \to X_1, \dots, X_4$; hidden $H$ & 9 \\ \end{tabular}"

    assert "H -> X1..X4; hidden H" == read(tmp_path, source)[0][0][0]
    assert "H -> X1, …, Y4; hidden H" == read(tmp_path, source.replace("X_4", "Y_4"))[0][0][0]
