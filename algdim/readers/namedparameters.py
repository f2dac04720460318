"""Parameter files of families whose parameters have names of their own: each by its name, as `algdim map` prints it.

    {"P(H=0)": "1/3", "m(X|H=0)": 0, "m(X|H=1)": 2.5, "v(X|H=0)": 1, "v(X|H=1)": 1}

Decimal numbers are read as they are written.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction

from algdim.errors import InputError, listed
from algdim.models.values import mapping_of, signed_value
from algdim.readers.files import read_by


def read_parameters(source: str | os.PathLike[str] | dict[str, object], names: Sequence[str]) -> list[Fraction]:
    """Read the values of all parameters, in their order, from a file (JSON, TOML) or a dictionary, exactly.

    >>> read_parameters({"v(X)": "1/2", "m(X|H=0)": -1}, ["m(X|H=0)", "v(X)"])
    [Fraction(-1, 1), Fraction(1, 2)]
    """
    return read_by(source, lambda data: values_of(data, names))


def values_of(source: dict[str, object], names: Sequence[str]) -> list[Fraction]:
    """Read all values; raise unless every parameter stands there and nothing else."""
    data = mapping_of(source, "the parameters")
    known = frozenset(names)
    for key in data:
        if key not in known:
            raise InputError(f"the parameters: the model has no {key[:80]!r}; known are {listed(names)}")
    missing = [name for name in names if name not in data]
    if missing:
        raise InputError(f"the parameters: values are missing: {listed(missing)}")
    return [signed_value(data[name], name) for name in names]
