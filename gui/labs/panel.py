"""A lab in the column at the left: its text step by step, what a person does there, and how far the
person is.
"""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.answers_file import ProgressFile
from core.labs.blocks.kernel import KernelBlock
from core.labs.blocks.run import RunBlock
from core.labs.blocks.setup import SetupBlock
from core.labs.lab import Lab, Parts
from core.labs.package import lesson_after
from core.workshop.checker.trace import Verdict
from gui.labs.head import LabHead
from gui.labs.navigation import LabNavigation
from gui.labs.opening import LabOpening
from gui.labs.runs import LabRuns
from gui.labs.step_view import StepView
from gui.text import sentence
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.basics import insert_in_tab_order, named
from gui.widgets.dialogs import FolderMemory, reporting
from gui.widgets.make import column
from gui.widgets.theme import theme


class LabProgress(QObject):
    """Reads and writes the answers to the labs that are opened in this window. Problems are shown
    in the banner.
    """

    def __init__(self, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._banner = banner
        # By the digests of the labs whose answers can be kept.
        self._files: dict[str, ProgressFile] = {}

    def read(self, lab: Lab) -> Answers:
        """The answers that were kept. A file that cannot be read is moved, never overwritten."""
        file = ProgressFile(lab)
        # Where reading fails, nothing may be written over the file.
        self._files.pop(lab.digest, None)
        try:
            answers = file.read()
        except InputError as error:
            text = self.tr("Your answers cannot be read, and new ones are not kept: {reason}")
            self._banner.show_text(text.format(reason=sentence(error)), "bad")
            return Answers(lab)
        self._files[lab.digest] = file
        self._tell_moved(file)
        self._tell_earlier(file)
        return answers

    def write(self, answers: Answers) -> None:
        """Keep the answers; what another window has written is added to them."""
        file = self._files.get(answers.lab.digest)
        if file is None:
            return
        try:
            file.write(answers)
        except InputError as error:
            text = self.tr("Your answers could not be kept: {reason}")
            self._banner.show_text(text.format(reason=sentence(error)), "bad")
        self._tell_moved(file)

    def begin_again(self, lab: Lab) -> Path | None:
        """Put the answers aside; returns where they are, or None where none are kept. Raises
        InputError.
        """
        file = self._files.get(lab.digest)
        return file.begin_again() if file is not None else None

    def _tell_moved(self, file: ProgressFile) -> None:
        """Say once where a file has gone that could not be read."""
        if file.moved is None:
            return
        text = self.tr(
            "Your earlier answers to this lab cannot be read, so it begins anew. Nothing was "
            "deleted: they are in {path}."
        )
        self._banner.show_text(text.format(path=file.moved), "bad")
        # Said once: each later writing would say it again.
        file.moved = None

    def _tell_earlier(self, file: ProgressFile) -> None:
        """Say what has become of answers to an earlier text of the lab."""
        if file.earlier is None:
            return
        text = self.tr(
            "The text of this lab has changed since you began it; all your answers are kept."
        )
        if file.earlier.misfits:
            text = self.tr(
                "The text of this lab has changed since you began it: {n} of your answers fit no "
                "longer and are left out here; they are still in {path}.",
                None,
                file.earlier.misfits,
            )
        self._banner.show_text(text.format(n=file.earlier.misfits, path=file.earlier.path))


class StepSettings(QObject):
    """`setup_asked(plan)`: show these settings. `controls_asked(names)`: of which settings the
    fields are shown; None: of all. `tab_asked(name)`, `model_asked(path)`: show a tab, open a
    model. `stage_asked(on)`: show drawing and network above the curve, or the curve alone."""

    setup_asked = Signal(object)
    controls_asked = Signal(object)
    tab_asked = Signal(str)
    model_asked = Signal(object)
    stage_asked = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._controls: tuple[str, ...] = ()

    def set_up_experiment(self, lab: Lab) -> None:
        """Show what an experiment file holds: settings, text, tab, model."""
        for part in lab.parts.setups:
            self.setup_asked.emit(lab.located(part.setup.plan_of("")))
            if part.model and lab.folder is not None:
                self.model_asked.emit(lab.folder / part.model)
            if part.tab:
                self.tab_asked.emit(part.tab)

    def set_up(self, answers: Answers, shows_all: bool) -> None:
        """Set what the step sets: the settings in force at its end, and the controls that it
        shows.
        """
        lab = answers.lab
        here = answers.shown_step.parts
        before = Parts(part for step in lab.steps[: answers.step + 1] for part in step.parts)
        # A lab may begin without a setup: then the defaults are in force.
        last = [SetupBlock(0), *before.setups][-1]
        if sets_something(lab):
            self.setup_asked.emit(lab.located(last.setup.plan_of(answers.name)))
        has_task = any(part.is_task for part in here.trained)
        self._controls = last.setup.controls if has_task else ()
        self.ask_controls(shows_all)
        self.stage_asked.emit(last.tab == "training")
        if last.tab and last in here:
            self.tab_asked.emit(last.tab)

    def ask_controls(self, shows_all: bool) -> None:
        """Show the fields of all settings, or those of the step."""
        self.controls_asked.emit(None if shows_all else self._controls)

    def offers(self, shows_all: bool) -> bool:
        """Whether the form offers any setting."""
        return shows_all or bool(self._controls)


def sets_something(lab: Lab) -> bool:
    """Whether the lab sets something: one that only asks for kernels does not."""
    return bool(lab.parts.setups) or not lab.parts.kernels


class LabPanel(QWidget):
    """Hidden until `open` shows a lab. `navigation`: Back and Next, which the window places at the
    end of the column.

    `opening`: a lab is about to change what is shown; `closed`: it is gone; `handed_in`;
    `refreshed`: what the person may do can be another. `tab_asked(name)`: show a tab.
    `kernel_asked(answers, block)`: let the person write this kernel. `step_settings` asks for the
    settings of a step, `runs` for its runs.
    """

    opening = Signal()
    closed = Signal()
    handed_in = Signal()
    refreshed = Signal()
    tab_asked = Signal(str)
    kernel_asked = Signal(object, object)

    def __init__(
        self, session: Session, training: TrainingTab, memory: FolderMemory, banner: Banner
    ) -> None:
        super().__init__()
        named(self, "labPanel", self.tr("Lab"))
        self.answers: Answers | None = None
        self.path: Path | None = None  # what was opened; None for a lab without a file
        self._session = session
        self._memory = memory
        self._banner = banner
        self._progress = LabProgress(banner, self)
        self._is_closing = False
        self._opening = LabOpening(memory, banner, self)
        self._opening.opened.connect(self.open_lab)
        self.runs = LabRuns(session, training, self)
        self.runs.changed.connect(self.refresh)
        self.runs.tab_asked.connect(self.tab_asked)
        self.runs.failed.connect(self._opening.show_end)
        self.view = StepView(self.runs, self)
        self.view.changed.connect(self._on_changed)
        self.runs.reached.connect(self.view.expect_reply)
        self.runs.reached.connect(self._on_changed)
        self.view.run_asked.connect(self._start)
        self.view.kernel_asked.connect(self._show_kernel)
        self.view.name_typed.connect(self._on_name)
        self.step_settings = StepSettings(self)
        self.step_settings.tab_asked.connect(self.tab_asked)
        self.navigation = LabNavigation()
        self.navigation.step_asked.connect(self.show_step)
        self.navigation.hand_in_asked.connect(self.hand_in)
        self.navigation.run_asked.connect(self.view.start_run)
        self.head = LabHead()
        self.head.settings_asked.connect(self._ask_controls)
        self.head.again_asked.connect(self.start_again)
        self.head.close_asked.connect(self.close_lab)
        column(self.head, (self.view.area, 1), owner=self, spacing=8)
        self.navigation.follow(self)
        session.ended.connect(self._close_after_run)
        theme().changed.connect(self.refresh)
        self.hide()

    # -- opening and closing -----------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read the lab at `path` and show it, or mark the answers in the file or folder at
        `path`.
        """
        if not self._is_busy():
            self._opening.open(path, self.answers.lab if self.answers is not None else None)

    def _is_busy(self) -> bool:
        """Whether a run is in progress, which the banner then says."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then open the lab again."))
        return self._session.active

    def open_lab(self, lab: Lab, path: Path | None = None) -> None:
        """Show the lab, which was read from `path`, at the step where the person left it."""
        if self._is_busy():
            return
        if lab.is_experiment:
            self.step_settings.set_up_experiment(lab)
            text = self.tr("The experiment “{title}” is set up.")
            self._banner.show_text(text.format(title=lab.title), "good")
            return
        answers = self._progress.read(lab)
        if self.answers is None:
            self.opening.emit()
        else:
            self._save()
        self.path = path
        kernels = lab.parts.kernels
        if not kernels:
            self.tab_asked.emit("training")
        self._answer_in(answers)
        if kernels:
            left = [part for part in kernels if not answers.is_done(part)]
            self._show_kernel((left or kernels)[0])

    def close_lab(self) -> None:
        """Show what was shown before the lab; the answers are kept. A run is stopped first."""
        if self.answers is None:
            return
        if self._session.active:
            self._is_closing = True
            self._session.stop()
            return
        self._save()
        self.view.clear()
        title = self.answers.lab.title
        # Kept for the banner: the panel forgets it below.
        path = self.path
        self.answers = None
        self.path = None
        self.runs.begin(None)
        self.hide()
        self._ask_controls()
        self.closed.emit()
        text = self.tr(
            "The lab “{title}” is closed, and what was shown before it is back. Your answers are "
            "kept."
        )
        self._banner.show_text(text.format(title=title))
        if path is not None:
            self._banner.offer(self.tr("Open it again"), partial(self.open, path))

    def _close_after_run(self) -> None:
        if self._is_closing:
            self._is_closing = False
            # After the window has dealt with the end of the run.
            QTimer.singleShot(0, self, self.close_lab)

    def start_again(self) -> None:
        """Begin the lab without answers; the banner offers those so far."""
        before = self.answers
        if before is None:
            return
        if self._session.active:
            self._banner.show_text(self.tr("A run is in progress: stop it first."))
            return
        with reporting(self._banner.show_text):
            # Before anything is shown anew: where it fails, the answers stay.
            aside = self._progress.begin_again(before.lab)
            self._answer_in(Answers(before.lab, before.name))
            text = self.tr("The lab begins again. Your answers so far are in {path}.")
            self._banner.show_text(
                text.format(path=aside) if aside else self.tr("The lab begins again.")
            )
            self._banner.offer(self.tr("Back to my answers"), lambda: self._answer_in(before))

    def _answer_in(self, answers: Answers) -> None:
        """Go on with these answers, unless a run is in progress."""
        if self._is_busy():
            return
        self.answers = answers
        self.head.all_settings.setChecked(False)
        self.runs.begin(answers)
        self._save()
        self._show()
        # Last: what is shown is complete by then.
        self.show()

    def hand_in(self) -> None:
        """Show what the file of answers holds, and save it."""
        if self.answers is not None:
            # Imported when it is needed, so that the window starts sooner.
            from gui.labs.dialogs import HandInDialog

            dialog = HandInDialog(self.answers, self._memory, self.window())
            dialog.saved.connect(self._on_handed_in)
            dialog.step_asked.connect(self._go_to)
            # Also where it is cancelled: the name that was typed is kept.
            dialog.finished.connect(self._save)
            dialog.open()

    def _on_handed_in(self, path: Path) -> None:
        """Say where the answers are, and offer the next lesson."""
        from gui.labs.dialogs import show_handed_in

        self.handed_in.emit()
        found = (
            lesson_after(self.path, QLocale().name().partition("_")[0])
            if self.path is not None
            else None
        )
        title = QCoreApplication.translate("Lesson", found[0]) if found is not None else ""
        go_on = partial(self.open, found[1]) if found is not None else self.close_lab
        show_handed_in(path, title, go_on, self.window())

    def _go_to(self, index: int) -> None:
        """Show the step with this number, from 0."""
        if self.answers is not None:
            self.show_step(index - self.answers.step)

    def _save(self) -> None:
        if self.answers is not None:
            self._progress.write(self.answers)

    # -- steps -------------------------------------------------------------------------------------

    def closed_reason(self) -> str:
        """Why runs and their results cannot be looked at beside the lab now, or empty."""
        if self.answers is None or self.answers.may_try(self.answers.shown_step):
            return ""
        return self.tr(
            "Closed until you have said what you expect, and the lab has run it: it would give "
            "that away."
        )

    def may_train(self) -> bool:
        """Whether runs with the settings of the form can be started: always where no lab is
        open.
        """
        if self.answers is None:
            return True
        return self.step_settings.offers(self._shows_all) and not self.closed_reason()

    @property
    def _shows_all(self) -> bool:
        return self.answers is None or self.head.all_settings.isChecked()

    @property
    def is_training(self) -> bool:
        return self._session.active

    def show_step(self, by: int) -> None:
        if self.answers is None or self._session.active:
            return
        before = self.answers.step
        self.answers.step = min(max(before + by, 0), len(self.answers.lab.steps) - 1)
        self._save()
        self._show()
        # At the ends of the lab nothing has changed that could be faded in.
        if self.answers.step != before:
            self.view.begin_step()

    def _show(self) -> None:
        assert self.answers
        self.view.clear()
        self.runs.show_step()
        self.view.show(self.answers)
        # The page is made anew with each step, and Qt puts what is new at the end of the order.
        insert_in_tab_order(self.head.close_button, self.view.page)
        self._set_up()

    def _on_name(self, name: str) -> None:
        assert self.answers
        # As reading the file limits it.
        self.answers.name = name.strip()[:100]
        self._set_up()

    def _set_up(self) -> None:
        assert self.answers
        self.step_settings.set_up(self.answers, self._shows_all)
        self.refresh()

    def _ask_controls(self) -> None:
        self.step_settings.ask_controls(self._shows_all)

    def refresh(self) -> None:
        if self.answers is None:
            return
        self.view.refresh(self.answers)
        trains = self.runs.trained is not None
        self.navigation.refresh(self.answers, self.view.waits_for(self.answers), trains)
        self.navigation.show_run(*self.view.run_offered())
        self.head.refresh(self.answers, self.closed_reason(), sets_something(self.answers.lab))
        self.refreshed.emit()

    def _on_changed(self) -> None:
        self._save()
        self.refresh()
        # What has just become visible is below.
        QTimer.singleShot(0, self, self.view.scroll_to_news)

    # -- runs and kernels --------------------------------------------------------------------------

    def keep_kernel(self, block: KernelBlock, source: str, verdict: Verdict) -> None:
        if self.answers is not None and block in self.answers.lab.parts.exercises:
            try:
                self.answers.keep_kernel(block, source, verdict)
            except InputError as error:
                self._banner.show_text(sentence(error), "bad")
            self._on_changed()

    def _show_kernel(self, block: KernelBlock) -> None:
        self.kernel_asked.emit(self.answers, block)
        self.tab_asked.emit("workshop")

    def _start(self, run: RunBlock) -> None:
        """Make the trainings of the part."""
        if self._session.active:
            self._banner.show_text(self.tr("A run is in progress: stop it first."))
        else:
            self.runs.start(run)
            self._save()
