"""The optimizers, one module each. `OPTIMIZERS` maps names to objects, in the order in which menus
show them.
"""

from core.training.optimizers.optimizer import Optimizer
from kernels.discovery import classes_in

_CLASSES = classes_in(__name__, __path__, Optimizer)
OPTIMIZERS: dict[str, Optimizer] = {cls.name: cls() for cls in _CLASSES}

__all__ = ["OPTIMIZERS", "Optimizer"]
