"""The forward pass of a trained model: probabilities of classes, or predicted values for regression."""

from collections.abc import Callable

import numpy as np

from core.errors import InputError
from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import find_loss
from core.training.calibration import apply_temperature
from kernels.vectorized.device import Vectorized

BATCH = 500
"""Inputs computed at once: large enough for BLAS, small enough that the activations stay in cache."""


class Predictor:
    """Computes a model's outputs on a `vectorized` device of its own.

    One thread uses it. `threads`: processors that the device may use; None for all. Arrays are kept from call to
    call, so that predictions for the same number of inputs allocate nothing but their result.
    """

    def __init__(self, model: Model, threads: int | None = None) -> None:
        self._model = model
        self._loss = find_loss(model.loss, model.kind)
        self._device = Vectorized(threads)
        self._batches: dict[int, ForwardBackward] = {}

    def use(self, model: Model) -> None:
        """Predict with `model` from now on. Where only its parameters differ, the arrays are kept."""
        if not model.computes_like(self._model):
            self._batches.clear()
        for batch in self._batches.values():
            batch.bind(model.parameters)
        self._model = model
        self._loss = find_loss(model.loss, model.kind)

    def predict(self, inputs: np.ndarray, check: Callable[[], None] = lambda: None) -> np.ndarray:
        """float32 (n, outputs): probabilities that sum to 1 in each row, or predicted values for regression.

        `inputs`: (n, *input shape), or (n, height, width) for images; uint8 (divided by 255) or float. `check` is
        called before each batch of at most `BATCH` inputs; an exception that it raises ends the prediction.

        Raises InputError where the parameters give answers that are not finite.
        """
        result = np.empty((len(inputs), self._model.network.outputs), np.float32)
        sizes = {min(BATCH, len(inputs) - start) for start in range(0, len(inputs), BATCH)}
        self._batches = {size: batch for size, batch in self._batches.items() if size in sizes}
        for start in range(0, len(inputs), BATCH):
            check()
            part = inputs[start : start + BATCH]
            batch = self._batch(len(part))
            values = part.reshape(batch.inputs.shape)
            with np.errstate(all="ignore"):
                if values.dtype == np.uint8:
                    np.divide(values, 255, out=batch.inputs)
                else:
                    np.copyto(batch.inputs, values)
                self._loss.predictions(self._device, batch.forward(), result[start : start + len(part)])
                apply_temperature(result[start : start + len(part)], self._model.temperature)
            if not np.isfinite(result[start : start + BATCH]).all():
                raise InputError(
                    "The network's answers are not finite numbers, so it cannot be used: lower the learning rate and "
                    "train it again, or choose another model."
                )
        return result

    def close(self) -> None:
        """Free the device and its threads."""
        self._batches.clear()
        self._device.close()

    def _batch(self, size: int) -> ForwardBackward:
        if size not in self._batches:
            model = self._model
            self._batches[size] = ForwardBackward(
                model.network, model.activation, self._loss, self._device,
                model.parameters, size,
            )  # fmt: skip
        return self._batches[size]
