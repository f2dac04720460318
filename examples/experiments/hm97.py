"""HM97 §5: features selected on data from a known naive Bayes classifier, by BIC with the dimension and with the count.

To be found: three of six inputs are selected more and more often; the number of parameters, 2n + 1 for n + 1, leaves some out.

    python examples/experiments/hm97.py [tiny | default | full]
"""

from __future__ import annotations

import sys

from algdim_papers.experiments.catalogue import render_section, run
from algdim_papers.experiments.running import TINY, Setting

EXPERIMENTS = ["features"]
SEED = 0

if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else TINY
    for experiment, found in run(EXPERIMENTS, Setting(size, SEED)):
        print(render_section(experiment, found), end="\n\n")
