"""The machine's memory is asked for in each system's way."""

import ctypes
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.files import memory

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="Windows has no sysconf")
def test_the_memory_of_this_machine_is_its_pages():
    assert memory.installed_memory() == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@pytest.mark.parametrize(("answered", "expected"), [(1, 8 << 30), (0, 16 << 30)])
def test_windows_is_asked_for_its_memory(monkeypatch, answered, expected):
    def fill(reference):
        status = reference._obj
        assert status.length == ctypes.sizeof(status) == 64
        status.total = 8 << 30
        return answered

    kernel32 = SimpleNamespace(GlobalMemoryStatusEx=fill)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel32), raising=False)
    monkeypatch.setattr("sys.platform", "win32")
    assert memory.installed_memory() == expected


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps freed memory")
def test_freed_memory_is_returned():
    blocks = [bytearray(100_000) for _ in range(600)]
    pin = blocks.pop()  # at the end of the heap: without it the heap would shrink by itself
    blocks.clear()
    before = resident_bytes()
    memory.return_freed_memory()
    assert before - resident_bytes() > 40_000_000
    assert len(pin) == 100_000


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc places large blocks in its heaps"
)
def test_large_blocks_are_returned_between_small_ones():
    # In a new process: the heaps of this one have gaps, which glibc fills before it asks the system
    # for memory.
    done = subprocess.run(
        [sys.executable, "-c", LARGE_BETWEEN_SMALL],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 55_000_000


LARGE_BETWEEN_SMALL = """
from core.files import memory
from tests.core.files.test_memory import resident_bytes

memory.limit_kept_memory()
large, small = [bytearray(20_000_000)], []
large.clear()  # by default, blocks of this size are placed in the heap from now on
for _ in range(60):
    large.append(bytearray(1_000_000))
    small.append(bytearray(1000))
before = resident_bytes()
large.clear()
print(before - resident_bytes())
"""


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_other_allocators_are_left_alone(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    memory.return_freed_memory()
    memory.limit_kept_memory()


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no such limit")
def test_a_limit_of_the_address_space_is_said_before_a_library_ends_the_program():
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 << 20,) * 2); import main; "
        "main.main(['runs'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "629 MB of address space" in done.stderr
    assert "Traceback" not in done.stderr
