"""The parameters that the report of a dimension calls lost, and the draws behind the verdicts."""

from __future__ import annotations

import pytest
from suites.random_gaussians import gaussian_model

from algdim.cli import main
from algdim.identifiability.identifying import identify
from algdim.identifiability.rowspaces import MOST_PARAMETERS, lost_of, lost_text
from algdim.models.gaussian import Gaussian, GaussianVariable
from algdim.report import dimension


@pytest.mark.parametrize("seed", range(20))
def test_one_point_sees_what_identify_sees(seed):
    """The cheap line of the dimension names the parameters that all points together show to move."""
    model = gaussian_model(seed, most=5)
    report = dimension(model)
    found = lost_of(report)

    assert (identify(model).lost or None) == found


def test_sentences():
    """All, one, some of the parameters; nothing where none is lost or the model is large."""
    report = dimension("2:2,2")

    assert "not identifiable: all 5 parameters" == lost_text(lost_of(report), report)
    report = dimension("A -> B; states C=2; hidden C")
    assert "not identifiable: 1 of 4 parameters: P(C=0)" == lost_text(lost_of(report), report)
    assert lost_of(dimension("2:2,2,2")) is None
    count = MOST_PARAMETERS // 2 + 1
    pairs = tuple(GaussianVariable(f"{kind}{n}", kind == "X") for n in range(count) for kind in "FX")
    large = Gaussian(pairs, tuple((f"F{n}", f"X{n}") for n in range(count)), means=False)
    assert lost_of(dimension(large)) is None


def test_the_command_says_it_above_the_seed(capsys):
    """Below the tree, and above the line of the seed; other methods than auto show what they find and no more."""
    main(["dim", "2:2,2", "--seed", "5"])
    lines = capsys.readouterr().out.splitlines()

    assert ["not identifiable: all 5 parameters", "seed 5"] == lines[-2:]
    main(["dim", "2:2,2", "--method", "table"])
    assert "not identifiable" not in capsys.readouterr().out
