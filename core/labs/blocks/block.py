"""What a part of a lab is: what the reader, the check, the window, the marking and the pages ask of each."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from core.errors import InputError

if TYPE_CHECKING:
    from core.labs.answers import Answers
    from core.labs.check import LabCheck
    from core.labs.lab import Lab
    from core.labs.reader import BlockReader
    from core.labs.web_page import PageWriter

Values = Mapping[str, Any]
"""The keys of a block with the values that TOML gives them."""
Keys = Mapping[str, type | tuple[type, ...]]
"""The keys that a block knows, with the types that each may have."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the check of a lab has found, in a sentence."""

    text: str
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Part(ABC):
    """Something in a step. `line`: where it begins in the file, from 1. `id`: its name in the answers.

    `name`: of the fence that begins such a block. `hidden`: "" for what all may see; "reveal": shown when what stands
    before it is done; "teacher": never to pupils. `hides_rest`: what stands after it in its step is shown when it is
    done. `is_shown`: whether the window has a widget for it. `keys`: those that the block
    knows.
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
    def parse(cls, reader: "BlockReader", content: str) -> "Part":
        """The part that the content of the block describes. Raises InputError with the line."""

    @property
    def varies(self) -> bool:
        """Whether seed or constants follow from a person's name."""
        return False

    def is_done(self, answers: "Answers") -> bool:
        """Whether the person did what the part asks; texts ask nothing."""
        return True

    def fault_in(self, lab: "Lab", reader: "BlockReader") -> InputError | None:
        """Why the part does not fit the other parts of the lab; None where it does."""
        return None

    def iter_check(self, check: "LabCheck") -> Iterator[Finding]:
        """Yields what `lab check` finds about the part, by training where `check.trains`."""
        yield from ()

    def percentages(self) -> set[str]:
        """The percentages, with one decimal, that the part itself states as values."""
        return set()

    def texts(self) -> list[str]:
        """The texts that pupils or teachers read in the part."""
        return []

    def html(self, writer: "PageWriter") -> str:
        """The part on a sheet or a page; empty for what does not stand there."""
        return ""


class Block(Part):
    """A part that is written in TOML."""

    __slots__ = ()

    @classmethod
    def parse(cls, reader: "BlockReader", content: str) -> "Block":
        return reader.read_block(cls, content)

    @classmethod
    @abstractmethod
    def read(cls, reader: "BlockReader", values: Values) -> Self:
        """The block with these values, whose keys and types are checked. Raises InputError."""


P = TypeVar("P", bound=Part)


def of_kind(parts: Iterable[Part], kind: type[P]) -> list[P]:
    """Those of the parts that are of this kind, in their order."""
    return [part for part in parts if isinstance(part, kind)]
