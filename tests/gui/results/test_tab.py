"""The Results tab in the real window, for a regression and for classes."""

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.errors import InputError
from gui.text import MINUS
from gui.widgets.theme import theme
from gui.window.main_window import MainWindow
from tests.gui.person import choose, choose_simple_run, drop, ended, part, share, shared
from tests.limits import LONG


@pytest.fixture
def window(qtbot, small_mnist):
    """The window with the program's default settings, and the Results tab in front."""
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    window.tabs.setCurrentWidget(window.results)
    choose(part(window, "deviceBox"), "vectorized")
    return window


def learn_rastrigin(window, *, epochs):
    choose(part(window, "presetBox"), "coursework")
    window.settings.data.side_box.setValue(30)
    choose(part(window, "optimizerBox"), "adam")
    part(window, "learningRateEdit").setText("0.01")
    window.settings.fields["group"].editor.setValue(1)
    part(window, "epochsBox").setValue(epochs)
    part(window, "trainButton").click()


def learn_digits(window, *, epochs=2, rate="0.01"):
    choose_simple_run(window)
    part(window, "learningRateEdit").setText(rate)
    part(window, "epochsBox").setValue(epochs)
    part(window, "trainButton").click()


def page(window):
    return window.results.page


def said(window):
    return window.results.summary.text()


def r2(window):
    """The R² in the summary; NaN before there is one."""
    found = re.match("R² ([^ ]+) on ", said(window))
    return float(found[1].replace(MINUS, "-")) if found else np.nan


def write_csv(path, inputs):
    random = np.random.default_rng(1)
    x = random.uniform(-2, 2, (400, inputs))
    rows = np.column_stack([x, 3 * x[:, 0] + 100])
    path.write_text("\n".join(";".join(f"{value:.4f}" for value in row) for row in rows))
    return str(path)


def test_before_a_run_the_tab_explains_itself(window):
    assert window.results.nothing.isVisible()
    assert "test" in window.results.nothing.text()
    assert not window.results.summary.isVisible()


def test_a_regression_updates_predictions_and_surfaces_while_it_learns(window, qtbot):
    learn_rastrigin(window, epochs=100_000)
    qtbot.waitUntil(lambda: said(window).startswith("R²"), timeout=LONG)
    shown = page(window)
    first = shown.learned.values.copy()
    assert first.shape == shown.true.values.shape == shown.error.values.shape
    for values in (first, shown.true.values, shown.error.values, shown.scatter.points):
        assert np.isfinite(values).all()
    assert np.allclose(shown.error.values, first - shown.true.values, atol=1e-3)
    assert len(shown.scatter.points[:, 0]) == 2000
    actual = shown.scatter.points[:, 0]
    qtbot.waitUntil(lambda: not np.array_equal(shown.learned.values, first), timeout=LONG)
    assert np.array_equal(shown.scatter.points[:, 0], actual)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert "Results" in window.banner.text.text()


def test_the_last_scores_are_those_of_the_final_parameters(window, qtbot):
    learn_rastrigin(window, epochs=3)
    qtbot.waitUntil(ended(window), timeout=LONG)
    score = window.training.epochs.records[-1].test_score
    qtbot.waitUntil(lambda: r2(window) == pytest.approx(score, abs=1e-3), timeout=LONG)
    assert "R²" in window.banner.text.text()
    assert "% right" not in window.banner.text.text()


def test_a_regression_uses_r2_and_points_everywhere(window, qtbot):
    window.tabs.setCurrentWidget(window.page)
    window.resize(1400, 700)  # room for every column of the table
    learn_rastrigin(window, epochs=2)
    assert window.settings.network.network.text == "2-128-128-1"
    assert "cannot read drawings" in window.drawing.stage.accessibleDescription()
    qtbot.waitUntil(ended(window), timeout=LONG)
    table = window.training.plots.table
    headings = [
        table.model()
        .headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        .replace("\n", " ")
        for column in range(table.model().columnCount())
        if not table.isColumnHidden(column)
    ]
    assert "Test R²" in headings
    assert "Points per s" in headings
    assert "Training accuracy" not in headings
    assert part(window, "accuracyPlot").title == "R²"
    learn_digits(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(
        lambda: "cannot read drawings" not in window.drawing.stage.accessibleDescription(),
        timeout=LONG,
    )
    assert not table.isColumnHidden(2)


@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_predictions_for_a_csv_file_are_shown(window, qtbot, tmp_path, inputs):
    window.settings.data.choose(write_csv(tmp_path / "mine.csv", inputs))
    qtbot.waitUntil(lambda: window.settings.data.source().endswith("mine.csv"), timeout=LONG)
    part(window, "networkEdit").setText("8")
    choose(part(window, "optimizerBox"), "adam")
    part(window, "epochsBox").setValue(2)
    assert window.settings.network.network.text == f"{inputs}-8-1"
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: said(window).startswith("R²"), timeout=LONG)
    shown = page(window)
    assert len(shown.scatter.points[:, 0]) == 80
    assert shown.scatter.points[:, 0].min() > 90  # in the table's own units
    assert shown.learned.isVisible() == (inputs == 2)
    if inputs == 2:
        assert len(shown.true.values) == len(shown.error.values) == 80
        assert np.isfinite(shown.learned.values).all()


def test_a_dropped_csv_file_becomes_the_data_set(window, qtbot, tmp_path):
    path = write_csv(tmp_path / "mine.csv", 2)
    drop(window, path)
    qtbot.waitUntil(lambda: window.settings.data.source() == path, timeout=LONG)


def test_after_a_run_that_fails_the_canvas_is_read_as_before(window, qtbot, monkeypatch):
    def fail(*args):
        raise InputError("No batch fits.")
        yield

    monkeypatch.setattr("core.training.trainer.iter_training", fail)
    qtbot.waitUntil(lambda: window.saving.model is not None, timeout=LONG)
    learn_rastrigin(window, epochs=1)
    assert "cannot read drawings" in window.drawing.stage.accessibleDescription()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert window.banner.text.text() == "No batch fits."
    qtbot.waitUntil(
        lambda: "cannot read drawings" not in window.drawing.stage.accessibleDescription(),
        timeout=LONG,
    )


def test_the_confusion_matrix_counts_all_test_images_and_filters_the_gallery(window, qtbot):
    learn_digits(window, epochs=1, rate="0.001")
    qtbot.waitUntil(ended(window), timeout=LONG)
    score = window.training.epochs.records[-1].test_score
    qtbot.waitUntil(lambda: page(window).matrix.counts.trace() == round(200 * score), timeout=LONG)
    shown = page(window)
    counts = shown.matrix.counts
    assert counts.sum() == 200
    assert list(counts.sum(axis=1)) == [20] * 10
    wrong = counts - np.diag(np.diag(counts))
    assert shown.images.rowCount() == wrong.sum() > 0
    others = int((wrong == wrong.max()).sum()) - 1
    assert ("as often" in said(window)) == (others > 0)
    assert (f"{others} other pairs" in said(window)) == (others > 1)
    row, column = divmod(int(wrong.argmax()), 10)
    index = shown.matrix.index(row, column)
    place = shown.table.visualRect(index).center()
    QTest.mouseClick(shown.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert shown.images.rowCount() == wrong[row, column]
    assert f"{row} read as {column}" in shown.images.index(0, 0).data().replace("\u00a0", " ")
    assert str(wrong[row, column]) in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert str(counts[:, column].sum()) in shown.matrix.headerData(
        column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    QTest.keyClick(shown.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == 11
    assert lines[1 + row].split("\t")[1 + column] == str(wrong[row, column])
    QTest.keyClick(shown.table, Qt.Key.Key_Escape)
    assert shown.images.rowCount() == wrong.sum()


def test_a_cell_of_the_diagonal_shows_the_least_certain_images_first(window, qtbot):
    learn_digits(window)
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: page(window).matrix.counts.sum() == 200, timeout=LONG)
    shown = page(window)
    best = int(np.diag(shown.matrix.counts).argmax())
    shown.table.setCurrentIndex(shown.matrix.index(best, max(best - 1, 0)))
    shown.table.setFocus()
    if best:
        QTest.keyClick(shown.table, Qt.Key.Key_Right)
    confidence = shown.scores.confidence[shown.images.records]
    assert len(confidence) == shown.matrix.counts[best, best] > 0
    assert (np.diff(confidence) >= 0).all()
    shown.all_button.click()
    assert shown.table.choice() == (-1, -1)


def test_return_puts_an_image_of_the_gallery_on_the_canvas(window, qtbot):
    learn_digits(window, epochs=1, rate="0.001")
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: page(window).images.rowCount() > 0, timeout=LONG)
    assert not part(window, "undoButton").isEnabled()
    gallery = page(window).gallery
    gallery.setFocus()
    gallery.setCurrentIndex(page(window).images.index(0, 0))
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    qtbot.waitUntil(part(window, "undoButton").isEnabled, timeout=LONG)
    assert part(window, "canvas").isVisible()


def test_an_opened_model_is_tested_on_the_chosen_data(window, qtbot, tmp_path):
    learn_digits(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    path = tmp_path / "mine.safetensors"
    window.saving.save_to(path)
    learn_digits(window, epochs=1, rate="0.0001")
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: page(window).matrix.counts.sum() == 200, timeout=LONG)
    before = page(window).matrix.counts.trace()
    window.files.open_path(path)
    qtbot.waitUntil(lambda: page(window).matrix.counts.trace() > before, timeout=LONG)
    # Other data are read first, and so are these when they are chosen again.
    choose(part(window, "datasetBox"), "rastrigin")
    window.files.open_path(path)
    assert window.results.nothing.isVisible()
    qtbot.waitUntil(lambda: "does not fit" in window.results.nothing.text(), timeout=LONG)
    choose(part(window, "datasetBox"), "mnist")
    window.files.open_path(path)
    qtbot.waitUntil(lambda: page(window) is not None, timeout=LONG)
    qtbot.waitUntil(lambda: page(window).matrix.counts.trace() > before, timeout=LONG)


def test_the_tab_key_moves_from_the_tabs_to_the_matrix(window, qtbot):
    learn_digits(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    window.tabs.setCurrentWidget(window.results)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(window.results.export_button.isEnabled, timeout=LONG)
    window.tabs.tabBar().setFocus()
    QTest.keyClick(window.tabs.tabBar(), Qt.Key.Key_Tab)
    assert window.focusWidget().objectName() == "confusionMatrix"


def test_scores_are_computed_only_while_the_tab_is_visible(window, qtbot, monkeypatch):
    window.tabs.setCurrentWidget(window.page)
    started = []
    with monkeypatch.context() as patched:
        patched.setattr(window.results._runner, "start_latest", started.append)
        learn_digits(window)
        qtbot.waitUntil(ended(window), timeout=LONG)
        QApplication.sendPostedEvents()
    assert started == []
    window.tabs.setCurrentWidget(window.results)
    qtbot.waitUntil(lambda: page(window).matrix.counts.sum() == 200, timeout=LONG)


@pytest.mark.parametrize("learn", [learn_rastrigin, learn_digits])
def test_closing_during_a_computation_leaves_no_thread(window, qtbot, learn):
    learn(window, epochs=100_000)
    qtbot.waitUntil(lambda: window.results._runner.busy, timeout=LONG)
    window.close()
    assert not window.results._runner.busy
    assert not [thread for thread in window.findChildren(QThread) if thread.isRunning()]


def test_a_change_of_theme_reaches_the_pages(window, qtbot):
    learn_rastrigin(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: said(window).startswith("R²"), timeout=LONG)
    backs = []
    for scheme in ("light", "dark"):
        theme().choose(scheme)
        backs.append(page(window).scatter.backgroundBrush().color().lightness())
    assert backs[0] > 200 > 100 > backs[1]


def test_the_whole_confusion_matrix_and_gallery_are_exported(window, qtbot, tmp_path):
    window.resize(900, 500)  # where the matrix is scrolled
    assert not window.results.export_button.isEnabled()
    learn_digits(window, epochs=1, rate="0.001")
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(window.results.export_button.isEnabled, timeout=LONG)
    (tmp_path / "out").mkdir()
    window.preferences.save_folder(tmp_path / "out" / "any")
    assert "Alt+A" in window.results.export_button.toolTip()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.results, Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: window.findChild(QWidget, "shareDialog") is not None)
    part(window, "shareSave").click()
    lines = (tmp_path / "out" / "results" / "confusion-matrix.csv").read_text().splitlines()
    counts = page(window).matrix.counts
    assert lines[0] == ",0,1,2,3,4,5,6,7,8,9"
    assert lines[4] == ",".join(["3", *map(str, counts[3])])
    for name in ("confusion-matrix.png", "gallery.png"):
        picture = QImage(str(tmp_path / "out" / "results" / name))
        assert picture.width() > 600
    # All cells of the diagonal that have images are in the picture, each in the color of right
    # answers.
    assert colorful(QImage(str(tmp_path / "out" / "results" / "confusion-matrix.png")), 10) >= 10


def colorful(picture, columns):
    """How many vertical strips of the picture hold a pixel that is no gray."""
    image = picture.convertToFormat(QImage.Format.Format_RGB888)  # owns the memory of `pixels`
    pixels = np.frombuffer(image.constBits(), np.uint8)
    pixels = pixels.reshape(picture.height(), -1)[:, : 3 * picture.width()].reshape(
        picture.height(), -1, 3
    )
    spread = pixels.max(2).astype(int) - pixels.min(2)
    return sum(strip.max() > 10 for strip in np.array_split(spread[:, 160:], columns, axis=1))


def test_the_predictions_of_a_regression_are_exported(window, qtbot, tmp_path):
    learn_rastrigin(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    window.preferences.save_folder(tmp_path / "any")
    window.tabs.setCurrentWidget(window.results)
    qtbot.waitUntil(part(window, "resultsExport").isEnabled, timeout=LONG)
    part(window, "resultsExport").click()
    qtbot.waitUntil(lambda: window.findChild(QWidget, "shareDialog") is not None, timeout=LONG)
    part(window, "shareSave").click()
    assert (tmp_path / "results" / "regression.png").is_file()
    rows = np.loadtxt(tmp_path / "results" / "predictions.csv", delimiter=",", skiprows=1)
    shown = page(window).scatter
    np.testing.assert_allclose(rows[: len(shown.points)], shown.points)
    picture = QImage(str(tmp_path / "results" / "regression.png"))
    assert picture.width() > 1000
    assert colorful(picture, 4) == 4
    # From any tab, and never over what is there.
    window.tabs.setCurrentWidget(window.page)
    shared(window, "results").save.click()
    assert (tmp_path / "results 2" / "predictions.csv").is_file()


def test_a_failed_export_shows_the_reason(window, qtbot, tmp_path):
    learn_digits(window, epochs=1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(window.results.export_button.isEnabled, timeout=LONG)
    (tmp_path / "file").write_text("")
    dialog = share(window, "results", tmp_path / "file" / "results")
    assert "could not be written" in dialog.message.text()
    assert dialog.isVisible()
