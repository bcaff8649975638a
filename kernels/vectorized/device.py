"""The class of the device `vectorized`."""

from functools import cache

from kernels.sequential.device import Sequential
from kernels.vectorized import c_functions
from kernels.vectorized.augmentation import AugmentationOperators
from kernels.vectorized.compiled_step import refuse_to_record_others
from kernels.vectorized.convolution import ConvolutionOperators
from kernels.vectorized.dense import DenseOperators
from kernels.vectorized.elementwise import ElementwiseOperators
from kernels.vectorized.normalization import NormalizationOperators
from kernels.vectorized.pooling import PoolingOperators
from kernels.vectorized.updates import UpdateOperators


@refuse_to_record_others
class Vectorized(
    DenseOperators,
    UpdateOperators,
    ConvolutionOperators,
    PoolingOperators,
    NormalizationOperators,
    AugmentationOperators,
    ElementwiseOperators,
    Sequential,
):
    """float32 and float64. Losses and gathering are one pass over little data: plain loops serve them.

    `threads`: how many threads the device may use; None: as many as this process may use processors. BLAS gets one
    thread in the whole process: its own threads wait in busy loops, so they would take the processors from the
    device's threads and from every other program.
    """

    name = "vectorized"

    def __init__(self, threads: int | None = None) -> None:
        _limit_blas()
        self.threads = threads

    def details(self) -> dict[str, str]:
        steps = "operator by operator" if self._team is None else "one compiled call"
        return {"BLAS": c_functions.blas_description(), "steps": steps}

    def limit_threads(self, count: int) -> None:
        self.threads = count

    def worker(self) -> "Vectorized":
        worker = Vectorized(threads=1)
        worker._is_worker = True
        return worker


@cache
def _limit_blas() -> None:
    """Let BLAS use one thread in this process from now on. For Apple's BLAS main.py does so."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, "blas")
