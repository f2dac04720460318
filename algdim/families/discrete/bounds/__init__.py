"""Bounds of the dimension that hold for discrete networks."""
