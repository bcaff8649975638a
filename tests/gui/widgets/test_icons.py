"""Icons take the colors of the theme."""

import pytest
from PySide6.QtGui import QColor, QIcon

from gui.widgets.pictures import ICONS, themed_icon

NAMES = sorted({path.stem for path in ICONS.glob("*.svg")} - {"digitlab"})


def opaque_colors(icon, mode):
    image = icon.pixmap(72, 72, mode).toImage()
    pixels = [image.pixelColor(x, y) for x in range(72) for y in range(72)]
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_has_only_the_color_of_its_state(qapp, name):
    icon = themed_icon(name, "#102030", QColor("#405060"))
    assert opaque_colors(icon, QIcon.Mode.Normal) == {"#102030"}
    assert opaque_colors(icon, QIcon.Mode.Disabled) == {"#405060"}


def test_a_translucent_color_stays_translucent(qapp):
    icon = themed_icon("stop", "#000000", QColor(0, 0, 0, 100))
    assert icon.pixmap(72, 72, QIcon.Mode.Disabled).toImage().pixelColor(36, 36).alpha() == 100
