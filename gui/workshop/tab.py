"""The Workshop tab: the list of exercises, and the exercise that is open."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStackedWidget

from core.labs.answers import Answers
from core.labs.blocks.kernel import KernelBlock
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.dialogs import FolderMemory
from gui.widgets.tab import Tab

if TYPE_CHECKING:
    from gui.workshop.bench import KernelBench


class WorkshopTab(Tab):
    """Its parts are created when it is first shown.

    `lab_asked(path)`: open the lab of an exercise. `checked(block, source, verdict)`: a kernel was
    checked. `trained(path)`: the model of a network that learned with a kernel.
    """

    lab_asked = Signal(object)
    checked = Signal(object, str, object)
    trained = Signal(object)

    def __init__(self, memory: FolderMemory, banner: Banner) -> None:
        super().__init__()
        self.setObjectName("workshopTab")
        self._memory = memory
        self._banner = banner
        self.bench: KernelBench | None = None

    def title(self) -> str:
        return self.tr("Workshop")

    def create_parts(self) -> Generator[None]:
        from gui.workshop.bench import KernelBench
        from gui.workshop.exercises import ExerciseList

        self.exercises = ExerciseList()
        self.exercises.lab_asked.connect(self.lab_asked)
        self.exercises.reader.ended.connect(self._banner.show_failure)
        self.bench = KernelBench(self._memory, self._banner)
        self.bench.kernel.list_button.clicked.connect(self.show_list)
        self.bench.checked.connect(self.checked)
        self.bench.trained.connect(self.trained)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.exercises)
        self.stack.addWidget(self.bench)
        make.column(self.stack, owner=self)
        self.show_list()
        yield

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.bench is not None:
            self.bench.file.keep()

    def show_list(self) -> None:
        """Show the exercises, with what the person has done by now."""
        if self.bench is not None:
            self.bench.file.keep()
        self.stack.setCurrentWidget(self.exercises)
        self.exercises.read()

    def leave_lab(self) -> None:
        """The lab of the kernel was closed: show the list again."""
        if self.bench is not None and self.bench.block is not None:
            self.bench.tasks.cancel()
            self.show_list()

    def show_kernel(self, answers: Answers, block: KernelBlock) -> None:
        """Show the kernel of a lab's exercise as the person left it."""
        # A lab may ask for its kernel before the tab was ever shown.
        self.create_all()
        assert self.bench is not None
        self.bench.open(answers, block)
        self.stack.setCurrentWidget(self.bench)
