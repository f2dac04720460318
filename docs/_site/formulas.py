"""Formulas of the pages as MathML, when the site is built: what stands there in plain signs, `x_i^2`, and LaTeX between dollars.

What cannot be written so stays as it is, with its indices and exponents as the page has them.
"""

from __future__ import annotations

import re

from algdim.display.mathml import convert_to_mathml

LONGEST = 24
"""Signs of a formula within a sentence: longer ones are several, so that lines can be broken between them."""
SCRIPT = re.compile(
    r"(?P<word>[A-Za-z]{2,}_[A-Za-z]{3,})|(?P<sign>[_^])"
    r"(?P<what>\{(?:[^{}]|\{[^{}]*\})*\}|(?<=\^)\((?:[^()]|\([^()]*\))*\)|(?<=∂_)\w|[-−]?[^\W_]+)"
)
"""An underscore or a circumflex with what belongs to it."""
KEPT = re.compile(
    r"(`+[^`]*`+|\$\$.+?\$\$|\$[^\s$](?:[^$\n]*[^\s$])?\$|\]\([^()\s]*\)|</?(?:sub|sup|br|a|img)\b[^<>]*>|\d+:\d+\^\d+|^(?::::|    ).*$)"
)
"""What is no formula in plain signs: code, LaTeX, the target of a link, a tag, a model, what mkdocstrings reads, what is indented."""
DOLLARS = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ", "0123456789+−ijkn")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", "0123456789+−nT")
FUNCTIONS = frozenset("log exp max min det rank dim deg pa sgn vec cov row entry Pr".split())
PIECE = re.compile(
    r"(?P<low>[₀-₉₊₋ᵢⱼₖₙ]+)|(?P<high>[⁰¹²³⁴-⁹⁺⁻ⁿᵀ]+)|(?P<prime>[′″]+)"
    r"|(?P<sign>[_^])(?P<what>\{(?:[^{}]|\{[^{}]*\})*\}|(?<=\^)\((?:[^()]|\([^()]*\))*\)|(?<=∂_)\w|[-−]?[^\W_ᵀ⁰¹²³⁴-⁹⁺⁻ⁿ₀-₉]+)"
    r"|(?P<letter>[^\W\d_][\u0300-\u036f]?)|(?P<number>\d+(?:\.\d+)?)|(?P<space>\s+)|(?P<other>.)"
)
WORD = re.compile(r"[A-Za-z]{2,}")
INDICES = re.compile(r"[g-nu-z]{1,3}\b")
SHORT = "of or if is by in to at as on an".split()
PHRASE = re.compile(
    rf"(?:a (?=[a-z]{{2}}))?(?:[a-z]{{3,}}|{'|'.join(SHORT)})\b(?: (?:[a-z]{{3,}}|{'|'.join(SHORT)}|a(?= [a-z]{{2}}))\b)*"
)
WRITTEN = re.compile(r"<(sub|sup)>([^<>{}|]*)</\1>")
DISPLAYED = re.compile(r"[=≤Σ∏+−|]")
RELATED = re.compile(r"[(=+<≤≥∈|Σ∏]")
"""What makes a letter without an index the beginning of a formula."""
PLACE = re.compile("\ue000(\\d+)\ue001")
STASH: list[str] = []
"""The formulas that were met: on a page their numbers stand for them until its Markdown is read."""


def stash(mathml: str) -> str:
    """What stands for a formula."""
    STASH.append(mathml)
    return f"\ue000{len(STASH) - 1}\ue001"


def restore(html: str) -> str:
    """A page with its formulas."""
    return PLACE.sub(lambda match: STASH[int(match[1])], html)


def translate(text: str) -> str:
    r"""A formula in plain signs as LaTeX.

    >>> translate("Σ_h b′_h x₁² ≤ rank UJ")
    '\\sum_{h} b_{h}^{\\prime} x_{1}^{2} ≤ \\mathrm{rank} \\, U J'
    """
    if set(text) & set('\\&~$`"*'):
        raise ValueError(f"{text} has signs that are not read in a formula")
    parts: list[str] = []
    below: list[str] = []
    above: list[str] = []

    def close() -> None:
        """Write the indices and exponents behind what they belong to."""
        if (below or above) and not parts:
            parts.append("{}")
        if below:
            parts[-1] += f"_{{{' '.join(below)}}}"
        if above:
            parts[-1] += f"^{{{' '.join(above)}}}"
        below.clear()
        above.clear()

    place = 0
    while place < len(text):
        word = WORD.match(text, place)
        phrase = PHRASE.match(text, place)
        if word and word[0] in FUNCTIONS:
            close()
            place = word.end()
            parts.append(rf"\mathrm{{{word[0]}}}" + (r" \," if text[place : place + 1] == " " else ""))
            continue
        if phrase and not INDICES.fullmatch(phrase[0]):
            close()
            parts.append(rf"\text{{ {phrase[0]} }}")
            place = phrase.end()
            continue
        match = PIECE.match(text, place)
        if match is None:  # a line ends there
            raise ValueError(f"{text} is not on one line")
        place = match.end()
        kind = match.lastgroup
        if kind == "low":
            below.append(match["low"].translate(LOWERED))
        elif kind == "high":
            above.append(match["high"].translate(RAISED).replace("T", r"\mathrm{T}"))
        elif kind == "prime":
            above.append(r"\prime" * len(match["prime"]) if match["prime"][0] == "′" else r"\prime\prime")
        elif kind == "what":
            inside = match["what"]
            inside = translate(inside[1:-1] if inside.startswith("{") else inside)
            (below if match["sign"] == "_" else above).append(inside)
        elif kind == "space":
            close()
            if len(match["space"]) > 1:
                parts.append(r"\quad")
        else:
            close()
            sign = match[0]
            if sign in "_^":
                raise ValueError(f"{text} has {sign} with nothing behind it")
            summed = re.match(r"Σ(?:_|$| (?![=+−·≤]))", text[match.start() :])
            written = {"Σ": r"\sum" if summed else "Σ", "∏": r"\prod", "{": r"\{", "}": r"\}"}.get(sign, sign)
            parts.append(rf"\mathit{{{sign}}}" if len(sign) > 1 else written)
    close()
    return re.sub(r"(?<= )\| (?=\S)|(?<= )\|$", r"\\mid ", " ".join(parts)) if " | " in text else " ".join(parts)


def convert(text: str, *, block: bool = False) -> str:
    """A formula in plain signs as MathML."""
    return convert_to_mathml(translate(text), block=block)


def convert_dollars(match: re.Match[str]) -> str:
    """LaTeX between dollars, one or two."""
    return stash(convert_to_mathml(match[1] or match[2], block=bool(match[1])))


def is_mathematical(token: str) -> bool:
    """Whether a word between spaces can be a part of a formula.

    >>> [
    ...     token
    ...     for token in "the rank of UJ, w_h a₁ b_hᵀ = (a) 3 opt_einsum P(x_i | see".split()
    ...     if is_mathematical(token)
    ... ]
    ['rank', 'UJ,', 'w_h', 'a₁', 'b_hᵀ', '=', '3', 'P(x_i', '|']
    """
    if (
        re.fullmatch(r"\([a-z]\)|[–—]|[^\w\s]*[;:.]", token)
        or set(token) & set('*`\\&~"#>\ue000')
        or token[0] == "<" < token[1:]
    ):
        return False
    if any(match["word"] for match in SCRIPT.finditer(token)):
        return False
    bare = re.sub("[₀-₉⁰¹²³⁴-⁹⁻⁺ⁿᵢⱼₖₙᵀ]", "", SCRIPT.sub("", token))
    return all(
        word in FUNCTIONS or word.isupper() or re.fullmatch(r"d[A-Z]", word)
        for word in re.findall(r"[^\W\d_]{2,}", bare)
    )


def has_script(text: str) -> bool:
    """Whether there is an index or an exponent, so that plain text would show it badly."""
    return bool(re.search(r"[_^₀-₉⁰¹²³⁴-⁹⁻ᵀ′]", text))


def typeset_plain(text: str) -> str:
    """Prose, its formulas replaced by what stands for them; a formula has an index or an exponent somewhere."""
    parts = re.split(r"(\s+)", text)
    result: list[str] = []
    run: list[str] = []

    def flush() -> None:
        """End a formula: what is no part of it, at both ends, is text."""
        before: list[str] = []
        after: list[str] = []
        while run and (run[0].isspace() or not (has_script(run[0]) or RELATED.search("".join(run[:3])))):
            before.append(run.pop(0))
        while run and (
            run[-1].isspace() or (not has_script(run[-1]) and re.fullmatch(r"[Aa|=·+−,I]|[A-Z]{2,}[,.]?", run[-1]))
        ):
            after.insert(0, run.pop())
        formula = "".join(run)
        run.clear()
        end = re.search(r"[,.;:]*$", formula)
        stop = end[0] if end else ""
        formula = formula.removesuffix(stop)
        opened = formula.count("(") - formula.count(")")
        if has_script(formula) and not opened:
            try:
                made = stash(convert(formula))
            except ValueError:
                made = script_all(formula)
        else:
            made = " ".join(typeset_word(word) for word in formula.split(" ")) if formula else ""
        result.append("".join(before) + made + stop + "".join(after))

    for part in parts:
        if not part:
            continue
        if part.isspace():
            (run or result).append(part)
        elif is_mathematical(part):
            run.append(part)
            text_so_far = "".join(run)
            ends = part[-1] in ",.;:" and text_so_far.count("(") == text_so_far.count(")")
            if ends or (len(text_so_far) > LONGEST and text_so_far.count("(") == text_so_far.count(")")):
                flush()
        else:
            flush()
            result.append(
                script_all(part) if not has_script(part) or set(part) & set("\ue000>") else typeset_word(part)
            )
    flush()
    return "".join(result)


def typeset_word(word: str) -> str:
    """A word with a formula in it, such as one within emphasis or parentheses that go on."""
    match = re.fullmatch(r"([*(“\"]*)(.*?)([*),.;:”\"]*)", word, re.DOTALL)
    if match is None or not has_script(match[2]) or not is_mathematical(match[2]):
        return script_all(word)
    inner, end = match[2], match[3]
    while end.startswith(")") and inner.count("(") > inner.count(")"):
        inner, end = f"{inner})", end[1:]
    if inner.count("(") != inner.count(")") or inner.count("{") != inner.count("}"):
        return script_all(word)
    try:
        return match[1] + stash(convert(inner)) + end
    except ValueError:
        return script_all(word)


def script_all(text: str) -> str:
    """Indices and exponents in HTML, where there is no formula in MathML.

    >>> script_all("Σ_{j ≤ i} x_j^{a_j}")
    'Σ<sub>j ≤ i</sub> x<sub>j</sub><sup>a<sub>j</sub></sup>'
    """
    return SCRIPT.sub(script, text)


def script(match: re.Match[str]) -> str:
    """An index or an exponent, with those in it; an underscore within a word alone."""
    if match["word"]:
        return match["word"].replace("_", "\\_")
    tag = "sub" if match["sign"] == "_" else "sup"
    inside = script_all(match["what"].removeprefix("{").removesuffix("}"))
    return f"<{tag}>{inside}</{tag}>"


def typeset(line: str) -> str:
    """A line of a page whose formulas are MathML; headings, which the navigation repeats, have indices and exponents in HTML."""
    if line.startswith("    ") and DISPLAYED.search(line) and not set(line) & set('"`'):
        try:
            return stash(convert(line.strip(), block=True))
        except ValueError:
            return line
    line = WRITTEN.sub(lambda match: f"{'_' if match[1] == 'sub' else '^'}{{{match[2]}}}", line)
    change = script_all if line.startswith("#") else typeset_plain
    parts = KEPT.split(line)
    return "".join(
        (DOLLARS.sub(convert_dollars, part) if part.startswith("$") else part) if number % 2 else change(part)
        for number, part in enumerate(parts)
    )
