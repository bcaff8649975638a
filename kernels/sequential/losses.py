"""The losses in plain loops: gradient, summed loss and right answers in one pass."""

from math import exp, log

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.sequential.activations import derivative


@compiled
def _largest(row: np.ndarray) -> int:
    """Index of the first largest element."""
    best = 0
    for o in range(1, row.shape[0]):
        if row[o] > row[best]:
            best = o
    return best


@compiled
def loop_softmax_cross_entropy(
    z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
) -> None:
    rows, units = z.shape
    loss = 0.0
    right = 0
    for n in range(rows):
        label = labels[n]
        best = _largest(z[n])
        top = z[n, best]
        total = 0.0
        for o in range(units):
            total += exp(z[n, o] - top)
        loss += log(total) - (z[n, label] - top)
        right += best == label
        for o in range(units):
            share = exp(z[n, o] - top) / total
            out[n, o] = (share - (1.0 if o == label else 0.0)) / rows
    metrics[0] += loss
    metrics[1] += right


@compiled
def loop_squared_error_classes(
    y: np.ndarray, labels: np.ndarray, code: int, metrics: np.ndarray, out: np.ndarray
) -> None:
    rows, units = y.shape
    loss = 0.0
    right = 0
    for n in range(rows):
        label = labels[n]
        right += _largest(y[n]) == label
        for o in range(units):
            answer = y[n, o]
            error = answer - (1.0 if o == label else 0.0)
            loss += 0.5 * error * error
            out[n, o] = error * derivative(answer, code) / rows
    metrics[0] += loss
    metrics[1] += right


@compiled
def loop_squared_error(
    y: np.ndarray, targets: np.ndarray, code: int, metrics: np.ndarray, out: np.ndarray
) -> None:
    rows, units = y.shape
    loss = 0.0
    for n in range(rows):
        for o in range(units):
            answer = y[n, o]
            error = answer - targets[n, o]
            loss += 0.5 * error * error
            out[n, o] = error * derivative(answer, code) / rows
    metrics[0] += loss


@compiled
def _softmax(z: np.ndarray, out: np.ndarray) -> None:
    rows, units = z.shape
    for n in range(rows):
        top = z[n, _largest(z[n])]
        total = 0.0
        for o in range(units):
            total += exp(z[n, o] - top)
        for o in range(units):
            out[n, o] = exp(z[n, o] - top) / total


class LossOperators:
    def softmax_cross_entropy(
        self, z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        loop_softmax_cross_entropy(z, labels, metrics, out)

    def squared_error_classes(
        self, y: np.ndarray, labels: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        loop_squared_error_classes(y, labels, CODES[activation], metrics, out)

    def squared_error(
        self, y: np.ndarray, targets: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        loop_squared_error(y, targets, CODES[activation], metrics, out)

    def softmax(self, z: np.ndarray, out: np.ndarray) -> None:
        _softmax(z, out)
