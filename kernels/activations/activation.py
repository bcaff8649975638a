"""The interface of an activation: its formula, its derivative, and what other programs call it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

LEAK = 0.01
"""Derivative of both leaky activations outside of their steep part."""

Scalar = Any
"""A number in the type in which a device computes, float32 or float64."""

Number = Callable[[Any], Scalar]
"""The type in which a device computes, as a function that converts to it."""

OnnxNode = tuple[str, tuple[str, ...], str, Mapping[str, Any]]
"""A node of an ONNX function: operator, inputs, output, attributes."""


class Activation(ABC):
    """A function y = f(z) of one number. Each is a class in a module of its own in this folder; it
    has no state.

    Devices compile `value` and `derivative` into their loops and kernels. They are functions of
    Numba's subset of Python that call nothing but `math`. `number` converts a constant or result to
    the type in which the device computes: write `number(1) + z`, not `1 + z`. Comparisons must let
    NaN through, so that divergence stays visible.

    The texts for other programs are optional: without one, an export of a network with this
    activation is an error that names it.
    """

    order: ClassVar[int]
    """Position among the activations in menus."""
    name: ClassVar[str]
    """Value of the setting `activation`, and the option in a network's text: `512:tanh`."""
    label: ClassVar[str]
    """Name for people."""
    is_monotonic: ClassVar[bool] = True
    """Whether y never falls while z rises."""
    limits: ClassVar[tuple[float, float] | None] = None
    """The least and the largest value that y approaches, both for large z only; None where there
    are no such two.
    """
    can_die: ClassVar[bool] = False
    """Whether y and the gradient are 0 for all z below 0: a unit whose sums stay there learns
    nothing more.
    """

    needs_z: ClassVar[bool] = False
    """Whether `derivative` is computed from z: y does not tell it where two z have one y. A layer
    then keeps its sums beside its outputs while it trains, and applies value and derivative in
    passes of their own."""

    numpy: ClassVar[str] = ""
    """Python expression with NumPy as `np`; {z} stands for the sums."""
    javascript: ClassVar[str] = ""
    """JavaScript expression of the sum z."""
    torch: ClassVar[str] = ""
    """Python expression of a PyTorch module; empty text also where nothing is to be computed."""
    torch_class: ClassVar[str] = ""
    """Source text of the class that `torch` names, if PyTorch has none."""
    onnx: ClassVar[str] = ""
    """Operator of ONNX."""
    onnx_attributes: ClassVar[Mapping[str, float]] = {}
    """Its attributes."""
    onnx_function: ClassVar[tuple[OnnxNode, ...]] = ()
    """The nodes, from z to y, of a function with the name `onnx`, if ONNX has no such operator."""

    @staticmethod
    @abstractmethod
    def value(z: Scalar, number: Number) -> Scalar:
        """y = f(z)."""

    @staticmethod
    @abstractmethod
    def derivative(y: Scalar, number: Number) -> Scalar:
        """f'(z), computed from y = f(z), so that a layer need not keep z; with `needs_z` the
        argument is z.
        """
