"""Compares how soon the window is there: python -m tools.start_time [--pairs N] COMMAND COMMAND.

Starts both commands by turns, each with a home of its own, and prints the medians of the time and of the processor time
from the start of the process to the line "main loop reached" in the log, and the median of the ratios of the pairs. A
command is one argument: "ENVIRONMENT/bin/digitlab", ".venv/bin/python main.py". The first starts, which write bytecode
and compile the loops, are not counted. Needs Linux.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

REACHED = "main loop reached"
WARM_UP_SECONDS = 30
POLL_SECONDS = 0.001


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.start_time", description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("commands", nargs=2, metavar="COMMAND")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        homes = [Path(folder) / name for name in ("first", "second")]
        for command, home in zip(options.commands, homes, strict=True):
            start(command, home, WARM_UP_SECONDS)
            start(command, home)
        measured: list[list[tuple[float, float]]] = [[], []]
        for pair in range(options.pairs):
            order = (0, 1) if pair % 2 == 0 else (1, 0)
            for index in order:
                measured[index].append(start(options.commands[index], homes[index]))
    for number, kind in enumerate(("time", "processor time")):
        first, second = ([start[number] for start in starts] for starts in measured)
        ratios = [one / other for one, other in zip(first, second, strict=True)]
        print(
            f"{kind}: {statistics.median(first):.3f} s and {statistics.median(second):.3f} s, "
            f"ratio {statistics.median(ratios):.3f} (quartiles {_quartiles(ratios)})"
        )
    return 0


def start(command: str, home: Path, more_seconds: float = 0) -> tuple[float, float]:
    """Start the window and end it when its main loop runs, or `more_seconds` later.

    Returns the seconds until then and the processor time in seconds. Raises RuntimeError if it ends by itself.
    """
    log = home / "data" / "digitlab.log"
    log.unlink(missing_ok=True)
    began = time.perf_counter()
    process = subprocess.Popen(
        shlex.split(command), env={**os.environ, "DIGITLAB_HOME": str(home)}, stdin=subprocess.DEVNULL
    )
    try:
        while not (log.exists() and REACHED in log.read_text("utf-8")):
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended with {process.returncode}")
            time.sleep(POLL_SECONDS)
        seconds = time.perf_counter() - began
        processor_seconds = _processor_seconds(process.pid)
        time.sleep(more_seconds)
        return seconds, processor_seconds
    finally:
        process.terminate()
        process.wait()


def _processor_seconds(process_id: int) -> float:
    """The processor time of all threads of a process, those that have ended included."""
    if sys.platform != "linux":
        raise RuntimeError("the processor time of another process is read on Linux only")
    clock = (~process_id << 3) | 2  # what the C function clock_getcpuclockid makes of the number
    return time.clock_gettime(clock)


def _quartiles(values: Sequence[float]) -> str:
    lower, _, upper = statistics.quantiles(values, n=4)
    return f"{lower:.3f} to {upper:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
