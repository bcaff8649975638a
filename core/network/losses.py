"""The losses that training minimizes, with the activation of the last layer and the meaning of the
outputs.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from core.data.dataset import Kind
from core.errors import InputError
from core.network.layers.layer import Layer
from kernels.device import Array, Device


class Loss(ABC):
    """A loss: its operator on a device, the activation of the last layer, and the meaning of
    outputs.
    """

    name: ClassVar[str]
    """Value of the setting `loss`."""
    label: ClassVar[str]
    """Name for people."""
    kind: ClassVar[Kind]
    """The kind of data it is for."""
    by_column: ClassVar[bool] = False
    """Whether the last layer answers for each column of an image: a convolution."""
    joins_layer: ClassVar[bool] = False
    """Whether `Device.output_layer` computes it."""

    def check_output(self, layer: Layer) -> None:  # noqa: B027 - most losses accept every layer
        """Raise InputError where the last layer has an activation that the loss does not allow."""

    @abstractmethod
    def output_activation(self, activation: str) -> str:
        """Activation of a last layer that has none of its own; `activation` is the run's.

        "softmax" means that the layer is linear and that the loss computes the softmax.
        """

    @abstractmethod
    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        """Add the batch's loss and correct answers to `metrics` and write dL/dz of the last layer
        to `out`.

        y: (n, o), the last layer's output; `activation`: what produced it. targets: int32 (n,)
        labels or float32 (n, o) targets. metrics: float64 (2,), see `kernels.device`. out: (n, o).
        """

    @abstractmethod
    def of_each(self, y: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """float32 (n,): the loss of each example; y: (n, o), targets as in `compute`."""

    @abstractmethod
    def constant_loss(self, targets: np.ndarray) -> float:
        """The least mean loss that one constant answer can have: for labels, int32 (n,), or
        targets, (n, o).
        """

    @abstractmethod
    def predictions(self, y: np.ndarray, out: np.ndarray) -> None:
        """Write probabilities, or values for regression, of the outputs y (n, o) to out (n, o)."""


class CrossEntropy(Loss):
    """Softmax with cross-entropy: L = -log softmax(z)[label], averaged over the batch."""

    name = "cross-entropy"
    label = "cross-entropy"
    kind = "classes"
    joins_layer = True

    def check_output(self, layer: Layer) -> None:
        if layer.activation:
            raise InputError(
                "{layer}: with cross-entropy the last layer is a softmax and takes no activation "
                "of its own; remove “:{activation}” or choose squared error.",
                layer=layer.text,
                activation=layer.activation,
            )

    def output_activation(self, activation: str) -> str:
        return "softmax"

    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        device.softmax_cross_entropy(y, targets, metrics, out)

    def of_each(self, y: np.ndarray, targets: np.ndarray) -> np.ndarray:
        # log Σ e^y = max y + log Σ e^(y - max y): no exponential overflows.
        highest = y.max(axis=1)
        total = np.exp(y - highest[:, None]).sum(axis=1)
        return np.log(total) + highest - y[np.arange(len(y)), targets]

    def constant_loss(self, targets: np.ndarray) -> float:
        """The entropy of the labels: -Σ_o p_o log p_o, p_o being the share of class o."""
        shares = np.bincount(targets) / len(targets)
        # A class without examples counts 0 · log 1e-300 = 0, and not 0 · -inf = NaN.
        return float(-(shares * np.log(np.maximum(shares, 1e-300))).sum())

    def predictions(self, y: np.ndarray, out: np.ndarray) -> None:
        """softmax(y): e^(y - max y) / Σ e^(y - max y), by row; y (..., o)."""
        np.exp(y - y.max(axis=-1, keepdims=True), out=out)
        out /= out.sum(axis=-1, keepdims=True)


class CTC(CrossEntropy):
    """Connectionist temporal classification: -log of the probability that the answers of the
    columns read as the targets.

    The last layer is a convolution with an output (1, columns, classes + 1); the last of its maps
    is "nothing". It is no choice of a run, as a data set has no such targets:
    `tools.models.number_line` computes it.
    """

    name = "ctc"
    label = "CTC"
    by_column = True
    joins_layer = False

    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        raise NotImplementedError


class ClassSquaredError(Loss):
    """Half the squared error between outputs and one-hot labels: L = ½ Σ_o (y[o] - onehot[o])²."""

    name = "squared-error"
    label = "squared error"
    kind = "classes"

    def output_activation(self, activation: str) -> str:
        return activation

    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        device.squared_error_classes(y, targets, activation, metrics, out)

    def of_each(self, y: np.ndarray, targets: np.ndarray) -> np.ndarray:
        wanted = np.eye(y.shape[1], dtype=y.dtype)[targets]
        return 0.5 * ((y - wanted) ** 2).sum(axis=1)

    def constant_loss(self, targets: np.ndarray) -> float:
        """½ Σ_o p_o (1 - p_o), p_o being the share of class o: the answer is the vector of the
        shares.
        """
        shares = np.bincount(targets) / len(targets)
        return float((shares * (1 - shares)).sum()) / 2

    def predictions(self, y: np.ndarray, out: np.ndarray) -> None:
        """The targets are 0 and 1: negative outputs count as 0, and each row is divided by its
        sum.
        """
        positive = np.maximum(y, 0)
        total = positive.sum(axis=1, keepdims=True)
        # Where no output is positive there is nothing to divide by: all classes are equally likely.
        out[:] = 1 / out.shape[1]
        np.divide(positive, total, out=out, where=total > 0)


class SquaredError(Loss):
    """Half the squared error of regression: L = ½ Σ_o (y[o] - target[o])². The last layer is
    linear.
    """

    name = "squared-error"
    label = "squared error"
    kind = "regression"

    def output_activation(self, activation: str) -> str:
        return "linear"

    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        device.squared_error(y, targets, activation, metrics, out)

    def of_each(self, y: np.ndarray, targets: np.ndarray) -> np.ndarray:
        return 0.5 * ((y - targets) ** 2).sum(axis=1)

    def constant_loss(self, targets: np.ndarray) -> float:
        """Half the variance of the targets: the answer is their mean."""
        return float(targets.var(axis=0).sum()) / 2

    def predictions(self, y: np.ndarray, out: np.ndarray) -> None:
        np.copyto(out, y)


LOSSES: tuple[Loss, ...] = (CrossEntropy(), ClassSquaredError(), SquaredError())

LOSS_LABELS: dict[str, str] = {loss.name: loss.label for loss in LOSSES}
"""The choices of the setting `loss`, with their names for people."""


def find_loss(name: str, kind: Kind) -> Loss:
    """The loss called `name` for data of `kind`. Regression has one loss, and `name` is ignored."""
    # CTC is found by its name, but is no choice of a run.
    candidates = [loss for loss in (*LOSSES, CTC()) if loss.kind == kind]
    return next((loss for loss in candidates if loss.name == name), candidates[0])
