"""The machine that a bench runs on: its cores, the devices it has, its name."""

import os
import platform
from pathlib import Path

from core.bench.rows import Note
from kernels.registry import probe


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def name() -> str:
    """Processor and number of cores, for the caption of a table."""
    return f"{_processor()}, {cores()} cores"


def card() -> dict[str, str]:
    """The card's name, its driver and memory; starts CUDA if nothing has yet."""
    info = probe("cuda")
    return {"name": info.title, **info.details}


def available(devices: tuple[str, ...]) -> tuple[list[str], list[Note]]:
    """Those of `devices` that compute here, and why the others do not."""
    found = [probe(device) for device in devices]
    return [info.name for info in found if info.available], [Note(i.reason) for i in found if not i.available]


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
