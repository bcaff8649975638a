"""Icons from the SVG files in `resources/icons`, in the theme's colors."""

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parents[2] / "resources" / "icons"
_SIZE = 72  # pixels: sharp where one pixel of the layout has three device pixels


def themed_icon(name: str, color: QColor | str, disabled: QColor | str) -> QIcon:
    """The icon in `resources/icons/{name}.svg`; only the opacity of the file is used, not its colors."""
    icon = QIcon(_pixmap(name, color))
    icon.addPixmap(_pixmap(name, disabled), QIcon.Mode.Disabled)
    return icon


def palette_icon(name: str, palette: QPalette) -> QIcon:
    """The icon in the colors of a button's text."""
    role, group = QPalette.ColorRole.ButtonText, QPalette.ColorGroup
    disabled = palette.color(group.Disabled, role)
    disabled.setAlphaF(0.45)
    return themed_icon(name, palette.color(group.Active, role), disabled)


def _pixmap(name: str, color: QColor | str) -> QPixmap:
    renderer = QSvgRenderer(_svg(name))
    pixmap = QPixmap(_SIZE, _SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        renderer.render(painter)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(pixmap.rect(), QColor(color))
    return pixmap


@cache
def _svg(name: str) -> QByteArray:
    """The contents of the file, read once: a change of the theme draws all icons anew."""
    return QByteArray((ICONS / f"{name}.svg").read_bytes())
