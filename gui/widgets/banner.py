"""A banner is a strip above the plots that tells of an ending or a refusal, without stopping anything."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from gui.widgets.basics import breakable, named, set_style_property

# The later one is the graver.
TONES = ("good", "info", "bad")


class Banner(QFrame):
    """Hidden until it has something to say; the person closes it, or the next run does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._said = self._details = ""
        self.text = named(QLabel(), "bannerText")
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy_button = named(QPushButton(self.tr("Copy details")), "copyDetailsButton")
        self.copy_button.setToolTip(self.tr("Copy this message, with all that is known about it."))
        self.copy_button.clicked.connect(self._copy)
        self.action_button = named(QPushButton(), "bannerActionButton")
        self.action_button.clicked.connect(self._act)
        self._action: Callable[[], None] | None = None
        close = named(QPushButton(self.tr("Dismiss")), "dismissButton")
        close.setToolTip(self.tr("Close this message."))
        close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.addWidget(self.text, 1)
        row.addWidget(self.action_button)
        row.addWidget(self.copy_button)
        row.addWidget(close)
        self.hide()

    def show_text(self, text: str, tone: str = "info", details: str = "") -> None:
        """`tone` is one of TONES."""
        self._details = details
        self._said = text
        self.text.setText(breakable(text))
        self.text.setAccessibleName(text)
        self.copy_button.setVisible(bool(details) or tone == "bad")
        self.action_button.hide()
        set_style_property(self, "tone", tone)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def add(self, text: str, tone: str, details: str) -> None:
        """Say this too, after what is said already, in the graver of the two tones; what is offered stays."""
        if self.isHidden():
            self.show_text(text, tone, details)
            return
        offered = self.action_button.isVisibleTo(self)
        graver = max(tone, str(self.property("tone")), key=TONES.index)
        self.show_text(f"{self._said} {text}", graver, f"{self._details}\n{details}".strip())
        self.action_button.setVisible(offered)

    def offer(self, label: str, action: Callable[[], None]) -> None:
        """Put a button beside the text that does what the text suggests."""
        self._action = action
        self.action_button.setText(label)
        self.action_button.show()

    def withdraw(self, action: Callable[[], None]) -> None:
        """Close the message that offers this action, which has nothing to do any more."""
        if self._action == action and self.action_button.isVisibleTo(self):
            self.hide()

    def _act(self) -> None:
        self.hide()
        if self._action:
            self._action()

    def _copy(self) -> None:
        text = f"{self._said}\n\n{self._details}" if self._details else self._said
        QGuiApplication.clipboard().setText(text)
