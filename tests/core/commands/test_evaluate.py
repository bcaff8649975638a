"""`evaluate` prints and writes the results of a model on a test split."""

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.inference.model_file import bundled_model
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[3]
QUICK = ("--network", "8", "--batch-size", 20, "--device", "vectorized", "--epochs", 1)


@pytest.fixture
def model(program, digits, tmp_path):
    path = tmp_path / "m.safetensors"
    program("train", "--data", digits, *QUICK, "--save", path)
    return path


def read(path):
    return list(csv.reader(path.read_text("utf-8").splitlines()))


def test_the_confusion_matrix_is_printed(program, digits, model):
    outcome = program("evaluate", "--model", model, "--data", digits, "--confusion", "--json")
    record = json.loads(outcome.out)
    counts = np.array(record["confusion"])
    assert counts.shape == (10, 10)
    assert counts.sum(axis=1).tolist() == [10] * 10
    assert counts.trace() / 100 == pytest.approx(record["accuracy"])
    lines = program("evaluate", "--model", model, "--data", digits, "--confusion").out.splitlines()
    assert [line.split() for line in lines[-10:]] == [
        [str(k), *map(str, row)] for k, row in enumerate(counts)
    ]


def test_the_confusion_matrix_and_the_mistakes_are_written(program, digits, model, tmp_path):
    out = tmp_path / "out"
    outcome = program("evaluate", "--model", model, "--data", digits, "--out", out)
    assert outcome.code == 0
    heading, *rows = read(out / "confusion-matrix.csv")
    assert heading == ["", *"0123456789"]
    counts = np.array([row[1:] for row in rows], int)
    heading, *mistakes = read(out / "mistakes.csv")
    assert heading == ["test_image", "true_class", "predicted_class", "probability"]
    assert len(mistakes) == 100 - counts.trace() > 0
    for image, true_class, predicted, _ in mistakes:
        assert int(image) % 10 == int(true_class) != int(predicted)
    probabilities = [float(row[3]) for row in mistakes]
    assert probabilities == sorted(probabilities, reverse=True)


def test_the_predictions_of_a_regression_are_written(program, tmp_path):
    model, out = tmp_path / "m.safetensors", tmp_path / "out"
    program(
        "train",
        "--data",
        "rastrigin:10",
        *QUICK,
        "--loss",
        "squared-error",
        "--learning-rate",
        1e-4,
        "--save",
        model,
    )
    outcome = program(
        "evaluate", "--model", model, "--data", "rastrigin:10", "--out", out, "--json"
    )
    assert json.loads(outcome.out).keys() == {"r2", "loss"}
    heading, *rows = read(out / "predictions.csv")
    assert heading == ["actual", "predicted"]
    actual, predicted = np.array(rows, float).T
    r2 = 1 - ((predicted - actual) ** 2).sum() / ((actual - actual.mean()) ** 2).sum()
    assert json.loads(outcome.out)["r2"] == pytest.approx(r2, abs=1e-4)
    outcome = program("evaluate", "--model", model, "--data", "rastrigin:10", "--confusion")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)


def test_numbers_that_may_be_hidden_layers_are_named(program, digits):
    outcome = program("train", "--data", digits, *QUICK, "--network", "784-20-11", "--json")
    assert outcome.code == 0
    assert "Read as hidden layers: 784-784-20-11-10" in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_files_are_written_although_the_output_is_lost(digits, model, tmp_path):
    command = (
        f"{sys.executable} main.py evaluate --model {model} --data {digits} --out "
        f"{tmp_path / 'out'} > /dev/full"
    )
    done = subprocess.run(
        command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert (tmp_path / "out" / "mistakes.csv").is_file()


def test_a_model_of_another_program_needs_the_name_of_data(program, digits, tmp_path):
    replace(bundled_model(), data="").save(tmp_path / "m")
    assert "such as --data builtin" in program("evaluate", "--model", tmp_path / "m").err
    assert program("evaluate", "--model", tmp_path / "m", "--data", digits).code == 0
