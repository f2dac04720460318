"""The family "gaussian": linear structural equations with correlated errors, latent variables and cycles (GHM96 §7)."""
