"""The page of `explain --html`: a lecture in steps, in one file that needs no network, and that can be read without a script."""
