"""The families of models, a folder each."""
