"""The kinds of layers, one module each. `KINDS` lists the classes in the order in which menus show
them.
"""

from core.network.layers.layer import Layer, Shape
from kernels.discovery import classes_in

KINDS: tuple[type[Layer], ...] = classes_in(__name__, __path__, Layer)

__all__ = ["KINDS", "Layer", "Shape"]
