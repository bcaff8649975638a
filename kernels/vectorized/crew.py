"""A crew is some threads of our own that share out numbered pieces of work.

It serves loops compiled without the GIL, and products that are best made by one thread next to the loops that
read them. Which thread does which piece is chance, so a piece must not depend on it.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cached_property

import numpy as np


class Crew:
    """`threads` of them, the calling one included; its scratch memory grows to what was asked for and stays."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads - 1, "vectorized") if threads > 1 else None
        self._scratch: dict[tuple[int, str, np.dtype], np.ndarray] = {}

    def share(self, pieces: int, work: Callable[[int, int], None]) -> None:
        """Call work(worker, piece) for every piece below `pieces`; worker is below `threads`."""
        numbers = iter(range(pieces))
        if self._pool is None or pieces == 1:
            _run(work, 0, numbers)
            return
        others = [self._pool.submit(_run, work, worker, numbers) for worker in range(1, self.threads)]
        try:
            _run(work, 0, numbers)
        finally:
            wait(others)
        for other in others:
            other.result()

    def scratch(self, worker: int, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Memory of `worker` under this name, with unspecified contents; the same at the next call."""
        size = int(np.prod(shape))
        flat = self._scratch.get((worker, name, dtype))
        if flat is None or flat.size < size:
            flat = self._scratch[worker, name, dtype] = np.empty(size, dtype)
        return flat[:size].reshape(shape)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
        self._scratch.clear()


def _run(work: Callable[[int, int], None], worker: int, numbers: Iterator[int]) -> None:
    for piece in numbers:
        work(worker, piece)


class Crewed:
    """A device with a crew, hired when it is first needed. `threads`: None as many as there are processors."""

    threads: int | None = None

    @cached_property
    def crew(self) -> Crew:
        return Crew(self.threads or os.cpu_count() or 1)
