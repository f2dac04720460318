"""Check the claims of a file: read, compute, judge, certify. `check` is the entry point."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from algdim.arguments import check_arguments
from algdim.certificate.exporting import prove
from algdim.checking.judging import ClaimVerdict, judge_claim
from algdim.checking.knowing import Finder
from algdim.checking.reading import Claims, read_claims, read_given_claims
from algdim.checking.record import Checked
from algdim.errors import AlgdimError, InputError
from algdim.exact.draws import draw_seed
from algdim.memory import allow_each
from algdim.models.anymodel import AnyModel
from algdim.models.notation import describe_doubts
from algdim.tables.listing import Listed, add_place_to_errors, read_all

MOST_NAME = 40


@check_arguments
def check(
    claims: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
    *,
    columns: Sequence[str] | None = None,
    certificate_folder: str | os.PathLike[str] | None = None,
    accept_probable: bool = False,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Checked:
    """Compute what is claimed of models, and say which claims hold.

    Parameters
    ----------
    claims : path or list of dictionaries
        A TOML or CSV file, a Markdown or LaTeX text with tables, or claims with the keys of the TOML file.
    columns : list of str, optional
        What the columns of the tables are, in order, where their heads do not say it; "-" leaves one out.
    certificate_folder : path, optional
        A folder for certificates of the dimensions, one for each claim that has one.
    accept_probable : bool
        Whether a probable value decides a claim; without it, the claim is open.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds, of each answer, for searches that only sharpen a proof; 120 without it. No rank is ended by it.
    progress : callable, optional
        Told how many claims are judged, of how many, and the next one.

    Returns
    -------
    Checked
        The verdicts, as a table and one by one.

    Examples
    --------
    >>> found = check([{"model": "2:2^8", "quantity": "dimension", "printed": 17}])
    >>> found.code, found.verdicts[0].word, found.verdicts[0].trust.is_proved
    (0, 'confirmed', True)
    """
    judge = partial(
        judge_claims,
        finder=Finder(seed=draw_seed(seed)),
        accept_probable=accept_probable,
        folder=certificate_folder,
        max_memory=max_memory,
        max_seconds=max_seconds,
        progress=progress,
    )
    if isinstance(claims, (str, os.PathLike)):
        path = os.fspath(claims)
        with add_place_to_errors(path):
            return judge(read_claims(path, None if columns is None else split_columns(columns)))
    if columns is not None:
        raise InputError("columns are those of the tables of a file; claims that are given have keys")
    return judge(read_given_claims(claims))


def split_columns(columns: Sequence[str]) -> list[str]:
    """The names of columns, of a text those between commas."""
    return [name.strip() for name in (columns.split(",") if isinstance(columns, str) else columns)]


def judge_claims(
    found: Claims,
    finder: Finder,
    *,
    accept_probable: bool = False,
    folder: str | os.PathLike[str] | None = None,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Checked:
    """The verdicts on claims that were read; all models are read before anything is computed."""
    claims = found.claims
    models = read_all([claim.source for claim in claims])
    named = [claim for claim in claims if claim.other]
    others = dict(
        zip(
            (claim.number for claim in named),
            read_all([Listed(claim.other, claim.other, f"{claim.source.place}, in") for claim in named]),
            strict=True,
        )
    )
    verdicts = []
    with allow_each(max_seconds, max_memory) as each:
        for claim, model in zip(claims, models, strict=True):
            if progress is not None:
                progress(claim.number, len(claims), claim.source.label)
            verdict = judge_claim(claim, finder, model, others.get(claim.number), accept_probable=accept_probable)
            verdicts.append(verdict if folder is None else write_certificate(verdict, model, Path(folder), finder))
    first = {claim.source.text: claim.source for claim in reversed(claims)}
    doubts = [f"{one.place}: {said}" for text, one in first.items() if (said := describe_doubts(text))]
    return Checked(found.source, tuple(verdicts), (*found.notes, *doubts[::-1]), each.all_untried, finder.seed)


def write_certificate(verdict: ClaimVerdict, model: AnyModel, folder: Path, finder: Finder) -> ClaimVerdict:
    """The verdict with the certificate of the dimension on which it rests, or why there is none."""
    if not verdict.certified:
        return replace(verdict, certificate=f"none: no certificate is about {verdict.claim.quantity}")
    try:
        written = finder.once("certificate", model, find=lambda: prove(model, seed=finder.seed))
    except AlgdimError as error:
        return replace(verdict, certificate=f"none: {error}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a null character in the path
        raise InputError(f"{folder}: no folder for certificates: {getattr(error, 'strerror', None) or error}") from None
    label = re.sub(r"[^A-Za-z0-9]+", "-", verdict.claim.source.label).strip("-")[:MOST_NAME]
    path = folder / f"{verdict.claim.number:03}-{label}-{verdict.claim.quantity}.json"
    written.save(path)
    return replace(verdict, certificate=str(path))
