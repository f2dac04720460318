"""Scripts of R that hold a model of lavaan: the model's text at its place, and what is said to the function that fits it.

Nothing of a script is executed. It has texts in quotes with formulas, one or that which is named, and calls of `cfa`, `sem`,
`growth` or `lavaan`.
"""

from __future__ import annotations

import re

from algdim.errors import InputError, join_names
from algdim.models.tokens import make_position_error
from algdim.readers.formats import Options

PIECES = re.compile(r"(?P<comment>#[^\n]*)|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"")
MODEL = re.compile(r"^[^#!\n]*~", re.MULTILINE)
CALL = re.compile(r"\b(sem|cfa|growth|lavaan)\s*\((?!\s*\))")
SAID = re.compile(r"\b(std\.lv|orthogonal|meanstructure|int\.ov\.free)\s*=\s*(TRUE|T|FALSE|F)\b")
MISSING = re.compile(r"\bmissing\s*=\s*[\"'](?i:ml|fiml|direct|two|robust)")
"""Methods for incomplete data, in any letters, for which lavaan adds a mean structure."""

FUNCTIONS = ("sem", "cfa", "growth", "lavaan")

SCALED = frozenset(("thresholds", "intercepts", "residuals"))
"""What is equal in groups of ordered items in another way than in groups of normal variables, which have no thresholds."""

NAMED = "model"
"""The option that names one of several models."""

ASSIGNED = re.compile(r"(?<![\w.])((?:[^\W\d]|\.)[\w.]*)\s*(?:<<?-|=)\s*\Z")
ASSIGNED_AFTER = re.compile(r"\s*->>?\s*((?:[^\W\d]|\.)[\w.]*)")

REFUSED = re.compile(
    r"\b(auto\.[a-z.]+|int\.lv\.free|int\.ov\.free(?!\s*=\s*(?:TRUE|T|FALSE|F)\b)|"
    r"group\.(?!(?:equal|partial)\b)[a-z.]+|ordered|orthogonal\.[a-z]+|constraints|"
    r"parameterization|conditional\.x|std\.ov|rotation|cluster)\s*=(?!=)"
)
"""Arguments of calls that change the model in ways that are not read."""


TOLD = re.compile(
    r"\b(group|group\.equal|group\.partial|effect\.coding)\s*=\s*(c\([^()]*\)|\"[^\"]*\"|'[^']*'|TRUE\b|FALSE\b|T\b|F\b)"
)
"""Arguments that are words."""


class GroupsNeededError(InputError):
    """A model that says all but how many groups there are, which data can say."""

    column: str = ""


def is_script(text: str) -> bool:
    """Whether a text is a script that holds a model, and not itself one.

    >>> is_script("m <- 'f =~ x'"), is_script("f =~ x")
    (True, False)
    """
    return re.search(r"(?:<-|=)\s*(['\"])[^'\"]*~", text) is not None or "library(" in text


def find_script_model(text: str, options: Options) -> tuple[str, Options]:
    """The script with all but the model's text made blank, and the options that its calls say, unless some are given.

    >>> find_script_model("m <- 'f =~ x'; cfa(m, d, std.lv=TRUE)", {})
    ('      f =~ x                         ', {'cfa': '', 'std.lv': ''})
    """
    counts = {word: value for word, value in options.items() if word == "groups"}
    given = {word: value for word, value in options.items() if word not in (NAMED, "groups")}
    code = PIECES.sub(lambda piece: " " * len(piece[0]), text)
    start, end, name = choose_model_text(text, options.get(NAMED, ""))
    if NAMED in options:
        kept = find_named_calls(code, name)
        if not kept and not given and CALL.search(code):
            message = f"no call has {name} in it; say the function, as in --format lavaan:{NAMED}={name},cfa"
            raise make_position_error(text, start, message)
        code, said_text = (
            "".join(
                sign if sign == "\n" or any(one <= at < two for one, two in kept) else " "
                for at, sign in enumerate(source)
            )
            for source in (code, text)
        )
    else:
        said_text = text
    functions = dict.fromkeys(match[1] for match in CALL.finditer(code))
    said = dict.fromkeys(functions, "")
    said |= {match[1]: "" for match in SAID.finditer(code) if match[2].startswith("T")}
    if MISSING.search(said_text):
        said["meanstructure"] = ""
    told = [(match, read_told_words(match[2])) for match in TOLD.finditer(said_text)]
    for match, words in told:
        if words:
            said.setdefault(match[1], words)
    other = REFUSED.search(code)
    if other is not None and not given:
        raise make_position_error(text, other.start(), explain_refused(other[1], said, options))
    if len(functions) > 1 and not given:
        raise make_position_error(
            text, 0, f"the script calls {' and '.join(functions)}; say which, as in --format lavaan:cfa"
        )
    for match, words in told:
        if words and said[match[1]] != words and not given:
            message = (
                f"the calls differ in {match[1]}; say which, as in --format lavaan:cfa,groups=2,{match[1]}={words}"
            )
            raise make_position_error(text, match.start(), message)
    blank = re.sub(r"[^\n]", " ", text)
    return blank[:start] + text[start:end] + blank[end:], (given or said) | counts


def read_told_words(value: str) -> str:
    """The words in quotes of an argument, joined by plus signs; those of TRUE.

    >>> read_told_words("c('loadings', 'means')"), read_told_words("TRUE"), read_told_words("FALSE")
    ('loadings+means', 'loadings+intercepts', '')
    """
    words = "+".join(one or other for one, other in re.findall(r"\"([^\"]*)\"|'([^']*)'", value))
    return words or ("loadings+intercepts" if value.startswith("T") else "")


def explain_refused(argument: str, said: Options, options: Options) -> str:
    """What to do about an argument that is not read: the words of all others, since words given go before all of a script.

    >>> explain_refused("auto.var", {"sem": "", "std.lv": ""}, {})
    'the argument auto.var changes the model and is not read; say what is, as in --format lavaan:sem,std.lv'
    """
    functions = [word for word in said if word in FUNCTIONS]
    words = {word: value for word, value in options.items() if word == NAMED}
    words |= {(functions or ["cfa"])[0]: ""}
    words |= {word: value for word, value in said.items() if word not in FUNCTIONS}
    words |= {word: value for word, value in options.items() if word == "groups"}
    form = ",".join(f"{word}={value}" if value else word for word, value in words.items())
    form = form if re.fullmatch(r"[\w.,=+-]*", form) else f"'{form}'"  # as a shell reads it
    message = f"the argument {argument} changes the model and is not read; say what is, as in --format lavaan:{form}"
    if argument == "ordered" and not SCALED.intersection(said.get("group.equal", "").split("+")):
        message += "; the model of the normal variables behind the items has the same degrees of freedom"
    return message


def choose_model_text(text: str, wanted: str) -> tuple[int, int, str]:
    """Where the one text with formulas begins and ends, or that of this name, and its name, if it is assigned to one."""
    found = []
    told = [match.span() for match in TOLD.finditer(text)]  # group.partial has names with the signs of formulas
    for piece in PIECES.finditer(text):
        if any(start <= piece.start() < end for start, end in told):
            continue
        inner = "single" if piece["single"] is not None else "double"
        if piece["comment"] is None and MODEL.search(piece[inner]):
            before, after = ASSIGNED.search(text, 0, piece.start()), ASSIGNED_AFTER.match(text, piece.end())
            found.append((*piece.span(inner), before[1] if before else after[1] if after else ""))
    names = [name for _, _, name in found if name]
    chosen = [one for one in found if one[2] == wanted] if wanted else found
    if len(chosen) == 1:
        return chosen[0]
    at = found[1][0] if len(found) > 1 else 0
    if wanted:
        known = f"; named are {join_names(dict.fromkeys(names))}" if names else ""
        raise make_position_error(
            text, at, f"{len(chosen)} texts in quotes with formulas are assigned to {wanted}; one is read{known}"
        )
    how = "save each in a file of its own"
    single = [name for name in names if names.count(name) == 1]
    if single:
        how = f"say which by its name, as in --format lavaan:{NAMED}={single[0]}, or {how}"
    message = f"the script has {len(found)} texts in quotes with formulas; one model is read"
    raise make_position_error(text, at, f"{message}; {how}" if found else message)


def find_named_calls(code: str, name: str) -> list[tuple[int, int]]:
    """Where calls of lavaan's functions begin and end that have this name among their arguments."""
    found = []
    for match in CALL.finditer(code):
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += (code[end] == "(") - (code[end] == ")")
            end += 1
        if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])(?!\s*=[^=])", code[match.end() : end]):
            found.append((match.start(), end))
    return found
