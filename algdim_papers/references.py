"""How to cite algdim and the papers."""

from __future__ import annotations

from dataclasses import dataclass

from algdim.about import RELEASED, VERSION
from algdim.errors import InputError, join_names

UAI = "Proceedings of the {} Conference on Uncertainty in Artificial Intelligence (UAI)"


@dataclass(frozen=True, slots=True)
class Reference:
    """A work with what a reference list says of it: its key, authors, title, year and where it appeared.

    ``kind`` is the BibTeX type, ``source`` its field for the place (``booktitle``, ``institution``), ``number`` that of a report.
    """

    key: str
    authors: tuple[str, ...]
    title: str
    year: int
    kind: str
    source: tuple[str, str]
    number: str = ""

    def text(self) -> str:
        """The line of a reference list.

        >>> print(select_references(["HM97"])[0].text())
        Heckerman, David; Meek, Christopher (1997): Embedded Bayesian Network Classifiers. Microsoft Research, MSR-TR-97-06.
        """
        place = ", ".join(filter(None, (self.source[1], self.number)))
        return f"{'; '.join(self.authors)} ({self.year}): {self.title}. {place}."

    def bibtex(self) -> str:
        """The entry for BibTeX."""
        fields = {
            "author": " and ".join(encode_name(name) for name in self.authors),
            "title": f"{{{self.title}}}",
            "year": str(self.year),
            self.source[0]: self.source[1],
            "number": self.number,
        }
        lines = [f"  {field:<11} = {{{encode_for_tex(value)}}}," for field, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


ALGDIM = Reference(
    "algdim",
    ("algdim developers",),
    "algdim: exact effective dimension of statistical models with hidden variables",
    int(RELEASED[:4]),
    "misc",
    ("howpublished", f"Python package, version {VERSION}"),
)
PAPERS = (
    Reference(
        "GHM96",
        ("Geiger, Dan", "Heckerman, David", "Meek, Christopher"),
        "Asymptotic Model Selection for Directed Networks with Hidden Variables",
        1996,
        "inproceedings",
        ("booktitle", UAI.format("Twelfth")),
    ),
    Reference(
        "HM97",
        ("Heckerman, David", "Meek, Christopher"),
        "Embedded Bayesian Network Classifiers",
        1997,
        "techreport",
        ("institution", "Microsoft Research"),
        "MSR-TR-97-06",
    ),
    Reference(
        "KZ02",
        ("Kočka, Tomáš", "Zhang, Nevin L."),
        "Dimension Correction for Hierarchical Latent Class Models",
        2002,
        "inproceedings",
        ("booktitle", UAI.format("Eighteenth")),
    ),
    Reference(
        "CH96",
        ("Chickering, David Maxwell", "Heckerman, David"),
        "Efficient Approximations for the Marginal Likelihood of Incomplete Data Given a Bayesian Network",
        1996,
        "inproceedings",
        ("booktitle", UAI.format("Twelfth")),
    ),
    Reference(
        "MH97",
        ("Meek, Christopher", "Heckerman, David"),
        "Structure and Parameter Learning for Causal Independence and Causal Interaction Models",
        1997,
        "inproceedings",
        ("booktitle", UAI.format("Thirteenth")),
    ),
)

ACCENTS = {"č": r"{\v{c}}", "š": r"{\v{s}}", "á": r"{\'a}"}


def select_references(keys: list[str] | None = None) -> tuple[Reference, ...]:
    """The works of these keys, or all: algdim first, then the papers."""
    known = {work.key: work for work in (ALGDIM, *PAPERS)}
    for key in keys or ():
        if key not in known:
            raise InputError(f"there is no work {key!r}; known are {join_names(known)}")
    return tuple(known[key] for key in keys or known)


def encode_name(name: str) -> str:
    """A name for BibTeX: one that has no comma is no person's, and stays as it is."""
    return name if "," in name else f"{{{name}}}"


def encode_for_tex(text: str) -> str:
    r"""A text with TeX's accents, which every BibTeX reads.

    >>> print(encode_for_tex("Kočka, Tomáš"))
    Ko{\v{c}}ka, Tom{\'a}{\v{s}}
    """
    return "".join(ACCENTS.get(sign, sign) for sign in text)
