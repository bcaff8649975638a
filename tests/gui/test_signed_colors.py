"""Blue is positive and orange negative, wherever values with a sign are shown."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QColor

from core.colors import NEGATIVE_ON_DARK, NEGATIVE_ON_LIGHT, POSITIVE_ON_DARK, POSITIVE_ON_LIGHT
from core.html.page import signed_image_tag
from core.program import FOLDER
from gui.results.plots import HeatMap
from gui.stage.colors import values_image, weight_colors
from gui.widgets.theme import theme


def page_file(name):
    return (FOLDER / "resources" / "page" / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("scheme", "negative", "positive"),
    [("light", NEGATIVE_ON_LIGHT, POSITIVE_ON_LIGHT), ("dark", NEGATIVE_ON_DARK, POSITIVE_ON_DARK)],
)
def test_the_window_paints_them(qtbot, scheme, negative, positive):
    theme().choose(scheme)
    image = values_image(np.array([[-1.0, 1.0]]), 1.0, weight_colors())
    assert [image.pixelColor(x, 0).name() for x in (0, 1)] == [negative, positive]
    plot = HeatMap("Error", "errors", "", diverging=True)
    qtbot.addWidget(plot)
    ends = [QColor(*plot._map.map(value, "byte")).name() for value in (0.0, 1.0)]
    assert ends == [negative, positive]
    theme().choose("light")


def test_a_page_to_draw_on_has_them_in_both_themes():
    found = re.findall(r"--positive: (#\w+); --negative: (#\w+);", page_file("page.css"))
    light, dark = (POSITIVE_ON_LIGHT, NEGATIVE_ON_LIGHT), (POSITIVE_ON_DARK, NEGATIVE_ON_DARK)
    assert found == [light, dark, dark]
    assert "share < 0 ? colors.negative : colors.positive" in page_file("stage.js")
    assert "blue adds, orange takes away" in page_file("draw.html")


def test_a_report_has_them():
    tag = signed_image_tag(np.array([[-1.0, 1.0]]), "weights")
    data = base64.b64decode(re.search(r"base64,([^\"]+)", tag)[1])
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert ["#" + bytes(pixel).hex() for pixel in pixels[0].tolist()] == [
        NEGATIVE_ON_LIGHT,
        POSITIVE_ON_LIGHT,
    ]


def test_no_text_of_the_program_says_the_reverse():
    """The report's words stood beside its new colors as they were before."""
    reverse = re.compile(r"orange( is|:) positive|blue( is|:) negative", re.IGNORECASE)
    folders = (FOLDER / name for name in ("core", "gui", "kernels", "resources", "docs"))
    paths = [path for folder in folders for path in folder.rglob("*")]
    texts = [path for path in paths if path.suffix in (".py", ".html", ".js", ".css", ".md")]
    assert [path.name for path in texts if reverse.search(path.read_text("utf-8"))] == []
