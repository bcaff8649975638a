"""A study that the window trains on a Dask cluster of two worker processes, one of which is
killed.
"""

import pytest

from core.runs.library import RunLibrary
from tests.dask_cluster import dask_cluster
from tests.gui.person import part
from tests.gui.studies.test_training import dialog_for
from tests.limits import LONG

pytest.importorskip("distributed")


def begin(window, name, address=""):
    dialog = dialog_for(window)
    dialog.editor.rows[0].values_edit.setText("0.02, 0.05, 0.1, 0.2")
    dialog.editor.name_edit.setText(name)
    dialog.editor.address_edit.setText(address)
    dialog.start.click()


def results(window):
    """Validation loss and test score of each run."""
    bests = [
        run.best for run in sorted(window.studies.runs, key=lambda run: run.values["learning_rate"])
    ]
    return [(best.epoch, best.validation_loss, best.test_score) for best in bests]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_cluster_that_loses_a_worker_gives_the_results_of_this_program(window, qtbot, tmp_path):
    window.tabs.setCurrentWidget(window.compare)
    part(window, "epochsBox").setValue(60)
    begin(window, "here")
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    here = results(window)
    with dask_cluster(tmp_path, 2) as (address, workers):
        begin(window, "there", address)
        # Two runs train at once; their epochs come while they train, and so do the curves.
        training = window.studies
        qtbot.waitUntil(
            lambda: any(run.state == "running" and run.epochs for run in training.runs),
            timeout=LONG,
        )
        qtbot.waitUntil(lambda: len(window.compare.comparison.curves._items) > 0, timeout=LONG)
        workers[0].kill()
        qtbot.waitUntil(lambda: not training.busy, timeout=LONG)
    assert [run.state for run in training.runs] == ["epochs"] * 4
    assert results(window) == here
    assert len([entry for entry in RunLibrary().entries() if entry.info.study == "there"]) == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_cluster_without_workers_is_named_as_what_the_study_waits_for(window, qtbot, tmp_path):
    window.tabs.setCurrentWidget(window.compare)
    with dask_cluster(tmp_path, 0) as (address, _):
        begin(window, "alone", address)
        note = f"Waiting for workers of the cluster at {address}."
        qtbot.waitUntil(lambda: note in window.status.epoch.text(), timeout=LONG)
        window.studies.stop()
        qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert window.studies.runs == []
