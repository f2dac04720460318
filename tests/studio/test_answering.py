"""What the studio answers: the program's own numbers and words, of texts and drawings alike, and nothing of any file."""

from __future__ import annotations

import json
import random

import pytest
from amount import SEED, as_slow, daily

from algdim import dimension, model
from algdim.models.anymodel import convert_model_to_dictionary
from algdim.studio.answering import FORMS, MOST_TEXT, answer_question

W = "A -> C <- H -> D <- B; hidden H"


def ask(question, text=W, **more):
    """The answer about a text."""
    return answer_question({"question": question, "text": text, **more})


def test_text_and_drawing_are_the_same():
    """What is drawn is written in the notation, what is written is drawn; every variable has a place."""
    found = ask("read")

    assert convert_model_to_dictionary(model(W)) == found["drawing"]
    assert found["editable"]
    assert {"A", "B", "C", "D", "H"} == set(found["places"])
    assert W == answer_question({"question": "read", "drawing": found["drawing"]})["text"]
    assert [["C", "H", "D"]] == found["graph"]["frames"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f =~ x1 + x2 + x3", "gaussian: f -> x1, x2, x3; hidden f; fix b(f->x1)=1; means off"),
        ("dag { A -> B }", "gaussian: A -> B; means off"),
        ("w-structure", W),
    ],
)
def test_texts_of_other_programs_are_read(text, expected):
    """As files of them are."""
    assert expected == ask("read", text)["text"]


def test_texts_of_other_programs_are_written():
    """The text next to the drawing can be lavaan's or dagitty's, which is read back; or it is said why not."""
    model = "gaussian: F -> X1, X2, X3; hidden F; means off"
    for notation in ("lavaan", "dagitty"):
        shown = ask("read", model, notation=notation)["shown"]
        assert shown != model
        assert model == ask("read", shown)["text"]
    assert "gaussian" in ask("read", notation="lavaan")["not_shown"]
    assert "shown" not in ask("read", notation="../x")


def test_a_drawing_that_follows_its_text():
    """Where there is more to a model than its graph the drawing is shown, not edited; a model without a graph has none."""
    shown, bare = (
        ask("read", "loglinear: {A,H}, {B,H}; hidden H"),
        ask("read", "polynomial: parameters a; coordinates a^2"),
    )

    assert not shown["editable"]
    assert shown["graph"]["lines"] == [["A", "H"], ["B", "H"]]
    assert bare["graph"] is None
    assert "no graph" in bare["why"]


def test_many_alike_variables_are_a_plate():
    """One place for all of them, in a drawing that has each; few alike ones, and others, stand for themselves."""
    many, few = ask("read", "H -> X1..X300, Y; hidden H; states Y=3"), ask("read", "2:2^12")

    assert [[f"X{number}" for number in range(1, 301)]] == many["plates"]
    assert {"H", "X1", "Y"} == set(many["places"])
    assert 302 == len(many["drawing"]["variables"]) == len(many["graph"]["nodes"])
    assert [] == few["plates"]
    assert 13 == len(few["places"])


def test_errors_name_their_place():
    """Line and column, without the picture of the text."""
    assert {"line": 1, "column": 11} == ask("read", "A -> C <- <- B")["at"]
    assert {"line": 2, "column": 1} == ask("read", "A ->\n-> B")["at"]
    assert "at position" not in ask("read", "A -> ")["error"]
    assert "at" not in ask("read", "")


def test_no_path_is_read(tmp_path):
    """A text that is the path of a model file is no model; nor are parameters, data or forms read from files."""
    for suffix, content in ((".json", json.dumps(convert_model_to_dictionary(model(W)))), (".lav", "f =~ x1 + x2")):
        file = tmp_path / f"model{suffix}"
        file.write_text(content, encoding="utf-8")
        for text in (str(file), file.as_posix() + " "):
            assert "error" in ask("read", text)
            assert "error" in ask("dim", text)
    data = tmp_path / "data.csv"
    data.write_text("X1,X2\n0,1\n1,0\n", encoding="utf-8")

    assert "error" in ask("score", "2:2,2", data=str(data))
    assert "error" not in ask("score", "2:2,2", data=data.read_text(encoding="utf-8"))
    assert "error" in ask("write", form="../../x")


@pytest.mark.parametrize(
    "fields", [None, [], {}, {"question": "eval"}, {"question": "read"}, {"question": ["read"]}, {"question": "write"}]
)
def test_what_is_no_question(fields):
    """It is an answer, too."""
    assert isinstance(answer_question(fields)["error"], str)


def test_a_long_text_is_refused():
    """With both numbers."""
    assert f"{MOST_TEXT + 1} characters; at most {MOST_TEXT}" in ask("read", "A" * (MOST_TEXT + 1))["error"]


def test_the_dimension_is_that_of_the_program():
    """Both bounds, counts, reasons and status; each parameter that is not identified with whose it is."""
    report, found = dimension(W), ask("dim")

    assert (report.dimension, report.upper.value, str(report.trust)) == (
        found["dimension"],
        found["upper"],
        found["trust"],
    )
    assert ["df", "6", "proved; counting parameters gives 4"] in found["rows"]
    assert report.derivation.to_dict()["because"] == found["reasons"]
    assert {"parameter": "P(H=0)", "owners": ["H"], "kind": "P"} in found["lost"]
    assert {"C", "D", "H"} == {one["owners"][0] for one in found["lost"]}


def test_a_quick_answer_claims_less():
    """Without a search nothing is proved that needs one."""
    found = ask("dim", quick=True)

    assert ("probable", 9, True) == (found["status"], found["dimension"], found["quick"])
    assert "proved" == ask("dim")["status"]


def test_equations_name_their_variables():
    """What hovering lights up: those that it is about, and those through which it holds."""
    found = ask("constraints", "A -> B -> C -> D; U -> B, D; hidden U")
    gaussian = ask("constraints", "gaussian: F -> X1, X2, X3, X4; hidden F")

    assert [["A", "B", "C"]] == [one["variables"] for one in found["equations"] if one["text"] == "A ⊥ C | B"]
    assert {"proved"} == {one["status"] for one in found["equations"]}
    assert {("F", "X1", "X2", "X3", "X4")} == {tuple(one["variables"]) for one in gaussian["equations"]}


def test_what_if():
    """The dimensions of the W structure by the states of H (GHM96, §5, and its erratum); what each change makes of the text."""
    at_h = ask("what-if", variables=["H"])["changes"]
    states = {one["states"]: one["dimension"] for one in at_h if one["kind"] == "states"}

    assert {1: 6, 2: 9, 3: 10, 4: 10, 5: 10} == {count: states[count] for count in range(1, 6)}
    assert [2] == [one["states"] for one in at_h if one["now"]]
    assert ["A -> C <- H -> D <- B"] == [one["text"] for one in at_h if one["kind"] == "observed"]
    shared = [one["text"] for one in ask("what-if", variables=["C"])["changes"] if one["kind"] == "share"]
    assert [f"{W}; share shared: C, D"] == shared
    assert "no variable" in ask("what-if", variables=["H", "Z"])["error"]


def test_every_change_is_what_it_says():
    """A model that is read again, whose dimension is the one that was promised."""
    for text, what in (
        (W, {"variables": ["H"]}),
        (W, {"pairs": [["H", "C"]]}),
        ("3:2,2,2", {"variables": ["X1"]}),
        ("3:2,2,2", {"variables": ["X1", "X2", "X3"]}),
        ("gaussian: F -> X, Y; hidden F", {"variables": ["F"]}),
        ("gaussian: X -> Y; X <-> Y", {"pairs": [["X", "Y"]], "arc": True}),
        ("sigmoid: H -> X, Y; hidden H", {"variables": ["X"]}),
    ):
        changes = ask("what-if", text, **what)["changes"]
        assert changes
        for one in changes:
            if "error" not in one:
                assert dimension(one["text"]).dimension == one["dimension"]


def test_names_that_stand_in_other_words():
    """A variable can go whatever its name, unless a number of it is fixed."""
    for text, name, expected in (
        ("H -> A, d, e; hidden H; fix P(A=0|H=0)=1/2", "d", True),
        ("H -> A, d, e; hidden H; fix P(A=0|H=0)=1/2", "A", False),
        ("gaussian: F -> a, b, c; hidden F; fix b(F->a)=1", "b", True),
    ):
        labels = [one["label"] for one in ask("what-if", text, variables=[name])["changes"]]

        assert expected == (f"without {name}" in labels), (text, name)


def test_what_becomes_of_an_arrow():
    """It goes, or is turned round; an arc goes; a plate's arrows are changed together."""
    texts = {one["label"]: one["text"] for one in ask("what-if", pairs=[["A", "C"]])["changes"]}

    assert {"without A → C", "C → A"} == set(texts)
    assert "A -> C" not in texts["without A → C"]
    (found,) = ask("what-if", "gaussian: X <-> Y; means off", pairs=[["X", "Y"]], arc=True)["changes"]
    assert ("without X ↔ Y", 2) == (found["label"], found["dimension"])
    plate = ask("what-if", "2:2,2", pairs=[["H", "X1"], ["H", "X2"]])["changes"]
    assert ("without H → X1 … X2", 2) == (plate[0]["label"], plate[0]["dimension"])
    assert "no such arrow" in ask("what-if", pairs=[["C", "A"]])["error"]


@pytest.mark.parametrize(
    ("text", "parameter", "expected"),
    [
        (W, "P(C=0|A=0,H=0)", f"{W}; fix P(C=0|A=0,H=0)=1/2"),
        ("gaussian: F -> X; hidden F; means off", "b(F->X)", "gaussian: F -> X; hidden F; fix b(F->X)=1; means off"),
        ("2:3,2", "P(X1=0|H=0)", "H -> X1, X2; hidden H; states X1=3; fix P(X1=0|H=0)=1/3"),
    ],
)
def test_fix_this(text, parameter, expected):
    """One parameter of its model, with a value that is allowed."""
    (change,) = ask("what-if", text, parameter=parameter)["changes"]

    assert expected == change["text"]
    assert dimension(expected).standard == dimension(text).standard - 1 == int(change["parameters"])
    assert "no parameter" in ask("what-if", text, parameter="x")["error"]


ODD = (
    None,
    True,
    -1,
    0,
    3,
    1e300,
    10**30,
    "",
    "A",
    "<script>",
    "x" * 300,
    "1/0",
    [],
    {},
    [[]],
    ["A", "A"],
    {"type": "sigmoid"},
    float("nan"),
)
DRAWINGS = (
    W,
    "gaussian: H -> A, B, C; A <-> B; hidden H; fix b(H->A)=1",
    "H -> A, B, C; hidden H; share one: A, B; fix P(C=0|H=0)=1/3",
)


def list_places(value, place=()):
    """Where something is inside of nested lists and objects."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(one for key, below in inner for one in list_places(below, (*place, key)))]


def test_odd_drawings_are_answered_in_words():
    """Whatever is put in some place of one: an answer, or an error that is no bug, and JSON in any case."""
    draws, errors = random.Random(SEED), 0
    for _ in range(40):
        drawing = convert_model_to_dictionary(model(draws.choice(DRAWINGS)))
        *path, last = draws.choice(list_places(drawing)[1:])
        place = drawing
        for key in path:
            place = place[key]
        place[last] = draws.choice(ODD)
        found = answer_question({"question": "read", "drawing": drawing})
        json.dumps(found)
        errors += "error" in found
        assert "bug" not in found.get("error", "")
    assert errors


@pytest.mark.parametrize("form", [*daily(sorted(FORMS.keys() - {"lecture"}), 1, "certificate"), as_slow("lecture")])
def test_what_is_taken_away(form):
    """Each form has a name and a content, or says why there is none; the certificate is accepted."""
    found = ask("write", form=form)
    if form == "lavaan":
        assert "gaussian" in found["error"]
        return
    assert found["content"]
    assert found["name"] == FORMS[form][0]
    if form == "certificate":
        from algdim import verify

        found = verify(json.loads(found["content"]))
        assert (True, "accepted: dimension 9") == (found.accepted, found.reason[:21])


def test_one_of_each_family_can_be_begun_with():
    """Every family has its example, with a picture and a dimension."""
    from algdim.families import FOLDERS

    starts = ask("gallery")["starts"]
    assert {*FOLDERS.values()} - {"polynomial"} <= {FOLDERS[ask("read", one["text"])["family"]] for one in starts}
    assert all(one["picture"].startswith("<svg") for one in starts)


def test_the_gallery_begins_with_the_papers():
    """In their order, with pictures; all of the catalogue."""
    found = ask("gallery")["models"]
    papers = list(dict.fromkeys(one["citation"].split()[0] for one in found))

    assert ["GHM96", "HM97", "KZ02", "CH96", "MH97"] == papers[:5]
    assert {"w-structure", "verma"} <= {one["name"] for one in found}
    assert all(one["picture"].startswith("<svg") for one in found if one["picture"])
    assert len([one for one in found if not one["picture"]]) < len(found) / 10
