"""BDe: exponents from a prior network."""

import numpy as np
import pytest
from brute_scores import drawn, some_parameters

import algdim
from algdim import InputError

PRIOR = "A -> B -> C; A -> C"


@pytest.mark.parametrize("pair", [("A -> B -> C", "A <- B <- C"), ("A -> B, C", "B -> A -> C")])
def test_equivalent_networks_have_equal_scores(pair):
    """BDe does not tell networks with the same independences apart (GHM96 §2), whatever the prior network says."""
    columns, _ = drawn(algdim.model(PRIOR), 2, 60)
    prior = (PRIOR, some_parameters(algdim.model(PRIOR), 9))
    first, second = (
        algdim.score(columns, t, score="exact", ess=3.0, prior_network=prior).values["exact"] for t in pair
    )

    assert first == pytest.approx(second, abs=1e-9)


def test_bdeu_is_the_prior_network_without_edges():
    """Even independent variables give BDeu."""
    columns, _ = drawn(algdim.model("A -> B"), 2, 30)
    even = ("states A=2, B=2", {"A": [["1/2", "1/2"]], "B": [["1/2", "1/2"]]})
    bde = algdim.score(columns, "A -> B", score=["exact", "cs"], ess=2.0, prior_network=even)
    bdeu = algdim.score(columns, "A -> B", score=["exact", "cs"], ess=2.0)

    assert bdeu.values == pytest.approx(bde.values)
    assert "ess=2, prior network" == bde.to_dict()["prior"]


def test_the_order_of_cases_does_not_matter_and_hidden_variables_have_priors():
    """A hidden variable of the model is one of the prior network's; the bounds keep their order."""
    model = algdim.model("2:2,2")
    columns, _ = drawn(model, 4, 5)
    prior = ("2:2,2", some_parameters(model, 1))
    values = algdim.score(columns, model, score="all", ess=4.0, prior_network=prior).values

    assert values["mled"] <= values["cs"] <= values["variational"] <= values["exact"]
    assert np.isfinite(values["exact"])


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (("states A=2", {"A": [[0.5, 0.5]]}), "nothing of B"),
        (("states A=2, B=2", {"A": [[1.0, 0.0]], "B": [[0.5, 0.5]]}), "probability 0"),
    ],
)
def test_what_a_prior_network_lacks_is_named(network, message):
    """A network that cannot give all exponents is refused by every score that needs them, and the fit knows none."""
    data = {"A": [0, 1], "B": [0, 1]}
    found = algdim.score(data, "A -> B", score=["exact", "laplace", "bic"], prior_network=network)

    assert message in found.reasons["exact"]
    assert "a fit knows no prior network" in found.reasons["laplace"]
    assert {"bic"} == set(found.values)


def test_a_prior_network_has_an_equivalent_sample_size():
    """Together with alpha it is an error."""
    even = ("states A=2", {"A": [[0.5, 0.5]]})
    with pytest.raises(InputError, match="equivalent sample size"):
        algdim.score({"A": [0, 1]}, "states A=2", alpha=1.0, prior_network=even)
