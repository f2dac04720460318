"""Formulas of poLCA."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import InputError, model

SCRIPT = """
library(poLCA)
data(carcinoma)
f <- cbind(A, B, C, D) ~ 1   # no covariates
lca <- poLCA(f, carcinoma, nclass = 3, maxiter = 5000)
"""


OWN = """
f <- cbind(MORALG, CARESG, KNOWG, LEADG)~1
nes2 <- poLCA(f, mine, nclass=3)
"""
ELECTION = OWN.replace("mine", "election")
P_Q = "H -> p, q; hidden H; states H=3, p=3, q=3"
GSS = "data(gss82); f <- cbind(PURPOSE, COOPERAT) ~ 1; poLCA(f, gss82, nclass = 3)"


@pytest.mark.parametrize(
    ("text", "options", "notation"),
    [
        ("cbind(A, B) ~ 1", ":nclass=2,states=2", "H -> A, B; hidden H"),
        ("cbind(A, B)~1", ":nclass=4,states=2", "H -> A, B; hidden H; states H=4"),
        ("f = cbind(A, B, C) ~ 1", ":nclass=2,states=3", "H -> A, B, C; hidden H; states A=3, B=3, C=3"),
        ("cbind(A, B) ~ 1", ":states=3+4,nclass=1", "H -> A, B; hidden H; states H=1, A=3, B=4"),
        ("cbind(`my item`, H) ~ 1", ":nclass=2,states=2", "H_ -> my_item, H; hidden H_"),
        (SCRIPT, "", "H -> A, B, C, D; hidden H; states H=3"),
        (SCRIPT, ":states=3", "H -> A, B, C, D; hidden H; states H=3, A=3, B=3, C=3, D=3"),
        (SCRIPT + "poLCA(f, carcinoma, nclass=2)", ":nclass=5", "H -> A, B, C, D; hidden H; states H=5"),
        (OWN, ":states=4", "H -> a, b, c, d; hidden H; states H=3, a=4, b=4, c=4, d=4"),
        ("data(election)" + ELECTION, "", "H -> a, b, c, d; hidden H; states H=3, a=4, b=4, c=4, d=4"),
        ("f <- cbind(A, B) ~ 1; poLCA(f, d, 4L)", ":states=2", "H -> A, B; hidden H; states H=4"),
        ("f <- cbind(A, B) ~ 1; poLCA(f, d)", ":states=2", "H -> A, B; hidden H"),
        ("poLCA(nclass = 3, data = d, cbind(A, B) ~ 1)", ":states=2", "H -> A, B; hidden H; states H=3"),
        ("x <- cbind(u, v); poLCA(cbind(A, B) ~ 1, x, 3)", ":states=2", "H -> A, B; hidden H; states H=3"),
        ("for (k in 1:5) poLCA(cbind(A,B)~1, d, nclass=k)", ":states=2,nclass=5", "H -> A, B; hidden H; states H=5"),
        (GSS, "", P_Q),
        (GSS.replace("nclass", "nc"), "", P_Q),
        (GSS.replace("nclass", '"ncl"'), "", P_Q),
        (GSS.replace("f, gss82, nclass = 3", "f, dat=gss82, 3"), "", P_Q),
        (GSS.replace("f, gss82, nclass = 3", "d=gss82, f, 3"), "", P_Q),
        (GSS.replace("f, gss82, nclass = 3", "3, f=f, d=gss82"), "", P_Q),
        (GSS.replace("f, gss82, nclass = 3", "maxiter=5000, f, gss82, 3, nr=2"), "", P_Q),
        (GSS.replace("f, gss82, nclass = 3", "f, nclass=3, verbose=FALSE, , data=gss82"), "", P_Q),
        (GSS.replace("(gss82)", "('gss82', package=\"poLCA\")"), "", P_Q),
        ("poLCA(cbind(A, B) ~ 1, d, )", ":states=2", "H -> A, B; hidden H"),
    ],
)
def test_formulas(text, options, notation):
    """Classes and states stand in the script or beside the format."""
    read = model(text, format=f"polca{options}")
    plain = dict(zip(("MORALG", "CARESG", "KNOWG", "LEADG", "PURPOSE", "COOPERAT"), "abcdpq", strict=True))
    names = {variable.name: plain.get(variable.name, variable.name) for variable in read.variables}

    assert algdim.model(notation).states == {names[name]: states for name, states in read.states.items()}
    assert algdim.model(notation).edges == tuple((names[one], names[other]) for one, other in read.edges)
    assert [variable.name for variable in algdim.model(notation).hidden] == [variable.name for variable in read.hidden]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            OWN,
            "",
            "how many answers the items have; give it, as in --format polca:states=2, or with one number for each",
        ),
        (ELECTION, "", "how many answers the items have"),
        ("data(election); election$LEADG <- 1" + ELECTION, "", "how many answers the items have"),
        (SCRIPT.replace("A, B, C, D", "A, B, Z"), "", "how many answers the items have"),
        ("cbind(A, B) ~ 1", "", "how many classes there are and how many answers .* polca:nclass=3,states=2, or"),
        ("cbind(A, B) ~ 1", ":states=2", "how many classes there are; give it, as in --format polca:nclass=3"),
        ("for (k in 1:5) poLCA(cbind(A, B) ~ 1, dat, nclass=k)", "", "classes is 'k', .* polca:nclass=3,states=2"),
        ("poLCA(cbind(A, B) ~ 1, d, nclass=2+1)", ":states=2", "classes is '2 [+] 1', .* polca:nclass=3$"),
        (SCRIPT + "poLCA(f, carcinoma)", "", "several numbers of classes [(]3, 2[)]"),
        (SCRIPT + "poLCA(f, carcinoma, nclass=4)", "", "several numbers of classes [(]3, 4[)]"),
        ("poLCA(cbind(A, B) ~ 1, d, n=3)", ":states=2", "'n' may be nclass or na.rm or nrep"),
        (
            "poLCA(cbind(A, B) ~ 1, d, classes=3)",
            ":states=2",
            "poLCA are formula, data, nclass, .*'classes' is none of",
        ),
        ("poLCA(cbind(A, B) ~ 1, d, nclass=3, nclass=4)", ":states=2", "'nclass' occurs twice"),
        ("poLCA(cbind(A, B) ~ 1, d, ...)", ":states=2", "the number of classes is '...'"),
        ("poLCA(cbind(A, B) ~ 1, ...)", ":states=2", "the number of classes is '...'"),
        *(
            (GSS.replace("; f", f"; {change}; f"), "", "how many answers the items have")
            for change in (
                'names(gss82) <- c("PURPOSE", "COOPERAT")',
                'read.csv("mine.csv") -> gss82',
                "gss82 <<- mine",
                "mine ->> gss82",
                'assign("gss82", mine)',
                "`gss82` <- mine",
                'load("gss82.RData")',
                'load("mine.RData")',
                'source("mine.R")',
                'data(gss82, package="mine")',
            )
        ),
        ("f <- cbind(A, B) ~ 1; g <- cbind(A, B, C) ~ 1", ":nclass=2,states=2", "several formulas"),
        ("f <- cbind(A, B) ~ 1; g <- cbind(A, B) ~ SEX", ":nclass=2,states=2", "several formulas"),
        ("x <- cbind(A, B)", ":nclass=2,states=2", "'~' after cbind.* is expected, not the end"),
        ("x <- cbind(A, B", ":nclass=2,states=2", "'[)]' or ',' is expected, not the end"),
        ("cbind", ":nclass=2,states=2", "'[(]' after cbind is expected, not the end"),
        ("poLCA(", ":nclass=2,states=2", "there is no formula"),
    ],
)
def test_nothing_is_guessed(text, options, message):
    """What a script does not say is asked for, with the words that say it."""
    with pytest.raises(InputError) as refused:
        model(text, format=f"polca{options}")

    assert re.search(message, str(refused.value).split("\n")[0])


@given(st.lists(st.sampled_from("poLCA cbind ( ) , ~ 1 A B = nclass data carcinoma <- 3 [ } k".split()), max_size=20))
def test_any_pieces_are_read_or_refused(words):
    """In no order is there an error of another kind."""
    with suppress(InputError):
        assert "discrete" == model(" ".join(words), format="polca:states=2").family


def test_a_script_is_recognised(tmp_path):
    """A file .R with such a formula is one of poLCA."""
    file = tmp_path / "lca.R"
    file.write_text(SCRIPT, encoding="utf-8")

    assert algdim.model("H -> A, B, C, D; hidden H; states H=3") == model(file)
