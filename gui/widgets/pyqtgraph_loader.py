"""pyqtgraph as `pg`, without the CUDA bindings that it would load for a widget which is not used here."""

import sys

# Where the bindings are installed they take longer to load than all of the window.
_hidden = "cuda.bindings" not in sys.modules
if _hidden:
    sys.modules["cuda.bindings"] = None  # type: ignore[assignment]
try:
    import pyqtgraph as pg
finally:
    if _hidden:
        del sys.modules["cuda.bindings"]

__all__ = ["pg"]
