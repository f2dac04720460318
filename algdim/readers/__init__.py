"""Files and other libraries' objects to models."""
