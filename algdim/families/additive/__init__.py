"""The families "poisson" and "normal": effects that are sums of independent mechanism variables (MH97 §3.2)."""
