"""The only module that imports a compiler for CUDA: decorators for kernels and device functions,
vector loads.

The compiler is numba-cuda or, where it is asked for, its successor numba-cuda-mlir
(`kernels.cuda.installed`). Both have the same language for kernels, and launch them; this module
hides the differences. All else that the host asks of the driver is in `kernels.cuda.host`. With
NUMBA_ENABLE_CUDASIM=1 numba-cuda's simulator runs the same kernels as Python threads. The simulator
has no alignment, launch bounds or intrinsics; this module hides that as well. Without a compiler
the kernels that `kernels.cuda.shipped` has can be launched.
"""

import os
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from kernels.activations.activation import Scalar
from kernels.cuda.installed import (
    SUCCESSOR,
    compiler,
    has_compiler,
    missing_kernel,
    uses_shipped_kernels,
)
from kernels.cuda.shipped import (
    LaunchConfiguration,
    described,
    launch_kernel,
    layout_of,
    load_kernel,
    name_of,
)
from kernels.device import Array
from kernels.errors import DeviceError

USES_SUCCESSOR: bool = compiler() == SUCCESSOR
HAS_COMPILER: bool = has_compiler()

_USES_SHIPPED = uses_shipped_kernels()

# Any: to a type checker `cuda.threadIdx` and others lack the attributes that Numba's compiler gives
# them. Without a compiler, kernels are only named.
cuda: Any = None
types: Any = import_module(f"{SUCCESSOR}.types" if USES_SUCCESSOR else "numba.types")
SIMULATED: bool = False

if HAS_COMPILER:
    cuda = import_module(f"{SUCCESSOR}.cuda" if USES_SUCCESSOR else "numba.cuda")
    _config: Any = import_module(
        f"{SUCCESSOR}.numba_cuda.core.config" if USES_SUCCESSOR else "numba.cuda.core.config"
    )
    # Small grids are intended here, and the check for the warning queries the context at every
    # launch.
    _config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    SIMULATED = not USES_SUCCESSOR and bool(_config.ENABLE_CUDASIM)

# The types of numbers in kernels. Each compiler knows only its own.
float32 = types.float32
float64 = types.float64
int32 = types.int32
uint8 = types.uint8
uint32 = types.uint32
uint64 = types.uint64

# numba-cuda imports `row_stack` when it compiles its first kernel; NumPy 2.5 removed this alias of
# `vstack`.
vars(np).setdefault("row_stack", np.vstack)

# Debuggers, profilers and NVIDIA's compute-sanitizer then name the lines of the kernels' Python
# source.
_LINES: bool = os.environ.get("DIGITLAB_CUDA_LINES") == "1"

# Alignment in bytes of shared arrays: 16 allows one instruction to load four floats.
ALIGNMENT = None if SIMULATED else 16

# Threads per block of kernels with one thread per element. The simulator starts a Python thread for
# each.
THREADS_PER_BLOCK = 16 if SIMULATED else 256


# To a type checker these are Any: Numba has no types for them. The names say what a value is.
# IR: contexts, builders, types and values of the compiler's intermediate representation.
DeviceFunction = Any
IR = Any


class Kernel:
    """A kernel: `kernel[grid, block, stream](*arguments)` launches it, as it was shipped or as the
    compiler makes it for the types of the arguments.
    """

    def __init__(
        self, function: Callable[..., None], bounds: tuple[int, ...], together: int
    ) -> None:
        """`bounds`: threads of a block, and blocks of a multiprocessor; none for 0."""
        self.py_func = function
        self._together = together
        self.options: dict[str, object] = {"lineinfo": True} if _LINES else {}
        if any(bounds):
            self.options["launch_bounds"] = bounds if all(bounds) else bounds[0]
        self.dispatcher = (
            cuda.jit(**self.options)(function) if HAS_COMPILER and not together else None
        )
        self._loaded: dict[tuple[int, tuple[str, ...]], Any] = {}

    def __getitem__(self, configuration: LaunchConfiguration) -> Callable[..., None]:
        return partial(self._launch, configuration)

    def _launch(self, configuration: LaunchConfiguration, *arguments: object) -> None:
        grid, block, stream = configuration
        if _USES_SHIPPED:
            types, values = described(arguments)
            at = stream.card, types
            if at not in self._loaded:
                name = name_of(self.py_func, self.options, types)
                self._loaded[at] = load_kernel(
                    name, layout_of(values), stream.capability, self._together
                )
            loaded = self._loaded[at]
            if loaded is not None:
                launch_kernel(loaded, configuration, values)
                return
        if self.dispatcher is None:
            raise DeviceError("toolkit", missing_kernel())
        given: Iterable[object] = arguments
        if not USES_SUCCESSOR:
            given = [getattr(argument, "of_compiler", argument) for argument in arguments]
        self.dispatcher[grid, block, stream.of_compiler](*given)


def require_compiler() -> None:
    """Raises DeviceError where no compiler is installed, which kernels that were not shipped
    need.
    """
    if not HAS_COMPILER:
        raise DeviceError("toolkit", missing_kernel())


def kernel(
    threads: int = 0, blocks: int = 0, together: int = 0
) -> Callable[[Callable[..., None]], Any]:
    """Decorator of kernels. `threads` per block and `blocks` per multiprocessor are launch bounds:
    the compiler limits the registers of a thread so that they fit; 0 sets no bound. `together`:
    bytes of shared memory for a kernel whose blocks wait for each other. All have to be on the card
    at once, so that it is only launched as it was shipped.

    Fast math stays off: NaN and infinity have to propagate, so that divergence is visible.
    Multiplications and additions are fused (FMA), so results differ from the CPU's in the last
    bits.
    """

    def decorate(function: Callable[..., None]) -> Any:
        return cuda.jit(function) if SIMULATED else Kernel(function, (threads, blocks), together)

    return decorate


def device_function(function: Callable[..., Any]) -> Any:
    """Decorator of device functions; they are inlined into every kernel that calls them."""
    if not HAS_COMPILER:
        return function
    if SIMULATED:
        # The simulator swaps the globals of a device function at each call; only uses of `cuda`
        # need that.
        return cuda.jit(device=True)(function) if "cuda" in function.__code__.co_names else function
    if USES_SUCCESSOR:
        # It inlines by itself; told to (`inline="always"`), it takes minutes for a product.
        return cuda.jit(device=True)(function)
    return cuda.jit(device=True, forceinline=True, lineinfo=_LINES)(function)


@device_function
def divide(number: Any, divisor: Any) -> tuple[Any, Any]:
    """(number // divisor, number % divisor), int32, for number >= 0 and divisor > 0 below 2³².

    A card divides in software: unsigned 32-bit division costs a fraction of Python's, which is 64
    bits wide and rounds down. Division by a constant becomes one multiplication.
    """
    quotient = uint32(uint32(number) // uint32(divisor))
    return int32(quotient), int32(uint32(number) - quotient * uint32(divisor))


if SIMULATED or not HAS_COMPILER:

    @device_function
    def load(array: Array, index: int) -> Scalar:
        """The element at the flat `index` of an array of any dimension."""
        return array[tuple(int(i) for i in np.unravel_index(index, array.shape))]

    @device_function
    def load4(array: Array, index: int) -> tuple[Scalar, ...]:
        """array[index : index + 4]."""
        return tuple(load(array, index + i) for i in range(4))

    @device_function
    def store4(array: Array, index: int, values: Array, first: int) -> None:
        """array[index : index + 4] = values[first : first + 4]."""
        for i in range(4):
            place = np.unravel_index(index + i, array.shape)
            array[tuple(map(int, place))] = values[first + i]

    @device_function
    def thread_fence() -> None:
        """The simulator's threads see all stores at once."""

elif USES_SUCCESSOR:
    experimental: Any = import_module(f"{SUCCESSOR}.cuda.experimental")

    @device_function
    def load(array: Array, index: int) -> Scalar:
        """The element at the flat `index`, below 2³², of a contiguous float32 array of any
        dimension.
        """
        return array.ravel()[uint32(index)]

    @device_function
    def load4(array: Array, index: int) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """array[index : index + 4] of a flat float32 array by one 16-byte load; `index` is a
        multiple of 4.
        """
        at = uint64(index)
        flat = array.ravel()
        return flat[at], flat[at + uint64(1)], flat[at + uint64(2)], flat[at + uint64(3)]

    @device_function
    def store4(array: Array, index: int, values: Array, first: int) -> None:
        """array[index : index + 4] = values[first : first + 4], of flat indices."""
        flat = array.ravel()
        for i in range(4):
            flat[uint64(index + i)] = values[first + i]

    @device_function
    def thread_fence() -> None:
        """See below; the instruction that all cards have."""
        experimental.inline_ptx("membar.gl;")

else:
    from llvmlite import ir
    from numba.cuda.cgutils import get_or_insert_function
    from numba.cuda.extending import intrinsic

    @intrinsic
    def load(typingctx: IR, array: IR, index: IR) -> IR:
        """The element at the flat `index`, below 2³², of a contiguous float32 array of any
        dimension.

        Numba multiplies each index by a 64-bit stride: a dozen instructions instead of one.
        """

        def generate(context: IR, builder: IR, signature: IR, arguments: IR) -> IR:
            array_type, index_type = signature.args
            data = context.make_array(array_type)(context, builder, arguments[0]).data
            narrow = context.cast(builder, arguments[1], index_type, types.uint32)
            return builder.load(builder.gep(data, [builder.zext(narrow, ir.IntType(64))]))

        return types.float32(array, index), generate

    def _four(context: IR, builder: IR, signature: IR, arguments: IR, at: int) -> IR:
        """The address of four floats: those from a flat index, argument at + 1, of an array."""
        array_type, index_type = signature.args[at : at + 2]
        data = context.make_array(array_type)(context, builder, arguments[at]).data
        offset = context.cast(builder, arguments[at + 1], index_type, types.intp)
        vector = ir.VectorType(ir.FloatType(), 4)
        return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())

    @intrinsic
    def load4(typingctx: IR, array: IR, index: IR) -> IR:
        """The four elements from the flat `index` on, a multiple of 4, of a contiguous float32
        array of any dimension, by one 16-byte load.
        """
        result = types.UniTuple(types.float32, 4)

        def generate(context: IR, builder: IR, signature: IR, arguments: IR) -> IR:
            loaded = builder.load(_four(context, builder, signature, arguments, 0), align=16)
            elements = [
                builder.extract_element(loaded, ir.Constant(ir.IntType(32), i)) for i in range(4)
            ]
            return context.make_tuple(builder, result, elements)

        return result(array, index), generate

    @intrinsic
    def store4(typingctx: IR, array: IR, index: IR, values: IR, first: IR) -> IR:
        """Store values[first : first + 4] where `load4` loads four."""

        def generate(context: IR, builder: IR, signature: IR, arguments: IR) -> IR:
            target, source = (_four(context, builder, signature, arguments, at) for at in (0, 2))
            builder.store(builder.load(source, align=4), target, align=16)
            return context.get_dummy_value()

        return types.void(array, index, values, first), generate

    @intrinsic
    def thread_fence(typingctx: IR) -> IR:
        """Stores before it, of this thread or ordered before it by a barrier, are visible to
        threads of other blocks that meet this thread at an atomic operation after their own fence.

        cuda.threadfence() is sequentially consistent, which takes longer than acquire and release.
        Cards before 7.0 have the former only.
        """

        def generate(context: IR, builder: IR, signature: IR, arguments: IR) -> IR:
            name = ir.Constant(ir.ArrayType(ir.IntType(8), 12), bytearray(b"__CUDA_ARCH\0"))
            text = ir.GlobalVariable(builder.module, name.type, builder.module.get_unique_name())
            text.initializer = name
            text.global_constant = True
            text.linkage = "internal"
            pointer = ir.IntType(8).as_pointer()
            # NVIDIA's compiler replaces this call by 100 times the capability, and drops a branch.
            reflect = get_or_insert_function(
                builder.module, ir.FunctionType(ir.IntType(32), [pointer]), "__nvvm_reflect"
            )
            architecture = builder.call(reflect, [builder.bitcast(text, pointer)])
            is_new = builder.icmp_unsigned(">=", architecture, ir.Constant(ir.IntType(32), 700))
            statement = ir.FunctionType(ir.VoidType(), [])
            with builder.if_else(is_new) as branches:
                for branch, line in zip(
                    branches, ("fence.acq_rel.gpu;", "membar.gl;"), strict=True
                ):
                    with branch:
                        builder.asm(statement, line, "~{memory}", [], True)
            return context.get_dummy_value()

        return types.void(), generate


@device_function
def is_last_block(arrivals: Array, counter: int, blocks: int, flag: Array) -> bool:
    """True in the last of `blocks` blocks to arrive, to which the stores of the others are then
    visible.

    All threads of the block call it; they are numbered along x. `flag` is a shared int32 array of
    one element. Resets arrivals[counter] to 0. The barriers order the block's stores before the
    first fence, and its loads of what others stored after the second.
    """
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        thread_fence()
        flag[0] = 1 if cuda.atomic.add(arrivals, counter, 1) == blocks - 1 else 0
        thread_fence()
        if flag[0] == 1:
            arrivals[counter] = 0
    cuda.syncthreads()
    return flag[0] == 1


_TYPES = tuple(map(np.dtype, (np.float32, np.int32, np.uint8)))


def require_float32(*arguments: Any) -> None:
    """Raises TypeError for an array of other numbers: kernels would compile for its type, slow or
    wrong.

    Labels, counters and the bytes of a data set may be integers of 32 and 8 bits.
    """
    for argument in arguments:
        if hasattr(argument, "dtype") and argument.dtype not in _TYPES:
            raise TypeError(
                f"cuda: computes in float32 only; this array is {argument.dtype}. Convert it first."
            )


@kernel()
def double_and_add_one(array: Any) -> None:
    """The kernel that tests a card: array[i] = 2 · array[i] + 1 for a float32 array, in one
    block.
    """
    i = cuda.grid(1)
    if i < array.shape[0]:
        array[i] = float32(2) * array[i] + float32(1)
