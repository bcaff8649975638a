"""Gradient descent with momentum, also in Nesterov's form."""

from collections.abc import Mapping
from typing import Any

from core.training.optimizers.optimizer import (
    Optimizer,
    UpdateArrays,
    UpdateTerm,
    WeightUpdate,
)
from kernels.device import Device


class Momentum(Optimizer):
    """v = beta · v + g', p -= rate · v, with g' = g + l2 · p (Polyak 1964).

    Nesterov (1983), in the form of Sutskever et al. (2013): p -= rate · (g' + beta · v). The state
    is v.
    """

    order = 1
    name = "momentum"
    torch = "SGD(groups, momentum={momentum}, nesterov={nesterov})"
    label = "SGD with momentum"
    help = "momentum also keeps a part of the last step"
    state_arrays = 1
    settings = ("momentum", "nesterov")

    def update(self, device: Device, settings: Mapping[str, Any], arrays: UpdateArrays) -> None:
        device.momentum(
            arrays.parameters,
            arrays.gradient,
            arrays.state[0],
            arrays.rate,
            settings["momentum"],
            settings["nesterov"],
            settings["l2"],
            arrays.weight_count,
        )

    def terms(self, settings: Mapping[str, Any], weight: WeightUpdate) -> tuple[UpdateTerm, ...]:
        """With the v that was kept, and in Nesterov's form with the v that is kept."""
        kept = (weight.after if settings["nesterov"] else weight.before)[0]
        return (
            UpdateTerm("×", weight.gradient, "gradient"),
            UpdateTerm("+", settings["momentum"] * kept, "kept of the steps before"),
        )
