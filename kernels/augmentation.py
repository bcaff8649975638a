"""Augmentation moves, turns and bends each image a little, differently each time it is learnt from.

Output pixel q takes its value, bilinearly, from source place A·(q - centre) + centre + shift + e(q). A turns,
stretches and shears; e is a smooth random field: uniform cubic B-splines over a grid of random vectors. Its
spacing of 7 pixels has the smoothness of the Gaussian with sigma 4 that Simard, Steinkraus and Platt (2003) used.
Last, strokes grow towards the largest neighbour or shrink towards the least.
"""

from typing import NamedTuple

# What keys the noise of augmentation; layers, which count from 0, key dropout's.
LAYER = 1_000_000

SPACING = 7

# The random numbers of an image before those of its elastic field.
FIRST_DRAWS = 8

# How far a spline over vectors uniform on ±1 strays from 0 (root mean square, at the mean of all places).
SPLINE_SPREAD = 0.277


class AugmentationParams(NamedTuple):
    """The largest change of each kind; 0 leaves it out. The elastic field strays by `elastic` on the average."""

    shift: float = 0.0  # pixels
    rotation: float = 0.0  # degrees
    scale: float = 0.0  # share of the size, along each axis by itself
    shear: float = 0.0  # pixels sideways a pixel up
    elastic: float = 0.0  # pixels, root mean square
    thickness: float = 0.0  # share of the way to the largest of the 3x3 neighbours, or half way to the least


# Two measures of all six: what hardly anybody would notice, and what still reads without doubt.
LIGHT = AugmentationParams(shift=1, rotation=8, scale=0.08, shear=0.1, elastic=0.5, thickness=0.2)
STRONG = AugmentationParams(shift=2, rotation=15, scale=0.15, shear=0.2, elastic=1.0, thickness=0.5)


def controls(size: int) -> int:
    """How many of the grid's vectors lie along an axis of `size` pixels."""
    return (size - 1) // SPACING + 4
