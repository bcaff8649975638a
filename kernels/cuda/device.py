"""The device `cuda`: its arrays are in a card's memory, its operators are the kernels of this package."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.cuda.errors import DEVICE_ERRORS, code_of
from kernels.cuda.operators.augmentation import AugmentationOperators
from kernels.cuda.operators.batches import BatchOperators
from kernels.cuda.operators.convolution import ConvolutionOperators
from kernels.cuda.operators.dense import DenseOperators, Products, share_floats
from kernels.cuda.operators.dropout import DropoutOperators
from kernels.cuda.operators.elementwise import ElementwiseOperators
from kernels.cuda.operators.losses import LossOperators
from kernels.cuda.operators.pooling import PoolingOperators
from kernels.cuda.operators.reduce import SumOperators
from kernels.cuda.operators.tiles import Tile
from kernels.cuda.operators.updates import UpdateOperators
from kernels.cuda.queue import Queue, Replay
from kernels.cuda.toolkit import SIMULATED, cuda
from kernels.device import Device
from kernels.errors import DeviceError

# Blocks that share in one loss; each leaves two sums for the last one to add.
_SUM_BLOCKS = 1024

# The simulator has no multiprocessors; this many make it cut sums into slices.
_SIMULATED_MULTIPROCESSORS = 4


class Cuda(
    DenseOperators,
    ConvolutionOperators,
    PoolingOperators,
    DropoutOperators,
    ElementwiseOperators,
    SumOperators,
    LossOperators,
    UpdateOperators,
    BatchOperators,
    AugmentationOperators,
    Device,
):
    """One card, float32. The thread that makes it owns it: only that thread uses and closes it.

    Operators return as soon as their kernels are queued; `download`, `read` and `synchronize` wait. Errors of
    the machine come as `kernels.errors.DeviceError`, those of a kernel possibly not before the next wait.
    """

    name = "cuda"

    def __init__(self, index: int = 0, tile: Tile | None = None) -> None:
        """The card with this index. `tile` for all products instead of planned ones, for tests."""
        with DEVICE_ERRORS:
            if not SIMULATED:
                cuda.select_device(index)
            multiprocessors = (
                _SIMULATED_MULTIPROCESSORS if SIMULATED else cuda.get_current_device().MULTIPROCESSOR_COUNT
            )
            self._queue = Queue(share_floats(multiprocessors), _SUM_BLOCKS)
            self._products = Products(self._queue, multiprocessors, tile)
            self._replays: list[Replay] = []
            self._sources: list[np.ndarray] = []

    def empty(self, shape: tuple[int, ...], dtype: Any = np.float32) -> Any:
        try:
            with DEVICE_ERRORS:
                return cuda.device_array(shape, dtype)
        except DeviceError as fault:
            raise self._with_amounts(fault, int(np.prod(shape)) * np.dtype(dtype).itemsize) from fault

    def upload(self, host: np.ndarray) -> Any:
        array = self.empty(host.shape, host.dtype)
        if host.size:
            with DEVICE_ERRORS:
                self._copy_in(array, host)
        return array

    def download(self, array: Any) -> np.ndarray:
        host = np.empty(array.shape, array.dtype)
        self.read(array, host)
        return host

    def write(self, array: Any, host: np.ndarray) -> None:
        _must_match(array, host)
        with DEVICE_ERRORS:
            self._copy_in(array, host)

    def read(self, array: Any, host: np.ndarray) -> None:
        _must_match(array, host)
        with DEVICE_ERRORS:
            if host.flags.c_contiguous:
                array.copy_to_host(host, stream=self._queue.stream)
                self.synchronize()
            else:
                whole = np.empty(host.shape, host.dtype)
                array.copy_to_host(whole, stream=self._queue.stream)
                self.synchronize()
                host[...] = whole

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step as a captured graph; the step itself where the driver cannot capture it."""
        if SIMULATED:
            return step
        with DEVICE_ERRORS:
            try:
                replay = self._queue.capture(step)
            except Exception as error:
                if code_of(error).startswith(("STREAM_CAPTURE", "NOT_SUPPORTED")):
                    return step
                raise
        self._replays.append(replay)
        return replay

    def synchronize(self) -> None:
        with DEVICE_ERRORS:
            self._queue.synchronize()
        self._sources.clear()

    def memory_info(self) -> tuple[int, int]:
        """(free, total) bytes on the card; the simulator's memory has no end."""
        if SIMULATED:
            return 1 << 40, 1 << 40
        with DEVICE_ERRORS:
            free, total = cuda.current_context().get_memory_info()
        return int(free), int(total)

    def close(self) -> None:
        """Wait, destroy the graphs, give memory back. Arrays that someone still holds are freed with them."""
        if self._queue.closed:
            return
        try:
            self.synchronize()
        except DeviceError:
            # The context is broken: its memory is freed with the process, and freeing it now would fail.
            self._replays.clear()
            self._queue.close()
            return
        # None may stay in a variable here: it would keep its step, and that its arrays.
        while self._replays:
            self._replays.pop().close()
        self._queue.close()
        if not SIMULATED:
            # Numba frees arrays some time after the last reference to them; a later run may need the room.
            gc.collect()
            with DEVICE_ERRORS:
                context = cuda.current_context()
                # Arrays wait in one list, events in another.
                context.memory_manager.deallocations.clear()
                context.deallocations.clear()

    def _copy_in(self, array: Any, host: np.ndarray) -> None:
        """Copy in the order of the queue; `host` may change as soon as this returns.

        The driver may read after it has returned: what it reads is ours, and kept until the next wait. It is not
        page-locked, which for memory that is used once takes longer than it saves.
        """
        source = np.array(host, order="C")
        self._sources.append(source)
        array.copy_to_device(source, stream=self._queue.stream)

    def _with_amounts(self, fault: DeviceError, needed: int) -> DeviceError:
        """The fault, with what was asked for and what there is, where memory was short."""
        if fault.kind != "memory":
            return fault
        free, total = self.memory_info()
        return DeviceError(
            "memory",
            f"The graphics card has not enough memory: {needed / 1e6:,.0f} MB were asked for, "
            f"{free / 1e6:,.0f} of {total / 1e6:,.0f} MB are free. Choose a smaller network or batch, or the CPU.",
        )


def _must_match(array: Any, host: np.ndarray) -> None:
    if tuple(array.shape) != host.shape or array.dtype != host.dtype:
        raise ValueError(
            f"cuda: the array on the card is {array.dtype} {tuple(array.shape)}, "
            f"the one in host memory {host.dtype} {host.shape}"
        )
