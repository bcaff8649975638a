"""Studies on a Dask cluster: in this process, and of several processes of which one is killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.runs.library import RunLibrary
from core.studies.trial import JobEnded
from tests.core.studies.conftest import GRID, table_of

ROOT = Path(__file__).resolve().parents[3]

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_cluster_gives_the_same_table_as_this_process(train_study, points):
    from core.studies.cluster import ClusterExecutor

    here = train_study(name="here")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        there = train_study(
            name="there", executor=ClusterExecutor(cluster.scheduler_address, {"points": points})
        )
    assert there.is_complete
    assert table_of(there) == table_of(here)
    assert {run.run for run in there.runs} <= {entry.id for entry in RunLibrary().entries()}


class _KillsAWorker:
    """An executor that kills a worker as soon as two runs have ended."""

    def __init__(self, executor, worker):
        self._executor, self._worker, self._ended = executor, worker, 0

    def __getattr__(self, name):
        return getattr(self._executor, name)

    def next_event(self):
        event = self._executor.next_event()
        self._ended += isinstance(event, JobEnded)
        if self._ended == 2 and self._worker.poll() is None:
            self._worker.kill()
            self._worker.wait()
        return event


def start(*arguments):
    """A program of Dask's, which ends with the test."""
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_killed_worker_changes_nothing_in_the_table(train_study, points, tmp_path):
    from core.studies.cluster import ClusterExecutor

    text = GRID.replace("[0.01, 0.3]", "[0.01, 0.1, 0.3]").replace("epochs = 3", "epochs = 20")
    here = train_study(text, name="here")
    file = tmp_path / "scheduler.json"
    programs = [start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))]
    try:
        options = ("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        programs += [start("worker", *options, "--local-directory", str(tmp_path / str(k))) for k in range(2)]
        with distributed.Client(scheduler_file=str(file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        executor = _KillsAWorker(ClusterExecutor(address, {"points": points}), programs[2])
        there = train_study(text, name="there", executor=executor)
        assert programs[2].poll() is not None
    finally:
        for program in programs:
            program.kill()
            program.wait()
    assert there.is_complete
    assert table_of(there) == table_of(here)


def test_address_without_scheduler_is_refused(monkeypatch):
    from core.studies import cluster

    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="No Dask scheduler answers at"):
        cluster.ClusterExecutor("tcp://127.0.0.1:9", {})
