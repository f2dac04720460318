"""Answers up to the names and the order of variables: equal models have one form, and what is said of it is true of each of them."""

from __future__ import annotations

import json
import random

import pytest
from amount import SEED, drawn, in_turn

from algdim.maps import map_of
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.catalogue import list_catalogue_entries
from algdim.models.notation import parse, to_text
from algdim.studio.answering import answer_question
from algdim.studio.renaming import (
    MOST_LEAVES,
    MOST_VARIABLES,
    NUMBERED,
    WORD,
    find_canonical_form,
    read_renaming,
    translate_answer,
)

W = "A -> C <- H -> D <- B; hidden H"
TEXTS = (
    W,
    "gaussian: F -> X1..X4; G -> X3, X4, X5; F <-> G; X1 <-> X5; hidden F, G; fix b(F->X1)=1, v(G)=2; means off",
    "gaussian: X -> Y -> Z; Z <-> X; equal l = b(X->Y), b(Y->Z)",
    "conditional-gaussian: G, H, X -> Y; H -> X; hidden H; states G=3, H=2; fix v(X)=1",
    "B, A, H -> C; H -> D; hidden H; states A=3; fix P(C=0|A=2,B=1,H=0)=1/3; given A",
    "H -> X1..X4; hidden H; share t: X2, X3; states H=3",
    "A, H -> X, Y; hidden H; states A=3; sigmoid X, Y",
    "classifier Y: Y -> A, B; A -> B; states B=3",
    "H1 -> A, B, H2; H2 -> C, D; hidden H1, H2",
    "A -> B -> C -> D -> E -> F; F <- A",
)


def scramble(drawing, draws):
    """The same model: other names, variables, edges and arcs in another order, arcs turned round."""
    names = [one["name"] for one in drawing["variables"]]
    wanted = [f"{draws.choice('xyzPvb')}{draws.choice(['_', '.', ''])}{number}" for number in range(len(names))]
    called = dict(zip(names, draws.sample(wanted, len(names)), strict=True))

    def walk(value):
        if isinstance(value, str):
            return WORD.sub(lambda found: called.get(found[0], found[0]), value)
        if isinstance(value, dict):
            return {walk(key): walk(inner) for key, inner in value.items()}
        return [walk(inner) for inner in value] if isinstance(value, list) else value

    found = {key: walk(value) for key, value in drawing.items() if key not in {"family", "variables"}}
    variables = [{**one, "name": called[one["name"]]} for one in drawing["variables"]]
    found |= {"family": drawing["family"], "variables": draws.sample(variables, len(variables))}
    found["edges"] = draws.sample(found["edges"], len(found["edges"]))
    if "bidirected" in found:
        found["bidirected"] = [pair[:: draws.choice((1, -1))] for pair in found["bidirected"]]
    return convert_model_to_dictionary(read_model_dictionary(found))


def ask_both_ways(question, drawing):
    """The answer about a model under its own names, and that about its form, translated."""
    own = answer_question({"question": question, "text": to_text(read_model_dictionary(drawing))})
    form, renaming = find_canonical_form(drawing)
    text = to_text(read_model_dictionary(form))
    answer = json.dumps(answer_question({"question": question, "text": text}), ensure_ascii=False).encode()
    return own, json.loads(translate_answer(answer, read_renaming(renaming.to_dict())))


@pytest.mark.parametrize("text", TEXTS)
def test_equal_models_have_one_form(text):
    """However they are named and ordered; and what is answered is true of each: numbers, status, names of parameters."""
    draws, drawing = random.Random(f"{SEED} {text}"), convert_model_to_dictionary(parse(text))
    form, _ = find_canonical_form(drawing)
    changed = drawing
    for _ in range(5):
        changed = scramble(drawing, draws)
        assert form == find_canonical_form(changed)[0]
    own, translated = ask_both_ways("dim", changed)
    for key in ("dimension", "upper", "parameters", "saturated", "status", "trust", "lost_known"):
        assert own[key] == translated[key]
    assert sorted(own["lost"], key=str) == sorted(translated["lost"], key=str)
    assert {*translated["fixing"]} <= {str(one) for one in map_of(read_model_dictionary(changed)).records}
    assert not NUMBERED.search(json.dumps(translated))


def test_other_models_have_other_forms():
    """A state, an arrow, a name that is fixed, what is observed: each makes another model, whose answer is another one."""
    texts = (
        W,
        f"{W}; states H=3",
        f"{W}; states A=3",
        f"{W}; states C=3",
        "A -> C <- H -> D -> B; hidden H",
        f"{W}; given A",
        f"{W}; fix P(A=0)=1/2",
        f"{W}; fix P(A=0)=1/3",
        f"{W}; fix P(H=0)=1/2",
        f"{W}; sigmoid C",
        "A -> C <- H -> D <- B",
        "classifier C: A -> C <- H -> D <- B",
    )
    forms = {json.dumps(find_canonical_form(convert_model_to_dictionary(parse(text)))[0]) for text in texts}

    assert len(texts) == len(forms)


@in_turn(3)
@pytest.mark.drawn
def test_the_catalogue_is_answered_up_to_names():
    """Every model of it whose family has edges, a few each day: dimension and equations, named as the model names them."""
    draws = random.Random(SEED)
    models = [parse(entry.notation) for entry in list_catalogue_entries()]
    few = [one for one in models if find_canonical_form(convert_model_to_dictionary(one))]
    assert len(few) > 100
    for one in drawn(few, 3):
        changed = scramble(convert_model_to_dictionary(one), draws)
        own, translated = ask_both_ways("dim", changed)
        assert [own[key] for key in ("dimension", "upper", "trust")] == [
            translated[key] for key in ("dimension", "upper", "trust")
        ]
        assert {found["parameter"] for found in own["lost"]} == {found["parameter"] for found in translated["lost"]}
        own, translated = ask_both_ways("constraints", changed)
        assert own.get("count") == translated.get("count")


def test_symmetric_models_are_given_up_early(monkeypatch):
    """Alike variables are told apart without trying all; of other symmetric models few forms are compared; a large one keeps its names."""
    from algdim.studio import renaming

    written = []
    rename = renaming.rename_drawing
    monkeypatch.setattr(renaming, "rename_drawing", lambda *found: written.append(found) or rename(*found))
    many = convert_model_to_dictionary(parse(f"2:2^{MOST_VARIABLES - 1}"))
    assert MOST_VARIABLES == len(find_canonical_form(many)[1].names)
    assert len(written) <= 2  # of 23! orders
    pairs = "; ".join(f"A{number} -> B{number}" for number in range(12))
    assert find_canonical_form(convert_model_to_dictionary(parse(pairs)))
    assert len(written) <= 2 + MOST_LEAVES + 1
    assert None is find_canonical_form(convert_model_to_dictionary(parse(f"2:2^{MOST_VARIABLES}")))
    assert None is find_canonical_form(convert_model_to_dictionary(parse("loglinear: {A,B}, {B,C}")))


@pytest.mark.parametrize(
    "fields",
    [
        None,
        [],
        {"names": ['A"'], "parents": {}, "arcs": []},
        {"names": ["<b>"], "parents": {}, "arcs": []},
        {"names": ["A"], "parents": {"A": [1]}, "arcs": []},
        {"names": ["A"] * 30, "parents": {}, "arcs": []},
        {"names": ["x" * 1001], "parents": {}, "arcs": []},
        {"names": "A", "parents": {}, "arcs": []},
    ],
)
def test_names_that_need_quotes_are_not_put_into_answers(fields):
    """The answer then has its numbers."""
    assert None is read_renaming(fields)


def test_names_that_look_like_numbers():
    """A variable may be called q1_ itself, or as a word of the notation."""
    for text in ("q1_ -> q0_ <- q2_; hidden q2_", "table -> P <- b; hidden b", "sigmoid_ -> q; q -> q_"):
        own, translated = ask_both_ways("dim", convert_model_to_dictionary(parse(text)))
        assert own["dimension"] == translated["dimension"]
        assert {one["parameter"] for one in own["lost"]} == {one["parameter"] for one in translated["lost"]}
