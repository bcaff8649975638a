"""Data that several tests of `core` learn from."""

import numpy as np
import pytest

from core.data.dataset import Dataset, Split


@pytest.fixture(scope="session")
def product_data() -> Dataset:
    """A regression that a small network can learn: the product of two coordinates."""
    rng = np.random.default_rng(1)
    points = rng.uniform(-1, 1, (400, 2)).astype(np.float32)
    targets = points[:, :1] * points[:, 1:]
    return Dataset("product", "Product", "regression", (), Split(points[:300], targets[:300]),
                   Split(points[300:], targets[300:]))  # fmt: skip


@pytest.fixture(scope="session")
def points() -> Dataset:
    random = np.random.default_rng(1)
    answers = (np.arange(230) % 4).astype(np.int32)
    inputs = (random.normal(size=(230, 6)) + np.eye(4, 6)[answers] * 2).astype(np.float32)
    whole = Split(inputs, answers)
    return Dataset("points", "Points", "classes", tuple("abcd"), whole.first(200), whole.after(200))
