"""What a part of a lab is: what the reader, the check, the window, the marking and the pages ask of
each.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from core.errors import InputError
from core.labs.attempt import Given
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.forms import PageWriter
from core.labs.trial import LabCheck


@dataclass(frozen=True, slots=True)
class LabFinding:
    """What the check of a lab has found, in a sentence."""

    text: str
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Part(ABC):
    """Something in a step. `line`: where it begins in the file, from 1. `id`: its name in the
    answers.

    `name`: of the fence that begins such a block. `hidden`: "" for what all may see; "reveal":
    shown when what stands before it is done; "teacher": never to pupils. `hides_rest`: what stands
    after it in its step is shown when it is done. `is_shown`: whether the window has a widget for
    it. `keys`: those that the block knows.
    """

    order: ClassVar[int] = 0
    name: ClassVar[str] = ""
    hidden: ClassVar[str] = ""
    hides_rest: ClassVar[bool] = False
    is_shown: ClassVar[bool] = True
    keys: ClassVar[Keys] = {}

    line: int
    id: str = ""

    @classmethod
    @abstractmethod
    def parse(cls, reader: BlockReader, content: str) -> "Part":
        """The part that the content of the block describes. Raises InputError with the line."""

    @property
    def varies(self) -> bool:
        """Whether seed or constants follow from a person's name."""
        return False

    def is_done(self, given: Given) -> bool:
        """Whether the person did what the part asks; texts ask nothing."""
        return True

    def iter_check(self, check: LabCheck) -> Iterator[LabFinding]:
        """Yields what `lab check` finds about the part, by training where `check.trains`."""
        yield from ()

    def percentages(self) -> set[str]:
        """The percentages, with one decimal, that the part itself states as values."""
        return set()

    def texts(self) -> list[str]:
        """The texts that pupils or teachers read in the part."""
        return []

    def html(self, writer: PageWriter) -> str:
        """The part on a sheet or a page; empty for what does not stand there."""
        return ""


class Block(Part):
    """A part that is written in TOML."""

    __slots__ = ()

    @classmethod
    def parse(cls, reader: BlockReader, content: str) -> "Block":
        values = reader.read_values(cls.name, cls.keys, content)
        try:
            return cls.read(reader, values)
        except InputError as error:
            raise (
                # Settings and presets raise errors that know of no line.
                error if "line" in error.values else reader.error("{reason}", reason=error)
            ) from None

    @classmethod
    @abstractmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        """The block with these values, whose keys and types are checked. Raises InputError."""
