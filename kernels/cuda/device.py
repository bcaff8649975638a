"""The device `cuda`: its arrays are in the memory of an NVIDIA card, its operators are CUDA
kernels.
"""

import importlib.util
import logging
import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import numpy as np
from numpy.typing import DTypeLike

from kernels.cuda.card import Card, Stream
from kernels.cuda.errors import code_of, sticky_error, translate_errors
from kernels.cuda.launcher import ExecutableGraph, Launcher
from kernels.cuda.operators.augmentation import AugmentationOperators
from kernels.cuda.operators.batches import BatchOperators
from kernels.cuda.operators.convolution import ConvolutionOperators
from kernels.cuda.operators.dense import DenseOperators
from kernels.cuda.operators.dropout import DropoutOperators
from kernels.cuda.operators.elementwise import ElementwiseOperators
from kernels.cuda.operators.losses import LossOperators
from kernels.cuda.operators.normalization import NormalizationOperators
from kernels.cuda.operators.pooling import PoolingOperators
from kernels.cuda.operators.product import MatrixProducts
from kernels.cuda.operators.several_steps import SeveralStepsOperators
from kernels.cuda.operators.tiles import Multiprocessors, Tile, partial_floats
from kernels.cuda.operators.updates import UpdateOperators
from kernels.cuda.toolkit import SIMULATED
from kernels.device import Array, Device
from kernels.errors import DeviceError

# Blocks of a loss at most; each stores two partial sums.
_LOSS_BLOCKS = 1024

_log = logging.getLogger(__name__)
ASKED = os.environ.get("DIGITLAB_NVTX") == "1" and importlib.util.find_spec("nvtx") is not None

_DOMAIN = "DigitLab"
_NOTHING = nullcontext()


def profiler_range(name: str) -> AbstractContextManager[None]:
    """Encloses a part of the work that Nsight Systems shows as a bar with this name."""
    return _nvtx_range(name) if ASKED else _NOTHING


@contextmanager
def _nvtx_range(name: str) -> Generator[None]:
    import nvtx

    nvtx.push_range(name, domain=_DOMAIN)
    try:
        yield
    finally:
        nvtx.pop_range(domain=_DOMAIN)


class Cuda(
    DenseOperators,
    ConvolutionOperators,
    PoolingOperators,
    DropoutOperators,
    NormalizationOperators,
    ElementwiseOperators,
    LossOperators,
    UpdateOperators,
    BatchOperators,
    AugmentationOperators,
    SeveralStepsOperators,
    Device,
):
    """One card, float32. The thread that creates it owns it: only that thread uses and closes it.

    Operators return when their kernels are launched; `download`, `read` and `synchronize` wait for
    them. Errors of the machine are raised as `kernels.errors.DeviceError`, those of a kernel
    possibly not before the next wait.
    """

    # Replaying a graph costs the host some microseconds, and in larger graphs the gather of a batch
    # runs beside the update before. The simulator runs Python threads; two show that several steps
    # are right.
    steps_per_recording = 2 if SIMULATED else 20

    def __init__(self, index: int = 0, tile: Tile | None = None) -> None:
        """Open the card with this index. `tile` replaces the planned tiles of all products, for
        tests.
        """
        if (error := sticky_error()) is not None:
            raise error
        self.name = f"cuda:{index}" if index else "cuda"
        with translate_errors:
            self.card = Card(index)
            # Freeing waits for the card: it is done where nothing is being computed.
            self.card.free_pending()
            multiprocessors = Multiprocessors(*self.card.multiprocessors)
            floats = partial_floats(multiprocessors.count)
            self._launcher = Launcher(self.card, floats, _LOSS_BLOCKS)
            self._products = MatrixProducts(self._launcher, multiprocessors, tile)
            self._graphs: list[ExecutableGraph] = []
            self._copied: list[np.ndarray] = []

    @property
    def stream(self) -> Stream:
        """The stream on which operators are launched and arrays are copied."""
        return self._launcher.stream

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> Array:
        try:
            with translate_errors:
                return self.card.empty(shape, dtype)
        except DeviceError as error:
            raise self._with_amounts(
                error, int(np.prod(shape)) * np.dtype(dtype).itemsize
            ) from error

    def upload(self, host: np.ndarray) -> Array:
        array = self.empty(host.shape, host.dtype)
        if host.size:
            with translate_errors, profiler_range("upload"):
                self._copy_to_device(array, host)
        return array

    def download(self, array: Array) -> np.ndarray:
        host = np.empty(array.shape, array.dtype)
        self.read(array, host)
        return host

    def write(self, array: Array, host: np.ndarray) -> None:
        _require_same_layout(array, host)
        with translate_errors, profiler_range("write"):
            self._copy_to_device(array, host)

    def read(self, array: Array, host: np.ndarray) -> None:
        _require_same_layout(array, host)
        # The driver copies contiguous memory.
        contiguous = host if host.flags.c_contiguous else np.empty(host.shape, host.dtype)
        with translate_errors, profiler_range("read"):
            self.card.copy_to_host(array, contiguous, self.stream)
            self.synchronize()
        if contiguous is not host:
            host[...] = contiguous

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step as an executable graph; the step itself where the driver refuses to capture it.

        The reason is then logged, and told by `notice`.
        """
        # It captures nothing.
        if SIMULATED:
            return step
        with translate_errors, profiler_range("capture"):
            try:
                graph = self._launcher.capture(step)
            except Exception as error:
                # A launch in the step has been reported as a DeviceError, which holds the driver's.
                code = code_of(error.__cause__ or error)
                # Only a refusal to capture leaves a step that can still be launched.
                if not code.startswith(("STREAM_CAPTURE", "NOT_SUPPORTED")):
                    raise
                self.notice = (
                    "The graphics driver could not capture the training step as a graph "
                    f"({code}): each kernel is "
                    "launched by itself, which is several times slower. A newer driver may help."
                )
                _log.warning(self.notice)
                return step
        self._graphs.append(graph)
        return graph

    def synchronize(self) -> None:
        with translate_errors:
            self._launcher.synchronize()
        self._copied.clear()

    profiler_range = staticmethod(profiler_range)

    def memory_info(self) -> tuple[int, int]:
        """(free, total) bytes on the card; in the simulator a number that is never reached."""
        with translate_errors:
            self.card.free_pending()
            return self.card.memory_info()

    def close(self) -> None:
        """Wait, destroy the graphs and free memory. Arrays that are still referenced are freed
        later.

        Errors are logged and not raised: they must not replace the error that ended the run.
        """
        if self._launcher.closed:
            return
        destroy = [graph.close for graph in self._graphs]
        # In this order: a graph must not run when it is destroyed, nor memory be in use when it is
        # freed.
        for release in (self.synchronize, *destroy, self._launcher.close, self.card.free_pending):
            try:
                with translate_errors:
                    release()
            except Exception as error:
                _log.warning("While closing the graphics card: %s", error)
        self._graphs.clear()

    def _copy_to_device(self, array: Array, host: np.ndarray) -> None:
        """Copy in the order of the stream. `host` may change as soon as this returns.

        The driver may still read from the copied array then, so it is kept until the next wait. It
        is not page-locked: for memory that is used once that takes longer than it saves.
        """
        copy = np.array(host, order="C")
        self._copied.append(copy)
        self.card.copy_to_card(array, copy, self.stream)

    def _with_amounts(self, error: DeviceError, needed: int) -> DeviceError:
        """An error of kind `memory` with the bytes that were asked for and that are free; others
        unchanged.
        """
        if error.kind != "memory":
            return error
        free, total = self.memory_info()
        return DeviceError(
            "memory",
            f"The graphics card has not enough memory: {needed / 1e6:,.0f} MB were asked for, "
            f"{free / 1e6:,.0f} of {total / 1e6:,.0f} MB are free. Choose a smaller network or "
            "batch, or the CPU.",
        )


def _require_same_layout(array: Array, host: np.ndarray) -> None:
    if tuple(array.shape) != host.shape or array.dtype != host.dtype:
        raise ValueError(
            f"cuda: the array on the card is {array.dtype} {tuple(array.shape)}, "
            f"the one in host memory {host.dtype} {host.shape}"
        )
