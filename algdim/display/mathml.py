r"""Formulas in LaTeX as MathML, which browsers show without a script and without a network.

The part of LaTeX that the project writes: letters and numbers, indices and exponents, fractions, sums and products over
something, parentheses, matrices, names in upright letters. What is not known is an error, so that no formula is shown wrong.

>>> convert_to_mathml(r"p(x) = \sum_{h} \pi_h")[:40]
'<math display="block"><mrow><mi>p</mi><m'
"""

from __future__ import annotations

import re
from html import escape

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^&]|[A-Za-z]|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ",
    "psi": "ψ", "omega": "ω", "Sigma": "Σ", "Omega": "Ω", "Theta": "Θ", "Lambda": "Λ", "Phi": "Φ", "ell": "ℓ", "top": "⊤",
}  # fmt: skip
SIGNS = {
    "cdot": "·", "times": "×", "mid": "∣", "to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "in": "∈", "notin": "∉", "propto": "∝", "approx": "≈", "ldots": "…",
    "cdots": "⋯", "dots": "…", "partial": "∂", "infty": "∞", "oplus": "⊕", "pm": "±", "sim": "∼", "wedge": "∧", "vee": "∨",
    "lbrace": "{", "rbrace": "}", "bmod": "mod",
}  # fmt: skip
LARGE = {"sum": "∑", "prod": "∏"}
FUNCTIONS = frozenset("log exp max min det rank cov mod".split())
SPACES = {",": ".17em", ";": ".28em", ":": ".22em", "!": "-.17em", " ": ".3em", "quad": "1em", "qquad": "2em"}
UPRIGHT = frozenset({"mathrm", "operatorname", "text", "mathit", "mathbf"})
IGNORED = frozenset({"left", "right", "displaystyle", "allowbreak", "big", "Big", "bigl", "bigr", "Bigl", "Bigr"})
PARENTHESES = frozenset("()[]|‖")


def convert_to_mathml(latex: str, *, block: bool = True) -> str:
    r"""A formula as a math element.

    >>> convert_to_mathml(r"\frac{a}{b_1^2}", block=False)
    '<math><mrow><mfrac><mi>a</mi><mrow><msubsup><mi>b</mi><mn>1</mn><mn>2</mn></msubsup></mrow></mfrac></mrow></math>'
    >>> convert_to_mathml(r"\foo")
    Traceback (most recent call last):
        ...
    ValueError: \foo has no form in MathML here
    """
    reader = Reader(latex)
    inside = reader.read_row("")
    start = '<math display="block">' if block else "<math>"
    return f"{start}{wrap_row(inside)}</math>"


MOST_IN_A_LINE = 60
"""Signs of a formula that is not broken into lines."""
SIGN = re.compile("<[^>]*>")


def convert_to_formula(latex: str) -> str:
    r"""A formula on its own; a long one can be broken between its terms and factors, which MathML alone cannot.

    >>> convert_to_formula("a = b") == convert_to_mathml("a = b")
    True
    >>> convert_to_formula("a = " + " + ".join(["P(x)"] * 30)).count("<wbr>")
    30
    """
    parts = Reader(latex).read_row("")
    if sum(len(SIGN.sub("", part)) for part in parts) <= MOST_IN_A_LINE:
        return convert_to_mathml(latex)
    pieces: list[list[str]] = [[]]
    depth = 0
    for part in parts:
        sign = SIGN.sub("", part)
        relation = part in {"<mo>=</mo>", "<mo>+</mo>", "<mo>−</mo>"}
        if (
            depth == 0
            and pieces[-1]
            and (relation or sign[:1] in LARGE.values() or pieces[-1][-1].startswith("<mspace"))
        ):
            pieces.append([])
        starts = relation and not pieces[-1]
        pieces[-1].append(part.replace("<mo>", '<mo form="infix">') if starts else part)
        depth += (sign in {"(", "["}) - (sign in {")", "]"})
    return f'<p class="formula">{"<wbr>".join(f"<math displaystyle={chr(34)}true{chr(34)}>{wrap_row(piece)}</math>" for piece in pieces)}</p>'


def wrap_row(parts: list[str]) -> str:
    """Several elements as one."""
    return f"<mrow>{''.join(parts)}</mrow>"


class Reader:
    """What is left to be read."""

    def __init__(self, latex: str) -> None:
        self.tokens = (
            [sign for sign in TOKEN.findall(latex) if not sign.isspace()]
            if "\\text" not in latex
            else list(TOKEN.findall(latex))
        )
        self.place = 0

    def peek(self) -> str:
        """The next sign that is no space."""
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        """The next sign that is no space, which is read then."""
        found = self.peek()
        self.place += 1
        return found

    def read_row(self, end: str) -> list[str]:
        """Elements up to an end, which is not read."""
        parts: list[str] = []
        while True:
            sign = self.peek()
            if sign in {end, ""} or (sign in {"&", "\\\\"} and end == "\\end"):
                if sign != end and end and sign == "":
                    raise ValueError(f"{end} is missing at the end of a formula")
                return parts
            parts.append(self.read_scripted())

    def read_scripted(self) -> str:
        """An element with its index and exponent."""
        large = self.peek().removeprefix("\\") in LARGE and self.peek().startswith("\\")
        base = self.read_element()
        below = above = ""
        while self.peek() in {"_", "^"}:
            script = self.take()
            found = self.read_element()
            below, above = (found, above) if script == "_" else (below, found)
        if not below and not above:
            return base
        under, over, both = ("munder", "mover", "munderover") if large else ("msub", "msup", "msubsup")
        if below and above:
            return f"<{both}>{base}{below}{above}</{both}>"
        return f"<{under}>{base}{below}</{under}>" if below else f"<{over}>{base}{above}</{over}>"

    def read_group(self) -> list[str]:
        """What is between braces."""
        if self.take() != "{":
            raise ValueError("a brace is missing in a formula")
        parts = self.read_row("}")
        self.take()
        return parts

    def read_letters(self) -> str:
        """Letters between braces as they are, spaces too."""
        if self.take() != "{":
            raise ValueError("a brace is missing in a formula")
        found, depth = "", 1
        while depth:
            if self.place >= len(self.tokens):
                raise ValueError("a brace is missing at the end of a formula")
            sign = self.tokens[self.place]
            self.place += 1
            depth += (sign == "{") - (sign == "}")
            found += sign if depth and sign not in "{}" else ""
        return re.sub(r"\\(.)", r"\1", found)

    def read_element(self) -> str:
        """One element without its scripts."""
        sign = self.take()
        if sign == "{":
            self.place -= 1
            parts = self.read_group()
            return parts[0] if len(parts) == 1 and not parts[0].startswith("<msub") else wrap_row(parts)
        if sign.startswith("\\"):
            return self.read_command(sign[1:])
        if sign.isalpha():
            return f"<mi>{sign}</mi>"
        if sign[:1].isdigit():
            return f"<mn>{sign}</mn>"
        if sign in PARENTHESES:
            return f'<mo stretchy="false">{sign}</mo>'
        if not sign or sign in {"}", "_", "^", "&"}:
            raise ValueError(f"a formula has {sign or 'nothing'} where an element is expected")
        return f"<mo>{escape({'-': '−', '*': '·'}.get(sign, sign))}</mo>"

    def read_command(self, name: str) -> str:
        """What begins with a backslash."""
        if name in LETTERS:
            return f"<mi>{LETTERS[name]}</mi>"
        if name in SIGNS:
            return f"<mo>{SIGNS[name]}</mo>"
        if name in LARGE:
            return f"<mo>{LARGE[name]}</mo>"
        if name in FUNCTIONS:
            return f"<mi>{name}</mi>"
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"/>'
        if name in {"frac", "tfrac", "dfrac"}:
            over, under = wrap_row(self.read_group()), wrap_row(self.read_group())
            return f"<mfrac>{over.removeprefix('<mrow>').removesuffix('</mrow>') if over.count('<m') == 2 else over}{under}</mfrac>"
        if name in UPRIGHT:
            text = escape(self.read_letters())
            if name == "text":  # spaces at its ends would be lost
                return f"<mtext>{text.replace(' ', NO_BREAK)}</mtext>"
            return f"<mi{'' if name == 'mathit' else NORMAL}>{text}</mi>"
        if name in IGNORED:
            return self.read_element()
        if name == "begin":
            return self.read_matrix()
        if len(name) == 1 and not name.isalpha():
            return f"<mo>{escape(name)}</mo>"
        raise ValueError(f"\\{name} has no form in MathML here")

    def read_matrix(self) -> str:
        """A matrix with parentheres around, row by row."""
        kind = self.read_letters()
        rows: list[list[str]] = [[]]
        while True:
            rows[-1].append(wrap_row(self.read_row("\\end")))
            sign = self.take()
            if sign == "\\\\":
                rows.append([])
            elif sign == "\\end":
                self.read_letters()
                break
        table = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
        left, right = {"pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "cases": ("{", "")}.get(kind, ("", ""))
        closing = f"<mo>{right}</mo>" if right else ""
        return f"<mrow><mo>{left}</mo><mtable>{table}</mtable>{closing}</mrow>"


NO_BREAK = "\u00a0"
NORMAL = ' mathvariant="normal"'


def format_value_latex(name: str) -> str:
    r"""The value of a variable: its name in small letters, a number at the end as an index.

    >>> format_value_latex("X12"), format_value_latex("Smoking"), format_value_latex("E.1")
    ('x_{12}', '\\mathit{smoking}', 'e_{1}')
    """
    found = re.fullmatch(r"([A-Za-z]+)[._]?(\d+)", name)
    stem, index = (found[1], found[2]) if found else (name, "")
    small = stem.lower() if len(stem) == 1 else rf"\mathit{{{stem.lower()}}}".replace("_", r"\_")
    return f"{small}_{{{index}}}" if index else small


def format_variable_latex(name: str) -> str:
    r"""A variable as it is called, a number at the end as an index.

    >>> format_variable_latex("X12"), format_variable_latex("Smoking")
    ('X_{12}', '\\mathrm{Smoking}')
    """
    found = re.fullmatch(r"([A-Za-z]+)[._]?(\d+)", name)
    stem, index = (found[1], found[2]) if found else (name, "")
    upright = stem if len(stem) == 1 else rf"\mathrm{{{stem}}}".replace("_", r"\_")
    return f"{upright}_{{{index}}}" if index else upright


def list_values_latex(names: list[str], most: int = 4) -> str:
    r"""Values separated by commas, the middle ones left out if there are many.

    >>> list_values_latex(["X1", "X2"]), list_values_latex([f"X{n}" for n in range(1, 10)])
    ('x_{1},x_{2}', 'x_{1},\\ldots,x_{9}')
    """
    values = [format_value_latex(name) for name in names]
    if len(values) > most:
        return rf"{values[0]},\ldots,{values[-1]}"
    return ",".join(values)
