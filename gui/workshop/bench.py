"""An exercise of the Workshop tab: the editor of its kernel, and beside it what was found of the
kernel.
"""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QSplitter, QWidget

from core.files.paths import data_folder
from core.labs.answers import Answers, KernelAnswer
from core.labs.blocks.kernel import KernelBlock
from core.workshop.checker.trace import Fault, Verdict
from gui.background.task_runner import Failure
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.basics import MARGIN, FitsOnResize
from gui.widgets.dialogs import Dialog, FolderMemory, ask_open
from gui.widgets.messages import set_message
from gui.widgets.tab import PageChooser
from gui.widgets.theme import theme
from gui.workshop.editor import CodeView
from gui.workshop.findings import RACE, USE, Findings
from gui.workshop.kernel_editor import KernelEditor
from gui.workshop.kernel_file import KernelFile
from gui.workshop.tasks import KernelTasks

_MIN_WIDTH = 620  # pixels that editor and findings need side by side, at a text size of 100 %


class TwoSides(FitsOnResize, QWidget):
    """Two widgets side by side; where it is narrow, one at a time, with a row of buttons to choose
    it.
    """

    def __init__(self, left: QWidget, right: QWidget) -> None:
        super().__init__()
        self._sides = (left, right)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        for side in self._sides:
            side.setContentsMargins(MARGIN // 2, 0, MARGIN // 2, 0)
            splitter.addWidget(side)
        splitter.setChildrenCollapsible(False)
        # Only their ratio counts: both sides get half.
        splitter.setSizes([1000, 1000])
        self.chooser = PageChooser("workshopSides", self.tr("Kernel or findings"))
        self.chooser.add_page(self.tr("Kernel"), self.tr("Write the kernel."))
        self.chooser.add_page(self.tr("Findings"), self.tr("Verdict, run and race."))
        self.chooser.currentChanged.connect(self.fit)
        make.column(self.chooser, (splitter, 1), owner=self).setContentsMargins(0, 8, 0, 0)

    def show_side(self, side: QWidget) -> None:
        """Where only one is shown, show this one."""
        self.chooser.setCurrentIndex(self._sides.index(side))

    def fit(self) -> None:
        is_narrow = self.width() < theme().px(_MIN_WIDTH)
        self.chooser.setVisible(is_narrow)
        for index, side in enumerate(self._sides):
            side.setVisible(not is_narrow or self.chooser.currentIndex() == index)


class KernelBench(QWidget):
    """`list_asked`: show the list of exercises. `checked(block, source, verdict)`: a kernel was
    checked.

    `trained(path)`: the model of a network that learned with a kernel.
    """

    checked = Signal(object, str, object)
    trained = Signal(object)

    def __init__(self, memory: FolderMemory, banner: Banner) -> None:
        super().__init__()
        self._memory = memory
        self._banner = banner
        self.block: KernelBlock | None = None
        self._answers: Answers | None = None
        self.verdict: Verdict | None = None
        self._checked = ""  # the text that the verdict is of
        self._was_tried = False
        self.kernel = KernelEditor()
        self.editor = self.kernel.editor
        self.file = KernelFile(self.editor)
        self.findings = Findings()
        self.tasks = KernelTasks(self)
        self.sides = TwoSides(self.kernel, self.findings)
        make.column(self.sides, owner=self).setContentsMargins(0, 0, 0, 0)
        self._connect()
        self._clear_verdict()

    def _connect(self) -> None:
        keys = make.action(self, "", slot=self.check, keys=("Ctrl+Return", "Ctrl+Enter"))
        keys.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.editor.textChanged.connect(self._show_state)
        self.editor.keep_asked.connect(self.file.keep)
        self.kernel.check_button.clicked.connect(self.check)
        self.kernel.outside_button.clicked.connect(self.edit_outside)
        self.kernel.anew_button.clicked.connect(self.begin_anew)
        self.kernel.cancel_button.clicked.connect(self.tasks.cancel)
        self.kernel.use_button.clicked.connect(self.use)
        self.kernel.solution_button.clicked.connect(self.show_solution)
        self.file.replaced.connect(self.check)
        self.file.failed.connect(self._banner.show_text)
        self.findings.page_changed.connect(self._show_step)
        self.findings.look.line_changed.connect(self._show_step)
        self.findings.verdict_page.fault_chosen.connect(self._go_to)
        self.findings.race_page.solution_asked.connect(self._race_solution)
        self.findings.race_page.file_asked.connect(self._race_file)
        self.tasks.checked.connect(self._show_verdict)
        self.tasks.raced.connect(self._show_race)
        self.tasks.use_recorded.connect(self.findings.use_page.show_record)
        self.tasks.trained.connect(self.trained)
        self.tasks.started.connect(self._show_state)
        self.tasks.ended.connect(self._on_ended)

    # -- the exercise ------------------------------------------------------------------------------

    def open(self, answers: Answers, block: KernelBlock) -> None:
        """Show the kernel of a lab's exercise as the person left it."""
        # Opened again: what is typed stays as it is.
        if self.block is block and self._answers is answers:
            return
        self.file.keep()
        self.tasks.cancel()
        self.block = block
        self._answers = answers
        self.verdict = None
        self._was_tried = block.id in answers.kernels
        kept = answers.kernels.get(block.id)
        # By the text of the lab: another version of it asks for another kernel.
        path = data_folder() / "workshop" / f"{answers.lab.digest[:12]}-{block.id}.py"
        self.file.open(path, kept.source if kept else block.exercise.skeleton)
        self._clear_verdict()

    def begin_anew(self) -> None:
        if self.block is not None:
            self.editor.replace_text(self.block.exercise.skeleton)

    def edit_outside(self) -> None:
        """Open the kernel's file in the editor that the system has for it, and follow the file."""
        self.file.keep()
        if self.file.path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.file.path)))
            text = self.tr("Your kernel is in {path}. It is checked each time you save it.")
            self._banner.show_text(text.format(path=self.file.path))

    def solution(self) -> str:
        """The text of the exercise's solution; empty where it has none."""
        path = self.block.exercise.solution if self.block else None
        return self.file.read(path) if path else ""

    def show_solution(self) -> None:
        title = self._answers.lab.title if self._answers else ""
        dialog = Dialog(self.window(), self.tr("Solution of “{title}”").format(title=title))
        text = self.solution()
        dialog.add_copy_button(self.tr("Copy"), text)
        view = CodeView("workshopSolutionText", self.tr("Solution"), text)
        dialog.show_parts((view, 1), size=(760, 560))
        dialog.open()

    # -- check, race, use --------------------------------------------------------------------------

    def check(self) -> None:
        """Check the kernel in a process of its own. A check of an older text ends."""
        if self.block is None:
            return
        self.file.keep()
        if not self.tasks.check(self.editor.toPlainText(), self.block.exercise.launch):
            text = self.tr(
                "The kernel still runs for something else. Press Cancel first, then Check."
            )
            self._banner.show_text(text)
        self._show_state()

    def race(self, other: str) -> None:
        """Count what the kernel and another one do."""
        if self.block is not None and not self.tasks.runner.busy:
            self.tasks.race(self.editor.toPlainText(), other, self.block.exercise.launch)

    def _race_solution(self) -> None:
        self.race(self.solution())

    def _race_file(self) -> None:
        path = ask_open(
            self, self._memory, self.tr("Race against a file"), [self.tr("Python (*.py)")]
        )
        text = self.file.read(path) if path is not None else ""
        if text:
            self.race(text)

    def use(self) -> None:
        """Train a network with the kernel, in a process of its own; then let it read the
        drawing.
        """
        folder = self._answers.lab.folder if self._answers else None
        if self.block is None or folder is None or self.tasks.runner.busy:
            return
        self.file.keep()
        kernel = self.block.exercise.launch.kernel
        model = data_folder() / "workshop" / f"{kernel}.safetensors"
        self.findings.begin_use()
        self.sides.show_side(self.findings)
        self.tasks.use(self.editor.toPlainText(), folder, kernel, model)

    def _on_ended(self, failure: Failure | None) -> None:
        self._banner.show_failure(failure)
        self._show_state()

    # -- the verdict -------------------------------------------------------------------------------

    @property
    def _is_current(self) -> bool:
        """Whether the verdict is of the text in the editor."""
        return self.verdict is not None and self.editor.toPlainText() == self._checked

    def _clear_verdict(self) -> None:
        self.findings.clear()
        self.sides.show_side(self.kernel)
        self._show_state()

    def _show_verdict(self, source: str, verdict: Verdict) -> None:
        assert self.block
        self.verdict = verdict
        self._checked = source
        self._was_tried = True
        # Some faults are of the whole file, and have no line.
        first = next((fault.line for fault in verdict.faults if fault.line), 0)
        self.findings.show_verdict(verdict, self.block.exercise.launch.par, first)
        self._show_state()
        if self._is_current:
            if first:
                self.editor.reveal(first)
            self.sides.show_side(self.findings)
        # Also for an older text: it was checked, and may be the person's best one.
        self.checked.emit(self.block, source, verdict)

    def _show_race(self, source: str, mine: Verdict, other: Verdict) -> None:
        is_current = source == self.editor.toPlainText()
        self.findings.race_page.show_verdicts(mine, other, is_current=is_current)
        self.findings.chooser.setCurrentIndex(RACE)

    def _go_to(self, fault: Fault) -> None:
        self.editor.go_to(fault.line)
        self.findings.look.show_fault(fault)
        self.sides.show_side(self.kernel)
        self.editor.setFocus()

    # -- the state ---------------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show headline and marks of the verdict where it is of this text; a verdict of another
        text has none.
        """
        # Asked once: it compares the whole text.
        is_current = self._is_current
        self.kernel.show_faults(self.verdict.faults if self.verdict and is_current else ())
        self._show_step()
        self.findings.summary.setText(self._summary())
        set_message(self.findings.solved, self._solved_text())
        self.findings.verdict_page.set_current(self.verdict is None or is_current)
        self.refresh()

    def _show_step(self) -> None:
        """Mark the line of the step that Look shows, while it is shown and of this text."""
        is_shown = self.findings.is_looking and self._is_current
        self.editor.show_step(self.findings.look.line if is_shown else 0)

    def _summary(self) -> str:
        """The headline: what runs, or what the verdict of this text is."""
        if self.tasks.will_answer(self.editor.toPlainText()):
            return self.tr("The kernel runs…")
        if self.tasks.runner.busy:
            return self.tr(
                "The text before your changes is being checked. Press Check to check this one."
            )
        if self.verdict is None:
            return self.tr("Complete the kernel, then press Check.")
        if not self._is_current:
            return self.tr("Changed since the last check: press Check.")
        mark = "✓" if self.verdict.passed else "✗"
        return f"{mark} {self.verdict.summary}"

    def _solved_text(self) -> str:
        """Whether the kernel in the editor solves the exercise, in words; empty where it does
        not.
        """
        if self.verdict is None or not self._is_current:
            return ""
        checked = KernelAnswer(self._checked, [fault.kind for fault in self.verdict.faults])
        if checked.is_solved:
            return self.tr("Solved: the kernel is right, and is kept with your answers.")
        if checked.points:
            return self.tr(
                "Right, and kept with your answers. It could need less of the memory: see the "
                "counts below."
            )
        return ""

    def refresh(self) -> None:
        """Enable and show the buttons for what is possible now."""
        exercise = self.block.exercise if self.block else None
        is_free = not self.tasks.runner.busy
        can_use = exercise is not None and bool(exercise.operator)
        has_passed = self.verdict is not None and self.verdict.passed and self._is_current
        shows_solution = self._was_tried and exercise is not None and exercise.solution is not None
        self.kernel.check_button.setEnabled(exercise is not None)
        self.kernel.cancel_button.setVisible(not is_free)
        self.kernel.use_button.setVisible(can_use)
        self.kernel.use_button.setEnabled(can_use and is_free and has_passed)
        self.kernel.solution_button.setEnabled(shows_solution)
        self.findings.chooser.setTabVisible(USE, can_use)
        self.findings.race_page.file_button.setEnabled(is_free and exercise is not None)
        self.findings.race_page.solution_button.setEnabled(is_free and shows_solution)
