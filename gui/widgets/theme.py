"""The light and dark theme: the palette and the style sheet of the application."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from gui.widgets.colours import DARK, LIGHT, Colours, with_high_contrast
from gui.widgets.style_sheet import style_sheet

_COLOR_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
SCHEMES = tuple(_COLOR_SCHEMES)


class Theme(QObject):
    """Applies the chosen theme to the application.

    choice: one of SCHEMES; any other means "system". `changed` is emitted after the palette and the style sheet have
    been set.
    """

    changed = Signal()

    def __init__(self, choice: str = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice = choice if choice in SCHEMES else "system"
        self.colours = LIGHT
        # Qt emits the signal before it applies the platform's palette, which would replace ours: hence the queue.
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self.apply, Qt.ConnectionType.QueuedConnection)
        hints.accessibility().contrastPreferenceChanged.connect(
            self.apply, Qt.ConnectionType.QueuedConnection
        )
        self.apply()

    def choose(self, choice: str) -> None:
        self.choice = choice
        self.apply()

    def apply(self) -> None:
        hints = QApplication.styleHints()
        # Title bars, native menus and native dialogs follow this, too.
        hints.setColorScheme(_COLOR_SCHEMES[self.choice])
        dark = self.choice == "dark" or (
            self.choice == "system" and hints.colorScheme() == Qt.ColorScheme.Dark
        )
        self.colours = DARK if dark else LIGHT
        if _prefers_high_contrast():
            self.colours = with_high_contrast(self.colours)
        QPixmapCache.clear()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        # With a style sheet set, the change of both takes three times as long, because widgets are polished twice.
        app.setStyleSheet("")
        app.setPalette(palette(self.colours))
        app.setStyleSheet(style_sheet(self.colours))
        self.changed.emit()


def _prefers_high_contrast() -> bool:
    """Whether the system is set to high contrast."""
    preference = QApplication.styleHints().accessibility().contrastPreference()
    return preference == Qt.ContrastPreference.HighContrast


def palette(colours: Colours) -> QPalette:
    result = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, colours.window), (role.WindowText, colours.text), (role.Base, colours.base),
        (role.AlternateBase, colours.window), (role.Text, colours.text), (role.Button, colours.raised),
        (role.ButtonText, colours.text), (role.BrightText, colours.bad), (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent), (role.Link, colours.accent),
        (role.LinkVisited, colours.accent), (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text), (role.PlaceholderText, colours.muted),
        (role.Accent, colours.accent), (role.Mid, colours.line), (role.Midlight, colours.line),
        (role.Light, colours.raised), (role.Dark, colours.line),
    ):  # fmt: skip
        result.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, target, QColor(colours.muted))
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(colours.line))
    return result
