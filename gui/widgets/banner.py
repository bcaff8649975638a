"""A message strip that does not block the window: the end of a run, an error, a saved file."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QBoxLayout, QFrame, QPushButton, QWidget

from gui.background.task_runner import Failure
from gui.widgets import make
from gui.widgets.basics import delayed
from gui.widgets.messages import set_message
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import theme

# In ascending severity.
TONES = ("good", "info", "bad")
SHOWN_MILLISECONDS = 5000
# Pixels: to the edges of the page; and at a text size of 100 %, the width at the most and the
# height at the least.
_EDGE = 16
_TOP = 4
_WIDTH = 560
_HEIGHT = 30
_TONE = 4  # pixels: the width of the bar in the color of the tone


class _ToastButton(QPushButton):
    """Text in the accent of the opposite theme, without a border."""

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 20, metrics.height() + 10)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        accent = QColor(theme().inverse.accent)
        with QPainter(self) as painter:
            if self.hasFocus() or self.underMouse():
                paint_rounded(
                    painter, self.rect(), accent, "transparent", 2 if self.hasFocus() else 1
                )
            painter.setPen(accent)
            painter.setFont(theme().font(bold=True))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class Banner(QFrame):
    """Hidden until it has a message. A new message replaces the one before.

    over: the window at whose upper right the banner floats. What offers no action and is no error
    then disappears after a few seconds, or by `leave`. Without `over` the banner is placed in a
    layout and stays until it is dismissed.
    """

    def __init__(self, over: QWidget | None = None) -> None:
        super().__init__(over)
        self.setObjectName("banner")
        self._over = over
        self._message = self._details = ""
        self.text = make.label(name="bannerText", selectable=True, plain=True)
        self.text.setForegroundRole(QPalette.ColorRole.Window)
        tip = self.tr("Copy this message with its details.")
        copy = self.tr("Copy details")
        self.copy_button = make.button(
            copy, "copyDetailsButton", tip, self._copy, kind=_ToastButton
        )
        self._actions: dict[QObject, Callable[[], None]] = {}
        self.action_button, self.other_button = (
            make.button("", name, slot=self._run, kind=_ToastButton)
            for name in ("bannerActionButton", "bannerOtherButton")
        )
        close = make.button(
            "\N{MULTIPLICATION X}",
            "dismissButton",
            self.tr("Close this message (Esc)."),
            self.hide,
            kind=_ToastButton,
        )
        close.setAccessibleName(self.tr("Dismiss"))
        buttons = make.row(self.action_button, self.other_button, self.copy_button, spacing=4)
        self._body = make.row((self.text, 1), buttons, spacing=4)
        make.row((self._body, 1), close, owner=self, spacing=4).setContentsMargins(16, 4, 8, 4)
        self._timer = delayed(self, self._hide_without_focus, SHOWN_MILLISECONDS)
        if over:
            over.installEventFilter(self)
            theme().changed.connect(self._place)
        self.hide()

    def show_text(self, text: str, tone: str = "info", details: str = "") -> None:
        """Show `text` in the colors of `tone`, one of TONES. `details` can be copied, and are not
        shown.
        """
        self._message = text
        self._details = details
        set_message(self.text, text)
        self.text.setAccessibleName(text)
        self.copy_button.setVisible(bool(details) or tone == "bad")
        self.action_button.hide()
        self.other_button.hide()
        self.setProperty("tone", tone)
        self.update()
        self.show()
        self._place()
        self._timer.stop()
        if self._over and tone != "bad":
            self._timer.start()
        # Screen readers do not notice a widget that appears.
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def show_failure(self, failure: Failure | None) -> None:
        """Show why a task has failed; nothing for one that has not."""
        if failure is not None:
            self.show_text(failure.text, "bad", failure.details)

    def append_text(self, text: str, tone: str, details: str) -> None:
        """Append `text` to the message. The more severe tone counts, and an action that is offered
        remains.
        """
        if self.isHidden():
            self.show_text(text, tone, details)
            return
        # Asked before `show_text`, which hides the buttons.
        has_action = self.action_button.isVisibleTo(self)
        tone = max(tone, str(self.property("tone")), key=TONES.index)
        self.show_text(f"{self._message} {text}", tone, f"{self._details}\n{details}".strip())
        self.action_button.setVisible(has_action)
        self._place()

    def offer(self, label: str, action: Callable[[], None], *, instead: bool = False) -> None:
        """Add a button to the message that calls `action`. instead: a second one, an alternative to
        the first.
        """
        button = self.other_button if instead else self.action_button
        self._timer.stop()  # what is offered stays until the user goes on
        self._actions[button] = action
        button.setText(label)
        button.show()
        self._place()

    def withdraw(self, action: Callable[[], None]) -> None:
        """Hide the message if it offers this action, which no longer applies."""
        if self._actions.get(self.action_button) == action and self.action_button.isVisibleTo(self):
            self.hide()

    def leave(self) -> None:
        """The user goes on to something else: hide the message, unless it is an error or offers an
        action.
        """
        if self.property("tone") != "bad" and self.action_button.isHidden():
            self.hide()

    def leave_place(self) -> None:
        """Another tab or step is shown: hide the message, unless it is an error."""
        if self.property("tone") != "bad":
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        inverse = theme().inverse
        tones = {"good": inverse.good, "info": inverse.accent, "bad": inverse.bad}
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), colors.text, colors.text, radius=8)
            bar = QRect(0, 8, _TONE, self.height() - 16)
            painter.fillRect(bar, tones[str(self.property("tone"))])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _place(self) -> None:
        """Float at the upper right, where the window has its menus and tabs, and presenter mode no
        control.
        """
        if self._over is None or self.isHidden():
            return
        width = min(self._over.width() - 2 * _EDGE, theme().px(_WIDTH))
        shown = (self.action_button, self.other_button, self.copy_button)
        needed = sum(each.sizeHint().width() for each in shown if not each.isHidden())
        # The actions are below a text that would be narrow beside them.
        is_beside = needed < width // 3
        way = QBoxLayout.Direction
        self._body.setDirection(way.LeftToRight if is_beside else way.TopToBottom)
        self._body.invalidate()  # a new text of the label invalidates only the outer layout
        height = max(self.heightForWidth(width), theme().px(_HEIGHT))
        self.setGeometry(self._over.width() - width - _EDGE, _TOP, width, height)
        # Pages that were made later would lie over it.
        self.raise_()

    def _hide_without_focus(self) -> None:
        """Hide the message, unless its text or one of its buttons has the keyboard focus."""
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self._timer.start()
        else:
            self.hide()

    def _run(self) -> None:
        button = self.sender()
        self.hide()
        self._actions[button]()

    def _copy(self) -> None:
        text = f"{self._message}\n\n{self._details}" if self._details else self._message
        QGuiApplication.clipboard().setText(text)
