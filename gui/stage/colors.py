"""The colors of the stage, and values as images in them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from gui.stage.layout import Block
from gui.widgets.theme import Colors, blend, ink_table, palette, theme

ZERO = 127
"""The level of 0 in an image of values."""

FADED = 0.02  # share of the largest value below which a tile gets an edge
_GAMMA = 0.7  # of outputs: the power, and the share from which on the color becomes deep
_FULL = 0.65


@dataclass(frozen=True, slots=True)
class StageColors:
    """What the theme's colors become on the stage. `opaque`: high contrast, in which nothing shines
    through. `positive`, `negative`: what speaks for and against, or of errors what is too much and
    too little.
    """

    stage: QColor
    paper: QColor
    positive: QColor
    negative: QColor
    deep: QColor
    edge: QColor
    mark: QColor
    track: QColor
    opaque: bool


def stage_colors(*, errors: bool = False) -> StageColors:
    return _stage_colors(theme().colors, errors)


@cache
def _stage_colors(colors: Colors, errors: bool) -> StageColors:
    base = QColor(colors.base)
    text = QColor(colors.text)
    dark = base.lightnessF() < 0.5
    # Only the themes with high contrast have one color for both.
    opaque = colors.base == colors.window
    positive = QColor(colors.too_much if errors else colors.series[0])
    deep = blend(positive, QColor("white"), 0.85) if dark else blend(positive, QColor("black"), 0.5)
    paper = (
        blend(base, QColor("black"), 0.28)
        if dark
        else blend(base, blend(text, QColor(colors.accent), 0.6), 0.07)
    )
    if opaque:
        paper = base
    return StageColors(
        stage=base,
        paper=paper,
        positive=positive,
        negative=QColor(colors.too_little if errors else colors.series[1]),
        deep=deep,
        edge=blend(base, text, 0.46)
        if opaque
        else blend(base, blend(text, QColor(colors.accent), 0.3), 0.17),
        mark=blend(base, text, 0.5),
        track=paper if opaque else blend(base, blend(text, QColor(colors.accent), 0.3), 0.11),
        opaque=opaque,
    )


def map_colors() -> np.ndarray:
    """The color table of maps, uint32 (256,): the larger an output, the bluer and then the deeper;
    negative ones orange.
    """
    return _table(theme().colors, _GAMMA, _FULL)


def ink_colors() -> np.ndarray:
    """The color table of the pixels of a drawing."""
    table = np.array(ink_table(palette(theme().colors)), np.uint32)
    shares = np.clip((np.arange(256) - ZERO) / 126, 0, 1)
    return table[np.rint(255 * shares).astype(int)]


def unit_colors() -> np.ndarray:
    """The color table of units: as that of maps, but the largest output is blue."""
    return _table(theme().colors, _GAMMA, 1.0)


def weight_colors() -> np.ndarray:
    """The color table of weights: blue raises, orange lowers."""
    return _table(theme().colors, 1.0, 1.0)


def error_colors() -> np.ndarray:
    """The color table of errors: what is too much, and what is too little."""
    return _table(theme().colors, _GAMMA, 1.0, errors=True)


@cache
def _table(theme_colors: Colors, gamma: float, full: float, *, errors: bool = False) -> np.ndarray:
    """full: the share of the largest value that has the full blue; above it the color becomes
    deep.
    """
    colors = _stage_colors(theme_colors, errors)
    table = []
    for level in range(256):
        # 127 ± 126: 0 has a level of its own, and thereby exactly the color of paper.
        value = (level - ZERO) / 126
        share = min(abs(value), 1.0) ** gamma
        if value < 0:
            color = blend(colors.paper, colors.negative, share)
        elif share <= full:
            color = blend(colors.paper, colors.positive, share / full)
        else:
            color = blend(colors.positive, colors.deep, (share - full) / (1 - full))
        table.append(color.rgba())
    return np.array(table, np.uint32)


def tiles_image(
    block: Block,
    values: np.ndarray | None,
    table: np.ndarray,
    ratio: float,
    *,
    edges: bool = False,
) -> QImage:
    """The tiles of a block: `values`, float32 (tiles, height, width), as images; None for empty
    ones.

    ratio: device pixels. edges: around each tile, and not only around those of about 0.
    """
    image = QImage(block.area.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    if values is None:
        values = np.zeros((len(block.tiles), 1, 1), np.float32)
    values = np.nan_to_num(values)  # of a network that diverged
    bound = largest(values) or 1.0
    height, width = values.shape[1:]
    # All tiles in one image, below each other: one conversion in place of one for each.
    pixels = values_image(values.reshape(-1, width), bound, table)
    faded = np.abs(values).max(axis=(1, 2)) < FADED * bound
    tiles = [QRectF(tile) for tile in block.tiles]
    shape = QPainterPath()
    for tile in tiles:
        radius = min(3, tile.width() / 6)
        shape.addRoundedRect(tile, radius, radius)
    with QPainter(image) as painter:
        painter.translate(-block.area.topLeft())
        painter.setClipPath(shape)
        for index, tile in enumerate(tiles):
            painter.drawImage(tile, pixels, QRectF(0, index * height, width, height))
            if edges or faded[index]:
                painter.setPen(stage_colors().edge)
                painter.drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
    return image


def largest(*arrays: np.ndarray | None) -> float:
    """The largest magnitude in all of these."""
    return max(
        (float(np.abs(np.nan_to_num(each)).max(initial=0)) for each in arrays if each is not None),
        default=0.0,
    )


def values_image(values: np.ndarray, bound: float, table: np.ndarray) -> QImage:
    """One pixel for each of float (rows, columns); `bound` has the full color."""
    scaled = np.rint(values * np.float32(126 / (bound or 1.0)))
    scaled[np.isnan(scaled)] = 0
    levels = np.minimum(np.maximum(scaled, -126), 126).astype(int) + ZERO
    pixels = np.ascontiguousarray(table[levels])
    height, width = pixels.shape
    form = QImage.Format.Format_ARGB32_Premultiplied
    # `pixels` ends here, and the image refers to it until it is copied.
    return QImage(pixels.data, width, height, pixels.strides[0], form).copy()
