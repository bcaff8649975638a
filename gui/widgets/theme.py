"""A theme is a palette, a style sheet and the colours of plots, light or dark."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from gui.widgets.style_sheet import style_sheet


@dataclass(frozen=True, slots=True)
class Colours:
    """Hex colours of one scheme. `train` and `test` are told apart by the colour-blind too (Okabe, Ito)."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    train: str
    train_raw: str
    test: str
    previous: str
    good: str
    bad: str
    good_back: str
    bad_back: str
    info_back: str
    tick: str  # the file of a check box's tick, in `on_accent`


LIGHT = Colours(
    window="#f5f6f8", base="#ffffff", raised="#ffffff", text="#1c2129", muted="#5a6472", line="#d5dae1",
    accent="#0b62c4", on_accent="#ffffff", train="#0072b2", train_raw="#a9cfe6", test="#c04a00",
    previous="#98a1ae", good="#0a6b4d", bad="#b3261e", good_back="#e2f4ec", bad_back="#fdeceb",
    info_back="#e6f0fb", tick="tick-light.svg",
)  # fmt: skip
DARK = Colours(
    window="#1f2228", base="#2a2e36", raised="#363c46", text="#e6e9ee", muted="#a8b0bd", line="#4a515d",
    accent="#6db3f8", on_accent="#0c1a29", train="#56b4e9", train_raw="#3a6a86", test="#f0a13c",
    previous="#59616e", good="#6fd3ab", bad="#ff9a90", good_back="#17352a", bad_back="#44211f",
    info_back="#1b324a", tick="tick-dark.svg",
)  # fmt: skip

SCHEMES = ("system", "light", "dark")


class Theme(QObject):
    """Keeps the application in the person's scheme; `changed` fires once all has its new colours."""

    changed = Signal()

    def __init__(self, choice: str = "system", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice = choice
        self.colours = LIGHT
        # The signal fires before the platform's own palette is applied, so ours must come after it.
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self.apply, Qt.ConnectionType.QueuedConnection)
        self.apply()

    def choose(self, choice: str) -> None:
        self.choice = choice
        self.apply()

    def apply(self) -> None:
        dark = self.choice == "dark" or (
            self.choice == "system" and QApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.colours = DARK if dark else LIGHT
        QPixmapCache.clear()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setPalette(palette(self.colours))
        app.setStyleSheet(style_sheet(self.colours))
        self.changed.emit()


def palette(colours: Colours) -> QPalette:
    made = QPalette()
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
        made.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, target, QColor(colours.muted))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(colours.line))
    return made
