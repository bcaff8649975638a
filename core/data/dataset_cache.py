"""Keeps the data set used last in memory, shared by all threads."""

from threading import Lock

from core.data.dataset import Dataset
from core.progress import Progress, ignore_progress

POLL_SECONDS = 0.05


class DatasetCache:
    """Thread-safe: one thread loads, the others wait for it and report its progress."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._name = ""
        self._dataset: Dataset | None = None
        self._stale: set[str] = set()
        self._loaded = (0, 0)

    def get(self, name: str, progress: Progress = ignore_progress) -> Dataset:
        """The data set of this name or path, loaded unless it is in memory.

        `progress(done, total)` is called while it loads. Raises InputError if it cannot be loaded.
        """

        def report(done: int, total: int) -> None:
            self._loaded = (done, total)  # for the threads that wait
            progress(done, total)

        # `progress` may raise, so that a thread that waits can be cancelled.
        while not self._lock.acquire(timeout=POLL_SECONDS):
            progress(*self._loaded)
        try:
            if self._dataset is None or self._name != name or name in self._stale:
                from core.data.sources import load_dataset

                # Before the next one is loaded: the memory need not hold both.
                self._dataset = None
                # Before loading: what changes meanwhile makes it stale again.
                self._stale.discard(name)
                self._dataset = load_dataset(name, report)
                self._name = name
            return self._dataset
        finally:
            self._loaded = (0, 0)
            self._lock.release()

    def forget(self, name: str) -> None:
        """Load this data set again at the next `get`, because it has changed. Does not block."""
        self._stale.add(name)

    def get_if_loaded(self, name: str) -> Dataset | None:
        """The data set of this name if it is in memory, else None. Does not block."""
        # Read once: another thread may replace it meanwhile.
        dataset = self._dataset
        return dataset if self._name == name and name not in self._stale else None
