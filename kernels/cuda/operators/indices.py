"""Indices taken apart: from the number of an element to its place along each axis."""

from typing import Any

from numba import int32, uint32

from kernels.cuda.toolkit import inlined


@inlined
def divide(number: Any, by: Any) -> tuple[Any, Any]:
    """(number // by, number % by), int32, for number >= 0 and by > 0 below 2³²; both results are below 2³¹.

    Unsigned and of 32 bits: a card divides in software, and Python's division of signed 64-bit numbers, which
    rounds down, would cost several times as much. By a constant it is one multiplication.
    """
    quotient = uint32(uint32(number) // uint32(by))
    return int32(quotient), int32(uint32(number) - quotient * uint32(by))
