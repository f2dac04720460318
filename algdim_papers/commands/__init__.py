"""The commands about the papers, which `algdim` takes up among its own."""
