"""Decision thresholds of the verdicts. Chosen once, for all experiments; docs/experiments.md says what each means to a reader."""

from __future__ import annotations

WIDE = 2.0
"""Standard errors: what is farther apart differs."""
MOST = 0.5
"""A share that must be exceeded by what the paper says of all."""
HALF_A_CLASS = 0.5
"""Classes: a mean difference below it changes no choice, as a rule; of a printed number below it the paper makes nothing."""
ALIKE = 2e-4
"""Nats of divergence: what is nearer is similar."""
ONE_NAT = 1.0
"""Per class: a curve that falls so much faster than log p(D) is no stand-in for it."""
TIED = 0.1
"""Nats: candidates nearer than that to the best are told apart by where a fit stops, and one of them is chosen at random."""
LARGE = {"random": 27_000, "deterministic": 9_000}
"""Cases: "larger samples" in KZ02 §5 (Figures 4 and 5) and §6, which is random."""
