"""The local maps of discrete networks: how a variable depends on its parents."""
