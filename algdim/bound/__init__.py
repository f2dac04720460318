"""Upper bounds of a dimension, each with its evidence."""
