"""The family "discrete": networks of variables with finitely many states."""
