"""The light and dark theme: the colors and palettes of the application."""

from functools import cache

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from gui.widgets.colors import DARK, LIGHT, Colors, outlined, with_high_contrast

_COLOR_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
SCHEMES = tuple(_COLOR_SCHEMES)


class Theme(QObject):
    """Applies the chosen theme to the application. `theme` returns the only one; it is light until one is chosen.

    `changed` is emitted after the palettes have been set. A widget that paints itself needs no signal: Qt paints it
    again, and it takes `colors`. A widget that keeps colors, such as a plot or an icon, connects in its constructor.
    There is no style sheet: with one, a change of theme polishes every widget of the window again.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice = "system"
        self.colors = LIGHT
        # Qt emits the signal before it applies the platform's palette, which would replace ours: hence the queue.
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self.apply, Qt.ConnectionType.QueuedConnection)
        hints.accessibility().contrastPreferenceChanged.connect(
            self.apply, Qt.ConnectionType.QueuedConnection
        )

    def choose(self, choice: str) -> None:
        """Use one of SCHEMES; any other text means "system"."""
        self.choice = choice if choice in SCHEMES else "system"
        self.apply()

    def apply(self) -> None:
        hints = QApplication.styleHints()
        # Title bars, native menus and native dialogs follow this, too.
        hints.setColorScheme(_COLOR_SCHEMES[self.choice])
        dark = self.choice == "dark" or (
            self.choice == "system" and hints.colorScheme() == Qt.ColorScheme.Dark
        )
        self.colors = DARK if dark else LIGHT
        if _prefers_high_contrast():
            self.colors = with_high_contrast(self.colors)
        QPixmapCache.clear()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setPalette(palette(self.colors))
        for class_name, special in class_palettes(self.colors).items():
            app.setPalette(special, class_name)  # type: ignore[arg-type]  # bytes are refused
        # Qt posts the events that give the widgets their palettes, which the receivers of `changed` read.
        app.sendPostedEvents(None, QEvent.Type.ApplicationPaletteChange.value)
        self.changed.emit()


@cache
def theme() -> Theme:
    """The theme of the application."""
    return Theme(QApplication.instance())


def _prefers_high_contrast() -> bool:
    """Whether the system is set to high contrast."""
    preference = QApplication.styleHints().accessibility().contrastPreference()
    return preference == Qt.ContrastPreference.HighContrast


def palette(colors: Colors) -> QPalette:
    result = QPalette()
    role = QPalette.ColorRole
    for target, color in (
        (role.Window, colors.window), (role.WindowText, colors.text), (role.Base, colors.base),
        (role.AlternateBase, colors.window), (role.Text, colors.text), (role.Button, colors.raised),
        (role.ButtonText, colors.text), (role.BrightText, colors.bad), (role.Highlight, colors.accent),
        (role.HighlightedText, colors.on_accent), (role.Link, colors.accent),
        (role.LinkVisited, colors.accent), (role.ToolTipBase, colors.raised),
        (role.ToolTipText, colors.text), (role.PlaceholderText, colors.muted),
        (role.Accent, colors.accent), (role.Mid, colors.border), (role.Midlight, colors.line),
        (role.Light, colors.raised), (role.Dark, colors.line),
    ):  # fmt: skip
        result.setColor(target, QColor(color))
    for target in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, target, QColor(colors.muted))
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(colors.line))
    return result


def class_palettes(colors: Colors) -> dict[str, QPalette]:
    """Palettes for the widgets that the Fusion style would draw otherwise than the theme wants, by class name."""
    role, disabled = QPalette.ColorRole, QPalette.ColorGroup.Disabled
    header, check_box, primary, tip, field = (palette(colors) for _ in range(5))
    header.setColor(role.Button, QColor(colors.window))
    header.setColor(role.ButtonText, QColor(colors.muted))
    check_box.setColor(role.Window, outlined(QColor(colors.muted)))
    check_box.setColor(disabled, role.Window, outlined(QColor(colors.line)))
    primary.setColor(role.Button, QColor(colors.accent))
    primary.setColor(role.ButtonText, QColor(colors.on_accent))
    primary.setColor(disabled, role.Button, QColor(colors.window))
    primary.setColor(disabled, role.ButtonText, QColor(colors.muted))
    tip.setColor(role.Window, outlined(QColor(colors.line)))
    field.setColor(role.Window, outlined(QColor(colors.border)))
    return {
        "QHeaderView": header, "QTableCornerButton": header, "QCheckBox": check_box,
        "PrimaryButton": primary, "QTipLabel": tip, "QLineEdit": field, "QComboBox": field, "QAbstractSpinBox": field,
    }  # fmt: skip
