"""READERS: files and other libraries' objects to models."""
