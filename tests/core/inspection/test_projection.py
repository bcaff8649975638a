"""t-SNE of a layer's outputs."""

import importlib.util
import sys

import numpy as np
import pytest

from core.inspection import projection as module
from kernels.installation import install_command

needs_opentsne = pytest.mark.skipif(
    importlib.util.find_spec("openTSNE") is None, reason="openTSNE is not installed: uv sync --extra map"
)


def clusters():
    """Sixty values around each of three distant points in twenty dimensions, and their labels."""
    rng = np.random.default_rng(2)
    centers, labels = 8 * rng.standard_normal((3, 20)), np.repeat(np.arange(3), 60)
    return centers, centers[labels] + rng.standard_normal((180, 20)), labels


@needs_opentsne
def test_alike_values_lie_together_and_a_new_one_among_them():
    centers, values, labels = clusters()
    found = module.neighbor_embedding(values, lambda: None)
    middles = np.array([found.points[labels == label].mean(axis=0) for label in range(3)])
    distances = np.linalg.norm(found.points[:, None] - middles, axis=2)
    np.testing.assert_array_equal(distances.argmin(axis=1), labels)
    for label in range(3):
        place = found.project(centers[label])
        assert np.linalg.norm(middles - place, axis=1).argmin() == label
    for k in (5, 100):
        assert np.linalg.norm(found.project(values[k]) - found.points[k]) < 1
    np.testing.assert_array_equal(module.neighbor_embedding(values, lambda: None).points, found.points)


@needs_opentsne
def test_it_can_be_cancelled():
    class CancelledError(Exception):
        pass

    calls = []

    def check():
        calls.append(1)
        if len(calls) == 3:
            raise CancelledError

    with pytest.raises(CancelledError):
        module.neighbor_embedding(clusters()[1], check)


def test_what_is_missing_is_named_with_its_command(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert install_command("map") in str(module.missing_reason())
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "from its sources" in str(module.missing_reason())
