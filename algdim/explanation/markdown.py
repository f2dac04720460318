"""An explanation in Markdown: formulas as mathematics between dollar signs, pictures inside the file."""

from __future__ import annotations

from base64 import b64encode

from algdim.explanation.document import Block, Document, Formulas, Listing, Matrix, Paragraph, Picture, Rows


def markdown(document: Document) -> str:
    """The sections under headings.

    >>> print(markdown(Document("2:2", "a lead", ())))
    # 2:2
    <BLANKLINE>
    a lead
    """
    parts = [f"# {escaped(document.title)}"]
    parts += [escaped(document.lead)] if document.lead else []
    for section in document.sections:
        parts.append(f"## {escaped(section.title)}")
        parts += [block_text(block) for block in section.blocks]
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Text in one line in which no sign starts a form of Markdown."""
    text = " ".join(text.splitlines())
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return text


def block_text(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return escaped(text)
        case Formulas(lines):
            return "$$\n\\begin{aligned}\n" + " \\\\\n".join(latex for _, latex in lines) + "\n\\end{aligned}\n$$"
        case Listing(lines):
            return "\n".join(["```text", *lines, "```"])
        case Rows(columns, rows):
            head = [columns, tuple("---" for _ in columns)]
            body = [tuple(map(escaped, row)) for row in rows]
            return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *body))
        case Matrix(entries, _, pivots):
            rows_ = [
                [rf"\boxed{{{number(value)}}}" if (i, j) in pivots else number(value) for j, value in enumerate(row)]
                for i, row in enumerate(entries)
            ]
            inside = " \\\\\n".join(" & ".join(row) for row in rows_)
            return f"$$\n\\begin{{pmatrix}}\n{inside}\n\\end{{pmatrix}}\n$$"
        case Picture(svg, lines, caption):
            inside = b64encode(svg.encode()).decode()
            return "\n".join(
                [f"![{escaped(caption)}](data:image/svg+xml;base64,{inside})", "", "```text", *lines, "```"]
            )


def number(text: str) -> str:
    r"""An entry of a matrix in mathematics.

    >>> number("-3/4"), number("…")
    ('-\\tfrac{3}{4}', '\\cdots')
    """
    if text == "…":
        return r"\cdots"
    if "/" not in text:
        return text
    sign, over, under = ("-" if text.startswith("-") else ""), *text.removeprefix("-").split("/")
    return rf"{sign}\tfrac{{{over}}}{{{under}}}"
