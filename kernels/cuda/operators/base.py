"""Base class of the operator groups of `kernels.cuda.device.Cuda`."""

from collections.abc import Sequence
from typing import Any

from kernels.cuda.launcher import Launcher
from kernels.cuda.operators.product import MatrixProducts
from kernels.cuda.toolkit import THREADS_PER_BLOCK, Kernel


class OperatorGroup:
    """Some operators of `kernels.device.Device`. `Cuda` inherits all groups and sets the attributes below."""

    _launcher: Launcher
    _products: MatrixProducts

    def _launch_per_element(
        self,
        kernel: Kernel,
        elements: int,
        arguments: tuple[Any, ...],
        reads: Sequence[Any],
        writes: Sequence[Any],
    ) -> None:
        """Launch `kernel` with at least one thread per element, in a one-dimensional grid."""
        grid = (-(-elements // THREADS_PER_BLOCK), 1, 1)
        self._launcher.launch(
            kernel, grid, (THREADS_PER_BLOCK, 1, 1), lambda workspace: arguments, reads, writes
        )


def flat(array: Any) -> Any:
    """A one-dimensional view of a contiguous device array."""
    return array.reshape(array.size)
