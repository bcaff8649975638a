"""Icons of the drawing tools: lines on a grid of 24, in the colours of a palette."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPainterPath, QPalette, QPen, QPixmap, QTransform

GRID = 24
_SCALE = 3  # sharp on a display of three device pixels to a pixel


def drawing_icon(name: str, palette: QPalette) -> QIcon:
    """`undo`, `redo`, `pen`, `eraser`, `open`, `paste` or `save`."""
    icon = QIcon()
    for mode, group in (
        (QIcon.Mode.Normal, QPalette.ColorGroup.Active),
        (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled),
    ):
        colour = palette.color(group, QPalette.ColorRole.ButtonText)
        if mode == QIcon.Mode.Disabled:
            colour.setAlphaF(0.45)
        pixmap = QPixmap(GRID * _SCALE, GRID * _SCALE)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(_SCALE, _SCALE)
            pen = QPen(colour, 1.7)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPath(_PATHS[name]())
        icon.addPixmap(pixmap, mode)
    return icon


def _lines(*chains: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    for chain in chains:
        path.moveTo(QPointF(*chain[0]))
        for point in chain[1:]:
            path.lineTo(QPointF(*point))
    return path


def _undo() -> QPainterPath:
    path = _lines(((9, 5), (4.5, 9.5), (9, 14)), ((4.5, 9.5), (14, 9.5)))
    path.arcTo(QRectF(9.25, 9.5, 9.5, 9.5), 90, -180)
    path.lineTo(9.5, 19)
    return path


def _redo() -> QPainterPath:
    return QTransform(-1, 0, 0, 1, GRID, 0).map(_undo())


def _pen() -> QPainterPath:
    return _lines(
        ((5, 19), (6.2, 14.8), (15.8, 5.2), (18.8, 8.2), (9.2, 17.8), (5, 19)), ((13.4, 7.6), (16.4, 10.6))
    )


def _eraser() -> QPainterPath:
    return _lines(
        ((9, 19), (4.5, 14.5), (13.5, 5.5), (19.5, 11.5), (12, 19), (9, 19)),
        ((9, 10), (15, 16)),
        ((12, 19), (19.5, 19)),
    )


def _open() -> QPainterPath:
    return _lines(
        ((4, 18), (4, 6), (9.5, 6), (11.5, 8.5), (18, 8.5), (18, 11)),
        ((4, 18), (7, 11), (21, 11), (18, 18), (4, 18)),
    )


def _paste() -> QPainterPath:
    path = _lines(((9, 5.5), (6, 5.5), (6, 20), (18, 20), (18, 5.5), (15, 5.5)), ((9, 11), (15, 11)),
                  ((9, 15), (13, 15)))  # fmt: skip
    path.addRoundedRect(QRectF(9, 3.5, 6, 4), 1, 1)
    return path


def _save() -> QPainterPath:
    return _lines(((12, 4), (12, 15)), ((7.5, 10.5), (12, 15), (16.5, 10.5)), ((5, 15), (5, 19.5), (19, 19.5),
                  (19, 15)))  # fmt: skip


_PATHS = {
    "undo": _undo,
    "redo": _redo,
    "pen": _pen,
    "eraser": _eraser,
    "open": _open,
    "paste": _paste,
    "save": _save,
}
