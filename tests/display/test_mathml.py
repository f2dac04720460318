"""Formulas as MathML: well formed, with the right elements; what is not known is an error."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from algdim.display.mathml import convert_to_mathml


@pytest.mark.parametrize(
    ("latex", "tags", "text"),
    [
        (r"\sum_{h} P(h)\,\prod_{i=1}^{4} P(x_{i}\mid h)", ["munder", "munderover", "msub"], "∑hP(h)∏i=14P(xi∣h)"),
        (r"\Sigma = (I - B)^{-1}\,\Omega\,(I - B)^{-\top}", ["msup"], "Σ=(I−B)−1Ω(I−B)−⊤"),
        (r"\lambda_{k}(x) = \log\frac{P(y_{k}\mid x)}{P(y_{0}\mid x)}", ["mfrac", "msub"], "λk(x)=logP(yk∣x)P(y0∣x)"),
        (r"\left(1 - a\right)^{2} \cdot \mathrm{Some\_name}", ["msup", "mi"], "(1−a)2·Some_name"),
        (r"\begin{pmatrix}a & b \\ c & d\end{pmatrix}", ["mtable", "mtr", "mtd"], "(abcd)"),
        (r"p = 1 \text{ if } a < b", ["mtext"], "p=1\u00a0if\u00a0a<b"),
        (r"B_{x,h}^{h}", ["msubsup"], "Bx,hh"),
    ],
)
def test_formulas(latex, tags, text):
    """What the project writes."""
    found = ET.fromstring(convert_to_mathml(latex))
    seen = [element.tag for element in found.iter()]

    assert all(tag in seen for tag in tags)
    assert text == "".join(found.itertext())


@pytest.mark.parametrize("latex", [r"\unknown", "{a", "a_", "}", r"\frac{a}", r"\text{a"])
def test_no_formula_is_shown_wrong(latex):
    """An error instead."""
    with pytest.raises(ValueError, match=r"formula|form|brace|missing"):
        convert_to_mathml(latex)
