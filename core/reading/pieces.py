"""Pieces of a drawing or picture that are joined to digits: strokes of a pen, or connected components of ink."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np


class Box(NamedTuple):
    """A rectangle in pixels of the canvas or picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A stroke, a component, or a part of one. `amount`: of ink, in the unit of the other pieces.

    `content`: the curve of a stroke, float (k, 2); or the ink in the box, float32 (height, width), 0 where the box
    holds ink of other pieces.
    """

    box: Box
    amount: float
    content: np.ndarray


Group = tuple[Piece, ...]


class Source(Protocol):
    """How pieces of one kind become images for a network, and how they are cut."""

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        """The image of each group, uint8 (n, 28, 28), prepared as for classification; zeros for a dot."""

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """Ways to cut a piece into smaller ones, which may belong to different digits, from left to right."""


def union(group: Group) -> Box:
    """The smallest box around the boxes of a group."""
    boxes = np.array([piece.box for piece in group])
    return Box(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
