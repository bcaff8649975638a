"""The interface of an optimizer: its state and its update of the parameters on a device."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

from kernels.device import Array, Device


@dataclass(frozen=True, slots=True)
class UpdateArrays:
    """The device's arrays that an update reads and writes; p is the number of parameters.

    parameters, gradient: (p,). state: the optimizer's arrays, each (p,). rate: (1,), the learning
    rate. counters: (2,), see `kernels.device`. weight_count: number of leading elements to which L2
    applies.
    """

    parameters: Array
    gradient: Array
    state: list[Array]
    rate: Array
    counters: Array
    weight_count: int


@dataclass(frozen=True, slots=True)
class UpdateTerm:
    """A number in what the rate is multiplied by. `sign` stands before it: "×", "+", "÷ √"."""

    sign: str
    value: float
    caption: str
    """What it is, English; the window translates it."""


@dataclass(frozen=True, slots=True)
class WeightUpdate:
    """One weight in a step: gradient with L1 and L2, and the optimizer's state before and after.

    `step`: that it was, counted from 1.
    """

    gradient: float
    before: tuple[float, ...]
    after: tuple[float, ...]
    step: int


class Optimizer(ABC):
    """One way to change the parameters by the gradient. Each optimizer is a class in a module of
    its own here.
    """

    order: ClassVar[int]
    """Position among the optimizers in menus."""
    name: ClassVar[str]
    """Value of the setting `optimizer`, on the command line and in files."""
    label: ClassVar[str]
    """Name for people."""
    help: ClassVar[str]
    """What it does, as the end of the sentence "How a gradient becomes a step: ..."."""
    torch: ClassVar[str] = ""
    """What PyTorch's `torch.optim` calls it, with `groups` of parameters; empty for none."""
    state_arrays: ClassVar[int]
    """Number of state arrays, each as large as the parameters; they start at 0."""
    settings: ClassVar[tuple[str, ...]] = ()
    """Names of the settings that only this optimizer uses."""

    @abstractmethod
    def update(self, device: Device, settings: Mapping[str, Any], arrays: UpdateArrays) -> None:
        """Change `arrays.parameters` and `arrays.state` in place by one step.

        settings: the values of `l2` and of this optimizer's own settings, by name.

        Only one call of an operator of the device: it may be recorded, so scalars must not change
        from step to step.
        """

    @abstractmethod
    def terms(self, settings: Mapping[str, Any], weight: WeightUpdate) -> tuple[UpdateTerm, ...]:
        """What the rate was multiplied by for one weight: the terms of `direction`."""


def direction(terms: tuple[UpdateTerm, ...]) -> float:
    """What the rate is multiplied by: the terms from left to right, sums before the division."""
    result = 0.0
    for term in terms:
        if term.sign == "÷ √":
            result /= sqrt(term.value)
        else:
            result += term.value
    return result
