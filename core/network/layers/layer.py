"""The interface of a layer kind: text form, shapes, form fields and the operators on a device."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from core.errors import InputError
from core.network.layers.layer_op import LayerOp
from kernels.activations import NAMES as ACTIVATIONS

Shape = tuple[int, ...]
"""The shape of one example: (features,) or (height, width, channels)."""


@dataclass(frozen=True, slots=True)
class FormField:
    """An attribute of a layer as a form shows it. Texts are English; the window translates them.

    With `choices`, (value, text) pairs, it is a choice; else a whole number from 1 to `maximum`. `optional`: None
    is a further choice, and means the activation of the run.
    """

    name: str
    label: str
    help: str
    suffix: str = ""
    maximum: int = 1_000_000
    choices: tuple[tuple[Any, str], ...] = ()
    optional: bool = False


ACTIVATION = FormField(
    "activation", "Activation of this layer",
    "The function applied to each weighted sum: the run's activation unless the layer has its own.",
    choices=tuple((name, name) for name in ACTIVATIONS), optional=True,
)  # fmt: skip

ACTIVATION_OPTIONS: dict[str, tuple[str, Any]] = {name: ("activation", name) for name in ACTIVATIONS}


class Layer(ABC):
    """One layer of a network. Each kind is a frozen dataclass in a module of its own in this folder.

    The kind's attributes have defaults, so that `Kind()` is the layer that the window adds.
    """

    order: ClassVar[int]
    """Position among the kinds in menus."""
    title: ClassVar[str]
    """Name of the kind."""
    menu_text: ClassVar[str]
    """Menu entry that adds the default layer of this kind."""
    help: ClassVar[str]
    """One sentence on what the kind does."""
    pattern: ClassVar[str]
    """Regular expression of the text form without options; its named groups are whole-number attributes."""
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
    has_statistics: ClassVar[bool] = False
    """Whether it has a running mean and variance for each output among its parameters, starting at 0 and 1."""
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
        """Shape of the output for an input of `shape`; InputError where the layer does not accept it."""

    def weight_shape(self, shape: Shape) -> Shape | None:
        """Shape of the weights for an input of `shape`, the last number being the outputs; None without weights.

        There is one bias for each output.
        """
        return None

    def multiply_adds(self, shape: Shape) -> int:
        """Multiplications (each with an addition) of the forward pass for one example of `shape`."""
        return 0

    def values(self) -> dict[str, Any]:
        """The attributes by name."""
        return asdict(self)  # type: ignore[call-overload]

    @classmethod
    def has_activation(cls) -> bool:
        """Whether layers of this kind apply an activation."""
        return ACTIVATION in cls.fields

    def check_image(self, shape: Shape) -> None:
        """Raise InputError where `shape` is not that of an image."""
        if len(shape) != 3:
            raise InputError(
                "{layer} needs an image, but the layer before it gives {count} plain numbers; put convolutions "
                "and pooling before the first dense layer.", layer=self.text, count=shape[0],
            )  # fmt: skip
