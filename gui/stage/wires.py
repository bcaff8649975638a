"""The connections of the stage: where each begins and ends, how strong it is drawn, and a pixmap
for each gap.
"""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from core.inspection.stage_content import Links, StageContent
from gui.stage.colors import StageColors, stage_colors
from gui.stage.layout import Block, StageLayout

# Share of the strongest connection by which one has to change before its gap is drawn again.
CHANGED = 0.02
STRONG = 0.5  # share of the strongest from which on a connection is opaque
EMPTY = 0.34  # opacity without an input, and for what is no digit
UNREAD = 0.5
OTHERS = 0.45  # opacity of connections to other answers
WIDE = (
    # Share of the height from which on a gap has room for all connections, and the least share of
    # them.
    0.45
)
LEAST = 0.5
AT_REST = 0.6  # share of the connections that are drawn without an input
FEW = 10  # connections that are always drawn
_CURVE = 0.45  # of the width of the gap: where the control points lie


@dataclass(frozen=True, slots=True)
class Tone:
    """How strong all connections are. `answer`: position of the answer among the rows; -1 for none.

    `has_input`: they are contributions, and not weights alone. `errors`: what goes back, in colors
    of its own and with arrows to the left.
    """

    opacity: float = 1.0
    answer: int = -1
    has_input: bool = True
    errors: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """A connection from `start` to `end`. `share`: of the strongest one, -1 to 1; 0 for a plain
    line.
    """

    start: QPointF
    end: QPointF
    share: float
    opacity: float
    width: float
    straight: bool = False

    def path(self) -> QPainterPath:
        path = QPainterPath(self.start)
        if self.straight:
            path.lineTo(self.end)
            return path
        reach = (self.end.x() - self.start.x()) * _CURVE
        across = QPointF(reach, 0)
        path.cubicTo(self.start + across, self.end - across, self.end)
        return path


def wires_into(layout: StageLayout, content: StageContent, position: int, tone: Tone) -> list[Wire]:
    """The connections into the column at `position`, those to be painted last at the end."""
    column = content.columns[position]
    if column.thin:
        return []
    block = layout.blocks[position]
    before = layout.before(position)
    links = content.links[position]
    if links is None:
        return [] if before is None else _straight(before, block, tone)
    is_last = position == len(content.columns) - 1
    left = (layout.input if before is None else before.area).right()
    right = layout.answers.left if is_last else block.area.left()
    kept = _kept(links, (right - left) / layout.side, tone, stage_colors())
    order = _in_order(links, kept, is_last, tone)
    return [_wire(layout, content, position, links, index, tone) for index in order]


def lit_wires(
    layout: StageLayout, content: StageContent, position: int, links: Links
) -> list[Wire]:
    """The connections into the column at `position` that are lit, the strongest last."""
    order = np.argsort(np.abs(links.contributions), kind="stable").tolist()
    wires = [_wire(layout, content, position, links, index, Tone()) for index in order]
    return [replace(wire, opacity=0.9) for wire in wires]


def _wire(
    layout: StageLayout,
    content: StageContent,
    position: int,
    links: Links,
    index: int,
    tone: Tone,
) -> Wire:
    """One connection into the column at `position`."""
    is_last = position == len(layout.blocks) - 1
    share = float(links.contributions[index])
    target = int(links.targets[index])
    emphasis = 1.0
    if is_last and tone.answer >= 0:
        emphasis = 2.0 if target == tone.answer else OTHERS
    return Wire(
        _start(layout, layout.before(position), links, index),
        _end(layout, layout.blocks[position], target, share, is_last=is_last),
        share,
        _opacity(share, tone, emphasis),
        _width(share, layout.scale, tone),
        straight=content.links[position] is None,
    )


def paint_wires(
    painter: QPainter, wires: list[Wire], *, errors: bool = False, arrows: bool = False
) -> None:
    """errors: in their colors; arrows: with one at the left end of each."""
    colors = stage_colors(errors=errors)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for wire in wires:
        pen = _pen(wire, colors)
        painter.setPen(pen)
        painter.drawPath(wire.path())
        if arrows and wire.share:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            painter.drawPolygon(_arrow(wire))
            painter.setBrush(Qt.BrushStyle.NoBrush)


def _arrow(wire: Wire) -> QPolygonF:
    """A triangle at the left end of a connection, which points to the left."""
    length = 4 + 1.5 * wire.width
    back = wire.start + QPointF(length, 0)
    across = QPointF(0, length / 2)
    return QPolygonF([wire.start, back + across, back - across])


def _kept(links: Links, width: float, tone: Tone, colors: StageColors) -> list[int]:
    """Indices of the connections that are drawn: fewer in a narrow gap, without an input and in
    high contrast.

    width: of the gap as a share of its height. A few connections, such as one for each map, are all
    drawn.
    """
    count = len(links.contributions)
    share = min(max(width / WIDE, LEAST), 1.0)
    if not tone.has_input:
        share *= AT_REST
    if colors.opaque:
        share = min(share, 0.5)
    most = max(round(count * share), FEW)
    if count <= most:
        return list(range(count))
    strength = np.abs(links.contributions)
    into_answer = links.targets == tone.answer
    kept: list[int] = []
    for group in (into_answer, ~into_answer):  # both are thinned out alike
        members = np.flatnonzero(group)
        strongest = members[np.argsort(-strength[members], kind="stable")]
        kept += strongest[: ceil(len(members) * most / count)].tolist()
    return kept


def _in_order(links: Links, kept: list[int], is_last: bool, tone: Tone) -> list[int]:
    """Indices of the connections: what raises over what lowers, and those into the answer over all
    others.
    """
    order = sorted(kept, key=lambda index: float(links.contributions[index]))
    if is_last and tone.answer >= 0:
        order.sort(key=lambda index: int(links.targets[index]) == tone.answer)
    return order


def _opacity(share: float, tone: Tone, emphasis: float) -> float:
    if share == 0:
        return 0.35
    strength = abs(share)
    if strength >= STRONG:
        opacity = 0.8
    elif share > 0:
        opacity = 0.25 + 0.6 * strength
    else:
        opacity = 0.16 + 0.5 * strength
    if emphasis > 1:
        opacity = max(opacity, 0.8)
    elif emphasis < 1:
        opacity *= emphasis
    return opacity * tone.opacity


def _width(share: float, scale: float, tone: Tone) -> float:
    if share == 0:
        return 1.0
    thickness = 2.8 if tone.has_input else 2.0
    return 0.7 + thickness * abs(share) * (1 + (scale - 1) * 0.7)


def _start(layout: StageLayout, before: Block | None, links: Links, index: int) -> QPointF:
    source = int(links.sources[index])
    if before is None:
        entry = layout.input
        if links.rows == len(layout.blocks[0].tiles):  # each map gets the whole image: a fan
            y = entry.center().y() + (source - (links.rows - 1) / 2) * entry.height() / (
                links.rows + 1
            )
        else:
            y = entry.top() + (source + 0.5) / max(links.rows, 1) * entry.height()
        return QPointF(entry.right() + 1, y)
    return QPointF(before.area.right() + 1, before.tiles[source].center().y() + 0.5)


def _end(layout: StageLayout, block: Block, target: int, share: float, *, is_last: bool) -> QPointF:
    if is_last:
        shift = -3.0 if share > 0 else 4.0
        return QPointF(layout.answers.left, layout.answers.rows[target] + shift)
    tile = block.tiles[target]
    shift = 0.0
    if tile.width() < 20 * layout.scale:
        shift = -2.0 if share > 0 else 2.0
    elif block.area.width() > 1.5 * tile.width():
        shift = -5.0 if tile.left() == block.area.left() else 5.0
    return QPointF(block.area.left(), tile.center().y() + 0.5 + shift)


def _straight(before: Block, block: Block, tone: Tone) -> list[Wire]:
    """A line for each row of maps that lead to those beside them."""
    opacity = 0.1 + 0.35 * tone.opacity
    heights = {tile.center().y() + 0.5 for tile in block.tiles}
    return [
        Wire(
            QPointF(before.area.right() + 1, y),
            QPointF(block.area.left(), y),
            0.0,
            opacity,
            1.0,
            True,
        )
        for y in heights
    ]


@dataclass(frozen=True, slots=True)
class Gap:
    """The connections into one column as an image, which lies at `area`."""

    area: QRect
    links: Links | None
    image: QImage


def draw_gap(
    area: QRect, links: Links | None, wires: list[Wire], ratio: float, *, errors: bool = False
) -> Gap:
    """Draw `wires`, which are made of `links`."""
    image = QImage(area.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.translate(-area.topLeft())
        paint_wires(painter, wires, errors=errors, arrows=errors)
    return Gap(area, links, image)


def _pen(wire: Wire, colors: StageColors) -> QPen:
    color = QColor(colors.negative if wire.share < 0 else colors.positive)
    if wire.share == 0 and not wire.straight:
        color = QColor(colors.mark)
    color.setAlphaF(1.0 if colors.opaque else wire.opacity)
    return QPen(color, wire.width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)


def look_alike(first: Links | None, second: Links | None) -> bool:
    """Whether connections differ so little that their gap needs not be drawn again."""
    if first is None or second is None:
        return first is second
    if not np.array_equal(first.sources, second.sources) or not np.array_equal(
        first.targets, second.targets
    ):
        return False
    return bool(np.abs(first.contributions - second.contributions).max(initial=0) <= CHANGED)
