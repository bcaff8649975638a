"""The class of the device `vectorized`."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from kernels.sequential.device import Sequential
from kernels.vectorized.augmentation import AugmentationOperators
from kernels.vectorized.compiled_step import CompiledStepOperators
from kernels.vectorized.convolution import ConvolutionOperators
from kernels.vectorized.dense import DenseOperators
from kernels.vectorized.elementwise import ElementwiseOperators
from kernels.vectorized.pooling import PoolingOperators
from kernels.vectorized.updates import UpdateOperators


class Vectorized(
    DenseOperators,
    ConvolutionOperators,
    PoolingOperators,
    AugmentationOperators,
    ElementwiseOperators,
    UpdateOperators,
    CompiledStepOperators,
    Sequential,
):
    """float32 and float64. Losses and gathering are one pass over little data: plain loops serve them.

    `threads`: how many the crew has, and BLAS may use inside `limits()`; None: all processors. Once a crew is
    hired BLAS gets one: its threads wait in a busy loop, and would take the crew's processors.
    """

    name = "vectorized"

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads
        self._controller: Any = None

    def worker(self) -> "Vectorized":
        return Vectorized(threads=1)

    def limits(self) -> AbstractContextManager[object]:
        threads = 1 if self.has_crew else self.threads
        if threads is None:
            return nullcontext()
        if self._controller is None:
            from threadpoolctl import ThreadpoolController

            # Finding the libraries takes a millisecond; setting their limit, microseconds.
            self._controller = ThreadpoolController()
        return self._controller.limit(limits=threads, user_api="blas")
