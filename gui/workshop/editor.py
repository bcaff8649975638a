"""Python source in colors, with line numbers and marks at lines; the editor of a kernel."""

from collections.abc import Iterable

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from core.workshop.checker.trace import Fault
from gui.widgets.basics import ENTER_KEYS, named, tip_asked
from gui.widgets.theme import SMALL, theme

INDENT = 4
# Keys of the window that an editor has another meaning for, or none: they would open something over
# the text.
_OWN_KEYS = tuple(QKeySequence(f"Ctrl+{key}") for key in "BDEFILPR")
# Made with the module, which is imported in a background thread: its expressions take 20 ms to
# compile.
_LEXER = PythonLexer(stripnl=False, ensurenl=False)
# Characters; a longer text stays in one color, because all of it is read at each key.
_MAX_COLORED = 60_000


class _Colors(QSyntaxHighlighter):
    """Colors a document by Pygments, which reads all of it once after each change."""

    def __init__(self, document: QTextDocument, owner: QWidget) -> None:
        super().__init__(owner)
        self._lines: list[list[tuple[int, int, _TokenType]]] = []
        # Before Qt connects the slot that colors the changed lines.
        document.contentsChange.connect(lambda: self._lines.clear())
        theme().changed.connect(self._set_colors)
        self._set_colors()
        self.setDocument(document)

    def _set_colors(self) -> None:
        colors = theme().colors
        self._formats: dict[_TokenType, QTextCharFormat] = {}
        for kinds, color, bold, italic in (
            ((Comment,), colors.muted, False, True),
            ((String, Number), colors.good, False, False),
            ((Keyword, Operator.Word), colors.accent, True, False),
            ((Name.Decorator, Name.Builtin), colors.notice, False, False),
            ((Name.Function,), colors.accent, False, False),
        ):
            style = QTextCharFormat()
            style.setForeground(QColor(color))
            style.setFontItalic(italic)
            style.setFontWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            self._formats |= dict.fromkeys(kinds, style)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if not self._lines:
            self._read(self.document().toPlainText())
        number = self.currentBlock().blockNumber()
        for start, length, kind in self._lines[number] if number < len(self._lines) else ():
            for group, style in self._formats.items():
                if kind in group:
                    self.setFormat(start, length, style)
        # Where a string of several lines begins or ends, Qt colors the lines below anew.
        self.setCurrentBlockState(int(number in self._open))

    def _read(self, source: str) -> None:
        """Find the tokens of each line, and the lines that end within a string."""
        self._lines = [[]]
        self._open = set()
        column = 0
        for kind, text in _LEXER.get_tokens(source) if len(source) <= _MAX_COLORED else ():
            for index, part in enumerate(text.split("\n")):
                if index:
                    if kind in String:
                        self._open.add(len(self._lines) - 1)
                    self._lines.append([])
                    column = 0
                # Qt counts characters beyond the first 65,536 as two.
                length = len(part.encode("utf-16-le", "replace")) // 2
                if length:
                    self._lines[-1].append((column, length, kind))
                column += length


class CodeView(QPlainTextEdit):
    """Source to read, with line numbers. `show_faults` and `show_step` mark lines."""

    def __init__(self, name: str, title: str, text: str = "") -> None:
        super().__init__()
        named(self, name, title)
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._numbers = _LineNumbers(self)
        self.faults: dict[int, list[Fault]] = {}
        self.step = 0
        self._colors = _Colors(self.document(), self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(lambda rect, by: self._numbers.update())
        theme().changed.connect(self._set_font)
        self._set_font()
        self.setPlainText(text)

    def _set_font(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(theme().font().pointSizeF())
        self.setFont(font)
        self.setTabStopDistance(INDENT * self.fontMetrics().horizontalAdvance(" "))
        self._make_room()
        self._mark()

    # -- marks -------------------------------------------------------------------------------------

    def show_faults(self, faults: Iterable[Fault]) -> None:
        """Mark the lines of these faults, and write their words beside them."""
        self.faults = {}
        for fault in faults:
            self.faults.setdefault(fault.line, []).append(fault)
        self._mark()

    def show_step(self, line: int) -> None:
        """Mark the line of the step that is looked at; 0: none."""
        self.step = line
        self._mark()
        # Who types in it is not to lose the place.
        if line and not self.hasFocus():
            self.reveal(line)

    def reveal(self, line: int) -> None:
        """Scroll to a line, from 1, unless it is seen; the cursor stays where the person types."""
        top = self.firstVisibleBlock().blockNumber()
        seen = max(self.viewport().height() // max(self.fontMetrics().lineSpacing(), 1) - 1, 1)
        if not top < line <= top + seen:
            self.verticalScrollBar().setValue(max(line - 1 - seen // 3, 0))

    def go_to(self, line: int) -> None:
        """Scroll to a line, from 1, and put the cursor there."""
        block = self.document().findBlockByNumber(max(line, 1) - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.ensureCursorVisible()

    def _mark(self) -> None:
        colors = theme().colors
        marks = []
        lines = {self.step: colors.info_back} if self.step else {}
        for line in self.faults:
            lines[line] = colors.info_back if _only_warnings(self.faults[line]) else colors.bad_back
        for line, color in lines.items():
            block = self.document().findBlockByNumber(line - 1)
            if line > 0 and block.isValid():
                mark = QTextEdit.ExtraSelection()
                mark.format.setBackground(QColor(color))
                mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                mark.cursor = QTextCursor(block)
                marks.append(mark)
        self.setExtraSelections(marks)
        self._numbers.update()
        self.viewport().update()

    def fault_text(self, line: int) -> str:
        """The words of the faults at a line, one below the other."""
        return "\n".join(fault.text for fault in self.faults.get(line, ()))

    def event(self, event: QEvent) -> bool:
        if asked := tip_asked(event):
            block = self.cursorForPosition(self.viewport().mapFromGlobal(asked.globalPos())).block()
            text = self.fault_text(block.blockNumber() + 1)
            QToolTip.showText(asked.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the words of each fault to the right of its line; where they have no room, only its
        kind.
        """
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            painter.setFont(theme().font(SMALL))
            for block, rect in self.visible_lines():
                if block.blockNumber() + 1 not in self.faults:
                    continue
                faults = self.faults[block.blockNumber() + 1]
                is_warning = _only_warnings(faults)
                painter.setPen(theme().colors.notice if is_warning else theme().colors.bad)
                left = self.fontMetrics().horizontalAdvance(block.text()) + rect.left() + 24
                area = QRect(left, rect.top(), self.viewport().width() - left - 4, rect.height())
                shown = f"● {faults[0].text}"
                if painter.fontMetrics().horizontalAdvance(shown) > area.width():
                    shown = f"● {faults[0].kind}"
                if painter.fontMetrics().horizontalAdvance(shown) <= area.width():
                    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    # -- line numbers ------------------------------------------------------------------------------

    def visible_lines(self) -> Iterable[tuple[QTextBlock, QRect]]:
        """The lines on the screen, and where they are."""
        block = self.firstVisibleBlock()
        while block.isValid():
            rect = self.blockBoundingGeometry(block).translated(self.contentOffset()).toRect()
            if rect.top() > self.viewport().height():
                return
            yield block, rect
            block = block.next()

    def numbers_width(self) -> int:
        return self.fontMetrics().horizontalAdvance("9" * (len(str(self.blockCount())) + 3)) + 6

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers_width(), 0, 0, 0)
        self._numbers.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(
            QRect(inside.topLeft(), QSize(self.numbers_width(), inside.height()))
        )


def _only_warnings(faults: Iterable[Fault]) -> bool:
    return all(fault.is_warning for fault in faults)


class _LineNumbers(QWidget):
    """The strip to the left of a CodeView."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme().colors.window)
            painter.setFont(self._view.font())
            for block, rect in self._view.visible_lines():
                self._paint_line(painter, block.blockNumber() + 1, rect)

    def _paint_line(self, painter: QPainter, line: int, room: QRect) -> None:
        """Number and mark: ● a fault, ! a warning, ▶ the step that is looked at."""
        colors = theme().colors
        faults = self._view.faults.get(line, ())
        mark = ""
        color = colors.muted
        if faults:
            mark, color = ("!", colors.notice) if _only_warnings(faults) else ("●", colors.bad)
        if line == self._view.step:
            mark = "▶"
            color = color if faults else colors.accent
        painter.setPen(color)
        width = self.width() - 6
        painter.drawText(4, room.top(), width, room.height(), Qt.AlignmentFlag.AlignLeft, mark)
        painter.drawText(
            0, room.top(), width, room.height(), Qt.AlignmentFlag.AlignRight, str(line)
        )


class CodeEditor(CodeView):
    """`left`: the Escape key, which leaves the editor, where Tab indents. `keep_asked`: Ctrl+S."""

    left = Signal()
    keep_asked = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        self.setReadOnly(False)
        commands = {"Ctrl+S": self.keep_asked.emit, "Ctrl+/": self.toggle_comments}
        self._commands = [(QKeySequence(keys), command) for keys, command in commands.items()]

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence(event.keyCombination())
            # Accepted here, or the window's shortcuts take the keys before the editor sees them.
            if keys in _OWN_KEYS or any(keys == own for own, _ in self._commands):
                event.accept()
                return True
        return super().event(event)

    def replace_text(self, text: str) -> None:
        """Replace all; it can be undone."""
        cursor = self.textCursor()
        # By a cursor: `setPlainText` would empty the list of what can be undone.
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.setPosition(0)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        keys = QKeySequence(event.keyCombination())
        for own, command in self._commands:
            if keys == own:
                command()
                return
        if keys in _OWN_KEYS:
            return
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Backtab:
            self._indent(-1)
        elif key == Qt.Key.Key_Tab and cursor.hasSelection():
            self._indent(1)
        elif key == Qt.Key.Key_Tab:
            cursor.insertText(" " * (INDENT - len(before) % INDENT))
        elif (
            key in ENTER_KEYS
            # Ctrl+Return checks the kernel.
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            space = before[: len(before) - len(before.lstrip(" "))]
            cursor.insertText("\n" + space + " " * (INDENT if before.rstrip().endswith(":") else 0))
            self.ensureCursorVisible()
        elif (
            key == Qt.Key.Key_Backspace
            and before
            and not before.strip(" ")
            and not cursor.hasSelection()
        ):
            left = QTextCursor.MoveOperation.Left
            cursor.movePosition(
                left, QTextCursor.MoveMode.KeepAnchor, (len(before) - 1) % INDENT + 1
            )
            cursor.removeSelectedText()
        else:
            super().keyPressEvent(event)

    def _chosen_lines(self) -> list[QTextBlock]:
        """The lines of the selection, or that of the cursor."""
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        # A selection that ends at the begin of a line does not mean that line.
        end = max(cursor.selectionEnd() - int(cursor.hasSelection()), 0)
        last = self.document().findBlock(end).blockNumber()
        found = []
        while block.isValid() and block.blockNumber() <= last:
            found.append(block)
            block = block.next()
        return found

    def _indent(self, by: int) -> None:
        """Move the chosen lines, or that of the cursor, to the right or to the left."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for block in self._chosen_lines():
            line = QTextCursor(block)
            if by < 0:
                space = len(block.text()) - len(block.text().lstrip(" "))
                right = QTextCursor.MoveOperation.Right
                keep = QTextCursor.MoveMode.KeepAnchor
                line.movePosition(right, keep, min(space, INDENT))
            line.insertText(" " * INDENT if by > 0 else "")
        cursor.endEditBlock()

    def toggle_comments(self) -> None:
        """Make comments of the chosen lines; where all of them are, make them code again."""
        blocks = [block for block in self._chosen_lines() if block.text().strip()]
        spaces = [len(block.text()) - len(block.text().lstrip(" ")) for block in blocks]
        are_comments = all(block.text().lstrip(" ").startswith("#") for block in blocks)
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for block, space in zip(blocks, spaces, strict=True):
            line = QTextCursor(block)
            if are_comments:
                line.setPosition(block.position() + space)
                marked = 2 if block.text()[space:].startswith("# ") else 1
                line.setPosition(block.position() + space + marked, QTextCursor.MoveMode.KeepAnchor)
                line.removeSelectedText()
            else:
                # In one column: the lines keep their indentation to each other.
                line.setPosition(block.position() + min(spaces))
                line.insertText("# ")
        cursor.endEditBlock()
