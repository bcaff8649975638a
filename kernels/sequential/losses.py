"""The losses in plain loops: gradient, summed loss and number of right answers in one pass.

Each writes the gradient by z of the last layer, divided by n: the gradient of the batch's mean
loss.
"""

from math import exp, log

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled, compiled_operator
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
            error = y[n, o] - (1.0 if o == label else 0.0)
            loss += 0.5 * error * error
            out[n, o] = error * derivative(y[n, o], code) / rows
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
            error = y[n, o] - targets[n, o]
            loss += 0.5 * error * error
            out[n, o] = error * derivative(y[n, o], code) / rows
    metrics[0] += loss


class LossOperators:
    """The losses and softmax. `metrics` is (2,) float64: the summed loss and the number of right
    answers.
    """

    @compiled_operator
    def softmax_cross_entropy(
        z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        """out (n, o) = (softmax(z (n, o)) - onehot(labels (n,))) / n; adds Σ E to metrics[0], right
        answers to [1].

        Derivation: with p = softmax(z) the loss of an example is E = -log p[label] = log Σⱼ e^z[j]
        - z[label]. The first term's derivative by z[o] is e^z[o] / Σⱼ e^z[j] = p[o], the second's
        is 1 for o = label and else 0. Source: Bridle (1990).
        """
        rows, units = z.shape
        loss = 0.0
        right = 0
        for n in range(rows):
            label = labels[n]
            best = _largest(z[n])
            # Subtracting the largest z changes no quotient, and no exponential overflows.
            top = z[n, best]
            total = 0.0
            for o in range(units):
                total += exp(z[n, o] - top)
            loss += log(total) - (z[n, label] - top)
            right += best == label
            for o in range(units):
                probability = exp(z[n, o] - top) / total
                out[n, o] = (probability - (1.0 if o == label else 0.0)) / rows
        metrics[0] += loss
        metrics[1] += right

    def squared_error_classes(
        self,
        y: np.ndarray,
        labels: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """As `squared_error` with the targets onehot(labels (n,)); adds the number of right answers
        to metrics[1].
        """
        loop_squared_error_classes(y, labels, CODES[activation], metrics, out)

    def squared_error(
        self,
        y: np.ndarray,
        targets: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """out (n, o) = (y (n, o) - targets (n, o)) ⊙ f'(y) / n; adds Σ E to metrics[0].

        Derivation: the loss of an example is E = ½ Σₒ (y[o] - target[o])², so ∂E/∂y[o] = y[o] -
        target[o]. Since y = f(z), the chain rule multiplies this by f'(z).
        """
        loop_squared_error(y, targets, CODES[activation], metrics, out)

    @compiled_operator
    def softmax(z: np.ndarray, out: np.ndarray) -> None:
        """out (n, o) = e^(z - max z) / Σ e^(z - max z), by row: positive numbers with the sum 1."""
        rows, units = z.shape
        for n in range(rows):
            top = z[n, _largest(z[n])]
            total = 0.0
            for o in range(units):
                total += exp(z[n, o] - top)
            for o in range(units):
                out[n, o] = exp(z[n, o] - top) / total
