"""The campaign of hostile workers: studies on a Dask cluster on this machine, whose worker sends
something else.
"""

import logging
import time
import warnings
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from core.data.dataset import Dataset, Split
from core.runs.library import RunLibrary
from core.studies import cluster
from core.studies.spec import parse_study
from core.studies.study import Study, best_run
from core.training.records import Epoch
from tests.faults.case import Case, check_message, seconds_without_processor
from tests.faults.hostile import NAMES, NUMBERS
from tests.faults.mutate import mutate
from tests.faults.saved_files import STUDY, home_at

MAX_SECONDS = 30.0
_train = cluster._train
_random = Random(0)  # of the present case, for the worker too: it is a thread of this process


class Cluster:
    """Makes cases: a study of two runs by a worker that sends anything else as epochs, files or
    results.
    """

    def __init__(self, folder: Path) -> None:
        import distributed

        warnings.simplefilter("ignore")
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
        self._folder = folder
        self._number = 0
        self._cluster = distributed.LocalCluster(
            host="127.0.0.1",
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            dashboard_address=None,
            protocol="tcp",
        )
        random = np.random.default_rng(1)
        images = Split(
            random.integers(0, 256, (60, 28, 28, 1), np.uint8),
            (np.arange(60) % 10).astype(np.int32),
        )
        self._data = {
            "builtin": Dataset("builtin", "Noise", "classes", tuple("0123456789"), images, images)
        }
        cluster._train = hostile_train
        self._run("the right result", Random(0))  # so that no case is charged with compiling

    def case(self, random: Random) -> Case:
        self._number += 1
        how = random.choice(list(_ANSWERS))
        return Case(how, 0, lambda: self._run(how, random))

    def _run(self, how: str, random: Random) -> str | None:
        global _random, _how
        _random = random
        _how = how
        started = time.monotonic() - seconds_without_processor()
        spec = parse_study(
            STUDY.replace("epochs = 2", "epochs = 1").replace("runs = 3", "runs = 2"),
            f"s{self._number}",
        )
        with home_at(self._folder / "home"), closing(Study(spec)) as study:
            executor = cluster.ClusterExecutor(self._cluster.scheduler_address, self._data)
            with closing(study.iter_runs(executor)) as runs:
                for run in runs:
                    if time.monotonic() - seconds_without_processor() - started > MAX_SECONDS:
                        return "the study does not end"
                    if run is not None and (fault := check_message(run.message)):
                        return fault
            best_run(study.runs)
            study.importance()
            RunLibrary().entries()
        outside = [path for path in self._folder.rglob("outside*")]
        return f"written elsewhere: {outside}" if outside else None


def hostile_train(job: object, dataset: object, topic: str) -> Any:
    """Executed by the worker in place of the program's own function."""
    return _ANSWERS[_how](job, dataset, topic)


def _anything(depth: int = 0) -> Any:
    kinds = [
        lambda: _random.choice(NUMBERS),
        lambda: _random.choice(NAMES),
        lambda: None,
        lambda: b"",
        lambda: np.zeros(3),
    ]
    if depth < 3:
        several = range(_random.randrange(4))
        kinds += [
            lambda: [_anything(depth + 1) for _ in several],
            lambda: tuple(_anything(depth + 1) for _ in several),
            lambda: {str(_random.choice(NAMES)): _anything(depth + 1) for _ in several},
        ]
    return _random.choice(kinds)()


def _part(job: object, dataset: object, topic: str) -> Any:
    """The right result, one part of which is something else."""
    result = list(_train(job, dataset, topic))
    result[_random.randrange(4)] = _anything()
    return tuple(result)


def _files(job: object, dataset: object, topic: str) -> Any:
    """The right files, damaged, or under other names."""
    reason, message, files, epochs = _train(job, dataset, topic)
    for name in _random.sample(sorted(files), 2):
        content = files.pop(name)
        others = (
            "../outside",
            "/tmp/outside",
            "..",
            ".",
            "a\0b",
            "x" * 300,
            "a/b",
            "\ud800",
            "run.lock",
            name,
        )
        files[_random.choice(others)] = mutate(content, _random)
    return reason, message, files, epochs


def _epochs(job: object, dataset: object, topic: str) -> Any:
    """Epochs with other numbers, in any order."""
    reason, message, files, epochs = _train(job, dataset, topic)
    changed = []
    for epoch in epochs * _random.randrange(4):
        values = epoch.as_dict()
        values[_random.choice(list(values))] = _random.choice(NUMBERS)
        values = {name: values[name] for name in values}
        made = object.__new__(Epoch)
        for name, value in values.items():
            object.__setattr__(made, name, value)
        changed.append(made)
    return reason, message, files, changed


def _messages(job: object, dataset: object, topic: str) -> Any:
    """Messages of any kind while it trains."""
    import distributed

    worker = distributed.get_worker()
    for _ in range(5):
        message = _random.choice(
            (
                _anything(),
                (job.number, _anything()),
                (job.number, [_anything()]),
                (_anything(), [{}]),
            )
        )
        worker.log_event(topic, _plain(message))
    return _train(job, dataset, topic)


def _plain(value: object) -> Any:
    """The value if Dask can send it in a message, else its text."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {ascii(name): _plain(each) for name, each in value.items()}
    is_plain = isinstance(value, float | bytes | bool | None) or (
        isinstance(value, int) and abs(value) < 2**63
    )
    return value if is_plain else ascii(value)


def _error(job: object, dataset: object, topic: str) -> Any:
    errors = (
        ValueError,
        MemoryError,
        OSError,
        RecursionError,
        KeyError,
        AssertionError,
        StopIteration,
        TimeoutError,
    )
    raise _random.choice(errors)(_random.choice(NAMES))


_ANSWERS = {
    "anything": lambda *_: _anything(),
    "a part": _part,
    "files": _files,
    "epochs": _epochs,
    "messages": _messages,
    "an error": _error,
    "the right result": lambda *given: _train(*given),
}
_how = "anything"
