"""The parameters of the bundled models: means of the last epochs and of both parts of the training."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.network.notation import parse
from core.training.run_settings import RunSettings
from kernels.registry import open_device
from tools.train_models import Part, Recipe, train_second

RUN = RunSettings(network="784-10", optimizer="adam", learning_rate=0.01, schedule="cosine", epochs=3)


@pytest.fixture(scope="module")
def dataset():
    return Dataset("few", "few", "classes", DIGITS, *builtin.draw(300, 100))


@pytest.fixture(scope="module")
def first():
    return Model(
        parse("784-10", (28, 28, 1), 10),
        "relu",
        "cross-entropy",
        "classes",
        DIGITS,
        np.zeros(7850, np.float32),
    )


def trained(recipe, dataset, first):
    with closing(open_device("vectorized")) as device:
        return train_second(recipe, dataset, first, device)


def test_mean_of_the_last_epochs(dataset, first):
    two, three = (
        trained(Recipe(Part(RUN), Part(RUN, stop=n)), dataset, first).parameters.astype(float) for n in (2, 3)
    )
    mean = trained(Recipe(Part(RUN), Part(RUN, average=2)), dataset, first).parameters
    np.testing.assert_allclose(mean, (two + three) / 2, atol=1e-7)


def test_mean_of_both_parts(dataset, first):
    start = replace(first, parameters=np.ones(7850, np.float32))
    second = trained(Recipe(Part(RUN), Part(RUN)), dataset, start).parameters
    mean = trained(Recipe(Part(RUN), Part(RUN), share=0.75), dataset, start).parameters
    np.testing.assert_allclose(mean, 0.25 + 0.75 * second, atol=1e-6)
