"""The operators of a network, one at a time, on the device of a scope.

    from kernels import operators as op

    with op.device("cuda"):
        y = op.add(op.dot(W, x), b)

Operands are NumPy arrays, lists, numbers (arrays of one element) and results of other operators.
Results live on the device of the scope: NumPy arrays on the CPU; on a card `DeviceArray`s, which
`numpy.asarray(result)` copies to host memory. The CPU computes float64 arrays in float64, all else
is float32. Operands that do not fit are a ValueError. Each activation is a function of its name, as
in `op.clipped_leaky_relu(z)`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import methodcaller

import numpy as np
from numpy.typing import DTypeLike

from kernels.activations import ACTIVATIONS
from kernels.device import Array, Device, DeviceArray, Padding, output_size
from kernels.registry import default_cpu_device, open_device


class _Thread(threading.local):
    """The scopes and the open devices of a thread: a device belongs to one thread."""

    def __init__(self) -> None:
        self.scopes: list[Device] = []
        self.opened: dict[str, Device] = {}

    def device(self, name: str) -> Device:
        return self.opened.get(name) or self.opened.setdefault(name, open_device(name))


_thread = _Thread()


@contextmanager
def device(name: str) -> Iterator[Device]:
    """Operators inside the block run on this device, outside of all blocks on the CPU.

    The device stays open for the thread, so that its results can be used after the block. Raises as
    `open_device` does.
    """
    _thread.scopes.append(_thread.device(name))
    try:
        yield _thread.scopes[-1]
    finally:
        _thread.scopes.pop()


def add(x: Array, y: Array) -> Array:
    """x + y, where one may be smaller: a row is added to every row, a number to all elements."""
    return _elementwise("add", *sorted((x, y), key=np.size, reverse=True))


def subtract(x: Array, y: Array) -> Array:
    """x - y, where y may be smaller, as in `add`."""
    return _elementwise("subtract", x, y)


def multiply(x: Array, y: Array) -> Array:
    """x · y element by element, where one may be smaller, as in `add`."""
    return _elementwise("multiply", *sorted((x, y), key=np.size, reverse=True))


def dot(x: Array, y: Array) -> Array:
    """The matrix product of x (n, i) and y (i, o); a vector is a row x or a column y."""
    left = tuple(np.shape(x))
    right = tuple(np.shape(y))
    device, (a, b) = _on_device("dot", "ni"[2 - len(left) :] + " " + "io"[: len(right)], x, y)
    out = device.empty((a.size // left[-1], b.size // right[0]), a.dtype)
    device.dot(a.reshape((out.shape[0], left[-1])), b.reshape((right[0], out.shape[1])), out)
    return device.result(out.reshape((*left[:-1], *right[1:]) or (1,)))


def convolve(x: Array, w: Array, b: Array, stride: int = 1, padding: Padding = "same") -> Array:
    """The sums of a convolution of images x (n, h, w, c) by w (k, k, c, maps), plus b (maps,)."""
    device, (x, w, b) = _on_device("convolve", "nhwc kkcm m", x, w, b)
    height, width = (output_size(side, w.shape[0], stride, padding) for side in x.shape[1:3])
    shape = (x.shape[0], height, width, w.shape[3])
    return _run("convolve", device, shape, x, w, b, stride, padding, "linear")


def max_pool(x: Array, size: int = 2) -> Array:
    """The largest of each block of size x size pixels of images x (n, h, w, maps)."""
    device, (x,) = _on_device("max_pool", "nhwm", x)
    shape = (x.shape[0], x.shape[1] // size, x.shape[2] // size, x.shape[3])
    return _run("max_pool", device, shape, x, size)


def softmax(z: Array) -> Array:
    """The probabilities of each row of z (n, o)."""
    device, (z,) = _on_device("softmax", "no", z)
    return _run("softmax", device, z.shape, z)


def __getattr__(name: str) -> Callable[[Array], Array]:
    activation = name.replace("_", "-")
    if activation not in ACTIVATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def activate(z: Array) -> Array:
        device, (z,) = _on_device(name, "", z)
        return _run("activate", device, z.shape, z, activation)

    return activate


def _elementwise(name: str, x: Array, y: Array) -> Array:
    device, (x, y) = _on_device(name, "", x, y)
    large = tuple(x.shape)
    small = tuple(y.shape)
    if y.size > 1 and large[len(large) - len(small) :] != small:
        raise ValueError(f"{name}: the shape {small} is neither {large} nor its end.")
    return _run(name, device, large, x, y)


def _on_device(name: str, axes: str, *operands: Array) -> tuple[Device, list[Array]]:
    """The device of the scope, and the operands on it. `axes`: their axes; equal letters fit."""
    sizes: dict[str, int] = {}
    for operand, letters in zip(operands, axes.split(), strict=False):
        shape = np.shape(operand)
        pairs = zip(letters, shape, strict=False)
        if len(shape) != len(letters) or any(sizes.setdefault(axis, n) != n for axis, n in pairs):
            shapes = " and ".join(str(np.shape(each)) for each in operands)
            raise ValueError(f"{name}: the shapes {shapes} do not fit ({', '.join(axes.split())}).")
    device = _thread.scopes[-1] if _thread.scopes else _thread.device(default_cpu_device())
    is_double = any(isinstance(x, np.ndarray) and x.dtype == np.float64 for x in operands)
    dtype = np.float64 if is_double and device.computes_double else np.float32
    return device, [_array_on(device, name, x, dtype) for x in operands]


def _array_on(device: Device, name: str, operand: Array, dtype: DTypeLike) -> Array:
    if isinstance(operand, DeviceArray) and operand.device is device:
        return operand.array
    host = np.atleast_1d(np.ascontiguousarray(operand, dtype))
    if not host.size:
        raise ValueError(f"{name}: an operand is empty.")
    return device.asarray(host)


def _run(name: str, device: Device, shape: tuple[int, ...], *arguments: Array) -> Array:
    """Call the device's operator of this name, with a new array for its result."""
    if min(shape) < 1:
        raise ValueError(f"{name}: the images are too small.")
    out = device.empty(shape, arguments[0].dtype)
    methodcaller(name, *arguments, out)(device)
    return device.result(out)
