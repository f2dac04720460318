"""What the observed distribution tells about the parameters."""
