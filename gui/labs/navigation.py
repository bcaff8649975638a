"""Back and Next below a lab, and why the next step is closed."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.labs.answers import Answers
from gui.widgets.basics import PrimaryButton
from gui.widgets.make import button, label, row, tip_with_key
from gui.widgets.theme import theme

# Pixels at a text size of 100 %.
_BACK = 96
_NEXT = 144
_HEIGHT = 40
_MOST_HEIGHT = 60  # pixels
PRESENTED_HEIGHT = 48  # in presenter mode
_ABOVE = 12  # pixels, between the line and the buttons


class LabNavigation(QWidget):
    """A row whose place and height stay. `step_asked(by)`: the step before (-1) or the next one
    (1); `hand_in_asked`: after the last; `run_asked`: start the run of the step, in presenter mode.
    """

    step_asked = Signal(int)
    hand_in_asked = Signal()
    run_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_last = False
        self._trained = False
        # Where Qt has moved the focus as the button that started a run was disabled; None: nowhere.
        self._focus_in_run: QWidget | None = None
        self.back = button(
            self.tr("Back"), "labBack", self.tr("The step before."), self._go_back, key="Alt+Left"
        )
        tip = self.tr("The next step.")
        self._next_tip = tip_with_key(tip, "Alt+Right")
        self.next = button(
            self.tr("Next"), "labNext", tip, self._go_on, key="Alt+Right", kind=PrimaryButton
        )
        self.run = button(
            self.tr("Run"),
            "labRun",
            self.tr("Train the network as this step sets it."),
            self.run_asked.emit,
            kind=PrimaryButton,
        )
        self.run.hide()
        self.reason = label("", "labReason", "muted")
        self.reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row = row(self.back, (self.reason, 1), self.next, self.run, owner=self, spacing=12)
        theme().changed.connect(self._fit)
        self._fit()
        self.hide()

    def _fit(self) -> None:
        """Wide buttons below a line; in the bar of presenter mode no line, and buttons as wide as
        their texts.
        """
        is_bar = theme().presenting
        self.reason.setWordWrap(not is_bar)
        self._row.insertWidget(self._row.count() - 1 if is_bar else 1, self.reason, 1)
        self._row.setContentsMargins(0, 0 if is_bar else _ABOVE, 0, 0 if is_bar else 4)
        for made, width in ((self.back, _BACK), (self.next, _NEXT), (self.run, _BACK)):
            made.setFixedHeight(
                min(theme().px(_HEIGHT), PRESENTED_HEIGHT if is_bar else _MOST_HEIGHT)
            )
            text = made.fontMetrics().horizontalAdvance(self.tr("Hand in…")) + theme().px(24)
            made.setMinimumWidth(0 if is_bar else min(theme().px(width), max(width, text)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line between the text and the buttons."""
        if not theme().presenting:
            with QPainter(self) as painter:
                painter.fillRect(0, 0, self.width(), 1, theme().colors.line)

    def _go_back(self) -> None:
        self.step_asked.emit(-1)

    def _go_on(self) -> None:
        if self._is_last:
            self.hand_in_asked.emit()
        else:
            self.step_asked.emit(1)

    def _take_focus(self) -> None:
        """The button that has started the run was disabled during it: the focus of the keyboard
        goes to Next.

        Unless the person has moved it out of the column meanwhile.
        """
        focus = self.window().focusWidget()
        column = self.parentWidget()
        is_inside = focus is not None and column is not None and column.isAncestorOf(focus)
        if focus is None or is_inside or focus is self._focus_in_run:
            self.next.setFocus()

    def follow(self, panel: QWidget) -> None:
        """Be shown and hidden with this panel, which lies elsewhere."""
        # The panel has no signal for being shown or hidden.
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShowToParent:
            self.show()
        elif event.type() == QEvent.Type.HideToParent:
            self.hide()
        # Only watched: the panel has to get the event as well.
        return False

    def show_run(self, text: str, enabled: bool) -> None:
        """Show the button that starts the run of the step, with this text; none at a desk, or
        without a text.
        """
        self.run.setVisible(theme().presenting and bool(text))
        self.run.setText(text)
        self.run.setEnabled(enabled)
        # One main button: two would compete for the eye.
        self.run.set_main(not self.next.is_main)

    def refresh(self, answers: Answers, waits_for: str, trains: bool) -> None:
        """Show where the person may go. `waits_for`: what has to be done before the next step.
        `trains`: whether a run of the lab is in progress.
        """
        step = answers.shown_step
        self._is_last = answers.step + 1 == len(answers.lab.steps)
        may_leave = answers.may_leave(step)
        self.back.setEnabled(answers.step > 0 and not trains)
        self.next.setText(self.tr("Hand in…") if self._is_last else self.tr("Next"))
        self.next.setEnabled(may_leave and not trains)
        self.next.set_main(all(map(answers.is_done, step.parts)))
        # After the buttons were disabled above: only then Qt has moved the focus.
        if trains and not self._trained:
            self._focus_in_run = self.window().focusWidget()
        elif self._trained and not trains and self.next.isEnabled():
            self._take_focus()
        self._trained = trains
        self.reason.setText("" if may_leave else waits_for)
        self.next.setToolTip(self._next_tip if may_leave else waits_for)
