"""`export` writes a file for other programs, of the kind that its suffix names."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.inference.model_file import bundled_model, load_model, models_folder
from core.runs.library import RunLibrary

BUNDLED = models_folder() / "mnist.safetensors"


def test_the_model_of_a_run_is_written(program, tmp_path, digits):
    program(
        "train", "--data", digits, "--network", "784-10", "--epochs", 1, "--run", tmp_path / "run"
    )
    assert program("export", tmp_path / "run", tmp_path / "m.ipynb").code == 0
    assert "nn.Linear(784, 10)" in (tmp_path / "m.ipynb").read_text()
    assert np.load(tmp_path / "m-data.npz")["x"].shape == (200, 1, 28, 28)


def test_the_report_of_a_run_has_settings_curves_and_results(program, digits, tmp_path):
    program(
        "train",
        "--data",
        digits,
        "--network",
        "4C5-MP2-10N",
        "--epochs",
        2,
        "--run",
        tmp_path / "run",
    )
    assert program("export", tmp_path / "run", tmp_path / "r.html").code == 0
    text = (tmp_path / "r.html").read_text()
    assert "<td>Epochs</td><td>2" in text
    for heading in (
        "Settings",
        "Curves",
        "Confusion matrix",
        "Classes",
        "Calibration",
        "Mistakes",
        "Filters",
    ):
        assert f"<h2>{heading}" in text
    assert text.count("<polyline") >= 4
    assert not re.search(r'(src|href)="(?!data:)', text)
    assert 'id="pad"' in text
    assert "http" not in text.replace("http-equiv", "")


def test_the_report_of_a_saved_model_finds_its_run_in_the_library(program, digits, tmp_path):
    options = ("--data", digits, "--network", "784-10", "--epochs", 2)
    assert program("train", *options, "--save", tmp_path / "m").code == 0
    assert program("train", *options, "--seed", 1).code == 0
    assert program("export", tmp_path / "m", tmp_path / "r.html").code == 0
    text = (tmp_path / "r.html").read_text()
    assert text.count("<polyline") >= 4
    assert "There are no curves" not in text


def test_the_report_of_a_model_without_a_run_says_so(program, digits, tmp_path):
    replace(bundled_model(), data=str(digits)).save(tmp_path / "m")
    assert program("export", tmp_path / "m", tmp_path / "r.html").code == 0
    assert "There are no curves: the epochs" in (tmp_path / "r.html").read_text()


def test_the_model_is_not_overwritten(program, tmp_path):
    path = tmp_path / "m.html"
    bundled_model().save(path)
    outcome = program("export", path, path)
    assert outcome.code == 2
    assert "is the model itself" in outcome.err
    assert load_model(path).network == bundled_model().network


@pytest.mark.parametrize("name", ["m.h5", "m"])
def test_another_suffix_is_an_input_error(program, tmp_path, name):
    outcome = program("export", BUNDLED, tmp_path / name)
    assert outcome.code == 2
    assert ".onnx, .ipynb, .html" in outcome.err
    assert not (tmp_path / name).exists()


def test_without_onnx_the_extra_is_named(program, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    outcome = program("export", BUNDLED, tmp_path / "m.onnx")
    assert outcome.code == 2
    assert "--extra onnx" in outcome.err


def test_a_folder_that_does_not_exist_is_not_made(program, tmp_path):
    outcome = program("export", BUNDLED, tmp_path / "a" / "b" / "m.html")
    assert outcome.code == 2
    assert "does not exist: create it" in outcome.err
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("by", ["last", "id", "beginning", "name"])
def test_commands_take_a_run_of_the_library_as_a_model(program, digits, tmp_path, by):
    program("train", "--data", digits, "--network", "784-10", "--epochs", 1, "--name", "first try")
    run_id = RunLibrary().find("last").id
    name = {"last": "last", "id": run_id, "beginning": run_id[:-1], "name": "first try"}[by]
    assert program("export", name, tmp_path / "m.ipynb").code == 0
    assert "nn.Linear(784, 10)" in (tmp_path / "m.ipynb").read_text()
    assert program("evaluate", "--model", name, "--json").code == 0


def test_a_name_that_is_no_run_says_what_to_name(program, tmp_path):
    outcome = program("export", "nothing", tmp_path / "m.html")
    assert outcome.code == 2
    assert "There is no run “nothing”" in outcome.err
    assert (
        "none.safetensors does not exist"
        in program("export", "none.safetensors", tmp_path / "m.html").err
    )
