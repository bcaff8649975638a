"""Which threads take part in a statement."""

import numpy as np


class LaunchError(Exception):
    """The launch cannot go on: its fault is reported."""


class Mask:
    """Which lanes take part. `array`: bool. A mask made from another one has some of its lanes."""

    __slots__ = ("_index", "_within", "array", "count", "parent", "whole")

    def __init__(self, array: np.ndarray, parent: "Mask | None" = None) -> None:
        self.array = array
        self.parent = parent
        self.count = int(np.count_nonzero(array))
        self.whole = self.count == len(array)
        self._index: np.ndarray | None = None
        self._within: dict[Mask, bool] | None = None

    @property
    def index(self) -> np.ndarray:
        if self._index is None:
            self._index = np.flatnonzero(self.array)
        return self._index

    def within(self, other: "Mask") -> bool:
        """Whether all lanes of this mask are in the other one."""
        # Most masks were made from the other one: then no lane has to be compared.
        mask: Mask | None = self
        while mask is not None:
            if mask is other:
                return True
            mask = mask.parent
        if self._within is None:
            self._within = {}
        if other not in self._within:
            self._within[other] = other.whole or not bool((self.array & ~other.array).any())
        return self._within[other]

    def of(self, condition: np.ndarray) -> "Mask":
        """The lanes where the condition holds."""
        return Mask(self.array & condition, self)

    def without(self, other: "Mask") -> "Mask":
        return Mask(self.array & ~other.array, self)


def union(first: Mask, second: Mask, whole: Mask) -> Mask:
    """The lanes of two masks within `whole` that share none."""
    if first.count + second.count == whole.count:
        return whole
    if not first.count or not second.count:
        return second if second.count else first
    return Mask(first.array | second.array, whole)
