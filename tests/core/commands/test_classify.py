"""`classify` reads the digit in image files."""

import json

import numpy as np
import pytest
from PIL import Image, ImageDraw

from core.data.idx import find
from core.data.published import PUBLISHED
from core.drawing.ink import normalize
from core.inference.model_file import Model
from core.network.notation import parse


@pytest.fixture
def model(tmp_path, digits):
    """A model file whose one layer compares an image with the mean of each kind of stroke below."""
    network = parse("784-10", (28, 28, 1), 10)
    means = np.zeros((784, 10), np.float32)
    for digit, draw in ((0, zero), (1, one)):
        image = normalize(np.asarray(draw(), np.float32) / 255).reshape(784) / 255
        means[:, digit] = image / np.linalg.norm(image)
    parameters = np.concatenate([means.ravel(), np.zeros(10, np.float32)])
    path = tmp_path / "model.safetensors"
    Model(network, "relu", "cross-entropy", "classes", tuple("0123456789"), parameters).save(path)
    return path


def zero():
    image = Image.new("L", (200, 200), 0)
    ImageDraw.Draw(image).ellipse((50, 30, 150, 170), outline=255, width=16)
    return image


def one():
    image = Image.new("L", (120, 200), 0)
    ImageDraw.Draw(image).line((60, 20, 60, 180), fill=255, width=16)
    return image


@pytest.fixture
def pictures(tmp_path):
    """A white-on-black 0, a black-on-white 1, and an empty page."""
    zero().save(tmp_path / "0.png")
    Image.eval(one(), lambda value: 255 - value).save(tmp_path / "1.png")
    Image.new("L", (80, 80), 255).save(tmp_path / "empty.png")
    return [tmp_path / name for name in ("0.png", "1.png", "empty.png")]


def test_json_has_a_record_for_each_file(program, model, pictures):
    outcome = program("classify", *pictures, "--model", model, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    zero, one, empty = map(json.loads, outcome.out.splitlines())
    for record, digit, path in ((zero, 0, pictures[0]), (one, 1, pictures[1])):
        assert record.keys() == {"file", "class", "digit", "refused", "probabilities"}
        assert (record["file"], record["class"], record["digit"]) == (str(path), str(digit), digit)
        assert len(record["probabilities"]) == 10
        assert sum(record["probabilities"]) == pytest.approx(1, abs=1e-5)
    assert (empty["file"], empty["class"], empty["digit"]) == (str(pictures[2]), None, None)
    assert empty["reason"].startswith("The picture is empty")


def test_a_model_of_clothes_names_the_class_and_sees_the_whole_frame(program, tmp_path):
    # Its only weight is in the corner that digits never reach, and for the class of bags.
    network = parse("784-10", (28, 28, 1), 10)
    weights = np.zeros((784, 10), np.float32)
    weights[0, 8] = 9
    parameters = np.concatenate([weights.ravel(), np.zeros(10, np.float32)])
    Model(
        network, "relu", "cross-entropy", "classes", PUBLISHED["fashion"].classes, parameters
    ).save(tmp_path / "fashion")
    picture = Image.new("L", (300, 300), 255)
    ImageDraw.Draw(picture).rectangle((100, 100, 199, 199), fill=40)
    picture.save(tmp_path / "bag.png")
    outcome = program("classify", tmp_path / "bag.png", "--model", tmp_path / "fashion", "--json")
    record = json.loads(outcome.out)
    assert record.keys() == {"file", "class", "probabilities"}
    assert record["class"] == "Bag"


def test_text_has_the_digit_and_the_second_best(program, model, pictures):
    outcome = program("classify", *pictures, "--model", model)
    zero, one, empty = outcome.out.splitlines()
    assert zero.startswith(f"{pictures[0]}: 0 (")
    assert one.startswith(f"{pictures[1]}: 1 (")
    assert ", else " in one
    assert empty.startswith(f"{pictures[2]}: nothing to read. The picture is empty: ")


def test_a_bad_file_does_not_stop_the_others(program, model, pictures, tmp_path):
    (tmp_path / "text.png").write_text("no picture")
    outcome = program(
        "classify", tmp_path / "text.png", pictures[0], tmp_path / "none.png", "--model", model
    )
    assert outcome.code == 2
    assert outcome.out.startswith(f"{pictures[0]}: 0 (")
    assert len(outcome.err.splitlines()) == 2
    assert "text.png is not a picture" in outcome.err
    assert "none.png does not exist" in outcome.err


def test_a_model_of_other_inputs_is_refused(program, tmp_path, pictures):
    network = parse("2-3-1", (2,), 1)
    parameters = np.ones(network.parameter_count, np.float32)
    Model(network, "tanh", "squared-error", "regression", (), parameters).save(tmp_path / "wave")
    outcome = program("classify", pictures[0], "--model", tmp_path / "wave")
    assert outcome.code == 2
    assert "does not read pictures of 28x28" in outcome.err


def test_data_of_other_shape_is_refused(program, tmp_path, digits):
    network = parse("2-3-1", (2,), 1)
    parameters = np.ones(network.parameter_count, np.float32)
    Model(network, "tanh", "squared-error", "regression", (), parameters).save(tmp_path / "wave")
    outcome = program("evaluate", "--model", tmp_path / "wave", "--data", digits)
    assert outcome.code == 2
    assert "choose data like those it learned from" in outcome.err
    assert find(digits)


@pytest.mark.parametrize("command", ["classify", "evaluate"])
def test_a_model_with_answers_that_are_not_finite_is_refused(
    program, digits, pictures, tmp_path, command
):
    network = parse("784-12-12-10", (28, 28, 1), 10)
    parameters = np.full(network.parameter_count, 3e38, np.float32)
    path = tmp_path / "huge.safetensors"
    Model(
        network, "relu", "cross-entropy", "classes", tuple("0123456789"), parameters, str(digits)
    ).save(path)
    files = pictures[:1] if command == "classify" else []
    outcome = program(command, *files, "--model", path)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "answers are not finite numbers" in outcome.err
