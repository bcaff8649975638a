"""The picture of the stage, put together from images that are kept: tiles of each column, connections, captions."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPen, QPixmap, QPolygonF

from core.inspection.stage_content import Column, StageContent
from gui.stage.captions import Caption, caption, dead_sentence, thin_name
from gui.stage.colors import Atlas, StageColors, map_colors, stage_colors, unit_colors, weight_colors
from gui.stage.layout import Block, StageLayout, lay_out
from gui.stage.wires import Gap, Tone, draw_gap, look_alike, wires_into
from gui.text import number
from gui.widgets.theme import ink_table, palette, theme

BODY = 1.0  # multiples of the body text
CAPTION = 0.92
_BETWEEN = 5  # pixels between two captions
_NUDGE = 12  # pixels by which a caption may be moved to the right
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


@dataclass(frozen=True, slots=True)
class InputCaptions:
    """The words above the canvas, and above and below what the network gets."""

    canvas: str
    above: str
    below: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What a layout depends on beside the content. `text`: size of the text, 1 for 100 %. `ratio`: device pixels.

    `canvas_width`: as a multiple of its height; 0 without a canvas. `has_tools`: tools are below the columns.
    """

    size: QSize
    text: float
    ratio: float
    canvas_width: int
    name_width: int
    has_tools: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """A content as images, in its layout. `images`: of each column; `gaps`: the connections into each.

    `entry`: the input as an image; None for numbers and without an input.
    """

    content: StageContent
    tone: Tone
    frame: Frame
    layout: StageLayout
    look: StageColors
    images: tuple[QImage, ...]
    gaps: tuple[Gap, ...]
    entry: QImage | None
    atlases: tuple[Atlas | None, ...]


def draw(content: StageContent, tone: Tone, frame: Frame, before: Drawing | None) -> Drawing:
    """Draw `content`. What looks as it does in `before` is taken from there. It may run in any thread."""
    look = stage_colors()
    is_same = before is not None and before.frame == frame and before.look == look
    if is_same and before is not None and measures(before.content) == measures(content):
        layout = before.layout
    else:
        layout = _lay_out(content, frame)
        before = None
    images = []
    gaps = []
    atlases = []
    for position, column in enumerate(content.columns):
        gaps.append(_gap(content, tone, layout, position, frame.ratio, before))
        atlas = None if before is None else before.atlases[position]
        if column.thin or position == len(content.columns) - 1:
            images.append(QImage())
        else:
            atlas = _atlas(layout, column, position, frame.ratio, atlas)
            images.append(_column_image(atlas, column))
        atlases.append(atlas)
    entry = _input_image(content)
    return Drawing(content, tone, frame, layout, look, tuple(images), tuple(gaps), entry, tuple(atlases))


def measures(content: StageContent) -> object:
    """What the layout depends on."""
    shown = tuple(len(column.shown) for column in content.columns)
    return content.network, shown, content.classes


def _lay_out(content: StageContent, frame: Frame) -> StageLayout:
    return lay_out(
        content,
        frame.size,
        frame.text,
        canvas_width=frame.canvas_width,
        name_width=frame.name_width,
        has_tools=frame.has_tools,
    )


def _gap(
    content: StageContent,
    tone: Tone,
    layout: StageLayout,
    position: int,
    ratio: float,
    before: Drawing | None,
) -> Gap:
    """The connections into a column; those of `before` where they look alike."""
    links = content.links[position]
    if before is not None and before.tone == tone and look_alike(before.gaps[position].links, links):
        changed = [column.changed for column in content.columns]
        if changed == [column.changed for column in before.content.columns]:
            return before.gaps[position]
    wires = wires_into(layout, content, position, tone)
    return draw_gap(_gap_area(layout, position), links, wires, ratio)


def _gap_area(layout: StageLayout, position: int) -> QRect:
    """From the end of the last column before that at `position` to its begin, as high as the stage."""
    before = [block for block in layout.blocks[:position] if not block.thin]
    left = before[-1].area.right() + 1 if before else layout.input.right() + 1
    block = layout.blocks[position]
    right = block.area.left()
    if position == len(layout.blocks) - 1:
        right = layout.view.left() + max(layout.content_width, layout.view.width())
    if block.tiles and block.layer == layout.blocks[-1].layer:
        right = block.area.right()  # pictures in two columns
    if before and before[-1].layer == block.layer:
        left = before[-1].area.left()
    return QRect(left, 0, max(right - left + 1, 1), layout.view.height())


def _atlas(layout: StageLayout, column: Column, position: int, ratio: float, before: Atlas | None) -> Atlas:
    pictures = column.pictures
    shape = (1, 1) if pictures is None else (pictures.shape[1], pictures.shape[2])
    if before is not None and before.shape == shape:
        return before
    return Atlas(layout.blocks[position], shape, ratio)


def _column_image(atlas: Atlas, column: Column) -> QImage:
    if column.are_weights or column.are_products:
        table = weight_colors()
    else:
        table = map_colors() if atlas.shape[1] > 1 else unit_colors()
    return atlas.image(column.pictures, table, dead=column.dead, edges=stage_colors().opaque)


def _input_image(content: StageContent) -> QImage | None:
    if content.input is None or content.input.ndim != 2:
        return None
    levels = np.ascontiguousarray(np.rint(np.clip(content.input, 0, 1) * 255).astype(np.uint8))
    height, width = levels.shape
    image = QImage(levels.data, width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable(ink_table(palette(theme().colors)))
    return image.convertToFormat(QImage.Format.Format_RGB32)


class StagePicture:
    """Paints a drawing. A new one is taken over by `show`, and then column by column by `reveal`."""

    def __init__(self) -> None:
        self.drawing: Drawing | None = None
        self.offset = 0
        self._images: list[QImage] = []
        self._gaps: list[Gap] = []
        self._captions = QPixmap()
        self._caption_key: object = None

    @property
    def layout(self) -> StageLayout | None:
        return None if self.drawing is None else self.drawing.layout

    @property
    def content(self) -> StageContent | None:
        return None if self.drawing is None else self.drawing.content

    def show(self, drawing: Drawing) -> bool:
        """Take over the drawing; return whether its layout is another, so that nothing of the old one remains."""
        is_new = self.drawing is None or self.drawing.layout != drawing.layout
        self.drawing = drawing
        if is_new:
            self.offset = min(self.offset, drawing.layout.stops[-1])
            self._images = list(drawing.images)
            self._gaps = list(drawing.gaps)
        return is_new

    def reveal(self, position: int) -> None:
        """Show the column at `position` and the connections into it as they are drawn now."""
        if self.drawing is not None:
            self._images[position] = self.drawing.images[position]
            self._gaps[position] = self.drawing.gaps[position]

    # -- painting -----------------------------------------------------------------------------------------

    def paint_columns(self, painter: QPainter, marks: Marks) -> None:
        """Everything between the input and the answers."""
        layout = self.layout
        content = self.content
        if layout is None or content is None:
            return
        painter.save()
        if layout.scrolls:
            painter.setClipRect(layout.view)
            painter.translate(-self.offset, 0)
        for position, gap in enumerate(self._gaps):
            is_torn = marks.dragged >= 0 and marks.dragged in (position, position - 1)
            if not is_torn:
                painter.drawImage(QPointF(gap.area.topLeft()) + _aside(marks, position), gap.image)
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
        if block.thin:
            self._paint_thin(painter, block)
        elif not self._images[position].isNull():
            painter.drawImage(block.area.topLeft(), self._images[position])
        if self.content.columns[position].changed:
            _paint_changed(painter, block)
        if position == marks.layer:
            _paint_choice(painter, block, marks)
        painter.restore()

    def _paint_thin(self, painter: QPainter, block: Block) -> None:
        """A bar, with its name along it on a plate."""
        assert self.content is not None
        colors = stage_colors()
        font = theme().font(CAPTION)
        painter.setFont(font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.edge)
        painter.drawRoundedRect(QRectF(block.area), 2, 2)
        name = thin_name(self.content.network, block.layer)
        metrics = QFontMetrics(font)
        size = metrics.horizontalAdvance(name) + 8, metrics.height()
        painter.translate(QRectF(block.area).center())
        painter.rotate(-90)
        plate = QRectF(-size[0] / 2, -size[1] / 2, *size)
        painter.setBrush(colors.stage)
        painter.drawRoundedRect(plate, 4, 4)
        painter.setPen(QColor(theme().colors.muted))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, name)

    def paint_entry(self, painter: QPainter) -> None:
        """What the network gets: an image of its pixels or its numbers, and the funnel from the canvas to it."""
        if self.drawing is None:
            return
        layout = self.drawing.layout
        content = self.drawing.content
        colors = stage_colors()
        entry = layout.input
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not layout.canvas.isNull():
            _paint_funnel(painter, layout)
        painter.setPen(QPen(colors.edge if self.drawing.entry is None else QColor(theme().colors.border), 1))
        painter.setBrush(colors.paper)
        painter.drawRoundedRect(QRectF(entry).adjusted(-0.5, -0.5, 0.5, 0.5), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self.drawing.entry is not None:
            painter.drawImage(entry, self.drawing.entry)
        elif len(content.network.input_shape) == 1:
            _paint_numbers(painter, content, entry)

    # -- captions -----------------------------------------------------------------------------------------

    def paint_captions(self, painter: QPainter, size: QRect, captions: InputCaptions, marks: Marks) -> None:
        """The words above and below, from a pixmap that is drawn again when they change."""
        if self.drawing is None or self.content is None:
            return
        ratio = self.drawing.frame.ratio
        content = self.content
        dead = tuple(column.dead for column in self.content.columns)
        key = (
            captions, self.drawing.frame, self.drawing.look, marks.layer, self.offset, size.size(),
            content.network, content.chosen, content.input is None, dead,
        )  # fmt: skip
        if key != self._caption_key:
            self._caption_key = key
            self._captions = QPixmap(size.size() * ratio)
            self._captions.setDevicePixelRatio(ratio)
            self._captions.fill(Qt.GlobalColor.transparent)
            with QPainter(self._captions) as own:
                self._draw_captions(own, captions, marks)
        painter.drawPixmap(0, 0, self._captions)

    def _draw_captions(self, painter: QPainter, captions: InputCaptions, marks: Marks) -> None:
        assert self.layout is not None
        assert self.content is not None
        layout = self.layout
        bold = theme().font(CAPTION, bold=True)
        plain = theme().font(CAPTION)
        metrics = QFontMetrics(bold)
        colors = theme().colors
        y = layout.top - metrics.height() - round(6 * layout.scale)
        if not layout.canvas.isNull():
            middle = layout.canvas.left() + metrics.horizontalAdvance(captions.canvas) / 2
            _write(painter, bold, colors.text, captions.canvas, middle, y)
        center = layout.input.center().x()
        _write(painter, bold, colors.text, captions.above, center, y)
        _write(painter, plain, colors.muted, captions.below, center, layout.input.bottom() + 6)
        edge = center + metrics.horizontalAdvance(captions.above) / 2
        for place in _fitting(self._caption_places(), metrics, edge):
            color = colors.text if place.words.is_main else colors.muted
            if place.position == marks.layer:
                color = colors.accent
            _write(painter, bold if place.words.is_main else plain, color, place.text, place.center, y)
        for position, block in enumerate(layout.blocks):
            if self.content.columns[position].dead:
                self._draw_dead_words(painter, plain, block)

    def _caption_places(self) -> list["_CaptionPlace"]:
        """The captions of the columns that are seen, in the middle of each."""
        assert self.layout is not None
        assert self.content is not None
        layout = self.layout
        places = []
        for position, block in enumerate(layout.blocks):
            is_last = position == len(layout.blocks) - 1
            area = block.area.translated(-self.offset, 0)
            is_away = layout.scrolls and not is_last and not layout.view.contains(area)
            if block.thin or is_away:
                continue
            center = layout.answers.bar.center().x() if is_last else area.center().x()
            words = caption(self.content, position)
            places.append(_CaptionPlace(position, words, center))
        return places

    def _draw_dead_words(self, painter: QPainter, font: QFont, block: Block) -> None:
        """The sentence below a layer none of whose units answers."""
        assert self.layout is not None
        colors = theme().colors
        metrics = QFontMetrics(theme().font(CAPTION))
        width = metrics.horizontalAdvance(dead_sentence()) + 4
        center = block.area.center().x() - self.offset
        left = self.layout.view.left() + 4
        right = self.layout.view.right()
        x = min(max(center - width // 2, left), max(right - width, left))
        painter.setFont(theme().font(CAPTION))
        painter.setPen(QColor(colors.bad))
        painter.drawText(
            QRect(x, self.layout.bottom + 8, width, metrics.height()),
            Qt.AlignmentFlag.AlignCenter,
            dead_sentence(),
        )


def _paint_changed(painter: QPainter, block: Block) -> None:
    """A dashed frame around a layer that the model does not have."""
    pen = QPen(QColor(theme().colors.border), 1.5, Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawRoundedRect(QRectF(block.area).adjusted(-5.5, -5.5, 5.5, 5.5), 6, 6)


def _paint_choice(painter: QPainter, block: Block, marks: Marks) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme().colors.accent), 2))
    painter.drawRoundedRect(QRectF(block.area).adjusted(-6, -6, 6, 6), 8, 8)
    if 0 <= marks.unit < len(block.tiles):
        painter.setPen(QPen(QColor(theme().colors.text), 2))
        painter.drawRoundedRect(QRectF(block.tiles[marks.unit]).adjusted(-1, -1, 1, 1), 3, 3)


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
        painter.setPen(QColor(theme().colors.muted))
        painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, feature_name(count, index))
        if content.input is not None:
            painter.setPen(QColor(theme().colors.text))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(row, flags, number(float(content.input[index]), 3))


def feature_name(count: int, index: int) -> str:
    """`x`, `y` of a point in the plane; numbered where there are others."""
    return "xy"[index] if count == 2 else f"x{index + 1}"


def _aside(marks: Marks, position: int) -> QPointF:
    return QPointF(marks.aside.get(position, 0.0), 0)


def _write(painter: QPainter, font: QFont, color: str, text: str, center: float, y: float) -> None:
    painter.setFont(font)
    metrics = painter.fontMetrics()
    width = metrics.horizontalAdvance(text)
    painter.setPen(QColor(color))
    painter.drawText(QPointF(round(center - width / 2), y + metrics.ascent()), text)


@dataclass(frozen=True, slots=True)
class _CaptionPlace:
    """A caption above a column. `text`: what is written of it; `center`: where."""

    position: int
    words: Caption
    center: float
    text: str = ""


def _fitting(places: Sequence[_CaptionPlace], metrics: QFontMetrics, edge: float) -> Generator[_CaptionPlace]:
    """The captions with their texts: the long one, the short one where that would meet another, or nothing.

    edge: where what is written before them ends. A text may be moved a little to the right.
    """
    for index, place in enumerate(places):
        following = float("inf")
        if index + 1 < len(places):
            following = places[index + 1].center - metrics.horizontalAdvance("00") / 2
        for text in filter(None, (place.words.text, place.words.short)):
            half = metrics.horizontalAdvance(text) / 2
            center = max(place.center, edge + _BETWEEN + half)
            if center - place.center <= _NUDGE and center + half < following:
                yield replace(place, text=text, center=center)
                edge = center + half
                break
