"""The window: the only code that imports Qt."""

import sys
from importlib.util import find_spec

# Where Qt is missing, `display_check` says so.
if sys.version_info < (3, 12) and find_spec("shiboken6"):
    from gui.overrides import guard_overrides

    guard_overrides()
