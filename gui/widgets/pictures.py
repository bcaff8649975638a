"""Icons from the SVG files in resources/icons in the theme's colors, and painting into picture
files.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QByteArray, QCoreApplication, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QImage,
    QImageWriter,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QWidget

from core.files.atomic import atomic_path
from core.program import RESOURCES
from gui.widgets.basics import PrimaryButton
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import theme

ICONS = RESOURCES / "icons"
SCALE = 2
_ENLARGEMENT = 8  # of an image that is put on the canvas
_SAMPLE = 14  # pixels at a text size of 100 %: the color of a curve, with a margin of one
_SIZE = 72  # pixels: sharp where one pixel of the layout has three device pixels


def themed_icon(name: str, color: QColor | str, disabled: QColor | str) -> QIcon:
    """The icon in `resources/icons/{name}.svg`; only the opacity of the file is used, not its
    colors.
    """
    return _icon(name, QColor(color).rgba(), QColor(disabled).rgba())


@lru_cache(500)  # many buttons have the same icon
def _icon(name: str, color: int, disabled: int) -> QIcon:
    icon = QIcon()
    for ink, mode in ((color, QIcon.Mode.Normal), (disabled, QIcon.Mode.Disabled)):
        pixmap = _drawn(name, _SIZE)
        with QPainter(pixmap) as painter:
            # Only where the icon is opaque: the file's own colors are of one theme.
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
            painter.fillRect(pixmap.rect(), QColor.fromRgba(ink))
        icon.addPixmap(pixmap, mode)
    return icon


def _drawn(name: str, side: int) -> QPixmap:
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        QSvgRenderer(QByteArray((ICONS / f"{name}.svg").read_bytes())).render(painter)
    return pixmap


def picture_of(name: str, side: int) -> QPixmap:
    """The picture in `resources/icons/{name}.svg` in its own colors, of so many pixels."""
    pixmap = _drawn(name, SCALE * side)
    pixmap.setDevicePixelRatio(SCALE)
    return pixmap


def set_icon(button: QAbstractButton, name: str, side: int = 0) -> None:
    """Show the icon `name` on the button, in the color and size of its text in the present theme
    and all later ones.

    side: pixels at a text size of 100 %; 0 for what it was.
    """
    icon = button.findChild(_ThemedIcon) or _ThemedIcon(button)
    icon.name, icon.side = name, side or icon.side
    icon.draw()


class _ThemedIcon(QObject):
    """The icon of a button, drawn anew in each theme."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        self._button, self.name, self.side = button, "", 14
        theme().changed.connect(self.draw)
        if isinstance(button, PrimaryButton):
            button.main_changed.connect(self.draw)

    def draw(self) -> None:
        colors = theme().colors
        is_primary = isinstance(self._button, PrimaryButton) and self._button.is_main
        disabled = QColor(colors.muted)
        if not is_primary:
            disabled.setAlphaF(0.45)
        color = colors.on_accent if is_primary else colors.text
        self._button.setIcon(themed_icon(self.name, color, disabled))
        self._button.setIconSize(QSize(theme().px(self.side), theme().px(self.side)))


def series_icon(color: str, *, hollow: bool = False) -> QIcon:
    """A round sample of the color of a curve, which is the same in a chosen row. hollow: of what
    has no curve yet.
    """
    side = theme().px(_SAMPLE)
    pixmap = QPixmap(QSize(side, side) * SCALE)
    pixmap.setDevicePixelRatio(SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with smooth_painter(pixmap) as painter:
        painter.setPen(QPen(QColor(color), 2))
        if not hollow:
            painter.setBrush(color)
        painter.drawEllipse(2, 2, side - 4, side - 4)
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


@contextmanager
def temporary_picture(ink: np.ndarray) -> Iterator[str]:
    """Context manager that yields the path of a PNG file of `ink`, uint8 (height, width), dark on
    white like a scan.
    """
    pixels = np.ascontiguousarray(255 - ink)
    height, width = pixels.shape
    # With the length of a row: by default Qt takes rows for multiples of four bytes.
    picture = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Grayscale8)
    smooth = Qt.TransformationMode.SmoothTransformation
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "image.png")
        picture.scaled(_ENLARGEMENT * width, _ENLARGEMENT * height, mode=smooth).save(path)
        yield path


@contextmanager
def paint_to_file(path: Path, size: QSize) -> Iterator[QPainter]:
    """Context manager that yields a painter on `size` logical pixels and writes the image to `path`
    at the end.

    The suffix `.svg` gives SVG; any other PNG. Raises InputError where the file cannot be written.
    """
    svg = QSvgGenerator()
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    svg.setSize(size)
    svg.setViewBox(QRect(0, 0, size.width(), size.height()))
    # pyqtgraph paints its axes from a QPicture, which is scaled by the ratio of the two
    # resolutions.
    svg.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInch()))
    image.setDevicePixelRatio(SCALE)
    is_svg = path.suffix.lower() == ".svg"
    with atomic_path(path) as temporary:
        svg.setFileName(str(temporary))
        painter = QPainter(svg if is_svg else image)
        try:
            yield painter
        finally:
            # Before the file is renamed: the picture is complete only then.
            painter.end()
        if not is_svg and not QImageWriter(str(temporary), QByteArray(b"PNG")).write(image):
            raise OSError(QCoreApplication.translate("Painted", "the picture could not be written"))


def write_picture(path: Path, widget: QWidget, owner: QWidget) -> Path:
    """Render `widget` into a PNG file with two pixels for each of its own, and delete it; return
    `path`.

    `owner` becomes its parent until then: Python would destroy plots without a parent in arbitrary
    order, which makes Qt crash. Raises InputError where the file cannot be written.
    """
    widget.setParent(owner)
    try:
        with paint_to_file(path, widget.size()) as painter:
            widget.render(painter, QPoint())
    finally:
        widget.deleteLater()
    return path
