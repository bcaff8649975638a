"""Numbers of several digits, drawn as strokes and seen as pictures, read with the bundled
networks.
"""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from core.data.class_names import DIGITS
from core.drawing.rendering import paint
from core.drawing.strokes import PenStroke
from core.inference.engine import Engine
from core.inference.model_file import bundled_model
from core.program import FOLDER
from core.reading.reader import (
    DrawingReader,
    NonDigitDetector,
    NumberReader,
    may_be_number,
    sureness_of,
)
from tests.handwriting import STROKES
from tests.limits import SECONDS

SIDE = 560


@pytest.fixture(scope="module")
def engine():
    engine = Engine(bundled_model(), threads=1)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def reader():
    non_digits = NonDigitDetector()
    reader = NumberReader(non_digits)
    yield reader
    reader.close()
    non_digits.close()


def written(text, *, gap=0.12, height=200, left=40, top=60):
    """The strokes of a number, and the box of each digit."""
    strokes, boxes = [], []
    for character in text:
        places = [dense(np.array(stroke)) * height for stroke in STROKES[character]]
        low = min(stroke[:, 0].min() for stroke in places)
        moved = [stroke - (low, 0) + (left, top) for stroke in places]
        points = np.concatenate(moved)
        boxes.append((*points.min(axis=0), *points.max(axis=0)))
        strokes += [PenStroke(stroke, 20) for stroke in moved]
        left = points[:, 0].max() + gap * height
    return strokes, boxes


def dense(stroke):
    """The stroke with points as close as those of a mouse."""
    along = np.arange(len(stroke))
    steps = np.linspace(0, len(stroke) - 1, 10 * (len(stroke) - 1) + 1)
    return np.stack([np.interp(steps, along, stroke[:, axis]) for axis in (0, 1)], axis=1)


def painted(strokes, width=1200, height=400):
    """The picture of strokes, float32 in 0..1."""
    ink = np.zeros((height, width), np.uint8)
    for stroke in strokes:
        radii = np.full(len(stroke.points) - 1, stroke.width / 2)
        paint(ink, stroke.points[:-1], stroke.points[1:], radii)
    return ink.astype(np.float32) / 255


@pytest.mark.parametrize("text", ["17", "2073", "40", "547", "123450"])
def test_a_number_is_read_from_left_to_right(reader, engine, text):
    strokes, boxes = written(text)
    number = reader.read_strokes(strokes, SIDE, engine)
    assert number is not None
    assert number.texts(DIGITS) == [text]
    with_pen = np.array(boxes) + np.array((-10, -10, 10, 10))
    np.testing.assert_allclose([digit.box for digit in number.digits], with_pen, atol=3)
    assert all(digit.image.shape == (28, 28) for digit in number.digits)
    assert 0.5 < number.confidence <= min(digit.confidence for digit in number.digits)


def test_the_order_of_the_strokes_does_not_matter(reader, engine):
    """The bars of the digits are drawn after all other strokes."""
    strokes, _ = written("4547")
    number = reader.read_strokes(strokes[::2] + strokes[1::2], SIDE, engine)
    assert number is not None
    assert number.texts(DIGITS) == ["4547"]


@pytest.mark.parametrize("digit", sorted(STROKES))
def test_a_single_digit_is_left_to_the_ordinary_way(reader, engine, digit):
    strokes, _ = written(digit)
    assert reader.read_strokes(strokes, SIDE, engine) is None
    assert reader.read_ink(painted(strokes, 560), engine) is None


def test_an_empty_canvas_and_a_dot_have_no_digits(reader, engine):
    assert reader.read_strokes([], SIDE, engine) is None
    assert reader.read_strokes([PenStroke(np.array([[10.0, 10.0]]), 20)], SIDE, engine) is None
    assert reader.read_ink(np.zeros((50, 50), np.float32), engine) is None


def test_erased_digits_are_not_read(reader, engine):
    strokes, boxes = written("2073")
    left, _, right, _ = boxes[-1]
    path = np.array([(x, y) for x in np.linspace(left, right, 12) for y in (40, 280)])
    number = reader.read_strokes([*strokes, PenStroke(path, 40, erases=True)], SIDE, engine)
    assert number is not None
    assert number.texts(DIGITS) == ["207"]


def test_a_picture_of_two_lines(reader, engine):
    """The boxes are in pixels of the picture, which is shrunk to find the digits."""
    first, above = written("2073", height=140, top=20)
    second, below = written("17", height=140, top=220, left=200)
    number = reader.read_ink(painted([*first, *second]), engine)
    assert number is not None
    assert number.texts(DIGITS) == ["2073", "17"]
    with_pen = np.array([*above, *below]) + np.array((-10, -10, 10, 10))
    np.testing.assert_allclose([digit.box for digit in number.digits], with_pen, atol=14)


def test_strokes_on_two_lines(reader, engine):
    first, _ = written("547", height=140, top=20)
    second, _ = written("40", height=140, top=260, left=160)
    # The first stroke is written last.
    number = reader.read_strokes([*first[1:], *second, first[0]], SIDE, engine)
    assert number is not None
    assert number.texts(DIGITS) == ["547", "40"]


def test_a_letter_in_a_number_is_no_digit(reader, engine):
    strokes, _ = written("2")
    letter = [np.array([[0, 1], [0.3, 0], [0.6, 1]]), np.array([[0.1, 0.6], [0.5, 0.6]])]
    strokes += [PenStroke(dense(stroke) * 200 + (220, 70), 20) for stroke in letter]
    last, _ = written("7", left=380)
    number = reader.read_strokes([*strokes, *last], SIDE, engine, rejects=True)
    assert number is not None
    assert number.texts(DIGITS) == ["2?7"]
    assert [digit.rejected for digit in number.digits] == [False, True, False]


def circle(x, y, radius):
    t = np.linspace(0, 2 * np.pi, 40)
    return np.stack((x + radius * np.cos(t), y + radius * np.sin(t)), axis=1)


@pytest.mark.parametrize("eye", [12, 20, 34])
def test_a_face_is_neither_a_number_nor_a_digit(eye):
    """Its eyes lie in the box of its head, so that all of it is one drawing."""
    mouth = circle(280, 290, 90)[4:17]
    curves = [circle(280, 280, 190), circle(215, 220, eye), circle(345, 220, eye), mouth]
    strokes = [PenStroke(curve, 20) for curve in curves]
    reader, model = DrawingReader(), bundled_model()
    ink = (painted(strokes, SIDE, SIDE) * 255).astype(np.uint8)
    reading = reader.read(model, ink, strokes)
    reader.close()
    assert reading.number is None
    assert reading.rejected
    assert sureness_of(reading.probabilities, rejected=reading.rejected) == "no digit"


def test_a_verdict_says_how_sure_an_answer_is():
    def of(best, classes=10):
        return sureness_of(np.array([best] + [(1 - best) / (classes - 1)] * (classes - 1)))

    assert [of(p) for p in (0.99, 0.95, 0.94, 0.7, 0.69, 0.34, 0.3, 0.106)] == [
        "sure", "sure", "likely", "likely", "not sure", "not sure", "no idea", "no idea"
    ]  # fmt: skip
    assert of(0.52, 2) == "no idea"


def test_touching_digits_in_a_picture_are_read(reader, engine):
    strokes, _ = written("23", gap=-0.02)
    number = reader.read_ink(painted(strokes, 560), engine)
    assert number is not None
    assert number.texts(DIGITS) == ["23"]


def test_two_digits_in_one_stroke_are_read():
    """The pen goes straight from the end of the 2 to the beginning of the 0; a wide 0 remains one
    digit.
    """
    strokes, _ = written("20")
    linked = PenStroke(np.concatenate([stroke.points for stroke in strokes]), 20)
    reader, model, ink = DrawingReader(), bundled_model(), np.ones((SIDE, SIDE), np.uint8)
    assert may_be_number(model, [linked])
    number = reader.read(model, ink, [linked]).number
    wide = PenStroke(circle(280, 280, 100) * (1.4, 1), 20)
    alone = reader.read(model, ink, [wide])
    reader.close()
    assert number is not None
    assert number.texts(DIGITS) == ["20"]
    assert alone.number is None
    assert alone.probabilities.argmax() == 0


def test_two_digits_side_by_side_are_never_read_as_one(reader, engine):
    """So the answer does not flicker while a number is drawn."""
    for text in map("".join, product(STROKES, repeat=2)):
        strokes, _ = written(text)
        number = reader.read_strokes(strokes, SIDE, engine)
        assert number is not None
        assert len(number.digits) == 2, text


def test_the_first_simple_stroke_waits_for_no_network_of_numbers():
    strokes, _ = written("0")
    reader = DrawingReader()
    reading = reader.read(bundled_model(), np.ones((SIDE, SIDE), np.uint8), strokes)
    reader.close()
    assert reading.probabilities.argmax() == 0
    assert not reader.can_read_numbers


MANY_STROKES = """
import sys
import numpy as np
from core.drawing.strokes import PenStroke
from core.inference.model_file import bundled_model
from core.reading.reader import DrawingReader

stroke = np.array([[20.0, 60], [30, 120], [25, 200]])
strokes = [PenStroke(stroke + [20 * k, 0], 20.0) for k in np.random.default_rng(0).permutation(24)]
DrawingReader().read(bundled_model(), np.ones((280, 560), np.uint8), strokes)
sys.exit("numba" in sys.modules)
"""


def test_many_strokes_are_read_without_a_compiler():
    subprocess.run([sys.executable, "-c", MANY_STROKES], cwd=FOLDER, check=True, timeout=SECONDS)
