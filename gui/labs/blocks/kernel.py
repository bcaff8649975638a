"""A kernel that is written in the Workshop tab."""

from typing import TYPE_CHECKING

from core.labs.answers import Answers
from core.labs.blocks.kernel import KernelBlock
from gui.labs.blocks.part import ExercisePart
from gui.widgets.make import button

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class KernelPart(ExercisePart):
    """Opens the kernel in the Workshop tab, and says how good the best one is that was checked."""

    block = KernelBlock
    part: KernelBlock

    def __init__(self, part: KernelBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        tip = self.tr("Show this kernel in the Workshop tab, and write it there.")
        self._add(button(self.tr("To the kernel"), f"lab-{part.id}Open", tip, self._open))

    def _open(self) -> None:
        self.kernel_asked.emit(self.part)

    def refresh(self) -> None:
        kept = self.answers.kernels.get(self.part.id)
        if kept is None:
            self.message.say(self.tr("Write it at the right, then press Check."))
        elif kept.points == 0:
            text = self.tr("The last check found: {faults}.").format(faults=", ".join(kept.faults))
            self.message.say(text, False)
        elif kept.points == 1:
            self.message.say(
                self.tr("Right, and kept. It could need less of the memory: see the verdict."), True
            )
        else:
            self.message.say(
                self.tr("Right, and kept: try what you like, this text is handed in."), True
            )
