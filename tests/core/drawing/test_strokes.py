from itertools import pairwise

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.data.synthetic.pen import write
from core.drawing import rendering
from core.drawing.ink import normalize, thickness
from core.drawing.rendering import FEW, MIN_ASPECT, normalized, paint, render, render_strokes
from core.drawing.strokes import PenStroke, Polylines, join, smooth, visible
from core.errors import InputError

SEVEN = np.array([[60.0, 40], [180, 40], [140, 140], [100, 240]])


def pen(points, width=20.0, erases=False):
    return PenStroke(np.asarray(points, float), width, erases)


def painted(strokes, side=280):
    ink = np.zeros((side, side), np.uint8)
    for stroke in strokes:
        radii = np.full(len(stroke.points) - 1, stroke.width / 2)
        paint(ink, stroke.points[:-1], stroke.points[1:], radii)
    return ink


def difference(a, b):
    return np.abs(a.astype(int) - b).mean()


# -- rendering -------------------------------------------------------------------------------------


def test_strokes_give_the_image_that_mnists_steps_give_their_ink():
    image = render_strokes([pen(SEVEN)], 280)
    assert image.shape == (28, 28)
    assert image.max() == 255
    assert difference(image, normalize(painted([pen(smooth(SEVEN), 24)]))) < 3


@pytest.mark.parametrize("width", [4, 10, 40])
@pytest.mark.parametrize("scale", [0.2, 1])
def test_neither_size_nor_pen_nor_place_changes_the_image(width, scale):
    moved = SEVEN * scale + 20 * (scale < 1)
    assert (
        difference(render_strokes([pen(moved, width)], 280), render_strokes([pen(SEVEN)], 280))
        < 0.5
    )


@pytest.mark.parametrize("aspect", [0.2, 0.3, 0.5])
def test_a_narrow_digit_is_widened_to_a_third_of_its_height(aspect):
    low, high = SEVEN.min(axis=0), SEVEN.max(axis=0)
    narrow = (SEVEN - low) / (high - low) * (aspect * 200, 200) + 30
    held = (SEVEN - low) / (high - low) * (max(aspect, MIN_ASPECT) * 200, 200) + 30
    assert difference(render_strokes([pen(narrow)], 280), render_strokes([pen(held)], 280)) < 0.5


def test_a_line_stays_a_line():
    image = render_strokes([pen([[100, 40], [104, 140], [102, 240]])], 280)
    assert np.ptp(np.nonzero(image.max(axis=0))[0]) < 5


def test_a_dot_is_refused():
    assert render_strokes([], 280) is None
    assert render_strokes([pen([[100, 100]])], 280) is None
    assert render_strokes([pen([[100, 100], [106, 104]], 40)], 280) is None


def test_a_dot_beside_a_line_is_drawn():
    line = pen([[100, 80], [100, 200]])
    with_dot = render_strokes([line, pen([[140, 80]])], 280)
    assert np.ptp(np.nonzero(with_dot)[1]) > np.ptp(np.nonzero(render_strokes([line], 280))[1])


def test_the_curve_begins_and_ends_with_the_stroke_and_stays_near_its_points():
    curve = smooth(SEVEN)
    np.testing.assert_array_equal(curve[[0, -1]], SEVEN[[0, -1]])
    for point in SEVEN:
        assert np.hypot(*(curve - point).T).min() < 60


def test_the_eraser_cuts_strokes():
    line, across = pen([[100, 40], [100, 240]]), pen([[60, 140], [140, 140]], 40, erases=True)
    upper, lower = visible([line, across], 280)
    assert upper[:, 1].max() == pytest.approx(120 - 13, abs=3)  # less half the pen's width
    assert lower[:, 1].min() == pytest.approx(160 + 13, abs=3)
    image = render_strokes([line, across], 280)
    assert not image[13:15].any()
    assert image[10].any()
    assert len(visible([across, line], 280)) == 1
    assert render_strokes([line, pen([[100, 30], [100, 250]], 40, erases=True)], 280) is None
    far = pen([[200, 140], [240, 140]], 40, erases=True)
    np.testing.assert_array_equal(visible([line, far], 280)[0], line.points)


def test_several_drawings_are_rendered_as_each_alone():
    drawings = [[SEVEN], [SEVEN[:2], SEVEN[2:] * 2], [SEVEN[1:]]]
    together = render(join(drawings))
    for drawing, image in zip(drawings, together, strict=True):
        np.testing.assert_array_equal(image, render(join([drawing]))[0])


def noise() -> np.ndarray:
    rng = np.random.default_rng(1)
    pictures = np.zeros((200, 50, 70), np.uint8)
    for picture in pictures:
        top, left = rng.integers(0, 25), rng.integers(0, 45)
        height, width = rng.integers(8, 50 - top), rng.integers(4, 70 - left)
        picture[top : top + height, left : left + width] = rng.integers(0, 256, (height, width))
        picture[top, left : left + width] = 200
    return pictures


@pytest.mark.parametrize("pictures", [noise(), [painted([pen(SEVEN)])]], ids=["noise", "digit"])
def test_the_normalization_of_ink_equals_that_of_pictures(pictures):
    for picture in pictures:
        expected = normalize(picture)
        if expected is not None:
            assert np.abs(expected.astype(int) - normalized(picture)).max() <= 1


def test_an_empty_picture_stays_empty():
    assert not normalized(np.zeros((30, 30), np.uint8)).any()


def test_the_compiled_loops_render_many_digits_as_few_are_rendered():
    writing = write(2 * FEW, np.random.default_rng(5))
    dots = [np.array([[5.0, 5.0]]), np.array([[9.0, 5.0], [9.0, 15.0]]), np.array([[12.0, 8.0]])]
    many = writing.images()
    many_dots = render(join([dots] * (FEW + 1)))
    loops = rendering._loops.copy()
    rendering._loops.clear()  # few are rendered with NumPy, as before the loops were needed
    few = render(join([dots]))
    np.testing.assert_array_equal(many_dots[-1], few[0])
    parts = [
        render(
            Polylines(lines.points[a:b], lines.joined[a:b], np.array([0, b - a])),
            writing.widths[number],
            writing.pressure[a:b],
        )
        for lines in [writing.lines]
        for number, (a, b) in enumerate(pairwise(lines.offsets.tolist()))
    ]
    np.testing.assert_array_equal(many, np.concatenate(parts))
    assert loops
    assert not rendering._loops


# -- thickness of pictures -------------------------------------------------------------------------


@pytest.mark.parametrize("width", [3, 6, 10, 20])
def test_the_thickness_of_a_picture_is_measured(width):
    ink = painted([pen(SEVEN, width)]) / 255
    assert thickness(ink) == pytest.approx(width, rel=0.2, abs=1)


@pytest.mark.parametrize("width", [3, 50])
def test_strokes_of_a_picture_that_are_too_thin_or_thick_get_the_usual_thickness(width):
    usual = normalize(painted([pen(SEVEN, 24)]))
    ink = painted([pen(SEVEN, width)])
    assert difference(normalize(ink, usual_thickness=True), usual) < 0.6 * difference(
        normalize(ink), usual
    )


@pytest.mark.parametrize("width", [18, 24, 32])
def test_other_strokes_stay_as_they_are(width):
    ink = painted([pen(SEVEN, width)])
    np.testing.assert_array_equal(normalize(ink, usual_thickness=True), normalize(ink))


def test_the_training_images_of_another_data_set_are_added(data_folder, drawn_digits):
    mnist, builtin = load_dataset("mnist"), load_dataset("builtin")
    both = load_dataset("mnist+builtin")
    assert len(both.train) == len(mnist.train) + len(builtin.train)
    assert both.test is mnist.test or (both.test.targets == mnist.test.targets).all()
    with pytest.raises(InputError, match="name each data set of a sum once"):
        load_dataset("mnist+mnist")
    with pytest.raises(InputError, match="other classes"):
        load_dataset("mnist+rastrigin")
