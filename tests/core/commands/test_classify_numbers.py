"""`classify` reads numbers of several digits, in drawings and in photographs."""

import json

import numpy as np
import pytest
from PIL import Image

from core.data.builtin import load as load_builtin
from tests.core.reading.test_reader import painted, written
from tools.models.photographs import photograph, right_digits


@pytest.fixture
def drawing(tmp_path):
    """A picture of the number 2073."""
    strokes, boxes = written("2073")
    ink = painted(strokes, width=800)
    path = tmp_path / "number.png"
    Image.fromarray((255 - 255 * ink).astype(np.uint8)).save(path)
    return path, np.array(boxes) / (800, 400, 800, 400)


def test_a_number_with_a_box_for_each_digit(program, drawing):
    path, boxes = drawing
    outcome = program("classify", path, "--json")
    record = json.loads(outcome.out)
    assert record.keys() == {"file", "numbers", "digits"}
    assert (record["file"], record["numbers"]) == (str(path), ["2073"])
    assert [digit["class"] for digit in record["digits"]] == ["2", "0", "7", "3"]
    np.testing.assert_allclose([digit["box"] for digit in record["digits"]], boxes, atol=0.04)
    for digit in record["digits"]:
        assert digit.keys() == {"line", "class", "digit", "box", "refused", "probabilities"}
        assert sum(digit["probabilities"]) == pytest.approx(1, abs=1e-5)


def test_the_text_has_the_number(program, drawing):
    path, _ = drawing
    outcome = program("classify", path)
    assert outcome.out.startswith(f"{path}: 2073 (the least certain digit is the ")


def test_photographs_are_read(program, tmp_path):
    digits = load_builtin(train=10, test=200).test
    rng = np.random.default_rng(0)
    right = total = 0
    for number in range(3):
        picture = photograph(digits, rng)
        path = tmp_path / f"{number}.jpg"
        path.write_bytes(picture.jpeg)
        record = json.loads(program("classify", path, "--json").out)
        right += right_digits(
            picture.lines, tuple(record.get("numbers", [record.get("class") or ""]))
        )
        total += sum(map(len, picture.lines))
    assert right >= 0.8 * total
