"""The papers' experiments, run again with right dimensions, many data sets and standard errors."""
