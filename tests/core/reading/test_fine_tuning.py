"""A model learns the user's digits and reads the others as before."""

from dataclasses import replace

import numpy as np
import pytest

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.inference.model_file import Model
from core.network.notation import parse
from core.network.parameters import views
from core.reading import own_models
from core.reading.fine_tuning import FineTuned, Progress, iter_fine_tuning

RNG = np.random.default_rng(0)


def bars(count, column=4):
    """Images of a bar whose height is their class, from `column` on."""
    labels = np.arange(count, dtype=np.int32) % 10
    images = RNG.integers(0, 40, (count, 28, 28, 1)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[2 * label + 3 : 2 * label + 6, column : column + 14] = 255
    return Split(images, labels)


def sevens(count):
    """Images with an upright bar, which are to be called 7."""
    images = RNG.integers(0, 40, (count, 28, 28, 1)).astype(np.uint8)
    images[:, 3:25, 20:24] = 255
    return Split(images, np.full(count, 7, np.int32))


@pytest.fixture(scope="module")
def data():
    return Dataset("bars", "bars", "classes", DIGITS, bars(1500), bars(200))


@pytest.fixture(scope="module")
def model(data):
    """A model that has learned the bars."""
    from contextlib import closing

    from core.training.run_settings import RunSettings
    from core.training.trainer import iter_training
    from kernels.registry import open_device

    settings = RunSettings(network="784-30-10", learning_rate=0.2, batch_size=20, epochs=8)
    with closing(open_device("vectorized")) as device:
        *_, last = iter_training(settings, data, device)
    return Model(
        parse(settings.network, (28, 28, 1), 10),
        "relu",
        "cross-entropy",
        "classes",
        DIGITS,
        last.checkpoint.parameters,
    )


def test_own_digits_are_learned_and_others_kept(model, data):
    first, *others, result = iter_fine_tuning(model, sevens(10), data)
    assert isinstance(first, Progress)
    assert all(isinstance(record, Progress) for record in others)
    assert others[-1].done == others[-1].total
    assert isinstance(result, FineTuned)
    assert result.before.own_digits < 0.5
    assert result.after.own_digits == 1
    assert result.after.test >= result.before.test - 0.01
    assert not np.array_equal(result.model.parameters, model.parameters)


def test_a_model_learns_as_well_where_a_temperature_corrects_its_probabilities(model, data):
    """The bundled network is surer than it is right; from its own outputs it would hardly learn."""
    sure = replace(model, parameters=model.parameters.copy(), temperature=8.0)
    last = views(sure.network, sure.parameters)[-1]
    last.weights[...] *= 8
    last.biases[...] *= 8
    *_, result = iter_fine_tuning(sure, sevens(10), data)
    assert result.after.own_digits == 1
    assert result.after.test >= result.before.test - 0.01
    assert result.model.temperature == 1


def test_images_of_another_size_are_refused(model):
    small = Split(np.zeros((10, 8, 8, 1), np.uint8), np.arange(10, dtype=np.int32))
    with pytest.raises(InputError, match="28"):
        next(iter_fine_tuning(model, sevens(2), Dataset("s", "s", "classes", DIGITS, small, small)))


def test_own_models_are_numbered_and_undone(model):
    from dataclasses import replace

    assert own_models.load_latest() is None
    for score in (0.1, 0.2):
        own_models.save(replace(model, test_score=score))
    assert own_models.load_latest().test_score == 0.2
    own_models.undo()
    assert own_models.load_latest().test_score == 0.1
    own_models.undo()
    assert own_models.latest() is None
    own_models.undo()


def test_only_the_last_own_models_are_kept(model):
    names = [own_models.save(model).stem for _ in range(own_models.KEPT + 2)]
    assert sorted(path.stem for path in own_models.folder().iterdir()) == names[2:]


def test_own_digits_are_learned_along_with_other_data_than_those_of_the_model(model, data):
    """Where the training data are not on the machine, digits that the model knows are replayed
    instead.
    """
    wrong = Split(data.train.inputs, (data.train.targets + np.arange(len(data.train)) % 2) % 10)
    *_, result = iter_fine_tuning(model, sevens(10), replace(data, name=builtin.NAME, train=wrong))
    assert isinstance(result, FineTuned)
    assert result.after.own_digits == 1
    assert result.after.test >= result.before.test - 0.02
