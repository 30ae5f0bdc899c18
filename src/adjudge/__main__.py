"""`python -m adjudge` is `adjudge`."""

import sys

from adjudge.cli import main

if __name__ == "__main__":
    sys.exit(main())
