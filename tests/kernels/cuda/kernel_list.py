"""Every kernel of the device `cuda` with its argument types, to compile them without a card."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

sys.path.append(str(Path(__file__).parents[3] / "packaging"))

import compile_kernels
from compile_kernels import _MATRIX, _VECTOR, Capability, Compilable, float32, int64
from cuda.bindings import nvrtc

from core.bench.cuda import ladder_kernels
from kernels.cuda import operators as operator_modules
from kernels.cuda.toolkit import USES_SUCCESSOR, Kernel, cuda

# Pascal, Turing, Ampere, Hopper, Blackwell. CUDA 13 does not compile for the first.
CAPABILITIES: list[Capability] = sorted(
    {(6, 1), (7, 5), (8, 6), (9, 0), (12, 0)}
    & {divmod(number, 10) for number in nvrtc.nvrtcGetSupportedArchs()[1]}
)


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
    """Those that are shipped, and those of the bench."""
    return [*compile_kernels.kernels(), *_ladder()]


def iter_ptx(
    compilable: Compilable, capabilities: Sequence[Capability]
) -> Iterator[tuple[Capability, str]]:
    """(capability, PTX) of a kernel for each of `capabilities`. No card is needed, and none is
    used.
    """
    if not USES_SUCCESSOR:
        yield from compile_kernels.iter_ptx(compilable, capabilities)
        return
    options = {"launch_bounds": None} | compilable.kernel.options
    function = compilable.kernel.py_func
    # It asks for the card's capability, and links for that where the kernel's is lower.
    for capability in capabilities:
        with patch("numba_cuda_mlir.tools._cached_cc", capability):
            yield (
                capability,
                cuda.compile_ptx(function, compilable.types, cc=capability, **options)[0],
            )


def kernels_of_the_operators() -> dict[str, Kernel]:
    """Every kernel in a module of `kernels.cuda.operators`, by module and name."""
    found = {}
    for info in pkgutil.iter_modules(operator_modules.__path__):
        module = importlib.import_module(f"{operator_modules.__name__}.{info.name}")
        for name, value in vars(module).items():
            if isinstance(value, Kernel):
                found[f"{info.name}.{name}"] = value
    return found
