"""The class of the device `vectorized`."""

from contextlib import AbstractContextManager
from typing import Any

from kernels.sequential.device import Sequential
from kernels.vectorized.augmentation import AugmentationOperators
from kernels.vectorized.compiled_step import refuse_to_record_others
from kernels.vectorized.convolution import ConvolutionOperators
from kernels.vectorized.dense import DenseOperators
from kernels.vectorized.elementwise import ElementwiseOperators
from kernels.vectorized.pooling import PoolingOperators
from kernels.vectorized.updates import UpdateOperators


@refuse_to_record_others
class Vectorized(
    DenseOperators,
    UpdateOperators,
    ConvolutionOperators,
    PoolingOperators,
    AugmentationOperators,
    ElementwiseOperators,
    Sequential,
):
    """float32 and float64. Losses and gathering are one pass over little data: plain loops serve them.

    `threads`: how many threads the device may use; None: as many as this process may use processors. BLAS gets one
    thread: its own threads wait in busy loops, so they would take the processors from the device's threads and from
    every other program.
    """

    name = "vectorized"

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads
        self._controller: Any = None

    def worker(self) -> "Vectorized":
        return Vectorized(threads=1)

    def limits(self) -> AbstractContextManager[object]:
        if self._controller is None:
            from threadpoolctl import ThreadpoolController

            # Finding the libraries takes a millisecond; setting their limit, microseconds.
            self._controller = ThreadpoolController()
        return self._controller.limit(limits=1, user_api="blas")
