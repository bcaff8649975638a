"""The interface of a layer kind: text form, shapes, form fields, operators on a device, names in
other programs.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from kernels.activations import NAMES as ACTIVATIONS
from kernels.device import Array, Device, Size, sides

Shape = tuple[int, ...]
"""The shape of one example: (features,) or (height, width, channels)."""

Area = tuple[int, int, int, int]
"""Top, left, bottom and right of a part of an image in pixels, the last two excluded."""


@dataclass(frozen=True, slots=True)
class FormField:
    """An attribute of a layer as a form shows it. Texts are English; the window translates them.

    With `choices`, (value, text) pairs, it is a choice; else a whole number from 1 to `maximum`.
    `optional`: None is a further choice, and means the activation of the run.
    """

    name: str
    label: str
    help: str
    suffix: str = ""
    maximum: int = 1_000_000
    choices: tuple[tuple[Any, str], ...] = ()
    optional: bool = False


ACTIVATION = FormField(
    "activation",
    "Activation of this layer",
    "The function applied to each weighted sum: the run's activation unless the layer has its own.",
    choices=tuple((name, name) for name in ACTIVATIONS),
    optional=True,
)

ACTIVATION_OPTIONS: dict[str, tuple[str, Any]] = {
    name: ("activation", name) for name in ACTIVATIONS
}


@dataclass(frozen=True, slots=True)
class LayerParameters:
    """Views into the flat array: `weights` in the layer's weight shape, `biases` (outputs,).

    `means`, `variances`: running statistics of the inputs, (outputs,); None for a layer without
    them.
    """

    weights: Array
    biases: Array
    means: Array | None = None
    variances: Array | None = None


@dataclass
class LayerOp:
    """Forward pass and gradients of one layer. Each layer kind derives its own class.

    With z the layer's weighted sums and f its activation, the output is y = f(z). Gradients between
    layers are taken with respect to z: `grad_z` = dL/dz, where L is the mean loss of the batch. A
    layer therefore multiplies the gradient that it passes down by the derivative of the activation
    of the layer *below*, which produced `x`.
    """

    layer: Any
    device: Device
    x: Array
    """Input, (n, *input shape): the activated output of the layer below, or the network's input."""
    y: Array
    """Output, (n, *output shape)."""
    activation: str
    """Activation of this layer; "linear" for kinds without one."""
    input_activation: str
    """Activation of the layer that produced `x`; "linear" for the network's input."""
    index: int
    """Position of the layer in the network, from 0."""
    seed: int | None
    """Seed of random effects while training; None outside of training."""
    has_update: ClassVar[bool] = False
    """Whether layers of the kind have `update` and `output_layer`."""

    def __post_init__(self) -> None:
        """A kind may replace `x` and `y` by other views here."""

    def forward(self, parameters: object, counters: Array) -> None:
        """Compute `y` from `x`. `parameters`: the layer's LayerParameters, None for a kind without
        weights.

        `counters`: the device's counters of steps, from which dropout draws; see `kernels.device`.
        """
        raise NotImplementedError

    def parameter_gradient(self, parameters: object, grad_z: Array, out: LayerParameters) -> None:
        """Write dL/d(weights) and dL/d(biases) into `out`. Called before `input_gradient`, for
        kinds with weights.

        A kind with running statistics also writes their difference to those of the batch, see
        `TrainStep`.
        """
        raise NotImplementedError

    def update(
        self, parameters: object, grad_z: Array, rate: Array, l2: float, scratch: LayerParameters
    ) -> None:
        """Change the parameters by their gradients as `Device.sgd` does, where `has_update`; called
        after `input_gradient`.
        """
        raise NotImplementedError

    def input_gradient(
        self, parameters: object, grad_z: Array, counters: Array, out: Array
    ) -> None:
        """Write dL/dz of the layer below, (n, *input shape), into `out`."""
        raise NotImplementedError

    def output_layer(
        self, parameters: object, labels: Array, metrics: Array, grad_z: Array, out: Array
    ) -> None:
        """`forward`, softmax cross-entropy to `grad_z`, `input_gradient`; where `has_update`."""
        raise NotImplementedError


def size_text(size: Size) -> str:
    """The size of a filter or block in the notation: `5`, or `3x5` for 3 rows and 5 columns."""
    return str(size) if isinstance(size, int) else "{}x{}".format(*size)


def size_choices(sizes: Sequence[Size]) -> tuple[tuple[Size, str], ...]:
    """The choices of a form: `5×5`, `3×5`."""
    return tuple((size, "{}×{}".format(*sides(size))) for size in sizes)


def flat(array: Array) -> Array:
    """A view of the same examples as rows: (n, h, w, c) as (n, h·w·c)."""
    return array.reshape(array.shape[0], prod(array.shape[1:])) if len(array.shape) > 2 else array


class Layer(ABC):
    """One layer of a network. Each kind is a frozen dataclass in a module of its own in this
    folder.

    The kind's attributes have defaults, so that `Kind()` is the layer that the window adds.
    """

    order: ClassVar[int]
    """Position among the kinds in menus."""
    title: ClassVar[str]
    """Name of the kind."""
    help: ClassVar[str]
    """One sentence on what the kind does."""
    pattern: ClassVar[str]
    """Regular expression of the text form without options; its named groups are whole-number
    attributes.
    """
    options: ClassVar[dict[str, tuple[str, Any]]] = {}
    """What may follow a colon in the text form: option -> (attribute, value)."""
    fields: ClassVar[tuple[FormField, ...]]
    """The attributes that a form edits."""
    op_class: ClassVar[type[LayerOp]]
    """Computes the layer on a device."""
    needs_image: ClassVar[bool] = False
    """Whether the input must be (height, width, channels)."""
    can_be_last: ClassVar[bool] = False
    """Whether a network may end with this kind."""
    takes_activation: ClassVar[bool] = False
    """Whether it applies the activation of the layer before it, see `Network.gives_activation`."""
    differs_in_training: ClassVar[bool] = False
    """Whether its output for an input is another one while training."""
    has_statistics: ClassVar[bool] = False
    """Whether it has a running mean and variance for each output among its parameters, starting at
    0 and 1.
    """
    initial_weight: ClassVar[float | None] = None
    """Value of all weights at the start, with biases of 0; None: random ones, as the run says."""

    activation: str | None = None
    """The layer's own activation; None for the run's, and for kinds without one."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The short form, for example `32C5:tanh`."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """English template that describes the layer in a table; its values are `values()`."""

    @property
    def is_plain(self) -> bool:
        """Whether a bare number in the network's text describes the layer completely."""
        return False

    @abstractmethod
    def output_shape(self, shape: Shape) -> Shape:
        """Shape of the output for an input of `shape`; InputError where the layer does not accept
        it.
        """

    def weight_shape(self, shape: Shape) -> Shape | None:
        """Shape of the weights for an input of `shape`, the last number being the outputs; None
        without weights.

        There is one bias for each output.
        """
        return None

    def multiply_adds(self, shape: Shape) -> int:
        """Multiplications (each with an addition) of the forward pass for one example of
        `shape`.
        """
        return 0

    numpy_function: ClassVar[str] = ""
    """Source text of the function that `numpy_code` calls, if it calls one."""

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str | None:
        """Expression in NumPy, as `np`, for the layer's sums of one example `x` of `shape`; "x"
        where it does nothing.

        `parameters`: expressions of its weights, biases and statistics. None: there is none, and
        a device computes the layer. In the next two methods None makes an export an error that
        names the layer.
        """
        return None

    def torch_modules(self, shape: Shape) -> Sequence[str] | None:
        """Expressions of the PyTorch modules that compute the layer without its activation."""
        return None

    def onnx_nodes(self, shape: Shape) -> Sequence[tuple[str, Mapping[str, Any]]] | None:
        """(operator, attributes) of the nodes that compute the layer; the last takes the
        parameters.
        """
        return None

    def page_fields(self, shape: Shape) -> Mapping[str, Any] | None:
        """What a page's script (resources/page/network.js) computes the layer by: `kind`, its
        function, and more.
        """
        return None

    def terms(
        self, x: np.ndarray, parameters: object, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray | None, float]:
        """The inputs of one output, their weights and its bias, for the input x of one example.

        unit: unit or map of the output; row, column: in the map. Inputs and weights: (height,
        width, channels) or (features,). Without weights the output is the largest of the inputs;
        the default is for kinds that pass each number on.
        """
        return (x[row, column, unit] if x.ndim == 3 else x[unit]).reshape(1, 1, 1), None, 0.0

    def pulls(self, x: np.ndarray, errors: np.ndarray, weight: tuple[int, ...]) -> np.ndarray:
        """float32 (n,): the gradient by one weight of each example's own loss.

        x: (n, *input shape); errors: (n, *output shape), the gradients by the sums. weight: its
        index in the layer's weight shape. For kinds with weighted sums.
        """
        raise NotImplementedError

    def dropped(self, size: int, key: int, first: int) -> set[int]:
        """The elements of one image's output, of `size`, that a training step sets to 0 at random.

        key: of the random numbers of the step and the layer; first: the index of the image's
        first element in the batch.
        """
        return set()

    def area_before(self, shape: Shape, area: Area) -> Area:
        """The part of the input, an image of `shape`, from which a part of the output is computed.

        It may extend beyond the image. The default is for kinds that pass each number on.
        """
        return area

    def values(self) -> dict[str, Any]:
        """What `caption` names: the attributes, and others that a kind adds."""
        return asdict(self)  # type: ignore[call-overload]

    @classmethod
    def has_activation(cls) -> bool:
        """Whether layers of this kind apply an activation."""
        return ACTIVATION in cls.fields

    def check_image(self, shape: Shape) -> None:
        """Raise InputError where `shape` is not that of an image."""
        if len(shape) != 3:
            raise InputError(
                "{layer} needs an image, but the layer before it gives {count} plain numbers; put "
                "convolutions and pooling before the first dense layer.",
                layer=self.text,
                count=shape[0],
            )
