"""GHM96 §4, §6: the ridge of H → X, and the score of AutoClass at 3:2,2,2,2 as N grows.

To be found: CS − log p(D) falls like ½ log N, CS+ − log p(D) does not.

    python examples/experiments/ghm96.py [tiny | default | full]
"""

from __future__ import annotations

import sys

from algdim_papers.experiments.catalogue import render_section, run
from algdim_papers.experiments.running import TINY, Setting

EXPERIMENTS = ["ridge", "growing"]
SEED = 0

if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else TINY
    for experiment, found in run(EXPERIMENTS, Setting(size, SEED)):
        print(render_section(experiment, found), end="\n\n")
