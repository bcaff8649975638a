"""The page of a run shows what is in its folder, and nothing is loaded from elsewhere."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.export import ExportSource
from core.export.html_report import HtmlReport
from core.inference.scores import ClassScores, class_rates
from core.network.notation import parse
from core.reading.drawing_page import page_script
from kernels.activations import ACTIVATIONS
from tests.core.export.cases import answers, make_model, make_value_model, some_images


def data(model, classes=tuple("0123456789")):
    images = some_images(40)
    labels = answers(model, images).argmax(axis=1).astype(np.int32)
    labels[:3] = (labels[:3] + 1) % 10  # three mistakes
    return Dataset("test", "Test", "classes", classes, Split(images, labels), Split(images, labels))


def report(model, **options):
    return HtmlReport().content(ExportSource(model, **options)).decode()


def test_mistakes_and_counts_are_those_of_the_model():
    model = replace(make_model("convolutions"), test_score=0.5)  # of fewer images
    text = report(model, load_dataset=lambda name: data(model))
    assert "and reads 92.50 % of the test images right." in text
    assert "37 of 40 test images are read right (92.50 %)" in text
    assert "3 mistakes, the most certain first." in text
    assert text.count('alt="') >= 3


def test_texts_of_a_model_file_are_escaped():
    class Tags(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found, self.scripts = set(), []

        def handle_starttag(self, tag, attributes):
            self.found |= {tag, *(name for name, _ in attributes)}

        def handle_data(self, text):
            if self.lasttag == "script" and text.strip():
                self.scripts.append(text)

    evil = '"><script onerror=x>'
    model = replace(
        make_model("dense"),
        classes=(evil, *"123456789"),
        data="mnist",
        run_settings={"network": evil},
    )
    tags = Tags()
    text = report(model, load_dataset=lambda name: data(model, model.classes))
    tags.feed(text)
    assert "onerror" not in tags.found
    values, script = tags.scripts
    assert json.loads(values)["classes"][0] == evil
    assert script == page_script()
    assert evil not in text


def test_a_page_names_the_data_without_the_folders_of_their_author():
    model = replace(make_model("dense"), data="/home/somebody/class 7b/digits.npz")
    text = report(model, load_dataset=lambda name: data(model))
    assert "digits.npz" in text
    assert "somebody" not in text


def test_without_the_data_the_report_says_so():
    def missing(name):
        raise InputError("{name} is not here: fetch it.", name=name)

    text = report(make_model("dense"), load_dataset=missing)
    assert "Not measured: the test images were not there" in text


def test_a_regression_has_a_report_that_says_why_there_is_no_canvas():
    text = report(make_value_model())
    assert "There is nothing to draw on: this network predicts values" in text
    assert "Filters of the first layer" in text
    assert "<script" not in text


def test_a_network_of_other_images_has_a_report_that_says_why_there_is_no_canvas():
    network = parse("4C3-10N", (16, 16, 1), 10)
    model = replace(
        make_model("dense"),
        network=network,
        parameters=np.zeros(network.parameter_count, np.float32),
    )
    assert (
        "this network takes inputs of 16 x 16 x 1, and a drawing is an image of 28 x 28"
        in report(model)
    )


def test_rates_of_classes():
    counts = np.array([[8, 2, 0], [1, 9, 0], [0, 0, 0]])
    rates = class_rates(counts)
    np.testing.assert_allclose(rates[0], [8 / 9, 0.8, 16 / 19])
    np.testing.assert_allclose(rates[1], [9 / 11, 0.9, 18 / 21])
    assert np.isnan(rates[2]).all()


def test_calibration_curve():
    confidence = np.array([0.95, 0.97, 0.99, 0.51, 0.52], np.float32)
    read = np.array([0, 0, 1, 1, 0])
    scores = ClassScores(
        np.array([0, 0, 0, 1, 1]), read, confidence, read[:, None], confidence[:, None]
    )
    mean, right, images = scores.calibration()
    np.testing.assert_allclose(mean, [0.515, 0.97], atol=1e-6)
    np.testing.assert_allclose(right, [0.5, 2 / 3])
    np.testing.assert_array_equal(images, [2, 3])
    expected = (2 * 0.015 + 3 * (0.97 - 2 / 3)) / 5
    assert scores.calibration_error() == pytest.approx(expected, abs=1e-6)


def test_a_page_without_a_canvas_names_the_activation_that_no_script_computes(monkeypatch):
    model = make_model("dense")
    monkeypatch.setattr(ACTIVATIONS[model.activation], "javascript", "")
    text = report(model)
    assert f"There is nothing to draw on: pages cannot compute {model.activation}." in text
    assert "Settings" in text
