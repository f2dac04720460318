"""Natural ways to write a model, as users of other programs would: each is read as meant, or refused with what to write."""

from __future__ import annotations

import pytest

from algdim import InputError, model
from algdim.cli import main
from algdim.models.foreign import ADVICE
from algdim.models.notation import to_text

READ = [
    ("3:2^4", "3:2,2,2,2"),
    ("3:02,2", "3:2,2"),
    ("3(2,2,2)", "3:2,2,2"),
    ("H->X1,X2,X3;hidden H", "2:2,2,2"),
    ("H -> X1..X4; hidden H", "2:2,2,2,2"),
    ("X1 <- H; X2 <- H; hidden H", "H -> X1, X2; hidden H"),
    ("H -> X1, X2;\nhidden H;\nstates H=3", "3:2,2"),
    ("A\t->\tB\r\n-> C", "A -> B -> C"),
    ("A <- B -> C", "B -> A; B -> C"),
    ("f =~ x1 + x2 + x3", "gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1; means off"),
    ("f =~ x1+x2+x3\ng =~ x4+x5+x6\ng ~ f", "gaussian: f -> x1..x3, g; g -> x4..x6; hidden f, g; fix b(f->x1)=1, b(g->x4)=1; means off"),
    ("f =~ NA*x1 + x2 + x3; f ~~ 1*f", "gaussian: f -> x1, x2, x3; hidden f; fix v(f)=1; means off"),
    ("loglinear: {A,B}, {B,C}", "loglinear: {A,B}, {B,C}"),
    ("loglinear: {AGE}, {RIOT}", "loglinear: {AGE}, {RIOT}"),
    ("loglinear: {AB}, {BC}; states AB=2", "loglinear: {AB}, {BC}; states AB=2, BC=2"),
    ("polynomial: parameters a, b; coordinates a**2, a*b", "polynomial: parameters a, b; coordinates a^2, a*b"),
    ("polynomial: parameters a; coordinates a^1/2", "polynomial: parameters a; coordinates a/2"),
]  # fmt: skip
"""The text, and the same model in the notation."""

REFUSED = [
    # ranges of names, as Mplus, R and Stata write them, and with other dots
    ("H -> X1-X4; hidden H", "'X1..X4'"),
    ("H -> X1:X4; hidden H", "'X1..X4'"),
    ("H -> X1…X4; hidden H", "'X1..X4'"),
    ("H -> X1–X4; hidden H", "'X1..X4'"),
    ("H -> X1, ..., X4; hidden H", "'X1..X4'"),
    ("H -> X1...X4; hidden H", "write X1..X4"),
    ("H -> A..D; hidden H", "one by one, as A, B, C"),
    ("H -> X^4; hidden H", "'X1..X4'"),
    # arrows of Unicode, TeX, mermaid, graphviz, ancestral graphs
    ("H → X1, X2", "write that"),
    ("H ⇒ X1", "'->', write that"),
    ("H – > X1", "'-', write that"),
    ("A ↔ B", "'<->', write that"),
    ("H => X1", "an arrow is written '->'"),
    ("H --> X1", "an arrow is written '->'"),
    ("A ==> B", "an arrow is written '->'"),
    ("A -- B", "an arrow is written '->'"),
    ("A o-> B", "choose one, with '->'"),
    (r"H \to X1", "an arrow is written '->', without TeX"),
    (r"$X_1 \leftarrow H$", "an arrow is written '<-', without TeX"),
    ("X_{1} -> X_{2}", "X_1 or X1"),
    ("graph LR; A-->B", "an arrow is written '->'"),
    ("digraph { A -> B; }", "--format dagitty"),
    ("dag { H [latent]; H -> X1; H -> X2 }", "--format dagitty"),
    # characters of other scripts
    ("Ｈ -> X1", "'H', write that"),
    ("H -> X1；hidden H", "';', write that"),
    ("3：2，2，2", "':', write that"),
    ("Н -> X1", "'H', write that"),
    ("A\u200b -> B", "delete it"),
    ("A\u00a0-> B", "' ', write that"),
    ("“A” -> B", "without quotes"),
    ('"A" -> "B"', "without quotes"),
    # lists and clauses
    ("H -> X1 X2 X3; hidden H", "',' or ';'"),
    ("H -> X1 + X2 + X3; hidden H", "separated by ','"),
    ("H -> X1 and X2; hidden H", "separated by ','"),
    ("H -> X1; X2; X3; hidden H", "separated by ','"),
    ("H -> {X1, X2}; hidden H", "without brackets"),
    ("H -> (X1, X2); hidden H", "without brackets"),
    ("H -> X1\nH -> X2\nhidden H", "separated by ';', also at the end of a line"),
    ("H -> X1, X2\nhidden H", "clauses are separated by ';'"),
    ("H -> X1, X2; hidden H;", "a ';' stands between two clauses only"),
    ("H -> X1, X2; latent H", "'hidden H'"),
    ("H -> X1, X2; hidden: H", "'hidden H'"),
    ("H* -> X1, X2", "'hidden H'"),
    ("H(3) -> X1, X2; hidden H", "'states H=3'"),
    ("H:3 -> X1, X2; hidden H", "'states H=3'"),
    ("H -> X1, X2; hidden H; states 3,2,2", "'states H=3'"),
    ("H -> X1, X2; hidden H # a comment", "comments are not read"),
    ("A -> B, B -> C", "occurs twice"),
    ("A -> B; C -> B.", "no full stop"),
    ("A, B, C", "'states A=2, B=2'"),
    # families
    ("Gaussian: F -> X1", "did you mean 'gaussian:'?"),
    ("gaussian F -> X1", "did you mean 'gaussian:'?"),
    ("gauss: X -> Y", "did you mean 'gaussian:'?"),
    ("at-most-normal 2: {A},{B} -> E", "'at-most-normal' is no family word"),
    ("second-normal: {A},{B} -> E", "max-normal, at-least-poisson, at-least-normal"),
    ("noisy_or: {A},{B} -> E", "did you mean 'noisy-or:'?"),
    ("noisy-or: {A B} -> E", "separated by ','"),
    ("gaussian: F -> 1*X1, X2", "'fix b(F->X)=1, v(F)=1'"),
    ("gaussian: F -> X1; var(F)=1", "'fix b(F->X)=1, v(F)=1'"),
    # latent class models
    ("3x2x2x2x2", "'3:2,2,2,2'"),
    ("3:2x4", "'3:2^4'"),
    ("3:2*4", "'3:2^4'"),
    ("3: 2 2 2 2", "'3:2,2,2,2'"),
    ("3[2,2,2]", "'3:2,2,2,2'"),
    ("LCA(3; 2,2,2)", "'3:2,2,2,2'"),
    ("3 classes, 4 items", "'3:2,2,2,2'"),
    # other programs
    ("cbind(A, B, C) ~ 1", "--format polca"),
    ("y ~ x1 + x2", "--format lavaan"),
    ("x1 ~~ x2", "--format lavaan"),
    ("f =~ x1-x3", "'x1..x3'"),
    ("f =~ x1..x3", "one by one"),
    ("f BY x1-x3;", "'gaussian: f -> x1..x3; hidden f'"),
    ("MODEL: f BY x1-x6;", "'gaussian: f -> x1..x3; hidden f'"),
    ("[H][X1|H][X2|H]", "'A -> B'"),
    ("~ A:B + B:C", "'loglinear: {A,B}, {B,C}'"),
    ("loglinear: [AB][BC]", "'loglinear: {A,B}, {B,C}'"),
    ("loglinear: A*B + B*C", "'loglinear: {A,B}, {B,C}'"),
    ("loglinear: {AB}, {BC}", "write {A,B}"),
    ("loglinear: {A B}, {B C}", "','"),
    ("P(X1|H) P(X2|H) P(H)", "'H -> X'"),
    ("B | A", "'H -> X'"),
    ("X1 _||_ X2 | H", "write its edges"),
    ("ideal(a*b, a^2)", "coordinates a*b, a^2'"),
    ("map(QQ[a,b], {a*b, a^2})", "coordinates a*b, a^2'"),
    ("polynomial: a*b, a^2", "coordinates a*b, a^2'"),
    ("(s,t) -> (s^3, s^2*t, s*t^2, t^3)", "coordinates a*b, a^2'"),
    ("(s, t) |-> (s^2, s*t)", "coordinates a*b, a^2'"),
    ("f(x,y) = (x*y, x+y)", "coordinates a*b, a^2'"),
    ("[x*y, x^2]", "coordinates a*b, a^2'"),
    ("map: x*y, x^2", "coordinates a*b, a^2'"),
    ("polynomial: parameters a, b; coordinates 2a, a b", "a product is written with '*'"),
    ("polynomial: parameters a; coordinates a²", "write that"),
    ("1 -> 2; 1 -> 3", "write X1 -> X2"),
]
"""The text, and what its error says."""


def meaning(found):
    """A model without the order of its variables and edges."""
    if found.family not in ("discrete", "gaussian"):
        return to_text(found)
    variables = {(variable.name, getattr(variable, "states", 0), variable.observed) for variable in found.variables}
    fixed = (
        {*found.fixed, found.means} if found.family == "gaussian" else {variable.local for variable in found.variables}
    )
    return variables, {*found.edges}, fixed


@pytest.mark.parametrize(("text", "same"), READ)
def test_ways_that_are_read_as_meant(text, same):
    """A way that is read is the model that stands beside it."""
    assert meaning(model(text)) == meaning(model(same))


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_ways_that_are_refused_with_what_to_write(text, said):
    """A way that is not read says what to write."""
    with pytest.raises(InputError) as caught:
        model(text)
    assert said in str(caught.value).partition("\n  ")[0]


def test_the_list_is_long():
    """Forty ways at least."""
    assert len({text for text, _ in (*READ, *REFUSED)}) >= 40


def test_a_list_between_two_arrows_is_explained(capsys):
    """A chain that may be meant as two edges is read as it always was, and the command says how."""
    assert main(["dim", "A -> B, C -> D"]) == 0
    assert "'B, C' stands between two arrows" in capsys.readouterr().err
    assert (
        main(["dim", "A -> B; C -> D"])
        == main(["dim", "A, B -> C, D"])
        == main(["dim", "A -> B, C -> D", "--quiet"])
        == 0
    )
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("form", "text"), [("dagitty", "dag { H -> X1..X3 }"), ("polca:nclass=2,states=2", "cbind(X1..X3) ~ 1")]
)
def test_formats_without_ranges_refuse_them(form, text):
    """Where a format has no ranges, what looks like one is no variable in silence."""
    with pytest.raises(InputError, match="no range"):
        model(text, format=form)


@pytest.mark.parametrize(
    "text", [" " * 10**5 + "~", "-> " * 10**5, "a;" * 10**5, "[A]" * 10**5 + "!", "{a*" * 10**5, "A," * 10**5]
)
def test_long_texts_are_searched_in_bounded_time(text):
    """Only the beginning of a text is looked at for advice."""
    assert len(ADVICE) >= 20
    with pytest.raises(InputError):
        model(text)
