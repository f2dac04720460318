"""Dimension against hidden states."""

from __future__ import annotations

import pytest

from algdim import InputError
from algdim.plots.dimensions import make_state_reports, plot_growth


def test_four_binary_items():
    """KZ02 Table 1 and GHM96 §5: 9, 13, 15 where counting gives 9, 14, 15; more states add nothing."""
    assert [4, 9, 13, 15, 15] == [report.dimension for report in make_state_reports("2:2,2,2,2", states=range(1, 6))]


def test_the_plot_has_three_lines():
    """Effective, standard and complete."""
    drawn = plot_growth("2:2,2,2", states=(1, 2, 3))

    assert 9 == drawn.count("<circle")
    assert 'xmlns="http://www.w3.org/2000/svg"' in drawn


@pytest.mark.parametrize(("text", "name"), [("A -> B", ""), ("2:2,2", "X1"), ("gaussian: A -> B", "")])
def test_what_has_no_hidden_states(text, name):
    """Refused, with what there is."""
    with pytest.raises(InputError, match="hidden"):
        make_state_reports(text, name)
