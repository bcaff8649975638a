"""Adam."""

from collections.abc import Mapping
from typing import Any

from core.training.optimizers.optimizer import Optimizer, UpdateArrays
from kernels.device import Device


class Adam(Optimizer):
    """Kingma, Ba 2015: p -= rate · m̂ / (sqrt(v̂) + epsilon), m and v running means of g' and g'²,
    g' = g + l2 · p.

    m̂ and v̂ are corrected for their start at 0. The state is m and v; the constants are in
    `kernels.device`.
    """

    order = 2
    name = "adam"
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
