"""The machine that a benchmark runs on: processor name, cores, available devices."""

import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.bench.rows import Note
from core.errors import InputError
from kernels.host import processor_count
from kernels.registry import probe


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy with a process of its own. Raises InputError in the frozen program."""
    if getattr(sys, "frozen", False):
        # Its executable is no Python interpreter.
        raise InputError(
            "The packaged program cannot keep the cores busy: start other programs instead of --busy."
        )
    program = "import os, sys, threading\nthreading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\n"
    processes = [
        subprocess.Popen([sys.executable, "-c", program + "while True: pass"], stdin=subprocess.PIPE)
        for _ in range(processor_count())
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def machine_name() -> str:
    """Processor and number of cores, for the caption of a table."""
    return f"{_processor()}, {processor_count()} cores"


def card_info() -> dict[str, str]:
    """Name, driver and memory of the graphics card; starts CUDA if it is not started yet."""
    info = probe("cuda")
    return {"name": info.title, **info.details}


def available(devices: tuple[str, ...]) -> tuple[list[str], list[Note]]:
    """The names in `devices` that work on this machine, and a note with the reason for each of the others."""
    infos = [probe(device) for device in devices]
    return [info.name for info in infos if info.available], [Note(i.reason) for i in infos if not i.available]


def _processor() -> str:
    """The name under which the processor is sold, or its architecture where the system does not tell."""
    try:
        if sys.platform == "win32":
            name = _windows_processor()
        elif sys.platform == "darwin":
            command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            name = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        else:
            lines = Path("/proc/cpuinfo").read_text().splitlines()
            name = next((line.partition(":")[2] for line in lines if line.startswith("model name")), "")
    except (OSError, subprocess.CalledProcessError):
        name = ""
    return name.strip() or platform.processor() or platform.machine()


def _windows_processor() -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0") as key:
        return str(winreg.QueryValueEx(key, "ProcessorNameString")[0])
