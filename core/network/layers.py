"""A layer is one stage of a network: what it makes of an input's shape, and how many numbers it learns."""

from dataclasses import dataclass

from core.errors import InputError

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dense:
    """`units` weighted sums of all inputs, each through the activation (None: the run's own)."""

    units: int
    activation: str | None = None

    @property
    def text(self) -> str:
        return f"{self.units}N" + (f":{self.activation}" if self.activation else "")

    def output_shape(self, shape: Shape) -> Shape:
        return (self.units,)

    def weight_shape(self, shape: Shape) -> Shape:
        inputs = 1
        for n in shape:
            inputs *= n
        return (inputs, self.units)

    def multiply_adds(self, shape: Shape) -> int:
        """For one example."""
        inputs, units = self.weight_shape(shape)
        return inputs * units


@dataclass(frozen=True, slots=True)
class Convolution:
    """`maps` of size x size patches; `same` padding keeps the size at stride 1."""

    maps: int
    size: int
    activation: str | None = None
    padding: str = "same"
    stride: int = 1

    @property
    def text(self) -> str:
        marks = [self.activation] if self.activation else []
        marks += ["valid"] if self.padding == "valid" else []
        marks += [f"s{self.stride}"] if self.stride != 1 else []
        return ":".join([f"{self.maps}C{self.size}", *marks])

    def output_shape(self, shape: Shape) -> Shape:
        if len(shape) != 3:
            raise InputError(
                "{layer} needs an image, but the layer before it gives {count} plain numbers; "
                "put convolutions before the first dense layer.",
                layer=self.text,
                count=shape[0],
            )
        height, width, _ = shape
        if self.padding == "same":
            return (-(-height // self.stride), -(-width // self.stride), self.maps)
        if self.size > min(height, width):
            raise InputError(
                "{layer}: a {size}x{size} kernel is larger than its {height}x{width} input.",
                layer=self.text,
                size=self.size,
                height=height,
                width=width,
            )
        return (
            (height - self.size) // self.stride + 1,
            (width - self.size) // self.stride + 1,
            self.maps,
        )

    def weight_shape(self, shape: Shape) -> Shape:
        return (self.size, self.size, shape[2], self.maps)

    def multiply_adds(self, shape: Shape) -> int:
        height, width, maps = self.output_shape(shape)
        return height * width * maps * self.size * self.size * shape[2]


@dataclass(frozen=True, slots=True)
class MaxPool:
    """The largest of each size x size block; what does not fill a block is left out."""

    size: int

    @property
    def text(self) -> str:
        return f"MP{self.size}"

    def output_shape(self, shape: Shape) -> Shape:
        if len(shape) != 3:
            raise InputError(
                "{layer} needs an image, but the layer before it gives {count} plain numbers; "
                "put pooling before the first dense layer.",
                layer=self.text,
                count=shape[0],
            )
        height, width, maps = shape
        if self.size > min(height, width):
            raise InputError(
                "{layer}: pooling {size}x{size} of a {height}x{width} input leaves nothing; remove it.",
                layer=self.text,
                size=self.size,
                height=height,
                width=width,
            )
        return (height // self.size, width // self.size, maps)

    def weight_shape(self, shape: Shape) -> None:
        return None

    def multiply_adds(self, shape: Shape) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class Dropout:
    """Sets `percent` % of its inputs to 0 at each training step and scales up the rest."""

    percent: int

    @property
    def text(self) -> str:
        return f"D{self.percent}"

    def output_shape(self, shape: Shape) -> Shape:
        return shape

    def weight_shape(self, shape: Shape) -> None:
        return None

    def multiply_adds(self, shape: Shape) -> int:
        return 0


Layer = Dense | Convolution | MaxPool | Dropout
