"""A user's program under `mypy --strict`: what algdim promises of types, it promises to those who install it.

`make lint` checks it beside the package's folder, `make package` beside an installed wheel, where only ``py.typed`` makes
the types count; `tests/interface/test_typing.py` sees that wrong programs are found.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_type

import algdim
from algdim.bound.bounds import Bound
from algdim.models.anymodel import AnyModel

model = algdim.model("A -> X <- H -> Y; hidden H")
assert_type(model, AnyModel)
report = algdim.dimension(model, method="table", seed="mine", max_memory="2G")
assert_type(report, algdim.Report)
assert_type(report.dimension, int)
assert_type(report.exact, bool)
assert_type(report.upper, Bound)
assert_type(report.upper.error, float | None)
assert_type(report.complete, int | None)
assert_type(report.df, int | None)
assert_type(report.proved, bool)
assert_type(algdim.dimensions([model], hidden=["H"])[0], algdim.Report)
assert_type(algdim.identify(model, format=None).df, int | None)

checked = algdim.check([{"model": "3:2,2,2,2", "printed": {"dimension": 14}}])
assert_type(checked, algdim.Checked)
assert_type(checked.code, int)
assert_type(checked.refuted[0].word, str)
written = algdim.parametrization(model)
assert_type(written, algdim.Parametrization)
assert_type(written.rowreduce(points=2, field=101), algdim.RowReduction)
assert_type(written.rowreduce().ranks, tuple[int, ...])

certificate = algdim.prove("2:2,2")
assert_type(certificate.dimension, int)
assert_type(algdim.verify(certificate).accepted, bool)
assert_type(algdim.__version__, str)

try:
    algdim.dimension("A -> A")
except algdim.LimitError as error:
    assert_type(error.exit_code, int)
except algdim.InputError as error:
    assert_type(str(error), str)
half = Fraction(1, 2)
assert algdim.dimension("A -> B", at={"A": [[half, half]], "B": [[1, 0], [0, 1]]}).at is not None
