"""Base class of the operator groups of `kernels.cuda.device.Cuda`, and operators that are one
kernel.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernels.activations import CODES
from kernels.cuda.card import Card
from kernels.cuda.launcher import Launcher
from kernels.cuda.operators.product import MatrixProducts
from kernels.cuda.toolkit import THREADS_PER_BLOCK, Kernel, require_float32
from kernels.device import Array


class OperatorGroup:
    """Some operators of `kernels.device.Device`. `Cuda` inherits all groups and sets the attributes
    below.
    """

    card: Card
    _launcher: Launcher
    _products: MatrixProducts

    def _launch_per_element(
        self,
        kernel: Kernel,
        arguments: Sequence[object],
        writes: Sequence[Array],
        flat: bool = False,
    ) -> None:
        """Launch `kernel` with at least one thread per element of writes[0], in a one-dimensional
        grid.

        `writes`: the arrays among the arguments that it writes. `flat`: it takes one-dimensional
        views of all arrays. An activation is passed as its code, a number as float32, a bool as
        an integer, None (an output that is not read) as writes[0].
        """
        require_float32(*arguments)
        values: list[Any] = [writes[0] if value is None else value for value in arguments]
        for k, value in enumerate(values):
            if isinstance(value, str):
                values[k] = CODES[value]
            elif isinstance(value, float):
                values[k] = np.float32(value)
            elif isinstance(value, bool):
                values[k] = int(value)
            elif flat and hasattr(value, "reshape") and value.ndim > 1:
                values[k] = value.reshape(value.size)
        grid = (-(-writes[0].size // THREADS_PER_BLOCK), 1, 1)
        self._launcher.launch(kernel, grid, (THREADS_PER_BLOCK, 1, 1), values, writes)


def per_element(kernel: Kernel, *written: int, flat: bool = False) -> Callable[..., None]:
    """The operator that passes its arguments to `kernel`, see `_launch_per_element`.

    `written`: indices of the arrays that it writes; none for the last one.
    """

    def operator(self: OperatorGroup, *arguments: object) -> None:
        writes = [arguments[index] for index in written or (-1,)]
        self._launch_per_element(kernel, arguments, writes, flat)

    return operator
