"""What people use instead: each module finds the dimension of a latent class model, without algdim.

Every module has ``dimension(classes, items, seed)``, which returns the value and the seconds spent on the Jacobian of
the full table, on converting it, and on the rank, and ``missing()``, the reason why it cannot be asked. `macaulay2` is
about Gaussian models and asked by the tests; ``ffpack.cpp`` finds ranks of random matrices too.
"""
