"""Measures how soon the window is there: python -m tools.start_time [--pairs N | --first] COMMAND [COMMAND].

Starts both commands by turns, each with a home of its own, and prints the medians of the time and of the processor time
from the start of the process to the line "main loop reached" in the log, and the median of the ratios of the pairs. A
command is one argument: "ENVIRONMENT/bin/digitlab", ".venv/bin/python main.py". The first starts, which write bytecode
and compile the loops, are not counted.

With --first each command is started once, with empty caches and on a virtual screen. The pointer draws a line as soon
as the window is there: prints time and processor time until the window, until the answer, and the memory a minute
later. Needs Linux; --first also Xvfb and xdotool.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

REACHED = "main loop reached"
READ = "first drawing read"
REST_SECONDS = 60
# A line on the canvas, which is at the left of a window of 1280x720.
LINE = [(170, 230 + 15 * step) for step in range(11)]
WARM_UP_SECONDS = 30
POLL_SECONDS = 0.001


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.start_time", description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--first", action="store_true", help="measure a first start, with empty caches")
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    options = parser.parse_args(arguments)
    if options.first:
        for command in options.commands:
            first_start(command)
        return 0
    if len(options.commands) != 2:
        parser.error("two commands are compared")
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
    with _started(command, home) as process:
        began = time.perf_counter()
        _wait_for(REACHED, process, home)
        seconds = time.perf_counter() - began
        processor_seconds = _processor_seconds(process.pid)
        time.sleep(more_seconds)
        return seconds, processor_seconds


def first_start(command: str) -> None:
    """Start with empty caches, draw a line, and print what it took."""
    with tempfile.TemporaryDirectory() as folder, _screen() as display:
        variables = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "NUMBA_CACHE_DIR": f"{folder}/compiled"}
        with _started(command, Path(folder), **variables) as process:
            began = time.perf_counter()
            _wait_for(REACHED, process, Path(folder))
            environment = {**os.environ, **variables}
            search = ["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)]
            subprocess.run(search, env=environment, check=True, stdout=subprocess.DEVNULL)
            seconds = time.perf_counter() - began
            print(f"window: {seconds:.2f} s, {_processor_seconds(process.pid):.2f} s of the processor")
            drawing = time.perf_counter()
            subprocess.run(["xdotool", *_line(), "mouseup", "1"], env=environment, check=True)
            _wait_for(READ, process, Path(folder))
            seconds = time.perf_counter() - drawing
            print(
                f"answer: {seconds:.2f} s after the pen's first touch, {_processor_seconds(process.pid):.2f} s of the "
                "processor since the start"
            )
            time.sleep(REST_SECONDS)
            print(f"memory after {REST_SECONDS} s: {_resident_megabytes(process.pid):.0f} MB")


def _line() -> Iterator[str]:
    """The words by which xdotool draws LINE."""
    for step, (x, y) in enumerate(LINE):
        yield from ("mousemove", str(x), str(y), "sleep", "0.02")
        if step == 0:
            yield from ("mousedown", "1")


@contextmanager
def _screen() -> Iterator[str]:
    """A virtual screen; yields its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24"], pass_fds=[writing]
    )
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def _started(command: str, home: Path, **variables: str) -> "Iterator[subprocess.Popen[bytes]]":
    """The program with this home; it ends with the block."""
    (home / "data" / "digitlab.log").unlink(missing_ok=True)
    environment = {**os.environ, **variables, "DIGITLAB_HOME": str(home)}
    process = subprocess.Popen(shlex.split(command), env=environment, stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _wait_for(line: str, process: "subprocess.Popen[bytes]", home: Path) -> None:
    """Wait until the log has this line. Raises RuntimeError if the program ends before."""
    log = home / "data" / "digitlab.log"
    while not (log.exists() and line in log.read_text("utf-8")):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args} ended with {process.returncode}")
        time.sleep(POLL_SECONDS)


def _resident_megabytes(process_id: int) -> float:
    status = Path(f"/proc/{process_id}/status").read_text("ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1000


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
