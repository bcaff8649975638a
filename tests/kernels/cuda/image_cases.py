"""The operators on images as cases (see operator_cases): convolution, pooling, dropout, with their
gradients.
"""

import numpy as np

from kernels.device import Size, output_size, paddings, sides
from tests.kernels.operator_cases import Arrays, Case


def _normal(rng, dtype, *shape):
    return rng.standard_normal(shape).astype(dtype)


def widened(arrays: Arrays) -> Arrays:
    """The same inputs in float64. Outputs are not initialized and may hold any bits."""
    with np.errstate(invalid="ignore"):
        return {k: a.astype(np.float64) if a.dtype == np.float32 else a for k, a in arrays.items()}


def convolution_cases(
    n: int, side: int, channels: int, size: Size, maps: int, stride: int, padding: str
) -> list[Case]:
    """Images of side x (side + 2) under kernels of `size`."""
    height, width = side, side + 2
    rows, columns = (
        output_size(s, k, stride, p)
        for s, k, p in zip((height, width), sides(size), paddings(padding), strict=True)
    )
    name = f"{n}x{height}x{width}x{channels}-{maps}C{size}-s{stride}-{padding}"

    def draw(rng, dtype):
        return {
            "x": _normal(rng, dtype, n, height, width, channels),
            "dz": _normal(rng, dtype, n, rows, columns, maps),
            "w": _normal(rng, dtype, *sides(size), channels, maps) / dtype(sides(size)[0]),
            "b": _normal(rng, dtype, maps),
            "out": np.empty((n, rows, columns, maps), dtype),
        }

    def draw_gradients(rng, dtype):
        a = draw(rng, dtype)
        a["below"], a["straight"] = np.empty_like(a["x"]), np.empty_like(a["x"])
        a["out"] = np.empty_like(a["w"])
        return a

    def forward(device, a):
        device.convolve(a["x"], a["w"], a["b"], stride, padding, "relu", a["out"])

    def backward(device, a):
        device.convolve_input_gradient(
            a["dz"], a["w"], stride, padding, a["x"], "leaky-relu", a["below"]
        )
        device.convolve_input_gradient(
            a["dz"], a["w"], stride, padding, None, "linear", a["straight"]
        )
        device.convolve_weight_gradient(a["x"], a["dz"], stride, padding, a["out"])

    return [
        Case(f"convolve-{name}", draw, forward),
        Case(f"convolve-gradients-{name}", draw_gradients, backward, ("below", "straight", "out")),
    ]


def pooling_case(n: int, side: int, maps: int, size: Size) -> Case:
    """With ties, and sizes that are no multiple of the block."""
    tall, wide = sides(size)
    rows, columns = side // tall, (side + 1) // wide

    def draw(rng, dtype):
        x = np.round(_normal(rng, dtype, n, side, side + 1, maps))
        return {
            "x": x, "dy": _normal(rng, dtype, n, rows, columns, maps),
            "out": np.empty((n, rows, columns, maps), dtype), "below": np.empty_like(x),
        }  # fmt: skip

    def run(device, a):
        device.max_pool(a["x"], size, a["out"])
        device.max_pool_gradient(a["x"], a["out"], a["dy"], size, "leaky-relu", a["below"])

    return Case(f"max_pool-{n}x{side}x{side + 1}x{maps}-MP{size}", draw, run, ("out", "below"))


def average_pooling_case(n: int, side: int, maps: int, size: Size) -> Case:
    """With sizes that are no multiple of the block."""
    tall, wide = sides(size)
    rows, columns = side // tall, (side + 1) // wide

    def draw(rng, dtype):
        x = _normal(rng, dtype, n, side, side + 1, maps)
        return {
            "x": x, "dy": _normal(rng, dtype, n, rows, columns, maps),
            "out": np.empty((n, rows, columns, maps), dtype), "below": np.empty_like(x),
        }  # fmt: skip

    def run(device, a):
        device.average_pool(a["x"], size, a["out"])
        device.average_pool_gradient(a["x"], a["dy"], size, "leaky-relu", a["below"])

    return Case(f"average_pool-{n}x{side}x{side + 1}x{maps}-AP{size}", draw, run, ("out", "below"))


def dropout_case(n: int, units: int) -> Case:
    def draw(rng, dtype):
        x = _normal(rng, dtype, n, units)
        return {
            "x": x,
            "dy": _normal(rng, dtype, n, units),
            "counters": np.array([0, 41], np.int32),
            "out": np.empty_like(x),
            "below": np.empty_like(x),
            "straight": np.empty_like(x),
        }

    def run(device, a):
        device.dropout(a["x"], 30, 5_000_000_000, 2, a["counters"], a["out"])
        device.dropout_gradient(
            a["dy"], 30, 5_000_000_000, 2, a["counters"], a["x"], "tanh", a["below"]
        )
        device.dropout_gradient(
            a["dy"], 30, 5_000_000_000, 2, a["counters"], None, "linear", a["straight"]
        )

    return Case(f"dropout-{n}x{units}", draw, run, ("out", "below", "straight"))


def small_image_cases() -> list[Case]:
    return [
        *convolution_cases(2, 4, 1, 3, 2, 1, "same"),
        *convolution_cases(1, 5, 4, 3, 3, 2, "same"),
        *convolution_cases(1, 4, 2, 3, 5, 1, "valid"),
        *convolution_cases(1, 4, 2, (3, 5), 3, 1, "beside"),
        pooling_case(2, 5, 3, 2),
        pooling_case(1, 5, 3, (2, 1)),
        average_pooling_case(2, 5, 3, 2),
        dropout_case(3, 7),
    ]
