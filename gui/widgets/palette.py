"""Colors computed from a palette, for widgets that paint themselves in light and dark themes."""

from PySide6.QtGui import QColor, QPalette

Role = QPalette.ColorRole


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
    paper, ink = palette.color(Role.Base), palette.color(Role.Text)
    return [blend(paper, ink, level / 255).rgb() for level in range(256)]
