"""Candidates for data, every score of each, and what follows: weights, averages, the best model."""
