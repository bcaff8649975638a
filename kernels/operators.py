"""The operators of a network, one by one, on a device of the user's choice.

    from kernels import operators as op

    with op.device("sequential"):
        y = op.add(op.dot(W, x), b)

Operands are NumPy arrays, lists, numbers and results of other operators. A result is a NumPy array on the CPU
devices. On CUDA it is a DeviceArray, which stays in the card's memory until `numpy.asarray` copies it. float64 arrays
are computed in float64 where the device can, everything else in float32.

Every operator takes `out`, an array of the result's kind, type and shape: then it writes to that array and returns it.
Operands that do not fit are a ValueError that says what would. Each operator calls the method of its name of a device
(`kernels.device`), which training calls too. The activations are functions of their names: `leaky_relu(z, out=None)`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kernels.activations import ACTIVATIONS
from kernels.device import Array, Device, output_size
from kernels.host import HostDevice
from kernels.registry import default_cpu_device, open_device


class DeviceArray:
    """An array in a device's own memory; `numpy.asarray(value)` copies it to host memory."""

    def __init__(self, device: Device, array: Any) -> None:
        self.device, self.array = device, array
        self.shape = tuple(array.shape)
        self.ndim, self.dtype = len(self.shape), np.dtype(array.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        host = self.device.download(self.array)
        return host if dtype is None else host.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self.dtype} values of shape {self.shape} on {self.device.name}>"


# -- the device of a scope: each thread has its own scopes and its own devices ------------------------------


class _Thread(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Device] = []
        self.opened: dict[str, Device] = {}


_thread = _Thread()


@contextmanager
def device(which: str | Device) -> Iterator[Device]:
    """Operators inside the block run on this device: a name (`auto` too), or an open device.

    Raises kernels.registry.DeviceUnavailable with the reason where the machine has no such device, ValueError
    for an unknown name. A device opened by its name stays open for the thread, and so do the values on it.
    """
    _thread.scopes.append(which if isinstance(which, Device) else _opened(which))
    try:
        yield _thread.scopes[-1]
    finally:
        _thread.scopes.pop()


def current() -> Device:
    """The device of the innermost scope of this thread; outside of all scopes, the default CPU device."""
    return _thread.scopes[-1] if _thread.scopes else _opened(default_cpu_device())


def _opened(name: str) -> Device:
    opened = _thread.opened
    if name not in opened:
        new = open_device(name)
        # `auto` and the name that it stands for are one device.
        opened[name] = opened.setdefault(new.name, new)
        if opened[name] is not new:
            new.close()
    return opened[name]


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
    call = _Call("activate", None, z)
    return call.run(call.shapes[0], out, *call.arrays, _known(activation), inplace=True)


def __getattr__(name: str) -> Callable[..., Any]:
    activation = name.replace("_", "-")
    if activation not in ACTIVATIONS:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return lambda z, out=None: activate(z, activation, out)


# -- layers -------------------------------------------------------------------------------------------------


def dot(x: Any, y: Any, out: Any = None) -> Any:
    """The matrix product of x (n, i) and y (i, o): (n, o). A vector is a row on the left, a column on the right."""
    call = _Call("dot", None, x, y)
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
    rows, columns = a.reshape(-1, left[-1]), b.reshape(right[0], -1)
    shape = (rows.shape[0], columns.shape[1])
    return call.run(left[:-1] + right[1:], out, rows, columns, computed=shape)


def dense(x: Any, w: Any, b: Any, activation: str = "linear", out: Any = None) -> Any:
    """f(x (n, i) · w (i, o) + b (o,)): (n, o)."""
    call = _Call("dense", "x (n, i), w (i, o), b (o)", x, w, b)
    return call.run(call.shape("n", "o"), out, *call.arrays, _known(activation))


def dense_input_gradient(
    grad_z: Any, w: Any, y: Any = None, activation: str = "linear", out: Any = None
) -> Any:
    """(grad_z (n, o) · wᵀ) ⊙ f'(y (n, i)): (n, i); y is the layer's input, f the activation that made it."""
    if y is None and _known(activation) != "linear":
        raise ValueError(
            f"dense_input_gradient: give y, the layer's input, for the derivative of {activation}."
        )
    given = () if y is None else (y,)
    call = _Call("dense_input_gradient", "grad_z (n, o), w (i, o), y (n, i)", grad_z, w, *given)
    return call.run(call.shape("n", "i"), out, *call.arrays, *(() if given else (None,)), activation)


def dense_weight_gradient(x: Any, grad_z: Any, out: Any = None) -> Any:
    """xᵀ (i, n) · grad_z (n, o): (i, o), the gradient by the weights."""
    call = _Call("dense_weight_gradient", "x (n, i), grad_z (n, o)", x, grad_z)
    return call.run(call.shape("i", "o"), out, *call.arrays)


def sum_rows(grad_z: Any, out: Any = None) -> Any:
    """The sum of grad_z (..., o) over all axes but the last: (o,), the gradient by the biases."""
    call = _Call("bias_gradient", None, grad_z)
    if len(call.shapes[0]) < 2:
        raise ValueError(f"sum_rows: takes rows of numbers, not shape {call.shapes[0]}.")
    return call.run(call.shapes[0][-1:], out, *call.arrays)


def convolve(
    x: Any, kernels: Any, b: Any = None, stride: int = 1, padding: str = "same", activation: str = "linear",
    out: Any = None,
) -> Any:  # fmt: skip
    """x (n, h, w, channels) by kernels (k, k, channels, maps), plus b (maps,), through an activation.

    (n, h', w', maps): h' is h / stride, rounded up, with "same" padding (zeros around), only where the whole
    kernel fits with "valid".
    """
    b = np.zeros(np.shape(kernels)[-1:], np.float32) if b is None else b
    call = _Call("convolve", "x (n, h, w, channels), kernels (k, k, channels, maps), b (maps)", x, kernels, b)
    n, h, w, k, maps = call.shape("n", "h", "w", "k", "maps")
    if padding not in ("same", "valid") or stride not in (1, 2):
        raise ValueError(f"convolve: padding is same or valid, stride 1 or 2; not {padding} and {stride}.")
    if padding == "valid" and k > min(h, w):
        raise ValueError(f"convolve: a {k}x{k} kernel does not fit into a {h}x{w} image; use same padding.")
    shape = (n, output_size(h, k, stride, padding), output_size(w, k, stride, padding), maps)
    return call.run(shape, out, *call.arrays, stride, padding, _known(activation))


def max_pool(x: Any, size: int = 2, out: Any = None) -> Any:
    """The largest of each size x size block of x (n, h, w, maps): (n, h // size, w // size, maps)."""
    call = _Call("max_pool", "x (n, h, w, maps)", x)
    n, h, w, maps = call.shapes[0]
    if not 1 <= size <= min(h, w):
        raise ValueError(f"max_pool: blocks of {size}x{size} do not fit into a {h}x{w} image.")
    return call.run((n, h // size, w // size, maps), out, *call.arrays, size)


def softmax(z: Any, out: Any = None) -> Any:
    """exp(z) / Σ exp(z) along each row of z (n, o), or of one vector: positive numbers with sum 1."""
    call = _Call("softmax", None, z)
    shape = call.shapes[0]
    if not 1 <= len(shape) <= 2:
        raise ValueError(f"softmax: takes a vector or rows of numbers, not shape {shape}.")
    rows = call.arrays[0].reshape(-1, shape[-1])
    return call.run(shape, out, rows, computed=rows.shape)


# -- losses: their gradients --------------------------------------------------------------------------------


def softmax_cross_entropy(z: Any, labels: Any, out: Any = None) -> Any:
    """(softmax(z (n, o)) - onehot(labels (n,))) / n: the gradient of the mean cross-entropy by z."""
    call = _Call("softmax_cross_entropy", "z (n, o)", z)
    (n, o), numbers = call.shapes[0], np.asarray(labels)
    if numbers.shape != (n,) or numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= o:
        raise ValueError(
            f"softmax_cross_entropy: labels must be {n} whole numbers from 0 to {o - 1}, one for each row of z."
        )
    return call.run((n, o), out, *call.arrays, call.upload(numbers, np.int32), call.metrics())


def squared_error(y: Any, targets: Any, activation: str = "linear", out: Any = None) -> Any:
    """(y (n, o) - targets) ⊙ f'(y) / n: the gradient of the mean of ½ Σ (y - targets)², y = f(z), by z."""
    call = _Call("squared_error", "y (n, o), targets (n, o)", y, targets)
    return call.run(call.shapes[0], out, *call.arrays, _known(activation), call.metrics())


# -- the call of an operator --------------------------------------------------------------------------------


class _Call:
    """A call of an operator: its operands on the scope's device, in one type, and the array that it writes to.

    name: of the device's method. axes: names of the operands with names of their axes, of which equal ones have equal
    sizes; None: any shapes.
    """

    def __init__(self, name: str, axes: str | None, *operands: Any) -> None:
        self.name, self._device = name, current()
        self._on_host = isinstance(self._device, HostDevice)
        values = [x if isinstance(x, DeviceArray) else np.asarray(x) for x in operands]
        if any(x.dtype.kind not in "buif" for x in values):
            raise ValueError(f"{name}: operands must be numbers.")
        wide = self._on_host and any(x.dtype == np.float64 and x.shape for x in values)
        self._dtype = np.float64 if wide else np.float32
        self.shapes = [tuple(x.shape) for x in values]
        if any(0 in shape for shape in self.shapes):
            raise ValueError(f"{name}: an operand is empty (shapes {self.shapes}).")
        self._sizes: dict[str, int] = {}
        for part, shape in zip(axes.split("), ") if axes else (), self.shapes, strict=False):
            operand, _, names = part.rstrip(")").partition(" (")
            self._check_axes(operand, names, shape)
        self.arrays = [self.upload(x, self._dtype) for x in values]

    def _check_axes(self, operand: str, axes: str, shape: tuple[int, ...]) -> None:
        names = axes.split(", ")
        fits = len(shape) == len(names)
        known = [f"{name} = {self._sizes[name]}" for name in dict.fromkeys(names) if name in self._sizes]
        for name, size in zip(names, shape, strict=False):
            fits = fits and self._sizes.setdefault(name, size) == size
        if not fits:
            where = f", where {' and '.join(known)}" if known else ""
            raise ValueError(f"{self.name}: {operand} has shape {shape}, but must be ({axes}){where}.")

    def shape(self, *names: str) -> tuple[int, ...]:
        """The sizes of the axes with these names."""
        return tuple(self._sizes[name] for name in names)

    def upload(self, operand: Any, dtype: Any) -> Array:
        """`operand` as a contiguous array of `dtype` on the device: itself if it is one, else a copy."""
        if isinstance(operand, DeviceArray) and operand.device is self._device and operand.dtype == dtype:
            return operand.array
        host = np.ascontiguousarray(operand, dtype)
        return host if self._on_host else self._device.upload(host)

    def metrics(self) -> Array:
        return self._device.upload(np.zeros(2))

    def run(
        self, shape: tuple[int, ...], out: Any, *arguments: Any, inplace: bool = False,
        computed: tuple[int, ...] | None = None,
    ) -> Any:  # fmt: skip
        """Call the device's method; the result of `shape`, or `out`.

        inplace: `out` may be one of the operands. computed: shape in which the device writes the result.
        """
        result = self._device.empty(shape, self._dtype) if out is None else self._checked(out, shape, inplace)
        # The linear activation reads no y; any array stands for it.
        arguments = tuple(result if value is None else value for value in arguments)
        getattr(self._device, self.name)(*arguments, result if computed is None else result.reshape(computed))
        if out is not None:
            return out
        return result if self._on_host else DeviceArray(self._device, result)

    def _checked(self, out: Any, shape: tuple[int, ...], inplace: bool) -> Array:
        """The array of `out`, which must have the result's kind, type and shape."""
        wanted = np.ndarray if self._on_host else DeviceArray
        if (
            not isinstance(out, wanted) or tuple(out.shape) != shape or out.dtype != self._dtype
            or (isinstance(out, DeviceArray) and out.device is not self._device)
        ):  # fmt: skip
            kind = "NumPy array" if self._on_host else f"value of {self._device.name}"
            raise ValueError(
                f"{self.name}: out must be a {kind} of {self._dtype.__name__} and shape {shape}."
            )
        array = out.array if isinstance(out, DeviceArray) else out
        if self._on_host and not array.flags.c_contiguous:
            raise ValueError(f"{self.name}: out must be contiguous; give another array.")
        # In an operator on elements the result may overwrite its own operand, but not that of another element.
        others = [
            operand for operand in self.arrays if not (inplace and _overlap(array, operand, whole=True))
        ]
        if any(_overlap(array, operand) for operand in others):
            problem = "share memory with a part of an operand" if inplace else "be one of the operands"
            raise ValueError(f"{self.name}: out must not {problem}; give another array.")
        return array


def _overlap(x: Array, y: Array, *, whole: bool = False) -> bool:
    """Whether both arrays share memory; with `whole`, whether they are the same elements."""
    if not isinstance(x, np.ndarray):
        return x is y
    if whole:
        return x.ctypes.data == y.ctypes.data and x.size == y.size
    return np.may_share_memory(x, y)


def _larger_first(x: Any, y: Any) -> tuple[Any, Any]:
    return (x, y) if np.ndim(x) >= np.ndim(y) else (y, x)


def _pairwise(name: str, x: Any, y: Any, out: Any) -> Any:
    call = _Call(name, None, x, y)
    large, small = call.shapes
    if small != large[len(large) - len(small) :]:
        raise ValueError(
            f"{name}: shapes {large} and {small} do not fit: they must be equal, or the second must be the end "
            "of the first, as a row is of a matrix."
        )
    return call.run(large, out, *call.arrays, inplace=True)


def _known(activation: str) -> str:
    if activation not in ACTIVATIONS:
        raise ValueError(f"{activation}: no such activation; choose one of {', '.join(ACTIVATIONS)}.")
    return activation
