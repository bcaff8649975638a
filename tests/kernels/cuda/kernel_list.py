"""Every kernel of the device `cuda` with its argument types, to compile them without a card."""

import importlib
import operator
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from core.bench.cuda import ladder_kernels
from kernels.activations import CODES
from kernels.cuda import operators as operator_modules
from kernels.cuda import toolkit
from kernels.cuda.host import supported_capabilities
from kernels.cuda.operators import (
    activations,
    augmentation,
    batches,
    convolution,
    dense,
    dropout,
    elementwise,
    losses,
    normalization,
    pooling,
    reduce,
    updates,
)
from kernels.cuda.operators.product import product_kernel
from kernels.cuda.operators.tiles import LARGE, MEDIUM, NARROW, SMALL
from kernels.cuda.toolkit import USES_SUCCESSOR, cuda, float32, float64, int32, types

Capability = tuple[int, int]

# Pascal, Turing, Ampere, Hopper, Blackwell. CUDA 13 does not compile for the first.
CAPABILITIES: list[Capability] = sorted(
    {(6, 1), (7, 5), (8, 6), (9, 0), (12, 0)} & set(supported_capabilities())
)

RELU = CODES["relu"]

# Classes of the compiler that is used.
Array, int64, uint8 = types.Array, types.int64, types.uint8
Dispatcher = type(toolkit.double_and_add_one)


@dataclass(frozen=True)
class Compilable:
    name: str
    kernel: Any
    types: tuple[Any, ...]


def _floats(dimensions: int) -> Any:
    return Array(float32, dimensions, "C")


_VECTOR, _MATRIX, _IMAGES = _floats(1), _floats(2), _floats(4)
_COUNTERS, _SUMS = Array(int32, 1, "C"), Array(float64, 1, "C")


def _product_types(a: Any, b: Any, extra: Any) -> tuple[Any, ...]:
    return a, b, _MATRIX, int64, int64, int64, extra, float32, _VECTOR, _COUNTERS


def _products() -> Iterator[Compilable]:
    """Every tile, form and epilogue, with and without split-K; not all combinations, which would
    take minutes.
    """
    plain, transposed = dense.element, dense.transposed_element
    tiles = {"large": LARGE, "medium": MEDIUM, "small": SMALL, "narrow": NARROW}
    for name, tile in tiles.items():
        kernel = product_kernel(
            tile, transposed, plain, activations.identity, False, False, name == "medium"
        )
        yield Compilable(f"product-tn-{name}", kernel, _product_types(_MATRIX, _MATRIX, _MATRIX))
    kernel = product_kernel(
        SMALL, transposed, plain, activations.identity, False, False, True, descends=True
    )
    yield Compilable("product-update", kernel, _product_types(_MATRIX, _MATRIX, _VECTOR))
    for (activation, code), (name, tile) in zip(CODES.items(), cycle(tiles.items()), strict=False):
        sliced = name in ("small", "narrow")
        forward, below = activations.bias_and_activation(code), activations.times_derivative(code)
        kernel = product_kernel(tile, plain, plain, forward, True, False, sliced)
        yield Compilable(
            f"product-nn-{name}-{activation}", kernel, _product_types(_MATRIX, _MATRIX, _VECTOR)
        )
        kernel = product_kernel(tile, plain, transposed, below, True, True, sliced)
        yield Compilable(
            f"product-nt-{name}-{activation}", kernel, _product_types(_MATRIX, _MATRIX, _MATRIX)
        )


def _convolutions() -> Iterator[Compilable]:
    g = convolution._geometry((1, 14, 14, 32), (5, 5), (1, 14, 14, 64), 1, "same")
    patch, element_of_patch = convolution._load_patches(g)
    for name, fetches, along, finish, argument_types in (
        ("forward", (patch, dense.element), (True, False), activations.bias_and_activation(RELU),
         _product_types(_IMAGES, _MATRIX, _VECTOR)),
        ("input-gradient", convolution._load_for_input_gradient(g), (True, True), activations.times_derivative(RELU),
         _product_types(_IMAGES, _IMAGES, _MATRIX)),
        ("weight-gradient", (element_of_patch, dense.element), (False, False), activations.identity,
         _product_types(_IMAGES, _MATRIX, _MATRIX)),
    ):  # fmt: skip
        kernel = product_kernel(MEDIUM, *fetches, finish, *along, False)
        yield Compilable(f"convolution-{name}", kernel, argument_types)


def _ladder() -> Iterator[Compilable]:
    """The thesis's naive kernels, which the bench measures."""
    for kernel, argument_types in (
        (ladder_kernels.feed_forward, (_MATRIX, _MATRIX, _VECTOR, int64, _MATRIX)),
        (ladder_kernels.product, (_MATRIX,) * 3),
        (ladder_kernels.product_nt, (_MATRIX,) * 3),
        (ladder_kernels.product_tn, (_MATRIX,) * 3),
        (ladder_kernels.transpose, (_MATRIX,) * 2),
        (ladder_kernels.subtract, (_MATRIX,) * 3),
        (ladder_kernels.grad_z, (_MATRIX, _MATRIX, int64, float32, _MATRIX)),
        (ladder_kernels.sum_rows, (_MATRIX, _VECTOR)),
        (ladder_kernels.descend, (float32, _MATRIX, _MATRIX)),
        (ladder_kernels.descend_row, (float32, _VECTOR, _VECTOR)),
    ):
        yield Compilable(
            f"ladder-{kernel.py_func.__name__.replace('_', '-')}", kernel, argument_types
        )


def kernels() -> list[Compilable]:
    """All kernels; of the template of the products a selection."""
    update = (_VECTOR, _VECTOR)
    loss_end = (_SUMS, _MATRIX, _SUMS, _COUNTERS)
    drop = (int64, float32, int64, int64, _COUNTERS)
    return [
        *_products(),
        *_convolutions(),
        Compilable("tiny", toolkit.double_and_add_one, (_VECTOR,)),
        *[
            Compilable(
                f"column-sums-{name}",
                reduce.column_sums_of(element, name == "update"),
                (_MATRIX, _MATRIX, _VECTOR, _VECTOR, float32, _VECTOR, _VECTOR, _COUNTERS),
            )
            for name, element in (
                ("plain", reduce.itself),
                ("update", reduce.itself),
                ("squares", normalization.squared_difference),
                ("normalized", normalization.times_normalized),
            )
        ],
        Compilable("normalize", normalization._normalize, (*[_VECTOR] * 5, int64, _VECTOR)),
        Compilable(
            "normalize-gradient",
            normalization._input_gradient,
            (*[_VECTOR] * 7, float32, int64, _VECTOR),
        ),
        Compilable("softmax", losses._softmax, (_MATRIX, _MATRIX)),
        Compilable(
            "cross-entropy",
            losses.class_loss(losses.cross_entropy),
            (_MATRIX, _COUNTERS, int64, *loss_end),
        ),
        Compilable(
            "output-layer",
            losses._output_layer,
            (
                _MATRIX,
                _MATRIX,
                _VECTOR,
                _COUNTERS,
                int64,
                int64,
                _SUMS,
                _MATRIX,
                _MATRIX,
                _MATRIX,
                _SUMS,
                _COUNTERS,
            ),
        ),
        Compilable(
            "error-classes",
            losses.class_loss(losses.squared_error),
            (_MATRIX, _COUNTERS, int64, *loss_end),
        ),
        Compilable("error", losses._squared_error, (_MATRIX, _MATRIX, int64, *loss_end)),
        Compilable("l1", updates._add_l1_gradient, (*update, float32, int64)),
        Compilable("sgd", updates._sgd, (*update, _VECTOR, float32, int64)),
        Compilable(
            "momentum",
            updates._momentum,
            (*update, _VECTOR, _VECTOR, float32, int64, float32, int64),
        ),
        Compilable(
            "adam", updates._adam, (*update, _VECTOR, _VECTOR, _VECTOR, _COUNTERS, float32, int64)
        ),
        Compilable("rmsprop", updates._rmsprop, (*update, _VECTOR, _VECTOR, float32, int64)),
        Compilable("average", updates._average, (_MATRIX, _VECTOR)),
        Compilable(
            "gather-bytes",
            batches._gather_scaled,
            (Array(uint8, 1, "C"), _COUNTERS, _COUNTERS, int64, _VECTOR),
        ),
        Compilable(
            "gather-floats", batches._gather_copied, (_VECTOR, _COUNTERS, _COUNTERS, int64, _VECTOR)
        ),
        Compilable(
            "gather-labels",
            batches._gather_copied,
            (_COUNTERS, _COUNTERS, _COUNTERS, int64, _COUNTERS),
        ),
        Compilable("advance", batches._advance, (_COUNTERS, int64)),
        Compilable(
            "advance-with-history",
            batches._advance_with_history,
            (_COUNTERS, int64, _SUMS, Array(float64, 2, "C")),
        ),
        *[
            Compilable(
                operation.__name__, elementwise.pairwise(operation), (_VECTOR, _VECTOR, _VECTOR)
            )
            for operation in (operator.add, operator.sub, operator.mul)
        ],
        Compilable("activate", elementwise._activate, (_VECTOR, int64, _VECTOR)),
        Compilable("derivative", elementwise._multiply_by_derivative, (_VECTOR, int64, _VECTOR)),
        Compilable("max-pool", pooling._max_pool, (_IMAGES, int64, int64, _IMAGES)),
        Compilable(
            "max-pool-gradient",
            pooling._max_pool_gradient,
            (_IMAGES, _IMAGES, _IMAGES, int64, int64, int64, _IMAGES),
        ),
        Compilable("average-pool", pooling._average_pool, (_IMAGES, int64, int64, _IMAGES)),
        Compilable(
            "average-pool-gradient",
            pooling._average_pool_gradient,
            (_IMAGES, _IMAGES, int64, int64, int64, _IMAGES),
        ),
        Compilable("dropout", dropout._dropout, (_VECTOR, *drop, _VECTOR)),
        Compilable(
            "dropout-gradient", dropout._dropout_gradient, (_VECTOR, *drop, _VECTOR, int64, _VECTOR)
        ),
        *_ladder(),
        Compilable(
            "augment",
            augmentation._augment,
            (_IMAGES, *[float64] * 6, int64, _COUNTERS, _IMAGES, _VECTOR),
        ),
    ]


def iter_ptx(
    compilable: Compilable, capabilities: Sequence[Capability]
) -> Iterator[tuple[Capability, str]]:
    """(capability, PTX) of a kernel for each of `capabilities`. No card is needed, and none is
    used.
    """
    chosen = compilable.kernel.targetoptions
    options = {
        "launch_bounds": chosen.get("launch_bounds"),
        "lineinfo": bool(chosen.get("lineinfo")),
    }
    function = compilable.kernel.py_func
    if USES_SUCCESSOR:
        # It asks for the card's capability, and links for that where the kernel's is lower.
        for capability in capabilities:
            with patch("numba_cuda_mlir.tools._cached_cc", capability):
                yield (
                    capability,
                    cuda.compile_ptx(function, compilable.types, cc=capability, **options)[0],
                )
        return
    from numba.cuda.compiler import _compile_pyfunc_with_fixup

    # numba-cuda asks for the card when it compiles a device function, whose result is the same for
    # all. Type inference takes longer than code generation, so it is done once.
    first = SimpleNamespace(compute_capability=capabilities[0])
    with patch("numba.cuda.dispatcher.get_current_device", lambda: first):
        library, _ = _compile_pyfunc_with_fixup(
            function, compilable.types, cc=capabilities[0], device=False, abi="numba", **options
        )
    for capability in capabilities:
        yield capability, library.get_asm_str(cc=capability)


def kernels_of_the_operators() -> dict[str, Dispatcher]:
    """Every kernel in a module of `kernels.cuda.operators`, by module and name."""
    found = {}
    for info in pkgutil.iter_modules(operator_modules.__path__):
        module = importlib.import_module(f"{operator_modules.__name__}.{info.name}")
        for name, value in vars(module).items():
            if isinstance(value, Dispatcher) and not value.targetoptions.get("device"):
                found[f"{info.name}.{name}"] = value
    return found
