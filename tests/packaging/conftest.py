"""Makes the modules of the folder `packaging`, which is not a package, importable."""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
