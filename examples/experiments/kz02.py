"""KZ02 §5, §6, Figures 4 and 5, Table 2: latent class models and trees chosen with the right dimension and without.

To be found: the plus scores are nearer to the truth for large samples, BIC+ has ties, and 5(2,3(2,2),3(2,2)) is recovered
never (§6), or three times in 480 searches (here).

    python examples/experiments/kz02.py [tiny | default | full]
"""

from __future__ import annotations

import sys

from algdim_papers.experiments.catalogue import render_section, run
from algdim_papers.experiments.running import TINY, Setting

EXPERIMENTS = ["latent-classes", "latent-trees"]
SEED = 0

if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else TINY
    for experiment, found in run(EXPERIMENTS, Setting(size, SEED)):
        print(render_section(experiment, found), end="\n\n")
