"""The Workshop tab: the list of exercises, the editor of a kernel, and the verdict, the run and the race of it."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSplitter, QStackedWidget, QWidget

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.paths import data_folder
from core.labs.answers import Answers
from core.labs.answers_file import answers_path, read_answers
from core.labs.lab import KernelBlock, Lab
from core.labs.package import lessons, open_lab
from core.workshop.exercise import read_text
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.text import count, sentence
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.basics import MARGIN, PrimaryButton, note, scroll_area, set_message
from gui.widgets.dialogs import FolderMemory, InfoDialog, ask_and_write, ask_open
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.tables import Column, RecordModel, RecordTable
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from core.workshop.checker.trace import Fault, Verdict

_WRITE_MILLISECONDS = 800  # after the last key
_MIN_WIDTH = 620  # pixels that editor and findings need side by side, at a text size of 100 %
VERDICT, LOOK, RACE, USE = range(4)


@dataclass(frozen=True, slots=True)
class ListedExercise:
    """A row of the list. `done`: how many of the `parts` the person has done; `is_solved`: its kernels are right."""

    number: int
    path: Path
    lab: Lab
    done: int
    parts: int
    is_solved: bool


class WorkshopTab(Tab):
    """Its parts are created when it is first shown.

    `lab_asked(path)`: open the lab of an exercise. `checked(block, source, verdict)`: a kernel was checked.
    `trained(path)`: the model of a network that learned with a kernel.
    """

    lab_asked = Signal(object)
    checked = Signal(object, str, object)
    trained = Signal(object)
    wants_room = 860

    def __init__(self, memory: FolderMemory, banner: Banner) -> None:
        super().__init__()
        self.setObjectName("workshopTab")
        self._memory, self._banner = memory, banner
        self.block: KernelBlock | None = None
        self._answers: Answers | None = None
        self._path: Path | None = None  # of the kernel that is edited
        self._kept = ""  # the text that was read from or written to the file
        self.verdict: Verdict | None = None
        self._checked = ""  # the text that the verdict is of
        self._running: str | None = (
            None  # the text that is being checked; None: nothing, or a race or training
        )
        self._checks_again = False  # as soon as the present check has ended
        self._tried = False

    def title(self) -> str:
        return self.tr("Workshop")

    # -- parts ----------------------------------------------------------------------------------------------

    def create_parts(self) -> Generator[None]:
        from gui.workshop.editor import CodeEditor
        from gui.workshop.look import LookPage

        self.runner = TaskRunner(self)
        self.runner.records.connect(self._on_records)
        self.runner.ended.connect(self._on_ended)
        self._reader = TaskRunner(self, low_priority=True)
        self._reader.records.connect(lambda records: self._show_exercises(records[-1]))
        self._reader.ended.connect(self._show_failure)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        self._writer = QTimer(self, singleShot=True, interval=_WRITE_MILLISECONDS)
        self._writer.timeout.connect(self.keep_text)
        self.editor = CodeEditor("workshopEditor", self.tr("The kernel"))
        self.editor.textChanged.connect(self._on_text)
        self.look = LookPage()
        self.look.line_changed.connect(self._show_step)
        self.stack = QStackedWidget()
        self.stack.addWidget(self._create_list())
        self.stack.addWidget(self._create_bench())
        make.column(self.stack, owner=self)
        self.editor.left.connect(self.check_button.setFocus)
        self._clear_verdict()
        self.refresh()
        self.show_list()
        yield

    def _create_list(self) -> QWidget:
        tr, page = self.tr, QWidget()
        columns = (
            Column[ListedExercise]("", tr("In this order."), lambda e: str(e.number), is_number=True),
            Column[ListedExercise](tr("Exercise"), tr("Its title."), lambda e: e.lab.title),
            Column[ListedExercise](
                tr("Minutes"), tr("About how long it takes."), lambda e: count(e.lab.minutes), is_number=True
            ),
            Column[ListedExercise](tr("Progress"), tr("What you have done of it."), _progress_text),
        )
        self.list = RecordTable(RecordModel(columns, self), "workshopList", tr("Exercises"))
        self.list.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.activated.connect(self._open_chosen)
        self.reading = note(name="workshopReading")
        tip = tr("Open the exercise that is chosen in the list.")
        self.open_button = make.button(tr("Open"), "workshopOpen", tip, self._open_chosen, kind=PrimaryButton)
        text = tr(
            "Write kernels for a graphics card, in Python. Each is checked here without a card: races, barriers, wrong "
            "indices, wrong results, and what its memory accesses cost. Begin with the first."
        )
        title = make.label(tr("The kernel workshop"), role="title")
        below = make.row(self.open_button, self.reading, None)
        box = make.column(title, make.label(text), (self.list, 1), below, owner=page)
        box.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        return page

    def _create_bench(self) -> QWidget:
        from gui.workshop.editor import FindBar
        from gui.workshop.findings import RacePage, VerdictPage
        from gui.workshop.use import UsePage

        tr, page = self.tr, QWidget()
        back = make.button(tr("All exercises"), "workshopAll", tr("Back to the list."), self.show_list)
        tip = tr(
            "Write the kernel to a file, and open that in your own editor. Each time you save it, it is checked."
        )
        own = make.button(tr("Own editor"), "workshopOwn", tip, self.edit_outside)
        tip = tr("Begin anew, with the text that the exercise gives. Undo brings yours back.")
        again = make.button(tr("Begin anew"), "workshopAgain", tip, self.begin_anew)
        tip = tr("Run the kernel in a process of its own, and say what is wrong with it.")
        tip = make.tip_with_key(tip, "Ctrl+Return")
        self.check_button = make.button(tr("Check"), "workshopCheck", tip, self.check, kind=PrimaryButton)
        # Neither a click nor the keys take the focus from the editor: the person goes on typing there.
        self.check_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        keys = make.action(page, "", slot=self.check, keys=("Ctrl+Return", "Ctrl+Enter"))
        keys.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        tip = tr("End the check.")
        self.cancel_button = make.button(tr("Cancel"), "workshopCancel", tip, lambda: self.runner.cancel())
        tip = tr(
            "Train a small network with this kernel in place of the program's own, and let it read your drawing; after "
            "a check without fault."
        )
        self.use_button = make.button(tr("Use it"), "workshopUse", tip, self.use)
        tip = tr("A kernel that passes, with its explanation; after your first check.")
        self.solution_button = make.button(tr("Show solution"), "workshopSolution", tip, self.show_solution)
        left, right = QWidget(), QWidget()
        top = make.FlowLayout(back, own, again)
        below = make.FlowLayout(self.check_button, self.cancel_button, self.use_button, self.solution_button)
        self.finder = FindBar(self.editor)
        self.editor.find_asked.connect(self.finder.begin)
        self.editor.keep_asked.connect(self.keep_text)
        self.said = note("error", "workshopLine")  # what is wrong with the line of the cursor
        self.editor.cursorPositionChanged.connect(self._show_line)
        make.column(top, (self.editor, 1), self.finder, self.said, below, owner=left)
        self.summary = make.label("", "workshopSummary", "title", selectable=True)
        self.chooser = PageChooser("workshopChooser", tr("What to see of the kernel"))
        self.pages = QStackedWidget()
        self.use_page = UsePage()
        self.verdict_page = VerdictPage()
        self.verdict_page.fault_chosen.connect(self._go_to)
        self.verdict_page.page_asked.connect(self._save_page)
        self.race_page = RacePage()
        self.race_page.solution_asked.connect(lambda: self.race(None))
        self.race_page.file_asked.connect(self._race_file)
        for part, title, tip in (
            (self.verdict_page, tr("Verdict"), tr("What is wrong, and what the accesses cost.")),
            (self.look, tr("Look"), tr("Step through the run, forwards and back.")),
            (self.race_page, tr("Race"), tr("Your kernel beside the solution or another file.")),
            (self.use_page, tr("Use"), tr("A network that learns with your kernel.")),
        ):
            self.pages.addWidget(scroll_area(part))
            self.chooser.add_page(title, tip)
        self.chooser.currentChanged.connect(self._choose_page)
        make.column(self.summary, self.chooser, (self.pages, 1), owner=right)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._both = left, right
        for side in self._both:
            side.setContentsMargins(MARGIN // 2, 0, MARGIN // 2, 0)
            self.splitter.addWidget(side)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([1000, 1000])
        # In a narrow tab one side is shown at a time.
        self.sides = PageChooser("workshopSides", tr("Kernel or findings"))
        self.sides.add_page(tr("Kernel"), tr("Write the kernel."))
        self.sides.add_page(tr("Findings"), tr("Verdict, run and race."))
        self.sides.currentChanged.connect(self._fold)
        make.column(self.sides, (self.splitter, 1), owner=page).setContentsMargins(0, 8, 0, 0)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "sides"):
            self._fold()

    def _fold(self) -> None:
        narrow = self.width() < theme().px(_MIN_WIDTH)
        self.sides.setVisible(narrow)
        for index, side in enumerate(self._both):
            side.setVisible(not narrow or self.sides.currentIndex() == index)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.keep_text()

    # -- exercises ------------------------------------------------------------------------------------------

    def show_list(self) -> None:
        """Show the exercises, with what the person has done by now."""
        self.keep_text()
        self.stack.setCurrentIndex(0)
        is_empty = not self.list.record_model.records
        self.open_button.setEnabled(not is_empty)
        set_message(self.reading, self.tr("The exercises are being read…") if is_empty else "")
        self._reader.start_latest(single_record(lambda control: read_exercises(control.check)))

    def _show_exercises(self, exercises: Sequence[ListedExercise]) -> None:
        """Fill the list, and select the first exercise that is not solved."""
        self.list.record_model.show_records(exercises)
        self.open_button.setEnabled(bool(exercises))
        self.reading.hide()
        row = next((row for row, exercise in enumerate(exercises) if not exercise.is_solved), 0)
        self.list.selectRow(row)

    def _open_chosen(self) -> None:
        chosen = self.list.selected() or self.list.record_model.records[:1]
        if chosen:
            self.lab_asked.emit(chosen[0].path)

    def leave_lab(self) -> None:
        """The lab of the kernel was closed: show the list again."""
        if self.block is not None:
            self.runner.cancel()
            self.show_list()

    def show_kernel(self, answers: Answers, block: KernelBlock) -> None:
        """Show the kernel of a lab's exercise as the person left it."""
        while self.create_next():
            pass
        if self.block is block and self._answers is answers:
            self.stack.setCurrentIndex(1)
            return
        self.keep_text()
        self.runner.cancel()
        self._running, self._checks_again = None, False
        self.block, self._answers, self.verdict = block, answers, None
        self._path = data_folder() / "workshop" / f"{answers.lab.digest[:12]}-{block.id}.py"
        self._tried = block.id in answers.kernels
        kept = answers.kernels.get(block.id)
        text = kept.source if kept else block.exercise.skeleton
        if self._path.exists():
            text = self._read_file(self._path) or text
        self.editor.setPlainText(text)
        self._kept = self.editor.toPlainText()
        self.stack.setCurrentIndex(1)
        self._clear_verdict()
        self.refresh()

    def _read_file(self, path: Path) -> str:
        """The text of a file, or an empty one after a message."""
        try:
            return read_text(path)
        except InputError as error:
            self._banner.show_text(sentence(error), "bad")
            return ""

    def begin_anew(self) -> None:
        if self.block is not None:
            self.editor.replace_text(self.block.exercise.skeleton)

    # -- the file -------------------------------------------------------------------------------------------

    @property
    def _is_current(self) -> bool:
        """Whether the verdict is of the text in the editor."""
        return self.verdict is not None and self.editor.toPlainText() == self._checked

    def _on_text(self) -> None:
        self._writer.start()
        self._show_state()

    def _show_state(self) -> None:
        """Show headline and marks of the verdict where it is of this text; a verdict of another text has none."""
        is_current = self._is_current
        self.editor.show_faults(self.verdict.faults if self.verdict and is_current else ())
        self._show_line()
        self._show_step(self.look.line)
        self._show_summary()
        self.verdict_page.set_current(self.verdict is None or is_current)
        self.refresh()

    def _show_line(self) -> None:
        """Say below the editor what is wrong with the line of the cursor."""
        line = self.editor.textCursor().blockNumber() + 1
        set_message(self.said, self.editor.fault_text(line))

    def _show_step(self, line: int) -> None:
        """Mark the line of the step that Look shows, while it is shown and of this text."""
        is_shown = self.chooser.currentIndex() == LOOK and self._is_current
        self.editor.show_step(line if is_shown else 0)

    def keep_text(self) -> None:
        """Write the kernel to its file, so that nothing typed is lost."""
        if self._path is None:
            return
        self._writer.stop()
        text = self.editor.toPlainText()
        try:
            # What nobody has typed does not replace what another editor has written.
            if text != self._kept or not self._path.exists():
                write_atomically(self._path, text.encode("utf-8", "replace"))
                self._kept = text
        except (InputError, OSError) as error:
            self._banner.show_text(str(error), "bad")
        self._watch()

    def edit_outside(self) -> None:
        """Open the kernel's file in the editor that the system has for it, and follow the file."""
        self.keep_text()
        if self._path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path)))
            text = self.tr("Your kernel is in {path}. It is checked each time you save it.")
            self._banner.show_text(text.format(path=self._path))

    def _watch(self) -> None:
        """Many editors replace the file, which ends the watch of it."""
        if self._path is not None and str(self._path) not in self._watcher.files():
            for path in self._watcher.files():
                self._watcher.removePath(path)
            self._watcher.addPath(str(self._path))

    def _on_file_changed(self) -> None:
        self._watch()
        if self._path is None or not self._path.exists():
            return
        text = self._read_file(self._path)
        if text and text != self.editor.toPlainText() and not self._writer.isActive():
            self.editor.replace_text(text)
            self._kept = self.editor.toPlainText()
            self.check()

    # -- checks ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Check the kernel in a process of its own. A check of an older text ends."""
        from core.workshop.check import iter_check

        block, source = self.block, self.editor.toPlainText()
        if block is None:
            return
        if self.runner.busy:
            self._check_later(source)
            return
        self._checks_again = False
        self.keep_text()
        launch = block.exercise.launch

        def task(control: TaskControl) -> Generator[Any]:
            for found in iter_check(source, launch, trace=True):
                if found is not None:
                    yield self._show_verdict, source, found
                control.check()

        self._running = source
        self._start(task)

    def _check_later(self, source: str) -> None:
        """Check as soon as the present check has ended, which is cancelled unless it is of the same text."""
        if self.runner.cancelling:
            self._checks_again = True
        elif self._running is None:
            self._banner.show_text(
                self.tr("The kernel still runs for something else. Press Cancel first, then Check.")
            )
        elif self._running != source:
            self._checks_again = True
            self.runner.cancel()
        self._show_summary()

    def race(self, other: str | None) -> None:
        """Count what the kernel and another one do; None: the solution."""
        from core.workshop.check import iter_check
        from kernels.registry import probe

        block, source = self.block, self.editor.toPlainText()
        if block is None or self.runner.busy:
            return
        against, launch = other or self._solution(), block.exercise.launch

        def task(control: TaskControl) -> Generator[Any]:
            verdicts = []
            for text in (source, against):
                for found in iter_check(text, launch, types=False, seed=0, card=probe("cuda").available):
                    control.check()
                    if found is not None:
                        verdicts.append(found)
            yield self._show_race, source, *verdicts

        self._running = None
        self._start(task)

    def _race_file(self) -> None:
        path = ask_open(self, self._memory, self.tr("Race against a file"), [self.tr("Python (*.py)")])
        if path is not None and (text := self._read_file(path)):
            self.race(text)

    def _start(self, task: Any) -> None:
        self.runner.start(task)
        self._show_summary()
        self.refresh()

    def _on_records(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Each is a function of this thread, and its arguments."""
        for show, *values in records if not self.runner.cancelling else ():
            show(*values)

    def _show_failure(self, failure: Failure | None) -> None:
        if failure:
            self._banner.show_text(failure.text, "bad", failure.details)

    def _on_ended(self, failure: Failure | None) -> None:
        self._running = None
        self._show_failure(failure)
        # The runner starts nothing new before it has told all of the end.
        QTimer.singleShot(0, self, self._check_again)
        self._show_state()

    def _check_again(self) -> None:
        if self._checks_again:
            self.check()

    def _show_verdict(self, source: str, verdict: "Verdict") -> None:
        assert self.block
        self.verdict, self._checked, self._tried = verdict, source, True
        first = next((fault for fault in verdict.faults if fault.line), None)
        self.verdict_page.show_verdict(verdict, self.block.exercise.launch.par)
        self.look.show_trace(verdict.trace, first.line if first else 0)
        self.chooser.setCurrentIndex(VERDICT)
        self._show_state()
        if self._is_current:
            if first:
                self.editor.reveal(first.line)
            self.sides.setCurrentIndex(1)
        self.checked.emit(self.block, source, verdict)

    def _clear_verdict(self) -> None:
        self.verdict_page.show_verdict(None, {})
        self.race_page.clear()
        self.look.show_trace(None)
        self.chooser.setCurrentIndex(VERDICT)
        self.sides.setCurrentIndex(0)
        self._show_state()

    def _show_summary(self) -> None:
        """The headline: what runs, or what the verdict of this text is."""
        text = self.editor.toPlainText()
        runs_for_this = self._checks_again or self.runner.cancelling or self._running in (None, text)
        if self._checks_again or (self.runner.busy and runs_for_this):
            said = self.tr("The kernel runs…")
        elif self.runner.busy:
            said = self.tr("The text before your changes is being checked. Press Check to check this one.")
        elif self.verdict is None:
            said = self.tr("Complete the kernel, then press Check.")
        elif not self._is_current:
            said = self.tr("Changed since the last check: press Check.")
        else:
            said = f"{'✓' if self.verdict.passed else '✗'} {self.verdict.summary}"
        self.summary.setText(said)

    def _go_to(self, fault: "Fault") -> None:
        self.editor.go_to(fault.line)
        self.look.show_fault(fault)
        self.sides.setCurrentIndex(0)
        self.editor.setFocus()

    def _choose_page(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        self._show_step(self.look.line)
        if index == LOOK:
            self.look.picture.setFocus()

    def _show_race(self, source: str, mine: "Verdict", other: "Verdict") -> None:
        self.race_page.show_verdicts(mine, other, is_current=source == self.editor.toPlainText())
        self.chooser.setCurrentIndex(RACE)

    def _solution(self) -> str:
        path = self.block.exercise.solution if self.block else None
        return self._read_file(path) if path else ""

    def show_solution(self) -> None:
        from gui.workshop.editor import CodeView

        title = self._answers.lab.title if self._answers else ""
        dialog = InfoDialog(self.window(), self.tr("Solution of “{title}”").format(title=title))
        text = self._solution()
        dialog.add_copy_button(self.tr("Copy"), text)
        view = CodeView("workshopSolutionText", self.tr("Solution"), text)
        dialog.show_parts((view, 1), size=(760, 560))
        dialog.open()

    def use(self) -> None:
        """Train a network with the kernel, in a process of its own; then let it read the drawing."""
        block, source, answers = self.block, self.editor.toPlainText(), self._answers
        folder = answers.lab.folder if answers else None
        if block is None or folder is None or self.runner.busy:
            return
        self.keep_text()
        kernel = block.exercise.launch.kernel
        model = data_folder() / "workshop" / f"{kernel}.safetensors"

        def task(control: TaskControl) -> Generator[Any]:
            from core.workshop.use import iter_use_apart

            with closing(iter_use_apart(source, folder, kernel, model)) as records:
                for record in records:
                    control.check()
                    if record is not None:
                        yield self.use_page.show_record, record
            yield self.trained.emit, model

        self._running = None
        self.use_page.begin()
        self.chooser.setCurrentIndex(USE)
        self.sides.setCurrentIndex(1)
        self._start(task)

    def _save_page(self) -> None:
        from core.workshop.report import verdict_html

        verdict = self.verdict
        if verdict is not None:
            source = self._checked
            ask_and_write(
                self, self._memory, self.tr("Save as page"), f"{verdict.kernel or 'kernel'}.html",
                [self.tr("Web page (*.html)")],
                lambda path: write_atomically(path, verdict_html(verdict, source).encode(errors="replace")),
                self._banner.show_text,
            )  # fmt: skip

    def refresh(self) -> None:
        busy = self.runner.busy
        self.check_button.setEnabled(self.block is not None)
        self.cancel_button.setVisible(busy)
        can_use = self.block is not None and bool(self.block.exercise.operator)
        self.use_button.setVisible(can_use)
        self.chooser.setTabVisible(USE, can_use)
        has_passed = self.verdict is not None and self.verdict.passed and self._is_current
        self.use_button.setEnabled(can_use and not busy and has_passed)
        can_compare = not busy and self.block is not None
        has_solution = self.block is not None and self.block.exercise.solution is not None
        self.race_page.file_button.setEnabled(can_compare)
        self.race_page.solution_button.setEnabled(can_compare and self._tried and has_solution)
        self.solution_button.setEnabled(self._tried and has_solution)


def read_exercises(check: Callable[[], None]) -> list[ListedExercise]:
    """The exercises that come with the program, with the person's progress."""
    found = []
    for index, (_, path) in enumerate(lessons("workshop"), 1):
        check()
        lab = open_lab(path)
        answers = Answers(lab)
        kept = answers_path(lab)
        if kept.exists():
            with suppress(InputError):
                answers = read_answers(kept, lab)
        parts = lab.exercises()
        done = [part for part in parts if answers.is_done(part)]
        is_solved = all(part in done for part in parts if isinstance(part, KernelBlock))
        found.append(ListedExercise(index, path, lab, len(done), len(parts), is_solved))
    return found


def _progress_text(exercise: ListedExercise) -> str:
    """How many parts are done, with a mark where the kernel is."""
    done = f"{exercise.done} / {exercise.parts}" if exercise.done else ""
    return f"✓ {done}" if exercise.is_solved else done
