"""The machine that a benchmark runs on: processor name, cores, available devices."""

import os
import platform
from pathlib import Path

from core.bench.rows import Note
from kernels.registry import probe


def core_count() -> int:
    """Number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
