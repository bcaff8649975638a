"""Markdown between the blocks, and in the blocks `reveal` and `teacher`."""

from dataclasses import dataclass
from typing import ClassVar, Self

from core.labs.block_reader import BlockReader
from core.labs.blocks.block import Part
from core.labs.forms import PageWriter, details


@dataclass(frozen=True, slots=True)
class Text(Part):
    markdown: str = ""

    @classmethod
    def parse(cls, reader: BlockReader, content: str) -> Self:
        reader.check_markdown(content)
        return cls(reader.line, markdown=content.strip())

    def texts(self) -> list[str]:
        return [self.markdown]

    def html(self, writer: PageWriter) -> str:
        return writer.markdown(self.markdown)


@dataclass(frozen=True, slots=True)
class RevealText(Text):
    """Shown when what stands before it in its step is done."""

    order: ClassVar = 7
    name: ClassVar = "reveal"
    hidden: ClassVar = "reveal"

    def html(self, writer: PageWriter) -> str:
        if not writer.on_paper:
            return details("Afterwards", writer.markdown(self.markdown))
        return _aside("Afterwards", writer.markdown(self.markdown)) if writer.teacher else ""


@dataclass(frozen=True, slots=True)
class TeacherText(Text):
    """Never shown to pupils."""

    order: ClassVar = 8
    name: ClassVar = "teacher"
    hidden: ClassVar = "teacher"
    is_shown: ClassVar = False

    def html(self, writer: PageWriter) -> str:
        return _aside("For the teacher", writer.markdown(self.markdown)) if writer.teacher else ""


def _aside(title: str, html: str) -> str:
    return f"<aside><strong>{title}</strong>\n{html}</aside>"
