"""The operators of a network, one by one, on a device of the user's choice.

    from kernels import operators as op

    with op.device("sequential"):
        y = op.add(op.dot(W, x), b)

Operands are NumPy arrays, lists, numbers and results of other operators. A result is a NumPy array on the CPU
devices. On CUDA it is a DeviceArray, which stays in the card's memory until `numpy.asarray` copies it. float64 arrays
are computed in float64 where the device can, everything else in float32.

Every operator takes `out`, an array of the result's kind, type and shape: then it writes to that array and returns it.
Operands that do not fit are a ValueError that says what would. Training calls the same operators as methods of its
device (`kernels.device`).
"""

from typing import Any

import numpy as np

from kernels.activations import CODES
from kernels.device import Array
from kernels.host import HostDevice
from kernels.padding import output_size
from kernels.scope import DeviceArray, as_result, current, device, to_device

__all__ = [
    "DeviceArray", "activate", "add", "clipped_leaky_relu", "convolve", "current", "dense", "dense_input_gradient",
    "dense_weight_gradient", "device", "dot", "leaky_relu", "linear", "max_pool", "multiply", "relu", "sigmoid",
    "softmax", "softmax_cross_entropy", "squared_error", "subtract", "sum_rows", "tanh",
]  # fmt: skip


# -- element by element -------------------------------------------------------------------------------------


def add(x: Any, y: Any, out: Any = None) -> Any:
    """x + y. One may be smaller and fit the other's last axes: a row is added to every row, a number to all."""
    return _pairwise("add", *_larger_first(x, y), out)


def subtract(x: Any, y: Any, out: Any = None) -> Any:
    """x - y, where y may be smaller, as in `add`."""
    return _pairwise("subtract", x, y, out)


def multiply(x: Any, y: Any, out: Any = None) -> Any:
    """x · y element by element, where one may be smaller, as in `add`."""
    return _pairwise("multiply", *_larger_first(x, y), out)


def activate(z: Any, activation: str, out: Any = None) -> Any:
    """f(z) for the activation with this name, element by element."""
    _check_activation(activation)
    call = _Call("activate", z)
    target = call.target(call.shapes[0], out, inplace=True)
    call.device.activate(call.arrays[0], activation, target)
    return call.result(out)


def sigmoid(z: Any, out: Any = None) -> Any:
    """1 / (1 + exp(-z))."""
    return activate(z, "sigmoid", out)


def tanh(z: Any, out: Any = None) -> Any:
    """The hyperbolic tangent."""
    return activate(z, "tanh", out)


def relu(z: Any, out: Any = None) -> Any:
    """z where it is positive, else 0."""
    return activate(z, "relu", out)


def leaky_relu(z: Any, out: Any = None) -> Any:
    """z where it is positive, else 0.01 z."""
    return activate(z, "leaky-relu", out)


def clipped_leaky_relu(z: Any, out: Any = None) -> Any:
    """0.01 z below 0, z up to 1, 1 + 0.01 (z - 1) above."""
    return activate(z, "clipped-leaky-relu", out)


def linear(z: Any, out: Any = None) -> Any:
    """z itself, as a new value."""
    return activate(z, "linear", out)


# -- layers -------------------------------------------------------------------------------------------------


def dot(x: Any, y: Any, out: Any = None) -> Any:
    """The matrix product of x (n, i) and y (i, o): (n, o). A vector is a row on the left, a column on the right."""
    call = _Call("dot", x, y)
    (left, right), (a, b) = call.shapes, call.arrays
    if not (1 <= len(left) <= 2 and 1 <= len(right) <= 2):
        raise ValueError(
            f"dot: takes matrices and vectors, not shapes {left} and {right}; flatten images first."
        )
    if left[-1] != right[0]:
        raise ValueError(
            f"dot: the first operand is {left} and the second {right}: the first's {left[-1]} columns must match "
            f"the second's {right[0]} rows."
        )
    target = call.target(left[:-1] + right[1:], out)
    rows = left[0] if len(left) == 2 else 1
    columns = right[1] if len(right) == 2 else 1
    call.device.dot(a.reshape(rows, left[-1]), b.reshape(left[-1], columns), target.reshape(rows, columns))
    return call.result(out)


def dense(x: Any, w: Any, b: Any, activation: str = "linear", out: Any = None) -> Any:
    """f(x (n, i) · w (i, o) + b (o,)): (n, o)."""
    _check_activation(activation)
    call = _Call("dense", x, w, b)
    (n, i), (rows, o), (biases,) = call.ranks(("x", "n, inputs"), ("w", "inputs, units"), ("b", "units"))
    if rows != i:
        raise ValueError(f"dense: x has {i} inputs an example, but w has {rows} rows: they must be equal.")
    if biases != o:
        raise ValueError(f"dense: w has {o} units, but b has {biases} biases: they must be equal.")
    target = call.target((n, o), out)
    x, w, b = call.arrays
    call.device.dense(x, w, b, activation, target)
    return call.result(out)


def dense_input_gradient(
    grad_z: Any, w: Any, y: Any = None, activation: str = "linear", out: Any = None
) -> Any:
    """(grad_z (n, o) · wᵀ) ⊙ f'(y (n, i)): (n, i); y is the layer's input, f the activation that made it."""
    _check_activation(activation)
    if y is None and activation != "linear":
        raise ValueError(
            f"dense_input_gradient: give y, the layer's input, for the derivative of {activation}."
        )
    call = _Call("dense_input_gradient", grad_z, w, *(() if y is None else (y,)))
    (n, o), (i, columns) = call.ranks(("grad_z", "n, units"), ("w", "inputs, units"))
    if columns != o:
        raise ValueError(
            f"dense_input_gradient: grad_z has {o} units, but w has {columns}: they must be equal."
        )
    target = call.target((n, i), out)
    if y is not None and call.shapes[2] != (n, i):
        raise ValueError(f"dense_input_gradient: y is {call.shapes[2]}, but must be {(n, i)} as the result.")
    given = call.arrays[2] if y is not None else target
    call.device.dense_input_gradient(call.arrays[0], call.arrays[1], given, activation, target)
    return call.result(out)


def dense_weight_gradient(x: Any, grad_z: Any, out: Any = None) -> Any:
    """xᵀ (i, n) · grad_z (n, o): (i, o), the gradient by the weights."""
    call = _Call("dense_weight_gradient", x, grad_z)
    (n, i), (rows, o) = call.ranks(("x", "n, inputs"), ("grad_z", "n, units"))
    if rows != n:
        raise ValueError(
            f"dense_weight_gradient: x has {n} examples, but grad_z has {rows}: they must be equal."
        )
    target = call.target((i, o), out)
    call.device.dense_weight_gradient(call.arrays[0], call.arrays[1], target)
    return call.result(out)


def sum_rows(grad_z: Any, out: Any = None) -> Any:
    """The sum of grad_z (..., o) over all axes but the last: (o,), the gradient by the biases."""
    call = _Call("sum_rows", grad_z)
    shape = call.shapes[0]
    if len(shape) < 2:
        raise ValueError(f"sum_rows: takes rows of numbers, not shape {shape}.")
    target = call.target(shape[-1:], out)
    call.device.bias_gradient(call.arrays[0], target)
    return call.result(out)


def convolve(
    x: Any, kernels: Any, b: Any = None, stride: int = 1, padding: str = "same", activation: str = "linear",
    out: Any = None,
) -> Any:  # fmt: skip
    """x (n, h, w, channels) by kernels (k, k, channels, maps), plus b (maps,), through an activation.

    (n, h', w', maps): h' is h / stride, rounded up, with "same" padding (zeros around), only where the whole
    kernel fits with "valid".
    """
    _check_activation(activation)
    if b is None:
        b = np.zeros(np.shape(kernels)[-1:], np.float32)
    call = _Call("convolve", x, kernels, b)
    (n, h, w, channels), (k, across, depth, maps), (biases,) = call.ranks(
        ("x", "n, height, width, channels"), ("kernels", "k, k, channels, maps"), ("b", "maps")
    )
    if k != across or depth != channels:
        raise ValueError(
            f"convolve: kernels are {call.shapes[1]}, but must be (k, k, {channels}, maps) for images of "
            f"{channels} channels."
        )
    if biases != maps:
        raise ValueError(f"convolve: there are {maps} maps, but b has {biases} biases: they must be equal.")
    if padding not in ("same", "valid") or stride not in (1, 2):
        raise ValueError(f"convolve: padding is same or valid, stride 1 or 2; not {padding} and {stride}.")
    if padding == "valid" and k > min(h, w):
        raise ValueError(f"convolve: a {k}x{k} kernel does not fit into a {h}x{w} image; use same padding.")
    target = call.target(
        (n, output_size(h, k, stride, padding), output_size(w, k, stride, padding), maps), out
    )
    x, kernels, b = call.arrays
    call.device.convolve(x, kernels, b, stride, padding, activation, target)
    return call.result(out)


def max_pool(x: Any, size: int = 2, out: Any = None) -> Any:
    """The largest of each size x size block of x (n, h, w, maps): (n, h // size, w // size, maps)."""
    call = _Call("max_pool", x)
    ((n, h, w, maps),) = call.ranks(("x", "n, height, width, maps"))
    if not 1 <= size <= min(h, w):
        raise ValueError(f"max_pool: blocks of {size}x{size} do not fit into a {h}x{w} image.")
    target = call.target((n, h // size, w // size, maps), out)
    call.device.max_pool(call.arrays[0], size, target)
    return call.result(out)


def softmax(z: Any, out: Any = None) -> Any:
    """exp(z) / Σ exp(z) along each row of z (n, o), or of one vector: positive numbers with sum 1."""
    call = _Call("softmax", z)
    shape = call.shapes[0]
    if len(shape) > 2 or not shape:
        raise ValueError(f"softmax: takes a vector or rows of numbers, not shape {shape}.")
    target = call.target(shape, out)
    rows = (shape[0] if len(shape) == 2 else 1, shape[-1])
    call.device.softmax(call.arrays[0].reshape(rows), target.reshape(rows))
    return call.result(out)


# -- losses: their gradients --------------------------------------------------------------------------------


def softmax_cross_entropy(z: Any, labels: Any, out: Any = None) -> Any:
    """(softmax(z (n, o)) - onehot(labels (n,))) / n: the gradient of the mean cross-entropy by z."""
    call = _Call("softmax_cross_entropy", z)
    ((n, o),) = call.ranks(("z", "n, classes"))
    numbers = np.asarray(labels)
    if numbers.shape != (n,) or numbers.dtype.kind not in "iu":
        raise ValueError(f"softmax_cross_entropy: labels must be {n} whole numbers, one for each row of z.")
    if numbers.min() < 0 or numbers.max() >= o:
        raise ValueError(f"softmax_cross_entropy: labels must be from 0 to {o - 1}, as z has {o} columns.")
    target = call.target((n, o), out)
    call.device.softmax_cross_entropy(
        call.arrays[0], to_device(numbers, np.int32, call.device), _metrics(call), target
    )
    return call.result(out)


def squared_error(y: Any, targets: Any, activation: str = "linear", out: Any = None) -> Any:
    """(y (n, o) - targets) ⊙ f'(y) / n: the gradient of the mean of ½ Σ (y - targets)², y = f(z), by z."""
    _check_activation(activation)
    call = _Call("squared_error", y, targets)
    shape, _ = call.ranks(("y", "n, outputs"), ("targets", "n, outputs"))
    if call.shapes[1] != shape:
        raise ValueError(f"squared_error: y is {shape} and targets {call.shapes[1]}: they must be equal.")
    target = call.target(shape, out)
    call.device.squared_error(call.arrays[0], call.arrays[1], activation, _metrics(call), target)
    return call.result(out)


# -- the call of an operator -------------------------------------------------------------------------------------


class _Call:
    """A call of an operator: its operands on the scope's device, in one type, and the array that it writes to."""

    def __init__(self, name: str, *operands: Any) -> None:
        self.name, self.device = name, current()
        values = [x if isinstance(x, DeviceArray) else np.asarray(x) for x in operands]
        self._dtype = self._common(values)
        self.shapes = [tuple(x.shape) for x in values]
        if any(0 in shape for shape in self.shapes):
            raise ValueError(f"{name}: an operand is empty (shapes {self.shapes}).")
        self.arrays = [to_device(x, self._dtype, self.device) for x in values]

    def _common(self, values: list[Any]) -> type:
        """float64 if one of them is a float64 array and the device can compute in it, else float32."""
        if any(x.dtype.kind not in "buif" for x in values):
            raise ValueError(f"{self.name}: operands must be numbers.")
        wide = any(x.dtype == np.float64 and x.shape for x in values)
        return np.float64 if wide and isinstance(self.device, HostDevice) else np.float32

    def ranks(self, *expected: tuple[str, str]) -> list[tuple[int, ...]]:
        """The operands' shapes, each of which must have the axes in its (name, axes)."""
        for (name, axes), shape in zip(expected, self.shapes, strict=False):
            if len(shape) != axes.count(",") + 1:
                raise ValueError(f"{self.name}: {name} has shape {shape}, but must be ({axes}).")
        return self.shapes[: len(expected)]

    def target(self, shape: tuple[int, ...], out: Any, inplace: bool = False) -> Array:
        """The array for the result: a new one, or the one in `out`, which must have its kind, type and shape.

        `inplace`: it may be one of the operands.
        """
        if out is None:
            self._result = self.device.empty(shape, self._dtype)
            return self._result
        on_host = isinstance(self.device, HostDevice)
        fits = (
            isinstance(out, np.ndarray)
            if on_host
            else isinstance(out, DeviceArray) and out.device is self.device
        )
        if not fits or tuple(out.shape) != shape or out.dtype != self._dtype:
            kind = "NumPy array" if on_host else f"value of {self.device.name}"
            raise ValueError(
                f"{self.name}: out must be a {kind} of {self._dtype.__name__} and shape {shape}."
            )
        self._result = out if on_host else out.array
        if on_host and not out.flags.c_contiguous:
            raise ValueError(f"{self.name}: out must be contiguous; give another array.")
        # In an operator on elements the result may overwrite its own operand, but not that of another element.
        others = [array for array in self.arrays if not (inplace and _same(self._result, array))]
        if any(_overlap(self._result, array) for array in others):
            problem = "share memory with a part of an operand" if inplace else "be one of the operands"
            raise ValueError(f"{self.name}: out must not {problem}; give another array.")
        return self._result

    def result(self, out: Any) -> Any:
        return as_result(self._result, self.device) if out is None else out


def _overlap(x: Array, y: Array) -> bool:
    if isinstance(x, np.ndarray):
        return np.may_share_memory(x, y)
    return x is y


def _same(x: Array, y: Array) -> bool:
    """Whether both arrays are the same elements in memory."""
    if isinstance(x, np.ndarray):
        return x.ctypes.data == y.ctypes.data and x.size == y.size
    return x is y


def _metrics(call: _Call) -> Array:
    return call.device.upload(np.zeros(2))


def _larger_first(x: Any, y: Any) -> tuple[Any, Any]:
    return (x, y) if np.ndim(x) >= np.ndim(y) else (y, x)


def _pairwise(name: str, x: Any, y: Any, out: Any) -> Any:
    call = _Call(name, x, y)
    large, small = call.shapes
    if small != large[len(large) - len(small) :]:
        raise ValueError(
            f"{name}: shapes {large} and {small} do not fit: they must be equal, or the second must be the end "
            "of the first, as a row is of a matrix."
        )
    target = call.target(large, out, inplace=True)
    getattr(call.device, name)(*call.arrays, target)
    return call.result(out)


def _check_activation(name: str) -> None:
    if name not in CODES:
        raise ValueError(f"{name}: no such activation; choose one of {', '.join(CODES)}.")
