"""Tables for papers. `grid` is the record between what fills a table and what prints it."""
