"""The operators of a network, one at a time, on the device of a scope.

    from kernels import operators as op

    with op.device("cuda"):
        y = op.add(op.dot(W, x), b)

Operands are NumPy arrays, lists, numbers (arrays of one element) and results of other operators.
Results live on the device of the scope: NumPy arrays on the CPU; on a card `DeviceArray`s, which
`numpy.asarray(result)` copies to host memory. The CPU computes float64 arrays in float64, all else
is float32. Operands that do not fit are a ValueError. Besides the nine operators each activation is
a function of its name: `op.clipped_leaky_relu(z)`.
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
    """Operators inside the block run on this device. Outside of all scopes they run on the CPU.

    The device stays open for the thread, so that its results can be used after the block. Raises
    ValueError for an unknown name, kernels.registry.DeviceUnavailable with the reason where the
    machine has no such device.
    """
    _thread.scopes.append(_thread.device(name))
    try:
        yield _thread.scopes[-1]
    finally:
        _thread.scopes.pop()


def add(x: Array, y: Array) -> Array:
    """x + y. One may be the end of the other's shape: a row is added to every row, a number to all
    elements.
    """
    return _elementwise("add", x, y, commutes=True)


def subtract(x: Array, y: Array) -> Array:
    """x - y, where y may be smaller, as in `add`."""
    return _elementwise("subtract", x, y)


def multiply(x: Array, y: Array) -> Array:
    """x · y element by element, where one may be smaller, as in `add`."""
    return _elementwise("multiply", x, y, commutes=True)


def dot(x: Array, y: Array) -> Array:
    """The matrix product of x (n, i) and y (i, o). A vector is a row on the left, a column on the
    right.
    """
    left = tuple(np.shape(x))
    right = tuple(np.shape(y))
    device, (a, b) = _on_device("dot", "ni"[2 - len(left) :] + " " + "io"[: len(right)], x, y)
    out = device.empty((a.size // left[-1], b.size // right[0]), a.dtype)
    device.dot(a.reshape((out.shape[0], left[-1])), b.reshape((right[0], out.shape[1])), out)
    return device.result(out.reshape((*left[:-1], *right[1:]) or (1,)))


def dense(x: Array, w: Array, b: Array) -> Array:
    """x (n, i) · w (i, o) + b (o,), the sums of a layer of units."""
    device, (x, w, b) = _on_device("dense", "ni io o", x, w, b)
    return _run("dense", device, (x.shape[0], w.shape[1]), x, w, b, "linear")


def convolve(x: Array, w: Array, b: Array, stride: int = 1, padding: Padding = "same") -> Array:
    """The sums of a convolution of images x (n, h, w, c) by w (k, k, c, maps), plus b (maps,)."""
    device, (x, w, b) = _on_device("convolve", "nhwc kkcm m", x, w, b)
    size = [output_size(x.shape[axis], w.shape[0], stride, padding) for axis in (1, 2)]
    if min(size) < 1:
        raise ValueError(
            f"convolve: the kernel is larger than the images of {x.shape[1]} x {x.shape[2]}."
        )
    return _run(
        "convolve", device, (x.shape[0], *size, w.shape[3]), x, w, b, stride, padding, "linear"
    )


def max_pool(x: Array, size: int = 2) -> Array:
    """The largest of each block of size x size pixels of images x (n, h, w, maps)."""
    return _pool("max_pool", x, size)


def average_pool(x: Array, size: int = 2) -> Array:
    """The mean of each block of size x size pixels of images x (n, h, w, maps)."""
    return _pool("average_pool", x, size)


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


def _pool(name: str, x: Array, size: int) -> Array:
    device, (x,) = _on_device(name, "nhwm", x)
    shape = (x.shape[0], x.shape[1] // size, x.shape[2] // size, x.shape[3])
    if 0 in shape:
        raise ValueError(f"{name}: blocks of {size} x {size} pixels do not fit into the images.")
    return _run(name, device, shape, x, size)


def _elementwise(name: str, x: Array, y: Array, commutes: bool = False) -> Array:
    if commutes and np.size(y) > np.size(x):
        return _elementwise(name, y, x)
    device, (x, y) = _on_device(name, "", x, y)
    large = tuple(x.shape)
    small = tuple(y.shape)
    if y.size > 1 and large[len(large) - len(small) :] != small:
        raise ValueError(f"{name}: the shape {small} is neither {large} nor its end.")
    return _run(name, device, large, x, y)


def _on_device(name: str, axes: str, *operands: Array) -> tuple[Device, list[Array]]:
    """The device of the scope, and the operands as arrays on it. `axes`: a letter for each axis;
    equal ones fit.
    """
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
    out = device.empty(shape, arguments[0].dtype)
    methodcaller(name, *arguments, out)(device)
    return device.result(out)
