"""The recipe of the atlas: developers' programs, no part of the package algdim."""
