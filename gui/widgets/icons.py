"""Icons from the SVG files in `resources/icons`, in the theme's colors."""

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from gui.widgets.basics import PrimaryButton
from gui.widgets.theme import theme

ICONS = Path(__file__).resolve().parents[2] / "resources" / "icons"
_SIZE = 72  # pixels: sharp where one pixel of the layout has three device pixels


def themed_icon(name: str, color: QColor | str, disabled: QColor | str) -> QIcon:
    """The icon in `resources/icons/{name}.svg`; only the opacity of the file is used, not its colors."""
    icon = QIcon(_pixmap(name, color))
    icon.addPixmap(_pixmap(name, disabled), QIcon.Mode.Disabled)
    return icon


def set_icon(button: QAbstractButton, name: str) -> None:
    """Show the icon `name` on the button, in the color of its text in the present theme and all later ones."""
    icon = button.findChild(_ThemedIcon) or _ThemedIcon(button)
    icon.show_name(name)


class _ThemedIcon(QObject):
    """The icon of a button, drawn anew in each theme."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button)
        self._button, self._name = button, ""
        theme().changed.connect(self._draw)

    def show_name(self, name: str) -> None:
        self._name = name
        self._draw()

    def _draw(self) -> None:
        colors = theme().colors
        is_primary = isinstance(self._button, PrimaryButton)
        disabled = QColor(colors.muted)
        if not is_primary:
            disabled.setAlphaF(0.45)
        self._button.setIcon(
            themed_icon(self._name, colors.on_accent if is_primary else colors.text, disabled)
        )


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
