"""A picture that is painted into a file: SVG, or PNG at twice the screen's size."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QRect, QSize
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

SCALE = 2


@contextmanager
def paint_to_file(path: Path, size: QSize, suffix: str) -> Iterator[QPainter]:
    """A painter on `size` logical pixels; what it has drawn is in the file afterwards. OSError where it cannot be.

    `suffix`: .svg, or else a PNG is written.
    """
    drawing, picture = QSvgGenerator(), QImage(size * SCALE, QImage.Format.Format_RGB32)
    drawing.setSize(size)
    drawing.setViewBox(QRect(0, 0, size.width(), size.height()))
    drawing.setFileName(str(path))
    # What is painted by way of a recording, as axes are, is scaled by the ratio of the resolutions.
    drawing.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInch()))
    picture.setDevicePixelRatio(SCALE)
    as_drawing = suffix.lower() == ".svg"
    painter = QPainter(drawing if as_drawing else picture)
    try:
        yield painter
    finally:
        painter.end()
    if not as_drawing and not QImageWriter(str(path), QByteArray(b"PNG")).write(picture):
        raise OSError(QCoreApplication.translate("Painted", "the picture could not be written"))
