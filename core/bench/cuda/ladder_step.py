"""A training step with the thesis's naive kernels, in the variants of its ladder.

All variants compute the same step: one hidden layer, squared error on classes, plain SGD. They
differ in how operands are transposed and copied. As in the thesis, batches are gathered on the host
and copied to the card.
"""

import ctypes
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import prod
from typing import Any

import numpy as np

from core.bench.cuda import ladder_kernels
from core.data.dataset import Dataset
from core.measure.profile import InstrumentedDevice, StepRunner
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.run_settings import RunSettings
from core.training.trainer import epoch_order
from kernels.activations import CODES
from kernels.cuda.card import Card, Event, Stream
from kernels.cuda.device import Cuda
from kernels.cuda.driver import driver, value_of
from kernels.cuda.errors import translate_errors
from kernels.cuda.toolkit import SIMULATED, cuda
from kernels.device import Array


class NaiveStep:
    """The thesis's way: batches are gathered on the host from float32 images and copied to the card
    for each step.

    One stream, copies from pageable memory. Weights w1 (i, h), w2 (h, o), biases b1 (h,), b2 (o,),
    float32. It has the methods of `core.measure.profile.StepRunner`.
    """

    def __init__(
        self, card: Card, settings: RunSettings, data: Dataset, block: int, transposes: str
    ) -> None:
        """Blocks have `block` x `block` threads. `transposes`: `numba`, `kernel` or `never`; see
        the bench's module.
        """
        self._card = card
        split = data.train
        batch = settings.batch_size
        self._images = split.inputs.reshape(len(split), -1).astype(np.float32) / np.float32(255)
        self._classes = np.eye(data.outputs, dtype=np.float32)[split.targets]
        self._order = epoch_order(settings.seed, 0, len(split))
        self._position = 0
        network = parse(settings.network, data.input_shape, data.outputs)
        flat = initial_parameters(network, settings.initialization, settings.seed)
        first, second = (layer for layer in views(network, flat) if layer is not None)
        parameters = [
            np.ascontiguousarray(each)
            for each in (first.weights, second.weights, first.biases, second.biases)
        ]
        self._code = CODES[settings.activation]
        self._rate = np.float32(settings.learning_rate)
        self._batch = batch
        self._block = block
        self._transposes = transposes
        self._stream = card.new_stream()
        inputs, hidden = parameters[0].shape
        _, outputs = parameters[1].shape
        with translate_errors:
            self._w1, self._w2, self._b1, self._b2 = (
                card.upload(host, self._stream) for host in parameters
            )
            self.synchronize()
            self._inputs = self._empty(batch, inputs)
            self._targets = self._empty(batch, outputs)
            self._hidden, self._hidden_errors, self._hidden_grad_z = (
                self._empty(batch, hidden) for _ in range(3)
            )
            self._outputs, self._errors, self._grad_z = (
                self._empty(batch, outputs) for _ in range(3)
            )
            self._g1, self._g2, self._gb1, self._gb2 = (
                self._empty(*array.shape) for array in parameters
            )
            if transposes != "never":
                self._inputs_transposed = self._empty(inputs, batch)
            if transposes == "kernel":
                self._w2_transposed = self._empty(outputs, hidden)
                self._hidden_transposed = self._empty(hidden, batch)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            if self._position + self._batch > len(self._order):
                self._position = 0
            index = self._order[self._position : self._position + self._batch]
            with translate_errors:
                self._step(index)
            self._position += self._batch

    def _step(self, index: np.ndarray) -> None:
        """Queue a step on the images `index` (batch,)."""
        batch = self._images[index]
        self._copy(self._inputs, batch)
        self._copy(self._targets, self._classes[index])
        if self._transposes != "never":
            # As in the thesis the inputs are transposed on the host and copied a second time.
            self._copy(self._inputs_transposed, np.ascontiguousarray(batch.T))
        self._compute()

    def parameters(self) -> np.ndarray:
        self.synchronize()
        with translate_errors:
            hosts = [np.empty(array.shape, np.float32) for array in self._parameters]
            for array, host in zip(self._parameters, hosts, strict=True):
                self._card.copy_to_host(array, host, self._stream)
            self.synchronize()
        return np.concatenate([host.ravel() for host in hosts])

    def synchronize(self) -> None:
        with translate_errors:
            self._card.synchronize(self._stream)
            self._card.free_pending()

    close = synchronize

    @property
    def _parameters(self) -> tuple[Array, ...]:
        return self._w1, self._w2, self._b1, self._b2

    def _empty(self, *shape: int) -> Array:
        return self._card.empty(shape, np.float32)

    def _compute(self) -> None:
        code = self._code
        launch = self._launch
        feed_forward = ladder_kernels.feed_forward
        grad_z = ladder_kernels.grad_z
        launch(feed_forward, self._inputs, self._w1, self._b1, code, self._hidden)
        launch(feed_forward, self._hidden, self._w2, self._b2, code, self._outputs)
        launch(ladder_kernels.subtract, self._outputs, self._targets, self._errors)
        mean = np.float32(1 / self._batch)
        one = np.float32(1)
        launch(grad_z, self._outputs, self._errors, code, mean, self._grad_z)
        self._product(self._grad_z, self._w2, self._hidden_errors, "nt")
        launch(grad_z, self._hidden, self._hidden_errors, code, one, self._hidden_grad_z)
        self._product(self._hidden, self._grad_z, self._g2, "tn")
        self._product(self._inputs, self._hidden_grad_z, self._g1, "tn")
        launch(ladder_kernels.sum_rows, self._grad_z, self._gb2)
        launch(ladder_kernels.sum_rows, self._hidden_grad_z, self._gb1)
        for p, g in ((self._w1, self._g1), (self._w2, self._g2)):
            launch(ladder_kernels.descend, self._rate, g, p)
        for p, g in ((self._b1, self._gb1), (self._b2, self._gb2)):
            launch(ladder_kernels.descend_row, self._rate, g, p)

    def _product(self, a: object, b: object, out: object, kind: str) -> None:
        """out = a · bᵀ (`nt`) or aᵀ · b (`tn`)."""
        if self._transposes == "never":
            self._launch(getattr(ladder_kernels, f"product_{kind}"), a, b, out)
        elif kind == "nt":
            self._launch(ladder_kernels.product, a, self._transposed(b), out)
        else:
            self._launch(ladder_kernels.product, self._transposed(a), b, out)

    def _transposed(self, array: Any) -> Any:
        if array is self._inputs:
            return self._inputs_transposed
        if self._transposes == "numba":
            if SIMULATED:
                return array.T
            view = cuda.as_cuda_array(array)
            # Without a stream, Numba transposes on the default stream, for which ours does not
            # wait.
            view.stream = self._stream.of_compiler
            return view.T
        out = self._w2_transposed if array is self._w2 else self._hidden_transposed
        self._launch(ladder_kernels.transpose, array, out)
        return out

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        _launch_each(kernel, self._block, self._stream, *arguments)

    def _copy(self, array: Array, host: np.ndarray) -> None:
        """Copy pageable memory; the host waits for it, as the thesis's program does."""
        self._card.copy_to_card(array, host, self._stream)
        self.synchronize()


class PinnedStep(NaiveStep):
    """Two streams: one copies a batch from page-locked memory while the other computes with the
    batch before.

    Each buffer exists twice (double buffering). The host refills a page-locked buffer when its copy
    is complete; a copy overwrites a batch on the card when the step that read it is complete; a
    step starts when its copy is complete.
    """

    def __init__(
        self, card: Card, settings: RunSettings, data: Dataset, block: int, transposes: str
    ) -> None:
        super().__init__(card, settings, data, block, transposes)
        with translate_errors:
            self._copies = card.new_stream()
            self._slots = [
                _Slot(card, self._inputs.shape, self._targets.shape, self._stream) for _ in range(2)
            ]
        self._turn = 0

    def _step(self, index: np.ndarray) -> None:
        slot = self._slots[self._turn]
        self._turn = 1 - self._turn
        slot.copied.synchronize()
        # With the default mode NumPy gathers into a temporary array first.
        np.take(self._images, index, axis=0, out=slot.host_inputs, mode="clip")
        np.take(self._classes, index, axis=0, out=slot.host_targets, mode="clip")
        slot.computed.wait(self._copies)
        self._card.copy_to_card(slot.inputs, slot.host_inputs, self._copies)
        self._card.copy_to_card(slot.targets, slot.host_targets, self._copies)
        slot.copied = Event(self._copies)
        slot.copied.wait(self._stream)
        self._inputs = slot.inputs
        self._targets = slot.targets
        self._compute()
        slot.computed = Event(self._stream)


def _pinned_array(shape: tuple[int, ...]) -> np.ndarray:
    """A new float32 array in page-locked memory of the host, which copies read and write without a
    detour.
    """
    if SIMULATED:
        return np.empty(shape, np.float32)
    size = 4 * prod(shape)
    address = value_of(ctypes.c_void_p, "cuMemHostAlloc", size, 0)
    memory = (ctypes.c_byte * size).from_address(address)
    # At the end of the process the driver frees it; it may be gone by then.
    weakref.finalize(memory, driver().cuMemFreeHost, address).atexit = False
    return np.ctypeslib.as_array(memory).view(np.float32).reshape(shape)


class _Slot:
    """Buffers of one batch in host memory and on the card, and events: their copy, and the step
    that reads them.
    """

    def __init__(
        self, card: Card, inputs: tuple[int, ...], targets: tuple[int, ...], stream: Stream
    ) -> None:
        self.host_inputs = _pinned_array(inputs)
        self.host_targets = _pinned_array(targets)
        self.inputs = card.empty(inputs, np.float32)
        self.targets = card.empty(targets, np.float32)
        # Nothing is copied or computed yet.
        self.copied = Event(stream)
        self.computed = Event(stream)


@contextmanager
def open_variant(
    settings: RunSettings,
    data: Dataset,
    block: int,
    transposes: str | None,
    pinned: bool,
    captured: bool,
) -> Iterator[Any]:
    """The `NaiveStep`, or without `transposes` the program's `StepRunner`, with the run's initial
    parameters.
    """
    # The naive variants do not use the device's arrays and streams, but it opens the card and frees
    # its memory.
    with closing(Cuda()) as device:
        variant: Any
        if transposes:
            kind = PinnedStep if pinned else NaiveStep
            variant = kind(device.card, settings, data, block, transposes)
        else:
            variant = StepRunner(settings, data, device if captured else InstrumentedDevice(device))
        with closing(variant):
            yield variant


def naive_product(device: Cuda, block: int, a: object, b: object, out: object) -> None:
    """Queue out (m, n) = a (m, k) · b (k, n) with the thesis's naive kernel on the device's
    stream.
    """
    with translate_errors:
        _launch_each(ladder_kernels.product, block, device.stream, a, b, out)


def _launch_each(kernel: Any, side: int, stream: Any, *arguments: Any) -> None:
    """Launch a thread per element of the last argument: square blocks for a matrix, else
    one-dimensional ones.
    """
    shape = arguments[-1].shape
    block: tuple[int, ...] = (side, side) if len(shape) == 2 else (side * side,)
    grid = tuple(-(-length // width) for length, width in zip(shape, block, strict=True))
    kernel[grid, block, stream](*arguments)
