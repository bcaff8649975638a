"""Faulty kernels on the software card, which has to find the faults; run by test_software_card.py.

After a fault no call of the process succeeds, so each kernel runs in a process of its own: `python -m
tests.kernels.cuda.software_card_kernels NAME`.
"""

import sys

import numpy as np
from numba import float32

from kernels.cuda.toolkit import cuda, kernel


@kernel()
def pass_on(numbers, barriers):
    """numbers[k] = numbers[k + 1], through shared memory."""
    kept = cuda.shared.array(64, dtype=float32)
    k = cuda.threadIdx.x
    kept[k] = numbers[k]
    if barriers:
        cuda.syncthreads()
    numbers[k] = kept[(k + 1) % 64]


@kernel()
def clear(numbers):
    numbers[cuda.grid(1)] = 0


@kernel()
def part_ways(numbers):
    k = cuda.threadIdx.x
    if k < 16:
        numbers[k] = 1
        cuda.syncthreads()
    else:
        cuda.syncthreads()
        numbers[k] = 2


def card_array(size=64):
    return cuda.to_device(np.arange(size, dtype=np.float32))


def a_race():
    pass_on[1, 64](card_array(), 0)


def no_race():
    numbers = card_array()
    pass_on[1, 64](numbers, 1)
    np.testing.assert_array_equal(numbers.copy_to_host(), np.roll(np.arange(64), -1))


def beyond_the_array():
    clear[1, 64](card_array(63))


def beyond_a_part_of_an_array():
    clear[1, 64](card_array(128)[:63])


def barriers_that_not_all_reach():
    part_ways[1, 64](card_array())


def freed_memory():
    from numba.cuda.cudadrv.driver import driver

    numbers = card_array()
    clear[1, 64](numbers)
    cuda.synchronize()
    driver.cuMemFree(numbers.device_ctypes_pointer.value)
    clear[1, 64](numbers)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    cuda.synchronize()
    print("no fault")
