"""The model that reads drawings after the start."""

import shutil

from core.inference.model_file import bundled_model, models_folder
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import RunLibrary
from core.runs.plan import RunPlan
from core.training.records import EPOCH_COLUMNS, Epoch
from core.training.run_settings import RunSettings
from gui.widgets.plots.series import run_series
from gui.window.main_window import MainWindow
from tests.limits import LONG


def test_a_model_that_is_opened_at_once_stays(qtbot, small_mnist, tmp_path):
    shutil.copy(models_folder() / "dense.safetensors", tmp_path / "opened.safetensors")
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    window.opening.open(tmp_path / "opened.safetensors")  # before the main loop has run
    with qtbot.waitSignal(window.drawing.ready, timeout=LONG):
        pass
    assert window.saving.path == tmp_path / "opened.safetensors"
    assert "opened.safetensors" in window.drawing.read_by.name


def test_the_last_run_has_its_color_from_the_start_on(qtbot, small_mnist):
    model = bundled_model("dense")
    numbers = dict.fromkeys(EPOCH_COLUMNS, 1.0) | {"epoch": 1, "step": 1}
    run = RunFolder(RunLibrary().new_path())
    run.begin(RunInfo(RunPlan(RunSettings(), "mnist", "vectorized"), model.network.text))
    run.add_to_history([Epoch.from_dict(numbers)])
    run.write_model(model)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    read_by = window.drawing.read_by
    qtbot.waitUntil(lambda: read_by.name == "Last run", timeout=LONG)
    (series,) = [reader.series for reader in read_by.readers if reader.name == "Last run"]
    assert series == run_series(run.path.name)
