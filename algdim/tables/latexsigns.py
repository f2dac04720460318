"""Text in LaTeX: what means something there is escaped, what its fonts lack is written as mathematics.

Nothing but LaTeX itself is needed, so a table compiles in a document of two lines, whatever the compiler.
"""

from __future__ import annotations

import re

GREEK = {
    "αβγδεζηθικλμνξπρστυχψω": (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega"
    ),
    "ΓΔΘΛΞΠΦΨΩ": "Gamma Delta Theta Lambda Xi Pi Phi Psi Omega",
}
"""Letters and their names."""

SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"${sign}$" for sign in "<>|"},
    **{
        letter: rf"$\{name}$"
        for letters, names in GREEK.items()
        for letter, name in zip(letters, names.split(), strict=True)
    },
    **{sign: f"$^{digit}$" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"$_{digit}$" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    "φ": r"$\varphi$",
    "Σ": r"$\sum$",
    "∏": r"$\prod$",
    "⁻¹": "$^{-1}$",
    "½": r"$\frac12$",
    "x̄": r"$\bar x$",
    "ȳ": r"$\bar y$",
    "θ̂": r"$\hat\theta$",
    "√": r"$\surd$",
    "∂": r"$\partial$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "∝": r"$\propto$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$",
    "⊥": r"$\perp$",
    "∈": r"$\in$",
    "∞": r"$\infty$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "ℚ": r"$\mathbf{Q}$",
    "ℝ": r"$\mathbf{R}$",
    "…": r"\dots{}",
    "—": "---",
    "§": r"\S{}",
}
PATTERN = re.compile("|".join(map(re.escape, sorted(SIGNS, key=len, reverse=True))))
"""Signs that are written otherwise in LaTeX; a letter with its accent before the letter."""


def escaped(value: str) -> str:
    r"""A text for LaTeX.

    >>> escaped("2^5_1 ≤ β₂")
    '2\\textasciicircum{}5\\_1 $\\leq$ $\\beta$$_2$'
    """
    return PATTERN.sub(lambda sign: SIGNS[sign[0]], value)


def label_of(name: str) -> str:
    """A name that can be a label in LaTeX and in Typst: all but letters, digits, ``_``, ``.`` and ``-`` becomes ``-``.

    >>> label_of("my table#1_b")
    'my-table-1_b'
    """
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
