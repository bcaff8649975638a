"""Augmentation, with the images of a batch divided among the threads of the pool."""

import numpy as np

from kernels.augmentation import AugmentationParams
from kernels.sequential.augmentation import augment_images
from kernels.vectorized.thread_pool import Pooled

# Images of a piece: about half a millisecond, against which the cost of passing it to a thread is small.
_PIECE = 25


class AugmentationOperators(Pooled):
    def augment(
        self, x: np.ndarray, amounts: AugmentationParams, seed: int, counters: np.ndarray, out: np.ndarray
    ) -> None:
        """See `kernels.device`."""
        images, results = x[..., 0], out[..., 0]

        def work(worker: int, piece: int) -> None:
            start = piece * _PIECE
            augment_images(images, start, min(start + _PIECE, len(x)), *amounts, seed, counters, results)

        self.pool.map(-(-len(x) // _PIECE), work)
