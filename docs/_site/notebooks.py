"""The class hours in examples/teaching/ as pages: executed when the site is built, with all that their cells show; solutions are folded."""

from __future__ import annotations

import ast
import io
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from html import escape
from pathlib import Path
from typing import Any

from formulas import stash

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "teaching"


def list_hours() -> dict[str, str]:
    """The pages of the hours, by the place of their notebooks."""
    return {
        file.relative_to(ROOT).as_posix(): f"hours/{file.stem.replace('_', '-')}.md"
        for file in sorted(FOLDER.glob("*.ipynb"))
    }


def render_hour(place: str) -> str:
    """A notebook as a page in Markdown."""
    cells = json.loads((ROOT / place).read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    parts = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for number, cell in enumerate(cells):
            source = "".join(cell["source"])
            tags = cell["metadata"].get("tags", [])
            if cell["cell_type"] == "markdown":
                parts.append(source)
                if number == 0:
                    parts.append(f"The notebook is `{place}`.")
            elif "answer" not in tags:
                shown = [f"```python\n{source}\n```", *run_cell(source, names, f"{place}:{number}")]
                if "solution" in tags:
                    shown = [
                        '<details class="solution" markdown="1">\n<summary>Solution</summary>',
                        *shown,
                        "</details>",
                    ]
                parts += shown
    return "\n\n".join(parts) + "\n"


def run_cell(source: str, names: dict[str, Any], place: str) -> Iterator[str]:
    """Execute a cell as a notebook does, and yield what it shows: text, its figures, and the value of its last line."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    value = None
    with redirect_stdout(out):
        if "matplotlib" in source:
            import matplotlib as mpl

            mpl.use("svg")
        exec(compile(tree, place, "exec"), names)  # noqa: S102  # a notebook of ours
        if last is not None and ast.unparse(last) != "plt.show()":
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)  # noqa: S307  # the same
    if out.getvalue().strip():
        yield f"```text\n{out.getvalue().rstrip()}\n```"
    if "plt." in source:
        yield from take_figures(names["plt"])
    if value is not None:
        yield show_value(value)


def take_figures(plt: Any) -> Iterator[str]:
    """The figures that a cell has drawn."""
    for number in plt.get_fignums():
        out = io.StringIO()
        plt.figure(number).savefig(out, format="svg", bbox_inches="tight")
        yield stash(f'<figure class="drawn">{out.getvalue()[out.getvalue().index("<svg") :]}</figure>')
    plt.close("all")


def show_value(value: Any) -> str:
    """A value as a notebook shows it."""
    for way, kind in (("_repr_html_", "result"), ("_repr_svg_", "drawn")):
        if hasattr(value, way):
            shown = getattr(value, way)()
            if "<!DOCTYPE" in shown or 'class="step"' in shown:
                return stash(f'<details class="result"><summary>The page</summary>{shown}</details>')
            return stash(f'<div class="{kind}">{shown}</div>')
    return stash(f"<pre><code>{escape(re.sub(' at 0x[0-9a-f]+', '', repr(value)))}</code></pre>")
