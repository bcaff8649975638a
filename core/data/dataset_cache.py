"""The shelf keeps the data set used last in memory, for whichever thread asks for it next."""

from threading import Lock

from core.data.dataset import Dataset
from core.progress import Progress

LOOK_SECONDS = 0.05


class DatasetCache:
    """Safe from several threads: one loads, the others wait for it and are told how far it is."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._name = ""
        self._dataset: Dataset | None = None
        self._stale: set[str] = set()
        self._loaded = (0, 0)

    def get(self, name: str, progress: Progress | None = None) -> Dataset:
        """The data set of this name or path, loaded if it is not at hand; an InputError if it cannot be."""
        while not self._lock.acquire(timeout=LOOK_SECONDS):
            if progress:
                progress(*self._loaded)
        try:
            if self._dataset is None or self._name != name or name in self._stale:
                from core.data.sources import load_dataset

                self._dataset = None
                self._stale.discard(name)
                self._dataset, self._name = load_dataset(name, self._shown_to_all(progress)), name
            return self._dataset
        finally:
            self._loaded = (0, 0)
            self._lock.release()

    def _shown_to_all(self, progress: Progress | None) -> Progress:
        def report(done: int, total: int) -> None:
            self._loaded = (done, total)
            if progress:
                progress(done, total)

        return report

    def forget(self, name: str) -> None:
        """Read this data set anew when it is asked for next: it has changed. Waits for nobody."""
        self._stale.add(name)

    def at_hand(self, name: str) -> Dataset | None:
        """The data set of this name if it is in memory; waits for nobody."""
        dataset = self._dataset
        return dataset if self._name == name and name not in self._stale else None
