"""The tiny kernel by which a card is probed."""

from typing import Any

from numba import float32

from kernels.cuda.toolkit import cuda, kernel


@kernel()
def twice_and_one(array: Any) -> None:
    """array[i] = 2 · array[i] + 1 for a float32 array of one block's length."""
    i = cuda.grid(1)
    if i < array.shape[0]:
        array[i] = float32(2) * array[i] + float32(1)
