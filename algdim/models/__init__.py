"""Frozen records of models, the notation, the catalogue. No algebra."""
