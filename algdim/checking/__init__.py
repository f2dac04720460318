"""Claims about models, as anybody prints them: read from a table, computed, and judged."""
