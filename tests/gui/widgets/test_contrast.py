"""Contrast measured in pictures of the parts of the window, in each theme: texts 4.5, lines and
marks 3, grid 1.5.
"""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from gui.drawing.canvas import Canvas
from gui.drawing.document import Document
from gui.widgets import make
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.series import light_series_color
from gui.widgets.theme import theme
from tools.pictures import GRID, LINE, TEXT, contrast_in

THEMES = [(name, high) for name in ("light", "dark") for high in (False, True)]


@pytest.fixture(params=THEMES, ids=lambda look: f"{look[0]}{'-contrast' if look[1] else ''}")
def colors(request):
    choice, high = request.param
    theme().choose(choice, high_contrast=high)
    yield theme().colors
    theme().choose("light", high_contrast=False)


def measured(qtbot, widget, area=None):
    """The contrast in `area` of a picture of `widget`, on a page of the window's color."""
    page = QWidget()
    qtbot.addWidget(page)
    make.column(widget, owner=page).setContentsMargins(12, 12, 12, 12)
    page.show()
    image = page.grab().toImage()
    return contrast_in(image, area or image.rect())


@pytest.mark.parametrize(
    "kind", ["label", "muted", "error", "title", "button", "disabled", "check", "field"]
)
def test_every_text_can_be_read(qtbot, colors, kind):
    widget = {
        "button": lambda: make.button("Text", "b"), "disabled": lambda: make.button("Text", "b"),
        "check": lambda: make.check("Text", "c", ""), "field": lambda: make.edit("e", "Edit", ""),
    }.get(kind, lambda: make.label("Text", role="" if kind == "label" else kind))()  # fmt: skip
    if kind == "field":
        widget.setText("Text")
    widget.setEnabled(kind != "disabled")
    widget.setFixedSize(120, 40)
    inside = QRect(12, 12, 120, 40).adjusted(24 if kind == "check" else 4, 6, -4, -6)
    assert measured(qtbot, widget, inside) >= TEXT


def half_done():
    bar = QProgressBar()
    bar.setValue(50)
    return bar


@pytest.mark.parametrize("kind", ["button", "check", "field", "combo", "progress", "canvas"])
def test_every_border_and_track_is_seen(qtbot, colors, kind):
    widget = {
        "button": lambda: make.button("", "b"), "check": lambda: make.check("", "c", ""),
        "field": lambda: make.edit("e", "Edit", ""), "combo": lambda: make.combo("c", "Combo", ""),
        "progress": half_done, "canvas": lambda: Canvas(Document()),
    }[kind]()  # fmt: skip
    widget.setFixedSize(200, 160 if kind == "canvas" else 30)
    if kind == "canvas":
        widget.setEnabled(False)  # no text on it
    # The left edge at half the height; a check box has its box there.
    strip = QRect(4, 24, 26, 6)
    if kind == "canvas":
        strip = QRect(12, 60, 60, 6)
    assert measured(qtbot, widget, strip) >= LINE


def test_the_names_at_the_ends_of_curves_can_be_read(qtbot, colors):
    plot = LivePlot("accuracy, %", "p", percent=True)
    qtbot.addWidget(plot)
    for name in ("train", "test"):
        plot.add(name, 1.0, 0.8)
        plot.add(name, 2.0, 0.9)
    plot.draw(2)
    for written in plot.labels._labels:
        label = QLabel()
        label.setFixedSize(40, 20)
        color = written.pen.color().name()
        label.setStyleSheet(f"background: {colors.base}; border: 4px solid {color}")
        assert measured(qtbot, label, QRect(12, 12, 40, 20)) >= TEXT, written.text


def test_curves_marks_and_the_grid_are_seen(qtbot, colors):
    light = [light_series_color(colors, index) for index in range(len(colors.series))]
    for color in (*colors.series, *light, colors.previous, colors.notice, colors.accent):
        label = QLabel()
        label.setFixedSize(40, 20)
        label.setStyleSheet(f"background: {colors.base}; border: 4px solid {color}")
        assert measured(qtbot, label, QRect(12, 12, 40, 20)) >= LINE, color
    grid = Plot("p", "Plot")
    grid.show_horizontal_grid()
    grid.setRange(xRange=(0, 1), yRange=(0, 1))
    grid.setFixedSize(300, 200)
    assert measured(qtbot, grid, QRect(150, 30, 30, 100)) >= GRID
