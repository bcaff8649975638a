"""Faulty kernels on the software card, which has to find the faults; run by test_software_card.py.

After a fault no call of the process succeeds, so each kernel runs in a process of its own: `python
-m tests.kernels.cuda.software_card_kernels NAME`.
"""

import sys

import numpy as np
from cuda.bindings import driver

from kernels.cuda.card import Card
from kernels.cuda.toolkit import cuda, float32, kernel

CARD = Card(0)
STREAM = CARD.new_stream()


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


@kernel()
def meet(arrivals, numbers, awaited, loads):
    """Each block stores a number, waits for `awaited` blocks, and adds up what all have stored.

    It waits by atomics, or by plain loads where `loads` is not 0.
    """
    block = cuda.blockIdx.x
    numbers[block] = block + 1
    cuda.threadfence()
    cuda.atomic.add(arrivals, 0, 1)
    if loads:
        while arrivals[0] < awaited:
            cuda.syncthreads()  # so that the compiler loads again
    else:
        while cuda.atomic.max(arrivals, 0, 0) < awaited:
            pass
    cuda.threadfence()
    total = float32(0)
    for other in range(cuda.gridDim.x):
        total += numbers[other]
    numbers[cuda.gridDim.x + block] = total


def blocks_meet(blocks=12, awaited=12, loads=0):
    """The sums that the blocks have found."""
    arrivals = CARD.upload(np.zeros(1, np.int32), STREAM)
    numbers = CARD.upload(np.zeros(2 * blocks, np.float32), STREAM)
    meet[blocks, 1, STREAM](arrivals, numbers, awaited, loads)
    found = np.empty(2 * blocks, np.float32)
    CARD.copy_to_host(numbers, found, STREAM)
    CARD.synchronize(STREAM)
    return found[blocks:]


def blocks_that_meet():
    for loads in (0, 1):
        np.testing.assert_array_equal(blocks_meet(loads=loads), np.full(12, 78))


def a_barrier_that_opens_too_early():
    np.testing.assert_array_equal(blocks_meet(awaited=11), np.full(12, 78))


def a_block_that_nobody_is():
    blocks_meet(awaited=13)


def a_block_that_does_not_fit_onto_the_card():
    """The test sets the card's multiprocessors to 1, which holds 32 blocks."""
    blocks_meet(blocks=33, awaited=33)


def card_array(size=64):
    numbers = np.arange(size, dtype=np.float32)
    array = CARD.upload(numbers, STREAM)
    CARD.synchronize(STREAM)
    return array


def a_race():
    pass_on[1, 64, STREAM](card_array(), 0)


def no_race():
    numbers = card_array()
    pass_on[1, 64, STREAM](numbers, 1)
    found = np.empty(64, np.float32)
    CARD.copy_to_host(numbers, found, STREAM)
    CARD.synchronize(STREAM)
    np.testing.assert_array_equal(found, np.roll(np.arange(64), -1))


def beyond_the_array():
    clear[1, 64, STREAM](card_array(63))


def beyond_a_part_of_an_array():
    clear[1, 64, STREAM](card_array(128)[:63])


def barriers_that_not_all_reach():
    part_ways[1, 64, STREAM](card_array())


def freed_memory():
    numbers = card_array()
    clear[1, 64, STREAM](numbers)
    CARD.synchronize(STREAM)
    driver.cuMemFree(numbers.ptr)
    clear[1, 64, STREAM](numbers)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    CARD.synchronize(STREAM)
    print("no fault")
