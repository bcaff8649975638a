"""The pages of the Results tab, without the window around them."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QTableView

from core.data.dataset import Dataset, Split
from core.inference.scores import ClassScores, ValueScores, surface_of
from gui.results.classification_page import SIDES, ClassesPage
from gui.results.regression_page import RegressionPage
from gui.text import percent

DIGITS = tuple("0123456789")


def show_mistakes(qtbot, mistakes, width, height):
    """A page of this size that shows this many mistakes."""
    labels = np.arange(300, dtype=np.int32) % 10
    split = Split(np.zeros((300, 28, 28, 1), np.uint8), labels)
    read = labels.copy()
    read[:mistakes] = (labels[:mistakes] + 1) % 10
    page = ClassesPage()
    qtbot.addWidget(page)
    page.set_dataset(Dataset("test", "Test", "classes", DIGITS, split, split))
    confidence = np.linspace(1, 0.5, 300, dtype=np.float32)
    page.show_scores(ClassScores(labels, read, confidence, read[:, None], confidence[:, None]))
    page.resize(width, height)
    page.show()
    return page


def visible_images(gallery):
    rows = range(gallery.model().rowCount())
    inside = gallery.viewport().rect()
    return [
        row
        for row in rows
        if inside.contains(gallery.visualRect(gallery.model().index(row, 0)).center())
    ]


def test_few_mistakes_are_large_and_all_visible(qtbot):
    page = show_mistakes(qtbot, 20, 1600, 1200)
    assert page.gallery.iconSize().width() > SIDES[-1]
    assert len(visible_images(page.gallery)) == 20


def test_many_mistakes_fill_a_large_gallery(qtbot):
    page = show_mistakes(qtbot, 300, 2400, 1300)
    assert page.images.rowCount() == 300
    assert len(visible_images(page.gallery)) > 80
    columns = page.gallery.viewport().width() // page.gallery.gridSize().width()
    assert columns * page.gallery.gridSize().width() > 0.9 * page.gallery.viewport().width()


def test_the_cells_of_the_matrix_are_never_slabs(qtbot):
    for width, height in ((2400, 1300), (1500, 700), (500, 700)):
        page = show_mistakes(qtbot, 20, width, height)
        cell = page.table.visualRect(page.matrix.index(3, 3))
        assert cell.width() <= 2.2 * cell.height()


@pytest.fixture
def digits_page(qtbot):
    """A page with 40 mistakes among 300 images: zeros and ones that are read as the next digit."""
    labels = np.arange(300, dtype=np.int32) % 10
    read = labels.copy()
    wrong = np.flatnonzero(labels < 2)[:40]
    read[wrong] += 1
    top = np.stack([read, (read + 1) % 10, (read + 2) % 10], axis=1)
    confidence = np.full((300, 3), (0.8, 0.15, 0.04), np.float32)
    split = Split(np.zeros((300, 28, 28, 1), np.uint8), labels)
    page = ClassesPage()
    qtbot.addWidget(page)
    page.set_dataset(Dataset("test", "Test", "classes", DIGITS, split, split))
    page.show_scores(ClassScores(labels, read, confidence[:, 0], top, confidence))
    page.resize(700, 800)
    page.show()
    return page


def test_captions_have_one_line_and_tooltips_name_the_three_most_probable_digits(digits_page):
    indices = [digits_page.images.index(row, 0) for row in range(40)]
    assert {digits_page.images.data(index) for index in indices} == {"0 read as 1", "1 read as 2"}
    tips = [digits_page.images.data(index, Qt.ItemDataRole.ToolTipRole) for index in indices]
    assert any(tip.startswith("0 read as 1 (80.0 %; 2: 15 %, 3: 4 %)") for tip in tips)


@pytest.mark.parametrize("width", [500, 900, 1700])
def test_no_caption_is_cut(digits_page, width):
    digits_page.resize(width, 700)
    gallery = digits_page.gallery
    for row in range(digits_page.images.rowCount()):
        for line in digits_page.images.data(digits_page.images.index(row, 0)).split("\n"):
            assert gallery.fontMetrics().horizontalAdvance(line) + 8 <= gallery.gridSize().width()


def test_all_mistakes_are_in_the_gallery(qtbot):
    split = Split(np.zeros((2000, 28, 28, 1), np.uint8), np.zeros(2000, np.int32))
    page = ClassesPage()
    qtbot.addWidget(page)
    page.set_dataset(Dataset("test", "Test", "classes", DIGITS, split, split))
    read, confidence = split.targets + 1, np.full((2000, 1), 0.5, np.float32)
    page.show_scores(ClassScores(split.targets, read, confidence[:, 0], read[:, None], confidence))
    assert page.images.rowCount() == 2000
    assert page.caption.text().startswith("2,000 mistakes")


def test_the_table_of_classes_has_precision_recall_and_f1(digits_page):
    digits_page.views.setCurrentIndex(1)
    model = digits_page.classes.model()
    table = digits_page.findChild(QTableView, "classTable")
    assert table.isVisible()
    shown = [[model.data(model.index(row, column)) for column in range(5)] for row in (0, 1, 2, 10)]
    counts = digits_page.matrix.counts
    found, images, named = counts[1, 1], counts[1].sum(), counts[:, 1].sum()
    assert shown[1] == [
        "1",
        "30",
        percent(found / named),
        percent(found / images),
        percent(2 * found / (images + named)),
    ]
    assert shown[2][3] == percent(1.0)
    assert shown[3][0] == "Mean"
    assert model.rowCount() == 11


def test_the_calibration_curve_says_what_is_under_the_pointer(digits_page):
    digits_page.views.setCurrentIndex(2)
    plot = digits_page.calibration
    assert plot.isVisible()
    np.testing.assert_allclose(plot.points, [[80, 100 * 260 / 300]], atol=1e-4)
    assert (
        plot.value_text(50, 50) == f"300 images, {percent(0.8)} certain, {percent(260 / 300)} right"
    )
    assert percent(260 / 300 - 0.8) in plot.plotItem.titleLabel.text


def test_a_chosen_cell_shows_its_images(digits_page):
    digits_page.views.setCurrentIndex(1)
    digits_page.table.setCurrentIndex(digits_page.matrix.index(0, 1))
    assert digits_page.views.currentIndex() == 0
    assert digits_page.images.rowCount() == digits_page.matrix.counts[0, 1]


@pytest.fixture
def regression(qtbot):
    """A page with a surface on which the prediction is the true value plus 5."""
    axis = np.linspace(-1, 1, 20, dtype=np.float32)
    points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    split = Split(points, points.sum(axis=1, keepdims=True))
    page = RegressionPage()
    qtbot.addWidget(page)
    dataset = Dataset("waves", "Waves", "regression", (), split, split)
    page.set_dataset(dataset)
    grid = surface_of(dataset).grid
    page.show_scores(ValueScores(split.targets + 5, 0.0, grid.sum(axis=1) + 5))
    page.resize(700, 600)
    page.show()
    return page


def point_at(plot, x, y):
    """Move the mouse to these coordinates of the plot."""
    position = QPointF(plot.mapFromScene(plot.plotItem.vb.mapViewToScene(QPointF(x, y))))
    button = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        position,
        QPointF(plot.viewport().mapToGlobal(position)),
        button,
        button,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(plot.viewport(), event)


def test_the_value_under_the_pointer_is_in_the_titles(regression, qtbot):
    qtbot.waitExposed(regression)
    titles = [
        picture.plotItem.titleLabel
        for picture in (regression.true, regression.learned, regression.error)
    ]
    point_at(regression.learned, 0.5, 0.25)
    true, learned, error = (float(label.text.split(": ")[1].split(" at ")[0]) for label in titles)
    assert true == pytest.approx(0.75, abs=0.2)
    assert learned == pytest.approx(5.75, abs=0.1)
    assert error == pytest.approx(5, abs=0.05)
    QApplication.sendEvent(regression.learned, QEvent(QEvent.Type.Leave))
    assert [label.text for label in titles] == ["True", "Learned", "Error"]
    point_at(regression.scatter, 1.0, 6.0)
    actual, predicted = regression.scatter.plotItem.titleLabel.text.split(": ")[1].split(
        " predicted as "
    )
    assert float(predicted) - float(actual) == pytest.approx(5, abs=0.02)


def test_an_empty_matrix_has_no_numbers_and_large_counts_have_a_separator(qtbot):
    page = show_mistakes(qtbot, 0, 900, 700)
    page.matrix.show_counts(np.diag(np.full(10, 1002)))
    assert page.matrix.index(3, 3).data() == "1,002"
    assert page.matrix.index(3, 4).data() == ""
