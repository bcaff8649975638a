"""The class of the device `vectorized`."""

import numpy as np

from kernels.augmentation import AugmentationParams
from kernels.host import arithmetic, limit_blas
from kernels.sequential.augmentation import augment_images
from kernels.vectorized import native
from kernels.vectorized.convolution import ConvolutionOperators
from kernels.vectorized.dense import DenseOperators
from kernels.vectorized.normalization import NormalizationOperators
from kernels.vectorized.pooling import PoolingOperators

# Images of a piece of augmentation: about half a millisecond, against which passing it to a thread
# costs little.
_IMAGES = 25


class Vectorized(ConvolutionOperators, PoolingOperators, NormalizationOperators, DenseOperators):
    """float32 and float64. Operators without an instruction or a loop here are those of
    `sequential`.

    `threads`: how many threads the device may use; None: as many as this process may use
    processors. BLAS gets one thread in the whole process: its own threads wait in busy loops, so
    they would take the processors from the device's threads and from every other program.
    """

    name = "vectorized"

    def __init__(self, threads: int | None = None) -> None:
        limit_blas()
        self.threads = threads

    def details(self) -> dict[str, str]:
        functions = native.find()
        compiled = functions is not None and functions[native.GEMM]
        return {
            "BLAS": arithmetic(),
            "steps": "one compiled call" if compiled else "operator by operator",
        }

    def limit_threads(self, count: int) -> None:
        self.threads = count

    def worker(self) -> "Vectorized":
        # Each is a thread of its own.
        return Vectorized(threads=1)

    def augment(
        self,
        x: np.ndarray,
        amounts: AugmentationParams,
        seed: int,
        counters: np.ndarray,
        out: np.ndarray,
    ) -> None:
        images = x[..., 0]
        results = out[..., 0]

        floats = amounts.as_floats()

        def work(_: int, piece: int) -> None:
            start = piece * _IMAGES
            augment_images(
                images, start, min(start + _IMAGES, len(x)), floats, seed, counters, results
            )

        self.pool.map(-(-len(x) // _IMAGES), work)
