"""Exact arithmetic on whole arrays: fields, primes, reproducible draws, elimination. It knows no statistics."""
