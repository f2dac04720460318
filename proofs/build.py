"""Write proofs/certificates/: one certificate for each dimension that the papers print.

python proofs/build.py [ID ...]   (default: all)

The file is named after the claim; of a claim about all n there is one for each n that is computed. A refuted claim gets the certificate of the true number. Every run writes the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from algdim.certificate.exporting import NotProvedError, prove
from algdim.families import find_certifying
from algdim.readers.anything import model
from algdim_papers.claims.reading import Claim, list_claims, list_papers

FOLDER = Path(__file__).parent / "certificates"
QUANTITIES = ("dimension", "redundant")


def cases(known: Iterable[Claim]) -> Iterator[tuple[str, Claim]]:
    """The claims about one model each, with the names of their files; one about all n has a file for each n computed."""
    for claim in known:
        for n, instance in zip(claim.cases or ("",), claim.instances, strict=True):
            yield f"{claim.id}-{n}" if claim.cases else claim.id, instance


def main(wanted: list[str]) -> int:
    """Write the certificates, and say of which claims there is none."""
    FOLDER.mkdir(exist_ok=True)
    if not wanted:
        for file in FOLDER.glob("*.json"):
            file.unlink()
    missing, formless = 0, set()
    for name, claim in cases(claim for paper in list_papers() for claim in list_claims(paper)):
        if claim.quantity not in QUANTITIES or not claim.model or (wanted and claim.id not in wanted):
            continue
        described = model(claim.model)
        if find_certifying(described.family) is None:
            formless.add(described.family)
            continue
        try:
            prove(described).save(FOLDER / f"{name}.json")
        except NotProvedError as error:
            missing += 1
            print(f"{name}: {error}", file=sys.stderr)
    print(f"{len(list(FOLDER.glob('*.json')))} certificates")
    if formless:
        print(f"the format has none of the families {', '.join(sorted(formless))}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
