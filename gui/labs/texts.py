"""The texts of a lab: Markdown, choices, what came out, and values as words."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QLabel, QRadioButton, QTextBrowser

from core.labs.lab import inside
from core.text import Sentence
from gui.text import number, percent
from gui.widgets.basics import named, set_message
from gui.widgets.theme import theme


def lab_sentence(said: Sentence) -> str:
    return QCoreApplication.translate("Lab", said.template).format(**said.values)


def value_text(value: float, quantity: str) -> str:
    """A value of a quantity of a lab: accuracies are percentages. "r2": R²."""
    if quantity == "r2":
        return f"R² {number(value, 3)}"
    return percent(value / 100, 1) if quantity.endswith("accuracy") else number(value, 3)


class LabText(QTextBrowser):
    """Markdown as high as its text. HTML in it is shown as text; pictures come from `folder` only."""

    def __init__(self, markdown: str, folder: Path | None) -> None:
        super().__init__()
        self._folder = folder
        named(self, "labText", self.tr("Text of the lab"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._open)
        self.document().setDocumentMargin(0)
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(markdown, features.MarkdownDialectCommonMark | features.MarkdownNoHTML)
        unsize_code(self.document())
        self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        url = QUrl(name)
        path = inside(self._folder, url.toString()) if url.isRelative() else None
        return super().loadResource(kind, QUrl.fromLocalFile(str(path))) if path is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(round(self.document().size().height()) + 2)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def _open(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)


def unsize_code(document: QTextDocument) -> None:
    """Qt gives code the size of the system's font: remove it, so that code grows with the text."""
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


class OutcomeLabel(QLabel):
    """Says what came out, with a tick or a cross and in the theme's color for it. Hidden without a text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        named(self, name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._is_right: bool | None = None
        theme().changed.connect(self._recolor)
        self.hide()

    def say(self, text: str, is_right: bool | None = None) -> None:
        """Show the text; `is_right`: None where it is neither right nor wrong."""
        self._is_right = is_right
        marks = {True: "✓ ", False: "✗ ", None: ""}
        set_message(self, marks[is_right] + text if text else "")
        self._recolor()

    def _recolor(self) -> None:
        colors = theme().colors
        shown = {True: colors.good, False: colors.bad, None: colors.muted}[self._is_right]
        palette = self.palette()
        palette.setColor(self.foregroundRole(), QColor(shown))
        self.setPalette(palette)


class ChoiceText(QLabel):
    """The text of a choice, which a radio button would not wrap; a click on it chooses."""

    def __init__(self, text: str, choice: QRadioButton) -> None:
        super().__init__(text)
        self._choice = choice
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choice.setFocus()
        self._choice.click()
