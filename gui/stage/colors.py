"""The colors of the stage, and values as images in them."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage

from gui.stage.layout import Block
from gui.widgets.theme import Colors, blend, ink_table, palette, theme

CLEAR = 0
ZERO = 127
EDGE = 254
MARK = 255
"""Levels of an image of values: outside of a tile, the value 0, the edge of a tile, the diagonal of
a dead unit.
"""

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


def map_colors() -> list[int]:
    """The color table of maps: the larger an output, the bluer and then the deeper; negative ones
    orange.
    """
    return list(_table(theme().colors, _GAMMA, _FULL))


def ink_colors() -> list[int]:
    """The color table of the pixels of a drawing."""
    table = ink_table(palette(theme().colors))
    return [table[round(min(max(level - ZERO, 0) / 126, 1) * 255)] for level in range(256)]


def unit_colors() -> list[int]:
    """The color table of units: as that of maps, but the largest output is blue."""
    return list(_table(theme().colors, _GAMMA, 1.0))


def weight_colors() -> list[int]:
    """The color table of weights: blue raises, orange lowers."""
    return list(_table(theme().colors, 1.0, 1.0))


def error_colors() -> list[int]:
    """The color table of errors: what is too much, and what is too little."""
    return list(_table(theme().colors, _GAMMA, 1.0, errors=True))


@cache
def _table(
    theme_colors: Colors, gamma: float, full: float, *, errors: bool = False
) -> tuple[int, ...]:
    """full: the share of the largest value that has the full blue; above it the color becomes
    deep.
    """
    colors = _stage_colors(theme_colors, errors)
    table = []
    for level in range(256):
        value = (level - ZERO) / 126
        share = min(abs(value), 1.0) ** gamma
        if value < 0:
            color = blend(colors.paper, colors.negative, share)
        elif share <= full:
            color = blend(colors.paper, colors.positive, share / full)
        else:
            color = blend(colors.positive, colors.deep, (share - full) / (1 - full))
        table.append(color.rgba())
    table[CLEAR] = 0
    table[EDGE] = colors.edge.rgba()
    table[MARK] = colors.mark.rgba()
    return tuple(table)


class Atlas:
    """The tiles of a block as one image of device pixels. shape: (height, width) of the values of
    one tile.
    """

    def __init__(self, block: Block, shape: tuple[int, int], ratio: float) -> None:
        area = block.area
        self.area = area
        self.shape = shape
        self.ratio = ratio
        size = round(area.height() * ratio), round(area.width() * ratio)
        self._inside = np.zeros(size, bool)
        self._edge = np.zeros(size, bool)
        self._diagonal = np.zeros(size, bool)
        self._tile = np.zeros(size, np.int32)
        self._source = np.zeros(size, np.int32)
        for index, tile in enumerate(block.tiles):
            self._place(index, tile, shape)

    def _place(self, index: int, tile: QRect, shape: tuple[int, int]) -> None:
        left = round((tile.left() - self.area.left()) * self.ratio)
        top = round((tile.top() - self.area.top()) * self.ratio)
        right = round((tile.right() + 1 - self.area.left()) * self.ratio)
        bottom = round((tile.bottom() + 1 - self.area.top()) * self.ratio)
        part = slice(top, bottom), slice(left, right)
        height, width = self._inside[part].shape
        rows = np.arange(height) * shape[0] // height
        columns = np.arange(width) * shape[1] // width
        self._source[part] = (index * shape[0] + rows[:, None]) * shape[1] + columns
        self._tile[part] = index
        inside = _rounded(height, width, min(3 * self.ratio, width / 6))
        self._inside[part] = inside
        padded = np.pad(inside, 1)
        inner = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
        self._edge[part] = inside & ~inner
        across = np.abs(np.arange(height)[:, None] * width - np.arange(width) * height) / height
        self._diagonal[part] = inside & (across <= self.ratio / 2)

    def image(
        self, values: np.ndarray | None, table: list[int], *, dead: bool, edges: bool
    ) -> QImage:
        """The image of `values`, float32 (tiles, height, width); None for empty tiles.

        dead: with a diagonal through each tile. edges: around each tile, and not only around those
        of about 0.
        """
        pixels = np.full(self._inside.shape, ZERO, np.uint8)
        edge = self._edge
        if values is not None:
            values = np.nan_to_num(values)  # of a network that diverged
            bound = largest(values) or 1.0
            scaled = values * np.float32(126 / bound)
            levels = (np.rint(scaled) + ZERO).astype(np.uint8)
            pixels = levels.ravel()[self._source]
            if not edges:
                faded = np.abs(values).max(axis=(1, 2)) < FADED * bound
                edge = edge & faded[self._tile]
        if dead:
            pixels[self._diagonal] = MARK
        pixels[edge] = EDGE
        pixels[~self._inside] = CLEAR
        return _image(pixels, table, self.ratio)


def largest(*arrays: np.ndarray | None) -> float:
    """The largest magnitude in all of these."""
    return max(
        (float(np.abs(np.nan_to_num(each)).max(initial=0)) for each in arrays if each is not None),
        default=0.0,
    )


def values_image(values: np.ndarray, bound: float, table: list[int]) -> QImage:
    """One pixel for each of float (rows, columns); `bound` has the full color."""
    scaled = np.nan_to_num(values * np.float32(126 / (bound or 1.0)))
    levels = (np.clip(np.rint(scaled), -126, 126) + ZERO).astype(np.uint8)
    return _image(levels, table, 1.0)


def _rounded(height: int, width: int, radius: float) -> np.ndarray:
    """bool (height, width): a rectangle with rounded corners."""
    down = _beyond(height, radius)
    across = _beyond(width, radius)
    return np.hypot(down[:, None], across) <= radius


def _beyond(length: int, radius: float) -> np.ndarray:
    """How far each pixel of a side is beyond the center of the nearest corner's circle, at least
    0.
    """
    place = np.arange(length) + 0.5
    return np.maximum(np.maximum(radius - place, place - (length - radius)), 0)


def _image(pixels: np.ndarray, table: list[int], ratio: float) -> QImage:
    """uint8 (height, width) in the colors of `table`."""
    height, width = pixels.shape
    data = np.ascontiguousarray(pixels)
    indexed = QImage(data.data, width, height, width, QImage.Format.Format_Indexed8)
    indexed.setColorTable(table)
    image = indexed.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    return image
