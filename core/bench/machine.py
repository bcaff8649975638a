"""The machine that a benchmark runs on: processor name, cores, available devices."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.bench.rows import Note
from kernels.registry import probe


def core_count() -> int:
    """Number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy with a process of its own."""
    program = "import os, sys, threading\nthreading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\n"
    processes = [
        subprocess.Popen([sys.executable, "-c", program + "while True: pass"], stdin=subprocess.PIPE)
        for _ in range(core_count())
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def machine_name() -> str:
    """Processor and number of cores, for the caption of a table."""
    return f"{_processor()}, {core_count()} cores"


def card_info() -> dict[str, str]:
    """Name, driver and memory of the graphics card; starts CUDA if it is not started yet."""
    info = probe("cuda")
    return {"name": info.title, **info.details}


def available(devices: tuple[str, ...]) -> tuple[list[str], list[Note]]:
    """The names in `devices` that work on this machine, and a note with the reason for each of the others."""
    infos = [probe(device) for device in devices]
    return [info.name for info in infos if info.available], [Note(i.reason) for i in infos if not i.available]


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
