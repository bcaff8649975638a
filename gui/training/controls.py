"""The actions and buttons that train, pause or resume, advance by one step and stop."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QEnterEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from gui.training.session import Session, State
from gui.widgets.basics import PrimaryButton, named, with_role
from gui.widgets.make import action, button, column, combo, labeled, row
from gui.widgets.messages import note, set_message
from gui.widgets.pictures import set_icon
from gui.widgets.theme import theme

# Longer texts are cut; the field shows the complete one.
MAX_CHARACTERS = 160
# Pixels, at the least.
_TRAIN = QSize(184, 44)
_LARGE_TRAIN = QSize(232, 52)  # in a large window
_STOP = QSize(88, 44)
_STEP = QSize(44, 44)
SPEEDS = (100, 30, 10, 3, 1)  # batches a second


class StartProblemButton(QPushButton):
    """A flat button with text of several lines. Pressing it leads to the field that has to be
    changed.
    """

    def __init__(self) -> None:
        super().__init__()
        named(self, "obstacleButton", tip=self.tr("Go to the field that prevents the run."))
        self.setFlat(True)
        # The return key presses it too.
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.label = note("error", "obstacleText")
        # The button gets the presses on its text.
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = column(self.label, owner=self)
        self._column.setContentsMargins(4, 3, 4, 3)
        self.hide()

    def show_text(self, text: str, *, is_wrong: bool = True) -> None:
        """Show why a run cannot start. An empty text hides the button. is_wrong: something has to
        be corrected.
        """
        with_role(self.label, "error" if is_wrong else "muted")
        short = text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1].rstrip() + "…"
        set_message(self.label, short)
        self.setAccessibleName(text)
        self.setVisible(bool(text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw an outline under the pointer and with the focus; the label has the text."""
        if self.underMouse() or self.hasFocus():
            with QPainter(self) as painter:
                painter.setPen(self.palette().color(QPalette.ColorRole.BrightText))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)

    def sizeHint(self) -> QSize:
        # QPushButton would compute the size of its own text, which is empty.
        return self._column.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._column.totalMinimumSize()


class RunControls(QWidget):
    """Enabled according to the state of the session, and to whether a run can start."""

    approached = Signal()  # the pointer has come to the buttons

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._start_problem = ""
        self._offered = True
        self._stop_comparison: Callable[[], None] | None = None
        self._is_wrong = True
        tr = self.tr
        # Function keys, and others for keyboards on which function keys need Fn.
        self.train = action(self, tr("&Train"), "trainAction", keys=("F5", "Ctrl+R"))
        self.pause = action(self, tr("&Pause"), "pauseAction", keys=("F6", "Ctrl+P"))
        self.step = action(self, tr("One &step"), "stepAction", keys=("F7", "Ctrl+Shift+P"))
        self.step_at_once = action(
            self, tr("One step, at &once"), "stepAtOnceAction", keys=("Shift+F7", "Ctrl+Shift+K")
        )
        self.stop = action(self, tr("St&op"), "stopAction", keys=("Shift+F5", "Ctrl+."))
        tip = tr("Slow motion: how many batches are trained in a second, also while a run trains.")
        speeds = (
            (speed, tr("{n} batches a second", None, speed).format(n=speed)) for speed in SPEEDS
        )
        items = [(0, tr("Full speed")), *speeds]
        self.speed_box = combo("speedBox", tr("Speed"), tip, items, characters=10)
        self.speed_box.currentIndexChanged.connect(
            lambda: session.set_speed(self.speed_box.currentData())
        )
        self.speed_row = labeled(tr("Speed"), self.speed_box, grows=True)
        self.obstacle_button = StartProblemButton()
        self._start_tip = tr(
            "Train with these settings (F5); then you can pause, go step by step or stop."
        )
        self._step_tip = tr(
            "Train on one batch, and see how: forward, error, back, change (F7). With Shift: at "
            "once, without looking."
        )
        self.train_button = self._button(self.train, tr("Train"), "play", self._start_tip)
        tip = tr("Pause the run, or continue it (F6).")
        self.pause_button = self._button(self.pause, tr("Pause"), "pause", tip)
        # Without a text: beside Resume and Stop it leaves the settings their one row.
        self.step_button = self._button(self.step, "", "step", self._step_tip, self._step)
        self.step_button.setAccessibleName(tr("Step"))
        self.stop_button = self._button(self.stop, tr("Stop"), "stop", "")
        self.pause.triggered.connect(session.pause_or_resume)
        self.stop.triggered.connect(self._stop)
        session.state_changed.connect(self.refresh)
        for made in (self.pause_button, self.stop_button):
            made.setMinimumSize(_STOP)
        self.step_button.setMinimumSize(_STEP)
        self._follow_theme()
        theme().changed.connect(self._follow_theme)
        row(
            None,
            self.train_button,
            self.step_button,
            self.pause_button,
            self.stop_button,
            owner=self,
        )
        self.refresh()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.approached.emit()

    def _follow_theme(self) -> None:
        self.train_button.setMinimumSize(_LARGE_TRAIN if theme().is_large else _TRAIN)

    def _step(self) -> None:
        """Step, with Shift at once."""
        shifted = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        (self.step_at_once if shifted else self.step).trigger()

    def _button(
        self,
        source: QAction,
        text: str,
        icon: str,
        tip: str,
        slot: Callable[[], object] | None = None,
    ) -> QPushButton:
        """The button of an action, with which it is enabled and disabled. slot: in place of it."""
        name = source.objectName().replace("Action", "Button")
        kind = PrimaryButton if icon == "play" else QPushButton
        made = button(text, name, tip, slot or source.trigger, icon=icon, kind=kind)
        source.enabledChanged.connect(made.setEnabled)
        return made

    def set_start_problem(self, text: str, *, is_wrong: bool = True) -> None:
        """`text`: why a run cannot start now, or empty. is_wrong: the settings have to be corrected
        for it.
        """
        self._start_problem = text
        self._is_wrong = is_wrong
        self.refresh()

    def offer_start(self, offered: bool) -> None:
        """Whether runs can be started here; a step of a lab that has its own runs does not offer
        it.
        """
        self._offered = offered
        self.refresh()

    def offer_stop(self, stop_comparison: Callable[[], None] | None) -> None:
        """Stop the comparison that is being trained in place of a run; None: there is none."""
        self._stop_comparison = stop_comparison
        self.refresh()

    def _stop(self) -> None:
        stop = self._stop_comparison or self._session.stop
        stop()

    def refresh(self) -> None:
        state = self._session.state
        idle = state is State.IDLE
        paused = state is State.PAUSED
        start_problem = self._start_problem if idle else ""
        can_start = idle and not start_problem and self._offered
        self.train.setEnabled(can_start)
        for step in (self.step, self.step_at_once):
            step.setEnabled(can_start or paused)
        self.obstacle_button.show_text(start_problem, is_wrong=self._is_wrong)
        self.train_button.setToolTip(start_problem or self._start_tip)
        self.step_button.setToolTip(start_problem or self._step_tip)
        compares = self._stop_comparison is not None
        self.train_button.setVisible(idle and self._offered and not compares)
        self.step_button.setVisible(paused)
        self.speed_row.setVisible(not idle)
        self.pause_button.setVisible(not idle)
        self.stop_button.setVisible(compares or not idle)
        tip = self.tr("Stop the run and keep the trained network (Shift+F5).")
        if compares:
            tip = self.tr("Stop the comparison (Shift+F5); it can be continued under Compare.")
        self.stop_button.setToolTip(tip)
        self.pause.setEnabled(state in (State.PREPARING, State.RUNNING, State.PAUSED))
        self.stop.setEnabled(compares or not idle)
        text = self.tr("Resume") if paused else self.tr("Pause")
        self.pause.setText("&" + text)
        self.pause_button.setText(text)
        set_icon(self.pause_button, "play" if paused else "pause")
