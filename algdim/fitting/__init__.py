"""Fitting models to data: data read and compressed, EM on the engine's contraction, and what simulates data again."""
