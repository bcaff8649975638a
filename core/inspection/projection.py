"""Places the outputs of a layer in two dimensions: by principal components, or by t-SNE."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from core.errors import InputError
from core.progress import Check
from kernels.installation import install_command, is_frozen


@dataclass(frozen=True, slots=True)
class Projection:
    """`mean`: (features,); `axes`: (features, 2), of length 1; `points`: (n, 2); `shares`: (2,), of the variance."""

    mean: np.ndarray
    axes: np.ndarray
    points: np.ndarray
    shares: np.ndarray

    def project(self, values: np.ndarray) -> np.ndarray:
        """(2,): where the outputs of one more example, (features,), lie."""
        return (values - self.mean) @ self.axes


def principal_components(values: np.ndarray) -> Projection:
    """The projection of `values`, (n, features), on the two directions in which they vary most.

    The directions are the first eigenvectors of the covariance (Pearson 1901; Jolliffe 2002). Of an eigenvector and its
    opposite, the one whose largest element is positive is taken.
    """
    values = values.astype(np.float64)
    mean = values.mean(axis=0)
    centered = values - mean
    n, features = centered.shape
    # Both products have the same eigenvalues but for zeros, and the smaller one is faster.
    small = centered @ centered.T if n < features else centered.T @ centered
    eigenvalues, vectors = np.linalg.eigh(small)
    eigenvalues = np.maximum(eigenvalues[::-1], 0)
    vectors = vectors[:, ::-1]
    axes = np.zeros((features, 2))
    for k in range(min(2, vectors.shape[1])):
        axis = centered.T @ vectors[:, k] if n < features else vectors[:, k]
        length = float(np.linalg.norm(axis))
        if length > 0:
            axes[:, k] = axis / length * np.sign(axis[np.abs(axis).argmax()])
    total = float(eigenvalues.sum())
    shares = np.zeros(2)
    shares[: min(2, len(eigenvalues))] = eigenvalues[:2] / total if total else 0
    return Projection(mean, axes, centered @ axes, shares)


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
    if is_frozen():
        return InputError("The packaged program has no t-SNE: run the program from its sources.")
    if find_spec("openTSNE") is None:
        command = install_command("map")
        return InputError("t-SNE needs the package openTSNE: install it by `{command}`.", command=command)
    return None


def neighbor_embedding(values: np.ndarray, check: Check) -> NeighborEmbedding:
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
        perplexity=min(PERPLEXITY, (len(values) - 1) / 3),
        initialization="pca",
        neighbors="exact",
        negative_gradient_method="bh",
        n_jobs=1,
        random_state=0,
        callbacks=[on_step],
        callbacks_every_iters=_CHECKED_EVERY,
    ).fit(values)
    return NeighborEmbedding(np.array(embedding), embedding)
