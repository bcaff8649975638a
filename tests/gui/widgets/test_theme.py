"""The theme follows the user's choice, and the system's wish for high contrast."""

import gc
import weakref

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from core.training.run_settings import BY_NAME
from gui.settings.fields import NumberField
from gui.widgets import make, theme
from gui.widgets.pictures import set_icon
from gui.widgets.plots.plot import Plot
from gui.widgets.theme import DARK, LIGHT, with_high_contrast


@pytest.fixture
def chosen(qapp):
    """A theme; the application's looks are restored afterwards."""
    palette = qapp.palette()
    theme.theme().choose("light")
    yield theme.theme()
    theme.theme().choose("light")
    qapp.setPalette(palette)


def luminance(color):
    """Relative luminance of WCAG 2."""
    channels = (QColor(color).redF(), QColor(color).greenF(), QColor(color).blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_a_choice_colors_the_application(chosen):
    chosen.choose("dark")
    assert QApplication.palette().color(QPalette.ColorRole.Window) == QColor(DARK.window)
    chosen.choose("light")
    assert QApplication.palette().color(QPalette.ColorRole.Window) == QColor(LIGHT.window)


def test_a_change_sets_no_style_sheet(qapp, chosen):
    """With one, the change polishes every widget again, which takes ten times as long."""
    chosen.choose("dark")
    assert qapp.styleSheet() == ""


def test_plots_and_icons_take_the_colors_of_the_theme_that_is_chosen_before_and_after_them(
    qtbot, chosen
):
    chosen.choose("dark")
    plot, button = Plot("plot", "Plot"), QPushButton()
    qtbot.addWidget(plot)
    qtbot.addWidget(button)
    set_icon(button, "stop")
    for choice, colors in (("dark", DARK), ("light", LIGHT)):
        chosen.choose(choice)
        assert plot.backgroundBrush().color() == QColor(colors.base)
        pixel = button.icon().pixmap(72, 72).toImage().pixelColor(36, 36)
        assert pixel == QColor(colors.text)


def test_the_theme_keeps_no_plot_alive(qtbot, chosen):
    plot = Plot("plot", "Plot")
    kept = weakref.ref(plot)
    plot.deleteLater()
    del plot
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    chosen.choose("dark")
    gc.collect()
    assert kept() is None


def test_a_wrong_field_keeps_its_outline_in_another_theme(qtbot, chosen):
    field = NumberField(BY_NAME["learning_rate"])
    qtbot.addWidget(field)
    field.show_error("must be a number")
    for choice, colors in (("dark", DARK), ("light", LIGHT)):
        chosen.choose(choice)
        qtbot.waitUntil(
            lambda colors=colors: (
                field.editor.palette().color(QPalette.ColorRole.Highlight) == QColor(colors.bad)
            )
        )
    field.show_error("")
    assert field.editor.palette().color(QPalette.ColorRole.Highlight) == QColor(LIGHT.accent)


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_high_contrast_is_respected(chosen, monkeypatch, choice):
    monkeypatch.setattr(theme, "_prefers_high_contrast", lambda: True)
    chosen.choose(choice)
    palette = QApplication.palette()
    window, text = (
        palette.color(QPalette.ColorRole.Window),
        palette.color(QPalette.ColorRole.WindowText),
    )
    assert contrast(window, text) == pytest.approx(21)


@pytest.mark.parametrize(
    "colors", [LIGHT, DARK, with_high_contrast(LIGHT), with_high_contrast(DARK)]
)
def test_text_can_be_read_on_each_background(colors):
    for text in (colors.text, colors.muted):
        for back in (colors.window, colors.base, colors.raised):
            assert contrast(text, back) >= 4.5


@pytest.mark.parametrize(
    "colors", [LIGHT, DARK, with_high_contrast(LIGHT), with_high_contrast(DARK)]
)
def test_borders_and_bars_can_be_told_from_each_background(colors):
    """At least 3:1, as WCAG 2 asks of parts that are not text."""
    for color in (colors.border, colors.accent, colors.good, colors.bad):
        for back in (colors.window, colors.base, colors.raised):
            assert contrast(color, back) >= 3


def test_text_icons_and_lines_of_plots_grow_with_the_text_size(qtbot, chosen):
    """The same for presenter mode, whose type is 26 pixels and whose curves are five pixels
    wide.
    """
    label, title, button = (
        QLabel("text"),
        make.label("title", role="title"),
        make.button("", "b", icon="stop"),
    )
    for widget in (label, title, button):
        qtbot.addWidget(widget)
        widget.ensurePolished()
    heights = [widget.fontMetrics().height() for widget in (label, title)]
    try:
        chosen.choose("light", text_size=200)
        doubled = [widget.fontMetrics().height() for widget in (label, title)]
        assert [round(after / before) for before, after in zip(heights, doubled, strict=True)] == [
            2,
            2,
        ]
        assert button.iconSize().width() == 28
        chosen.fit(1280)  # a window of another test may have been smaller
        chosen.present(True)
        assert QFontInfo(label.font()).pixelSize() == 26
        assert chosen.line() == 5
    finally:
        chosen.present(False)
        chosen.choose("light", text_size=100)
    assert [widget.fontMetrics().height() for widget in (label, title)] == heights


@pytest.mark.parametrize(
    ("width", "sizes"),
    [(1280, [12, 13, 15, 20, 28]), (1600, [13, 15, 17, 23, 32])],
    ids=["1280", "1600"],
)
def test_type_is_larger_in_a_wide_window(qtbot, chosen, width, sizes):
    """Captions, body text, section heads, titles and results; the system's own text is smaller
    here.
    """
    labels = [
        make.label("text", role=role) for role in ("caption", "", "heading", "title", "result")
    ]
    for label in labels:
        qtbot.addWidget(label)
        label.ensurePolished()
    try:
        chosen.fit(width)
        assert [QFontInfo(label.font()).pixelSize() for label in labels] == sizes
    finally:
        chosen.fit(0)
