"""Examples in docstrings stand in blocks of their own on the site."""

from __future__ import annotations

from typing import Any

from griffe import Extension, Object


class Fenced(Extension):
    """Puts fences around what begins with >>>."""

    def on_instance(self, *, obj: Object, **kwargs: Any) -> None:  # noqa: ARG002
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""A docstring with its examples in blocks.

    >>> print(fenced("One.\n\n>>> 1\n1"))
    One.
    <BLANKLINE>
    ```pycon
    >>> 1
    1
    ```
    """
    parts = []
    for part in text.split("\n\n"):
        start = part.find(">>> ")
        is_example = start == 0 or (start > 0 and not part[:start].strip())
        parts.append(f"```pycon\n{part}\n```" if is_example else part)
    return "\n\n".join(parts)
