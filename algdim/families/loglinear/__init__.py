"""The family "loglinear": hierarchical log-linear models with hidden variables."""
