"""The texts of a lab: Markdown, choices, what came out, and values as words."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QLabel, QTextBrowser

from core.labs.forms import inside
from gui.text import number, percent, unbroken
from gui.widgets.basics import FitsOnResize, named, paint_rounded
from gui.widgets.messages import set_message
from gui.widgets.theme import READING, blend, motion, motion_wanted, theme

# Multiples of the size of the text.
_LINE_HEIGHT = 1.5
_BETWEEN_PARAGRAPHS = 1.0
MARK_MILLISECONDS = 200
# Pixels at a text size of 100 %.
_MARK = 16
_PADDING = 12


def value_text(value: float, quantity: str) -> str:
    """A value of a quantity of a lab: accuracies are percentages. "r2": R²."""
    if quantity == "r2":
        return f"R² {number(value, 3)}"
    return percent(value / 100, 1) if quantity.endswith("accuracy") else number(value, 3)


def reading_font() -> QFont:
    """The font of what is read in a lab: 16 pixels at a desk, that of all text in presenter
    mode.
    """
    return theme().font(1.0 if theme().presenting else READING)


def reading_px(pixels: float) -> int:
    """So many pixels beside text of 16 pixels, in the present size of what is read."""
    return round(pixels * QFontInfo(reading_font()).pixelSize() / 16)


class LabText(FitsOnResize, QTextBrowser):
    """Markdown as high as its text. HTML in it is shown as text; pictures come from `folder` only.

    is_question: it is written in bold.
    """

    def __init__(self, markdown: str, folder: Path | None, *, is_question: bool = False) -> None:
        super().__init__()
        self._folder = folder
        if is_question:
            bold = QFont()
            bold.setWeight(QFont.Weight.DemiBold)
            self.setFont(bold)
        named(self, "labText", self.tr("Text of the lab"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        # A link must not replace the text by its target.
        self.setOpenLinks(False)
        if "](" not in markdown:
            # There is no link to go to, and nothing to scroll.
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.anchorClicked.connect(self._open)
        self.document().setDocumentMargin(0)
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(
            unbroken(markdown), features.MarkdownDialectCommonMark | features.MarkdownNoHTML
        )
        unsize_code(self.document())
        self._fit_lines()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        url = QUrl(name)
        # Nothing is loaded from elsewhere: that would tell who reads the lab.
        path = inside(self._folder, url.toString()) if url.isRelative() else None
        return (
            super().loadResource(kind, QUrl.fromLocalFile(str(path))) if path is not None else None
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_lines()

    def _fit_lines(self) -> None:
        """Space lines and paragraphs as the size of the text asks for."""
        space_lines(self.document(), self.font())
        self.fit()

    def fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(round(self.document().size().height()) + 2)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def _open(self, url: QUrl) -> None:
        # A stranger's lab must not open files or programs.
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)


def unsize_code(document: QTextDocument) -> None:
    """Qt gives code the size of the system's font: remove it, so that code grows with the text."""
    # Collected first: a change of format may split the fragments that are gone through.
    sized: list[tuple[int, int, QTextCharFormat]] = []
    block = document.begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            fragment = place.fragment()
            if fragment.charFormat().hasProperty(QTextCharFormat.Property.FontPointSize):
                sized.append((fragment.position(), fragment.length(), fragment.charFormat()))
            place += 1
        block = block.next()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for position, length, style in sized:
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        style.clearProperty(QTextCharFormat.Property.FontPointSize)
        cursor.setCharFormat(style)
    cursor.endEditBlock()


def space_lines(document: QTextDocument, font: QFont) -> None:
    """Make lines half higher than the text of this font, and leave the height of a letter between
    paragraphs.
    """
    size = QFontInfo(font).pixelSize()
    extra = max(_LINE_HEIGHT * size - QFontMetricsF(font).lineSpacing(), 0)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        following = block.next()
        spaced = QTextBlockFormat(block.blockFormat())
        spaced.setLineHeight(extra, QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value)
        between = size * _BETWEEN_PARAGRAPHS
        if (
            block.textList() is not None
            and following.isValid()
            and following.textList() is not None
        ):
            between = size / 4
        spaced.setTopMargin(0)
        spaced.setBottomMargin(between if following.isValid() else 0)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(spaced)
        block = following
    cursor.endEditBlock()


def tint(is_right: bool) -> QColor:
    """The background of what was right or wrong."""
    colors = theme().colors
    if is_right or theme().high_contrast:
        return QColor(colors.good_back)
    return blend(QColor(colors.base), QColor(colors.notice), 0.14)


def paint_mark(painter: QPainter, area: QRectF, is_right: bool, share: float = 1.0) -> None:
    """A tick or a cross in its color. share: how much of it is drawn, from 0 to 1."""
    colors = theme().colors
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = QColor(colors.good if is_right else colors.notice)
    painter.setPen(
        QPen(color, max(area.width() / 7, 2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    )
    strokes: tuple[tuple[QPointF, QPointF], ...] = (
        (QPointF(0.2, 0.2), QPointF(0.8, 0.8)),
        (QPointF(0.8, 0.2), QPointF(0.2, 0.8)),
    )
    if is_right:
        strokes = (
            (QPointF(0.1, 0.55), QPointF(0.4, 0.85)),
            (QPointF(0.4, 0.85), QPointF(0.9, 0.2)),
        )
    for index, (start, end) in enumerate(strokes):
        drawn = min(max(share * len(strokes) - index, 0.0), 1.0)
        if drawn > 0:
            end = start + (end - start) * drawn
            painter.drawLine(
                area.topLeft() + start * area.width(), area.topLeft() + end * area.width()
            )


class OutcomeLabel(QLabel):
    """Says what came out, with a tick or a cross on a ground in the theme's color for it. Hidden
    without a text.

    A tick that appears before the eyes of the person is drawn in MARK_MILLISECONDS. has_ground:
    whether what is right or wrong has a background; without one, a dash stands where a tick will.
    """

    def __init__(self, name: str, *, has_ground: bool = True) -> None:
        super().__init__()
        named(self, name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.is_right: bool | None = None
        self._has_ground = has_ground
        self._drawn = 1.0
        self._motion = motion(self, MARK_MILLISECONDS, self._on_step)
        theme().changed.connect(self._recolor)
        self.hide()

    def say(self, text: str, is_right: bool | None = None) -> None:
        """Show the text; `is_right`: None where it is neither right nor wrong."""
        # Asked before it is set: only a tick that is new is drawn slowly.
        becomes_right = bool(is_right) and not self.is_right
        self.is_right = is_right
        set_message(self, text)
        self._recolor()
        if becomes_right and self.isVisible() and motion_wanted():
            self._motion.start()

    def _on_step(self, share: float) -> None:
        self._drawn = share
        self.update()

    @property
    def _has_mark(self) -> bool:
        return self.is_right is not None or not self._has_ground

    def _recolor(self) -> None:
        colors = theme().colors
        shown = {True: colors.good, False: colors.text, None: colors.muted}[self.is_right]
        if not self._has_ground:
            shown = colors.text
        palette = self.palette()
        palette.setColor(self.foregroundRole(), shown)
        self.setPalette(palette)
        padding = reading_px(_PADDING) if self._has_ground and self.is_right is not None else 0
        left = padding + reading_px(_MARK + 8) if self._has_mark else 0
        self.setContentsMargins(left, padding * 2 // 3, padding, padding * 2 // 3)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.is_right is not None and self._has_ground:
                ground = tint(self.is_right)
                line = ground
                if theme().high_contrast:
                    line = QColor(theme().colors.good if self.is_right else theme().colors.notice)
                paint_rounded(painter, self.rect(), line, ground)
            if self._has_mark:
                self._paint_mark(painter)
        super().paintEvent(event)

    def _paint_mark(self, painter: QPainter) -> None:
        """At the height of the first line."""
        size = reading_px(_MARK)
        margins = self.contentsMargins()
        middle = margins.top() + QFontMetricsF(self.font()).lineSpacing() / 2
        area = QRectF(margins.left() - size - reading_px(8), middle - size / 2, size, size)
        if self.is_right is None:
            painter.setPen(QPen(QColor(theme().colors.muted), theme().line(2)))
            painter.drawLine(
                area.center() - QPointF(size / 4, 0), area.center() + QPointF(size / 4, 0)
            )
        else:
            paint_mark(painter, area, self.is_right, self._drawn)
