"""A language for tests: brackets around each text, doubled vowels, 40 % longer; and what it finds
in a window.

A text without brackets was not marked for translation. Text beside a bracket was joined from
pieces, which no other language can put into its own order. A text that is longer than its place
would be cut.
"""

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QSizePolicy,
    QTabBar,
    QTextBrowser,
    QWidget,
)

OPEN = "‹"
CLOSE = "›"
# Qt's own texts have translations of their own; those of pyqtgraph are in menus that the program
# does not show.
_LIBRARIES = re.compile("Q[A-Z]|(Form|GraphicsScene|PlotItem|ViewBox)$")
_KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|&\w|\s|%p)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PLACEHOLDER = re.compile(r"\{[a-z_]*(:[^}]*)?\}")
# With an ellipsis, the program itself has shortened it, and its tooltip has the whole.
_INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*({CLOSE}|…)")


def pseudo(source: str) -> str:
    """The text in the pseudo-language; placeholders, keys, tags and breaks stay as they are.

    >>> pseudo("&Train {n} runs")
    '‹&Traaiin {n} ruuns~~~›'
    """
    parts = _KEPT.split(source)
    doubled = [
        part if _KEPT.fullmatch(part) else re.sub("([aeiouAEIOU])", r"\1\1", part) for part in parts
    ]
    text = "".join(doubled)
    missing = round(1.4 * len(source)) - len(text) - 2
    return f"{OPEN}{text}{'~' * missing}{CLOSE}"


class PseudoLanguage(QTranslator):
    """`asked`: the contexts and texts that the program has shown."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, str]] = set()

    def isEmpty(self) -> bool:  # noqa: N802
        return False

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        if _LIBRARIES.match(context) or not source:
            return None
        self.asked.add((context, source))
        return pseudo(source)


def problem(text: str, data: re.Pattern[str]) -> str:
    """What is wrong with a shown text, or nothing. `data`: what is no text of the program's."""
    text = re.sub(r"<code>.*?</code>|<[^>]*>", "", text).replace("&", "").replace("\u200b", "")
    if _PLACEHOLDER.search(text):
        return "placeholder"
    for line in text.split("\n"):
        rest = line
        marked = 0
        while found := _INNERMOST.search(rest):
            # A sentence may stand after a sentence.
            ends = re.search(r"[.!?…:]~*›$", found[0])
            rest = rest[: found.start()] + ("\0." if ends else "\0") + rest[found.end() :]
            marked += 1
        if re.search(r"\0\s?\0", rest):
            return "joined"
        rest = data.sub("", rest)
        if _WORD.search(rest):
            return "joined" if marked else "unmarked"
    return ""


def shown_texts(root: QWidget) -> Iterator[tuple[QWidget, str, str]]:
    """(widget, kind, text) of each text in a window: those on it, tooltips, names for screen
    readers, menus.
    """
    for widget in (root, *root.findChildren(QWidget)):
        if widget.windowTitle() and widget.isWindow():
            yield widget, "title", widget.windowTitle()
        if not widget.isVisibleTo(root) and not isinstance(widget, QMenu):
            continue
        yield widget, "tip", widget.toolTip()
        yield widget, "name", widget.accessibleName()
        yield from ((widget, "text", text) for text in _texts_on(widget))
        for action in widget.actions() if isinstance(widget, QMenu) else ():
            yield widget, "menu", action.text().partition("\t")[0]
            yield widget, "tip", _own_tip(action)


def _own_tip(action: QAction) -> str:
    return (
        "" if action.toolTip() == action.text().replace("&", "").rstrip("…") else action.toolTip()
    )


def _texts_on(widget: QWidget) -> Iterator[str]:
    match widget:
        case QTextBrowser():
            # Documents: labs and the manual are files of their own, one for each language.
            yield from ()
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QGroupBox():
            yield widget.title()
        case QComboBox():
            yield from (widget.itemText(index) for index in range(widget.count()))
        case QLineEdit() | QPlainTextEdit():
            yield widget.placeholderText()
        case QTabBar():
            for index in range(widget.count()):
                yield widget.tabText(index)
                yield widget.tabToolTip(index)
        case QAbstractSpinBox():
            yield widget.specialValueText()
        case QProgressBar():
            yield widget.format()
        case QListWidget():
            yield from (widget.item(row).text() for row in range(widget.count()))
        case QAbstractItemView() if widget.model() is not None:
            model = widget.model()
            for section in range(model.columnCount()):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    heading = str(model.headerData(section, Qt.Orientation.Horizontal, role) or "")
                    yield heading.replace("\n", " ")  # a long one is wrapped


def is_cut(widget: QWidget) -> bool:
    """Whether the text on the widget needs more room than it has."""
    if not isinstance(widget, QLabel | QAbstractButton) or widget.visibleRegion().isEmpty():
        return False
    if not _WORD.search(widget.text()):
        return False
    if widget.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored:
        return False  # it ends with an ellipsis, and has a tooltip
    lines = widget.heightForWidth(widget.width())
    if lines > 0:  # it wraps
        return lines > widget.height() + 1
    return widget.sizeHint().width() > widget.width() + 1
