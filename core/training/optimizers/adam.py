"""Adam."""

from collections.abc import Mapping
from typing import Any

from core.training.optimizers.optimizer import (
    Optimizer,
    UpdateArrays,
    UpdateTerm,
    WeightUpdate,
)
from kernels.device import BETA1, BETA2, Device


class Adam(Optimizer):
    """Kingma, Ba 2015: p -= rate · m̂ / (sqrt(v̂) + epsilon), m and v running means of g' and g'²,
    g' = g + l2 · p.

    m̂ and v̂ are corrected for their start at 0. The state is m and v; the constants are in
    `kernels.device`.
    """

    order = 2
    name = "adam"
    torch = "Adam(groups)"
    label = "Adam"
    help = "Adam scales the step of each parameter"
    state_arrays = 2

    def update(self, device: Device, settings: Mapping[str, Any], arrays: UpdateArrays) -> None:
        means, squares = arrays.state
        device.adam(
            arrays.parameters,
            arrays.gradient,
            means,
            squares,
            arrays.rate,
            arrays.counters,
            settings["l2"],
            arrays.weight_count,
        )

    def terms(self, settings: Mapping[str, Any], weight: WeightUpdate) -> tuple[UpdateTerm, ...]:
        """m̂ and v̂, corrected for their start at 0."""
        mean, square = weight.after
        return (
            UpdateTerm("×", mean / (1 - BETA1**weight.step), "mean of the gradients"),
            UpdateTerm("÷ √", square / (1 - BETA2**weight.step), "mean of their squares"),
        )
