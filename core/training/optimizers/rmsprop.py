"""RMSProp."""

from collections.abc import Mapping
from typing import Any

from core.training.optimizers.optimizer import (
    Optimizer,
    UpdateArrays,
    UpdateTerm,
    WeightUpdate,
)
from kernels.device import Device


class RMSProp(Optimizer):
    """Tieleman, Hinton 2012: p -= rate · g' / (sqrt(v) + epsilon), v the running mean of g'², g' =
    g + l2 · p.

    The state is v; the constants are in `kernels.device`.
    """

    order = 3
    name = "rmsprop"
    torch = "RMSprop(groups, alpha=0.9)"
    label = "RMSProp"
    help = "RMSProp divides by the running size of each parameter's gradient"
    state_arrays = 1

    def update(self, device: Device, settings: Mapping[str, Any], arrays: UpdateArrays) -> None:
        device.rmsprop(
            arrays.parameters,
            arrays.gradient,
            arrays.state[0],
            arrays.rate,
            settings["l2"],
            arrays.weight_count,
        )

    def terms(self, settings: Mapping[str, Any], weight: WeightUpdate) -> tuple[UpdateTerm, ...]:
        return (
            UpdateTerm("×", weight.gradient, "gradient"),
            UpdateTerm("÷ √", weight.after[0], "mean of its squares"),
        )
