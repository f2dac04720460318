"""MAP: parameters, coordinates, and the factor network between them."""
