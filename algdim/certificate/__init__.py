"""Certificates: files that let a stranger check a report without algdim (proofs/FORMAT.md)."""
