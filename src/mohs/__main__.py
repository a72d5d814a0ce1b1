"""Run the command line as ``python -m mohs``."""

import sys

from mohs.cli import main

sys.exit(main())
