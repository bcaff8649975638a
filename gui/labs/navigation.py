"""Back and Next below a lab, and why the next step is closed."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.labs.answers import Answers
from gui.widgets.basics import PrimaryButton, note, set_message
from gui.widgets.make import button, check, column, row


class LabNavigation(QWidget):
    """`step_asked(by)`: the step before (-1) or the next one (1); `hand_in_asked`: after the last.
    `settings_asked`: to show all settings, or not.
    """

    step_asked = Signal(int)
    hand_in_asked = Signal()
    settings_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_last = False
        tip = self.tr("The step before.")
        self.back = button(self.tr("Back"), "labBack", tip, self._go_back, key="Alt+Left")
        tip = self.tr("The next step.")
        self.next = button(self.tr("Next"), "labNext", tip, self._go_on, key="Alt+Right", kind=PrimaryButton)
        self._all_tip = self.tr("Show all settings below the text, not only those of this step.")
        text = self.tr("All settings")
        self.all_settings = check(
            text, "labAllSettings", self._all_tip, lambda on: self.settings_asked.emit()
        )
        self.reason = note("muted", "labReason")
        buttons = row(self.back, None, self.all_settings, None, self.next)
        # The row is lower while Next is not the main button; Back stays where it is.
        buttons.setAlignment(self.back, Qt.AlignmentFlag.AlignBottom)
        column(self.reason, buttons, owner=self, spacing=4).setContentsMargins(12, 6, 10, 10)
        self.hide()

    def _go_back(self) -> None:
        self.step_asked.emit(-1)

    def _go_on(self) -> None:
        if self._is_last:
            self.hand_in_asked.emit()
        else:
            self.step_asked.emit(1)

    def follow(self, panel: QWidget) -> None:
        """Be shown and hidden with this panel, which lies elsewhere."""
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShowToParent:
            self.show()
        elif event.type() == QEvent.Type.HideToParent:
            self.hide()
        return False

    def refresh(self, answers: Answers, closed: str, has_settings: bool, trains: bool) -> None:
        """Show where the person may go. `closed`: why runs with other settings cannot be started, or empty.

        `has_settings`: whether the lab sets something. `trains`: whether a run of the lab is in progress.
        """
        self.all_settings.setHidden(not has_settings)
        self.all_settings.setEnabled(not closed)
        self.all_settings.setToolTip(closed or self._all_tip)
        step = answers.shown_step
        self._is_last = answers.step + 1 == len(answers.lab.steps)
        may_leave = answers.may_leave(step)
        self.back.setEnabled(answers.step > 0 and not trains)
        self.next.setText(self.tr("Hand in…") if self._is_last else self.tr("Next"))
        self.next.setEnabled(may_leave and not trains)
        self.next.set_main(all(map(answers.is_done, step.parts)))
        reason = ""
        if not answers.has_predicted(step):
            reason = self.tr("First say what you expect; then go on.")
        elif not may_leave:
            reason = self.tr("First press Run; then go on.")
        set_message(self.reason, reason)
