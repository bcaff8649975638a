"""DigitLab: networks that read handwritten digits, and kernels for graphics cards.

>>> from digitlab import check, classify, train
"""

from digitlab.notebook import Training, Verdict, check, classify, load_ipython_extension, train

__all__ = ["Training", "Verdict", "check", "classify", "load_ipython_extension", "train"]
