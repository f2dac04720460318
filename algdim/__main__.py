"""`python -m algdim` is the command `algdim`."""

import sys

from algdim.cli import main

if __name__ == "__main__":
    sys.exit(main())
