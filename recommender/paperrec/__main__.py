"""`python -m paperrec`."""

import sys

from paperrec.cli import main

sys.exit(main())
