"""Texts, images of values and bars as one HTML text: Qt's text browser lays it out, paints it, and
follows its links by mouse and keys.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from math import isfinite

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPen,
    QShowEvent,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser

from core.network.layers.layer import Area
from gui.stage.colors import largest, stage_colors, values_image
from gui.text import fixed, number
from gui.widgets.basics import FitsOnResize, named
from gui.widgets.theme import theme

_ROOM = QSizeF(1216, 150)  # pixels of the band in a small window, for which sheets are measured
_LEAST_SCALE, _MOST_SCALE = 0.92, 1.6
_SMALL = 0.86
_TINY = 0.78
_LEAST_CELL = 6  # pixels of a value from which on it is set apart from those beside it
_NUMBER_CELL = 30  # pixels at which a value has room for its number
_ALIGNMENTS = {"l": "", "c": ' align="center"', "r": ' align="right"'}


def value_text(value: float, *, plus: bool = False) -> str:
    """`value` with two decimals, or one significant digit where these would be 0. plus: with a sign
    also where it is positive.
    """
    if not isfinite(value):
        return "–"
    text = number(value, 1) if 0 < abs(value) < 0.01 else fixed(value, 2)
    return f"+{text}" if plus and value > 0 else text


def sign_color(value: float) -> str:
    """The color of a number that speaks for or against."""
    colors = theme().colors
    if not isfinite(value) or value == 0:
        return colors.text
    return colors.series[0] if value > 0 else colors.series[1]


def written(
    text: str, color: str = "", *, bold: bool = False, size: float = 1.0, target: str = ""
) -> str:
    """`text` in HTML. size: a multiple of the body text; target: what a click asks for."""
    style = f"color:{color or theme().colors.text}"
    if size != 1.0:
        style += f"; font-size:{theme().font(size).pointSizeF()}pt"
    if bold:
        style += "; font-weight:600"
    return linked(f'<span style="{style}">{escape(text)}</span>', target)


def muted(text: str) -> str:
    return written(text, theme().colors.muted)


def small(text: str, color: str = "", *, bold: bool = False) -> str:
    return written(text, color, bold=bold, size=_SMALL)


def tiny(text: str) -> str:
    return written(text or "\N{NO-BREAK SPACE}", size=_TINY)


def signed(value: float) -> str:
    """A number in the color of its sign."""
    return written(value_text(value), sign_color(value))


def linked(content: str, target: str) -> str:
    if not target:
        return content
    return f'<a href="{target}" style="text-decoration:none">{content}</a>'


class Sheet:
    """Makes parts of an HTML text, and keeps its `images`. Measures are pixels at 1280 × 720;
    `scale`: what one becomes; `ratio`: device pixels.
    """

    def __init__(self, scale: float, ratio: float = 1.0, *, beside: bool = True) -> None:
        self.images: list[QImage] = []
        self._scale = scale
        self._ratio = ratio
        self._beside = beside

    def parts(self, *parts: str) -> str:
        """Parts beside each other with lines between, or below each other."""
        if not self._beside:
            return "".join(f"{part}<br>" for part in parts)
        right = f"padding-right:{self._px(14)}px"
        line = f"border-left:1px solid {theme().colors.line}; padding-left:{self._px(14)}px"
        around = [right, *[f"{line}; {right}"] * len(parts)]
        cells = [
            f'<td style="{style}">{part}</td>'
            for style, part in zip(around, filter(None, parts), strict=False)
        ]
        return f'<table cellspacing="0"><tr>{"".join(cells)}</tr></table>'

    def table(
        self,
        rows: Sequence[Sequence[str]],
        widths: Sequence[float] = (),
        align: str = "l",
        *,
        ruled: Collection[int] = (),
        fills: Mapping[tuple[int, int], str] | None = None,
        gap: float = 2,
    ) -> str:
        """A table. align: "l", "c" or "r" for each column, the last one for all others; ruled: the
        rows below a line; fills: colors of cells by row and column; gap: pixels around a cell.
        """
        lines = []
        for index, row in enumerate(rows):
            rule = ""
            if index in ruled:
                rule = f' style="border-top:1px solid {theme().colors.muted}"'
            cells = []
            for column, content in enumerate(row):
                place = _ALIGNMENTS[align[min(column, len(align) - 1)]] + rule
                if column < len(widths) and index == 0:
                    place += f' width="{self._px(widths[column])}"'
                if fills and (index, column) in fills:
                    place += f' bgcolor="{fills[index, column]}"'
                cells.append(f"<td{place}>{content}</td>")
            lines.append(f'<tr valign="middle">{"".join(cells)}</tr>')
        return f'<table cellspacing="0" cellpadding="{gap}">{"".join(lines)}</table>'

    def text(self, width: float, *lines: str) -> str:
        """Paragraphs in a column of this width."""
        return self.table([[line] for line in lines], [width], gap=1)

    def values(
        self,
        values: np.ndarray,
        side: float,
        table: np.ndarray,
        *,
        bound: float | None = None,
        words: str = "",
        target: str = "",
        mark: Area | None = None,
        numbers: bool = False,
    ) -> str:
        """An image of float (rows, columns) whose longer side is `side`; `bound`, by default the
        largest magnitude, has the full color.

        mark: the part that is framed. numbers: write the values in the cells. words: its tooltip.
        """
        rows, columns = values.shape
        cell = side / max(rows, columns)
        area = QRectF(0, 0, self._px(cell * columns), self._px(cell * rows))
        image = self._blank(area.size())
        with QPainter(image) as painter:
            picture = values_image(values, largest(values) if bound is None else bound, table)
            painter.drawImage(area, picture)
            _paint_cells(painter, area, values, numbers=numbers)
            if mark is not None:
                _paint_mark(painter, area, values.shape, mark)
        return self._tag(image, area.size(), words, target)

    def bar(
        self,
        share: float,
        color: str,
        width: float,
        height: float = 8,
        *,
        zero: float = 0,
        track: str = "",
        words: str = "",
        target: str = "",
    ) -> str:
        """A bar of this share, -1 to 1, of the room on its side of `zero`, itself a share of the
        width. track: the color behind it.
        """
        size = QSizeF(self._px(width), self._px(height))
        whole = QRectF(0, 0, size.width(), size.height())
        image = self._blank(size)
        axis = zero * size.width()
        length = share * max(axis, size.width() - axis)
        # A share that is almost 0 still has a side.
        if abs(length) < 1:
            length = -1.0 if length < 0 else 1.0
        with QPainter(image) as painter:
            if track:
                painter.fillRect(whole, track)
            bar = QRectF(axis, 0, length, size.height())
            painter.fillRect(bar.normalized(), color)
            if 0 < zero < 1:
                painter.setPen(theme().colors.muted)
                painter.drawLine(QPointF(axis, 0), QPointF(axis, size.height()))
        return self._tag(image, size, words, target)

    def picture(self, size: QSizeF, paint: Callable[[QPainter], None], words: str) -> str:
        """What `paint` paints on this size."""
        image = self._blank(size * self._scale)
        with QPainter(image) as painter:
            painter.scale(self._scale, self._scale)
            paint(painter)
        return self._tag(image, size * self._scale, words, "")

    def _px(self, pixels: float) -> int:
        return round(pixels * self._scale)

    def _blank(self, size: QSizeF) -> QImage:
        image = QImage((size * self._ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(self._ratio)
        image.fill(Qt.GlobalColor.transparent)
        return image

    def _tag(self, image: QImage, size: QSizeF, words: str, target: str) -> str:
        self.images.append(image)
        name = f"image{len(self.images)}"
        place = f'width="{round(size.width())}" height="{round(size.height())}"'
        return linked(f'<img src="{name}" {place} title="{escape(words)}">', target)


def _paint_cells(painter: QPainter, area: QRectF, values: np.ndarray, *, numbers: bool) -> None:
    """Lines between the values, and these as numbers, where there is room."""
    rows, columns = values.shape
    cell = area.width() / columns
    if cell >= _LEAST_CELL:
        painter.setPen(stage_colors().stage)
        lines = [
            QLineF(column * cell, 0, column * cell, area.bottom()) for column in range(1, columns)
        ]
        lines += [QLineF(0, y * cell, area.right(), y * cell) for y in range(1, rows)]
        painter.drawLines(lines)
    if numbers and cell >= _NUMBER_CELL:
        for (row, column), value in np.ndenumerate(values):
            place = QRectF(column * cell, row * cell, cell, cell)
            _paint_number(painter, place, float(value))
    if stage_colors().opaque:
        painter.setPen(stage_colors().edge)
        painter.drawRect(area.adjusted(0, 0, -1, -1))


def _paint_number(painter: QPainter, cell: QRectF, value: float) -> None:
    """A value in its cell, on a plate that keeps it readable."""
    painter.setFont(theme().font())
    plate = QRectF(0, 0, cell.width() - 4, painter.fontMetrics().height())
    plate.moveCenter(cell.center())
    painter.fillRect(plate, theme().colors.base)
    painter.setPen(theme().colors.text)
    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, value_text(value))


def _paint_mark(painter: QPainter, area: QRectF, shape: tuple[int, ...], mark: Area) -> None:
    """Frame a part of an image."""
    top, left, bottom, right = mark
    cell = area.width() / shape[1]
    framed = QRectF(left * cell, top * cell, (right - left) * cell, (bottom - top) * cell)
    for color, width in ((theme().colors.base, 4), (theme().colors.accent, 2)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(framed.adjusted(1, 1, -1, -1))


class SheetView(FitsOnResize, QTextBrowser):
    """Shows a sheet. `asked`: the target of what was clicked on, and where on it, as shares of its
    width and height.
    """

    asked = Signal(str, QPointF)

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        named(self, name, title)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._write: Callable[[Sheet], str] | None = None
        self._scale = 0.0  # of what is shown; 0: it has to be written
        self._pressed = QPointF()
        self.anchorClicked.connect(self._follow)
        theme().changed.connect(self._renew)

    def show_sheet(self, write: Callable[[Sheet], str]) -> None:
        """Show what `write` writes with a sheet, now and at another size. A hidden view calls it
        when it is shown.
        """
        self._write = write
        self._renew()

    def _renew(self) -> None:
        self._scale = 0.0
        self.fit()

    def fit(self) -> None:
        """Write the sheet where its scale has changed."""
        scale = self._fitting_scale()
        if self._write is None or scale == self._scale or not self.isVisible():
            return
        self._scale = scale
        # Beside each other first: only the text that is laid out tells whether that fits.
        for beside in (True, False):
            sheet = Sheet(scale, self.devicePixelRatioF(), beside=beside)
            text = self._write(sheet)
            for index, image in enumerate(sheet.images):
                name = QUrl(f"image{index + 1}")
                self.document().addResource(QTextDocument.ResourceType.ImageResource, name, image)
            self.setHtml(text)
            if self.document().size().width() <= self.viewport().width():
                break

    def _fitting_scale(self) -> float:
        room = self.maximumViewportSize()
        fitting = min(room.width() / _ROOM.width(), room.height() / _ROOM.height())
        return max(_LEAST_SCALE * theme().scale, min(fitting, _MOST_SCALE))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        super().mousePressEvent(event)

    def _follow(self, url: QUrl) -> None:
        """Tell what was asked for, and where on its image the pointer was pressed."""
        cursor = self.cursorForPosition(self._pressed.toPoint())
        edge = QRectF(self.cursorRect(cursor))
        # An image is one character, and the nearest place for a cursor may be at either side of it.
        if self._pressed.x() < edge.left():
            cursor.movePosition(cursor.MoveOperation.Left)
            edge = QRectF(self.cursorRect(cursor))
        cursor.movePosition(cursor.MoveOperation.Right, cursor.MoveMode.KeepAnchor)
        image = cursor.charFormat().toImageFormat()
        where = QPointF()
        if image.isValid():
            # An image stands on the base line of its row.
            top = edge.bottom() - self.fontMetrics().descent() - image.height()
            where = self._pressed - QPointF(edge.left(), top)
            where = QPointF(where.x() / image.width(), where.y() / image.height())
        self.asked.emit(url.toString(), where)
