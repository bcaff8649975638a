"""C functions, memory addresses and atomic operations for compiled loops, as Numba intrinsics.

Compiled loops hold no Python objects: arrays and C functions are passed to them as addresses (int64).
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_INT64 = ir.IntType(64)


def _call(typingctx: Any, address, arguments):  # noqa: ANN001, ANN202 - the types are Numba's
    """Call the C function at `address`, whose result is ignored.

    `arguments` is a tuple of int32, int64 and float32 values, as the C function declares them; pointers are int64.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in arguments.types]
        function = ir.FunctionType(ir.VoidType(), kinds).as_pointer()
        builder.call(
            builder.inttoptr(values[0], function), cgutils.unpack_tuple(builder, values[1], len(kinds))
        )
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate


call: Any = intrinsic(_call)


def _pointer(kind: Any) -> Any:
    @intrinsic
    def pointer(typingctx: Any, address):  # noqa: ANN001, ANN202
        """The address as a pointer to numbers of this type, for `numba.carray`."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return pointer


float32s, float64s = _pointer(types.float32), _pointer(types.float64)
int64s, int32s, uint8s = _pointer(types.int64), _pointer(types.int32), _pointer(types.uint8)


def _read_modify_write(operation: str) -> Any:
    @intrinsic
    def atomic(typingctx: Any, address, value):  # noqa: ANN001, ANN202
        """Change the int64 at `address` by `value`, atomically; returns the number before."""

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pointer = builder.inttoptr(values[0], _INT64.as_pointer())
            return builder.atomic_rmw(operation, pointer, values[1], "seq_cst")

        return types.int64(types.int64, types.int64), generate

    return atomic


add, exchange = _read_modify_write("add"), _read_modify_write("xchg")


def _compare_exchange(typingctx: Any, address, expected, value):  # noqa: ANN001, ANN202
    """Write `value` to `address` if the int64 there is `expected`, atomically; returns the number before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _INT64.as_pointer())
        result = builder.cmpxchg(pointer, values[1], values[2], "seq_cst")
        return builder.extract_value(result, 0)

    return types.int64(types.int64, types.int64, types.int64), generate


compare_exchange: Any = intrinsic(_compare_exchange)


def _load(typingctx: Any, address):  # noqa: ANN001, ANN202
    """The int64 at `address`, read atomically."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load_atomic(builder.inttoptr(values[0], _INT64.as_pointer()), "seq_cst", 8)

    return types.int64(types.int64), generate


load: Any = intrinsic(_load)


def _float32_of_bits(typingctx: Any, bits):  # noqa: ANN001, ANN202
    """The float32 with the bits of an int32."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], ir.FloatType())

    return types.float32(types.int32), generate


float32_of_bits: Any = intrinsic(_float32_of_bits)
