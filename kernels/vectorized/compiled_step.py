"""A recorded step: the rows of its operators, which one compiled call executes.

In a small network a call of an operator from Python takes longer than its computation, and worker threads would wait
for the interpreter's lock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

from kernels.device import Device
from kernels.vectorized import c_functions
from kernels.vectorized.row_loops import ADDRESSES, LENGTH, NUMBERS
from kernels.vectorized.team import RowThreads
from kernels.vectorized.thread_pool import Pooled

_TYPES = {"f": np.float32, "d": np.float64, "i": np.int32, "B": np.uint8}


class NotRecordable(Exception):  # noqa: N818 - the step works without a recording
    """The step calls an operator, or uses a type, that rows do not have."""


@dataclass(slots=True)
class Rows:
    """The rows of some operators and what they need: scalars, and the arrays, whose addresses must stay valid."""

    rows: list[list[int]] = field(default_factory=list)
    scalars: list[tuple[float, float]] = field(default_factory=list)
    arrays: list[np.ndarray] = field(default_factory=list)

    def add(
        self, operation: int, pieces: int, arrays: Sequence[np.ndarray], numbers: Sequence[int],
        scalars: tuple[float, float],
    ) -> None:  # fmt: skip
        row = [0] * LENGTH
        row[:ADDRESSES] = operation, pieces
        row[ADDRESSES : ADDRESSES + len(arrays)] = [array.ctypes.data for array in arrays]
        row[NUMBERS : NUMBERS + len(numbers)] = [int(number) for number in numbers]
        self.rows.append(row)
        self.scalars.append(scalars)
        self.arrays += arrays


class CompiledStep:
    """A recorded step; calling it executes its rows."""

    def __init__(self, rows: Rows, team: RowThreads) -> None:
        self._table, self._scalars = np.array(rows.rows, np.int64), np.array(rows.scalars, np.float64)
        self._arrays, self._team = rows.arrays, team

    def __call__(self) -> None:
        self._team.execute(self._table, self._scalars)


class RowOperators(Pooled):
    """A device that records operators as rows. An operator calls `_row`; where that returns False, it computes."""

    _recording: Rows | None = None

    @cached_property
    def _team(self) -> RowThreads | None:
        """The threads that execute rows; None where the C functions that rows need are missing."""
        functions = c_functions.find()
        return None if functions is None else RowThreads(self.thread_count, functions)

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step as a CompiledStep. Returns the step itself where one of its operators has no row."""
        if self._team is None:
            return step
        self._recording = Rows()
        try:
            step()
            return CompiledStep(self._recording, self._team)
        except NotRecordable:
            return step
        finally:
            self._recording = None

    def _row(
        self, operation: int, kinds: str, arrays: Sequence[np.ndarray], numbers: Sequence[int], pieces: int = 1,
        scalars: tuple[float, float] = (0.0, 0.0),
    ) -> bool:  # fmt: skip
        """Record an operator as a row; returns False where nothing is being recorded.

        `kinds`: letters of the arrays' dtypes. Raises NotRecordable if an array differs or is not contiguous.
        """
        if self._recording is None:
            return False
        for array, kind in zip(arrays, kinds, strict=True):
            if array.dtype != _TYPES[kind] or not array.flags.c_contiguous:
                raise NotRecordable
        self._recording.add(operation, pieces, arrays, numbers, scalars)
        return True

    def close(self) -> None:
        super().close()
        if "_team" in self.__dict__ and self._team is not None:
            self._team.close()


_Class = TypeVar("_Class", bound=type[RowOperators])


def refuse_to_record_others(device: _Class) -> _Class:
    """Class decorator: what has no row ends the recording of a step instead of being left out.

    An operator without a row raises NotRecordable; a call that allocates or copies is an error in every recorded step.
    """
    for name in [*Device.__abstractmethods__, "asarray"]:
        method = getattr(device, name)
        if name in _NO_OPERATORS:
            message = f"A recorded step may call operators only, which `{name}` is not: call it outside of the step."
            setattr(device, name, _refusing(method, RuntimeError, message))
        elif not getattr(method, "has_row", False):
            setattr(device, name, _refusing(method, NotRecordable))
    return device


_NO_OPERATORS = ("empty", "upload", "asarray", "download", "write", "read")


def _refusing(method: Callable[..., Any], error: type[Exception], *message: str) -> Callable[..., Any]:
    @wraps(method)
    def checked(self: RowOperators, *arguments: Any, **named: Any) -> Any:
        if self._recording is not None:
            # A new exception each time: one that is raised again keeps the frames of all earlier calls alive.
            raise error(*message)
        return method(self, *arguments, **named)

    return checked


def has_row(operator: Callable[..., None]) -> Callable[..., None]:
    """Decorator: the operator can be recorded."""
    operator.has_row = True  # type: ignore[attr-defined]
    return operator
