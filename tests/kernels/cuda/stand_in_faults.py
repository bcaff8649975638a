"""Faulty kernels on the PTX emulator, which has to find the faults; run by test_cuda_stand_in.py."""

# ruff: noqa: E402 - the emulator is installed before anything asks for a card
import numpy as np
import pytest
from numba import float32

from tools.card.numba_stand_in import install

install()

from kernels.cuda.toolkit import cuda, kernel
from tools.card.kernels import WrongKernelError


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


def test_a_race_is_found():
    with pytest.raises(WrongKernelError, match="a race"):
        pass_on[1, 64](card_array(), 0)


def test_the_same_kernel_with_a_barrier_passes():
    numbers = card_array()
    pass_on[1, 64](numbers, 1)
    np.testing.assert_array_equal(numbers.copy_to_host(), np.roll(np.arange(64), -1))


def test_a_thread_beyond_the_array_is_found():
    clear[1, 64](card_array())
    with pytest.raises(WrongKernelError, match="outside of all arrays"):
        clear[1, 64](card_array(63))


def test_barriers_that_not_all_reach_are_found():
    with pytest.raises(WrongKernelError, match="barrier"):
        part_ways[1, 64](card_array())


def test_a_side_stream_that_is_never_joined_is_found():
    from numba.cuda.cudadrv.driver import driver

    trunk, branch, numbers = cuda.stream(), cuda.stream(), card_array()
    driver.cuStreamBeginCapture(int(trunk), None)
    clear[1, 64, trunk](numbers)
    event = cuda.event()
    event.record(trunk)
    event.wait(branch)
    clear[1, 64, branch](numbers)
    with pytest.raises(AssertionError, match="do not join"):
        driver.cuStreamEndCapture(int(trunk))
