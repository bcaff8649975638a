"""What the CPU devices share: arrays that are NumPy arrays, and a pool of threads.

The pool is for numbered pieces of work: compiled loops and matrix products, which release Python's
lock. Which thread executes which piece varies, so the result of a piece must not depend on it.
Waiting threads sleep.
"""

import os
from collections.abc import Callable, Iterator
from contextvars import copy_context
from functools import cache, partial
from math import prod
from queue import SimpleQueue
from threading import Thread
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike

from kernels.device import Device

_Job = Callable[[], None]


class HostDevice(Device):
    """A device whose arrays live in the program's own memory."""

    computes_double = True

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> np.ndarray:
        return np.empty(shape, dtype)

    def upload(self, host: np.ndarray) -> np.ndarray:
        return np.array(host, order="C")

    def asarray(self, host: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(host)

    def download(self, array: np.ndarray) -> np.ndarray:
        return array.copy()

    def write(self, array: np.ndarray, host: np.ndarray) -> None:
        np.copyto(array, host, casting="no")

    def read(self, array: np.ndarray, host: np.ndarray) -> None:
        np.copyto(host, array, casting="no")

    def result(self, array: np.ndarray) -> np.ndarray:
        return array


def processor_count() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# threadpoolctl's names of BLAS libraries, as they write themselves.
_BLAS_NAMES = {"openblas": "OpenBLAS", "mkl": "MKL", "blis": "BLIS", "flexiblas": "FlexiBLAS"}


def blas_libraries() -> list[dict[str, Any]]:
    """What threadpoolctl knows of the BLAS libraries that are loaded, that of NumPy first."""
    from threadpoolctl import threadpool_info

    libraries = [info for info in threadpool_info() if info["user_api"] == "blas"]
    # Where SciPy is installed, Numba loads SciPy's own library beside NumPy's.
    return sorted(libraries, key=lambda info: "scipy.libs" in info["filepath"])


def blas_family() -> str:
    """The BLAS library that computes NumPy's products, and for which family of processors:
    "OpenBLAS Haswell".

    Of a library that threadpoolctl does not know, the name that NumPy was built with
    ("accelerate").
    """
    for info in blas_libraries():
        name = _BLAS_NAMES.get(info["internal_api"], info["internal_api"])
        return f"{name} {info.get('architecture') or ''}".strip()
    built_with: Any = np.show_config(mode="dicts")
    return str(built_with.get("Build Dependencies", {}).get("blas", {}).get("name", "unknown"))


@cache
def limit_blas() -> None:
    """Let BLAS use one thread in this process from now on. For Apple's BLAS main.py does so."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, "blas")


@cache
def arithmetic() -> str:
    """What decides how sums are rounded here: "OpenBLAS Haswell on znver5".

    It is the family of the BLAS library, whose products sum in an order of their own, and the
    processor that loops are compiled for, whose vectors are as wide as it allows. The same run of
    the same version on the CPU gives the same parameters to the bit only where this text is the
    same.
    """
    from llvmlite.binding import get_host_cpu_name
    from numba import config

    processor = getattr(config, "CPU_NAME", None) or get_host_cpu_name()
    return f"{blas_family()} on {processor}"


# Variables by which a user, or who has set up the machine, chooses the code of OpenBLAS.
_BLAS_VARIABLES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
# Families with code of their own in NumPy's OpenBLAS, and what a processor needs for it. Zen has
# that of Haswell.
_FAMILIES = {"Haswell": "avx2", "SkylakeX": "avx512vl", "Sandybridge": "avx"}


def blas_variables() -> dict[str, str]:
    """The variables that are set and take from OpenBLAS the choice of its code for this
    processor.
    """
    return {name: os.environ[name] for name in _BLAS_VARIABLES if os.environ.get(name)}


def runnable_families() -> list[str]:
    """The families whose code OpenBLAS can run on this processor, as values of OPENBLAS_CORETYPE.

    None where another library computes. The variable is read when NumPy is imported: start a child
    process with it.
    """
    if not blas_family().startswith("OpenBLAS"):
        return []
    from llvmlite.binding import get_host_cpu_features

    features = get_host_cpu_features()
    return [family for family, needed in _FAMILIES.items() if features.get(needed)]


class ThreadPool:
    """`threads` threads, the calling one included, and scratch memory, which is kept for the next
    call.

    The other threads are started by the first work that needs them.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        # A SimpleQueue wakes a thread in a quarter of the time that a ThreadPoolExecutor takes, and
        # steps are short.
        self._inboxes: list[SimpleQueue[_Job | None]] = [SimpleQueue() for _ in range(threads - 1)]
        self._outbox: SimpleQueue[BaseException | None] = SimpleQueue()
        self._members: list[Thread] = []
        self._stop = finalize(self, _stop, self._inboxes)
        self._scratch: dict[tuple[int, str, np.dtype], np.ndarray] = {}

    def map(self, pieces: int, work: Callable[[int, int], None]) -> None:
        """Call work(worker, piece) for every piece below `pieces` and wait for all; worker is below
        `threads`.

        Raises an exception that `work` has raised in any thread.
        """
        # One iterator for all threads: under the interpreter's lock each number is taken once.
        numbers = iter(range(pieces))
        # After `close` the calling thread does everything itself.
        inboxes = self._inboxes[: max(0, pieces - 1)] if self._stop.alive else []
        if inboxes and not self._members:
            self._start()
        for worker, inbox in enumerate(inboxes, 1):
            # The caller's context holds NumPy's error state.
            inbox.put(partial(copy_context().run, _run, work, worker, numbers))
        try:
            _run(work, 0, numbers)
        finally:
            # Also after an error here: the other threads still work on the caller's arrays.
            errors = [self._outbox.get() for _ in inboxes]
        for error in errors:
            if error is not None:
                raise error

    def scratch(
        self, worker: int, name: str, shape: tuple[int, ...], dtype: np.dtype
    ) -> np.ndarray:
        """Memory of `worker` with this name and unspecified contents; the next call returns the
        same memory.
        """
        # Called some hundred times in a step with convolutions; `np.prod` would take thirty times
        # as long.
        size = prod(shape)
        flat = self._scratch.get((worker, name, dtype))
        if flat is None or flat.size < size:
            flat = self._scratch[worker, name, dtype] = np.empty(size, dtype)
        return flat[:size].reshape(shape)

    def close(self) -> None:
        self._stop()
        for member in self._members:
            member.join()
        self._scratch.clear()

    def _start(self) -> None:
        # Daemon threads: a pool that was not closed must not keep the process alive.
        self._members = [
            Thread(target=_serve, args=(inbox, self._outbox), name="pool", daemon=True)
            for inbox in self._inboxes
        ]
        for member in self._members:
            member.start()


def _serve(inbox: "SimpleQueue[_Job | None]", outbox: "SimpleQueue[BaseException | None]") -> None:
    """Run the jobs from the inbox until it gives None; put the exception of each job, or None, into
    the outbox.
    """
    while (job := inbox.get()) is not None:
        try:
            job()
        except BaseException as error:
            outbox.put(error)
        else:
            outbox.put(None)
        # Release the job's arrays before waiting for the next one.
        del job


def _stop(inboxes: "list[SimpleQueue[_Job | None]]") -> None:
    for inbox in inboxes:
        inbox.put(None)


def _run(work: Callable[[int, int], None], worker: int, numbers: Iterator[int]) -> None:
    for piece in numbers:
        work(worker, piece)
