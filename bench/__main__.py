"""Run the benchmarks: ``python -m bench``."""

import sys

from bench.spine import main

sys.exit(main())
