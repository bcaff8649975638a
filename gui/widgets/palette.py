"""Colours between two roles of a palette, so that what we paint ourselves fits light and dark."""

from PySide6.QtGui import QColor, QPalette

Role = QPalette.ColorRole


def mix(palette: QPalette, first: Role, second: Role, share: float) -> QColor:
    """`first` with `share` (0 to 1) of `second` in it."""
    return _between(palette.color(first), palette.color(second), share)


def ink_table(palette: QPalette) -> list[int]:
    """The colours of 0 (paper) to 255 (ink) for an 8-bit indexed image."""
    paper, ink = palette.color(Role.Base), palette.color(Role.Text)
    return [_between(paper, ink, level / 255).rgb() for level in range(256)]


def _between(a: QColor, b: QColor, share: float) -> QColor:
    return QColor.fromRgbF(
        a.redF() + (b.redF() - a.redF()) * share,
        a.greenF() + (b.greenF() - a.greenF()) * share,
        a.blueF() + (b.blueF() - a.blueF()) * share,
    )
