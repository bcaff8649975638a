"""How busy other programs keep the processor during a measurement."""

import os
import sys
import time
from pathlib import Path

# In cores: less than this changes timings by less than their usual scatter.
BUSY = 0.25
# In seconds: the system counts in hundredths of a second, so that shorter measurements say little.
MIN_SECONDS = 1.0
_STAT = Path("/proc/stat")


class MachineLoad:
    """Counts the processor time of other programs from its creation on."""

    def __init__(self) -> None:
        self._start = self._read()

    def other_cores(self) -> float | None:
        """Mean number of cores that other programs have used so far; None where the system does not
        tell.

        0 within the first second.
        """
        if self._start is None:
            return None
        now = self._read()
        assert now
        seconds, own_seconds, total = (
            end - start for end, start in zip(now, self._start, strict=True)
        )
        # Both are rounded to clock ticks: the difference may be a little below 0.
        return max((total - own_seconds) / seconds, 0.0) if seconds >= MIN_SECONDS else 0.0

    def warning(self) -> str:
        """A sentence for the user if other programs have used enough to change the timings, else an
        empty text.
        """
        cores = self.other_cores() or 0.0
        if cores < BUSY:
            return ""
        return f"Other programs used {cores:.1f} cores meanwhile: times and ratios are uncertain."

    def _read(self) -> tuple[float, float, float] | None:
        """(seconds since some start, processor seconds of this process and its children, of all
        processes).
        """
        if sys.platform != "linux":
            return None
        try:
            names = {f"cpu{number}" for number in os.sched_getaffinity(0)}
            lines = [line.split() for line in _STAT.read_text().splitlines()]
            own = [line for line in lines if line[0] in names]
            # user, nice, system, irq and softirq in clock ticks; idle and iowait are left out.
            ticks = sum(int(line[index]) for line in own for index in (1, 2, 3, 6, 7))
            per_second = os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None
        used = os.times()
        own_seconds = used.user + used.system + used.children_user + used.children_system
        return time.perf_counter(), own_seconds, ticks / per_second
