"""What a console block looks like on the site: the prompt, the command, and output whose words are words and not those of a shell."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Text

__all__ = ["TranscriptLexer"]


class TranscriptLexer(RegexLexer):
    """A line with a prompt and what the command prints below it."""

    name = "algdim"
    aliases: ClassVar = ["algdim"]
    tokens: ClassVar = {
        "root": [
            (r"^(\s*)(\$ )", bygroups(Text, Generic.Prompt), "command"),
            (r"^\[exit \d+\]$", Generic.Error),
            (r"(?<= )(not proved|proved|accepted)\b", Generic.Inserted),
            (r"\b(probable|rejected)\b", Generic.Emph),
            (r"^  (?:dimension|expected|parameters|saturated|df)\b", Name.Label),
            (r"^  [≥≤]", Operator),
            (r"[^\W\d]\w*", Text),
            (r"\n", Text),
            (r".", Text),
        ],
        "command": [
            (r"\\\n", Text),
            (r"\n", Text, "#pop"),
            (r'"[^"]*"|\'[^\']*\'', String),
            (r"(?<!\S)--?[a-zA-Z][\w-]*", Name.Attribute),
            (r"(?<!\S)>(?!\S)", Operator),
            (r"(?<=\$ )algdim\b", Keyword),
            (r"(?<!\S)#.*", Comment),
            (r"\d+(?:\.\d+)?(?!\S)", Number),
            (r"[^\s\"'\\]+", Text),
            (r".", Text),
        ],
    }


def register() -> None:
    """Let blocks name it."""
    from pygments.lexers import LEXERS

    LEXERS["TranscriptLexer"] = ("lexer", TranscriptLexer.name, tuple(TranscriptLexer.aliases), (), ())
