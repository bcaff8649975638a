"""The picture of the stage, put together from images that are kept: tiles of each column,
connections, captions.
"""

from dataclasses import replace
from math import inf

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen, QPolygonF

from core.inspection.stage_content import Links, StageContent
from core.network.layers.layer import Area
from core.network.network import Network
from gui.stage.asked import Asked, ask, items_of, sources_of
from gui.stage.captions import (
    Caption,
    caption,
    feature_name,
    input_words,
    layer_text,
    thin_name,
    unit_text,
)
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing
from gui.stage.layout import Block, StageLayout
from gui.stage.wires import Gap, lit_wires, paint_wires
from gui.text import number
from gui.widgets.shapes import paint_frame
from gui.widgets.theme import theme

BODY = 1.0  # multiples of the body text
CAPTION = 0.92
_BETWEEN = 5  # pixels between two captions
_NUDGE = 12  # pixels by which a caption may be moved to the right
_FUNNEL = 0.07, 0.10  # opacity of the accent, on light and on dark
_FAINT_LINES = 0.13  # opacity of what does not lead to what is asked about
_FAINT_MAPS = 0.45
_REACH = 7  # pixels from a connection at which a click takes it


class StagePicture:
    """The network that is shown, as a drawing: all that is said, marked or painted of it is taken
    from here.

    A new drawing is taken over by `show`, and then column by column by `reveal`. `layer`: the
    position of the chosen column, `unit`: the index of the chosen unit or map in it; -1 for none.
    `place`: the chosen row and column of a map, None for its largest output; `other`: the class
    with which a chosen answer is compared, -1 for the best other. `chosen`, `hovered`: how what is
    chosen and what is under the pointer get their values.
    """

    def __init__(self) -> None:
        self.drawing: Drawing | None = None
        self.layer = -1
        self.unit = -1
        self.place: tuple[int, int] | None = None
        self.other = -1
        self.chosen: Asked | None = None
        self.hovered: Asked | None = None
        # A connection that is lit alone: the position of its column, and itself.
        self.line: tuple[int, Links] | None = None
        self._images: list[QImage] = []
        self._gaps: list[Gap] = []
        self._captions: list[Caption] = []  # of the columns

    @property
    def layout(self) -> StageLayout | None:
        return None if self.drawing is None else self.drawing.layout

    @property
    def content(self) -> StageContent | None:
        return None if self.drawing is None else self.drawing.content

    def show(self, drawing: Drawing) -> bool:
        """Take over the drawing; return whether its layout or words are others, so that nothing of
        the old one remains.
        """
        before = self.drawing
        content = drawing.content
        captions = [caption(content, position) for position in range(len(content.columns))]
        is_new = before is None or before.layout != drawing.layout or captions != self._captions
        self._captions = captions
        self.drawing = drawing
        # The index of the chosen unit is among those that were shown before.
        if before is not None:
            self._keep_choice(before.content, content)
        # It was asked of the content before.
        self.hovered = None
        if is_new:
            self._images = list(drawing.images)
            self._gaps = list(drawing.gaps)
        return is_new

    def reveal(self, position: int) -> None:
        """Show the column at `position` and the connections into it as they are drawn now."""
        if self.drawing is not None:
            self._images[position] = self.drawing.images[position]
            self._gaps[position] = self.drawing.gaps[position]

    def _keep_choice(self, before: StageContent, after: StageContent) -> None:
        """Let the same layer and unit be chosen in `after`; none in another network."""
        if before.network != after.network or self.layer >= len(after.columns):
            self.choose(-1)
        elif self.unit >= 0:
            number = items_of(before, self.layer)[self.unit]
            shown = items_of(after, self.layer)
            self.unit = shown.index(number) if number in shown else -1
            self._ask()

    def choose(
        self,
        position: int,
        unit: int = -1,
        place: tuple[int, int] | None = None,
        other: int = -1,
    ) -> None:
        """Mark the column at `position`, and a unit or map of it; -1 for none."""
        columns = () if self.content is None else self.content.columns
        is_column = 0 <= position < len(columns)
        self.layer = position if is_column else -1
        self.unit = -1
        if self.content is not None and is_column:
            self.unit = unit if 0 <= unit < len(items_of(self.content, position)) else -1
        self.place = place
        self.other = other
        self._ask()

    def hover(self, position: int, unit: int) -> bool:
        """Light what leads to a unit or map under the pointer, -1 for none; return whether that
        changed.
        """
        before = self.hovered
        if before is not None and (before.position, before.index) == (position, unit):
            return False
        self.hovered = None
        is_item = self.content is not None and position >= 0 and unit >= 0
        if is_item and (position, unit) != (self.layer, self.unit):
            assert self.content is not None
            self.hovered = ask(self.content, position, unit)
        return self.hovered is not before

    def _ask(self) -> None:
        self.chosen = None
        if self.content is not None and self.unit >= 0:
            self.chosen = ask(self.content, self.layer, self.unit, self.place, self.other)

    def chosen_text(self) -> str:
        """The chosen layer or unit in words; empty for none."""
        if self.content is None or self.layer < 0:
            return ""
        if self.chosen is not None and self.content.columns[self.layer].shown:
            return unit_text(self.content, self.layer, self.unit)
        return layer_text(self.content, self.layer)

    def at(self, point: QPoint) -> tuple[int, int]:
        """The position of the column at `point` and the unit or map in it; -1 for none."""
        return (-1, -1) if self.layout is None else self.layout.at(point)

    def pixel_at(self, point: QPoint) -> tuple[int, int] | None:
        """Row and column in the chosen map at `point`; None where it is no map."""
        layout = self.layout
        if layout is None or self.chosen is None or layout.blocks[self.layer].thin:
            return None
        tiles = layout.blocks[self.layer].tiles
        if len(self.chosen.shape) != 3 or self.unit >= len(tiles):
            return None
        tile = tiles[self.unit]
        inside = point - tile.topLeft()
        return self.chosen.place_at(inside.x() / tile.width(), inside.y() / tile.height())

    # -- painting ----------------------------------------------------------------------------------

    def paint_columns(self, painter: QPainter) -> None:
        """Everything between the input and the answers."""
        layout = self.layout
        content = self.content
        if layout is None or content is None:
            return
        asked = self.hovered or self.chosen
        lines, maps = self._strengths(is_full=asked is None and self.line is None)
        painter.setOpacity(lines)
        for gap in self._gaps:
            painter.drawImage(gap.area.topLeft(), gap.image)
        painter.setOpacity(maps)
        for position, block in enumerate(layout.blocks[:-1]):
            if block.thin:
                _paint_thin(painter, content.network, block)
            elif not self._images[position].isNull():
                painter.drawImage(block.area.topLeft(), self._images[position])
            painter.setPen(QPen(QColor(theme().colors.text), 1.5))
            for index in content.columns[position].dropped:
                tile = block.tiles[index]
                painter.drawLine(tile.topLeft(), tile.bottomRight())
                painter.drawLine(tile.topRight(), tile.bottomLeft())
        painter.setOpacity(1.0)
        if self.line is not None:
            self._paint_line(painter, layout, content, *self.line)
        elif asked is not None and asked.content is content:
            self._paint_asked(painter, layout, asked)
        elif 0 <= self.layer < len(layout.blocks) - 1:
            _paint_choice(painter, layout.blocks[self.layer])
        if asked is not None and asked.position == len(layout.blocks) - 1:
            _frame_answers(painter, layout, asked)

    def _strengths(self, *, is_full: bool) -> tuple[float, float]:
        """The opacity of connections and maps: beside what is asked about they are not full."""
        if is_full:
            return 1.0, 1.0
        return (0.0, 1.0) if stage_colors().opaque else (_FAINT_LINES, _FAINT_MAPS)

    def _paint_asked(self, painter: QPainter, layout: StageLayout, asked: Asked) -> None:
        """What leads to a unit or map at full strength, and the places where it looks."""
        ratio = self._images[0].devicePixelRatio() if self._images else 1.0
        for position, index in asked.lit:
            block = layout.blocks[position]
            if index < len(block.tiles) and not self._images[position].isNull():
                tile = QRectF(block.tiles[index])
                part = tile.translated(-block.area.left(), -block.area.top())
                # Parts of an image are given in its own pixels, which are smaller than the
                # window's.
                source = QRectF(part.topLeft() * ratio, part.size() * ratio)
                painter.drawImage(tile, self._images[position], source)
        if asked.onward is not None:
            last = len(layout.blocks) - 1
            paint_wires(painter, lit_wires(layout, asked.content, last, asked.onward))
        if asked.into is not None:
            paint_wires(painter, lit_wires(layout, asked.content, asked.position, asked.into))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme().colors.accent), 1.5))
        for area in self._looked_at(layout, asked):
            painter.drawRect(area)
        block = layout.blocks[asked.position]
        if asked.position < len(layout.blocks) - 1:
            tile = QRectF(block.area if block.thin else block.tiles[asked.index])
            _frame_tile(painter, tile, theme().colors.accent)

    def _paint_line(
        self, painter: QPainter, layout: StageLayout, content: StageContent, to: int, links: Links
    ) -> None:
        """The connection into the column `to` that is lit alone, with what it connects."""
        wires = lit_wires(layout, content, to, links)
        paint_wires(painter, [replace(wire, width=4.0) for wire in wires], errors=True)
        colors = stage_colors(errors=True)
        color = colors.positive if links.contributions[0] > 0 else colors.negative
        before = sources_of(content, to)
        source, target = int(links.sources[0]), int(links.targets[0])
        if before >= 0:
            _frame_tile(painter, QRectF(layout.blocks[before].tiles[source]), color)
        if to == len(layout.blocks) - 1:
            _frame_answer(painter, layout, target, color)
        else:
            _frame_tile(painter, QRectF(layout.blocks[to].tiles[target]), color)

    def line_at(self, point: QPoint) -> tuple[int, int]:
        """The connection at `point`: the position of its column, and its index in the links into
        that; -1 for none.
        """
        layout = self.layout
        content = self.content
        found = -1, -1
        if layout is None or content is None:
            return found
        place = QPointF(point)
        nearest = float(_REACH)
        for position, links in enumerate(content.links):
            if links is None:
                continue
            for index in range(len(links.contributions)):
                for wire in lit_wires(layout, content, position, links.only(index)):
                    path = wire.path()
                    for step in range(21):
                        apart = path.pointAtPercent(step / 20) - place
                        distance = abs(apart.x()) / 3 + abs(apart.y())
                        if distance < nearest:
                            nearest = distance
                            found = position, index
        return found

    def _looked_at(self, layout: StageLayout, asked: Asked) -> list[QRectF]:
        """The places on the lit maps before a map, and on the network's input."""
        value = asked.value
        content = asked.content
        if len(asked.shape) != 3:
            return []
        areas = []
        before = max(
            (position for position, _ in asked.lit if position < asked.position), default=-1
        )
        height, width = content.network.shapes[value.layer][:2]
        for position, index in asked.lit:
            if position == before and layout.blocks[before].tiles:
                tile = QRectF(layout.blocks[before].tiles[index])
                areas.append(_part(tile, value.area, height, width))
        height, width = content.network.input_shape[:2]
        areas.append(_part(QRectF(layout.input), value.seen, height, width))
        return areas

    def paint_entry(self, painter: QPainter, *, with_funnel: bool) -> None:
        """What the network gets: an image of its pixels or its numbers, and the funnel from the
        canvas to it.
        """
        if self.drawing is None:
            return
        layout = self.drawing.layout
        content = self.drawing.content
        colors = stage_colors()
        entry = layout.input
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if with_funnel:
            font = theme().font(CAPTION)
            below = input_words(content)[1]
            center = entry.center().x()
            _write(painter, font, theme().colors.muted, below, center, entry.bottom() + 6)
            if not layout.canvas.isNull():
                _paint_funnel(painter, layout)
        painter.setPen(
            QPen(colors.edge if self.drawing.entry is None else QColor(theme().colors.border), 1)
        )
        painter.setBrush(colors.paper)
        painter.drawRoundedRect(QRectF(entry).adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self.drawing.entry is not None:
            painter.drawImage(entry, self.drawing.entry)
        elif len(content.network.input_shape) == 1:
            _paint_numbers(painter, content, entry)

    # -- captions ----------------------------------------------------------------------------------

    @property
    def below_captions(self) -> int:
        """The pixels above which the captions are."""
        return 0 if self.layout is None else self.layout.top - round(6 * self.layout.scale)

    def paint_captions(self, painter: QPainter, title: str) -> None:
        """The words above. title: of the canvas."""
        if self.layout is None or self.content is None:
            return
        layout = self.layout
        bold = theme().font(CAPTION, bold=True)
        metrics = QFontMetrics(bold)
        color = theme().colors.text
        y = self.below_captions - metrics.height()
        center = layout.input.center().x()
        above, _ = input_words(self.content)
        if not layout.canvas.isNull():
            left = layout.canvas.left()
            room = center - metrics.horizontalAdvance(above + "0") / 2 - left
            title = metrics.elidedText(title, Qt.TextElideMode.ElideRight, round(room))
            middle = left + metrics.horizontalAdvance(title) / 2
            _write(painter, bold, color, title, middle, y)
        _write(painter, bold, color, above, center, y)
        self._write_captions(painter, layout, y, center + metrics.horizontalAdvance(above) / 2)

    def _write_captions(
        self, painter: QPainter, layout: StageLayout, y: float, edge: float
    ) -> None:
        """Write the caption of each column in its middle: the long one, the short one where that
        would meet the next one, or nothing.

        edge: where what is written before them ends. A text may be moved a little to the right.
        """
        colors = theme().colors
        metrics = QFontMetrics(theme().font(CAPTION, bold=True))
        shown = [position for position, block in enumerate(layout.blocks) if not block.thin]
        middles = [layout.blocks[position].area.center().x() for position in shown]
        middles[-1] = layout.answers.bar.center().x()
        ends = [middle - metrics.horizontalAdvance("00") / 2 for middle in middles[1:]]
        for position, middle, end in zip(shown, middles, [*ends, inf], strict=True):
            words = self._captions[position]
            for text in filter(None, (words.text, words.short)):
                half = metrics.horizontalAdvance(text) / 2
                center = max(middle, edge + _BETWEEN + half)
                if center - middle <= _NUDGE and center + half < end:
                    color = colors.text if words.is_main else colors.muted
                    if position == self.layer:
                        color = colors.accent
                    font = theme().font(CAPTION, bold=words.is_main)
                    _write(painter, font, color, text, center, y)
                    edge = center + half
                    break


def _paint_thin(painter: QPainter, network: Network, block: Block) -> None:
    """A bar, with its name along it on a plate."""
    colors = stage_colors()
    font = theme().font(CAPTION)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors.edge)
    painter.drawRoundedRect(QRectF(block.area), 2, 2)
    name = thin_name(network, block.layer)
    metrics = QFontMetrics(font)
    size = metrics.horizontalAdvance(name) + 8, metrics.height()
    painter.save()
    painter.translate(QRectF(block.area).center())
    painter.rotate(-90)
    plate = QRectF(-size[0] / 2, -size[1] / 2, *size)
    painter.setBrush(colors.stage)
    painter.drawRoundedRect(plate, 4, 4)
    painter.setPen(theme().colors.muted)
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, name)
    painter.restore()


def _paint_choice(painter: QPainter, block: Block) -> None:
    frame = QRectF(block.area).adjusted(-6, -6, 6, 6)
    paint_frame(painter, frame, theme().colors.accent, radius=8)


def _frame_tile(painter: QPainter, tile: QRectF, color: QColor | str) -> None:
    paint_frame(painter, tile.adjusted(-2, -2, 2, 2), color)


def _frame_answers(painter: QPainter, layout: StageLayout, asked: Asked) -> None:
    """Frame the answer that is asked about, and that with which it is compared."""
    shown = asked.content.columns[-1].shown
    colors = theme().colors.series
    for unit, color in ((asked.value.unit, colors[0]), (asked.value.other, colors[1])):
        if unit in shown:
            _frame_answer(painter, layout, shown.index(unit), color)


def _frame_answer(painter: QPainter, layout: StageLayout, row: int, color: QColor | str) -> None:
    margin = layout.answers.name_width + 12
    percent = 14 + theme().px(50) if layout.answers.has_percent else 6
    bar = QRectF(layout.answers.bar_at(row))
    paint_frame(painter, bar.adjusted(-margin, -6, percent, 6), color)


def _part(whole: QRectF, area: Area, height: int, width: int) -> QRectF:
    """The place of a part of an image of this height and width that is painted at `whole`."""
    top, left, bottom, right = area
    across = whole.width() / width
    down = whole.height() / height
    left, right = max(left, 0), min(right, width)
    top, bottom = max(top, 0), min(bottom, height)
    return QRectF(
        whole.left() + left * across,
        whole.top() + top * down,
        (right - left) * across,
        (bottom - top) * down,
    )


def _paint_funnel(painter: QPainter, layout: StageLayout) -> None:
    color = QColor(theme().colors.accent)
    dark = stage_colors().stage.lightnessF() < 0.5
    color.setAlphaF(_FUNNEL[1] if dark else _FUNNEL[0])
    canvas = layout.canvas
    entry = layout.input
    corners = [
        QPointF(canvas.right() + 1, canvas.top() + 8), QPointF(entry.left(), entry.top()),
        QPointF(entry.left(), entry.bottom() + 1), QPointF(canvas.right() + 1, canvas.bottom() - 7),
    ]  # fmt: skip
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF(corners))


def _paint_numbers(painter: QPainter, content: StageContent, entry: QRect) -> None:
    """The features of an example below each other, the first eight of them."""
    count = min(content.network.input_shape[0], 8)
    height = entry.height() / count
    painter.setFont(theme().font(BODY))
    for index in range(count):
        row = QRectF(entry.left() + 8, entry.top() + index * height, entry.width() - 16, height)
        painter.setPen(theme().colors.muted)
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, feature_name(count, index))
        if content.input is not None:
            painter.setPen(theme().colors.text)
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(row, flags, number(float(content.input[index]), 3))


def _write(painter: QPainter, font: QFont, color: str, text: str, center: float, y: float) -> None:
    painter.setFont(font)
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(text)
    painter.setPen(color)
    painter.drawText(QPointF(round(center - width / 2), y + metrics.ascent()), text)
