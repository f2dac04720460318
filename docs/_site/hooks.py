"""What makes a site of docs/ and of the pages beside it: README, lemmas, format, examples, changes, class hours, gallery.

Links between these files are those of the repository; on the site they lead to its pages. Links to files that are no
pages of the site become plain text. Pages in docs/ that the navigation does not name are put under More, and entries of
pages that are not there are left out.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from itertools import takewhile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "_site")]

from atlasbrowser import CERTIFICATES, write_browser  # noqa: E402  # the modules next to this one
from formulas import STASH, restore, typeset  # noqa: E402
from gallery import draw_all, make_pages, write_page  # noqa: E402
from lexer import register  # noqa: E402
from notebooks import list_hours, render_hour  # noqa: E402
from tabs import make_tabs, offer_languages  # noqa: E402

BESIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "examples/README.md": "examples.md",
    "proofs/lemmas.md": "lemmas.md",
    "proofs/FORMAT.md": "format.md",
    "proofs/coq/README.md": "coq.md",
}
"""Pages of the site that are not in docs/, by their place in the repository."""

HOURS = list_hours()
GALLERY = "gallery.md"
"""A page that is only on the site, with files that are made for it."""
BROWSER = "live/atlas.html"
"""All entries of the atlas with a search, which docs/atlas.md is about."""
STORED = ROOT / "build" / "atlas" / "certificates"
"""Where `atlas/certificates.py` stores certificates; the site takes them if they are there."""

SOURCE = {page: place for place, page in (BESIDE | HOURS).items()}
PAGES = {place: page for page, place in SOURCE.items()}
FENCE = re.compile(r"^ *(`{3,}|~{3,})")
ABOUT_A_FILE = re.compile(r"^( *`{3,}) *(\w+) (?:file|edit)=(\S+)$")
PLAIN = re.compile(r"^( *`{3,}) *(\w+)$")
FITS = 88
"""The number of signs that a block has in a line of a window of 1280 pixels; docs/site.css has the size of the letters."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


def on_config(config: Any) -> Any:
    """Fit the navigation to the pages that are there."""
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    pages = {page for page in pages if not page.startswith("_site/")} | set(SOURCE) | {GALLERY}
    known: set[str] = set()
    config["nav"] = fitted(config["nav"], pages, known)
    rest = sorted(pages - known)
    if rest:
        config["nav"].append({"More": list(rest)})
    return config


def fitted(entries: list[Any], pages: set[str], known: set[str]) -> list[Any]:
    """A part of the navigation without pages that are not there."""
    result = []
    for entry in entries:
        [(title, target)] = entry.items()
        if isinstance(target, list):
            below = fitted(target, pages, known)
            result += [{title: below}] if below else []
        elif target in pages:
            known.add(target)
            result.append(entry)
    return result


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from beside docs/, and what is made when the site is built."""
    from mkdocs.structure.files import File

    register()
    made = {page: (ROOT / place).read_text(encoding="utf-8") for place, page in BESIDE.items()}
    made |= {page: render_hour(place) for place, page in HOURS.items()}
    made |= {GALLERY: write_page(), **draw_all(), **make_pages(), BROWSER: write_browser(list_stored())}
    for page, content in made.items():
        files.append(File.generated(config, page, content=content))
    return files


def list_stored() -> frozenset[tuple[str, str]]:
    """The classes and keys of the entries of the atlas whose certificates are stored."""
    return frozenset((path.parts[-3], path.stem) for path in STORED.glob("*/*/*.json"))


def on_post_build(config: Any) -> None:
    """Put the certificates next to the page that leads to them; they are too many to be files of the site one by one."""
    for name in {name for name, _ in list_stored()}:
        place = Path(config["site_dir"]) / Path(BROWSER).parent / CERTIFICATES / name
        shutil.copytree(STORED / name, place, ignore=shutil.ignore_patterns("*.draft"), dirs_exist_ok=True)


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001
    """Lead the links of a page to the pages of the site."""
    uri = page.file.src_uri
    known = {file.src_uri for file in files}
    return relinked(make_tabs(offer_languages(markdown)), SOURCE.get(uri, f"docs/{uri}"), uri, known)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001
    """Put in the formulas, and what the notebooks show."""
    return restore(html)


def formulas_met() -> list[str]:
    """All formulas up to now."""
    return list(STASH)


def can_be_folded(lines: list[str], fence: str) -> bool:
    """Whether the block that begins there has long lines, all of which are sentences or code: no rows of a table, no drawing."""
    body = takewhile(lambda line: line.strip() != fence, lines)
    long = [line for line in body if len(line) > FITS]
    return bool(long) and not any(line.lstrip().startswith("|") or re.search("[─│└├]", line) for line in long)


def relinked(markdown: str, place: str, uri: str, known: set[str]) -> str:
    """Rewrite the links outside fenced blocks, and the formulas there; a block about a file has its name as a title.

    Long lines of a block are folded by the browser, unless they are of a table or a drawing.

    >>> relinked("[a](../proofs/lemmas.md#x) [b](../LICENSE)", "docs/p.md", "p.md", {"lemmas.md"})
    '[a](lemmas.md#x) b'
    """

    def link(match: re.Match[str]) -> str:
        image, text, target = match.groups()
        path, sign, anchor = target.partition("#")
        if not path or "://" in path or path.partition("?")[0] in known:
            return match[0]
        real = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        found = PAGES.get(real, real.removeprefix("docs/") if real.startswith("docs/") else "")
        if found not in known:
            return text
        return f"{image}[{text}]({posixpath.relpath(found, posixpath.dirname(uri) or '.')}{sign}{anchor})"

    lines, fence = [], ""
    given = markdown.split("\n")
    for number, line in enumerate(given):
        opening = FENCE.match(line)
        if opening and not fence:
            fence = opening[1]
            folded = " .folded" if can_be_folded(given[number + 1 :], fence) else ""
            titled = ABOUT_A_FILE.sub(rf'\1{{ .\2{folded} title="\3" }}', line)
            session = given[number + 1 : number + 2] and given[number + 1].lstrip().startswith(">>> ")
            for word, lexer in (("console", "algdim"), *([("python", "pycon")] if session else [])):
                titled = titled.replace(word, lexer, 1) if titled.strip() == f"{fence}{word}" else titled
            lines.append(PLAIN.sub(rf"\1{{ .\2{folded} }}", titled) if folded else titled)
            continue
        if opening and line.strip().startswith(fence) and line.strip() == opening[1]:
            fence = ""
            lines.append(line)
            continue
        lines.append(line if fence else typeset(LINK.sub(link, line)) if "\ue000" not in line else line)
    return "\n".join(lines)
