"""What the arguments of a launch hold before it: numbers from a seed, as the texts of a launch ask
for them.
"""

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.workshop.checker.trace import Sizes
from core.workshop.launch import Argument, Launch, shape_of
from core.workshop.sizes import evaluate

Values = dict[str, Any]
"""Arrays and NumPy scalars, by name."""


def poisoned_of(launch: Launch, outputs: Mapping[str, bool]) -> set[str]:
    """The arrays that a kernel has to fill. `outputs`: as `core.workshop.reference.outputs_of`
    returns them.
    """
    return {
        argument.name
        for argument in launch.arguments
        if argument.shape is not None
        and not argument.kind
        and argument.name not in launch.inputs
        and outputs.get(argument.name) is False
    }


def make_inputs(launch: Launch, sizes: Sizes, seed: int, poisoned: set[str]) -> Values:
    """The arguments before the launch, by name: arrays, and numbers as NumPy scalars.

    `poisoned`: arrays that the kernel has to fill. The same seed and sizes give the same values in
    every process.
    """
    values: Values = {}
    for argument in launch.arguments:
        if not argument.type:
            values[argument.name] = np.int64(sizes[argument.name])
            continue
        dtype = np.dtype(argument.type)
        if argument.name in launch.inputs:
            values[argument.name] = launch.inputs[argument.name].astype(dtype)
        elif argument.name in poisoned and not argument.kind and argument.shape is not None:
            values[argument.name] = np.full(shape_of(argument, sizes), poison(dtype))
        else:
            # A checksum, because Python's hash of a text differs from process to process.
            key = repr((argument.name, sorted(sizes.items()))).encode()
            array = _random(argument, sizes, np.random.default_rng([seed, zlib.crc32(key)]))
            values[argument.name] = dtype.type(array) if argument.shape is None else array
    return values


def _random(argument: Argument, sizes: Sizes, generator: np.random.Generator) -> np.ndarray:
    """Numbers as the argument's text asks for them, in its type and shape."""
    dtype = np.dtype(argument.type)
    shape = shape_of(argument, sizes)
    known = {name: int(size) for name, size in sizes.items()}
    limit = evaluate(argument.value or "0", known, whole=False)  # 0 is not used
    match argument.form:
        case "permutation":
            return generator.permutation(shape[0]).astype(dtype)
        case "rows":
            return _rows(shape[0], evaluate(argument.limit, sizes), generator).astype(dtype)
        case "distinct" if dtype.kind in "iu":
            most = int(limit) if argument.kind else 2 * shape[0]
            return generator.choice(most, shape[0], replace=False).astype(dtype)
    found: np.ndarray
    if argument.kind == "=":
        found = np.full(shape, limit)
    elif dtype.kind == "f":
        low, high = (0.0, float(limit)) if argument.kind else (-1.0, 1.0)
        # Turned round: `random` never gives 1, so that the lower limit is left out, such as 0.
        found = high - (high - low) * generator.random(shape)
    elif dtype.kind == "b":
        found = generator.integers(0, 2, shape)
    elif argument.kind:
        found = _with_extremes(
            generator.integers(0, max(int(limit), 1), shape), int(limit) - 1, generator
        )
    else:
        low, high = (-50, 50) if dtype.kind == "i" else (0, 100)
        found = generator.integers(low, high + 1, shape)
    if argument.form == "sorted":
        found = np.sort(found)
    return np.asarray(found).astype(dtype)


def _with_extremes(numbers: np.ndarray, largest: int, generator: np.random.Generator) -> np.ndarray:
    """With the largest number twice and the least once, where there is room: kernels use such
    numbers as indices.
    """
    if numbers.size >= 4 and largest > 0:
        places = generator.choice(numbers.size, 3, replace=False)
        numbers.reshape(-1)[places] = (largest, largest, 0)
    return numbers


def _rows(count: int, end: int, generator: np.random.Generator) -> np.ndarray:
    """Where each row of a sparse matrix begins, and where the last ends: rising, from 0 to `end`.

    The first and the last row are empty where there are others.
    """
    found = np.sort(generator.integers(0, end + 1, count))
    edge = 2 if count > 3 else 1
    found[-edge:] = end
    found[:edge] = 0
    return found


def poison(dtype: np.dtype) -> Any:
    """What an output holds before the launch."""
    if dtype.kind == "f":
        return dtype.type("nan")
    return dtype.type(1) if dtype.kind == "b" else dtype.type(np.iinfo(dtype).max - 20)
