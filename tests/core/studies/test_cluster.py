"""Studies on a Dask cluster: in this process, and of several processes of which one is killed."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import InputError
from core.runs.library import RunLibrary
from core.studies.spec import parse_study
from core.studies.study import Study
from main import main
from tests.core.studies.conftest import GRID, table_of
from tests.dask_cluster import dask_cluster

distributed = pytest.importorskip("distributed")


def local_cluster(workers):
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=False,
        dashboard_address=None,
        protocol="tcp",
    )


class _Watched:
    """An executor whose events are kept."""

    def __init__(self, executor):
        self._executor, self.events = executor, []

    def __getattr__(self, name):
        return getattr(self._executor, name)

    def next_event(self):
        event = self._executor.next_event()
        if event is not None:
            self.events.append(event)
        return event


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_cluster_gives_the_same_table_as_this_process(train_study, points, monkeypatch):
    from core.studies import cluster

    # So the first epoch of a run is sent while it trains, and the others come with its end.
    monkeypatch.setattr(cluster, "_SEND_SECONDS", 1000)
    here = train_study(name="here")
    with local_cluster(2) as local:
        executor = _Watched(cluster.ClusterExecutor(local.scheduler_address, {"points": points}))
        there = train_study(name="there", executor=executor)
    assert there.is_complete
    assert table_of(there) == table_of(here)
    epochs = [len(outcome.epochs) for _, outcome in executor.events]
    assert sorted(epochs) == [1] * 4 + [3] * 4
    entries = {entry.id: entry for entry in RunLibrary().entries()}
    for run in there.runs:
        assert entries[run.id].info.state == "epochs"
        assert [epoch.epoch for epoch in entries[run.id].folder.read_history()] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_worker_ends_the_same_runs_early_as_this_process(train_study, points):
    from core.studies.cluster import ClusterExecutor

    rates = "learning_rate = [0.5, 0.4, 0.3, 0.2, 0.1, 0.0001]"
    text = GRID.replace("learning_rate = [0.01, 0.3]", rates).replace('["sgd", "adam"]', '["sgd"]')
    text = text.replace('data = "points"', 'data = "points"\nprune = true').replace(
        "epochs = 3", "epochs = 40"
    )
    here = train_study(text, name="here")
    with local_cluster(1) as local:
        executor = ClusterExecutor(local.scheduler_address, {"points": points})
        there = train_study(text, name="there", executor=executor)
    assert "pruned" in [run.state for run in here.runs]
    assert table_of(there) == table_of(here)
    assert {run.id for run in there.runs} <= {entry.id for entry in RunLibrary().entries()}


class _KillsAWorker:
    """An executor that kills a worker as soon as two runs have ended."""

    def __init__(self, executor, worker):
        self._executor, self._worker, self._ended = executor, worker, 0

    def __getattr__(self, name):
        return getattr(self._executor, name)

    def next_event(self):
        event = self._executor.next_event()
        self._ended += bool(event and event[1].has_ended)
        if self._ended == 2 and self._worker.poll() is None:
            self._worker.kill()
            self._worker.wait()
        return event


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_killed_worker_changes_nothing_in_the_table(train_study, points, tmp_path):
    from core.studies.cluster import ClusterExecutor

    text = GRID.replace("[0.01, 0.3]", "[0.01, 0.1, 0.3]").replace("epochs = 3", "epochs = 20")
    here = train_study(text, name="here")
    with dask_cluster(tmp_path, 2) as (address, workers):
        executor = _KillsAWorker(ClusterExecutor(address, {"points": points}), workers[1])
        there = train_study(text, name="there", executor=executor)
        assert workers[1].poll() is not None
    assert there.is_complete
    assert table_of(there) == table_of(here)


def test_address_without_scheduler_is_refused(monkeypatch):
    from core.studies import cluster

    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="No Dask scheduler answers at"):
        cluster.ClusterExecutor("tcp://127.0.0.1:9", {})
    # Dask complains at its end of a client that it could not make.
    monkeypatch.setattr(distributed, "Client", None)
    with pytest.raises(InputError, match="No Dask scheduler answers at nonsense"):
        cluster.ClusterExecutor("nonsense", {})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_the_same_command_trains_on_a_cluster_that_was_put_right(tmp_path, capsys):
    """Scheduler and workers first by Dask's own command, which does not find the program's
    modules.
    """
    file = tmp_path / "seeds.toml"
    file.write_text(
        'data = "rastrigin:20"\ndevice = "vectorized"\n[settings]\nnetwork = "2-3-1"\nepochs = 2\n'
        "learning_rate = 0.001\n[vary]\nseed = [0, 1, 2]\n"
    )
    for number, outside in enumerate([("scheduler", "worker"), ("scheduler",), ("worker",), ()]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with dask_cluster(folder, 1, outside) as (address, _):
            code = main(["study", str(file), "--dask", address])
        said = capsys.readouterr()
        if outside:
            assert code == 2
            assert "`python -m dask` in the program's folder" in said.err
        else:
            assert code == 0
            assert said.out.count(" done ") == 3
    assert main(["study", str(file)]) == 0
    assert capsys.readouterr().out.count(" done ") == 3


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_dead_scheduler_is_named_and_the_study_goes_on_later(train_study, points, monkeypatch):
    from core.studies import cluster

    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 1)
    text = GRID.replace("epochs = 3", "epochs = 200")
    with local_cluster(1) as local:
        executor = cluster.ClusterExecutor(local.scheduler_address, {"points": points})
        with pytest.raises(InputError, match="scheduler no longer answers"):
            train_study(text, executor=executor, until=lambda run: run.epochs and local.close())
    continued = train_study(text)
    assert [run.state for run in continued.runs] == ["epochs"] * 4


HOSTILE = {
    "no tuple": lambda job, *_: None,
    "no end": lambda job, *_: ("", "", {}, []),
    "a list of files": lambda job, *_: ("epochs", "", [1], []),
    "numbers as files": lambda job, *_: ("epochs", "", {"run.json": 1}, []),
    "a path elsewhere": lambda job, *_: ("epochs", "", {"../../outside": b"x"}, []),
    "the folder above": lambda job, *_: ("epochs", "", {"..": b"x"}, []),
    "a long name": lambda job, *_: ("epochs", "", {"x" * 300: b"x"}, []),
    "no epochs": lambda job, *_: ("epochs", "", {}, ["x"]),
}


def _sends_wrong_epochs(job, dataset, topic):
    worker = distributed.get_worker()
    for message in (
        None,
        1,
        (job.number, []),
        (job.number, [{}]),
        ([], [{}]),
        (job.number, [{"epoch": "x"}]),
    ):
        worker.log_event(topic, message)
    return "fault", "no more", {}, []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_worker_that_sends_anything_else_is_refused(train_study, points, monkeypatch, tmp_path):
    from core.studies import cluster

    with local_cluster(1) as local:
        for name, answer in HOSTILE.items():
            monkeypatch.setattr(cluster, "_train", answer)
            executor = cluster.ClusterExecutor(local.scheduler_address, {"points": points})
            with pytest.raises(InputError, match="The cluster cannot train runs of this program"):
                train_study(name=name, executor=executor)
        monkeypatch.setattr(cluster, "_train", _sends_wrong_epochs)
        executor = cluster.ClusterExecutor(local.scheduler_address, {"points": points})
        study = train_study(name="epochs", executor=executor)
    assert [(run.state, run.message, run.epochs) for run in study.runs] == [
        ("fault", "no more", [])
    ] * 4
    assert not list(tmp_path.rglob("outside"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_cluster_without_workers_is_waited_for(points):
    from core.studies.cluster import ClusterExecutor

    with local_cluster(0) as local, closing(Study(parse_study(GRID, "waits"))) as study:
        executor = ClusterExecutor(local.scheduler_address, {"points": points})
        with closing(study.iter_runs(executor)) as runs:
            assert [next(runs), next(runs)] == [None, None]
            assert executor.waiting_for == local.scheduler_address
            local.scale(1)
            for _ in runs:
                pass
        assert executor.waiting_for == ""
        assert study.is_complete


def test_documented_commands_of_one_machine_listen_on_no_other_address():
    text = (Path(__file__).parents[3] / "docs/studies.md").read_text("utf-8")
    commands = re.findall(r"python -m dask .*", text.split("### On two machines")[0])
    assert len(commands) == 2
    for command in commands:
        assert "--host 127.0.0.1 --dashboard-address 127.0.0.1:" in command


@pytest.mark.parametrize("file", ["docs/studies.md", "core/commands/study.py"])
def test_who_gives_an_address_is_warned_first(file):
    text = " ".join(
        (Path(__file__).parents[3] / file).read_text("utf-8").lower().replace('"', "").split()
    )
    warning = text.index("whoever can reach the address")
    assert "in this program" in text or "in the program that starts the study" in text
    first_command = text.find("python -m dask")
    assert first_command == -1 or warning < first_command
