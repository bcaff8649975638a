"""Index arithmetic: from the flat index of an element to its index along each axis."""

from typing import Any

from numba import int32, uint32

from kernels.cuda.toolkit import device_function


@device_function
def divide(number: Any, divisor: Any) -> tuple[Any, Any]:
    """(number // divisor, number % divisor), int32, for number >= 0 and divisor > 0 below 2³².

    A card divides in software: unsigned 32-bit division costs a fraction of Python's, which is 64 bits wide and
    rounds down. Division by a constant becomes one multiplication.
    """
    quotient = uint32(uint32(number) // uint32(divisor))
    return int32(quotient), int32(uint32(number) - quotient * uint32(divisor))
