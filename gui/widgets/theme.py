"""The looks of the application: colors, high contrast, text size, presenter mode
(docs/design-notes.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QImage, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication, QStyle

from core.colors import SERIES_ON_DARK, SERIES_ON_LIGHT

_COLOR_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
SCHEMES = tuple(_COLOR_SCHEMES)
# Type scale: pixels of the body text, in a window that is narrower than LARGE_WIDTH and in others.
# A system whose own text is larger keeps it.
BODY, LARGE_BODY = 13, 15
LARGE_WIDTH = 1600
# The other sizes as multiples of the body text: captions, a lab's text, section heads, titles,
# results.
SMALL, READING, HEADING, TITLE, RESULT = 12 / 13, 16 / 13, 15 / 13, 20 / 13, 28 / 13
TEXT_SIZES = (100, 120, 140, 160, 180, 200)  # percent
PRESENTED_TEXT, PRESENTED_LINE = 26, 5  # pixels, in presenter mode
# Pixels of a window from which on that is so; in a smaller one the text is smaller.
PRESENTED_WIDTH = 1280
LEAST_PRESENTED = 0.5  # the least share of PRESENTED_TEXT
PRESENTED_SIZES = (70, 85, 100, 120, 140)  # percent of PRESENTED_TEXT


@dataclass(frozen=True, slots=True)
class Colors:
    """Hex colors of one theme."""

    window: str
    base: str
    raised: str
    text: str
    muted: str
    line: str  # between parts
    border: str  # of what can be used; it can be told from all backgrounds
    accent: str
    on_accent: str
    previous: str
    good: str
    bad: str
    notice: str  # something has changed
    too_much: str  # errors: less of it, and more of it, would lower the loss
    too_little: str
    good_back: str
    bad_back: str
    info_back: str  # a tint of the accent: what is chosen
    track: str  # of bars
    grid: str
    series: tuple[str, ...]

    @property
    def train(self) -> str:
        return self.series[0]

    @property
    def test(self) -> str:
        return self.series[1]


LIGHT = Colors(
    window="#eef1f5", base="#ffffff", raised="#ffffff", text="#1c2129", muted="#566070",
    line="#d9dee6", border="#828a96", accent="#0b62c4", on_accent="#ffffff", previous="#858f9d",
    good="#0a6b4d", bad="#b3261e", notice="#8a5a00", too_much="#8a2f9b", too_little="#2e7d32",
    good_back="#e2f4ec", bad_back="#fdeceb",
    info_back="#e4effb", track="#e4e8ee", grid="#e3e6eb",
    series=SERIES_ON_LIGHT,
)  # fmt: skip
DARK = Colors(
    window="#1a1d22", base="#24282f", raised="#333943", text="#e8ebf0", muted="#aab2bf",
    line="#3c434e", border="#8a92a0", accent="#6db3f8", on_accent="#0c1a29", previous="#858e9d",
    good="#6fd3ab", bad="#ff9a90", notice="#f2b84b", too_much="#d58be6", too_little="#7ccf80",
    good_back="#17352a", bad_back="#44211f",
    info_back="#1e3a57", track="#373d47", grid="#343a44",
    series=SERIES_ON_DARK,
)  # fmt: skip


def with_high_contrast(colors: Colors) -> Colors:
    """The theme with one background, text in black or white, and lines and hints as strong as
    text.
    """
    text = "#000000" if colors is LIGHT else "#ffffff"
    back = "#ffffff" if colors is LIGHT else "#000000"
    grid = "#8a8a8a" if colors is LIGHT else "#767676"
    return replace(
        colors, window=back, base=back, raised=back, text=text, muted=text, line=text, border=text,
        previous=text, good_back=back, bad_back=back, track=back, grid=grid,
    )  # fmt: skip


class Theme(QObject):
    """Applies the chosen theme to the application. `theme` returns the only one; it is light until
    one is chosen.

    `changed` is emitted after palettes and fonts have been set. A widget that paints itself needs
    no signal: Qt paints it again, and it takes `colors`. A widget that keeps colors or sizes in
    pixels, such as a plot or an icon, connects in its constructor. There is no style sheet: with
    one, a change of theme polishes every widget of the window again.

    text_size: percent, one of TEXT_SIZES. presenting: whether the window is in presenter mode;
    presented_size: of its text, in percent. is_large: whether the
    window is so wide that its text is larger.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choice = "system"
        self.high_contrast = False
        self.presenting = False
        self.is_large = False
        self.shows_letters = False  # the underlined ones of menus and labels
        self.text_size = 100
        self.presented_size = 100
        self._presented_share = 1.0  # of the text of presenter mode, in a small window
        self.colors = LIGHT
        self._font = QApplication.font()  # of the system
        # Qt emits the signal before it applies the platform's palette, which would replace ours:
        # hence the queue.
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self.apply, Qt.ConnectionType.QueuedConnection)
        hints.accessibility().contrastPreferenceChanged.connect(
            self.apply, Qt.ConnectionType.QueuedConnection
        )

    def choose(self, choice: str, *, high_contrast: bool | None = None, text_size: int = 0) -> None:
        """Use one of SCHEMES; any other text means "system". What is not given stays as it is."""
        self.choice = choice if choice in SCHEMES else "system"
        self.high_contrast = self.high_contrast if high_contrast is None else high_contrast
        self.text_size = text_size if text_size in TEXT_SIZES else self.text_size
        self.apply()

    def present(self, on: bool, size: int = 100) -> None:
        """Use the type and the lines of presenter mode, or those of a desk. size: one of
        PRESENTED_SIZES.
        """
        self.presenting = on
        self.presented_size = size
        self.apply()

    def fit(self, width: int) -> None:
        """Use the type of a window of this width in pixels."""
        is_large = width >= LARGE_WIDTH
        share = min(max(round(width / PRESENTED_WIDTH, 1), LEAST_PRESENTED), 1.0)
        is_other = is_large != self.is_large or (self.presenting and share != self._presented_share)
        self.is_large = is_large
        self._presented_share = share
        if is_other:
            self.apply()

    @property
    def scale(self) -> float:
        """The size of the text as a multiple of the usual one, which a small window has."""
        if self.presenting:
            return PRESENTED_TEXT / self._body * self._presented_share * self.presented_size / 100
        scale = self.text_size / 100
        if self.is_large:
            scale *= LARGE_BODY / BODY
        return scale

    @property
    def _body(self) -> int:
        """Pixels of the body text of a small window at a text size of 100 %."""
        return max(BODY, QFontInfo(self._font).pixelSize())

    def px(self, pixels: float) -> int:
        """So many pixels at a text size of 100 % in the present one: for what has to grow with the
        text.
        """
        return round(pixels * self.scale)

    def line(self, pixels: float = 2) -> int:
        """The width of a line in a plot that is so wide at a text size of 100 %."""
        return round(pixels * PRESENTED_LINE / 2) if self.presenting else self.px(pixels)

    def font(self, size: float = 1.0, *, bold: bool = False) -> QFont:
        """The font of the application; size: a multiple of the body text, such as TITLE."""
        made = QFont(self._font)
        # Whole ones: letters of 13.8 pixels are blurred.
        pixels = int(self._body * self.scale * size + 1e-6)
        made.setPointSizeF(pixels * 72 / QGuiApplication.primaryScreen().logicalDotsPerInch())
        if bold:
            made.setWeight(QFont.Weight.DemiBold)
        return made

    def apply(self) -> None:
        hints = QApplication.styleHints()
        # Title bars, native menus and native dialogs follow this, too.
        hints.setColorScheme(_COLOR_SCHEMES[self.choice])
        dark = self.choice == "dark" or (
            self.choice == "system" and hints.colorScheme() == Qt.ColorScheme.Dark
        )
        self.colors = DARK if dark else LIGHT
        if self.high_contrast or _prefers_high_contrast():
            self.colors = with_high_contrast(self.colors)
        QPixmapCache.clear()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setPalette(palette(self.colors))
        for class_name, special in class_palettes(self.colors).items():
            app.setPalette(special, class_name)  # type: ignore[arg-type]  # bytes are refused
        # Qt forgets the fonts of menus and other classes at a change, so that there is none without
        # need.
        if QFontInfo(app.font()).pixelSize() != QFontInfo(self.font()).pixelSize():
            app.setFont(self.font())
        for class_name, font in self.class_fonts().items():
            app.setFont(font, class_name)  # type: ignore[arg-type]  # bytes are refused
        # Qt posts the events that give the widgets their palettes and fonts, which the receivers of
        # `changed` read.
        for kind in (QEvent.Type.ApplicationPaletteChange, QEvent.Type.ApplicationFontChange):
            app.sendPostedEvents(None, kind.value)
        self.changed.emit()

    @property
    def is_dark(self) -> bool:
        return QColor(self.colors.window).lightness() < 128

    @property
    def inverse(self) -> Colors:
        """The colors of the opposite theme, for what is painted on the color of text."""
        return LIGHT if self.is_dark else DARK

    def class_fonts(self) -> dict[str, QFont]:
        """Fonts of the widgets whose text is not body text, by class name."""
        return {
            "CaptionLabel": self.font(SMALL),
            "HeadingLabel": self.font(HEADING, bold=True),
            "TitleLabel": self.title_font(),
            "ResultLabel": self.result_font(),
            "QHeaderView": self.font(SMALL, bold=True),
        }

    def title_font(self) -> QFont:
        """The font of a title, and of the answer in words."""
        return self.font(TITLE, bold=True)

    def result_font(self) -> QFont:
        """The font of the result of a run, which is the largest text of the window but for the
        digit that is read.
        """
        made = self.font(RESULT)
        made.setWeight(QFont.Weight.Bold)
        return made


@cache
def theme() -> Theme:
    return Theme(QApplication.instance())


def next_size(sizes: Sequence[int], size: int, step: int) -> int:
    """The size that is `step` after `size` in `sizes`, or the first or the last; 100 for a step of
    0.
    """
    if step == 0:
        return 100
    index = sizes.index(size) + step
    return sizes[min(max(index, 0), len(sizes) - 1)]


def _prefers_high_contrast() -> bool:
    """Whether the system is set to high contrast."""
    preference = QApplication.styleHints().accessibility().contrastPreference()
    return preference == Qt.ContrastPreference.HighContrast


def motion_wanted() -> bool:
    """Whether the system, by its style, wants motion.

    Whatever moves in the window asks here first: the flow through the stage, the answer on it and
    its layers, the steps of a lab and the ticks in them.
    """
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return QApplication.style().styleHint(hint) > 0


def motion(
    owner: QObject,
    milliseconds: int,
    on_step: Callable[[float], None],
    start: float = 0.0,
    end: float = 1.0,
) -> QVariantAnimation:
    """An animation that calls `on_step` with numbers from `start` to `end` once it is started."""
    animation = QVariantAnimation(owner)
    animation.setDuration(milliseconds)
    animation.setStartValue(start)
    animation.setEndValue(end)
    animation.valueChanged.connect(on_step)
    return animation


def palette(colors: Colors) -> QPalette:
    result = QPalette()
    role = QPalette.ColorRole
    for target, color in (
        (role.Window, colors.window), (role.WindowText, colors.text), (role.Base, colors.base),
        (role.AlternateBase, colors.window), (role.Text, colors.text), (role.Button, colors.raised),
        (role.ButtonText, colors.text), (role.BrightText, colors.bad),
        (role.Highlight, colors.accent), (role.HighlightedText, colors.on_accent),
        (role.Link, colors.accent), (role.LinkVisited, colors.accent),
        (role.ToolTipBase, colors.raised), (role.ToolTipText, colors.text),
        (role.PlaceholderText, colors.muted),
        (role.Accent, colors.accent), (role.Mid, colors.border), (role.Midlight, colors.line),
        (role.Light, colors.raised), (role.Dark, colors.line),
    ):  # fmt: skip
        result.setColor(target, color)
    for target in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, target, colors.muted)
    result.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colors.line)
    return result


def class_palettes(colors: Colors) -> dict[str, QPalette]:
    """Palettes for the widgets whose colors differ from the application's, by class name."""
    role, disabled = QPalette.ColorRole, QPalette.ColorGroup.Disabled
    header = palette(colors)
    header.setColor(role.ButtonText, colors.muted)
    rows = palette(colors)
    rows.setColor(role.Highlight, colors.info_back)
    rows.setColor(role.HighlightedText, colors.text)
    primary = palette(colors)
    primary.setColor(role.Button, colors.accent)
    primary.setColor(role.ButtonText, colors.on_accent)
    primary.setColor(disabled, role.Button, colors.window)
    primary.setColor(disabled, role.ButtonText, colors.muted)
    tip = palette(colors)
    # Fusion outlines it in Window.darker(140).
    tip.setColor(role.Window, QColor(colors.line).lighter(140))
    return {
        "QAbstractItemView": rows, "QHeaderView": header, "PrimaryButton": primary,
        "StartProblemButton": palette(colors), "QTipLabel": tip,
    }  # fmt: skip


def blend(first: QColor, second: QColor, fraction: float) -> QColor:
    """`first` with `fraction` (0 to 1) of `second` mixed in."""
    return QColor.fromRgbF(
        first.redF() + (second.redF() - first.redF()) * fraction,
        first.greenF() + (second.greenF() - first.greenF()) * fraction,
        first.blueF() + (second.blueF() - first.blueF()) * fraction,
    )


def mix(
    palette: QPalette, first: QPalette.ColorRole, second: QPalette.ColorRole, fraction: float
) -> QColor:
    """The palette's color `first` with `fraction` (0 to 1) of its color `second` mixed in."""
    return blend(palette.color(first), palette.color(second), fraction)


def ink_table(palette: QPalette) -> list[int]:
    """The color table of an 8-bit image of ink: 0 is the paper (Base), 255 is full ink (Text)."""
    return list(
        _ink_colors(
            palette.color(QPalette.ColorRole.Base).rgb(),
            palette.color(QPalette.ColorRole.Text).rgb(),
        )
    )


def ink_image(levels: np.ndarray, palette: QPalette) -> QImage:
    """An image of ink, uint8 (height, width), in the colors of `ink_table`; one that is scaled
    smoothly.
    """
    height, width = levels.shape
    data = np.ascontiguousarray(levels).tobytes()
    image = QImage(data, width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable(ink_table(palette))
    return image.convertToFormat(QImage.Format.Format_RGB32)


@cache
def _ink_colors(paper: int, ink: int) -> tuple[int, ...]:
    return tuple(blend(QColor(paper), QColor(ink), level / 255).rgb() for level in range(256))
