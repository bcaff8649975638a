"""The contract of devices. A device is where arrays live and where operators run.

Shapes: n examples of a batch, i inputs, o outputs of a layer; images are (n, height, width,
channels), channels last, so that a row of a patch is contiguous and flattening is a change of
shape. Weights of a dense layer are (i, o); of a convolution (k, k, channels, maps). `f` is an
activation and `f'(y)` its derivative, computed from the activated output y; `⊙` is the product of
elements. Where gradients of an activation with `needs_z` are computed, only `activate` and
`multiply_by_derivative` are called for it, with z; the other operators are then called with
"linear". grad_z is the gradient of the batch's mean loss by the sums z before an activation, grad_y
the one by the activated output y = f(z). `out` is always allocated by the caller and completely
overwritten; nothing else is written. Arrays are contiguous in C order; slices along n are allowed.
The derivations of the gradients are in `kernels.sequential`.

Whatever changes from step to step (learning rate, position in the order, step number, summed loss)
is an array of the device and not a scalar, because a recorded step keeps the values of scalars.

* `rate`: (1,) array in the type of the parameters, the learning rate.
* `counters`: (2,) int32: `counters[0]` position in the order, `counters[1]` steps done (Adam's t is
  that plus 1).
* `metrics`: (2,) float64: `metrics[0]` summed loss, `metrics[1]` number of right answers (classes
  only).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from kernels.augmentation import AugmentationParams

Array = Any  # numpy.ndarray on the CPU, a device array on CUDA
Padding = Literal["same", "valid", "beside"]
Size = int | tuple[int, int]
"""Pixels of a kernel or a block: (rows, columns), or one number for both."""


# The constants of Adam on every device, as suggested by Kingma and Ba (2015).
BETA1 = 0.9
BETA2 = 0.999
ADAM_EPSILON = 1e-8
RHO = 0.9
"""RMSProp: the share of the running mean that a step keeps; Hinton's lecture says 0.9."""
RMSPROP_EPSILON = 1e-8
VARIANCE_EPSILON = 1e-5
"""Batch normalization adds it to each variance, so that the square root of a constant's variance is
not 0.
"""


# Padding of a convolution is the number of zeros around an image. "valid": none; "same": the fewest
# that give ⌈n / stride⌉ outputs for n pixels; "beside": as "same" to the left and right, none above
# and below.


def sides(size: Size) -> tuple[int, int]:
    """(rows, columns) of a size."""
    return (size, size) if isinstance(size, int) else size


def paddings(padding: str) -> tuple[str, str]:
    """The padding, "same" or "valid", of the rows and of the columns."""
    return ("valid", "same") if padding == "beside" else (padding, padding)


def output_size(size: int, kernel: int, stride: int, padding: str) -> int:
    """Pixels along one side of the output, for `size` pixels of the input."""
    return -(-size // stride) if padding == "same" else (size - kernel) // stride + 1


def zeros_before(size: int, kernel: int, stride: int, padding: str) -> int:
    """Zeros before the first pixel of one side; of an odd number, the larger half comes after the
    last.
    """
    if padding == "valid":
        return 0
    return max((-(-size // stride) - 1) * stride + kernel - size, 0) // 2


def zeros_above_and_left(
    shape: tuple[int, ...], kernel: tuple[int, ...], stride: int, padding: str
) -> tuple[int, int]:
    """Zeros above and to the left of images of shape (n, height, width, channels); kernel: (rows,
    columns, ...).
    """
    of_rows, of_columns = paddings(padding)
    return zeros_before(shape[1], kernel[0], stride, of_rows), zeros_before(
        shape[2], kernel[1], stride, of_columns
    )


class Device(ABC):
    """A device of one owner: made by `kernels.registry.open_device`, used and closed by one
    thread.
    """

    name: str = ""
    steps_per_recording: int = 1
    """How many training steps are best recorded together; more than 1 if replaying a recording has
    a cost.
    """
    notice: str = ""
    """What the user should know about how the device computes, as an English sentence; empty if
    nothing.
    """
    computes_double: bool = False
    """Whether operators take float64 arrays, too."""
    fuses_updates: bool = False
    """Whether `dense_update` takes less time than the operators that it stands for."""
    joined_outputs: int = 0
    """The most outputs for which `output_layer` takes less time than the operators that it stands
    for.
    """
    skipped: float = 0.0
    """The share of zeros in the data set, where products skip them."""

    # -- arrays ------------------------------------------------------------------------------------

    @abstractmethod
    def empty(self, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> Array:
        """A new array with unspecified contents."""

    @abstractmethod
    def upload(self, host: np.ndarray) -> Array:
        """A new array of the device with the contents of `host`, a copy."""

    def asarray(self, host: np.ndarray) -> Array:
        """Like `upload`, but the result may be `host` itself, which must then not change."""
        return self.upload(host)

    @abstractmethod
    def download(self, array: Array) -> np.ndarray:
        """A new NumPy array with the contents of `array`."""

    @abstractmethod
    def write(self, array: Array, host: np.ndarray) -> None:
        """Copy `host` into `array`, of the same shape and dtype."""

    @abstractmethod
    def read(self, array: Array, host: np.ndarray) -> None:
        """Copy `array` into `host`, of the same shape and dtype."""

    def result(self, array: Array) -> Array:
        """`array` as a person may use it outside of the device's operators."""
        return DeviceArray(self, array)

    # -- layers ------------------------------------------------------------------------------------

    @abstractmethod
    def dense(self, x: Array, w: Array, b: Array, activation: str, out: Array) -> None:
        """out (n, o) = f(x (n, i) · w (i, o) + b (o,))."""

    @abstractmethod
    def dense_input_gradient(
        self, grad_z: Array, w: Array, y: Array, activation: str, out: Array
    ) -> None:
        """out (n, i) = (grad_z (n, o) · wᵀ) ⊙ f'(y (n, i)).

        `y` is the layer's input, which is the activated output of the layer below, and `activation`
        the activation of that layer; with "linear", `y` is not read.
        """

    @abstractmethod
    def dense_weight_gradient(self, x: Array, grad_z: Array, out: Array) -> None:
        """out (i, o) = xᵀ (i, n) · grad_z (n, o)."""

    def dense_update(
        self,
        x: Array,
        grad_z: Array,
        w: Array,
        b: Array,
        rate: Array,
        l2: float,
        gradients: tuple[Array, Array],
    ) -> None:
        """w -= rate · (xᵀ · grad_z + l2 · w); b -= rate · the sum of grad_z over n: the gradients
        of a dense layer and `sgd` by them.

        `gradients`: in the shapes of w and b, to compute in; what they have afterwards is not
        defined.
        """
        by_weights, by_biases = gradients
        self.dense_weight_gradient(x, grad_z, by_weights)
        self.bias_gradient(grad_z, by_biases)
        self.sgd(w.reshape(w.size), by_weights.reshape(w.size), rate, l2, w.size)
        self.sgd(b, by_biases, rate, 0.0, 0)

    @abstractmethod
    def bias_gradient(self, grad_z: Array, out: Array) -> None:
        """out (o,) = sum of grad_z (n, ..., o) over all but the last axis, in a fixed order."""

    # -- layers of images --------------------------------------------------------------------------
    # `padding`: see `zeros_before`; the bias gradient of a convolution is `bias_gradient` of its
    # grad_z. The size of a block is (k, l) pixels, or k for both.

    @abstractmethod
    def convolve(
        self, x: Array, w: Array, b: Array, stride: int, padding: str, activation: str, out: Array
    ) -> None:
        """out (n, h', w', maps) = f(b + Σ x[n, i·stride + a - top, j·stride + e - left, :] · w[a,
        e]).

        The sum is over a and e; x is (n, h, w, c), w (k, l, c, maps). Outside the image x is 0.
        Kernels are not flipped.
        """

    @abstractmethod
    def convolve_input_gradient(
        self,
        grad_z: Array,
        w: Array,
        stride: int,
        padding: str,
        y: Array,
        activation: str,
        out: Array,
    ) -> None:
        """out (n, h, w, c) = (grad_z (n, h', w', maps) by w, transposed) ⊙ f'(y (n, h, w, c)).

        `y` and `activation` as in `dense_input_gradient`.
        """

    @abstractmethod
    def convolve_weight_gradient(
        self, x: Array, grad_z: Array, stride: int, padding: str, out: Array
    ) -> None:
        """out (k, l, c, maps): out[a, e] = Σ x[n, i·stride + a - top, j·stride + e - left]ᵀ ·
        grad_z[n, i, j].
        """

    @abstractmethod
    def max_pool(self, x: Array, size: Size, out: Array) -> None:
        """out (n, h // k, w // l, maps) = the largest of each block of x (n, h, w, maps)."""

    @abstractmethod
    def max_pool_gradient(
        self, x: Array, y: Array, grad_y: Array, size: Size, activation: str, out: Array
    ) -> None:
        """out (n, h, w, maps) = grad_y of x's block ⊙ f'(x) where x equals its block's maximum y,
        otherwise 0.

        Every tied maximum gets the gradient. `x` is the activated output of the layer below.
        """

    @abstractmethod
    def average_pool(self, x: Array, size: Size, out: Array) -> None:
        """out (n, h // k, w // l, maps) = the mean of each block of x (n, h, w, maps)."""

    @abstractmethod
    def average_pool_gradient(
        self, x: Array, grad_y: Array, size: Size, activation: str, out: Array
    ) -> None:
        """out (n, h, w, maps) = grad_y of x's block / (k·l) ⊙ f'(x), 0 outside of all blocks.

        `x` is the activated output of the layer below.
        """

    @abstractmethod
    def dropout(
        self, x: Array, percent: int, seed: int, layer: int, counters: Array, out: Array
    ) -> None:
        """out = x / (1 - percent/100), with `percent` of the elements set to 0 (Srivastava et al.
        2014).

        Element k is dropped if `noise.draw(stream, k)` is below `noise.threshold(percent)`, with
        stream = `noise.stream(seed, counters[1], layer)`: the same on every device, different in
        every step.
        """

    @abstractmethod
    def dropout_gradient(
        self,
        grad_y: Array,
        percent: int,
        seed: int,
        layer: int,
        counters: Array,
        y: Array,
        activation: str,
        out: Array,
    ) -> None:
        """out = grad_y of what `dropout` kept, 0 elsewhere, / (1 - percent/100) ⊙ f'(y), y the
        layer's input.
        """

    # -- batch normalization (Ioffe, Szegedy 2015) -------------------------------------------------
    # The channels c are the units of a dense layer or the maps of images: the last axis. mean,
    # variance, scale and shift are (c,); x̂ = (x - mean) / √(variance + ε), with ε =
    # VARIANCE_EPSILON.

    @abstractmethod
    def batch_statistics(self, x: Array, mean: Array, variance: Array) -> None:
        """mean (c,), and variance (c,) = mean of (x - mean)², of x (n, ..., c) over all axes but
        the last.
        """

    @abstractmethod
    def normalize(
        self,
        x: Array,
        mean: Array,
        variance: Array,
        scale: Array,
        shift: Array,
        activation: str,
        out: Array,
    ) -> None:
        """out (n, ..., c) = f(scale · x̂ + shift)."""

    @abstractmethod
    def normalize_parameter_gradient(
        self,
        grad_z: Array,
        x: Array,
        mean: Array,
        variance: Array,
        scale_gradient: Array,
        shift_gradient: Array,
    ) -> None:
        """scale_gradient (c,) = sum of grad_z · x̂, shift_gradient (c,) = sum of grad_z, in a fixed
        order.
        """

    @abstractmethod
    def normalize_input_gradient(
        self,
        grad_z: Array,
        x: Array,
        mean: Array,
        variance: Array,
        scale: Array,
        sums: tuple[Array, Array] | None,
        activation: str,
        out: Array,
    ) -> None:
        """out (n, ..., c) = scale / √(variance + ε) · (grad_z - (sums[1] + x̂ · sums[0]) / m) ⊙
        f'(x).

        m is the number of elements of a channel of x, which is the activated output of the layer
        below. `sums` are the two gradients of `normalize_parameter_gradient`; None where mean and
        variance do not depend on x: then they count as 0.
        """

    # -- elementwise and plain products ------------------------------------------------------------
    # For users who compute step by step; in a network they are parts of the layers. A second
    # operand with fewer elements is repeated, so that a row is added to every row and a number to
    # all elements.

    @abstractmethod
    def add(self, x: Array, y: Array, out: Array) -> None:
        """out[k] = x[k] + y[k mod size of y], over flat arrays; x and out of one shape."""

    @abstractmethod
    def subtract(self, x: Array, y: Array, out: Array) -> None:
        """out[k] = x[k] - y[k mod size of y], as `add`."""

    @abstractmethod
    def multiply(self, x: Array, y: Array, out: Array) -> None:
        """out[k] = x[k] · y[k mod size of y], as `add`."""

    @abstractmethod
    def dot(self, x: Array, y: Array, out: Array) -> None:
        """out (n, o) = x (n, i) · y (i, o)."""

    @abstractmethod
    def activate(self, z: Array, activation: str, out: Array) -> None:
        """out = f(z), element by element; `out` may be z."""

    @abstractmethod
    def multiply_by_derivative(self, y: Array, activation: str, out: Array) -> None:
        """out = out ⊙ f'(y), element by element; y and out of one shape. With `needs_z`, y is z."""

    # -- losses ------------------------------------------------------------------------------------

    @abstractmethod
    def softmax_cross_entropy(self, z: Array, labels: Array, metrics: Array, out: Array) -> None:
        """out (n, o) = (softmax(z (n, o)) - onehot(labels (n,) int32)) / n, the gradient of the
        mean loss.

        Adds the batch's summed loss, -log softmax(z)[label], to metrics[0], and its right answers
        to metrics[1].
        """

    def output_layer(
        self,
        x: Array,
        w: Array,
        b: Array,
        activation: str,
        labels: Array,
        metrics: Array,
        results: tuple[Array, Array, Array],
    ) -> None:
        """The last layer of a step and its loss, of at most `joined_outputs` outputs: results are
        the z of `dense`, the grad_z of `softmax_cross_entropy`, and `dense_input_gradient` of x,
        the output of `activation`.
        """
        raise NotImplementedError

    @abstractmethod
    def squared_error_classes(
        self, y: Array, labels: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        """out (n, o) = (y - onehot(labels)) ⊙ f'(y) / n: gradient of the mean of ½ Σ (y - onehot)².

        `y` is the activated output. Adds Σ ½ Σ (y - onehot)² to metrics[0], the right answers to
        metrics[1].
        """

    @abstractmethod
    def squared_error(
        self, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        """out (n, o) = (y - targets (n, o)) ⊙ f'(y) / n; adds Σ ½ (y - targets)² to metrics[0]."""

    @abstractmethod
    def softmax(self, z: Array, out: Array) -> None:
        """out (n, o) = exp(z - max z) / Σ exp(z - max z), by row."""

    # -- parameter updates, over flat arrays -------------------------------------------------------
    # L2 adds l2 · p to the gradient of the first `weight_count` elements: weights come first,
    # biases last.

    @abstractmethod
    def add_l1_gradient(self, p: Array, g: Array, l1: float, weight_count: int) -> None:
        """g += l1 · sign(p) for the first `weight_count` elements: L1 adds l1 · |p| to the loss.
        sign(0) is 0.
        """

    @abstractmethod
    def sgd(self, p: Array, g: Array, rate: Array, l2: float, weight_count: int) -> None:
        """p -= rate · (g + l2 · p)."""

    @abstractmethod
    def momentum(
        self,
        p: Array,
        g: Array,
        v: Array,
        rate: Array,
        beta: float,
        nesterov: bool,
        l2: float,
        weight_count: int,
    ) -> None:
        """v = beta · v + g'; p -= rate · (g' + beta · v if nesterov else v), with g' = g + l2 ·
        p.
        """

    @abstractmethod
    def adam(
        self,
        p: Array,
        g: Array,
        m: Array,
        v: Array,
        rate: Array,
        counters: Array,
        l2: float,
        weight_count: int,
    ) -> None:
        """Adam (Kingma, Ba 2015), with the constants above, t = counters[1] + 1."""

    @abstractmethod
    def rmsprop(
        self, p: Array, g: Array, v: Array, rate: Array, l2: float, weight_count: int
    ) -> None:
        """v = ρ · v + (1 - ρ) · g'², p -= rate · g' / (√v + ε), with g' = g + l2 · p and the
        constants above.
        """

    @abstractmethod
    def average(self, gradients: Array, out: Array) -> None:
        """out (p,) = mean of gradients (g, p) over the first axis, summed in its order."""

    # -- batches -----------------------------------------------------------------------------------

    @abstractmethod
    def gather(self, source: Array, order: Array, counters: Array, out: Array) -> None:
        """out[k] = source[order[counters[0] + k]] for the k of `out`'s first axis.

        uint8 sources become out's float type divided by 255; others are copied as they are. `order`
        is int32.
        """

    @abstractmethod
    def augment(
        self, x: Array, amounts: AugmentationParams, seed: int, counters: Array, out: Array
    ) -> None:
        """out (n, h, w, 1) = each image of x (n, h, w, 1) changed at random by `amounts` (see
        `kernels.augmentation`).

        The random numbers follow from (seed, counters[1], position in the batch). All arithmetic is
        in float32.
        """

    @abstractmethod
    def advance(
        self,
        counters: Array,
        examples: int,
        metrics: Array | None = None,
        history: Array | None = None,
    ) -> None:
        """counters[0] += examples; counters[1] += 1.

        With `history`, float64 (rows, 2), the step's metrics are moved there before:
        history[counters[1] % rows] = metrics, metrics = 0. So the metrics of each step can be read
        after many steps.
        """

    # -- the step as a whole -----------------------------------------------------------------------

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """A function that does what `step` does, with less time between operators.

        On CUDA it is a captured graph, on `vectorized` one compiled call, elsewhere the step
        itself. The step may call operators only: no allocation and no copy from or to the host. It
        must use the same arrays each time, and scalars keep the values that they have now. The
        caller has run it once, so that all loops are compiled; recording does not run it. Raises
        RuntimeError on `vectorized` where the step allocates or copies.
        """
        return step

    def hidden_layer_steps(
        self, batch: int, activation: str, *arrays: Array
    ) -> Callable[[int], None] | None:
        """A function that does several steps of a network with one hidden layer at once: as
        `gather`, the operators of the network, `softmax_cross_entropy`, `sgd` and `advance` for
        each of them. None where the device has none for these arrays.

        arrays: images, labels, order, rate; weights (i, h) and biases (h,), weights (h, o) and
        biases (o,); counters, history.
        """
        return None

    def synchronize(self) -> None:  # noqa: B027 - most devices have nothing to wait for
        """Wait until the device has finished all operators; raises the error of one that failed."""

    def profiler_range(self, name: str) -> AbstractContextManager[None]:
        """Encloses a part of the work, which a profiler of this device shows under `name`."""
        del name  # most devices have no profiler that knows of such parts
        return nullcontext()

    def limit_threads(self, count: int) -> None:
        """Use at most `count` threads of the processor, from before the first operator on."""
        del count  # a device that has one thread, or none, needs no limit

    def worker(self) -> "Device":
        """Another device of this kind on the same arrays, for one more thread and one core.

        Raises NotImplementedError where the arrays cannot be shared between threads.
        """
        raise NotImplementedError(f"{self.name} computes in one thread")

    def details(self) -> dict[str, str]:
        """What lists of devices tell about this one, as names and values."""
        return {}

    def memory_info(self) -> tuple[int, int] | None:
        """(free, total) bytes of the device's own memory; None where it has none of its own."""
        return None

    def close(self) -> None:  # noqa: B027 - most devices have nothing to free
        """Free memory and end threads; the device is not used afterwards."""


NO_OPERATORS = {"empty", "upload", "asarray", "download", "write", "read"}
"""The methods that move arrays."""
OPERATORS = Device.__abstractmethods__ - NO_OPERATORS
"""All but those that call others."""
JOINED_OPERATORS = {"dense_update", "output_layer"}
"""Operators that stand for several, by calling them unless a device has a quicker way."""


class DeviceArray:
    """An array in a device's own memory; `numpy.asarray(array)` copies it to host memory."""

    def __init__(self, device: Device, array: Array) -> None:
        self.device = device
        self.array = array
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.ndim = len(self.shape)
        self.size = int(array.size)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return self.device.download(self.array).astype(dtype or np.float32, copy=False)

    def __repr__(self) -> str:
        return f"<float32 array of shape {self.shape} on {self.device.name}>"
