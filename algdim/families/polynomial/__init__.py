"""The family "polynomial": maps that the user writes as formulas."""
