"""Painting into an image file: SVG, or PNG with two device pixels for each pixel of the layout."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QRect, QSize
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

SCALE = 2


@contextmanager
def paint_to_file(path: Path, size: QSize, suffix: str) -> Iterator[QPainter]:
    """Context manager that yields a painter on `size` logical pixels and writes the image to `path` at the end.

    suffix: `.svg` for SVG; any other gives PNG. Raises OSError where the file cannot be written.
    """
    svg, image = QSvgGenerator(), QImage(size * SCALE, QImage.Format.Format_RGB32)
    svg.setSize(size)
    svg.setViewBox(QRect(0, 0, size.width(), size.height()))
    svg.setFileName(str(path))
    # pyqtgraph paints its axes from a QPicture, which is scaled by the ratio of the two resolutions.
    svg.setResolution(round(QGuiApplication.primaryScreen().logicalDotsPerInch()))
    image.setDevicePixelRatio(SCALE)
    is_svg = suffix.lower() == ".svg"
    painter = QPainter(svg if is_svg else image)
    try:
        yield painter
    finally:
        painter.end()
    if not is_svg and not QImageWriter(str(path), QByteArray(b"PNG")).write(image):
        raise OSError(QCoreApplication.translate("Painted", "the picture could not be written"))
