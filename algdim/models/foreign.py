"""What texts of other programs and habits look like, and what to write for them in the notation.

Nothing is read by these patterns: they only add advice to the error of a text that was refused.
"""

from __future__ import annotations

import re

from algdim.errors import InputError
from algdim.families import ARGUMENTS
from algdim.models.tokens import NAME_RULE

MOST_SEARCHED = 500
"""Characters of a text that are looked at."""

LAVAAN = (
    "it looks like lavaan; add --format lavaan (in Python format='lavaan'), or write the edges, as gaussian: x -> y"
)
CLAUSE = "number of states is given in a clause: 'states H=3'"
FACTORS = "write a log-linear model as 'loglinear: {A,B}, {B,C}'"
HIDDEN = "hidden variables are named in a clause: 'hidden H'"
COMMA = "names in a list are separated by ',': 'H -> X1, X2'"
CLASSES = "a latent class model is written '3:2,2,2,2' or '3:2^4'"
POLYNOMIAL = "a map is written 'polynomial: parameters a, b; coordinates a*b, a^2'"

ADVICE: tuple[tuple[str, str], ...] = (
    (r"\bcbind\s*\(", "it looks like poLCA; add --format polca (in Python format='polca')"),
    (r"^\s*(dag|pdag|mag|pag|digraph)\s*\w*\s*\{", "it looks like dagitty; add --format dagitty or dagitty:discrete"),
    (r"^\s*graph\s+(LR|TD|TB|RL|BT)\b|--+>|==+>|~>|[-=]>>|>->", "an arrow is written '->'"),
    (r"\\(long)?(rightarrow|Rightarrow|to)\b", "an arrow is written '->', without TeX"),
    (r"\\(long)?(leftarrow|Leftarrow|gets)\b", "an arrow is written '<-', without TeX"),
    (r"\bo->|\bo-o\b|\bo--", "a circle stands for several models; choose one, with '->'"),
    (r"(?i)^\s*(model\s*:)?\s*\w+\s+(by|on|with)\s+\w", "it looks like Mplus; write 'gaussian: f -> x1..x3; hidden f'"),
    (r"^\s*(\[[\w.]+(\|[\w.:]+)?\])+\s*$", "it looks like bnlearn; [A][B|A] is written 'A -> B'"),
    (r"^\s*(ideal|map|matrix)\s*[({]|^\s*\{[^{}]*[*^][^{}]*\}\s*$|^[\s\w,]*[\w)][*^][\w(]", POLYNOMIAL),
    (r"^\s*polynomial:\s*(?!parameters)|\|->|↦|^\s*\(\w+(\s*,\s*\w+)*\)\s*->", POLYNOMIAL),
    (r"^\s*\w*\s*\(\w+(\s*,\s*\w+)*\)\s*:?=|^\s*map\s*:|^\s*[\[(][^\]:;>]*[*^+]", POLYNOMIAL),
    (r"^\s*polynomial:.*_\{", "an index is written a_1 or a1"),
    (r"^\s*loglinear:(?!\s*\{)", FACTORS),
    (r"^\s*~\s*\w+\s*[*:+]", FACTORS),
    (r"~", LAVAAN),
    (
        r"^\s*gaussian:.*([*@]|\bfix\s+\w+\s*=|\b(var|cov)\s*\()",
        "numbers are fixed in a clause: 'fix b(F->X)=1, v(F)=1'",
    ),
    (
        r"_\|\|_|⊥|⫫|\bindep\b",
        "independences are no model; write its edges. 'algdim constraints MODEL' lists what it implies",
    ),
    (r"^\s*[pP]\s*\([^)]*\)\s*(=|\*|[pP]\s*\(|$)|^\s*[\w.]+\s*\|\s*[\w.]+", "P(X|H) is written as an edge, 'H -> X'"),
    (r"(?:^|[;,>-])\s*[A-Za-z][\w.]*\s*(\([0-9]+\)|[=:]\s*[0-9]+)\s*(->|<-|;|,|$)(?!.*states)", f"a {CLAUSE}"),
    (r"\bstates\s*[:(]|\bstates\s+[0-9]|\bstates\s+[\w.]+\s+[0-9]", f"the {CLAUSE}"),
    (r"\bhidden\s*[:=(]|(?i:(?:;|^)\s*(latent|unobserved|unmeasured|lv)\s+\w)|^\s*\w+\s*\*\s*(->|<-)", HIDDEN),
    (r"(->|<-)\s*[({]|^\s*\{[^}]*\}\s*(->|<-)\s*\{", "names are listed without brackets: 'H -> X1, X2'"),
    (r"(->|<-)\s*[A-Za-z][\w.]*\s*[\^*]\s*[0-9]", "several variables are written 'X1..X4'"),
    (r"(->|<-)[^;]*[\w.]\s*([+&]|\band\b)|(->|<-)[^;]*;\s*[A-Za-z][\w.]*\s*;|^[\w\s.]+\+", COMMA),
    (r"\{\s*[\w.]+\s+[\w.]", "names between braces are separated by ','"),
    (r"[\"'`“”„«»‘’]", "names stand without quotes"),
    (r"_\{", "an index is written X_1 or X1"),
    (r"\[\s*(label|latent|pos|weight|color)", "remarks in brackets are read with --format dagitty alone"),
    (r"#|//|/\*|%", "comments are not read; leave them out"),
    (r"^\s*[0-9]+\s*:\s*[0-9]+\s*[xX×*]", "four items with 2 states each are written '3:2^4'"),
    (r"^\s*[0-9]+\s*[:(\[xX×*]|(?i:^\s*(lca|lc|lcm|latent\s+class)\b)|^\s*[0-9]+\s*(latent\s+)?class", CLASSES),
    (r";\s*;|;\s*$|^\s*;", "a ';' stands between two clauses only"),
    (
        r"^\s*[A-Za-z][\w.]*(\s*[;,]\s*[A-Za-z][\w.]*)+\s*$",
        "write edges, as 'A -> B'; variables without edges as 'states A=2, B=2'",
    ),
    (
        r"^\s*classifier\s[^{]*\bnormal\b",
        "inputs that are normal given the class: 'normal-classifier Y: Y -> X1, X2; states Y=2'",
    ),
    (r"--|\s-\s", "an arrow is written '->', '<-' or, in the family gaussian, '<->'"),
    (r"^[\w\s.]+$", "write edges, as 'H -> X1, X2; hidden H', or a name that 'algdim models' lists"),
)
"""Patterns, and what to say of the first that is found; they are compiled when one is needed."""

NEW_LINE = re.compile(r"line [0-9]+, column 1: ")
UNREAD = ("is expected", "is not allowed", "has no meaning here")
"""What errors say of a text that is not understood; others know what is meant."""
ADVISED = ("is written", "are written", "it looks like", "did you mean", "clause word")


def add_advice(error: InputError, text: str) -> InputError:
    """The error of a text that was refused, with what to write, if the text looks like something else.

    >>> str(add_advice(InputError("';' is expected"), "H -> X1 and X2"))
    "';' is expected; names in a list are separated by ',': 'H -> X1, X2'"
    """
    head, line, rest = str(error).partition("\n")
    if not any(sign in head for sign in UNREAD) or any(sign in head for sign in ADVISED):
        return error
    shown = text[:MOST_SEARCHED]
    by_place = "clauses are separated by ';', also at the end of a line" if NEW_LINE.match(head) else ""
    by_pattern = (advice for pattern, advice in ADVICE if re.search(pattern, shown))
    advice = describe_meant_family(shown) or next(by_pattern, "") or by_place
    if not advice:
        return error
    for general in (f"; {NAME_RULE}", "; a ':' belongs to 'share NAME:'"):
        head = head.partition(general)[0]
    return type(error)(f"{head}; {advice}{line}{rest}")


FIRST_WORD = re.compile(r"\s*([A-Za-z][A-Za-z_-]*)\s*(:|\s[A-Za-z{])")
MEANT = {"linear": "gaussian", "sem": "gaussian", "cfa": "gaussian", "lpa": "latent-profile", "logit": "sigmoid"}


def describe_meant_family(text: str) -> str:
    """What to write for the first word of a text that looks like the word of a family.

    >>> describe_meant_family("Gaussian: F -> X"), describe_meant_family("gaussian F -> X")
    ("did you mean 'gaussian:'?", "did you mean 'gaussian:'?")
    """
    found = FIRST_WORD.match(text)
    if found is None:
        return ""
    word = found[1].lower().replace("_", "-")
    word = MEANT.get(word, word)
    from difflib import get_close_matches

    close = [word] if word in ARGUMENTS else get_close_matches(word, ARGUMENTS, n=1, cutoff=0.75)
    has_argument = ARGUMENTS.get(found[1]) and re.match(rf"\s*{found[1]}\s+\S+\s*:", text)
    if not close or has_argument or (found[1], found[2]) == (close[0], ":"):
        return ""
    return (
        f"did you mean '{' '.join((close[0], ARGUMENTS[close[0]])).strip()}:'?"
        if found[2] == ":" or found[1] in ARGUMENTS
        else ""
    )
