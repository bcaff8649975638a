"""The one door to Numba's CUDA target: decorators, the simulator's differences, and 16-byte loads.

Under NUMBA_ENABLE_CUDASIM=1 the same kernels run as Python threads. The simulator knows neither alignment
nor launch bounds nor intrinsics, and keeps one launch configuration per kernel; all that is settled here.
"""

from collections.abc import Callable
from typing import Any

import numba.cuda
import numpy as np
from numba.cuda.core import config

# To a type checker the attributes of a kernel's threads are what Numba's compiler makes of them, not themselves.
cuda: Any = numba.cuda

# numba-cuda, as it compiles its first kernel, asks for a name that NumPy dropped in 2.5 for the one it stood for.
vars(np).setdefault("row_stack", np.vstack)

# Small grids are a choice here, and the warning queries the context at every launch.
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

SIMULATED: bool = bool(config.ENABLE_CUDASIM)

# For `cuda.shared.array`: lets four neighbouring floats be read by one instruction.
ALIGNMENT = None if SIMULATED else 16

# Threads of a block where each has one element to care for. The simulator starts a Python thread for each.
THREADS = 16 if SIMULATED else 256

Kernel = Any


def kernel(threads: int = 0, blocks: int = 0) -> Callable[[Callable[..., None]], Kernel]:
    """Decorates a kernel. With `threads` a block and `blocks` a multiprocessor, registers are limited to fit.

    No fast mathematics: NaN and infinity keep their meaning, since divergence must stay visible. Products and
    sums are still fused, so that results differ from the CPU's in the last bits.
    """

    def decorate(function: Callable[..., None]) -> Kernel:
        if threads and not SIMULATED:
            return cuda.jit(launch_bounds=(threads, blocks) if blocks else threads)(function)
        return cuda.jit(function)

    return decorate


def inlined(function: Callable[..., Any]) -> Any:
    """Decorates a device function, which becomes part of every kernel that calls it."""
    if SIMULATED:
        # The simulator needs to know of those alone that ask for their thread; for the others its care is slow.
        return cuda.jit(device=True)(function) if "cuda" in function.__code__.co_names else function
    return cuda.jit(device=True, forceinline=True)(function)


if SIMULATED:

    @inlined
    def load(array: Any, index: Any) -> Any:
        """The element of this number, counted through the whole array."""
        return array[tuple(int(place) for place in np.unravel_index(index, array.shape))]

    @inlined
    def load4(array: Any, index: Any) -> tuple[Any, Any, Any, Any]:
        """array[index : index + 4]."""
        return array[index], array[index + 1], array[index + 2], array[index + 3]

else:
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    types: Any = numba.cuda.types

    @intrinsic
    def load(typingctx: Any, array: Any, index: Any) -> Any:
        """The element of this number, counted through the whole float32 array; `index` is below 2³².

        Numba multiplies each index by a stride, all of 64 bits: a dozen instructions where here is one.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type, index_type = signature.args
            data = context.make_array(array_type)(context, builder, arguments[0]).data
            narrow = context.cast(builder, arguments[1], index_type, types.uint32)
            return builder.load(builder.gep(data, [builder.zext(narrow, ir.IntType(64))]))

        return types.float32(array, index), generate

    @intrinsic
    def load4(typingctx: Any, array: Any, index: Any) -> Any:
        """array[index : index + 4] of a flat float32 array, by one 16-byte load; `index` is a multiple of 4."""
        result = types.UniTuple(types.float32, 4)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type, index_type = signature.args
            data = context.make_array(array_type)(context, builder, arguments[0]).data
            place = context.cast(builder, arguments[1], index_type, types.intp)
            four = ir.VectorType(ir.FloatType(), 4)
            address = builder.bitcast(builder.gep(data, [place]), four.as_pointer())
            loaded = builder.load(address, align=16)
            parts = [builder.extract_element(loaded, ir.Constant(ir.IntType(32), i)) for i in range(4)]
            return context.make_tuple(builder, result, parts)

        return result(array, index), generate


def is_float32(*arrays: Any) -> None:
    """Raise TypeError unless all are float32: a kernel would compile for other types, and be slow or wrong."""
    for array in arrays:
        if array.dtype != np.float32:
            raise TypeError(f"cuda: computes in float32 only; this array is {array.dtype}. Convert it first.")
