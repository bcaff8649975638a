"""The picture of the stage, put together from images that are kept: tiles of each column, connections, captions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPixmap, QPolygonF

from core.inspection.stage_content import Column, StageContent
from gui.stage.captions import caption, dead_sentence, thin_name
from gui.stage.colors import Atlas, map_colors, stage_colors, unit_colors, weight_colors
from gui.stage.layout import Block, StageLayout
from gui.stage.wires import Gap, Tone, wires_into
from gui.text import number
from gui.widgets.theme import ink_table, theme

BODY, CAPTION = 1.0, 0.92  # multiples of the body text
_FUNNEL = 0.07, 0.10  # opacity of the accent, on light and on dark


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked: the chosen layer (its position) and unit, the one under the pointer, and the places of +.

    `plus`: the gaps whose + is shown; `hot_plus`: the one under the pointer. `dragged`: the column that is dragged,
    `shift` pixels to the right, and `target`: the gap where it would be dropped.
    """

    layer: int = -1
    unit: int = -1
    has_focus: bool = False
    plus: tuple[int, ...] = ()
    hot_plus: int = -1
    dragged: int = -1
    shift: int = 0
    target: int = -1
    aside: dict[int, float] = field(default_factory=dict)


class StagePicture:
    """Keeps what has been painted. `show` prepares a content, `reveal` takes over one column of it."""

    def __init__(self) -> None:
        self.layout: StageLayout | None = None
        self.content: StageContent | None = None
        self.offset = 0
        self._ratio = 1.0
        self._tone = Tone()
        self._atlases: dict[tuple[int, tuple[int, int]], Atlas] = {}
        self._images: list[QImage] = []
        self._gaps: list[Gap] = []
        self._captions = QPixmap()
        self._entry: QImage | None = None
        self._caption_key: object = None

    def set_layout(self, layout: StageLayout, ratio: float) -> None:
        """Place everything anew; what is shown has to be shown again."""
        self.layout, self._ratio = layout, ratio
        self.offset = min(self.offset, layout.stops[-1])
        self._atlases.clear()
        self._images = [QImage() for _ in layout.blocks]
        self._gaps = [Gap(self._gap_area(position), ratio) for position in range(len(layout.blocks))]
        self._captions = QPixmap()
        self._caption_key = None

    def show(self, content: StageContent, tone: Tone) -> None:
        """Take over the input and the tone; the columns follow by `reveal`."""
        self.content, self._tone = content, tone
        self._entry = self._input_image(content)

    def reveal(self, position: int) -> None:
        """Draw the column at `position` and the connections into it as they are now."""
        assert self.content is not None and self.layout is not None
        column = self.content.columns[position]
        wires = wires_into(self.layout, self.content, position, self._tone)
        self._gaps[position].show(self.content.links[position], self._tone, wires)
        if position < len(self.layout.blocks) - 1 and not column.thin:
            self._images[position] = self._column_image(self.layout.blocks[position], column)

    @property
    def draws(self) -> int:
        """How often connections have been drawn."""
        return sum(gap.draws for gap in self._gaps)

    def _column_image(self, block: Block, column: Column) -> QImage:
        pictures = column.pictures
        shape = (1, 1) if pictures is None else (pictures.shape[1], pictures.shape[2])
        key = column.layer, shape
        if key not in self._atlases:
            self._atlases[key] = Atlas(block, shape, self._ratio)
        if column.are_weights or column.are_products:
            table = weight_colors()
        else:
            table = map_colors() if shape[1] > 1 else unit_colors()
        edges = stage_colors().opaque
        return self._atlases[key].image(pictures, table, dead=column.dead, edges=edges)

    def _input_image(self, content: StageContent) -> QImage | None:
        """The input as an image of its own pixels; None for numbers and without an input."""
        if content.input is None or content.input.ndim != 2:
            return None
        levels = np.ascontiguousarray(np.rint(np.clip(content.input, 0, 1) * 255).astype(np.uint8))
        height, width = levels.shape
        image = QImage(levels.data, width, height, width, QImage.Format.Format_Indexed8)
        from PySide6.QtWidgets import QApplication

        image.setColorTable(ink_table(QApplication.palette()))
        return image.convertToFormat(QImage.Format.Format_RGB32)

    def _gap_area(self, position: int) -> QRect:
        """From the end of the last column before that at `position` to its begin, as high as the stage."""
        assert self.layout is not None
        layout = self.layout
        before = [block for block in layout.blocks[:position] if not block.column.thin]
        left = before[-1].area.right() + 1 if before else layout.input.right() + 1
        block = layout.blocks[position]
        right = block.area.left()
        if position == len(layout.blocks) - 1:
            right = layout.view.left() + max(layout.content_width, layout.view.width())
        if block.tiles and block.column.layer == layout.blocks[-1].column.layer:
            right = block.area.right()  # pictures in two columns
        if before and before[-1].column.layer == block.column.layer:
            left = before[-1].area.left()
        return QRect(left, 0, max(right - left + 1, 1), layout.view.height())

    # -- painting -----------------------------------------------------------------------------------------

    def paint_columns(self, painter: QPainter, marks: Marks) -> None:
        """Everything between the input and the answers."""
        layout, content = self.layout, self.content
        if layout is None or content is None:
            return
        painter.save()
        if layout.scrolls:
            painter.setClipRect(layout.view)
            painter.translate(-self.offset, 0)
        for position, gap in enumerate(self._gaps):
            if not gap.pixmap.isNull() and marks.dragged not in (position, position - 1):
                painter.drawPixmap(gap.area.topLeft() + _aside(marks, position), gap.pixmap)
        for position, block in enumerate(layout.blocks[:-1]):
            if position != marks.dragged:
                self._paint_block(painter, position, block, marks)
        if marks.dragged >= 0:
            painter.setOpacity(0.85)
            self._paint_block(painter, marks.dragged, layout.blocks[marks.dragged], marks)
        painter.restore()

    def _paint_block(self, painter: QPainter, position: int, block: Block, marks: Marks) -> None:
        assert self.content is not None
        painter.save()
        painter.translate(_aside(marks, position))
        if position == marks.dragged:
            painter.translate(marks.shift, 0)
        if block.column.thin:
            self._paint_thin(painter, block)
        elif not self._images[position].isNull():
            painter.drawImage(block.area.topLeft(), self._images[position])
        if block.column.changed:
            self._paint_changed(painter, block)
        if position == marks.layer:
            self._paint_choice(painter, block, marks)
        painter.restore()

    def _paint_thin(self, painter: QPainter, block: Block) -> None:
        """A bar, with its name along it on a plate."""
        assert self.content is not None and self.layout is not None
        colors = stage_colors()
        font = theme().font(CAPTION)
        painter.setFont(font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.mark if not colors.opaque else colors.edge)
        painter.drawRoundedRect(QRectF(block.area), 2, 2)
        name = thin_name(self.content.network, block.column.layer)
        metrics = QFontMetrics(font)
        size = metrics.horizontalAdvance(name) + 8, metrics.height()
        painter.translate(QRectF(block.area).center())
        painter.rotate(-90)
        plate = QRectF(-size[0] / 2, -size[1] / 2, *size)
        painter.setBrush(colors.stage)
        painter.drawRoundedRect(plate, 4, 4)
        painter.setPen(QColor(theme().colors.muted))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_changed(self, painter: QPainter, block: Block) -> None:
        """A dashed frame around a layer that the model does not have."""
        pen = QPen(QColor(theme().colors.border), 1.5, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(QRectF(block.area).adjusted(-5.5, -5.5, 5.5, 5.5), 6, 6)

    def _paint_choice(self, painter: QPainter, block: Block, marks: Marks) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme().colors.accent), 2))
        painter.drawRoundedRect(QRectF(block.area).adjusted(-6, -6, 6, 6), 8, 8)
        if 0 <= marks.unit < len(block.tiles):
            painter.setPen(QPen(QColor(theme().colors.text), 2))
            painter.drawRoundedRect(QRectF(block.tiles[marks.unit]).adjusted(-1, -1, 1, 1), 3, 3)

    def paint_entry(self, painter: QPainter) -> None:
        """What the network gets: an image of its pixels or its numbers, and the funnel from the canvas to it."""
        layout, content = self.layout, self.content
        if layout is None or content is None:
            return
        colors, entry = stage_colors(), layout.input
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not layout.canvas.isNull():
            self._paint_funnel(painter, layout)
        painter.setPen(QPen(colors.edge if self._entry is None else QColor(theme().colors.border), 1))
        painter.setBrush(colors.paper)
        painter.drawRoundedRect(QRectF(entry).adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._entry is not None:
            painter.drawImage(entry, self._entry)
        elif len(content.network.input_shape) == 1:
            self._paint_numbers(painter, content, entry)

    def _paint_funnel(self, painter: QPainter, layout: StageLayout) -> None:
        color = QColor(theme().colors.accent)
        dark = stage_colors().stage.lightnessF() < 0.5
        color.setAlphaF(_FUNNEL[1] if dark else _FUNNEL[0])
        canvas, entry = layout.canvas, layout.input
        corners = [
            QPointF(canvas.right() + 1, canvas.top() + 8), QPointF(entry.left(), entry.top()),
            QPointF(entry.left(), entry.bottom() + 1), QPointF(canvas.right() + 1, canvas.bottom() - 7),
        ]  # fmt: skip
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QPolygonF(corners))

    def _paint_numbers(self, painter: QPainter, content: StageContent, entry: QRect) -> None:
        """The features of an example below each other, the first eight of them."""
        count = min(content.network.input_shape[0], 8)
        height = entry.height() / count
        painter.setFont(theme().font(BODY))
        for index in range(count):
            row = QRectF(entry.left() + 8, entry.top() + index * height, entry.width() - 16, height)
            painter.setPen(QColor(theme().colors.muted))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, feature_name(count, index))
            if content.input is not None:
                painter.setPen(QColor(theme().colors.text))
                flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
                painter.drawText(row, flags, number(float(content.input[index]), 3))

    # -- captions -----------------------------------------------------------------------------------------

    def paint_captions(self, painter: QPainter, size: QRect, input_caption: tuple[str, str], marks: Marks) -> None:
        """The words above and below, from a pixmap that is drawn again when they change."""
        if self.layout is None or self.content is None:
            return
        key = (input_caption, marks.layer, self.offset, size.size(), self.content.chosen, self.content.input is None,
               tuple(column.dead for column in self.content.columns))  # fmt: skip
        if key != self._caption_key:
            self._caption_key = key
            self._captions = QPixmap(size.size() * self._ratio)
            self._captions.setDevicePixelRatio(self._ratio)
            self._captions.fill(Qt.GlobalColor.transparent)
            with QPainter(self._captions) as own:
                self._draw_captions(own, input_caption, marks)
        painter.drawPixmap(0, 0, self._captions)

    def _draw_captions(self, painter: QPainter, input_caption: tuple[str, str], marks: Marks) -> None:
        assert self.layout is not None and self.content is not None
        layout, content = self.layout, self.content
        bold, plain = theme().font(CAPTION, bold=True), theme().font(CAPTION)
        line = QFontMetrics(bold).height()
        y = layout.top - line - round(6 * layout.scale)
        title, below = input_caption
        _write(painter, bold, theme().colors.text, title, layout.input.center().x(), y)
        _write(painter, plain, theme().colors.muted, below, layout.input.center().x(), layout.input.bottom() + 6)
        places = []
        for position, block in enumerate(layout.blocks):
            if block.column.thin:
                continue
            words = caption(content, position)
            is_last = position == len(layout.blocks) - 1
            center = layout.answers.bar.center().x() if is_last else block.area.center().x() - self.offset
            if not is_last and layout.scrolls and not layout.view.contains(block.area.translated(-self.offset, 0)):
                continue
            places.append((position, words, center))
        texts = _fitting(places, QFontMetrics(bold), layout.input.center().x() + QFontMetrics(bold).horizontalAdvance(title) / 2)
        for position, words, center in places:
            color = theme().colors.text if words.is_main else theme().colors.muted
            if position == marks.layer:
                color = theme().colors.accent
            _write(painter, bold if words.is_main else plain, color, texts[position], center, y)
        for position, block in enumerate(layout.blocks):
            if content.columns[position].dead:
                self._draw_dead_words(painter, plain, block)

    def _draw_dead_words(self, painter: QPainter, font: object, block: Block) -> None:
        """The sentence below a layer none of whose units answers."""
        assert self.layout is not None
        colors = theme().colors
        metrics = QFontMetrics(theme().font(CAPTION))
        width = metrics.horizontalAdvance(dead_sentence()) + 4
        center = block.area.center().x() - self.offset
        left, right = self.layout.view.left() + 4, self.layout.view.right()
        x = min(max(center - width // 2, left), max(right - width, left))
        painter.setFont(theme().font(CAPTION))
        painter.setPen(QColor(colors.bad))
        painter.drawText(QRect(x, self.layout.bottom + 8, width, metrics.height()), Qt.AlignmentFlag.AlignCenter, dead_sentence())


def feature_name(count: int, index: int) -> str:
    """`x`, `y` of a point in the plane; numbered where there are others."""
    return "xy"[index] if count == 2 else f"x{index + 1}"


def _aside(marks: Marks, position: int) -> QPointF:
    return QPointF(marks.aside.get(position, 0.0), 0)


def _write(painter: QPainter, font: object, color: str, text: str, center: float, y: float) -> None:
    painter.setFont(font)  # type: ignore[arg-type]
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(text)
    painter.setPen(QColor(color))
    painter.drawText(QPointF(round(center - width / 2), y + metrics.ascent()), text)


def _fitting(places: Sequence[tuple[int, object, float]], metrics: QFontMetrics, taken: float) -> dict[int, str]:
    """The text of each caption: the long one, the short one where that would meet another, or nothing."""
    texts: dict[int, str] = {}
    edge = taken
    for number_in_row, (position, words, center) in enumerate(places):
        following = places[number_in_row + 1][2] if number_in_row + 1 < len(places) else float("inf")
        texts[position] = ""
        for text in (words.text, words.short):  # type: ignore[attr-defined]
            half = metrics.horizontalAdvance(text) / 2
            room_after = following - center - metrics.horizontalAdvance("00") / 2
            if text and center - half > edge + 4 and half < room_after:
                texts[position] = text
                edge = center + half
                break
    return texts
