"""The digits of UNIPEN files: reading and drawing them, and measuring a model on them."""

import gzip
import json

import numpy as np
import pytest

from core.errors import InputError
from tools.models.evaluate import main
from tools.models.pen_data import PenDigit, Placement, draw, read

SEVEN = np.array([[60.0, 40], [180, 40], [140, 140], [100, 240]])
FILE = """.INCLUDE other.doc
.SEGMENT DIGIT 0 ? "7"
.COMMENT 7 12 3
.PEN_DOWN
 60 240
 180 240
 100 40 17
.PEN_UP
.DT 100
.SEGMENT DIGIT 1-2 ? "1"
.PEN_DOWN
 5 9
 5 1
.PEN_UP
 3 3
.PEN_DOWN
 4 1
 6 1
.PEN_UP
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pen.unipen"
    path.write_text(FILE)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_digits_with_labels_writers_and_strokes_are_read(file, packed):
    if packed:
        file.write_bytes(gzip.compress(file.read_bytes()))
    seven, one = read(file)
    assert [(digit.label, digit.writer, len(digit.strokes)) for digit in (seven, one)] == [
        (7, 12, 1),
        (1, 0, 2),
    ]
    np.testing.assert_array_equal(seven.strokes[0], [[60, -240], [180, -240], [100, -40]])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (" 60 240", " 60 high", "line 5: “60 high” is not a point"),
        (" 60 240", " 60", "line 5"),
        (" 60 240", " 1e300 nan", "line 5"),
        ('"7"', '"seven"', "line 2: a segment needs one digit"),
        (".PEN_DOWN", ".PEN", "holds no digits"),
        (FILE, "", "holds no digits"),
        (FILE, "\x1f\x8b damaged", "cannot be read"),
    ],
)
def test_damaged_files_are_refused_with_the_line(file, old, new, words):
    file.write_text(FILE.replace(old, new), "latin-1")
    with pytest.raises(InputError, match=words):
        read(file)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path):
    path = tmp_path / "bomb.unipen.gz"
    path.write_bytes(gzip.compress(b"." * 9_999 * 2_100))
    with pytest.raises(InputError, match="more than 20 MB"):
        read(path)


def test_digits_are_drawn_where_and_as_large_as_they_are_placed():
    (stroke,) = Placement(scale=0.25, x=0, y=0, pen_width=8).positioned((SEVEN,))
    low, high = stroke.points.min(axis=0), stroke.points.max(axis=0)
    np.testing.assert_array_equal(low, [4, 4])
    assert (high - low).max() == 70
    np.testing.assert_array_equal(stroke.points, np.rint(stroke.points))
    (slanted,) = Placement(slant=45).positioned((np.array([[0.0, 0], [0, 10]]),))
    assert np.ptp(slanted.points[:, 0]) == np.ptp(slanted.points[:, 1])
    assert slanted.points[0, 0] > slanted.points[1, 0]


def test_as_a_picture_the_drawing_is_nearly_the_same():
    digits = [PenDigit(7, 1, (SEVEN,))]
    (strokes,), labels = draw(digits, Placement())
    (picture,), _ = draw(digits, Placement(picture=True, pen_width=6))
    assert labels.tolist() == [7]
    assert np.abs(strokes.astype(float) - picture).mean() < 8


def test_a_model_is_measured_on_the_digits_of_the_chosen_writers(file, capsys):
    options = ["--json", "--confusion", "--device", "vectorized"]
    assert main([str(file), *options]) == 0
    record = json.loads(capsys.readouterr().out)
    assert np.sum(record["confusion"], axis=1).tolist() == [0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    placed = [
        "--slant",
        "-5",
        "--scale",
        "0.3",
        "--position",
        "0,1",
        "--pen-width",
        "8",
        "--aspect",
        "0.9",
    ]
    assert main([str(file), *options, "--writers", "12-14", *placed, "--picture"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert np.sum(record["confusion"], axis=1).tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--writers", "5", "no digits of these writers"),
        ("--writers", "6-5", "numbers and ranges"),
        ("--pen-width", "nan", "--pen-width must be a number from 1 to 60"),
        ("--position", "0", "two numbers from 0 to 1"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(file, capsys, option, value, words):
    assert main([str(file), option, value]) == 2
    assert words in capsys.readouterr().err
