"""Draws every tab of the window at all sizes and in all themes: `python -m tools.window_pictures FOLDER [SIZE ...]`.

For each picture it prints the lowest contrast of a text, measured in the picture; then presenter mode, large text, and
what the last row of a room sees of presenter mode: the picture at 14 % of its size.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from gui.widgets.theme import theme
from gui.window.main_window import MainWindow
from tools.parts import part
from tools.screenshots import draw_three, opened_window, wait_for

SIZES = ("1024x700", "1280x720", "1920x1080", "2560x1440")
THEMES = (("light", False), ("dark", False), ("light", True), ("dark", True))
LAST_ROW = 0.14
# The least contrast of texts, of lines and marks, and of grid lines.
TEXT = 4.5
LINE = 3.0
GRID = 1.25


def draw_all(folder: Path, sizes: Sequence[str] = SIZES) -> None:
    """Train a small network, draw a digit, and write all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_window() as window:
        prepare(window)
        for size in sizes:
            window.resize(QSize(*map(int, size.split("x"))))
            for look in THEMES:
                draw_tabs(window, folder, size, *look)
        theme().choose("light", high_contrast=False)
        draw_room(window, folder)


def prepare(window: MainWindow) -> None:
    """Train, so that every tab has something to show."""
    wait_for(lambda: part(window, "trainButton").isEnabled(), "start")
    part(window, "networkEdit").setText("784-32-10")
    part(window, "trainButton").click()
    wait_for(lambda: not window.session.active and window.training.epochs.rowCount() > 0, "trained")
    window.resize(1280, 720)
    draw_three(part(window, "canvas"))
    wait_for(lambda: bool(window.drawing.stage.answers.answer.name), "read")
    window.banner.hide()


def draw_tabs(window: MainWindow, folder: Path, size: str, choice: str, high_contrast: bool) -> None:
    """Write a picture of each tab in this theme."""
    theme().choose(choice, high_contrast=high_contrast)
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        if window.tabs.currentWidget() is window.results:
            wait_for(window.results.export_button.isEnabled, "results")
        name = f"{size}-{'contrast-' if high_contrast else ''}{choice}-{window.tabs.tabText(index)}"
        _save(window, folder / f"{name}.png")
    window.tabs.setCurrentIndex(0)


def draw_room(window: MainWindow, folder: Path) -> None:
    """Write pictures of large text and of presenter mode at 1280x720, and the latter as the last row sees it."""
    window.resize(1280, 720)
    theme().choose("light", text_size=200)
    _save(window, folder / "text-200.png")
    theme().choose("light", text_size=100)
    window.presenter.trigger()
    window.setWindowState(Qt.WindowState.WindowNoState)  # of the size of a screen
    window.resize(1280, 720)
    image = _save(window, folder / "presenter.png")
    seen = image.scaledToWidth(round(image.width() * LAST_ROW), Qt.TransformationMode.SmoothTransformation)
    seen.save(str(folder / "last-row.png"))
    window.presenter.trigger()


def _save(window: MainWindow, path: Path) -> QImage:
    before = QImage()
    # The second of two equal pictures: what is computed in the background has arrived.
    for _ in range(20):
        wait_for(partial(bool, True), "drawn")
        image = window.grab().toImage()
        if image == before:
            break
        before = image
    image.save(str(path))
    lowest = min(texts(window), default=(21.0, ""))
    print(f"{path.name}: lowest contrast of a text {lowest[0]:.2f} ({lowest[1]})")
    return image


def texts(window: QWidget) -> Iterator[tuple[float, str]]:
    """The contrast of each text that is shown in `window`, and its widget's name or its beginning."""
    image = window.grab().toImage()
    for widget in window.findChildren(QWidget):
        if isinstance(widget, (QLabel, QAbstractButton, QLineEdit, QComboBox)) and widget.isVisible():
            text = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
            area = QRect(widget.mapTo(window, QPoint()), widget.visibleRegion().boundingRect().size())
            if text.strip() and area.width() > 12 and area.height() > 8:
                yield contrast_in(image, area.adjusted(4, 3, -4, -3)), widget.objectName() or text[:30]


def contrast_in(image: QImage, area: QRect) -> float:
    """The contrast of WCAG 2 between the most frequent color of this part of a picture and the one farthest from it."""
    part = image.copy(area).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(part.constBits(), np.uint8).reshape(part.height(), part.bytesPerLine())
    pixels = rows[:, : 3 * part.width()].reshape(-1, 3)
    colors, counts = np.unique(pixels, axis=0, return_counts=True)
    light = luminance(colors)
    ground = light[counts.argmax()]
    low = np.minimum(light, ground)
    high = np.maximum(light, ground)
    return float(((high + 0.05) / (low + 0.05)).max())


def luminance(colors: np.ndarray) -> np.ndarray:
    """The relative luminance of WCAG 2. `colors`: uint8 (n, 3)."""
    share = colors / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sizes", nargs="*", default=SIZES, metavar="WIDTHxHEIGHT")
    options = parser.parse_args()
    draw_all(options.folder, options.sizes)


if __name__ == "__main__":
    main()
