"""Goodman (1974): one to four classes for the role conflict of 216 people, with 14 and with 13 dimensions.

To be found: three classes gain ½ log 216 = 2.69 nats, and G² has 2 degrees of freedom.

    python examples/experiments/goodman.py [tiny | default | full]
"""

from __future__ import annotations

import sys

from algdim_papers.experiments.catalogue import render_section, run
from algdim_papers.experiments.running import TINY, Setting

EXPERIMENTS = ["role-conflict"]
SEED = 0

if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else TINY
    for experiment, found in run(EXPERIMENTS, Setting(size, SEED)):
        print(render_section(experiment, found), end="\n\n")
