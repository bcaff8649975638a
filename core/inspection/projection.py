"""Projects the outputs of a layer to two dimensions by principal component analysis."""

from dataclasses import dataclass

import numpy as np


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
    eigenvalues, vectors = np.maximum(eigenvalues[::-1], 0), vectors[:, ::-1]
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
