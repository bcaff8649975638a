"""The bundled network: it reads drawn digits at least as well as the preset that a window trains,
and MNIST as well.
"""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.data.synthetic import pen
from core.inference.engine import Engine
from core.inference.model_file import bundled_model, models_folder
from tools.models.pen_data import Placement, draw, read
from tools.models.train import RECIPES, train

FRESH = 10_000
PLACEMENTS = (
    Placement(),
    Placement(scale=0.25),
    Placement(slant=15),
    Placement(slant=-15),
    Placement(aspect=0.5),
)


def accuracy(model, images, labels):
    with closing(Engine(model)) as engine:
        return float((engine.predict(images).argmax(axis=1) == labels).mean())


@pytest.fixture(scope="module")
def fresh_digits():
    """Built-in digits of a seed that no data set has: images, labels."""
    writing = pen.write(FRESH, np.random.default_rng(20_261_123))
    return writing.images()[..., None], writing.labels


@pytest.fixture
def mnist(data_folder, monkeypatch):
    monkeypatch.setenv("DIGITLAB_DATA", str(data_folder))
    return load_dataset("mnist")


def test_its_file_is_small():
    assert (models_folder() / "mnist.safetensors").stat().st_size <= 1_500_000


def test_it_reads_mnist(mnist):
    assert accuracy(bundled_model(), mnist.test.inputs, mnist.test.targets) >= 0.991


def test_it_reads_fresh_built_in_digits(fresh_digits):
    """The preset trained in the window reads 97.8 % of them."""
    assert accuracy(bundled_model(), *fresh_digits) >= 0.978


@pytest.mark.slow
def test_it_is_never_worse_than_the_preset_trained_in_the_window(fresh_digits, mnist, data_folder):
    trained, bundled = train(RECIPES["preset"], [], None, mnist), bundled_model()
    drawn = {"fresh built-in digits": fresh_digits}
    strokes = Path(data_folder, "pen-strokes", "train.unipen.gz")
    if strokes.is_file():
        digits = read(strokes)
        drawn |= {str(placement): draw(digits, placement) for placement in PLACEMENTS}
    found = {
        name: (accuracy(bundled, *split), accuracy(trained, *split))
        for name, split in drawn.items()
    }
    assert all(ours >= theirs for ours, theirs in found.values()), found
