"""A study that the window trains on a Dask cluster of two worker processes, one of which is killed."""

import pytest

from core.runs.library import RunLibrary
from tests.dask_cluster import dask_cluster
from tests.gui.person import LONG, part
from tests.gui.studies.test_tab import column, show_studies, vary_rate

pytest.importorskip("distributed")


def states_of_rows_with_epochs(page):
    rows = zip(column(page, "State"), column(page, "Validation"), strict=True)
    return [state for state, loss in rows if loss != "–"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_cluster_that_loses_a_worker_gives_the_table_of_this_program(window, qtbot, tmp_path):
    page = show_studies(window)
    part(window, "epochsBox").setValue(60)
    vary_rate(page, 0.02, 0.05, 0.1, 0.2)
    page.editor.name_edit.setText("here")
    page.start_button.click()
    qtbot.waitUntil(lambda: not page.busy, timeout=2 * LONG)
    here = [column(page, heading) for heading in ("Validation", "Test", "Epoch")]
    page.copy_button.click()
    page.editor.name_edit.setText("there")
    with dask_cluster(tmp_path, 2) as (address, workers):
        page.address_edit.setText(address)
        page.start_button.click()
        # Two runs train at once; their epochs come while they train, and so do the curves.
        qtbot.waitUntil(lambda: column(page, "State").count("training") == 2, timeout=2 * LONG)
        qtbot.waitUntil(lambda: "training" in states_of_rows_with_epochs(page), timeout=2 * LONG)
        qtbot.waitUntil(lambda: len(page.comparison.curves._items) > 0, timeout=LONG)
        workers[0].kill()
        qtbot.waitUntil(lambda: not page.busy, timeout=2 * LONG)
    assert column(page, "State") == ["done"] * 4
    assert [column(page, heading) for heading in ("Validation", "Test", "Epoch")] == here
    assert len([entry for entry in RunLibrary().entries() if entry.info.study == "there"]) == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_a_cluster_without_workers_is_named_as_what_the_study_waits_for(window, qtbot, tmp_path):
    page = show_studies(window)
    vary_rate(page, 0.02, 0.05)
    with dask_cluster(tmp_path, 0) as (address, _):
        page.address_edit.setText(address)
        page.start_button.click()
        note = f"Waiting for workers of the cluster at {address}."
        qtbot.waitUntil(lambda: page.progress_note.text() == note, timeout=LONG)
        page.stop_button.click()
        qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    assert column(page, "State") == []
