"""DigitLab: networks that read handwritten digits, and kernels for graphics cards.

>>> from digitlab import check, classify, operators, train
"""

from typing import Any

from digitlab.notebook import Training, Verdict, check, classify, load_ipython_extension, train

__all__ = ["Training", "Verdict", "check", "classify", "load_ipython_extension", "train"]


def __getattr__(name: str) -> Any:
    """`operators` computes in the notebook's own process, so it is imported when it is asked
    for.
    """
    if name != "operators":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module("digitlab.kernels.operators")
