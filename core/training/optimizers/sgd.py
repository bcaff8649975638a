"""Stochastic gradient descent."""

from typing import TYPE_CHECKING

from core.training.optimizers.optimizer import Optimizer, UpdateArrays
from kernels.device import Device

if TYPE_CHECKING:
    from core.training.run_settings import RunSettings


class SGD(Optimizer):
    """p -= rate · (g + l2 · p)."""

    order = 0
    name = "sgd"
    label = "SGD"
    help = "SGD follows it"
    state_arrays = 0

    def update(self, device: Device, settings: "RunSettings", arrays: UpdateArrays) -> None:
        device.sgd(arrays.parameters, arrays.gradient, arrays.rate, settings.l2, arrays.weight_count)
