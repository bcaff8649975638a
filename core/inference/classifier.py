"""A classifier reads images with a model: the forward pass alone, on a device of its own."""

import numpy as np

from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward, loss_name
from kernels.vectorized import Vectorized


class Classifier:
    """Made for one model and used by one thread; keeps its arrays between readings of as many images."""

    def __init__(self, model: Model) -> None:
        self._model = model
        # One thread for BLAS's part would be enough, but the limit is the whole process's: leave it alone.
        self._device = Vectorized()
        self._passes: dict[int, ForwardBackward] = {}

    def use(self, model: Model) -> None:
        """Read with another model from now on; a newer state of the same network costs nothing."""
        if (model.network, model.activation, model.loss, model.kind) != self._key():
            self._passes.clear()
        for one in self._passes.values():
            one.bind(model.parameters)
        self._model = model

    def probabilities(self, images: np.ndarray) -> np.ndarray:
        """float32 (n, classes): one row an image, summing to 1. `images`: (n, 28, 28), uint8 or 0.0 to 1.0."""
        one = self._pass(len(images))
        pixels = images.reshape(one.inputs.shape)
        np.divide(pixels, 255, out=one.inputs) if pixels.dtype == np.uint8 else np.copyto(one.inputs, pixels)
        with np.errstate(all="ignore"):
            output = one.forward()
            shares = np.empty_like(output)
            if self._model.loss == "cross-entropy":
                self._device.softmax(output, shares)
                return shares
            # Squared error trains outputs towards 0 and 1: what is above 0, as a share, is the nearest thing.
            np.maximum(output, 0, out=shares)
            total = shares.sum(axis=1, keepdims=True)
            return np.divide(shares, total, out=np.full_like(shares, 1 / shares.shape[1]), where=total > 0)

    def _key(self) -> tuple:
        model = self._model
        return (model.network, model.activation, model.loss, model.kind)

    def _pass(self, count: int) -> ForwardBackward:
        if count not in self._passes:
            model = self._model
            self._passes = {
                count: ForwardBackward(
                    model.network, model.activation, loss_name(model.loss, model.kind), self._device,
                    model.parameters, count,
                )
            }  # fmt: skip
        return self._passes[count]
