"""The colors of the light and the dark theme, and those computed from a palette."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from PySide6.QtGui import QColor, QImage, QPalette

from core.colors import SERIES_ON_DARK, SERIES_ON_LIGHT

Role = QPalette.ColorRole


@dataclass(frozen=True, slots=True)
class Colors:
    """Hex colors of one theme."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    line: str  # between parts
    border: str  # of what can be used; it can be told from all backgrounds
    accent: str
    on_accent: str
    train_raw: str
    previous: str
    good: str
    bad: str
    notice: str  # something has changed
    good_back: str
    bad_back: str
    info_back: str
    series: tuple[str, ...]

    @property
    def train(self) -> str:
        return self.series[0]

    @property
    def test(self) -> str:
        return self.series[1]


LIGHT = Colors(
    window="#f5f6f8", base="#ffffff", raised="#ffffff", text="#1c2129", muted="#5a6472", line="#bec5cf",
    border="#7f8691", accent="#0b62c4", on_accent="#ffffff", train_raw="#5492bb", previous="#858f9d", good="#0a6b4d",
    bad="#b3261e", notice="#8a5a00", good_back="#e2f4ec", bad_back="#fdeceb", info_back="#e6f0fb",
    series=SERIES_ON_LIGHT,
)  # fmt: skip
DARK = Colors(
    window="#1f2228", base="#2a2e36", raised="#363c46", text="#e6e9ee", muted="#a8b0bd", line="#545c69",
    border="#8a92a0", accent="#6db3f8", on_accent="#0c1a29", train_raw="#5690b4", previous="#858e9d", good="#6fd3ab",
    bad="#ff9a90", notice="#f2b84b", good_back="#17352a", bad_back="#44211f", info_back="#1b324a",
    series=SERIES_ON_DARK,
)  # fmt: skip


def with_high_contrast(colors: Colors) -> Colors:
    """The theme with one background, text in black or white, and lines and hints as strong as text."""
    text = "#000000" if colors is LIGHT else "#ffffff"
    back = "#ffffff" if colors is LIGHT else "#000000"
    return replace(
        colors, window=back, base=back, raised=back, text=text, muted=text, line=text, border=text, previous=text,
        good_back=back, bad_back=back, info_back=back,
    )  # fmt: skip


def blend(first: QColor, second: QColor, fraction: float) -> QColor:
    """`first` with `fraction` (0 to 1) of `second` mixed in."""
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * fraction,
        first.greenF() + (second.greenF() - first.greenF()) * fraction,
        first.blueF() + (second.blueF() - first.blueF()) * fraction,
    )


def mix(palette: QPalette, first: Role, second: Role, fraction: float) -> QColor:
    """The palette's color `first` with `fraction` (0 to 1) of its color `second` mixed in."""
    return blend(palette.color(first), palette.color(second), fraction)


def outlined(color: QColor) -> QColor:
    """The palette's color `Window` with which the Fusion style outlines a widget in `color`."""
    return color.lighter(140)  # Fusion takes Window.darker(140)


def ink_table(palette: QPalette) -> list[int]:
    """The color table of an 8-bit image of ink: 0 is the paper (Base), 255 is full ink (Text)."""
    return list(_ink_colors(palette.color(Role.Base).rgb(), palette.color(Role.Text).rgb()))


def ink_image(levels: np.ndarray, palette: QPalette) -> QImage:
    """An image of ink, uint8 (height, width), in the colors of `ink_table`; one that is scaled smoothly."""
    height, width = levels.shape
    data = np.ascontiguousarray(levels).tobytes()
    image = QImage(data, width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable(ink_table(palette))
    return image.convertToFormat(QImage.Format.Format_RGB32)


@cache
def _ink_colors(paper: int, ink: int) -> tuple[int, ...]:
    return tuple(blend(QColor(paper), QColor(ink), level / 255).rgb() for level in range(256))
