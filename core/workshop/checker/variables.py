"""Keeps what the threads of a launch assign to their variables, for showing."""

import numpy as np

from core.workshop.checker.lanes import Lanes
from core.workshop.checker.mask import Mask
from core.workshop.checker.numeric import Value
from core.workshop.checker.trace import Variable

MAX_ROWS = 400_000
"""Values of single threads that are kept of a launch."""

_Parts = list[tuple[int, np.ndarray, np.ndarray]]


class VariableRecorder:
    """Belongs to one launch: `Machine.recorder`.

    A value is there from the event of its own statement on, where that statement reads or writes an
    array, else from the next event on. Arrays are not kept: they have events of their own.
    """

    def __init__(self) -> None:
        self.complete = True
        self._rows = 0
        self._parts: dict[tuple[str, str, str], _Parts] = {}

    def keep(
        self, lanes: Lanes, function: str, name: str, value: object, mask: Mask, line: int
    ) -> None:
        """Keep the value that the lanes of the mask have given to the variable at this line."""
        match value:
            case tuple():
                for number, each in enumerate(value):
                    self.keep(lanes, function, f"{name}[{number}]", each, mask, line)
            case np.ndarray() | np.generic():
                self._keep_numbers(lanes, function, name, value, mask, line)

    def _keep_numbers(
        self, lanes: Lanes, function: str, name: str, value: Value, mask: Mask, line: int
    ) -> None:
        if self._rows + mask.count > MAX_ROWS:
            self.complete = False
        if not self.complete:
            return
        self._rows += mask.count
        events = lanes.events
        at = len(events)
        if events and events[-1].line == line:
            at -= 1
        values = np.broadcast_to(value, len(mask.array))[mask.index]
        self._parts.setdefault((function, name, str(value.dtype)), []).append(
            (at, mask.index + lanes.first_lane, values)
        )

    def keep_call(self, lanes: Lanes, function: str, mask: Mask) -> None:
        """The lanes of the mask call the function: its variables of an earlier call are gone."""
        self.keep(lanes, function, "", np.False_, mask, 0)

    def variables(self) -> tuple[Variable, ...]:
        """All variables, in the order of their first assignments."""
        found = []
        for (function, name, _), parts in self._parts.items():
            at = np.repeat([part[0] for part in parts], [len(part[1]) for part in parts]).astype(
                np.int64
            )
            lanes = np.concatenate([part[1] for part in parts]).astype(np.int64)
            values = np.concatenate([part[2] for part in parts])
            found.append(Variable(name, function, at, lanes, values))
        return tuple(found)
