"""The kinds of blocks of a lab, one module each, found by the name of their fence."""

from core.labs.blocks.block import Part
from kernels.discovery import classes_in

_CLASSES: tuple[type[Part], ...] = classes_in(__name__, __path__, Part)
KINDS: dict[str, type[Part]] = {cls.name: cls for cls in _CLASSES if cls.name}
"""By the names of their fences. The forms of a prediction share one, and each of them reads all."""
