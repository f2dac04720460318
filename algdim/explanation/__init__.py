"""What people read: maps written out in mathematics."""
