"""Trains the jobs of a study on a Dask cluster.

Each thread of a worker trains one job at a time, with one thread of the processor. A worker's run is written to a
temporary folder there; its files come back when it has ended, its epochs while it trains. If a worker dies, Dask gives
its jobs to others, which train them from the beginning.
"""

import os
import shutil
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from core.data.dataset import Dataset
from core.errors import InputError
from core.studies.stored import require_dask
from core.studies.trial import EpochRow, Job, JobEnded, JobEvent, iter_job
from kernels.errors import DeviceError

if TYPE_CHECKING:
    import distributed

_CONNECT_SECONDS = 10
_EVENT_SECONDS = 0.2
# How often a worker asks whether its job is to be stopped.
_STOP_CHECK_SECONDS = 2.0
Files = dict[str, bytes]


class ClusterExecutor:
    """Trains on the cluster whose scheduler has `address`. `datasets`: the study's data; each worker gets them once.

    Raises InputError if Dask is missing, or the scheduler does not answer.
    """

    def __init__(self, address: str, datasets: dict[str, Dataset]) -> None:
        require_dask()
        import distributed

        try:
            self._client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(
                "No Dask scheduler answers at {address} ({reason}): start one with `dask scheduler`, and give the "
                "address that it prints.", address=address, reason=str(error) or type(error).__name__,
            ) from None  # fmt: skip
        self._topic = f"digitlab-{uuid4().hex}"
        self._events: Queue[JobEvent | tuple[int, distributed.Future]] = Queue()
        self._futures: dict[int, distributed.Future] = {}
        self._paths: dict[int, Path] = {}
        self._stopped: set[int] = set()
        self._client.subscribe_topic(self._topic, self._receive)
        self._stop = distributed.Variable(self._topic, client=self._client)
        self._stop.set([])
        self._data = {
            name: self._client.scatter(dataset, broadcast=True, hash=False) if self.slots() else dataset
            for name, dataset in datasets.items()
        }

    def slots(self) -> int:
        """The number of threads of all workers that are connected now."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return sum(worker["nthreads"] for worker in workers.values())

    def start(self, job: Job) -> None:
        remote = replace(job, threads=1, path=Path(job.path.name))
        future = self._client.submit(_train, remote, self._data[job.data], self._topic, pure=False)
        self._futures[job.number], self._paths[job.number] = future, job.path
        future.add_done_callback(lambda done: self._events.put((job.number, done)))

    def next_event(self) -> JobEvent | None:
        try:
            event = self._events.get(timeout=_EVENT_SECONDS)
        except Empty:
            return None
        if isinstance(event, EpochRow):
            return event if event.number in self._futures else None
        assert isinstance(event, tuple)
        number, future = event
        if self._futures.pop(number, None) is None:
            return None
        return self._result(number, future)

    def stop(self, number: int) -> None:
        self._stopped.add(number)
        self._stop.set(sorted(self._stopped))
        if (future := self._futures.pop(number, None)) is not None:
            future.cancel()

    def close(self) -> None:
        for number in list(self._futures):
            self.stop(number)
        with suppress(OSError):
            self._client.close()

    def _receive(self, event: tuple[float, Any]) -> None:
        """Called in Dask's thread with (time, message)."""
        number, row = event[1]
        self._events.put(EpochRow(number, row))

    def _result(self, number: int, future: "distributed.Future") -> JobEvent | None:
        import distributed

        try:
            reason, message, files = future.result()
        except (CancelledError, distributed.client.FutureCancelledError):
            return None
        except distributed.KilledWorker:
            return JobEnded(number, "failed", "Several workers died while they trained it.")
        except Exception as error:
            return JobEnded(number, "failed", str(error) or type(error).__name__)
        if files:
            _write_folder(self._paths[number], files)
        return JobEnded(number, reason, message)


def _train(job: Job, dataset: Dataset, topic: str) -> tuple[str, str, Files]:
    """Executed by a worker: the reason why the run ended, a message, and the files of its folder by name."""
    import distributed

    worker = distributed.get_worker()
    stop = distributed.Variable(topic)
    last_check = monotonic()
    with TemporaryDirectory(prefix="digitlab-") as folder:
        path = Path(folder) / job.path
        try:
            with closing(iter_job(replace(job, path=path), dataset)) as events:
                for event in events:
                    if isinstance(event, EpochRow):
                        worker.log_event(topic, (event.number, event.row))
                    elif isinstance(event, JobEnded):
                        return event.reason, event.message, _read_folder(path)
                    if monotonic() - last_check > _STOP_CHECK_SECONDS:
                        last_check = monotonic()
                        if job.number in stop.get(timeout=_CONNECT_SECONDS):
                            return "stopped", "", {}
        except (InputError, DeviceError) as error:
            return "failed", str(error), _read_folder(path)
    raise AssertionError("a job ends with JobEnded")


def _read_folder(path: Path) -> Files:
    if not path.is_dir():
        return {}
    return {file.name: file.read_bytes() for file in path.iterdir() if file.suffix != ".lock"}


def _write_folder(path: Path, files: Files) -> None:
    """Write the run's folder, so that it appears in the library as a whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.mkdir(parents=True)
    for name, content in files.items():
        (temporary / Path(name).name).write_bytes(content)
    shutil.rmtree(path, ignore_errors=True)
    os.rename(temporary, path)
