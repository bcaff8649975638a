"""Threads that compute let the window's thread go first, where threads have a priority of their own."""

import os
import sys
import threading

# Enough for the canvas: on two busy processors 99 of 100 strokes are read within 10 to 13 ms, in place of 12 to 18.
# Twice as much shortens that no further, but leaves training a tenth of a processor that another program wants too.
NICENESS = 5


def give_way() -> None:
    """Let this thread come after the window's; one that is behind already stays there."""
    if sys.platform == "linux":
        me = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, me, max(NICENESS, os.getpriority(os.PRIO_PROCESS, me)))
