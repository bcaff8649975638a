"""A text of a lab."""

from typing import TYPE_CHECKING

from core.labs.answers import Answers
from core.labs.blocks.text import Text
from gui.labs.blocks.part import PartWidget
from gui.labs.texts import LabText

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class TextPart(PartWidget):
    block = Text

    def __init__(self, part: Text, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self.box.addWidget(LabText(part.markdown, answers.lab.folder))
