"""Sweeps: many models, some processes or a cluster, and a store that loses nothing."""
