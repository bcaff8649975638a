"""The colors of series can be told apart by everybody.

Color blindness is simulated by the matrices for linear RGB of Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at full severity.
Differences are those of CIELAB (1976).
"""

from itertools import combinations

import numpy as np
import pytest

from core.colors import SERIES_ON_DARK, SERIES_ON_LIGHT

VISION = {
    "usual": np.eye(3),
    "without long cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "without medium cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "without short cones": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE = np.array([0.95047, 1.0, 1.08883])
LEAST_DIFFERENCE = 15


def linear(color):
    """Linear RGB, 0..1, of a color such as #0072b2."""
    values = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIELAB of linear RGB, for the white of sRGB."""
    ratio = TO_XYZ @ rgb / WHITE
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("series", [SERIES_ON_LIGHT, SERIES_ON_DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_any_two_colors_of_curves_differ_for_color_blind_people(series, vision):
    seen = [lab(np.clip(VISION[vision] @ linear(color), 0, 1)) for color in series]
    for (one, first), (other, second) in combinations(zip(series, seen, strict=True), 2):
        assert np.linalg.norm(first - second) >= LEAST_DIFFERENCE, (one, other)
