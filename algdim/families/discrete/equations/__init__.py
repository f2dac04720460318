"""The equations that the graph of a discrete network implies, and how they are found."""
