"""A content as images: the input, the tiles of each column, the connections into it. It may run in
any thread.
"""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from core.inspection.stage_content import Column, StageContent
from gui.stage.colors import (
    StageColors,
    error_colors,
    map_colors,
    stage_colors,
    tiles_image,
    unit_colors,
    weight_colors,
)
from gui.stage.layout import Block, Frame, StageLayout, lay_out
from gui.stage.wires import Gap, Tone, draw_gap, look_alike, wires_into
from gui.widgets.theme import ink_image, palette, theme


@dataclass(frozen=True, slots=True)
class Drawing:
    """A content as images, in its layout. `images`: of each column; `gaps`: the connections into
    each.

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


def draw(content: StageContent, tone: Tone, frame: Frame, before: Drawing | None) -> Drawing:
    """Draw `content`. What looks as it does in `before` is taken from there. It may run in any
    thread.
    """
    look = stage_colors()
    is_same = before is not None and before.frame == frame and before.look == look
    if is_same and before is not None and measures(before.content) == measures(content):
        layout = before.layout
    else:
        layout = lay_out(content, frame)
        before = None
    images = []
    gaps = []
    for position, column in enumerate(content.columns):
        gaps.append(_gap(content, tone, layout, position, frame.ratio, before))
        block = layout.blocks[position]
        images.append(_column_image(block, column, tone, frame.ratio) if block.tiles else QImage())
    entry = _input_image(content)
    return Drawing(content, tone, frame, layout, look, tuple(images), tuple(gaps), entry)


def measures(content: StageContent) -> object:
    """What the layout depends on."""
    shown = tuple(len(column.shown) for column in content.columns)
    return content.network, shown, content.classes


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
    if (
        before is not None
        and before.tone == tone
        and look_alike(before.gaps[position].links, links)
    ):
        return before.gaps[position]
    wires = wires_into(layout, content, position, tone)
    return draw_gap(_gap_area(layout, position), links, wires, ratio, errors=tone.errors)


def _gap_area(layout: StageLayout, position: int) -> QRect:
    """From the end of the last column before that at `position` to its begin, as high as the
    stage.
    """
    before = layout.before(position)
    left = (layout.input if before is None else before.area).right() + 1
    block = layout.blocks[position]
    right = block.area.left()
    if position == len(layout.blocks) - 1:
        right = layout.view.right()
    return QRect(left, 0, max(right - left + 1, 1), layout.view.height())


def _column_image(block: Block, column: Column, tone: Tone, ratio: float) -> QImage:
    pictures = column.pictures
    if tone.errors:
        table = error_colors()
    elif column.are_weights or column.are_products:
        table = weight_colors()
    else:
        is_map = pictures is not None and pictures.shape[2] > 1
        table = map_colors() if is_map else unit_colors()
    edges = stage_colors().opaque
    return tiles_image(block, pictures, table, ratio, edges=edges)


def _input_image(content: StageContent) -> QImage | None:
    if content.input is None or content.input.ndim != 2:
        return None
    levels = np.rint(np.clip(content.input, 0, 1) * 255).astype(np.uint8)
    return ink_image(levels, palette(theme().colors))
