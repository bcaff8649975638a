"""The packager's helpers are scripts beside the program, not a package of it."""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
