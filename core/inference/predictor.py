"""The answers of a trained model: probabilities of classes, or predicted values for regression."""

from collections.abc import Callable

import numpy as np

from core.errors import InputError
from core.inference.forward_passes import ForwardPasses
from core.inference.model_file import Model
from core.network.size_check import inference_batch
from core.training.calibration import apply_temperature


class Predictor:
    """Computes a model's answers. One thread uses it. `threads`: processors that it may use; None for all."""

    def __init__(self, model: Model, threads: int | None = None) -> None:
        self._passes = ForwardPasses(model, threads)

    def use(self, model: Model) -> None:
        """Predict with `model` from now on. Where only its parameters differ, the arrays are kept."""
        self._passes.use(model)

    def predict(self, inputs: np.ndarray, check: Callable[[], None] = lambda: None) -> np.ndarray:
        """float32 (n, outputs): probabilities that sum to 1 in each row, or predicted values for regression.

        `inputs`: (n, *input shape), or (n, height, width) for images; uint8 (divided by 255) or float. `check` is
        called before each batch; an exception that it raises ends the prediction.

        Raises InputError where the parameters give answers that are not finite.
        """
        model, loss = self._passes.model, self._passes.loss
        result = np.empty((len(inputs), model.network.outputs), np.float32)
        size = inference_batch(model.network)
        for start in range(0, len(inputs), size):
            check()
            batch = self._passes.forward(inputs[start : start + size])
            rows = result[start : start + size]
            with np.errstate(all="ignore"):
                loss.predictions(self._passes.device, batch.outputs[-1], rows)
                apply_temperature(rows, model.temperature)
            if not np.isfinite(rows).all():
                raise InputError(
                    "The network's answers are not finite numbers, so it cannot be used: lower the learning rate and "
                    "train it again, or choose another model."
                )
        return result

    def close(self) -> None:
        """Free the device and its threads."""
        self._passes.close()
