"""Certificates that algdim writes: what is proved gets one, what is not does not."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from math import prod
from typing import get_type_hints

import pytest
from amount import daily, first, in_turn, some
from brute_polynomial import divides_by_zero, text_of
from certificates import FOLDER, accepted
from gaussian_strategies import gaussians
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mutants import as_file, by_hand
from packages import ROOT
from profile_strategies import profiles
from strategies import networks
from suites.mixed_networks import mixed_network
from test_classifier import classifiers
from test_embedded import embeddings
from test_loglinear import models as loglinears
from test_mechanismclauses import interactions
from test_polynomial import MAPS, NAMES

import algdim
from algdim import AlgdimError, Certificate, LimitError, prove
from algdim.bound import strategy
from algdim.certificate import checker, verifying
from algdim.certificate.exporting import NotProvedError
from algdim.certificate.verifying import write_json
from algdim.cli import main
from algdim.families import find_capability
from algdim.families.discrete.certificate import order_given_variables
from algdim_papers.claims.reading import list_claims, list_papers

FEW_STATES = 400
"""Models with tables that are written out are computed by hand up to this many joint states."""

PROOFS = ROOT / "proofs"


def check_proved(model):
    """Assert that there is a certificate if the dimension is proved, and that it says the same as the report.

    It may prove more: it takes the model as a whole where entries of districts' kernels vanish.
    """
    report = algdim.dimension(model)
    try:
        certificate = algdim.prove(model)
    except NotProvedError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert not report.exact or "do not cover" in refusal
        return
    claim = certificate.data["claim"]

    assert report.exact or report.parts
    assert (report.dimension, report.standard, report.complete) == (
        claim["dimension"],
        claim["standard"],
        claim["complete"],
    )
    assert algdim.verify(certificate)
    told = {"discrete": order_given_variables, "latent-profile": lambda model: replace(model, order=None)}
    meant, model = told.get(report.model.family, lambda model: model)(report.model), claim["model"]
    if model["family"] == "loglinear":
        assert meant.effects == algdim.model(as_file(model)).effects
    elif "tables" not in model:
        assert meant == algdim.model(as_file(model))
    elif prod(item["states"] for item in model["variables"]) <= FEW_STATES:
        assert (report.dimension, report.standard, report.complete) == by_hand(model)


@pytest.mark.parametrize("seed", daily(range(40), 7))
def test_random_networks_of_every_kind(seed):
    """Shares, fixed entries, rules, hidden variables with parents: the certificate is accepted and says what the report says."""
    check_proved(mixed_network(seed))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_more_random_networks(block):
    """The same for more networks."""
    for seed in range(1000 + 40 * block, 1040 + 40 * block):
        check_proved(mixed_network(seed))


@settings(max_examples=some(40))
@given(model=networks(max_variables=5, max_states=3, deterministic=True, max_table=40))
def test_any_network(model):
    """Named entries and variables conditioned on too."""
    try:
        algdim.dimension(model)
    except AlgdimError:  # values that no name can take are found when the map is built
        return
    check_proved(model)


@settings(max_examples=some(60))
@given(model=gaussians())
def test_any_gaussian_model(model):
    """Cycles, correlated errors, fixed and equal numbers: the certificate is accepted and says what the report says."""
    check_proved(model)


@pytest.mark.slow
@settings(max_examples=some(1500))
@given(model=gaussians(6))
def test_more_gaussian_models(model):
    """The same for more models."""
    check_proved(model)


@settings(max_examples=some(30))
@given(model=profiles(max_order=6))
def test_any_latent_profile_model(model):
    """Where the stated moments show all parameters there is a certificate, and otherwise none, of the moments or not."""
    check_proved(model)


@settings(max_examples=some(40))
@given(model=classifiers(4, 3, special=True, most=60))
def test_any_classifier(model):
    """Shared tables, fixed and named entries: the certificate is accepted and says what the report says, and what Bayes' rule says."""
    check_proved(model)


@settings(max_examples=some(30))
@given(model=embeddings(4, 3, 60))
def test_any_network_with_classifiers(model):
    """The same where classifiers stand in place of tables."""
    check_proved(model)


@settings(max_examples=some(20))
@given(model=loglinears(most_hidden=1))
def test_any_loglinear_model(model):
    """The same for log-linear models."""
    check_proved(model)


@settings(max_examples=some(40))
@given(trees=MAPS)
def test_any_map_given_by_formulas(trees):
    """The same for rational maps."""
    assume(not any(divides_by_zero(tree) for tree in trees))
    coordinates = [text_of(tree) for tree in trees]
    check_proved(algdim.model({"family": "polynomial", "parameters": list(NAMES), "coordinates": coordinates}))


@settings(max_examples=some(60))
@given(model=interactions())
def test_any_interaction_model(model):
    """The same for mechanisms of all kinds."""
    check_proved(algdim.model(model.text))


def test_every_kind_of_evidence_names_its_lemmas():
    """Those of verified certificates are on the page of lemmas; what is not accepted has none."""
    page = (PROOFS / "lemmas.md").read_text(encoding="utf-8")
    names = set(re.findall(r"^## Lemma [0-9]+ \((.+)\)$", page, re.MULTILINE))

    told = {
        family: {**verifying.LEMMAS, **find_capability(family, "verifying").rests_on} for family in checker.FAMILIES
    }
    for family, reader in checker.FAMILIES.items():
        model = get_type_hints(reader)["return"]
        assert {kind for kind, one in checker.KINDS.items() if model in one.models} <= {*told[family]}
    assert set(checker.KINDS) == {kind.split(".")[0] for kinds in told.values() for kind in kinds}
    of_families = [one for kinds in told.values() for one in kinds.values()]
    of_families += [find_capability(family, "verifying").list_lemmas({"variables": []}) for family in checker.FAMILIES]
    assert names >= {one for lemmas in of_families for one in lemmas}
    found = algdim.verify(algdim.prove("A -> B -> C -> D; U -> B, D; hidden U; max C"))
    assert {"districts", "lower bound", "equations"} <= set(found.trust.lemmas)
    assert algdim.verify(b"{}").trust is None
    text = "polynomial: parameters kind, value, rank; coordinates kind*value, kind*rank, value/rank, kind^2*value*rank"
    assert algdim.verify(algdim.prove(text)).trust.is_proved


@in_turn(3)
def test_fields_that_are_too_long():
    """The dimension is proved by elimination, but the fields that a certificate would list take more than is allowed."""
    assert algdim.dimension("loglinear: {A,B,H}, {X1}; hidden H").exact
    with pytest.raises(NotProvedError, match="which certificates do not cover"):
        algdim.prove("loglinear: {A,B,H}, {X1}; hidden H", bounds=["counting", "ambient", "symbolic"])


def test_a_local_map_that_is_the_model_itself():
    """Of it the bound is not sought by the same directions again, which went on until Python had no more stack."""
    text = "states V4=3, V1=3; V4 <- V0, V1, V3; V1 <- V0; hidden V1, V0; max V4"

    assert (3, 0) == (algdim.dimension(text).dimension, algdim.verify(algdim.prove(text)).code)


def test_moments_alone_get_no_certificate():
    """A dimension that is proved of some moments is not proved of the distributions."""
    with pytest.raises(NotProvedError, match="between 4 and 5"):
        algdim.prove("latent-profile: H -> X; hidden H; moments 4")

    assert algdim.prove("latent-profile: H -> X; hidden H; moments 6").data["claim"]["complete"] is None


def test_no_means_and_many_factors():
    """Two factors and a pentad, W, an instrument: the numbers of the certificates are those known."""
    assert 12 == algdim.prove("gaussian: H -> X1, X2, X3, X4; hidden H").dimension
    assert 11 == algdim.prove("gaussian: A -> C <- H -> D <- B; hidden H").dimension
    assert 14 == algdim.prove("gaussian: F, G -> A, B, C, D, E; hidden F, G; means off").dimension


@pytest.mark.parametrize(("items", "factors"), daily([(12, 1), (10, 2), (20, 2), (9, 3)], 1))
def test_factor_models(items, factors):
    """m items and k factors have the dimension m(k + 1) − k(k − 1)/2, and m means; many equations come from few matrices."""
    hidden = ", ".join(f"F{k}" for k in range(factors))
    certificate = algdim.prove(f"gaussian: {hidden} -> {', '.join(f'X{k}' for k in range(items))}; hidden {hidden}")

    assert items * (factors + 2) - factors * (factors - 1) // 2 == certificate.dimension
    assert algdim.verify(certificate)


@in_turn(2)
def test_gaussian_models_beyond_the_limits_are_refused():
    """More variables, or a greater rank, than the format allows are refused with the limit."""
    with pytest.raises(LimitError, match="too many variables"):
        algdim.prove(f"gaussian: {', '.join(f'X{k}' for k in range(1001))}; means off; hidden X0")
    with pytest.raises(LimitError, match="certificates hold at most 800"):
        algdim.prove(f"gaussian: {', '.join(f'X{k}' for k in range(401))}")


def test_gaussian_evidence_without_a_form_is_refused():
    """A bound of a Gaussian model that certificates do not know is refused with the reason."""
    text = "gaussian: A -> B, C, E; B -> E; C -> A, D; D -> E -> A, C; B <-> E"

    with pytest.raises(NotProvedError, match=r"proved by half-trek .* which certificates do not cover"):
        algdim.prove(text)


def test_fields_of_polynomials_of_gaussian_models():
    """What elimination alone proves: fixed and equal entries that moves do not keep."""
    text = "gaussian: V4 -> V0, V3; V5 <-> V3; hidden V4; equal c(V5<->V3) = m(V5)"

    found = algdim.prove(text)
    assert (7, "symmetry") == (found.data["claim"]["dimension"], found.data["evidence"]["upper"]["kind"])
    assert all(isinstance(field, dict) for field in found.data["evidence"]["upper"]["fields"])


def test_corpora_are_what_the_builder_makes():
    """The accepted certificates are rebuilt byte for byte."""
    for name, data in accepted().items():
        assert (FOLDER / "accepted" / f"{name}.json").read_text(encoding="utf-8") == write_json(data) + "\n"


def test_probable_is_refused(tmp_path, monkeypatch, capsys):
    """`algdim prove` ends with 1 and the reason where the upper bound has a chance of error; no file is written."""
    from algdim.bound import strategy
    from algdim.certificate import exporting

    monkeypatch.setattr(exporting, "choose_bounds", lambda _: strategy.ALL_OR_FEW["no-proof"])
    target = tmp_path / "certificate.json"

    assert 1 == main(["prove", "3:2,2,2,2", "-o", str(target)])
    assert "a certificate holds what is proved" in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


def test_open_is_refused(monkeypatch):
    """Two bounds that differ make no certificate."""
    from algdim.certificate import exporting

    monkeypatch.setattr(exporting, "choose_bounds", lambda _: ("counting", "ambient"))

    with pytest.raises(NotProvedError, match="between 13 and 14"):
        algdim.prove("3:2,2,2,2")


def test_command_prove_and_verify(tmp_path, capsys):
    """A certificate is written to a file, completely, and verified with the exit code of the worst."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"

    assert 0 == main(["prove", "4:3,3,3", "-o", str(good), "--quiet"])
    bad.write_text(re.sub(r'"dimension": 25', '"dimension": 26', good.read_text(encoding="utf-8")), encoding="utf-8")
    assert 0 == main(["verify", str(good)])
    assert 1 == main(["verify", str(good), str(bad)])
    assert 2 == main(["verify", str(good), str(bad), str(tmp_path / "none.json")])
    assert {"good.json", "bad.json"} == {file.name for file in tmp_path.iterdir()}
    capsys.readouterr()
    main(["verify", "--json", str(good), str(bad)])
    assert ["accepted", "invalid"] == [entry["verdict"] for entry in json.loads(capsys.readouterr().out)]


def test_command_prove_by_chosen_bounds(tmp_path, capsys):
    """Evidence of another kind; without a bound that meets the rank there is no certificate."""
    text, file = "H -> G, A; H, G -> B; H -> C; hidden H, G; states G=4, A=3, B=4", tmp_path / "parts.json"
    kinds = []
    for bounds in ("auto", "counting,ambient,parts"):
        assert 0 == main(["prove", text, "--bounds", bounds, "-o", str(file), "--quiet"])
        assert 0 == main(["verify", str(file)])
        kinds.append(json.loads(file.read_text(encoding="utf-8"))["evidence"]["upper"]["kind"])

    assert ["containing", "parts"] == kinds
    assert "parts" == algdim.prove(text, bounds=["counting", "ambient", "parts"]).data["evidence"]["upper"]["kind"]
    assert 1 == main(["prove", text, "--bounds", "counting,ambient"])
    assert 2 == main(["prove", text, "--bounds", "part"])
    assert "there is no bound 'part'; did you mean 'parts'?" in capsys.readouterr().err


def test_command_prove_prints(capsys):
    """Without a file the certificate goes to standard output."""
    assert 0 == main(["prove", "2:2,2"])
    assert algdim.verify(json.loads(capsys.readouterr().out))


def test_file_that_cannot_be_written(tmp_path, capsys):
    """The message names the file."""
    assert 2 == main(["prove", "2:2,2", "-o", str(tmp_path / "no" / "file.json")])
    assert "cannot be written" in capsys.readouterr().err


def test_what_verify_takes(tmp_path):
    """A path, bytes, a dictionary, a certificate."""
    certificate = algdim.prove("2:2,2")
    certificate.save(tmp_path / "c.json")

    assert all(
        algdim.verify(x) for x in (certificate, certificate.data, certificate.text.encode(), tmp_path / "c.json")
    )
    assert not algdim.verify({})
    assert "unreadable" == algdim.verify({}).word


def test_seed():
    """Another seed gives another point; the same seed the same bytes."""
    assert algdim.prove("2:2,2,2", seed=1).text == algdim.prove("2:2,2,2", seed=1).text
    assert algdim.prove("2:2,2,2", seed=1).text != algdim.prove("2:2,2,2", seed=2).text


@settings(max_examples=some(25))
@given(
    st.recursive(
        st.integers() | st.text(max_size=5) | st.booleans(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_written_is_json(value):
    """The text of a certificate is JSON for the same data."""
    assert value == json.loads(write_json(value))


def test_record():
    """A certificate knows its dimension and prints one line."""
    certificate = algdim.prove("3:2,2,2,2")

    assert isinstance(certificate, Certificate)
    assert 13 == certificate.dimension
    assert "dimension 13, parameters 14, saturated 15: rank and equations" == str(certificate)


def script(name):
    """One of the programs in proofs/, as a module."""
    spec = spec_from_file_location(name, PROOFS / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_shipped_certificates():
    """There is a certificate for every dimension claim, of the model and the true number."""
    build = script("build")
    known = dict(build.cases(claim for paper in list_papers() for claim in list_claims(paper)))
    found = {file.stem for file in build.FOLDER.glob("*.json")}
    wanted = {name for name, claim in known.items() if claim.quantity in build.QUANTITIES and claim.model}

    assert 60 <= len(found)
    assert found <= wanted
    for name in found:
        data = json.loads((build.FOLDER / f"{name}.json").read_bytes())
        meant, told = algdim.model(known[name].model), data["claim"]["model"]
        if "tables" in told:
            assert by_hand(told) == tuple(data["claim"][key] for key in ("dimension", "standard", "complete"))
            assert [v.name for v in meant.observed] == [v["name"] for v in told["variables"] if v["observed"]]
        else:
            assert meant == algdim.model(as_file(told))
        if (
            known[name].quantity == "dimension"
            and isinstance(known[name].means, int)
            and not known[name].verdict.startswith("refuted")
        ):
            assert known[name].means == data["claim"]["dimension"]


@pytest.mark.slow
def test_certificates_are_rebuilt_byte_for_byte(tmp_path, monkeypatch):
    """The builder writes the shipped certificates again, all of them and no others."""
    build = script("build")
    shipped = {file.name: file.read_bytes() for file in build.FOLDER.glob("*.json")}
    monkeypatch.setattr(build, "FOLDER", tmp_path)

    assert 0 == build.main([])
    assert shipped == {file.name: file.read_bytes() for file in tmp_path.iterdir()}


@pytest.mark.parametrize(
    "text",
    [
        "max: {B,C},{A},{B,C} -> E; B <- A; hidden A",
        "at-least 1: {B,C},{A},{B,C} -> E; B <- A; hidden A; given C",
        "max: {B,C},{A},{B,C},{B,C} -> E; B <- A; hidden A",
    ],
)
def test_mechanisms_of_a_function_in_parts_can_be_averaged_out(text):
    """Where the format makes a function of many parents from several, the parts are averaged out before the mechanisms."""
    found = algdim.prove(text)
    assert '"kind": "containing"' in found.text
    assert algdim.dimension(text).dimension == found.dimension


@pytest.mark.parametrize(
    ("model", "lemmas"),
    [
        ("gaussian: A -> B -> A; means off", {"lower bound", "counting and ambient"}),
        (
            "gaussian: A -> B; hidden L; A -> L; means off",
            {"irrelevant latent variables", "lower bound", "counting and ambient"},
        ),
        ("gaussian: H -> A, B, C, D; hidden H; means off", {"treks", "equations", "lower bound"}),
        (
            "A, H -> X, Y; hidden H; states A=3, H=3; sigmoid X, Y",
            {"sigmoid", "districts", "generic rank", "lower bound", "counting and ambient"},
        ),
        (
            "A, B -> C; C -> K; hidden K; sigmoid C",
            {"irrelevant variables", "sigmoid", "districts", "generic rank", "counting and ambient"},
        ),
        ("A -> B; fix P(B=0|A=0)=1/3", {"names and ties", "districts", "generic rank", "counting and ambient"}),
        ("2:2,2,2", {"lower bound", "counting and ambient"}),
        ("polynomial: parameters x, y; coordinates x*y, x^2*y^2", {"formulas", "lower bound", "symmetry"}),
    ],
)
def test_lemmas_are_those_that_claim_and_evidence_need(model, lemmas):
    """No more than what acts in this model; the report of the dimension names no others."""
    found = algdim.verify(algdim.prove(model))
    report = algdim.dimension(model)

    assert found.accepted
    assert lemmas >= set(found.trust.lemmas) >= lemmas - {"generic rank", "counting and ambient"}, found.trust.lemmas
    if "sigmoid" in lemmas:
        assert "sigmoid" in report.lower.trust.lemmas
        assert "sigmoid" in report.upper.trust.lemmas
        assert ": entries are quotients of polynomials of A and B" in report.trust.facts


@pytest.mark.parametrize("text", first(["3:4,700", "2:2^11", "gaussian: F -> A, B, C, D; hidden F", "12:30,30"]))
def test_a_proof_takes_no_more_ranks_than_it_needs(text, monkeypatch):
    """Twice what a dimension takes, no more: the points that make a dimension sure enough are not drawn for a proof."""
    drawn, draw = [], strategy.draw

    def counted(task, method, number=0):
        drawn.append(number)
        return draw(task, method, number)

    monkeypatch.setattr(strategy, "draw", counted)
    prove(text)

    assert {0} == {*drawn}
    assert len(drawn) <= 2


@pytest.mark.parametrize("text", first(["3:4,500", "20:60,60"], 1))
def test_a_theorem_stands_where_the_checker_would_refuse_the_equations(text):
    """That a candidate is far beyond the format's limit is known before the checker is asked."""
    assert "secants" in {node["kind"] for node in prove(text).data["evidence"].values()}


def test_lemmas_of_all_evidence_about_networks_are_named():
    """Each kind, and each key of a matrix or a field, that rests on a lemma of its own occurs in the corpora and is found there."""
    from algdim.certificate.verifying import iterate_kinds
    from algdim.families.discrete import RESTS_ON

    found = set()
    for file in (FOLDER / "accepted").iterdir():
        found.update(iterate_kinds(json.loads(file.read_bytes())["evidence"], RESTS_ON))

    assert set() == RESTS_ON.keys() - found
