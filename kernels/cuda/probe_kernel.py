"""The small kernel that tests whether a card computes correctly."""

from typing import Any

from numba import float32

from kernels.cuda.toolkit import cuda, kernel


@kernel()
def double_and_add_one(array: Any) -> None:
    """array[i] = 2 · array[i] + 1 for a float32 array; one block of at least its length."""
    i = cuda.grid(1)
    if i < array.shape[0]:
        array[i] = float32(2) * array[i] + float32(1)
