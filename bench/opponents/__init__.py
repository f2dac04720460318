"""What people use instead: each module finds the dimension of a latent class model, without algdim.

Every module has ``dimension(classes, items, seed)``, which returns the value and the seconds spent on the Jacobian of
the full table, on converting it, and on the rank.
"""
