"""The family "latent-profile": finite mixtures of normal distributions, with categorical items beside continuous ones."""
