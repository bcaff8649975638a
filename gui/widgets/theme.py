"""The light and dark theme: the palettes of the application."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from gui.widgets.colours import DARK, LIGHT, Colours, with_high_contrast
from gui.widgets.palette import outlined

_COLOR_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
SCHEMES = tuple(_COLOR_SCHEMES)


class Theme(QObject):
    """Applies the chosen theme to the application.

    choice: one of SCHEMES; any other means "system". `changed` is emitted after the palettes have been set.
    There is no style sheet: with one, a change of theme polishes every widget of the window again.
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
        app.setPalette(palette(self.colours))
        for class_name, special in class_palettes(self.colours).items():
            app.setPalette(special, class_name)  # type: ignore[arg-type]  # bytes are refused
        # Qt posts the events that give the widgets their palettes, which the receivers of `changed` read.
        app.sendPostedEvents(None, QEvent.Type.ApplicationPaletteChange.value)
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


def class_palettes(colours: Colours) -> dict[str, QPalette]:
    """Palettes for the widgets that the Fusion style would draw otherwise than the theme wants, by class name."""
    role, disabled = QPalette.ColorRole, QPalette.ColorGroup.Disabled
    header, check_box, primary, tip = (palette(colours) for _ in range(4))
    header.setColor(role.Button, QColor(colours.window))
    header.setColor(role.ButtonText, QColor(colours.muted))
    check_box.setColor(role.Window, outlined(QColor(colours.muted)))
    check_box.setColor(disabled, role.Window, outlined(QColor(colours.line)))
    primary.setColor(role.Button, QColor(colours.accent))
    primary.setColor(role.ButtonText, QColor(colours.on_accent))
    primary.setColor(disabled, role.Button, QColor(colours.line))
    primary.setColor(disabled, role.ButtonText, QColor(colours.muted))
    tip.setColor(role.Window, outlined(QColor(colours.line)))
    return {
        "QHeaderView": header, "QTableCornerButton": header, "QCheckBox": check_box,
        "PrimaryButton": primary, "QTipLabel": tip,
    }  # fmt: skip
