"""A tape is a batch of a dense network as a list of operators that one compiled call carries out.

Called one by one, each operator takes Python's lock before and after, and threads that compute side by side
wait for it more than they compute: two threads gain a quarter, by a tape nearly all. A tape is made by running
the step once with operators that only note their arrays' addresses; so the arrays must stay the same ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from kernels.activations import CODES, LINEAR, SIGMOID, TANH
from kernels.compiled import compiled_fast
from kernels.device import Device
from kernels.sequential.batches import gather_copied, gather_scaled
from kernels.sequential.losses import (
    loop_softmax_cross_entropy,
    loop_squared_error,
    loop_squared_error_classes,
)
from kernels.vectorized import activations, blas, exponential
from kernels.vectorized.dense import loop_bias_gradient

# Operations on the tape, and how many numbers each line has.
_GATHER_PIXELS, _GATHER_FLOATS, _GATHER_WHOLE, _ADVANCE = range(4)
_DENSE, _INPUT_GRADIENT, _WEIGHT_GRADIENT, _BIAS_GRADIENT = range(4, 8)
_CROSS_ENTROPY, _ERROR_CLASSES, _ERROR = range(8, 11)
_LINE = 10


class NotRecordable(Exception):  # noqa: N818 - the step is as good without a tape
    """The step calls an operator, or uses a type, that tapes do not have."""


def _pointer(kind: Any) -> Any:
    """The address as a pointer to numbers of this type, for compiled loops."""

    @intrinsic
    def pointer(typingctx: Any, address):  # noqa: ANN001, ANN202 - Numba's
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return pointer


_floats, _doubles = _pointer(types.float32), _pointer(types.float64)
_wholes, _bytes = _pointer(types.int32), _pointer(types.uint8)


@compiled_fast
def _dense(line: np.ndarray, gemm: int, wide: bool) -> None:
    """[., x, w, b, out, n, i, o, code]"""
    n, i, o, code = line[5], line[6], line[7], line[8]
    out, b = carray(_floats(line[4]), (n, o)), carray(_floats(line[3]), (o,))
    if o == 1:
        x, w = carray(_floats(line[1]), (n, i)), carray(_floats(line[2]), (i,))
        for row in range(n):
            total = x.dtype.type(0)
            for k in range(i):
                total += x[row, k] * w[k]
            out[row, 0] = total
    else:
        blas.product(gemm, wide, False, False, n, o, i, line[1], i, line[2], o, line[4])
    if code == SIGMOID:
        exponential.sigmoid(out, b)
    elif code == TANH:
        exponential.tanh(out, b)
    else:
        activations.add_bias(out, b, code)


@compiled_fast
def _input_gradient(line: np.ndarray, gemm: int, wide: bool) -> None:
    """[., dz, w, y, out, n, i, o, code]"""
    n, i, o, code = line[5], line[6], line[7], line[8]
    out = carray(_floats(line[4]), (n, i))
    if o == 1:
        grad_z, w = carray(_floats(line[1]), (n,)), carray(_floats(line[2]), (i,))
        for row in range(n):
            for k in range(i):
                out[row, k] = grad_z[row] * w[k]
    else:
        blas.product(gemm, wide, False, True, n, i, o, line[1], o, line[2], o, line[4])
    if code != LINEAR:
        activations.bend(out, carray(_floats(line[3]), (n, i)), code)


@compiled_fast
def _weight_gradient(line: np.ndarray, gemm: int, wide: bool) -> None:
    """[., x, dz, ., out, n, i, o]"""
    n, i, o = line[5], line[6], line[7]
    if o > 1:
        blas.product(gemm, wide, True, False, i, o, n, line[1], i, line[2], o, line[4])
        return
    x, grad_z, out = (
        carray(_floats(line[1]), (n, i)),
        carray(_floats(line[2]), (n,)),
        carray(_floats(line[4]), (i,)),
    )
    out[:] = 0
    for row in range(n):
        for k in range(i):
            out[k] += x[row, k] * grad_z[row]


@compiled_fast
def _gather(line: np.ndarray) -> None:
    """[., source, order, counters, out, rows, width, images]"""
    rows, width, images = line[5], line[6], line[7]
    order, counters = carray(_wholes(line[2]), (images,)), carray(_wholes(line[3]), (2,))
    if line[0] == _GATHER_PIXELS:
        gather_scaled(
            carray(_bytes(line[1]), (images, width)), order, counters, carray(_floats(line[4]), (rows, width))
        )
    elif line[0] == _GATHER_FLOATS:
        gather_copied(
            carray(_floats(line[1]), (images, width)),
            order,
            counters,
            carray(_floats(line[4]), (rows, width)),
        )
    else:
        gather_copied(
            carray(_wholes(line[1]), (images, width)),
            order,
            counters,
            carray(_wholes(line[4]), (rows, width)),
        )


@compiled_fast
def _loss(line: np.ndarray) -> None:
    """[., y, answers, tally, out, n, o, code]"""
    n, o, code = line[5], line[6], line[7]
    y, out = carray(_floats(line[1]), (n, o)), carray(_floats(line[4]), (n, o))
    metrics = carray(_doubles(line[3]), (2,))
    if line[0] == _CROSS_ENTROPY:
        loop_softmax_cross_entropy(y, carray(_wholes(line[2]), (n,)), metrics, out)
    elif line[0] == _ERROR_CLASSES:
        loop_squared_error_classes(y, carray(_wholes(line[2]), (n,)), code, metrics, out)
    else:
        loop_squared_error(y, carray(_floats(line[2]), (n, o)), code, metrics, out)


@compiled_fast
def _play(tape: np.ndarray, gemm: int, wide: bool) -> None:
    for place in range(tape.shape[0]):
        line = tape[place]
        kind = line[0]
        if kind == _DENSE:
            _dense(line, gemm, wide)
        elif kind == _INPUT_GRADIENT:
            _input_gradient(line, gemm, wide)
        elif kind == _WEIGHT_GRADIENT:
            _weight_gradient(line, gemm, wide)
        elif kind == _BIAS_GRADIENT:
            loop_bias_gradient(
                carray(_floats(line[1]), (line[5], line[6])), carray(_floats(line[4]), (line[6],))
            )
        elif kind <= _GATHER_WHOLE:
            _gather(line)
        elif kind == _ADVANCE:
            counters = carray(_wholes(line[1]), (2,))
            counters[0] += line[2]
            counters[1] += 1
        else:
            _loss(line)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A step as a table of operators: calling it carries them out."""

    table: np.ndarray  # int64 (operators, _LINE)
    gemm: blas.Gemm
    arrays: tuple[np.ndarray, ...]  # kept alive: the table has only their addresses

    def __call__(self) -> None:
        _play(self.table, self.gemm.address, self.gemm.wide)


class CompiledStep:
    """Notes operators in place of the device that would carry them out."""

    def __init__(self) -> None:
        self._lines: list[list[int]] = []
        self._arrays: list[np.ndarray] = []

    def recorded(self, gemm: blas.Gemm) -> Recorded:
        lines = [line + [0] * (_LINE - len(line)) for line in self._lines]
        return Recorded(np.array(lines, np.int64).reshape(-1, _LINE), gemm, tuple(self._arrays))

    # -- the operators, with the signatures of `kernels.device` ---------------------------------------------

    def gather(self, source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray) -> None:
        kinds = {
            (np.uint8, np.float32): _GATHER_PIXELS, (np.float32, np.float32): _GATHER_FLOATS,
            (np.int32, np.int32): _GATHER_WHOLE,
        }  # fmt: skip
        kind = kinds.get((source.dtype.type, out.dtype.type))
        if kind is None:
            raise NotRecordable
        rows, images = len(out), len(source)
        self._note(kind, [source, order, counters, out], rows, out.size // rows, images)

    def advance(
        self,
        counters: np.ndarray,
        examples: int,
        metrics: np.ndarray | None = None,
        history: np.ndarray | None = None,
    ) -> None:
        if history is not None:
            raise NotRecordable
        self._note(_ADVANCE, [counters], examples)

    def dense(self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray) -> None:
        self._note(_DENSE, self._floats(x, w, b, out), len(x), *w.shape, CODES[activation])

    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        self._note(_INPUT_GRADIENT, self._floats(grad_z, w, y, out), len(grad_z), *w.shape, CODES[activation])

    def dense_weight_gradient(self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        self._note(_WEIGHT_GRADIENT, self._floats(x, grad_z, grad_z, out), len(x), *out.shape)

    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> None:
        self._note(
            _BIAS_GRADIENT, self._floats(grad_z, grad_z, grad_z, out), grad_z.size // len(out), len(out)
        )

    def softmax_cross_entropy(
        self, z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        self._floats(z, out)
        self._note(_CROSS_ENTROPY, [z, labels, metrics, out], *z.shape)

    def squared_error_classes(
        self, y: np.ndarray, labels: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        self._floats(y, out)
        self._note(_ERROR_CLASSES, [y, labels, metrics, out], *y.shape, CODES[activation])

    def squared_error(
        self, y: np.ndarray, targets: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        self._floats(y, targets, out)
        self._note(_ERROR, [y, targets, metrics, out], *y.shape, CODES[activation])

    def _floats(self, *arrays: np.ndarray) -> list[np.ndarray]:
        if any(array.dtype != np.float32 for array in arrays):
            raise NotRecordable
        return list(arrays)

    def _note(self, kind: int, arrays: list[np.ndarray], *numbers: int) -> None:
        if not all(array.flags.c_contiguous for array in arrays):
            raise NotRecordable
        self._arrays += arrays
        self._lines.append([kind, *(array.ctypes.data for array in arrays), *map(int, numbers)])


# What a device offers and a tape does not.
_OTHERS = sorted(
    name
    for name in Device.__abstractmethods__ - {"empty", "upload", "download", "write", "read"}
    if not hasattr(CompiledStep, name)
)


class CompiledStepOperators:
    """A device that records steps of dense networks."""

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step as a tape; the step itself where it has other operators or BLAS cannot be called."""
        tape = CompiledStep()

        def refuse(*arguments: Any) -> None:
            raise NotRecordable

        recorded = [name for name in vars(CompiledStep) if name in Device.__abstractmethods__]
        try:
            for name in recorded:
                setattr(self, name, getattr(tape, name))
            for name in _OTHERS:
                setattr(self, name, refuse)
            step()
        except NotRecordable:
            return step
        finally:
            for name in (*recorded, *_OTHERS):
                self.__dict__.pop(name, None)
        gemm = blas.find()
        return step if gemm is None else tape.recorded(gemm)
