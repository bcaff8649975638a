"""The kinds of layers, one module each. `KINDS` lists the classes in the order in which menus show them."""

from core.network.layers.layer import Layer, Shape
from kernels.discovery import classes_in

# mypy refuses an abstract class here, but only its subclasses are returned.
KINDS: tuple[type[Layer], ...] = classes_in(__name__, __path__, Layer)  # type: ignore[type-abstract]

__all__ = ["KINDS", "Layer", "Shape"]
