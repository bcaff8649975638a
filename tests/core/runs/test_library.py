"""The library of runs: listing, finding, labels, trash and limit."""

import json
import os
import time
from dataclasses import replace
from threading import Thread

import pytest

from core.errors import InputError
from core.files.lock import FileLock
from core.files.trash import TRASH_DAYS
from core.runs.folder import Label, change_label, write_label
from core.runs.library import RunLibrary, apply_limit, last_run, read_limit, write_limit
from core.runs.recorder import RunRecorder
from tests.core.runs.conftest import RUN


def names(entries):
    return [entry.info.plan.settings.seed for entry in entries]


def test_each_run_has_a_folder_and_the_library_lists_them(train):
    for seed in range(3):
        train(RUN.change(seed=seed))
    library = RunLibrary()
    entries = library.entries()
    assert names(entries) == [2, 1, 0]
    entry = entries[0]
    assert (entry.info.state, entry.info.kind, entry.info.plan.device) == (
        "epochs",
        "classes",
        "vectorized",
    )
    assert entry.summary.last.epoch == 3
    rows = entry.folder.read_history(99)
    assert entry.summary.best.test_score == max(row.test_score for row in rows)
    assert entry.size == sum(path.stat().st_size for path in entry.path.iterdir())
    assert {"digitlab", "python", "numpy", "numba"} <= json.loads(
        (entry.path / "run.json").read_text()
    )["versions"].keys()


def test_two_programs_that_train_at_once_keep_the_runs_of_each_other(train):
    first, second = RunRecorder(), RunRecorder()
    assert first.path != second.path
    inner = []

    def train_the_other(record):
        if not inner:
            inner.append(train(RUN.change(seed=5), second))
        return False

    train(RUN.change(seed=4), first, until=train_the_other)
    assert sorted(names(RunLibrary().entries())) == [4, 5]
    assert all(recorder.folder.read_info().state == "epochs" for recorder in (first, second))
    assert last_run().path == first.path  # it ended last


def test_a_run_of_an_earlier_version_has_a_summary_too(train):
    recorder, _ = train()
    path = recorder.path / "run.json"
    values = json.loads(path.read_text())
    for name in ("summary", "created", "kind", "study", "parent", "changes", "rate_changes"):
        del values[name]
    del values["run"]["rate_changes"]
    path.write_text(json.dumps(values))
    (entry,) = RunLibrary().entries()
    assert entry.summary.last.epoch == 3
    assert entry.info.plan.settings == RUN


def test_a_summary_whose_best_epoch_comes_after_the_last_is_made_anew(train):
    recorder, _ = train()
    path = recorder.path / "run.json"
    values = json.loads(path.read_text())
    values["summary"]["best"]["epoch"] = 99
    path.write_text(json.dumps(values))
    (entry,) = RunLibrary().entries()
    assert entry.summary.best.epoch <= 3


def test_a_changed_run_is_read_again_and_an_unreadable_one_left_out(train):
    recorder, _ = train()
    library = RunLibrary()
    assert library.entries()[0].label == Label()
    write_label(recorder.path, Label("wide net", "good", True))
    assert library.entries()[0].label == Label("wide net", "good", True)
    (recorder.path / "label.json").write_text("{")
    assert library.entries()[0].label == Label()
    (recorder.path / "run.json").write_text("{}")
    assert library.entries() == []


def test_a_run_is_listed_and_keeps_its_place_while_its_label_is_written(train):
    first, _ = train(RUN.change(seed=1))
    train(RUN.change(seed=2))
    labels = Thread(target=lambda: [change_label(first.path, name=str(n)) for n in range(60)])
    labels.start()
    library = RunLibrary()
    while labels.is_alive():
        assert names(library.entries()) == [2, 1]
    labels.join()
    assert library.find("59").id == first.path.name


def test_a_run_is_found_by_id_name_beginning_path_or_last(train):
    first, second = (train(RUN.change(seed=seed))[0] for seed in range(2))
    write_label(first.path, Label("wide"))
    library = RunLibrary()
    for name in (first.path.name, "wide", str(first.path)):
        assert library.find(name).id == first.path.name
    assert library.find("last").id == second.path.name
    with pytest.raises(InputError, match="may be any of"):
        library.find(first.path.name[:8])
    with pytest.raises(InputError, match="There is no run “none”"):
        library.find("none")


def test_deleted_runs_come_back_complete(train):
    recorder, _ = train()
    library, before = RunLibrary(), sorted(path.name for path in recorder.path.iterdir())
    assert library.delete([recorder.path.name]) == [recorder.path.name]
    assert library.entries() == []
    assert [entry.id for entry in library.trashed()] == [recorder.path.name]
    assert library.restore([recorder.path.name]) == [recorder.path.name]
    assert sorted(path.name for path in recorder.path.iterdir()) == before
    library.delete([recorder.path.name])
    library.empty_trash()
    assert library.trashed() == []


def test_a_run_that_is_being_trained_is_not_deleted(train):
    recorder, _ = train()
    lock = FileLock(recorder.folder.lock_path)
    assert lock.acquire()
    assert RunLibrary().entries()[0].is_training()
    assert RunLibrary().delete([recorder.path.name]) == []
    lock.release()
    assert not RunLibrary().entries()[0].is_training()


def test_only_over_the_limit_do_the_oldest_unstarred_runs_go_to_the_trash(train):
    recorders = [train(RUN.change(seed=seed))[0] for seed in range(4)]
    library = RunLibrary()
    for age, recorder in zip((40, 30, 20, 10), recorders, strict=True):
        for path in recorder.path.iterdir():
            os.utime(path, (time.time() - age, time.time() - age))
    write_label(recorders[0].path, Label(starred=True))
    size = library.entries()[0].size
    assert apply_limit(library) == []
    write_limit(library, 2 * size + size // 2)
    assert read_limit(library) == 2 * size + size // 2
    assert names(apply_limit(library)) == [1]
    assert names(library.entries()) == [3, 2, 0]
    write_limit(library, 1)
    assert names(apply_limit(library)) == [2]
    assert names(library.entries()) == [3, 0]


def test_the_trash_loses_old_runs_but_no_starred_one(train):
    recorders = [train(RUN.change(seed=seed))[0] for seed in range(3)]
    library = RunLibrary()
    write_label(recorders[0].path, Label(starred=True))
    library.delete([recorder.path.name for recorder in recorders])
    old = time.time() - (TRASH_DAYS + 1) * 86_400
    for recorder in recorders[:2]:
        os.utime(library.trash.path / recorder.path.name, (old, old))
    apply_limit(library)
    assert sorted(names(library.trashed())) == [0, 2]


def test_a_run_with_a_wrong_time_can_be_shown(train, capsys):
    """As an archive may give its files: no system has a calendar for such times."""
    train()
    (entry,) = RunLibrary().entries()
    earlier = replace(entry, written=1e17, info=replace(entry.info, created=0.0))
    assert time.localtime(earlier.started).tm_year == 3000
    assert replace(earlier, written=-1e17).started == 0


def test_the_name_of_a_device_that_does_not_exist_is_explained(train):
    with pytest.raises(InputError, match="no device “gpu9”: choose one of auto"):
        train(device_name="gpu9")
