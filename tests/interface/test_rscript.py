"""Models of lavaan within scripts of R."""

from __future__ import annotations

import re

import pytest

import algdim
from algdim import InputError, model

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

    assert algdim.model("gaussian: f -> x1, x2, x3; hidden f; fix v(f)=1; means off") == model(file)
    assert algdim.model("gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1; means off") == model(
        file, format="lavaan:sem"
    )


def test_incomplete_data_need_means():
    """A likelihood of incomplete data has a mean structure, as lavaan adds it."""
    text = SCRIPT.replace("std.lv = TRUE", 'missing = "fiml"')

    assert algdim.model("gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1, m(f)=0") == model(text, format="lavaan")


RANDOM_INTERCEPT = """m <- 'w1 =~ 1*x1
w2 =~ 1*x2
x1 ~~ 0*x1
x2 ~~ 0*x2
w1 ~~ w1
w2 ~~ w2
w2 ~ w1'
fit <- lavaan(m, data = d, meanstructure = T, int.ov.free = T)
"""
FIXED = "b(w1->x1)=1, b(w2->x2)=1, v(x1)=0, v(x2)=0"


@pytest.mark.parametrize(
    ("said", "free"),
    [
        ("lavaan(m, int.ov.free = T)", True),
        ("lavaan(m, int.ov.free = FALSE)", False),
        ("lavaan(m)", False),
        ("sem(m, int.ov.free = F)", True),
        ("cfa(m, int.ov.free = TRUE)", True),
    ],
)
def test_intercepts_are_free_as_the_call_says(said, free):
    """Only `lavaan` heeds int.ov.free; lavaan 0.6-14: its own intercepts are 0, those of sem and cfa free in any case."""
    text = RANDOM_INTERCEPT.replace("lavaan(m, data = d, ", said[:-1] + ", ").replace(", int.ov.free = T)\n", ")\n")
    fixed = f"{FIXED}, m(w1)=0, m(w2)=0" if free else f"{FIXED}, m(x1)=0, m(x2)=0, m(w1)=0, m(w2)=0"

    assert algdim.model(f"gaussian: w1 -> x1; w2 -> x2; w1 -> w2; hidden w1, w2; fix {fixed}") == model(
        text, format="lavaan"
    )


@pytest.mark.parametrize(
    ("missing", "means"),
    [("ML", True), ("FIML", True), ("two.stage", True), ("robust.two.stage", True), ("pairwise", False)],
)
def test_what_is_said_of_missing_data_adds_means(missing, means):
    """As lavaan 0.6-14 does, in small or capital letters."""
    found = model(SCRIPT.replace("std.lv = TRUE", f'missing = "{missing}"'), format="lavaan")

    assert found.means == means


def test_a_script_with_defined_parameters_is_none_of_maple(tmp_path):
    """`:=` is Maple's too; lavaan's tutorial has it in the example of mediation."""
    path = tmp_path / "mediation.R"
    text = "model <- ' Y ~ c*X\n M ~ a*X\n Y ~ b*M\n ab := a*b\n total := c + (a*b) '\nfit <- sem(model, data = Data)\n"
    path.write_text(text, encoding="utf-8")
    report = algdim.dimension(path)

    assert (6, 0) == (report.dimension, report.df)


def test_places_are_those_of_the_script():
    """An error names the line of the script."""
    with pytest.raises(InputError, match="line 3, column 13"):
        model(SCRIPT.replace("x2 +", "2 +"), format="lavaan")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            SCRIPT + "m2 <- 'g =~ y'",
            "the script has 2 texts in quotes with formulas; one model is read; .* --format lavaan:model=model, or save",
        ),
        ("library(lavaan); cfa('f =~ x', d); cfa('f =~ y', d)", "one model is read; save each in a file of its own"),
        ("library(lavaan)\nfit <- cfa(model, d)", "the script has 0 texts"),
        (
            SCRIPT.replace("std.lv", 'group = "school", std.lv'),
            "it is not said how many groups there are",
        ),
        (SCRIPT.replace("std.lv", "auto.var"), "the argument auto.var changes the model and is not read"),
        (SCRIPT.replace("std.lv = TRUE", "int.ov.free = x"), "the argument int.ov.free changes the model"),
        (SCRIPT.replace("std.lv = TRUE", "int.lv.free = TRUE"), "the argument int.lv.free changes the model"),
        (SCRIPT + "fit <- growth(model, d)", "the script calls cfa and growth; say which"),
    ],
)
def test_what_is_not_clear_is_refused(text, message):
    """One model and one function are expected."""
    with pytest.raises(InputError, match=message):
        model(text, format="lavaan")


GROUPED = SCRIPT.replace(
    "std.lv = TRUE", 'ordered = TRUE, std.lv = TRUE, group = "school", group.equal = c("loadings", "regressions")'
)


@pytest.mark.parametrize("ordered", ["ordered = TRUE", 'ordered = c("x1", "x2")'])
def test_the_advice_about_ordered_items_keeps_all_else(ordered):
    """What is advised is the model of the normal variables, with groups, equal numbers and scale of the call."""
    text = GROUPED.replace("ordered = TRUE", ordered)
    with pytest.raises(InputError, match="the same degrees of freedom") as caught:
        model(text, format="lavaan")
    advised = re.search(r"as in --format (\S+);", str(caught.value))[1]

    assert "lavaan:cfa,std.lv,group=school,group.equal=loadings+regressions" == advised
    assert model(text.replace(f"{ordered}, ", ""), format="lavaan:groups=2") == model(
        text, format=f"{advised},groups=2"
    )


@pytest.mark.parametrize("equal", ["thresholds", "intercepts", "residuals"])
def test_equal_thresholds_are_not_those_of_normal_variables(equal):
    """With thresholds or residual variances equal in groups, degrees of freedom of ordered items are others."""
    with pytest.raises(InputError, match="the argument ordered changes the model") as caught:
        model(GROUPED.replace("regressions", equal), format="lavaan")

    assert "the same degrees of freedom" not in str(caught.value)


def test_the_advice_keeps_the_name_of_a_text():
    """One of several models has its own calls; what a shell would read is quoted."""
    text = TWO.replace("missing = ", 'ordered = TRUE, group.partial = "g=~y2", missing = ')

    with pytest.raises(InputError, match=r"lavaan:'model=m\.2,sem,meanstructure,group=.*=~y2,groups=2';"):
        model(text, format="lavaan:model=m.2,groups=2")


TWO = """library(lavaan)
m1 <- 'f =~ x1 + x2 + x3'
"g =~ y1 + y2 + y3" -> m.2
fit1 <- cfa(m1, data = d, std.lv = TRUE)
fit2 <- sem(d, model = m.2, group = "school", missing = "fiml")
"""


def test_one_of_several_models_is_named():
    """Options are those of the calls that have its name; words beside it go before them."""
    wanted = "gaussian: f -> x1, x2, x3; hidden f; fix v(f)=1; means off"

    assert algdim.model(wanted) == model(TWO, format="lavaan:model=m1")
    assert algdim.model(wanted.replace("v(f)", "b(f->x1)")) == model(TWO, format="lavaan:model=m1,cfa")
    means = "gaussian: g -> y1, y2, y3; hidden g; fix b(g->y1)=1, m(g)=0"
    assert algdim.model(means) == model(TWO.replace('group = "school", ', ""), format="lavaan:model=m.2")
    assert algdim.model(means.replace(", m(g)=0", "; means off")) == model(TWO, format="lavaan:model=m.2,sem")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (TWO, "m3", "0 texts in quotes with formulas are assigned to m3; one is read; named are m1, m.2"),
        (TWO + "m1 <- 'f =~ x4'", "m1", "2 texts in quotes with formulas are assigned to m1"),
        (TWO, "m.2", "it is not said how many groups there are; say it, as in --format lavaan:groups=2"),
        (
            TWO.replace("(m1", "(m12"),
            "m1",
            "no call has m1 in it; say the function, as in --format lavaan:model=m1,cfa",
        ),
        (TWO + "growth(m1, d)", "m1", "the script calls cfa and growth; say which"),
        ("f =~ x1 + x2", "m1", "model=m1 chooses a text of a script of R; this is none"),
    ],
)
def test_names_of_models_that_are_not_clear(text, name, message):
    """No such model, two of them, or no call that says what is done with it."""
    with pytest.raises(InputError, match=message):
        model(text, format=f"lavaan:model={name}")
