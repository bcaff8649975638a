"""The shape model of handwritten digits: clusters of pen strokes, each a mean curve and its principal components.

A digit is mean + Σ_k c_k · component_k with random c_k of variance 1: the point distribution model of Cootes, Taylor,
Cooper and Graham (1995, "Active shape models"). `tools/shape_model.py` builds it from pen strokes.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.data.synthetic.random import approximate_normal, choose

COMPONENTS = 12

_ROOT = Path(getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[3])
PATH = _ROOT / "resources" / "strokes" / "shapes.safetensors"


@dataclass(frozen=True, slots=True)
class ShapeModel:
    """c clusters of curves with s samples; lengths are in longest sides of a digit, y grows downwards."""

    labels: np.ndarray  # int (c,), the digits
    counts: np.ndarray  # int (c,), how many drawings a cluster was made from
    joined: np.ndarray  # bool (c, s), whether the pen draws from this sample to the next
    means: np.ndarray  # float64 (c, s, 2), x and y
    components: np.ndarray  # float64 (c, COMPONENTS, s, 2), each times its standard deviation

    def draw(
        self, labels: np.ndarray, spread: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Random digits: their samples, float64 (n, s, 2), and `joined`, bool (n, s). `spread` multiplies all c_k."""
        clusters = choose(labels, self.labels, self.counts, rng)
        factors = spread * approximate_normal(rng, (COMPONENTS, len(labels), 1, 1))
        samples = self.means[clusters]
        for number in range(COMPONENTS):  # in this order: float additions are not associative
            samples += factors[number] * self.components[clusters, number]
        return samples, self.joined[clusters]


@cache
def shape_model(path: Path = PATH) -> ShapeModel:
    """The model in the file at `path`, which comes with the program."""
    from safetensors.numpy import load_file

    arrays = load_file(path)
    return ShapeModel(
        arrays["labels"].astype(np.int64),
        arrays["counts"].astype(np.int64),
        arrays["joined"].astype(bool),
        arrays["means"].astype(float),
        arrays["components"].astype(float),
    )
