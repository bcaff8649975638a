"""A step of the thesis's network by the thesis's kernels, on each rung of the ladder that it climbed.

All rungs compute what the program's own step computes, for one hidden layer, squared error on classes and plain
SGD; they differ in how the numbers get there. Batches are gathered on the host and copied to the card, as the
thesis has it.
"""

from typing import Any, Literal

import numpy as np

from core.bench.cuda import ladder_kernels
from core.bench.cuda.ladder_trace import Trace
from kernels.activations import CODES
from kernels.cuda.device import Cuda
from kernels.cuda.errors import translate_errors
from kernels.cuda.toolkit import SIMULATED, cuda

# How a product gets a transposed operand: Numba's `array.T`, which compiles a kernel at each call; a kernel
# compiled once; or never, because the product's own kernel reads it the other way.
Transposes = Literal["numba", "kernel", "never"]


class NaiveStep:
    """One stream, pageable copies. Arrays: weights w1 (i, h), w2 (h, o), biases b1 (h,), b2 (o,), float32."""

    def __init__(
        self,
        parameters: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
        activation: str,
        rate: float,
        batch: int,
        block: int,
        transposes: Transposes,
    ) -> None:
        """`parameters` are w1, w2, b1, b2; blocks of `block` x `block` threads."""
        self._code, self._rate, self._batch, self._block = CODES[activation], np.float32(rate), batch, block
        self._transposes = transposes
        self.trace: Trace | None = None
        self._stream: Any = 0
        (inputs, hidden), (_, outputs) = parameters[0].shape, parameters[1].shape
        with translate_errors:
            self._w1, self._w2, self._b1, self._b2 = map(cuda.to_device, parameters)
            self._inputs = cuda.device_array((batch, inputs), np.float32)
            self._targets = cuda.device_array((batch, outputs), np.float32)
            self._hidden, self._hidden_errors, self._hidden_slope = (
                cuda.device_array((batch, hidden), np.float32) for _ in range(3)
            )
            self._outputs, self._errors, self._slope = (
                cuda.device_array((batch, outputs), np.float32) for _ in range(3)
            )
            self._g1, self._g2, self._gb1, self._gb2 = (
                cuda.device_array(array.shape, np.float32) for array in parameters
            )
            if transposes != "never":
                self._inputs_turned = cuda.device_array((inputs, batch), np.float32)
            if transposes == "kernel":
                self._w2_turned = cuda.device_array((outputs, hidden), np.float32)
                self._hidden_turned = cuda.device_array((hidden, batch), np.float32)

    def learn(self, inputs: np.ndarray, targets: np.ndarray, index: np.ndarray) -> None:
        """One step on the rows `index` (batch,) of inputs (images, i) and targets (images, o), float32."""
        with translate_errors:
            batch = inputs[index]
            self._copy("copy inputs", self._inputs, batch)
            self._copy("copy targets", self._targets, targets[index])
            if self._transposes != "never":
                # The thesis, too, turned the inputs on the host and copied them a second time.
                self._copy("copy inputs, turned", self._inputs_turned, np.ascontiguousarray(batch.T))
            self._compute()

    def parameters(self) -> tuple[np.ndarray, ...]:
        """Host copies of w1, w2, b1, b2; waits."""
        with translate_errors:
            cuda.synchronize()
            return tuple(array.copy_to_host() for array in (self._w1, self._w2, self._b1, self._b2))

    def synchronize(self) -> None:
        with translate_errors:
            cuda.synchronize()

    def _compute(self) -> None:
        code, launch = self._code, self._launch
        launch(
            ladder_kernels.feed_forward, self._hidden, self._inputs, self._w1, self._b1, code, self._hidden
        )
        launch(
            ladder_kernels.feed_forward, self._outputs, self._hidden, self._w2, self._b2, code, self._outputs
        )
        launch(ladder_kernels.subtract, self._errors, self._outputs, self._targets, self._errors)
        mean, whole = np.float32(1 / self._batch), np.float32(1)
        launch(ladder_kernels.grad_z, self._slope, self._outputs, self._errors, code, mean, self._slope)
        self._product_with_transposed(self._slope, self._w2, self._hidden_errors)
        launch(
            ladder_kernels.grad_z,
            self._hidden_slope,
            self._hidden,
            self._hidden_errors,
            code,
            whole,
            self._hidden_slope,
        )
        self._product_of_transposed(self._hidden, self._slope, self._g2)
        self._product_of_transposed(self._inputs, self._hidden_slope, self._g1)
        launch(ladder_kernels.sum_rows, self._gb2, self._slope, self._gb2)
        launch(ladder_kernels.sum_rows, self._gb1, self._hidden_slope, self._gb1)
        for p, g in ((self._w1, self._g1), (self._w2, self._g2)):
            launch(ladder_kernels.descend, p, p, g, self._rate)
        for p, g in ((self._b1, self._gb1), (self._b2, self._gb2)):
            launch(ladder_kernels.descend_row, p, p, g, self._rate)

    def _product_with_transposed(self, a: Any, b: Any, out: Any) -> None:
        """out = a · bᵀ."""
        if self._transposes == "never":
            self._launch(ladder_kernels.product_nt, out, a, b, out)
        else:
            self._launch(ladder_kernels.product, out, a, self._turned(b), out)

    def _product_of_transposed(self, a: Any, b: Any, out: Any) -> None:
        """out = aᵀ · b."""
        if self._transposes == "never":
            self._launch(ladder_kernels.product_tn, out, a, b, out)
        else:
            self._launch(ladder_kernels.product, out, self._turned(a), b, out)

    def _turned(self, array: Any) -> Any:
        if array is self._inputs:
            return self._inputs_turned
        if self._transposes == "numba":
            with self._noting("transpose by Numba"):
                return array.T
        out = self._w2_turned if array is self._w2 else self._hidden_turned
        self._launch(ladder_kernels.transpose, out, array, out)
        return out

    def _launch(self, kernel: Any, like: Any, *arguments: Any) -> None:
        """A thread for each element of `like`, in square blocks; a row of threads for a vector."""
        side = self._block
        if len(like.shape) == 1:
            grid: tuple[int, ...] = (-(-like.shape[0] // (side * side)),)
            block: tuple[int, ...] = (side * side,)
        else:
            grid, block = (-(-like.shape[0] // side), -(-like.shape[1] // side)), (side, side)
        with self._noting(_name(kernel)):
            kernel[grid, block, self._stream](*arguments)

    def _copy(self, name: str, array: Any, host: np.ndarray) -> None:
        with self._noting(name):
            array.copy_to_device(host, stream=self._stream)

    def _noting(self, name: str, number: int = 1, stream: Any = None) -> Any:
        if self.trace is None:
            return _QUIET
        return self.trace.around(name, number, self._stream if stream is None else stream)


class PinnedStep(NaiveStep):
    """Two streams: page-locked batches are copied on the second while the first computes on the batch before.

    There are two of each buffer, taken in turn. The host refills a page-locked one when its last copy is done;
    a copy overwrites a batch on the card when the step that read it is done; a step begins when its copy is done.
    """

    def __init__(
        self,
        parameters: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
        activation: str,
        rate: float,
        batch: int,
        block: int,
    ) -> None:
        super().__init__(parameters, activation, rate, batch, block, "never")
        with translate_errors:
            self._stream, self._copies = cuda.stream(), cuda.stream()
            self._slots = [_Slot(self._inputs.shape, self._targets.shape) for _ in range(2)]
            # The parameters went up on the default stream, which the two must not overtake.
            cuda.synchronize()
        self._turn = 0

    def learn(self, inputs: np.ndarray, targets: np.ndarray, index: np.ndarray) -> None:
        slot = self._slots[self._turn]
        self._turn = 1 - self._turn
        with translate_errors:
            slot.copied.synchronize()
            # Without "clip" NumPy would gather into an array of its own first.
            np.take(inputs, index, axis=0, out=slot.host_inputs, mode="clip")
            np.take(targets, index, axis=0, out=slot.host_targets, mode="clip")
            slot.computed.wait(self._copies)
            for name, array, host in (
                ("copy inputs", slot.inputs, slot.host_inputs),
                ("copy targets", slot.targets, slot.host_targets),
            ):
                with self._noting(name, 2, self._copies):
                    array.copy_to_device(host, stream=self._copies)
            slot.copied.record(self._copies)
            slot.copied.wait(self._stream)
            self._inputs, self._targets = slot.inputs, slot.targets
            self._compute()
            slot.computed.record(self._stream)


class _Slot:
    """Buffers of one batch, on the host and on the card, and the events that keep their users apart."""

    def __init__(self, inputs: tuple[int, ...], targets: tuple[int, ...]) -> None:
        self.host_inputs = cuda.pinned_array(inputs, np.float32)
        self.host_targets = cuda.pinned_array(targets, np.float32)
        self.inputs = cuda.device_array(inputs, np.float32)
        self.targets = cuda.device_array(targets, np.float32)
        # Waiting for an event that was never recorded is no wait.
        self.copied, self.computed = _event(), _event()


def naive_product(device: Cuda, block: int, a: Any, b: Any, out: Any) -> None:
    """Queue out (m, n) = a (m, k) · b (k, n) by the thesis's kernel, on the stream that the device waits for."""
    with translate_errors:
        grid = (-(-out.shape[0] // block), -(-out.shape[1] // block))
        ladder_kernels.product[grid, (block, block), device.stream](a, b, out)


def _event() -> Any:
    return cuda.event() if SIMULATED else cuda.event(timing=False)


def _name(kernel: Any) -> str:
    """A kernel's name for people; the simulator's kernels keep their function elsewhere."""
    return getattr(kernel, "py_func", getattr(kernel, "fn", kernel)).__name__.replace("_", " ")


class _Quiet:
    """Notes nothing."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


_QUIET = _Quiet()
