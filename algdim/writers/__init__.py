"""Models as files of other programs."""
