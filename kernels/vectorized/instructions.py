"""Operators as instructions, which compiled code executes without Python.

An instruction is a row of int64 numbers: the address of a C function, which executes one piece of
it, the number of pieces and their length, six addresses of arrays, six sizes or codes, and two
float64 scalars. An operator that is called makes its instructions and executes them at once; a
recorded step is a list of them. In a small network a call from Python takes longer than the
computation, and worker threads would wait for the interpreter's lock.

The pieces of an instruction can be executed in any order and by any thread. Each number is computed
in one piece and is the same in whichever piece it lies, so the result does not depend on the number
of threads.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from struct import Struct
from typing import Any

import numpy as np
from numba import carray, types
from numba.core.ccallback import CFunc

from kernels.compiled import compiled, compiled_fast, compiled_for_c
from kernels.device import NO_OPERATORS, OPERATORS, Device
from kernels.host import ThreadPool, processor_count
from kernels.vectorized import native
from kernels.vectorized.instruction_threads import PIECES, InstructionThreads
from kernels.vectorized.native import float32s, float64s, int32s, int64s, uint8s

# Further indices in an instruction, after FUNCTION and PIECES.
LENGTH = 2
C_FUNCTIONS = 3
ADDRESSES = 4
NUMBERS = 10
SCALARS = 16
SIZE = 18

_FORMAT = Struct("16q2d")
_POINTERS = {"f": float32s, "d": float64s, "i": int32s, "B": uint8s}


@compiled
def _address(array: np.ndarray) -> int:
    """The address of the array's first element; many times faster than `array.ctypes.data` in
    Python.
    """
    return array.ctypes.data


class NoInstruction(Exception):  # noqa: N818 - the operator is then computed without one
    """The arrays fit no instruction, or loops are not compiled."""


class Operation:
    """A C function, void (int64 address of the instruction, int64 piece), which is compiled at its
    first use.

    `kinds`: letters of the dtypes of its arrays.
    """

    def __init__(self, function: Callable[[int, int], None], kinds: str) -> None:
        self.function = function
        self.kinds = kinds

    @cached_property
    def _compiled(self) -> CFunc:
        return compiled_for_c(self.function, (types.int64, types.int64))

    @cached_property
    def address(self) -> int:
        return self._compiled.address or 0


def operation(kinds: str) -> Callable[[Callable[[int, int], None]], Operation]:
    """Decorator: the function executes a piece of an instruction with arrays of these dtypes."""
    return lambda function: Operation(function, kinds)


@compiled_fast
def fields(instruction: int) -> np.ndarray:
    """The numbers of the instruction at an address."""
    return carray(int64s(instruction), (SIZE,))


@compiled_fast
def scalars(instruction: int) -> tuple[float, float]:
    """The scalars of the instruction at an address."""
    values = carray(float64s(instruction + 8 * SCALARS), (2,))
    return values[0], values[1]


@compiled_fast
def part(row: np.ndarray, piece: int, size: int) -> tuple[int, int]:
    """(start, end) of a piece of `size` elements; the last piece has all that is left."""
    start = piece * row[LENGTH]
    end = (piece + 1) * row[LENGTH]
    return min(size, start), size if piece == row[PIECES] - 1 else min(size, end)


@dataclass(frozen=True, slots=True)
class LoopArgument:
    """An argument of a compiled loop, as an expression in the numbers of an instruction.

    `kind`: the letter of an array's dtype, "" for a number. `{address}` in the expression is the
    address of the array.
    """

    expression: str
    kind: str = ""

    def __str__(self) -> str:
        return self.expression


def number(index: int) -> LoopArgument:
    """The number of an instruction with this index."""
    return LoopArgument(f"row[{NUMBERS + index}]")


def scalar(index: int) -> LoopArgument:
    """The scalar of an instruction with this index."""
    return LoopArgument(f"s{index}")


def array(kind: str, *shape: int | LoopArgument) -> LoopArgument:
    """An array; each of its dimensions is known or a number of the instruction."""
    axes = ", ".join(map(str, shape))
    return LoopArgument(f"carray({kind}({{address}}), ({axes},))", kind)


PIECE = LoopArgument("carray(f({address} + 4 * start), (end - start,))", "f")
"""The elements of the piece of a float32 array (n,), n being number 0 of the instruction."""


def operation_of(loop: Callable[..., None], *arguments: LoopArgument) -> Operation:
    """The operation that calls a compiled loop with these arguments.

    Compiled code cannot take a list of arguments of different types: the call is written as source
    text.
    """
    values: list[str] = []
    kinds = ""
    for argument in arguments:
        values.append(argument.expression.replace("{address}", f"row[{ADDRESSES + len(kinds)}]"))
        kinds += argument.kind
    # The compiler's cache names its files after the function.
    name = f"{loop.__name__}_{kinds}"
    text = f"""def {name}(instruction, piece):
    row = fields(instruction)
    s0, s1 = scalars(instruction)
    start, end = part(row, piece, row[{NUMBERS}])
    loop({", ".join(values)})
"""
    names: dict[str, Any] = {**_POINTERS, "loop": loop, "carray": carray, "fields": fields}
    names |= {"scalars": scalars, "part": part}
    # The compiler's cache asks the function for its file and its module.
    exec(compile(text, __file__, "exec"), names | {"__name__": __name__}, names)
    return Operation(names[name], kinds)


class Instruction:
    """`row`, int64 (SIZE,), and the arrays whose addresses it holds, which it keeps alive.

    Raises NoInstruction unless the arrays are contiguous and have the operation's dtypes.
    """

    __slots__ = ("arrays", "is_divided", "row")

    def __init__(
        self,
        operation: Operation,
        arrays: Sequence[np.ndarray],
        numbers: Sequence[int] = (),
        pieces: int = 1,
        length: int = 0,
        scalars: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        functions = native.find()
        if functions is None:
            raise NoInstruction
        for array, kind in zip(arrays, operation.kinds, strict=True):
            if array.dtype.char != kind or not array.flags.c_contiguous:
                raise NoInstruction
        self.arrays = arrays
        self.is_divided = pieces > 1
        # A call of a small operator takes a few microseconds, so this is written for speed.
        addresses = [_address(array) for array in arrays] + [0] * (6 - len(arrays))
        packed = _FORMAT.pack(
            operation.address,
            pieces,
            length,
            _address(functions),
            *addresses,
            *numbers,
            *[0] * (6 - len(numbers)),
            *scalars,
        )
        self.row = np.frombuffer(bytearray(packed), np.int64)


Build = Callable[..., Sequence[Instruction]]


def as_instructions(build: Build) -> Callable[..., None]:
    """Decorator: an operator of the device from the method that makes its instructions.

    Where it raises NoInstruction, the operator that the device inherits computes instead.
    """

    @wraps(build)
    def operator(self: "InstructionDevice", *arguments: object, **named: object) -> None:
        try:
            instructions = build(self, *arguments, **named)
        except NoInstruction:
            self._inherited(build.__name__)(*arguments, **named)
            return
        for instruction in instructions:
            self.instruction_threads.execute(
                instruction.row.reshape(1, SIZE), instruction.is_divided
            )

    operator.build = build  # type: ignore[attr-defined]
    return operator


Part = list[Instruction] | Callable[[], None]
"""Successive instructions, or the call of an operator that has none."""


class CompiledStep:
    """A recorded step: instructions, and calls of operators that have none, in their order.

    Successive instructions are one call of compiled code.
    """

    def __init__(self, parts: Sequence[Part], threads: InstructionThreads) -> None:
        self.parts = parts
        self._threads = threads
        self._calls = [one if callable(one) else self._table_call(one) for one in parts]

    def _table_call(self, instructions: Sequence[Instruction]) -> Callable[[], None]:
        table = np.stack([instruction.row for instruction in instructions])
        divided = any(instruction.is_divided for instruction in instructions)
        return partial(self._threads.execute, table, divided, len(self.parts) == 1)

    def __call__(self) -> None:
        for call in self._calls:
            call()


class InstructionDevice(Device):
    """A device with threads, whose operators are instructions where they can be.

    `threads`: how many it may use; None: as many as this process may use processors.
    """

    threads: int | None = None
    # Whether a step is being recorded.
    is_recording = False
    # What was gathered last, if it is mostly zeros: see `kernels.vectorized.sparse`.
    batch: Any = None

    @property
    def thread_count(self) -> int:
        return self.threads or processor_count()

    @cached_property
    def pool(self) -> ThreadPool:
        """Threads for work in Python; they are started by the first work that is divided."""
        return ThreadPool(self.thread_count)

    @cached_property
    def instruction_threads(self) -> InstructionThreads:
        """Threads for instructions. There are none where loops are not compiled: `Instruction` has
        raised before.
        """
        functions = native.find()
        assert functions is not None
        return InstructionThreads(self.thread_count, functions)

    def _inherited(self, operator: str) -> Callable[..., None]:
        """The operator that computes where the arrays fit no instruction: that of the next
        class.
        """
        return getattr(super(), operator)

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step as a CompiledStep; the step itself where loops are not compiled."""
        if native.find() is None:
            return step
        parts: list[Part] = []
        with self._listening(parts):
            step()
        return CompiledStep(parts, self.instruction_threads)

    @contextmanager
    def _listening(self, parts: list[Part]) -> Iterator[None]:
        """Let the operators be added to `parts` instead of being executed."""
        names = self._operators()
        # Attributes of the object hide the methods of its class.
        self.__dict__.update(
            {name: partial(self._add, parts, name, getattr(self, name)) for name in names}
        )
        self.is_recording = True
        self.batch = None  # a recorded step lists its own
        try:
            yield
        finally:
            self.is_recording = False
            for name in names:
                del self.__dict__[name]

    @classmethod
    def _operators(cls) -> list[str]:
        """The public methods, but for what `Device` has besides operators: an optimizer may have an
        operator of its own. A recorded step must not call those that move arrays.
        """
        others = vars(Device).keys() - OPERATORS - NO_OPERATORS
        return [
            name
            for name in dir(cls)
            if not name.startswith("_") and name not in others and callable(getattr(cls, name))
        ]

    def _add(
        self,
        parts: list[Part],
        name: str,
        method: Callable[..., None],
        *arguments: object,
        **named: object,
    ) -> None:
        if name in NO_OPERATORS:
            raise RuntimeError(
                f"A recorded step may call operators only, which `{name}` is not: call it outside "
                "of the step."
            )
        build = getattr(method, "build", None)
        try:
            if build is None:
                raise NoInstruction
            instructions = build(self, *arguments, **named)
        except NoInstruction:
            parts.append(partial(method, *arguments, **named))
            return
        if not parts or callable(parts[-1]):
            parts.append([])
        parts[-1] += instructions

    def close(self) -> None:
        super().close()
        for name in ("pool", "instruction_threads"):
            if name in self.__dict__:
                self.__dict__[name].close()
