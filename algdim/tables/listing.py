"""Models that a file lists: where each stands, and one message about all that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from algdim.errors import InputError, LimitError, join_names
from algdim.models.anymodel import AnyModel
from algdim.readers.anything import read_model

MOST_SHOWN = 10
"""As many models that cannot be read are said with the reason, the others with their places."""
MOST_PLACES = 50
MOST_REASON = 280
MOST_LABEL = 60


@dataclass(frozen=True, slots=True)
class Listed:
    """A model that a file lists: its label, its description, and where in the file it stands."""

    label: str
    text: str
    place: str

    @property
    def full_name(self) -> str:
        """Place and label, for a message."""
        return f"{self.place}, {self.label[:MOST_LABEL]!r}"

    def read(self) -> AnyModel | Unread:
        """The model, or what is wrong with it.

        >>> str(Listed("mine", "3:", "line 2").read())[:29]
        "line 2, 'mine': at position 3"
        """
        try:
            return read_model(self.text)
        except (InputError, LimitError) as error:
            return Unread(self, error)


@dataclass(frozen=True, slots=True)
class Unread:
    """A model that cannot be read, and why."""

    source: Listed
    error: InputError | LimitError

    def __str__(self) -> str:
        return f"{self.source.full_name}: {self.error}"


def read_all(models: Sequence[Listed]) -> list[AnyModel]:
    """Read all models, or say of every one that cannot be read where it stands and what is wrong."""
    found = [one.read() for one in models]
    wrong = [one for one in found if isinstance(one, Unread)]
    if wrong:
        raise make_refusal(wrong, len(models))
    return [one for one in found if not isinstance(one, Unread)]


def make_refusal(wrong: Sequence[Unread], total: int, advice: str = "") -> InputError | LimitError:
    """One message about models that cannot be read: a line for each, or one line if there is but one."""
    kind = LimitError if all(isinstance(one.error, LimitError) for one in wrong) else InputError
    if len(wrong) == 1:
        return kind(f"{wrong[0]}{advice}")
    lines = [f"{len(wrong)} of {total} models cannot be read"]
    lines += [f"  {format_first_line(str(one))}" for one in wrong[:MOST_SHOWN]]
    if len(wrong) > MOST_SHOWN:
        lines.append(f"  and {join_names((one.source.place for one in wrong[MOST_SHOWN:]), most=MOST_PLACES)}")
    return kind("\n".join(lines) + advice)


def format_first_line(message: str) -> str:
    """The first line of a message, if it is not too long."""
    line = message.partition("\n")[0]
    return line if len(line) <= MOST_REASON else f"{line[:MOST_REASON]} …"


@contextmanager
def add_place_to_errors(place: str) -> Iterator[None]:
    """Let messages begin with the path of the file, or the place in it, that they are about."""
    try:
        yield
    except (InputError, LimitError) as error:
        kind = LimitError if isinstance(error, LimitError) else InputError
        raise kind(str(error) if str(error).startswith(place) else f"{place}: {error}") from None
