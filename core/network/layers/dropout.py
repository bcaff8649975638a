"""Dropout: `D50`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.errors import InputError
from core.network.layers.layer import FormField, Layer, LayerOp, Shape
from kernels import noise
from kernels.device import Array


class DropoutOp(LayerOp):
    """While training y = x ⊙ m / (1 - p), where each m is 0 with probability p, else 1; otherwise y
    is x itself.

    Srivastava et al. 2014, with the factor applied while training ("inverted dropout").
    """

    def __post_init__(self) -> None:
        if self.seed is None:
            # The next layer reads the input: nothing is copied.
            self.y = self.x

    def forward(self, parameters: object, counters: Array) -> None:
        """Draw a new mask m for this step and apply it; nothing outside of training."""
        if self.seed is not None:
            self.device.dropout(self.x, self.layer.percent, self.seed, self.index, counters, self.y)

    def input_gradient(
        self, parameters: object, grad_z: Array, counters: Array, out: Array
    ) -> None:
        """dL/dx = dL/dy ⊙ m / (1 - p), with the mask of `forward`, times the derivative of the
        activation below.

        The mask is a function of seed, step and element, so the same `counters` give it again.
        Outside of training nothing is dropped.
        """
        # The operator still multiplies by the derivative of the layer below.
        percent, seed = (0, 0) if self.seed is None else (self.layer.percent, self.seed)
        self.device.dropout_gradient(
            grad_z, percent, seed, self.index, counters, self.x, self.input_activation, out
        )


@dataclass(frozen=True)
class Dropout(Layer):
    """Sets a random `percent` % of its inputs to 0 in each training step."""

    percent: int = 25

    order: ClassVar = 3
    differs_in_training: ClassVar = True
    title: ClassVar = "Dropout"
    help: ClassVar = "Dropout: random inputs are left out while training, against overfitting."
    pattern: ClassVar = r"D(?P<percent>\d+)"
    fields: ClassVar = (
        FormField(
            "percent",
            "Share to drop",
            "Share of the inputs that each training step leaves out at random.",
            suffix=" %",
            maximum=95,
        ),
    )
    op_class: ClassVar = DropoutOp

    def __post_init__(self) -> None:
        if self.percent > 95:
            raise InputError(
                "{layer}: dropping {percent} % leaves too little: choose D1 to D95.",
                layer=self.text,
                percent=self.percent,
            )

    @property
    def text(self) -> str:
        return f"D{self.percent}"

    @property
    def caption(self) -> str:
        return "dropout {percent} %"

    def output_shape(self, shape: Shape) -> Shape:
        return shape

    def dropped(self, size: int, key: int, first: int) -> set[int]:
        limit = noise.threshold(self.percent)
        return {k for k in range(size) if noise.draw(key, first + k) < limit}

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        return "x"

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": "pass"}

    def torch_modules(self, shape: Shape) -> list[str]:
        return [f"nn.Dropout({self.percent / 100})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        return []
