"""What lavaan's functions add, classical models with their degrees of freedom, and the real lavaan."""

from __future__ import annotations

import random

import pytest
from classical_sems import CLASSICS, REDUNDANT
from packages import ROOT
from real_lavaan import groups, lavaan_fits, lavaan_tables, needs_lavaan, numbers_of_lavaan

import algdim
from algdim import InputError, dimension, model
from algdim.models.notation import to_text
from algdim.readers.formats import read_options
from algdim.readers.lavaandefaults import read_lavaan


def asked(text, options):
    """Read a text with options as they are given beside a format."""
    return read_lavaan(text, read_options(options, "lavaan"))


@pytest.mark.parametrize("name", CLASSICS)
def test_published_degrees_of_freedom(name):
    """Complete minus dimension is what is printed, the dimension is proved, and no parameter is redundant."""
    text, options, df, *_ = CLASSICS[name]
    report = dimension(asked(text, options))

    assert df == report.complete - report.dimension
    assert (0, True) == (report.redundant, report.exact)


@pytest.mark.parametrize("name", REDUNDANT)
def test_counting_says_too_few(name):
    """Where a bound proves that parameters are redundant, there are more degrees of freedom than counting says."""
    text, options, counted, _, redundant = REDUNDANT[name]
    report = dimension(asked(text, options))

    assert counted == report.complete - report.standard
    assert (redundant, True) == (report.redundant, report.exact)


@pytest.mark.parametrize(
    ("text", "options", "notation"),
    [
        ("f =~ x1 + x2", "", "f -> x1, x2; hidden f; fix b(f->x1)=1; means off"),
        ("f =~ x1 + x2", "std.lv", "f -> x1, x2; hidden f; fix v(f)=1; means off"),
        ("f =~ NA*x1 + x2; f ~~ 1*f", "cfa", "f -> x1, x2; hidden f; fix v(f)=1; means off"),
        ("f =~ x1 + x2", "lavaan", "f -> x1, x2; hidden f; fix v(f)=0, v(x1)=0, v(x2)=0; means off"),
        ("f =~ x", "", "f -> x; hidden f; fix b(f->x)=1, v(x)=0; means off"),
        ("y ~ x1 + x2", "", "y <- x1, x2; x1 <-> x2; means off"),
        ("y ~ x1 + x2; x1 ~~ x1", "", "y <- x1, x2; means off"),
        ("y1 + y2 ~ x", "", "y1, x; x -> y1, y2; y1 <-> y2; means off"),
        ("y ~ 1 + x", "", "y <- x"),
        ("y ~ 0.5*x", "meanstructure", "y <- x; fix b(x->y)=1/2"),
        ("y ~ a*x1 + a*x2", "", "y <- x1, x2; x1 <-> x2; equal a = b(x1->y), b(x2->y); means off"),
        ("y ~ a*x1 + b*x2; a == b", "", "y <- x1, x2; x1 <-> x2; equal b = b(x1->y), b(x2->y); means off"),
        ("y ~ a*x1 + b*x2; a == 2", "", "y <- x1, x2; x1 <-> x2; fix b(x1->y)=2; means off"),
        ("y ~ x1 + equal('y~x1')*x2", "", "y <- x1, x2; x1 <-> x2; equal y_x1 = b(x1->y), b(x2->y); means off"),
        (
            "y ~ x1 + a*start(2)*x1; z ~ label('a')*x1",
            "",
            "y <- x1 -> z; y <-> z; equal a = b(x1->y), b(x1->z); means off",
        ),
        ("a := b*c\nb > 0\ny ~ -1/3*x # a comment\n! another", "", "y <- x; fix b(x->y)=-1/3; means off"),
        ("y ~\nx1\n+ x2", "", "y <- x1, x2; x1 <-> x2; means off"),
        ("f =~ 0*x1 + x2 + x3", "", "f -> x2, x3; x1; hidden f; means off"),
        ("f =~ 0\nf ~ x\ny ~ f", "", "x -> f -> y; hidden f; means off"),
        ("i =~ 1*t1 + 1*t2", "growth", "i -> t1, t2; hidden i; fix b(i->t1)=1, b(i->t2)=1, m(t1)=0, m(t2)=0"),
    ],
)
def test_defaults(text, options, notation):
    """What is fixed, free and added, against the notation."""
    assert contents(algdim.model(f"gaussian: {notation}")) == contents(asked(text + "\n", options))


def contents(read):
    """What a Gaussian model says, whatever the order."""

    def key(entry):
        return (entry[0], *sorted(entry[1:])) if entry[0] == "c" else entry

    return (
        frozenset(read.variables),
        {key(entry): dict(read.fixed).get(entry) for entry in read.entries},
        {key(entry): name for entry, name in read.equal},
    )


def test_names_that_the_notation_has_not():
    """Other names are made similar ones."""
    assert "gaussian: max_ -> Grosse, x.1; hidden max_; fix b(max_->Grosse)=1; means off" == to_text(
        model("max =~ Größe + x.1", format="lavaan")
    )


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("y ~ a*x + b*z; a == 1; b == 2; a == b", "", "line 1, column 24: the label b has two values; one is allowed"),
        ("y ~ 2*x + a*x; z ~ a*u + 3*u", "", "line 1, column 20: the label a has two values"),
        ("f =~ x; y ~~ 2*y + a*y + equal('f~~f')*y", "std.lv", "line 1, column 1: the label f~~f has two values"),
        ("y ~ a*x + b*z; a + b == 1; 2*a == 4 - 2*b", "", "line 1, column 28: this equation contradicts others"),
        ("y ~ a*x + b*z; a*b == 1", "", "line 1, column 17: equations are sums of labels times numbers"),
        ("y ~ a*x + b*z; ab := a*b; ab == 1", "", "line 1, column 27: ab is not linear in labels"),
        ("y ~ a*x; a == b", "", "line 1, column 15: nothing has the label b"),
    ],
)
def test_labels_that_contradict_each_other(text, options, message):
    """Two values, two kinds, and labels of nothing."""
    with pytest.raises(InputError) as caught:
        asked(text + "\n", options)

    assert message in str(caught.value)


def test_one_function():
    """Two functions contradict each other."""
    with pytest.raises(InputError, match="sem and growth are functions; one is allowed"):
        asked("f =~ x\n", "sem,growth")


def random_text(draw):
    """A model of some formulas with modifiers."""
    latent, seen = draw.sample(["f", "g", "h"], draw.randint(0, 3)), ["x1", "x2", "x3", "x4", "x5"]

    def modified(name):
        return draw.choice(["", "", "", "", "0.5*", "NA*", "a*", "b*", "start(0.3)*", "0*", "1*"]) + name

    lines = [f"{name} =~ {' + '.join(map(modified, draw.sample(seen, draw.randint(1, 3))))}" for name in latent]
    for left in draw.sample([*latent, *seen, "y"], draw.randint(0, 3)):
        right = [name for name in draw.sample([*latent, *seen, "z"], 2) if name != left]
        lines.append(f"{left} ~ {' + '.join(map(modified, right))}")
    pairs = [(draw.choice([*latent, *seen]), draw.choice([*latent, *seen])) for _ in range(draw.randint(0, 2))]
    lines += [f"{left} ~~ {modified(right)}" for left, right in pairs]
    if draw.random() < 0.25:
        lines.append(f"{draw.choice([*latent, *seen])} ~ {modified('1')}")
    return "\n".join(lines) + "\n"


def numbers_of(read):
    """The value of each number of a model, and which free ones are equal."""
    _, values, names = contents(read)

    def key(entry):
        return (entry[0], *sorted(entry[1:])) if entry[0] == "c" else entry

    for entry, ((other, _),) in read.linear:  # equal numbers of different kinds
        names[key(entry)] = names.setdefault(key(other), f"{other}")
    return values, groups(names)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_lavaan_itself_agrees(seed):
    """The real lavaan makes the same numbers free, fixed and equal, of the classical models and of random ones."""
    needs_lavaan()
    draw = random.Random(seed)
    whole = (CLASSICS | REDUNDANT).values() if seed == 0 else ()
    cases = [
        (one.text, one.options) for one in whole if "=" not in one.options and "<~" not in one.text
    ]  # as R is asked
    for _ in range(150):
        words = [draw.choice(["sem", "cfa", "growth", "lavaan"])]
        words += [word for word in ("std.lv", "meanstructure", "orthogonal") if draw.random() < 0.2]
        text = random_text(draw)
        if text.strip():
            cases.append((text, ",".join(words)))
    compared = 0
    for (text, options), rows in zip(cases, lavaan_tables(cases), strict=True):
        try:
            read = asked(text, options)
        except InputError:
            continue  # an edge said twice, labels across kinds, impossible covariances: lavaan lets them pass
        assert numbers_of_lavaan(rows) == numbers_of(read), (text, options)
        compared += 1
    assert compared > len(cases) / 2


HS = "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n"
PD = "ind60 =~ x1 + x2 + x3\ndem60 =~ y1 + a*y2 + b*y3 + c*y4\ndem65 =~ y5 + a*y6 + b*y7 + c*y8\ndem60 ~ ind60\ndem65 ~ ind60 + dem60\n"
GROWTH = "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4\n"
TUTORIAL = {
    "factors": ("cfa", "HS", HS, "", ""),
    "structural equations, equal loadings": ("sem", "PD", PD, "", ""),
    "configural": ("cfa", "HS", HS, 'group = "school"', "groups=2"),
    "metric": ("cfa", "HS", HS, 'group = "school", group.equal = "loadings"', "groups=2,group.equal=loadings"),
    "scalar": (
        "cfa",
        "HS",
        HS,
        'group = "school", group.equal = c("loadings", "intercepts")',
        "groups=2,group.equal=loadings+intercepts",
    ),
    "strict": (
        "cfa",
        "HS",
        HS,
        'group = "school", group.equal = c("loadings", "intercepts", "residuals", "lv.variances", "lv.covariances", "means")',
        "groups=2,group.equal=loadings+intercepts+residuals+lv.variances+lv.covariances+means",
    ),
    "partial": (
        "cfa",
        "HS",
        HS,
        'group = "school", group.equal = c("loadings", "intercepts"), group.partial = c("visual=~x2", "x7 ~ 1")',
        "groups=2,group.equal=loadings+intercepts,group.partial=visual=~x2+x7~1",
    ),
    "partial, covariances": (
        "cfa",
        "HS",
        HS,
        'group = "school", group.equal = c("loadings", "lv.covariances", "residuals"), group.partial = c("visual~~textual", "x1~~x1")',
        "groups=2,group.equal=loadings+lv.covariances+residuals,group.partial=visual~~textual+x1~~x1",
    ),
    "metric, standardized": (
        "cfa",
        "HS",
        HS,
        'group = "school", group.equal = "loadings", std.lv = TRUE',
        "groups=2,group.equal=loadings,std.lv",
    ),
    "labels by group": (
        "cfa",
        "HS",
        "visual =~ x1 + 0.5*x2 + c(0.6, 0.8)*x3\ntextual =~ x4 + start(c(1.2, 0.6))*x5 + c(a, a)*x6\nspeed =~ x7 + x8 + c(NA, 1)*x9\n",
        'group = "school"',
        "groups=2",
    ),
    "effects coding by an equation": (
        "cfa",
        "HS",
        "visual =~ NA*x1 + l1*x1 + l2*x2 + l3*x3\nl1 + l2 + l3 == 3\ntextual =~ x4 + x5 + x6\n",
        "",
        "",
    ),
    "effects coding": (
        "cfa",
        "HS",
        HS,
        "effect.coding = TRUE, meanstructure = TRUE",
        "meanstructure,effect.coding=loadings+intercepts",
    ),
    "equations": (
        "sem",
        "PD",
        "ind60 =~ x1 + a*x2 + b*x3\ndem60 =~ y1 + c*y2 + d*y3\ndem60 ~ e*ind60\n2*a == 3*b - 1\nf := c + d\nf == 3 - e\n",
        "",
        "",
    ),
    "growth": ("growth", "DG", GROWTH + "i ~ x1 + x2\ns ~ x1 + x2\nt1 ~ c1; t2 ~ c2; t3 ~ c3; t4 ~ c4\n", "", ""),
    "growth of two lines": ("growth", "DG", GROWTH + "t1 ~~ v*t1; t2 ~~ v*t2; t3 ~~ v*t3; t4 ~~ v*t4\n", "", ""),
    "exogenous variables that are random": ("sem", "HS", "x1 ~ x4 + x5 + x6\nx2 ~ x4\n", "fixed.x = FALSE", "fixed.x=FALSE"),
    "second order": ("cfa", "HS", HS + "g =~ visual + textual + speed\n", "", ""),
    "bifactor": ("cfa", "HS", HS + "g =~ x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9\n", "orthogonal = TRUE, std.lv = TRUE", "orthogonal,std.lv"),
    "MIMIC": ("sem", "HS", "visual =~ x1 + x2 + x3\nvisual ~ ageyr + sex\n", "", ""),
    "cross-lagged": ("sem", "PD", "y5 + y6 ~ y1 + y2\ny7 + y8 ~ y5 + y6\n", "", ""),
    "cross-lagged, stationary": ("sem", "PD", "y5 ~ a*y1 + b*y2\ny6 ~ c*y1 + d*y2\ny7 ~ a*y5 + b*y6\ny8 ~ c*y5 + d*y6\n", "", ""),
}  # fmt: skip


@pytest.mark.slow
def test_the_tutorial_in_the_real_lavaan():
    """Degrees of freedom by counting are those of lavaan; those by dimension too, as nothing here is redundant."""
    needs_lavaan()
    names = list(TUTORIAL)
    fits = lavaan_fits([TUTORIAL[name][:4] for name in names])
    found = {}
    for name in names:
        function, _, text, _, options = TUTORIAL[name]
        report = dimension(asked(text, ",".join(filter(None, (function, options)))))
        found[name] = report.complete - report.standard, report.complete - report.dimension, report.exact

    assert {name: (df, df, True) for name, (df, *_) in zip(names, fits, strict=True)} == found


def test_numbers_that_groups_do_not_share_are_named_as_lavaan_names_them():
    """Each one that is named has a parameter more; what is misspelt is refused, where lavaan says nothing."""
    text = "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\n"
    base = "cfa,groups=2,group.equal=loadings+intercepts+lv.covariances+residuals"
    partials = ["visual=~x2", "visual=~x2+x2~1", "visual~~textual", "x1~~x1", "visual~~visual"]

    # lavaan 0.6-14: df 31 without, and 30, 29, 30, 30, 31 with these
    assert 31 == find_df(asked(text, base))
    assert [30, 29, 30, 30, 31] == [find_df(asked(text, f"{base},group.partial={one}")) for one in partials]
    for wrong, message in [("textual~~visual", "no such number; did you mean 'visual~~textual'"), ("x9~1", "'x9~1'")]:
        with pytest.raises(InputError, match=message):
            asked(text, f"{base},group.partial={wrong}")
    with pytest.raises(InputError, match="not said how many groups"):
        asked(text, "cfa,group.partial=x1~1")


def find_df(model):
    """Degrees of freedom by counting."""
    report = dimension(model)
    return report.complete - report.standard


@pytest.mark.parametrize(
    ("equal", "df", "chi2"),
    [
        ("", 48, 115.851),
        (', group.equal = "loadings"', 54, 124.044),
        (', group.equal = c("loadings", "intercepts")', 60, 164.103),
    ],
)
def test_the_data_say_how_many_groups_there_are(equal, df, chi2, tmp_path):
    """A script names the column alone; the numbers are those of the tutorial of lavaan, section multiple groups."""
    script = tmp_path / "schools.R"
    script.write_text(f"m <- '{HS}'\nfit <- cfa(m, data = d, group = \"school\"{equal})\n", encoding="utf-8")
    found = algdim.score(ROOT / "examples" / "holzinger-swineford.csv", script, score="bic")

    assert (df, df) == (found.goodness.dof, found.report.complete - found.report.standard)
    assert chi2 == pytest.approx(found.goodness.g2, abs=6e-4)
    assert "the groups are taken from the data: g1 is Pasteur, g2 is Grant-White" in found.fit.sample.notes


def test_data_without_groups_do_not_say_how_many():
    """No such column, or one group."""
    text = "f =~ x1 + x2 + x3"
    for data, message in [
        ({"x1": [1, 2]}, "there is no column school, whose values are the groups of the model"),
        ({"x1": [1, 2], "school": ["a", "a"]}, "the column school has 1 group; two are needed"),
    ]:
        with pytest.raises(InputError, match=message):
            algdim.fit(data, text, format="lavaan:cfa,group=school")


def test_a_script_names_them_in_quotes():
    """What stands in quotes there is no second model."""
    script = """HS <- "visual =~ x1 + x2 + x3
textual =~ x4 + x5 + x6"
fit <- cfa(HS, data = d, group = "school", group.equal = c("loadings", "intercepts"),
           group.partial = c("visual=~x2", "x5 ~ 1"))
"""
    said = "cfa,groups=2,group=school,group.equal=loadings+intercepts,group.partial=visual=~x2+x5~1"

    assert asked("visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6", said) == asked(script, "groups=2")
