"""Tables of LaTeX and Markdown: cells as text, lines, and what is refused."""

from __future__ import annotations

import pytest
from amount import daily, some
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import networks

from algdim.checking.markup import MARK, drop_marks, read_latex_cell, read_latex_tables, read_markdown_tables
from algdim.display.latexlayout import encode_model_for_latex
from algdim.display.rendering import encode_for_latex
from algdim.errors import InputError, LimitError
from algdim.models.catalogue import list_catalogue_entries
from algdim.models.notation import parse, to_text


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"$2{:}2^8$", "2:2^8"),
        (r"$2{:}2^{10}$", "2:2^10"),
        (r"\(A \to C \gets H\)", "A -> C <- H"),
        (r"$X_1 \leftrightarrow X_{12}$", "X1 <-> X12"),
        (r"A -$>$ C $<$- H", "A -> C <- H"),
        (r"max: \{C1\},\{C2,C3\} $\to$ E", "max: {C1},{C2,C3} -> E"),
        (r"\texttt{3:2,2,2,2}", "3:2,2,2,2"),
        (r"\textbf{13}\textsuperscript{a}", f"13{MARK}a{MARK}"),
        (r"13$^{\ast}$\footnote{By hand.}", f"13{MARK}*{MARK}"),
        (r"2:2\textsuperscript{8}", "2:2^8"),
        (r"X\textsubscript{1} -> X$_2$", "X1 -> X2"),
        (r"$H \to X_1X_2$", "H -> X1 X2"),
        (r"13\,14", "13 14"),
        (r"1\,234\,567", "1234567"),
        (r"$3{:}2,\,2,\,234$", "3:2, 2, 234"),
        (r"13\hfill 14", "13 14"),
        (r"\makecell{13\\140}", "13 140"),
        (r"\rotatebox[origin=c]{90}{$d_e$}", "de"),
        (r"\begin{sideways}$d_e$\end{sideways}", "de"),
        (r"\numrange{12}{14}", "12–14"),
        (r"\textcolor[rgb]{1,0,0}{\bfseries 13}\rule{0pt}{2ex}", "13"),
        (r"\hphantom{0}9", "9"),
        (r"$\leq 13$", "≤ 13"),
        (r"1\,234", "1234"),
        (r"\num{-5321.4}", "-5321.4"),
        (r"$-5321.4$", "-5321.4"),
        (r"5\% \& more", "5% & more"),
    ],
)
def test_a_cell_is_read(source, plain):
    """What papers write of models and numbers."""
    assert plain == read_latex_cell(source, "line 1")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"\multicolumn{2}{c}{both}", "a cell over several columns"),
        (r"\multirow{2}{*}{x}", "a cell over several rows"),
        (r"\mystery{3}", r"\mystery is not understood"),
        (r"\input{/etc/passwd}", "another file"),
        (r"2^{n}2", "exponent"),
        (r"$2{:}2^n$", "exponent"),
        (r"2\textsuperscript{n}", "exponent"),
        (r"\begin{turn}", "an argument is missing"),
        (r"\begin{tikzpicture}", "is not understood"),
        ("{13", "a brace is not closed"),
        ("13}", "a brace is closed"),
        (r"\textbf", "an argument is missing"),
        (r"2^{x+y+z}", "exponent"),
    ],
)
def test_a_cell_is_refused(source, words):
    """What is not understood is an error with its line, not a guess."""
    with pytest.raises(InputError, match="line 7") as error:
        read_latex_cell(source, "line 7")
    assert words in str(error.value)


def test_depth_is_bounded():
    """Braces in braces end in an error, not in a deep recursion."""
    with pytest.raises(LimitError, match="nested"):
        read_latex_cell("{" * 10_000 + "}" * 10_000, "line 1")


@given(st.text("AXH12 ->,;:^(){}=<|_&%#$", max_size=20))
@settings(max_examples=some(20))
def test_what_algdim_writes_is_read_back(text):
    """A model in a table of algdim's own is the same model again, but for blanks and signs that it does not have."""
    plain = "".join(sign for sign in text if sign not in "^{}_$")

    assert "".join(plain.split()) == "".join(read_latex_cell(encode_for_latex(plain), "line 1").split())


@given(networks())
@settings(max_examples=some(20))
def test_models_set_as_mathematics_are_read_back(network):
    """What a table of algdim writes is the same model for `check`, whatever its names are."""
    source = encode_model_for_latex(to_text(network))

    assert parse(read_latex_cell(source, "line 1")) == parse(to_text(network))


@pytest.mark.parametrize("text", daily([entry.notation for entry in list_catalogue_entries()], 12))
def test_named_models_are_read_back(text):
    """So is every model of the catalogue."""
    assert parse(read_latex_cell(encode_model_for_latex(text), "line 1")) == parse(text)


SOURCE = r"""
% algdim: model, dimension, -
Text with 3 \% and % \begin{tabular}{l} in a comment
\begin{tabularx}{\textwidth}{@{}l{r}X@{}}
  \toprule % algdim: not a line of its own
  A & B & C \\ \cmidrule(lr){1-2}

  2:2,2 & 3 &
     over two lines \\[2pt]
  \addlinespace[3pt]
  2:2^3 & 7 & \{a \& b\} \\
  \bottomrule
\end{tabularx}
\begin{longtable}{ll}
\caption{Long.} \\
a & b \\ \endhead
1 & 2
\end{longtable}
"""


def test_tables_are_found_with_their_lines():
    """Comments count for nothing but lines; rules, blank lines and the last row without an end are read rightly."""
    first, second = read_latex_tables(SOURCE)

    assert ("model", "dimension", "-") == first.columns
    assert (6, ("A", "B", "C")) == (first.heads.line, first.heads.cells)
    assert [(8, ("2:2,2", "3", "over two lines")), (11, ("2:2^3", "7", "{a & b}"))] == [
        (row.line, row.cells) for row in first.rows
    ]
    assert second.columns is None
    assert ("1", "2") == second.rows[-1].cells


@pytest.mark.parametrize(
    "source",
    [
        r"\begin{tabular}{l} a \\",
        r"\begin{tabular} a \\ \end{tabular}",
        r"\begin{tabular}{l} \begin{tabular}{l} a \end{tabular} \end{tabular}",
    ],
)
def test_broken_tables_are_errors(source):
    """With the line of the table."""
    with pytest.raises(InputError, match="line 1"):
        list(read_latex_tables(source))


def test_markdown():
    """Tables outside of fences, with alignment, escaped bars, bold numbers and formulas."""
    text = "# A\n\n| model | dim |\n|:--|--:|\n| `2:2,2` | **3**<sup>a</sup> |\n| $2{:}2^3$ | 7 |\n\n```\n| a | b |\n|--|--|\n```\n\nx | y\n--|--\n1\\|2 | 3\n"
    first, second = read_markdown_tables(text)

    assert ("model", "dim") == first.heads.cells
    assert [(5, ("2:2,2", "3")), (6, ("2:2^3", "7"))] == [
        (row.line, tuple(map(drop_marks, row.cells))) for row in first.rows
    ]
    assert ("1|2", "3") == second.rows[0].cells


def read_or_refuse(text):
    """The rows that are read of a text in both forms, or the error."""
    try:
        sheets = [
            *read_latex_tables("\\begin{tabular}{ll}" + text + "\\end{tabular}"),
            *read_markdown_tables("a | b\n--|--\n" + text),
        ]
    except (InputError, LimitError) as error:
        return str(error)
    return [row for sheet in sheets for row in (sheet.heads, *sheet.rows)]


@given(st.text("\\{}$&%^_ab1 |\n-[]", max_size=60))
@settings(max_examples=some(20))
def test_hostile_text_ends_in_an_error_or_in_tables(text):
    """Whatever stands in a source, there is no other exception, and there is a row or a message."""
    assert read_or_refuse(text)
