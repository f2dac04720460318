"""MH97 §5, Figure 5: posterior probabilities of five causal interaction models.

To be found: mass accumulates on the generator; with the printed dimensions 7 and 7 not on F1, with the true 7 and 8 on
F1 too; F4 never wins with unadjusted dimensions.

    python examples/experiments/mh97.py [tiny | default | full]
"""

from __future__ import annotations

import sys

from algdim_papers.experiments.catalogue import render_section, run
from algdim_papers.experiments.running import TINY, Setting

EXPERIMENTS = ["figure-5"]
SEED = 0

if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else TINY
    for experiment, found in run(EXPERIMENTS, Setting(size, SEED)):
        print(render_section(experiment, found), end="\n\n")
