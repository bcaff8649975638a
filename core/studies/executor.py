"""Executors train the jobs of a study: in the calling thread here, on other machines in `core.studies.cluster`."""

from collections.abc import Generator
from contextlib import suppress
from typing import Protocol

from core.data.dataset import Dataset
from core.errors import InputError
from core.studies.trial import Job, JobEnded, JobEvent, iter_job
from kernels.errors import DeviceError


class Executor(Protocol):
    """Trains as many jobs at once as `slots` says."""

    def slots(self) -> int: ...

    def start(self, job: Job) -> None:
        """Begin a job; its events come from `next_event`."""

    def next_event(self) -> JobEvent | None:
        """The next event; None if there was none for a fraction of a second."""

    def stop(self, number: int) -> None:
        """Stop the job of this trial; no more events come from it."""

    def close(self) -> None:
        """Stop all jobs. Those that were not complete keep their checkpoints where their folders are here."""


class LocalExecutor:
    """Trains one job at a time in the calling thread. `datasets`: the study's data by name."""

    def __init__(self, datasets: dict[str, Dataset]) -> None:
        self._datasets = datasets
        self._number = -1
        self._events: Generator[JobEvent | None] | None = None

    def slots(self) -> int:
        return 1

    def start(self, job: Job) -> None:
        self._number, self._events = job.number, iter_job(job, self._datasets[job.data])

    def next_event(self) -> JobEvent | None:
        if self._events is None:
            return None
        try:
            event = next(self._events)
        except StopIteration:
            raise AssertionError("a job ends with JobEnded") from None
        except (InputError, DeviceError, MemoryError) as error:
            event = JobEnded(self._number, "failed", str(error) or type(error).__name__)
        if isinstance(event, JobEnded):
            self.close()
        return event

    def stop(self, number: int) -> None:
        self.close()

    def close(self) -> None:
        events, self._events = self._events, None
        if events is not None:
            with suppress(RuntimeError):
                events.close()
