"""Numbers that rank models on data, small functions of a fit record and a dimension."""
