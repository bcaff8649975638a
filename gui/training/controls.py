"""The actions and buttons that train, pause or resume, advance by one step and stop."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from gui.training.session import Session, State
from gui.widgets.basics import PrimaryButton, named, note, set_message
from gui.widgets.pictures import set_icon

# Longer texts are cut; the field shows the complete one.
MAX_CHARACTERS = 160


class StartProblemButton(QPushButton):
    """A flat button with text of several lines. Pressing it leads to the field that has to be changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("obstacleButton")
        self.setFlat(True)
        # The return key presses it too.
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Go to the field that prevents the run."))
        self.label = named(note("error"), "obstacleText")
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 3, 4, 3)
        self._column.addWidget(self.label)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show why a run cannot start. An empty text hides the button."""
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

    start_problem_asked = Signal()  # the button with the start problem was pressed

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._start_problem = ""
        self.train = self._action("train", self.tr("&Train"), "F5", "Ctrl+R")
        self.pause = self._action("pause", self.tr("&Pause"), "F6", "Ctrl+P")
        self.step = self._action("step", self.tr("One &step"), "F7", "Ctrl+Shift+P")
        self.stop = self._action("stop", self.tr("St&op"), "Shift+F5", "Ctrl+.")
        self.obstacle_button = StartProblemButton()
        self.obstacle_button.clicked.connect(self.start_problem_asked)
        self._start_tip = self.tr("Start training with these settings (F5).")
        self._step_tip = self.tr("Train on one batch, then pause (F7).")
        self.train_button = self._button(
            self.train, "trainButton", self.tr("Train"), self._start_tip, PrimaryButton
        )
        self.pause_button = self._button(
            self.pause, "pauseButton", self.tr("Pause"), self.tr("Pause the run, or continue it (F6).")
        )
        self.step_button = self._button(self.step, "stepButton", self.tr("Step"), self._step_tip)
        self.stop_button = self._button(
            self.stop,
            "stopButton",
            self.tr("Stop"),
            self.tr("Stop the run and keep the trained network (Shift+F5)."),
        )
        for name, button in (
            ("play", self.train_button),
            ("step", self.step_button),
            ("stop", self.stop_button),
        ):
            set_icon(button, name)
        self.pause.triggered.connect(session.pause_or_resume)
        self.stop.triggered.connect(session.stop)
        session.state_changed.connect(self.refresh)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 10, 10)
        grid.setSpacing(6)
        grid.addWidget(self.obstacle_button, 0, 0, 1, 3)
        grid.addWidget(self.train_button, 1, 0, 1, 3)
        for column, button in enumerate((self.pause_button, self.step_button, self.stop_button)):
            grid.addWidget(button, 2, column)
            grid.setColumnStretch(column, 1)
        self.refresh()

    def set_start_problem(self, text: str) -> None:
        """`text`: why a run cannot start with the present settings, or empty."""
        self._start_problem = text
        self.refresh()

    def refresh(self) -> None:
        state = self._session.state
        can_pause = state in (State.PREPARING, State.RUNNING, State.PAUSED)
        paused = state is State.PAUSED
        idle = state is State.IDLE
        start_problem = self._start_problem if idle else ""
        can_start = idle and not start_problem
        self.train.setEnabled(can_start)
        self.step.setEnabled(can_start or paused)
        self.obstacle_button.show_text(start_problem)
        self.train_button.setToolTip(start_problem or self._start_tip)
        self.step_button.setToolTip(start_problem or self._step_tip)
        self.pause.setEnabled(can_pause)
        self.stop.setEnabled(state is not State.IDLE)
        text = self.tr("Resume") if paused else self.tr("Pause")
        self.pause.setText("&" + text)
        self.pause_button.setText(text)
        self._show_pause_icon()
        for action, button in (
            (self.train, self.train_button), (self.pause, self.pause_button),
            (self.step, self.step_button), (self.stop, self.stop_button),
        ):  # fmt: skip
            button.setEnabled(action.isEnabled())

    def _show_pause_icon(self) -> None:
        name = "play" if self._session.state is State.PAUSED else "pause"
        set_icon(self.pause_button, name)

    def _action(self, name: str, text: str, *keys: str) -> QAction:
        """`keys`: a function key, and one for keyboards on which function keys need Fn."""
        action = named(QAction(text, self), f"{name}Action")
        action.setShortcuts([QKeySequence(key) for key in keys])
        return action

    def _button(
        self, action: QAction, name: str, text: str, tip: str, kind: type[QPushButton] = QPushButton
    ) -> QPushButton:
        # Not a QToolButton of the action: the button has a shorter text, and the menu has no icon.
        button = named(kind(text), name)
        button.setToolTip(tip)
        button.setIconSize(QSize(14, 14))
        button.setAutoDefault(False)
        button.clicked.connect(action.trigger)
        return button
