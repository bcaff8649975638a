"""Stochastic gradient descent."""

from collections.abc import Mapping
from typing import Any

from core.training.optimizers.optimizer import (
    Optimizer,
    UpdateArrays,
    UpdateTerm,
    WeightUpdate,
)
from kernels.device import Device


class SGD(Optimizer):
    """p -= rate · (g + l2 · p)."""

    order = 0
    name = "sgd"
    torch = "SGD(groups)"
    label = "SGD"
    help = "SGD follows it"
    state_arrays = 0

    def update(self, device: Device, settings: Mapping[str, Any], arrays: UpdateArrays) -> None:
        device.sgd(
            arrays.parameters, arrays.gradient, arrays.rate, settings["l2"], arrays.weight_count
        )

    def terms(self, settings: Mapping[str, Any], weight: WeightUpdate) -> tuple[UpdateTerm, ...]:
        return (UpdateTerm("×", weight.gradient, "gradient"),)
