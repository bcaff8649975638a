"""Trains the jobs of a study on a Dask cluster.

Each thread of a worker trains one job at a time, with one thread of the processor. A worker's run
is written to a temporary folder there; its files come back when it has ended, its epochs while it
trains, several in a message. If a worker dies, Dask gives its jobs to others, which train them from
the beginning.
"""

import logging
import os
import shutil
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any, get_args
from uuid import uuid4

from core.data.dataset import Dataset
from core.errors import InputError
from core.files.reasons import reason_of
from core.runs.folder import RunFolder
from core.runs.library import is_run_id
from core.runs.side_by_side import Outcome
from core.studies.executor import Job, JobEvent, iter_job
from core.studies.study import require_dask
from core.training.records import Epoch, Reason
from kernels.errors import DeviceError

if TYPE_CHECKING:
    import distributed

_CONNECT_SECONDS = 10
_EVENT_SECONDS = 0.2
# A worker sends the epochs of its job at most so often: each message costs the scheduler and this
# process 0.5 ms.
_SEND_SECONDS = 0.15
# How often a worker asks whether its job is to be stopped,
_STOP_CHECK_SECONDS = 2.0
# and how long the end of the study waits for the files of a job that was stopped.
_STOP_SECONDS = 5.0


class ClusterExecutor:
    """Trains on the cluster whose scheduler has `address`. `datasets`: the study's data; each
    worker gets them once.

    Raises InputError if Dask is missing, or the scheduler does not answer.
    """

    def __init__(self, address: str, datasets: dict[str, Dataset]) -> None:
        require_dask()
        import distributed

        # What it logs, this class raises.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            # A client that was not made cannot be closed.
            distributed.comm.get_address_host_port(address)
            self._client = distributed.Client(
                address, timeout=_CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise InputError(
                "No Dask scheduler answers at {address} ({reason}): start one with `python -m "
                "dask scheduler` in the program's folder, and give the address that it prints.",
                address=address,
                reason=reason_of(error),
            ) from None
        self._topic = f"digitlab-{uuid4().hex}"
        # More epochs of a job, or its end.
        self._events: Queue[tuple[int, list[Epoch] | distributed.Future]] = Queue()
        self._futures: dict[int, distributed.Future] = {}
        # Jobs that were stopped: their files are still to come.
        self._stopping: dict[int, distributed.Future] = {}
        # What jobs have reached, as the worker that trains them now has sent it.
        self._outcomes: dict[int, Outcome] = {}
        self._paths: dict[int, Path] = {}
        self._pruned: set[int] = set()
        self._client.subscribe_topic(self._topic, self._receive)
        self._stop = distributed.Variable(self._topic, client=self._client)
        self._stop.set([])
        self._address = address
        self._datasets = datasets
        # Those that the workers have.
        self._sent: dict[str, distributed.Future] = {}
        self.waiting_for = ""

    def slots(self) -> int:
        """The number of threads of all workers that are connected now."""
        workers = self._client.scheduler_info(n_workers=-1).get("workers")
        if workers is None:
            raise InputError(
                "The Dask scheduler no longer answers: start it again, then continue the study, "
                "which is kept."
            )
        self.waiting_for = "" if workers else self._address
        return sum(worker["nthreads"] for worker in workers.values())

    def start(self, job: Job) -> None:
        remote = replace(job, threads=1, path=Path(job.path.name))
        name = job.plan.data
        try:
            if name not in self._sent:
                self._sent[name] = self._client.scatter(
                    self._datasets[name], broadcast=True, hash=False
                )
            future = self._client.submit(_train, remote, self._sent[name], self._topic, pure=False)
        except Exception as error:  # of Dask
            raise _unusable(error) from None
        self._futures[job.number] = future
        self._paths[job.number] = job.path
        self._outcomes[job.number] = Outcome()
        future.add_done_callback(lambda done: self._events.put((job.number, done)))

    def next_event(self) -> JobEvent | None:
        try:
            event = self._events.get(timeout=_EVENT_SECONDS)
        except Empty:
            return None
        number, sent = event
        if isinstance(sent, list):
            outcome = self._outcomes[number] = self._outcomes[number].with_epochs(sent)
            return (number, outcome) if number in self._futures else None
        return (
            self._result(number, sent)
            if number in self._futures or number in self._stopping
            else None
        )

    def prune(self, number: int) -> None:
        self._pruned.add(number)
        self._stop_job(number)

    def _stop_job(self, number: int) -> None:
        if (future := self._futures.pop(number, None)) is not None:
            self._stopping[number] = future
            with suppress(OSError, RuntimeError):  # the scheduler is gone, and its workers with it
                self._stop.set(sorted(self._stopping))

    def close(self) -> None:
        deadline = monotonic() + _STOP_SECONDS
        while self._stopping and monotonic() < deadline:
            self.next_event()
        for number in list(self._futures):
            self._stop_job(number)
        for future in self._stopping.values():
            future.cancel()
        with suppress(OSError):
            self._client.close()

    def _receive(self, event: tuple[float, Any]) -> None:
        """Called in Dask's thread with (time, message). The end of a job has the epochs of a
        message that is wrong.
        """
        with suppress(Exception):
            number, epochs = event[1]
            if number in self._paths and epochs:
                self._events.put((number, [Epoch.from_dict(values) for values in epochs]))

    def _result(self, number: int, future: "distributed.Future") -> JobEvent | None:
        """The end of a job whose future is done. None if the job was stopped."""
        import distributed

        was_stopped = self._futures.pop(number, None) is None
        self._stopping.pop(number, None)
        try:
            outcome, files = _checked(future.result())
            if files:
                _write_folder(self._paths[number], files)
                if number in self._pruned:
                    RunFolder(self._paths[number]).write_state("pruned")
        except (CancelledError, distributed.client.FutureCancelledError):
            return None
        except distributed.KilledWorker:
            error = InputError("Several workers died while they trained it.")
            return number, self._outcomes[number].failed(error)
        except MemoryError as error:
            return number, self._outcomes[number].failed(error)
        except (
            Exception
        ) as error:  # of Dask, or of what a worker sent: the run can be trained later
            raise _unusable(error) from None
        return None if was_stopped else (number, outcome)


def _checked(result: Any) -> tuple[Outcome, dict[str, bytes]]:
    """What `_train` has returned. Raises an error of any kind where a worker has sent something
    else.
    """
    state, message, files, epochs = result
    if not (state in get_args(Reason) and isinstance(message, str)):
        raise ValueError("a worker sent no reason why its run ended")
    if not all(is_run_id(name) and isinstance(content, bytes) for name, content in files.items()):
        raise ValueError("a worker sent something else than the files of a run")
    checked = tuple(Epoch.from_dict(epoch.as_dict()) for epoch in epochs)
    return Outcome(epochs=checked, state=state, message=message), files


def _unusable(error: Exception) -> InputError:
    """What to say of an error that Dask raised for a worker or the scheduler."""
    reason = " ".join(str(error).split()).split(". ")[0] or type(error).__name__
    if "No module named" in reason:
        reason = "a worker does not find the program"
    return InputError(
        "The cluster cannot train runs of this program ({reason}): start scheduler and workers by "
        "`python -m dask` in the program's folder, with the same versions as here, then continue "
        "the study.",
        reason=reason,
    )


def _train(
    job: Job, dataset: Dataset, topic: str
) -> tuple[str, str, dict[str, bytes], tuple[Epoch, ...]]:
    """Executed by a worker: why the run ended, a message, the files of its folder by name, and all
    its epochs.
    """
    import distributed

    worker = distributed.get_worker()
    stop = distributed.Variable(topic)
    outcome = Outcome()
    sent = 0
    last_send = float("-inf")
    last_check = monotonic()
    with TemporaryDirectory(prefix="digitlab-") as folder:
        path = Path(folder) / job.path
        try:
            with closing(iter_job(replace(job, path=path), dataset)) as records:
                for record in records:
                    outcome = outcome.after(record)
                    now = monotonic()
                    epochs = outcome.epochs
                    if sent < len(epochs) and now - last_send > _SEND_SECONDS:
                        worker.log_event(
                            topic, (job.number, [epoch.as_dict() for epoch in epochs[sent:]])
                        )
                        sent = len(epochs)
                        last_send = now
                    if now - last_check > _STOP_CHECK_SECONDS:
                        last_check = now
                        if job.number in stop.get(timeout=_CONNECT_SECONDS):
                            break
        except (InputError, DeviceError) as error:
            outcome = outcome.failed(error)
        state = outcome.state if outcome.has_ended else "stopped"
        files = path.iterdir() if path.is_dir() else ()
        contents = {file.name: file.read_bytes() for file in files if file.suffix != ".lock"}
        return state, outcome.message, contents, outcome.epochs


def _write_folder(path: Path, files: dict[str, bytes]) -> None:
    """Write the run's folder, so that it appears in the library as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=path.parent) as folder:
        temporary = Path(folder) / path.name
        temporary.mkdir()
        for name, content in files.items():
            (temporary / name).write_bytes(content)
        shutil.rmtree(path, ignore_errors=True)
        os.rename(temporary, path)
