"""What LaTeX says of a source: boxes that are too wide, floats that are too high, errors."""

import re
import shutil
import subprocess

import pytest

LATEX = shutil.which("pdflatex")
needs_latex = pytest.mark.skipif(
    LATEX is None, reason="pdflatex is not on the path (Debian: texlive-latex-recommended)"
)


def complaints(source, options, folder, preamble=""):
    """The complaints about a source in an article with these options."""
    head = rf"\documentclass[{options}]{{article}}\usepackage{{booktabs,longtable}}{preamble}\begin{{document}}"
    (folder / "t.tex").write_text(f"{head}\n{source}\n\\end{{document}}\n", encoding="utf-8")
    for _ in range(2):  # longtable knows its widths the second time
        subprocess.run([LATEX, "-interaction=nonstopmode", "t.tex"], cwd=folder, capture_output=True, check=False)
    log = (folder / "t.log").read_text(encoding="utf-8", errors="replace")
    assert (folder / "t.pdf").exists()
    return re.findall(r"^(?:Overfull|!|.*Float too large|.*not in 1-column).*", log, re.MULTILINE)
