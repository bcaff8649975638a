"""The packager's helpers are scripts beside the program, not a package of it."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
