"""The optimisers, one module each. `OPTIMIZERS` maps names to objects, in the order in which menus show them."""

from core.discovery import classes_in
from core.training.optimizers.optimizer import Optimizer

OPTIMIZERS: dict[str, Optimizer] = {cls.name: cls() for cls in classes_in(__name__, __path__, Optimizer)}

__all__ = ["OPTIMIZERS", "Optimizer"]
