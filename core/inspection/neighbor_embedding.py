"""Places the outputs of a layer in two dimensions by t-SNE, with the library openTSNE (the extra `map`)."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from core.errors import InputError

PERPLEXITY = 30  # the number of neighbors that count, about
_CHECKED_EVERY = 10  # steps between two calls of `check`
_PLACING_STEPS = 50  # steps for one more example; more of them move it by less than a point's size


@dataclass(frozen=True, slots=True)
class NeighborEmbedding:
    """`points`: (n, 2), where the examples lie. Only distances between near points have a meaning."""

    points: np.ndarray
    _embedding: Any

    def project(self, values: np.ndarray) -> np.ndarray:
        """(2,): where the outputs of one more example, (features,), lie among the points, which stay."""
        placed = np.asarray(self._embedding.transform(values[None], n_iter=_PLACING_STEPS))[0]
        # The library's own copy of the points may be moved as a whole by this.
        return placed - np.asarray(self._embedding).mean(axis=0) + self.points.mean(axis=0)


def missing_reason() -> InputError | None:
    """Why t-SNE is not offered, and what to do; None where it is."""
    if getattr(sys, "frozen", False):
        return InputError("The packaged program has no t-SNE: run the program from its sources.")
    if find_spec("openTSNE") is None:
        return InputError("t-SNE needs the package openTSNE: install it by `uv sync --extra map`.")
    return None


def neighbor_embedding(values: np.ndarray, check: Callable[[], None]) -> NeighborEmbedding:
    """The embedding of `values`, (n, features), in which near points are alike; the same for the same values.

    t-SNE (van der Maaten, Hinton 2008) by Barnes-Hut trees, from the principal components as the start (Kobak, Berens
    2019); new examples are placed by the same gradient descent, with all points fixed (Poličar et al. 2019). `check` is
    called now and then; an exception that it raises ends the computation.
    """
    from openTSNE import TSNE

    def on_step(step: int, error: float, points: np.ndarray) -> None:
        check()

    values = values.astype(np.float64)
    embedding = TSNE(
        perplexity=min(PERPLEXITY, (len(values) - 1) / 3), initialization="pca", neighbors="exact",
        negative_gradient_method="bh", n_jobs=1, random_state=0, callbacks=[on_step],
        callbacks_every_iters=_CHECKED_EVERY,
    ).fit(values)  # fmt: skip
    return NeighborEmbedding(np.array(embedding), embedding)
