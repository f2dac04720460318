"""Plots, written as SVG with nothing but the standard library."""
