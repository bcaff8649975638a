"""Augmentation by the crew: each thread takes some of a batch's images."""

import numpy as np

from kernels.augmentation import AugmentationParams
from kernels.sequential.augmentation import augment_images
from kernels.vectorized.thread_pool import Pooled

# Large enough that handing over a piece costs nothing beside it, about half a millisecond.
_PIECE = 25


class AugmentationOperators(Pooled):
    def augment(
        self, x: np.ndarray, amounts: AugmentationParams, seed: int, counters: np.ndarray, out: np.ndarray
    ) -> None:
        images, changed = x[..., 0], out[..., 0]

        def work(worker: int, piece: int) -> None:
            start = piece * _PIECE
            augment_images(images, start, min(start + _PIECE, len(x)), *amounts, seed, counters, changed)

        self.pool.share(-(-len(x) // _PIECE), work)
