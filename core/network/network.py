"""A network: a list of layers on an input of known shape. Its shapes, counts and size need no
allocation.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod

from core.errors import InputError
from core.files.memory import installed_memory
from core.network.layers import Layer, Shape
from core.network.losses import Loss
from core.text import format_bytes
from kernels.activations import ACTIVATIONS

# Parameters, gradient and two arrays of an optimizer's state, in float32.
_BYTES_PER_PARAMETER = 4 * 4

# How many examples to compute at once where nothing is trained: enough for BLAS, but so few that
# the outputs of all layers stay in cache, and take at most a part of the machine's memory.
_MAX_BATCH = 500
_MIN_BATCH = 16
_CACHED_BYTES = 8 << 20
_MEMORY_PART = 8


@dataclass(frozen=True)
class Network:
    """`layers` in order, on inputs of `input_shape`: (features,) or (height, width, channels).

    The last layer is dense, or a convolution that answers for each column: its output is (1,
    columns, outputs). Raises InputError where a layer does not fit the output of the one before it,
    or the last gives no answers.
    """

    input_shape: Shape
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        can_end = bool(self.layers) and self.layers[-1].can_be_last
        if not can_end or self.shapes[-1][:-2] not in ((), (1,)):
            raise InputError("The last layer must be a dense one, with a unit for each output.")

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Shape of the input and of each layer's output: one more than there are layers."""
        return tuple(
            accumulate(
                self.layers,
                lambda shape, layer: layer.output_shape(shape),
                initial=self.input_shape,
            )
        )

    @cached_property
    def weight_shapes(self) -> tuple[Shape | None, ...]:
        """Shape of each layer's weights; None where a layer has none."""
        return tuple(
            layer.weight_shape(shape)
            for layer, shape in zip(self.layers, self.shapes, strict=False)
        )

    @cached_property
    def parameters(self) -> tuple[int, ...]:
        """Number of trained parameters of each layer: its weights, and one bias for each output
        unit or map.
        """
        return tuple(prod(shape) + shape[-1] if shape else 0 for shape in self.weight_shapes)

    @cached_property
    def trained_count(self) -> int:
        """Number of trained parameters of all layers."""
        return sum(self.parameters)

    @cached_property
    def parameter_count(self) -> int:
        """Length of the flat array of parameters: the trained ones, then the running statistics."""
        pairs = zip(self.layers, self.weight_shapes, strict=True)
        return self.trained_count + sum(
            2 * shape[-1] for layer, shape in pairs if shape and layer.has_statistics
        )

    @cached_property
    def weight_count(self) -> int:
        """Number of weights, without biases. They come first in the flat array of parameters."""
        return sum(prod(shape) for shape in self.weight_shapes if shape)

    @cached_property
    def multiply_adds(self) -> tuple[int, ...]:
        """Multiply-adds of each layer's forward pass for one example."""
        return tuple(
            layer.multiply_adds(shape)
            for layer, shape in zip(self.layers, self.shapes, strict=False)
        )

    @property
    def outputs(self) -> int:
        """Number of outputs."""
        return self.shapes[-1][-1]

    @property
    def text(self) -> str:
        """The complete short form: `784-512-10`, or `32C5-MP2-512N-10N` where numbers alone do not
        suffice.
        """
        if all(layer.is_plain for layer in self.layers):
            return "-".join(
                str(n) for n in (prod(self.input_shape), *(s[0] for s in self.shapes[1:]))
            )
        return "-".join(layer.text for layer in self.layers)

    def activations(self, activation: str, loss: Loss) -> tuple[str, ...]:
        """The activation that each layer applies on a device, given the activation and the loss of
        a run.

        A layer's own activation comes first, then the run's. It is "linear" for kinds without
        activation, for a last layer whose loss computes the softmax, and for a layer whose
        activation the next one takes over. Raises InputError where the loss does not allow the last
        layer's own activation.
        """
        loss.check_output(self.layers[-1])
        names = self.hidden_activations(activation)
        if not self.layers[-1].activation:
            last = loss.output_activation(activation)
            names[-1] = "linear" if last == "softmax" else last
        return tuple(names)

    def hidden_activations(self, activation: str) -> list[str]:
        """The activation of each layer where all but its own are the run's `activation`, as if none
        were the last.
        """
        names: list[str] = []
        for index, layer in enumerate(self.layers):
            default = activation if layer.has_activation() else "linear"
            if layer.takes_activation:
                default = "linear"
                if self.gives_activation(index - 1):
                    default = names[-1]
                    names[-1] = "linear"
            names.append(layer.activation or default)
        return names

    def gives_activation(self, index: int) -> bool:
        """Whether the layer at `index` leaves its activation to the next one: `BN` applies it to
        what it normalizes.

        It does where it has no activation of its own.
        """
        if not 0 <= index < len(self.layers) - 1 or not self.layers[index + 1].takes_activation:
            return False
        return self.layers[index].has_activation() and self.layers[index].activation is None

    def __str__(self) -> str:
        return self.text


def activation_bytes(network: Network) -> int:
    """Bytes of the input and of all layers' outputs for one image."""
    return 4 * sum(prod(shape) for shape in network.shapes)


def sums_bytes(network: Network, activation: str) -> int:
    """Bytes of the sums that training keeps for one image, with the run's `activation`; see
    `Activation.needs_z`.
    """
    names = network.hidden_activations(activation)
    shapes = zip(network.shapes[1:], names, strict=True)
    return 4 * sum(prod(shape) for shape, name in shapes if ACTIVATIONS[name].needs_z)


def inference_batch(network: Network) -> int:
    """How many examples to compute at once on a CPU where nothing is trained."""
    size = activation_bytes(network)
    batch = min(_MAX_BATCH, max(_MIN_BATCH, _CACHED_BYTES // size))
    return max(1, min(batch, installed_memory() // _MEMORY_PART // size))


def check_fits(network: Network) -> None:
    """Raise InputError for a network whose parameters, or outputs for one image, take more than
    half of the memory.
    """
    need = network.parameter_count * _BYTES_PER_PARAMETER
    available = installed_memory()
    if need > available // 2:
        raise InputError(
            "This network has {parameters:,} parameters and would need {need} of memory to train; "
            "this machine has {have}. Use fewer units.",
            parameters=network.parameter_count,
            need=format_bytes(need),
            have=format_bytes(available),
        )
    need = activation_bytes(network)
    if need > available // 2:
        raise InputError(
            "This network would need {need} of memory for the outputs of its layers for one "
            "image; this machine has {have}. Use fewer units.",
            need=format_bytes(need),
            have=format_bytes(available),
        )
