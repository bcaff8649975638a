import hashlib

import numpy as np
import pytest

from core.data import builtin
from core.data.sources import list_sources, load_dataset


@pytest.fixture(scope="module")
def digits():
    return builtin.draw(4_000, 2_000)


def test_the_built_in_digits_are_always_available_and_first_in_the_list():
    first = list_sources()[0]
    assert (first.name, first.available) == ("builtin", True)


def test_they_are_drawn_once_and_then_read_from_the_cache():
    seen = []

    def load():
        return builtin.load(lambda done, total: seen.append((done, total)), 3_000, 500)

    first = load()
    assert len(seen) == 3
    assert seen[-1] == (3_500, 3_500)
    second = load()
    assert len(seen) == 3
    np.testing.assert_array_equal(first.train.inputs, second.train.inputs)
    np.testing.assert_array_equal(first.test.targets, second.test.targets)


def test_the_digits_are_the_same_everywhere(digits):
    train, test = digits
    digest = hashlib.sha256(
        b"".join(a.tobytes() for a in (train.inputs, train.targets, test.inputs))
    )
    assert digest.hexdigest()[:16] == "72d62789eba70384"


def test_more_digits_begin_with_the_same_ones(digits):
    longer, _ = builtin.draw(5_000, 1)
    np.testing.assert_array_equal(longer.inputs[:4_000], digits[0].inputs)


def test_training_and_test_digits_differ(digits):
    train, test = digits
    seen = {image.tobytes() for image in train.inputs}
    assert len(seen) == len(train)
    assert not any(image.tobytes() in seen for image in test.inputs)


def test_all_classes_are_about_equally_frequent(digits):
    counts = np.bincount(digits[0].targets, minlength=10)
    assert counts.min() > 300
    assert counts.max() < 500


def test_their_size_center_and_ink_are_those_of_mnist(digits):
    images = digits[0].inputs[..., 0].astype(float)
    assert (images.reshape(len(images), -1).max(axis=1) == 255).all()
    ink = images > 0
    heights, widths = ink.any(axis=2).sum(axis=1), ink.any(axis=1).sum(axis=1)
    assert np.mean(np.maximum(heights, widths) == 20) > 0.97
    places = np.arange(28)
    rows = (images.sum(axis=2) @ places) / images.sum(axis=(1, 2))
    columns = (images.sum(axis=1) @ places) / images.sum(axis=(1, 2))
    assert np.mean((abs(rows - 14) <= 0.51) & (abs(columns - 14) <= 0.51)) > 0.97
    assert 0.10 < images.mean() / 255 < 0.15


def test_every_digit_has_several_styles(digits):
    train, _ = digits
    for digit in range(10):
        own = train.inputs[train.targets == digit].reshape(-1, 784).astype(float)
        spread = own.std(axis=0).max()
        assert spread > 60, digit


def test_cancelling_stops_the_drawing():
    class StopError(Exception):
        pass

    def stop(done, total):
        raise StopError

    with pytest.raises(StopError):
        builtin.draw(20_000, 1, stop)


def test_they_can_be_loaded_by_name(drawn_digits):
    dataset = load_dataset("builtin")
    assert (dataset.name, dataset.kind, dataset.outputs) == ("builtin", "classes", 10)
    assert len(dataset.train) == builtin.TRAIN


def test_a_linear_model_learns_to_read_them():
    """A linear model fitted by least squares: less accurate than a network, far better than
    guessing.
    """
    train, test = builtin.draw(8_000, 1_000)
    x = np.hstack([train.inputs.reshape(-1, 784) / 255, np.ones((len(train), 1))])
    weights = np.linalg.solve(x.T @ x + np.eye(785), x.T @ np.eye(10)[train.targets])
    guessed = np.hstack([test.inputs.reshape(-1, 784) / 255, np.ones((1_000, 1))]) @ weights
    assert np.mean(guessed.argmax(axis=1) == test.targets) > 0.75
