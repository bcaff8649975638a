"""Imports pyqtgraph as `pg` without the CUDA bindings that one of its unused widgets imports."""

import sys

# Loading the bindings, where they are installed, takes longer than opening the window.
_hidden = "cuda.bindings" not in sys.modules
if _hidden:
    sys.modules["cuda.bindings"] = None  # type: ignore[assignment]
try:
    import pyqtgraph as pg
finally:
    if _hidden:
        del sys.modules["cuda.bindings"]

__all__ = ["pg"]
