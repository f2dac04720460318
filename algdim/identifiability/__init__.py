"""USE: what the observed distribution tells about the parameters."""
