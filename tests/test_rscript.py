"""Models of lavaan within scripts of R."""

from __future__ import annotations

import pytest

from algdim.errors import InputError
from algdim.models.notation import parse
from algdim.readers.anything import model

SCRIPT = """library("lavaan")  # ~ not here
model <- '
  f =~ x1 + x2 + x3
  # the items' own story is told elsewhere
'
fit <- cfa(model, data = d, std.lv = TRUE)
summary(fit, fit.measures = TRUE)
""".replace("items' own", "items")


def test_the_call_says_the_options(tmp_path):
    """Function and options are those of the call, unless others are given."""
    file = tmp_path / "fit.R"
    file.write_text(SCRIPT, encoding="utf-8")

    assert parse("gaussian: f -> x1, x2, x3; hidden f; fix v(f)=1; means off") == model(file)
    assert parse("gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1; means off") == model(file, format="lavaan:sem")


def test_incomplete_data_need_means():
    """A likelihood of incomplete data has a mean structure, as lavaan adds it."""
    text = SCRIPT.replace("std.lv = TRUE", 'missing = "fiml"')

    assert parse("gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1, m(f)=0") == model(text, format="lavaan")


def test_places_are_those_of_the_script():
    """An error names the line of the script."""
    with pytest.raises(InputError, match="line 3, column 13"):
        model(SCRIPT.replace("x2 +", "2 +"), format="lavaan")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SCRIPT + "m2 <- 'g =~ y'", "the script has 2 texts in quotes with formulas"),
        ("library(lavaan)\nfit <- cfa(model, d)", "the script has 0 texts"),
        (
            SCRIPT.replace("std.lv", 'group = "school", std.lv'),
            "line 6, column 29: the argument group changes the model",
        ),
        (SCRIPT.replace("std.lv", "auto.var"), "the argument auto.var changes the model and is not read"),
        (SCRIPT + "fit <- growth(model, d)", "the script calls cfa and growth; say which"),
    ],
)
def test_what_is_not_clear_is_refused(text, message):
    """One model and one function are expected."""
    with pytest.raises(InputError, match=message):
        model(text, format="lavaan")
