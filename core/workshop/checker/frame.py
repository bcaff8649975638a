"""The variables of a function that threads run, and the views of arrays that they hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.workshop.checker.dialect import DialectError
from core.workshop.checker.machine import Machine
from core.workshop.checker.mask import LaunchError, Mask
from core.workshop.checker.numeric import Value, select
from core.workshop.checker.trace import Memory

NUMBERS = frozenset({np.ndarray, *np.sctypeDict.values()})
"""The types of numbers, of which NumPy has one for each size."""


Sides = tuple[int | Value, ...]
"""The sides of an array or a part of one, which may be another in each lane."""


@dataclass(frozen=True, slots=True)
class Grid:
    """All threads of the launch, as a value: `cuda.cg.this_grid()`."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some neighbors along one dimension of an array, as in a[i:] and a[i:k]: the first, and how
    many, int64.
    """

    first: Value
    length: Value

    def at(self, index: "Value | Part") -> "Value | Part":
        """An element of this part, or a part of it."""
        if isinstance(index, Part):
            return Part(self.first + index.first, index.length)
        return self.first + index.astype(np.int64)

    def merged(self, mask: Mask, old: Any) -> "Part":
        """This part in the lanes of the mask, the part `old` in the others."""
        length = select(mask.array, self.length, old.length)
        return Part(select(mask.array, self.first, old.first), length)


ViewIndex = Value | Part | None
"""An index of a view; None: the whole dimension is left."""


def is_left(index: object) -> bool:
    """Whether an index of a view is not a number yet: None or a Part."""
    return index is None or type(index) is Part


@dataclass(slots=True, eq=False)
class View:
    """An array some of whose indices are given, as in a[i], a[:, j] and a[i:].

    `indices`: None or a Part for each of the `left` ones. `has_parts`: whether one is a Part.

    Not to be changed; a frozen class would be slower, and each access to an array makes one.
    """

    memory: Memory
    indices: tuple[ViewIndex, ...]
    left: int
    has_parts: bool = False

    @property
    def shape(self) -> Sides:
        """The sides of the indices that are left; that of a part may be another in each lane."""
        sides: list[int | Value] = []
        for side, index in zip(self.memory.shape, self.indices, strict=True):
            if index is None:
                sides.append(side)
            elif isinstance(index, Part):
                sides.append(index.length)
        return tuple(sides)

    @property
    def given(self) -> list[Value]:
        """The indices that are given; of all dimensions where none is left."""
        if self.has_parts:
            return [index for index in self.indices if not is_left(index)]
        return [index for index in self.indices if index is not None]

    @property
    def name(self) -> str:
        return self.memory.name

    def at(self, further: Sequence[ViewIndex], line: int) -> "View":
        """The view with further indices given, the first that are left first. Raises DialectError
        for too many.
        """
        if len(further) > self.left:
            raise self.wrong_indices(line)
        if self.has_parts or Part in map(type, further):
            return self._of_parts(further)
        indices = tuple(further)
        if len(further) < len(self.indices):
            given = iter(further)
            indices = tuple(next(given, None) if index is None else index for index in self.indices)
        return View(self.memory, indices, sum(index is None for index in indices))

    def _of_parts(self, further: Sequence[ViewIndex]) -> "View":
        """As `at`, where an index is a part of a dimension or belongs into one."""
        given = iter(further)
        indices: list[ViewIndex] = []
        for old in self.indices:
            if not is_left(old):
                indices.append(old)
                continue
            new = next(given, None)
            if new is not None and isinstance(old, Part):
                new = old.at(new)
            indices.append(old if new is None else new)
        left = [index for index in indices if is_left(index)]
        return View(
            self.memory, tuple(indices), len(left), any(index is not None for index in left)
        )

    def no_number(self, line: int) -> DialectError:
        """Where an element is needed."""
        if len(self.shape) < len(self.memory.shape):
            return self.wrong_indices(line)
        return no_number(f"the array {self.name}", line)

    def wrong_indices(self, line: int) -> DialectError:
        """Where an element is needed, and the number of indices is another."""
        sides = len(self.memory.shape)
        text = (
            f"{self.name} has {sides} dimension(s): write {self.name}[{', '.join('ijkl'[:sides])}]."
        )
        return DialectError(line, text, "type")


def no_number(what: str, line: int) -> DialectError:
    text = f"A number is needed here, not {what}: write its index, as in a[i]."
    return DialectError(line, text, "type")


def whole_array(memory: Memory) -> View:
    """The array as a view without indices."""
    dimensions = len(memory.shape)
    return View(memory, (None,) * dimensions, dimensions)


@dataclass(slots=True)
class Frame:
    """The variables of a running function, each with the lanes that have it; and what it has
    returned so far.
    """

    machine: Machine
    variables: dict[str, tuple[Any, Mask]] = field(default_factory=dict)
    result: Any = None
    function: str = ""
    """Its name; empty for the kernel."""

    @property
    def is_kernel(self) -> bool:
        return not self.function

    def assign(self, name: str, value: object, mask: Mask, line: int) -> None:
        if self.machine.recorder is not None:
            self.machine.recorder.keep(self.machine, self.function, name, value, mask, line)
        old = self.variables.get(name)
        # No other lane has a value that must be kept.
        if old is None or old[1] is mask or old[1].within(mask):
            self.variables[name] = (value, mask)
            return
        before, owner = old
        merged = merge(mask, value, before, name, line)
        both = owner if mask.within(owner) else Mask(mask.array | owner.array)
        self.variables[name] = (merged, both)

    def read(self, name: str, mask: Mask, line: int) -> Any:
        found = self.variables.get(name)
        if found is None:
            text = f"The variable {name} has no value here: assign to it before."
            raise DialectError(line, text, "uninitialized")
        value, owner = found
        if owner is not mask and not mask.within(owner):
            missing = mask.without(owner)
            self.machine.report_lane(
                "uninitialized",
                line,
                int(missing.index[0]),
                f"has not assigned a value to {name} before it reads it here: give {name} a value "
                "on every path.",
            )
            raise LaunchError
        return value

    def unify(self, before: Mapping[str, Value]) -> None:
        """Give variables Numba's type after the first turn of a loop. `before`: their values at its
        beginning.

        That of a whole number without sign and one with a sign is float64; all others follow from
        the values.
        """
        for name, old in before.items():
            now, owner = self.variables[name]
            if now is old or type(now) not in NUMBERS or now.dtype == old.dtype:
                continue
            if now.dtype.kind in "iu" and np.result_type(now.dtype, old.dtype).kind == "f":
                self.variables[name] = (now.astype(np.float64), owner)


def check_one_type(items: tuple[Value, ...], line: int) -> None:
    """Raise DialectError where a tuple is not of numbers of one type."""
    kinds = {each.dtype if type(each) in NUMBERS else None for each in items}
    if len(kinds) != 1 or None in kinds:
        text = (
            "Numba takes only a tuple of numbers of one type here: write them in one type, or use "
            "constant indices."
        )
        raise DialectError(line, text, "type")


def item_in_lanes(
    frame: Frame, items: tuple[Value, ...], index: Value, mask: Mask, line: int
) -> Value:
    """An item of a tuple, in each lane another one."""
    check_one_type(items, line)
    outside = mask.array & ((index < 0) | (index >= len(items)))
    if outside.any():
        lane = int(np.argmax(outside))
        text = (
            f"uses value {int(index[lane])} of a tuple that has {len(items)}, from 0 to "
            f"{len(items) - 1}."
        )
        frame.machine.report_lane("bounds", line, lane, text)
    values = np.stack([np.broadcast_to(each, len(mask.array)) for each in items])
    inside = np.clip(index, 0, len(items) - 1).astype(np.int64)
    found: Value = np.take_along_axis(values, inside[np.newaxis], 0)[0]
    return found


def merge(mask: Mask, value: object, before: object, name: str, line: int) -> Any:
    """The value in the lanes of the mask, the old one in the others."""
    if value is before:
        return value
    match value, before:
        case (tuple(), tuple()) if len(value) == len(before):
            return tuple(
                merge(mask, new, old, name, line) for new, old in zip(value, before, strict=True)
            )
        case (View(), View()) if _are_alike(value, before):
            pairs = zip(value.indices, before.indices, strict=True)
            indices = tuple(_merged(mask, new, old) for new, old in pairs)
            return View(value.memory, indices, value.left, value.has_parts)
    if isinstance(value, View | tuple) or isinstance(before, View | tuple):
        text = f"{name} would be different arrays in different threads: that is not covered."
        raise DialectError(line, text)
    return select(mask.array, value, before)


def _are_alike(one: View, other: View) -> bool:
    """Whether two views have an array in common and leave the same indices."""
    left = [
        [type(index) if is_left(index) else None for index in view.indices] for view in (one, other)
    ]
    return one.memory is other.memory and left[0] == left[1]


def _merged(mask: Mask, new: ViewIndex, old: ViewIndex) -> ViewIndex:
    if new is None:
        return None
    return new.merged(mask, old) if isinstance(new, Part) else select(mask.array, new, old)
