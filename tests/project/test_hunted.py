"""Wrong results and crashes that were hunted down, each with the smallest model that showed it."""

import json

import pytest
from amount import daily, in_turn
from deadlines import ended_after

import algdim
from algdim.cli import main
from algdim.identifiability.classification import FINITE, UNKNOWN, derive_identifiability
from algdim.models.notation import to_text
from algdim_papers.claims import reading

TIES = "states A=3; hidden A; equal x=P(A=0); equal y=P(A=1); "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TIES + "C -> B; states B=3; equal z=P(A=2), P(B=0|C=0), P(B=0|C=1)", 4),
        (TIES + "states B=3; equal z=P(A=2), P(B=0), P(B=1)", 1),
        (TIES + "states B=3; equal z=P(A=2), P(B=0)", 2),
        (TIES + "C -> B; equal z=P(A=2), P(B=0|C=0)", 3),
    ],
)
def test_ties_through_a_removed_variable_leave_parameters_that_are_no_entries(text, expected):
    """One table whose entry is 1 − x − y has two parameters and one degree of freedom."""
    report = algdim.dimension(text)

    assert expected == report.dimension == algdim.dimension(text, method="rational").dimension
    assert report.lower.value <= report.upper.value


def test_a_point_is_found_where_parameters_are_no_entries():
    """The rank at given tables needs some parameters that give these tables."""
    tables = {"A": [["1/4", "1/4", "1/2"]], "C": [["1/2", "1/2"]], "B": [["1/2", "1/2"], ["1/3", "2/3"]]}
    report = algdim.dimension(TIES + "C -> B; equal z=P(A=2), P(B=0|C=0)", at=tables)

    assert (3, True) == (report.at.rank, report.at.regular)


def test_a_share_may_have_the_name_of_its_member():
    """Also where that member is a parent outside of a district."""
    assert 3 == algdim.dimension("A -> X -> Y; share X: X, Y").dimension


@pytest.mark.parametrize(
    ("arguments", "what"), [(("dim", "--method", "symbolic"), "terms"), (("map",), "numbers and letters")]
)
def test_polynomials_with_too_many_terms_are_refused(arguments, what, capsys):
    """Thirty hidden variables in a chain have few cells and 2^30 terms in each."""
    names = [f"H{number}" for number in range(30)]
    text = f"{' -> '.join(names)} -> X; hidden {', '.join(names)}"

    assert 3 == main([arguments[0], text, *arguments[1:]])
    assert what in capsys.readouterr().err


@in_turn(3)
def test_many_named_entries_need_no_linear_program():
    """Rows whose entries all have names of their own can be uniform."""
    rows = range(100)
    equal = "; ".join(f"equal e{row}x{state} = P(B={state}|A={row})" for row in rows for state in range(3))

    assert 99 + 200 == algdim.dimension(f"A -> B; states A=100, B=3; {equal}").dimension


def test_parents_with_one_state_do_not_count():
    """More of them than an array has axes are no reason to fail."""
    names = [f"H{number}" for number in range(70)]
    text = f"{', '.join(names)} -> X; hidden {', '.join(names)}; states {', '.join(f'{name}=1' for name in names)}"

    assert 1 == algdim.dimension(text).dimension


def test_a_number_that_proves_nothing_is_not_called_a_bound():
    """Floating point gives no theorem, also where the upper bound is one."""
    assert "floating point: no proof" == str(algdim.dimension("3:2,2,2,2", bounds="counting", method="float").trust)


def test_control_characters_are_not_echoed(tmp_path, capsys):
    """A message about a file does not let the file write to the terminal."""
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({"A": [["1/2", "1/2"]], "\x1b[31mRED": 1}), encoding="utf-8")

    assert 2 == main(["dim", "A -> B", "--at", str(path)])
    assert "\x1b" not in capsys.readouterr().err


def four_items_whose_states_multiply_to_sixteen(upper):
    """A certificate that claimed 10 for a dimension of 12: an upper bound by a theorem on binary items, which these are not."""
    sizes = {"H": (2, False), "G": (1, False), "X": (4, True), "Z": (2, True), "W": (2, True), "Y": (2, True)}
    model = {
        "family": "discrete",
        "variables": [
            {"name": name, "states": count, "observed": seen, "parents": {"H": [], "Y": ["G"]}.get(name, ["H"])}
            for name, (count, seen) in sizes.items()
        ],
    }
    lower = {
        "kind": "rank",
        "value": 10,
        "prime": 2305843009213693951,
        "point": "algdim 1|x",
        "rows": [0, 2, 4, 6, 8, 10, 12, 16, 18, 24],
        "columns": list(range(10)),
    }
    fields = [{"hidden": ["H"], "upper": upper}]
    upper = {"kind": "symmetry", "value": 10, "prime": 3, "point": "algdim 1|4", "fields": fields}
    return {
        "format": "algdim certificate 2",
        "claim": {"model": model, "dimension": 10, "standard": 12, "complete": 31},
        "evidence": {"lower": lower, "upper": upper},
    }


def test_items_are_binary_one_by_one():
    """Not by the product of their states: the checker once accepted this."""
    for kind in ("binary-items", "counting", "ambient", "trees"):
        upper = {"kind": kind, "value": 9, **({"parts": []} if kind == "trees" else {})}

        assert not algdim.verify(four_items_whose_states_multiply_to_sixteen(upper)).accepted
    assert 12 == algdim.dimension("H -> G, X, Z, W; G -> Y; hidden H, G; states G=1, X=4").dimension


def test_hidden_variables_with_one_state_are_no_links():
    """The head count proves the dimension, and certificates hold it."""
    text = "B -> C; A -> C; A -> D; C -> D; hidden A, C; states C=1; states D=3"

    assert 3 == algdim.dimension(text, bounds="nested,districts,ambient").upper.value
    assert algdim.verify(algdim.prove(text))


@pytest.mark.parametrize(
    "text",
    [
        "gaussian: A <-> B; fix v(A)=0; means off",
        "gaussian: A, B, C; A <-> B, C; B <-> C; fix v(A)=0; means off",
        "gaussian: A <-> B; fix c(A<->B)=5, v(A)=1, v(B)=1; means off",
        "gaussian: A <-> B; A <-> C; B <-> C; fix v(A)=1, v(B)=1, c(A<->B)=1; means off",
    ],
)
def test_errors_that_cannot_be_are_refused(text):
    """A covariance needs variances that leave room for it."""
    with pytest.raises(algdim.InputError, match="varianc"):
        algdim.dimension(text)


def test_partial_covariances_are_listed_where_they_exist():
    """Given variables whose covariance is singular they do not."""
    assert "cov(A,B|C)" not in str(algdim.constraints("gaussian: A -> B; C; fix v(C)=0; means off"))


def test_low_moments_say_nothing_of_identifiability():
    """Three moments of two normals have three dimensions, the distributions five."""
    low = derive_identifiability("latent-profile: H -> X; hidden H; moments 3")

    assert (UNKNOWN, False) == (low.word, low.exact)
    assert "between 3 and 5" in low.reason
    assert FINITE == derive_identifiability("latent-profile: H -> X; hidden H").word


def test_a_singular_point_of_a_cycle_is_refused():
    """With a message, not a traceback."""
    at = {"coefficients": {"A->B": 1, "B->A": 1}, "variances": {"A": 1, "B": 1}}
    with pytest.raises(algdim.InputError, match="singular"):
        algdim.dimension("gaussian: A -> B -> A; means off", at=at)


def test_json_says_of_what_a_number_is():
    """Moments up to a stated order have a proved dimension that is not the distributions'; machines are told, too."""
    document = algdim.dimension("latent-profile: H -> X; hidden H; moments 3").to_dict()

    assert (False, 5) == (document["exact"], document["upper"]["value"])
    assert (3, True) == (document["moments"]["order"], document["moments"]["exact"])


def test_probes_of_few_coordinates_are_not_refused_for_many_parameters():
    """The Jacobian has as many rows as there can be dimensions, not as there are parameters."""
    assert 3 == algdim.dimension("5000:2,2", method="probes", max_memory=10**8).dimension


def test_what_looks_like_a_mechanism_may_have_a_child_outside():
    """Such a network prints as the edges that it has."""
    model = algdim.model("A -> E.1 -> E, P; hidden E.1, P; max E")

    assert model == algdim.model(to_text(model))
    assert 3 == algdim.dimension(model).dimension


def test_messages_are_not_as_long_as_what_they_are_about():
    """A name of a hundred thousand signs is not repeated in full."""
    with pytest.raises(algdim.InputError, match="characters omitted") as caught:
        algdim.dimension("2:2,2", method="a" * 100_000)

    assert len(str(caught.value)) < 4100


def test_dotted_keys_are_not_as_deep_as_you_like(tmp_path):
    """The library that reads TOML takes time and memory by the square of their parts: a file of 200 kB took gigabytes."""
    path = tmp_path / "deep.toml"
    path.write_text(".".join(["a"] * 100_000) + " = 1", encoding="utf-8")
    with pytest.raises(algdim.InputError, match="dotted key"):
        algdim.model(path)
    path.write_text("# 1.2.3\nfamily = 'gaussian'\n[[variables]]\nname = 'A.b.c'\n", encoding="utf-8")

    assert "A.b.c" == algdim.model(path).variables[0].name


def test_variables_are_counted_before_they_are_read():
    """Too many variables are refused at once, whatever they are."""
    for family in ("discrete", "gaussian", "loglinear", "latent-profile"):
        with pytest.raises(algdim.InputError, match="100001 variables; at most 100000"):
            algdim.model({"family": family, "variables": [None] * 100_001})


@pytest.mark.parametrize("text", daily(["e" * 300_000 + "|", "/" * 300_000 + "~", "a." * 150_000 + "<"], 2))
@pytest.mark.parametrize("form", [None, "lavaan"])
def test_long_words_are_no_reason_to_go_back_and_forth(text, form):
    """What a text is is found out in time that grows with its length, not with the square of it."""
    with ended_after(60), pytest.raises(algdim.InputError):
        algdim.model(text, format=form)


@pytest.mark.parametrize("text", [f"n = {'9' * 5000}", f"n = {'[' * 5000}"])
def test_claims_are_refused_that_the_library_cannot_read(text):
    """Numbers with too many digits and lists in lists are no claims."""
    with pytest.raises(algdim.InputError, match="is not TOML"):
        reading.read(text, "one")


def test_points_without_a_value_are_not_shown():
    """An embedded classifier divides: along a direction in which nothing observed changes it may have no value."""
    text = "states V3=2, V6=2, V0=2, V4=2; V6 <- V0, V4; hidden V0; classifier V6 {V6 -> V4; V6, V4 -> V0}"

    assert "the same distribution" in str(algdim.explain(text, seed=137))
