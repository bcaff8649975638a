"""The ink of photographs: uneven light, ruled lines, things at the border, dark tables."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from core.drawing.ink import gray_of, plain_ink
from core.drawing.picture import GrayPicture, read_gray

SIZE = (640, 480)
RING = (260, 160, 380, 340)


def page(*, lines=0, ink=40, paper=235):
    """A page with a ring on it, as gray from 0 to 255."""
    image = Image.new("L", SIZE, paper)
    draw = ImageDraw.Draw(image)
    for y in range(20, SIZE[1], lines or SIZE[1]):
        draw.line((0, y, SIZE[0], y + 8), fill=paper - 60, width=2)
    draw.ellipse(RING, outline=ink, width=16)
    return np.asarray(image, np.float32)


def shaded(values):
    """Light that falls off to the right, and noise."""
    fall = np.linspace(1, 0.35, values.shape[1], dtype=np.float32)
    noise = np.random.default_rng(0).normal(0, 3, values.shape)
    return np.clip(values * fall + noise, 0, 255).astype(np.uint8)


def box_of(picture):
    """The box of the ink in the whole picture."""
    rows, columns = np.nonzero(picture.ink > 0.5)
    return (columns.min() + picture.left, rows.min() + picture.top,
            columns.max() + picture.left, rows.max() + picture.top)  # fmt: skip


def picture_of(values):
    return GrayPicture(gray_of(values)).picture()


@pytest.mark.parametrize("lines", [0, 40], ids=["plain", "ruled"])
@pytest.mark.parametrize("inverted", [False, True], ids=["dark", "light"])
def test_uneven_light_and_ruled_lines_are_removed(lines, inverted):
    values = shaded(page(lines=lines))
    picture = picture_of(255 - values if inverted else values)
    np.testing.assert_allclose(box_of(picture), RING, atol=4)
    assert (picture.width, picture.height) == SIZE
    share = (picture.ink > 0.5).sum() / (page() < 100).sum()
    assert 0.85 < share < 1.15


def test_components_at_the_border_are_dropped():
    values = shaded(page())
    values[:30] = 20
    values[100:300, :40] = 10
    np.testing.assert_allclose(box_of(picture_of(values)), RING, atol=4)


def test_paper_on_a_dark_table_is_not_ink():
    values = np.full((SIZE[1], SIZE[0]), 60, np.uint8)
    values[20:-20, 20:-20] = page().astype(np.uint8)[20:-20, 20:-20]
    np.testing.assert_allclose(box_of(picture_of(values)), RING, atol=4)


def test_a_drawing_on_plain_paper_is_left_as_it_is():
    values = page().astype(np.uint8)
    picture = picture_of(values)
    np.testing.assert_array_equal(picture.ink, plain_ink(gray_of(values)))
    assert (picture.left, picture.top) == (0, 0)


def test_uneven_paper_without_ink_has_none():
    paper = shaded(np.full((SIZE[1], SIZE[0]), 235, np.float32))
    assert not picture_of(paper).ink.any()


def test_a_photograph_in_a_file(tmp_path):
    Image.fromarray(shaded(page(lines=40))).convert("RGB").save(tmp_path / "photo.jpg", quality=60)
    np.testing.assert_allclose(box_of(read_gray(tmp_path / "photo.jpg").picture()), RING, atol=5)


@pytest.mark.parametrize("shade", [False, True], ids=["drawn", "photograph"])
def test_a_frame_or_grid_is_not_ink_and_what_crosses_it_is(shade):
    image = Image.fromarray(page().astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for edge in (60, 300, 580):
        draw.line((edge, 100, edge + 10, 400), fill=40, width=6)
    for edge in (100, 400):
        draw.line((60, edge, 590, edge + 8), fill=40, width=6)
    values = np.asarray(image, np.float32)
    picture = picture_of(shaded(values) if shade else values)
    np.testing.assert_allclose(box_of(picture), RING, atol=4)


def test_a_frame_that_holds_nothing_stays():
    image = Image.new("L", SIZE, 235)
    ImageDraw.Draw(image).rectangle(RING, outline=40, width=16)
    np.testing.assert_allclose(box_of(picture_of(np.asarray(image))), RING, atol=1)
