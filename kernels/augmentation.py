"""Data augmentation: each image is changed at random in every step.

Output pixel q is interpolated bilinearly from the source position A·(q - center) + center + shift +
e(q). A rotates, scales and shears. e is an elastic field: uniform cubic B-splines over a grid of
random vectors. The grid's spacing of 7 pixels has the smoothness of the Gaussian with sigma 4 that
Simard, Steinkraus and Platt (2003) used. Last, each pixel is moved towards the maximum of its
neighbors (thicker strokes) or towards their minimum (thinner strokes).
"""

from typing import NamedTuple

# The layer number of augmentation in `noise.stream`; dropout uses the numbers of its layers, from 0
# on.
LAYER = 1_000_000

SPACING = 7

# How many random numbers of an image come before those of its elastic field.
FIRST_DRAWS = 8

# Root mean square of a spline over random vectors uniform on ±1, averaged over all positions.
SPLINE_SPREAD = 0.277


class AugmentationParams(NamedTuple):
    """The maximum change of each kind, or the root mean square for `elastic`; 0 means no change."""

    shift: float = 0.0  # pixels
    rotation: float = 0.0  # degrees
    scale: float = 0.0  # fraction of the size, independently along each axis
    shear: float = 0.0  # pixels to the side for each pixel upwards
    elastic: float = 0.0  # pixels, root mean square
    thickness: float = (
        0.0  # fraction of the way to the maximum of the 3x3 neighbors, or half of it to the minimum
    )

    def as_floats(self) -> "AugmentationParams":
        """The same with floats only: a loop is compiled once for each combination of types."""
        return AugmentationParams(*map(float, self))


# Two sets of all six: hardly noticeable, and strong but still readable without doubt.
LIGHT = AugmentationParams(shift=1, rotation=8, scale=0.08, shear=0.1, elastic=0.5, thickness=0.2)
STRONG = AugmentationParams(shift=2, rotation=15, scale=0.15, shear=0.2, elastic=1.0, thickness=0.5)


def controls(size: int) -> int:
    """Number of the grid's vectors along an axis of `size` pixels."""
    return (size - 1) // SPACING + 4
