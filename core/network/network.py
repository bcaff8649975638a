"""A network is a list of layers on an input of known shape: shapes and counts before anything is allocated."""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod

from core.errors import InputError
from core.network.layers import Dense, Layer, Shape


@dataclass(frozen=True)
class Network:
    """`layers` in order; the last is dense. Building one checks that every layer fits the one before it."""

    input_shape: Shape
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        if not self.layers or not isinstance(self.layers[-1], Dense):
            raise InputError("The last layer must be a dense one, with a unit for each output.")
        _ = self.shapes

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The input's shape and then each layer's output shape: one more than there are layers."""
        return tuple(accumulate(self.layers, lambda shape, layer: layer.output_shape(shape),
                                initial=self.input_shape))  # fmt: skip

    @cached_property
    def weight_shapes(self) -> tuple[Shape | None, ...]:
        """Shape of each layer's weights, None where a layer has none."""
        return tuple(
            layer.weight_shape(shape) for layer, shape in zip(self.layers, self.shapes, strict=False)
        )

    @cached_property
    def parameters(self) -> tuple[int, ...]:
        """How many numbers each layer learns: weights and one bias a unit or map."""
        return tuple(prod(w) + w[-1] if w else 0 for w in self.weight_shapes)

    @property
    def parameter_count(self) -> int:
        return sum(self.parameters)

    @cached_property
    def weight_count(self) -> int:
        """Weights without biases; they come first in the flat array of parameters."""
        return sum(prod(w) for w in self.weight_shapes if w)

    @property
    def outputs(self) -> int:
        return self.shapes[-1][0]

    @property
    def is_plain(self) -> bool:
        """Dense layers of the run's activation only, so that numbers alone say it all."""
        return all(isinstance(layer, Dense) and layer.activation is None for layer in self.layers)

    @property
    def text(self) -> str:
        """The whole short form: `784-512-10`, or `32C5-MP2-512N-10N` where numbers alone do not say it."""
        if self.is_plain:
            return "-".join(str(n) for n in (prod(self.input_shape), *(s[0] for s in self.shapes[1:])))
        return "-".join(layer.text for layer in self.layers)

    def __str__(self) -> str:
        return self.text
