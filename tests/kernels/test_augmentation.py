"""Augmentation: what each amount does to an image, and that chance follows from seed, step and
place.
"""

import numpy as np
import pytest

from kernels.augmentation import AugmentationParams
from kernels.registry import open_device

ALL = AugmentationParams(2, 15, 0.1, 0.2, 1, 0.5)


def augment(name="vectorized", amounts=ALL, *, images=None, seed=1, step=0, count=60, side=28):
    if images is None:
        images = np.zeros((count, side, side, 1), np.float32)
        images[:, side // 4 : -(side // 4), side // 2 - 2 : side // 2 + 1] = 1
    out = np.full_like(images, np.nan)
    counters = np.array([0, step], np.int32)
    open_device(name).augment(images, amounts, seed, counters, out)
    return images, out


def center_of(images):
    rows, columns = np.mgrid[: images.shape[1], : images.shape[2]]
    ink = images[..., 0]
    total = ink.sum((1, 2))
    return np.stack([(ink * rows).sum((1, 2)) / total, (ink * columns).sum((1, 2)) / total], 1)


def test_augmentation_of_zero_changes_nothing():
    images, out = augment(amounts=AugmentationParams())
    np.testing.assert_allclose(out, images, atol=1e-6)


@pytest.mark.parametrize("side", [8, 28, 33])
def test_devices_agree(side):
    np.testing.assert_array_equal(
        augment("sequential", side=side)[1], augment("vectorized", side=side)[1]
    )


def test_every_step_image_and_seed_differ_and_repeat():
    _, first = augment()
    assert not np.array_equal(first[0], first[1])
    np.testing.assert_array_equal(first, augment()[1])
    assert not np.array_equal(first, augment(step=1)[1])
    assert not np.array_equal(first, augment(seed=2)[1])


def test_shift_moves_by_at_most_its_pixels_in_every_direction():
    images, out = augment(amounts=AugmentationParams(shift=3), count=300)
    moved = center_of(out) - center_of(images)
    assert 2.8 < np.abs(moved).max() <= 3.001
    assert (moved.min(0) < -2.5).all()
    assert (moved.max(0) > 2.5).all()
    np.testing.assert_allclose(out.sum((1, 2, 3)), images.sum((1, 2, 3)), rtol=1e-5)


@pytest.mark.parametrize(
    "amounts",
    [AugmentationParams(rotation=30), AugmentationParams(scale=0.2), AugmentationParams(shear=0.4)],
)
def test_rotation_scale_and_shear_keep_the_center(amounts):
    images, out = augment(amounts=amounts)
    np.testing.assert_allclose(center_of(out), center_of(images), atol=0.25)
    assert np.abs(out - images).max() > 0.3


def test_elastic_displaces_by_about_its_number_of_pixels():
    rows = np.broadcast_to(np.arange(28, dtype=np.float32)[:, None, None], (200, 28, 28, 1)).copy()
    _, out = augment(images=rows, amounts=AugmentationParams(elastic=1.0))
    strayed = (out - rows)[:, 6:-6, 6:-6]
    assert 0.8 < np.sqrt((strayed**2).mean()) < 1.25
    # Neighbors stray together: that is what bends strokes instead of tearing them.
    assert np.abs(np.diff(strayed, axis=2)).mean() < 0.3


def test_thickness_makes_some_strokes_thicker_and_some_thinner():
    images, out = augment(amounts=AugmentationParams(thickness=0.9))
    change = out.sum((1, 2, 3)) - images.sum((1, 2, 3))
    assert change.min() < -5
    assert change.max() > 15
    assert out.min() >= 0
    assert out.max() <= 1
