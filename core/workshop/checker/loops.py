"""Loops of kernels: which lanes take another turn, and the numbers of `range`."""

from collections.abc import Callable, Sequence

import numpy as np

from core.workshop.checker.dialect import DialectError
from core.workshop.checker.frame import Frame, Mask, union
from core.workshop.checker.lanes import Place
from core.workshop.checker.numeric import Value


class Loop:
    """A loop of the file, with the lanes that left this turn or the loop: no function is running twice at a time."""

    continued: Mask | None = None
    broken: Mask | None = None

    def leave_turn(self, mask: Mask) -> None:
        """`continue` in these lanes."""
        self.continued = _joined(self.continued, mask)

    def leave(self, mask: Mask) -> None:
        """`break` in these lanes."""
        self.broken = _joined(self.broken, mask)

    def repeat(
        self,
        frame: Frame,
        mask: Mask,
        place: Place,
        holds: Callable[[Mask], Value],
        body: Callable[[Mask], Mask],
        other: Callable[[Mask], Mask],
    ) -> Mask:
        """Run the body while the condition holds in any lane, then `other` in the lanes that did not break.

        Returns the lanes that go on after the loop.
        """
        self.broken = None
        active = mask
        done = no_lanes(mask)
        while active.count:
            condition = holds(active)
            going = active
            if condition.ndim:
                going = frame.machine.branch(condition, active, place)
                if going is not active:
                    done = union(done, active.without(going), mask)
            elif not condition:
                done = union(done, active, mask)
                break
            if not going.count:
                break
            frame.machine.turn(place[0], going)
            self.continued = None
            active = body(going)
            if self.continued is not None:
                active = union(active, self.continued, mask)
        broken = self.broken
        if done.count:
            done = other(done)
        return done if broken is None else union(done, broken, mask)


class Range:
    """The numbers of `range(...)` in all lanes."""

    def __init__(self, values: Sequence[Value], mask: Mask, line: int) -> None:
        """`values`: what range is called with. Raises DialectError for no whole numbers, and for a step of 0."""
        if any(value.dtype.kind == "f" for value in values):
            text = "range takes whole numbers: divide with //, or convert with int(...)."
            raise DialectError(line, text, "type")
        kind = np.result_type(*(value.dtype for value in values))
        self._kind = kind if kind.kind != "f" else np.dtype(np.int64)  # of uint64 and int64
        whole = [value.astype(np.int64) for value in values]
        if len(whole) == 1:
            whole.insert(0, np.int64(0))
        self._index, self._stop, self._step = [*whole, np.int64(1)][:3]
        steps = self._step[mask.index] if self._step.ndim else self._step
        if not np.all(steps):
            raise DialectError(line, "The step of range is 0: the loop would never end.")

    def holds(self, active: Mask) -> Value:
        """Where there is a next number."""
        if self._step.ndim:
            return np.where(self._step > 0, self._index < self._stop, self._index > self._stop)
        return self._index < self._stop if self._step > 0 else self._index > self._stop

    def next(self) -> Value:
        number = self._index.astype(self._kind)
        self._index = self._index + self._step
        return number


def _joined(first: Mask | None, second: Mask) -> Mask:
    return second if first is None else Mask(first.array | second.array)


def no_lanes(mask: Mask) -> Mask:
    return Mask(np.zeros(len(mask.array), bool), mask)
