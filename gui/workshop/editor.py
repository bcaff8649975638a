"""Python source in colors, with line numbers and marks at lines; the editor of a kernel; the sources of an operator."""

from collections.abc import Iterable

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QHelpEvent,
    QKeyEvent,
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
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QTextEdit, QToolTip, QWidget

from core.workshop.operators import operator_forms
from gui.widgets import make
from gui.widgets.basics import named, scroll_area
from gui.widgets.dialogs import InfoDialog
from gui.widgets.theme import SMALL, theme
from kernels.workshop.trace import Fault

INDENT = 4
_WORDS_WIDTH = 120  # pixels that the words of a fault need at the least
_MAX_COLORED = 60_000  # characters; a longer text stays in one color, because all of it is read at each key


class _Colors(QSyntaxHighlighter):
    """Colors a document by Pygments, which reads all of it once after each change."""

    def __init__(self, document: QTextDocument, owner: QWidget) -> None:
        super().__init__(owner)
        self._lexer = PythonLexer(stripnl=False, ensurenl=False)
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
        self._lines, self._open, column = [[]], set(), 0
        for kind, text in self._lexer.get_tokens(source) if len(source) <= _MAX_COLORED else ():
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
        self._faults: dict[int, tuple[str, bool]] = {}  # words at a line, and whether they are warnings only
        self._step = 0
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

    # -- marks ----------------------------------------------------------------------------------------------

    def show_faults(self, faults: Iterable[Fault]) -> None:
        """Mark the lines of these faults, and write their words beside them."""
        self._faults = {}
        for fault in faults:
            text, is_warning = self._faults.get(fault.line, ("", True))
            self._faults[fault.line] = (f"{text}\n{fault.text}".strip(), is_warning and fault.is_warning)
        self._mark()

    def show_step(self, line: int) -> None:
        """Mark the line of the step that is looked at; 0: none."""
        self._step = line
        self._mark()
        if line and not self.hasFocus():
            self.go_to(line)

    def go_to(self, line: int) -> None:
        """Scroll to a line, from 1, and put the cursor there."""
        block = self.document().findBlockByNumber(max(line, 1) - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.ensureCursorVisible()

    def _mark(self) -> None:
        colors, marks = theme().colors, []
        lines = {self._step: colors.info_back} if self._step else {}
        for line, (_, is_warning) in self._faults.items():
            lines[line] = colors.info_back if is_warning else colors.bad_back
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
        return self._faults.get(line, ("", False))[0]

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            block = self.cursorForPosition(self.viewport().mapFromGlobal(event.globalPos())).block()
            text = self.fault_text(block.blockNumber() + 1)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the words of each fault to the right of its line."""
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            painter.setFont(theme().font(SMALL))
            for block, rect in self._visible():
                if block.blockNumber() + 1 not in self._faults:
                    continue
                text, is_warning = self._faults[block.blockNumber() + 1]
                painter.setPen(QColor(theme().colors.notice if is_warning else theme().colors.bad))
                left = self.fontMetrics().horizontalAdvance(block.text()) + rect.left() + 24
                area = QRect(left, rect.top(), self.viewport().width() - left - 4, rect.height())
                if area.width() < theme().px(_WORDS_WIDTH):
                    continue
                first = text.partition("\n")[0]
                shown = painter.fontMetrics().elidedText(first, Qt.TextElideMode.ElideRight, area.width())
                painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, shown)

    # -- line numbers ---------------------------------------------------------------------------------------

    def _visible(self) -> Iterable[tuple[QTextBlock, QRect]]:
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
        self._numbers.setGeometry(QRect(inside.topLeft(), QSize(self.numbers_width(), inside.height())))

    def paint_numbers(self, painter: QPainter) -> None:
        """Number and mark of each line: ● a fault, ! a warning, ▶ the step that is looked at."""
        colors = theme().colors
        painter.setFont(self.font())
        width = self._numbers.width() - 6
        for block, rect in self._visible():
            line = block.blockNumber() + 1
            mark, color = ("▶", colors.accent) if line == self._step else ("", colors.muted)
            if line in self._faults:
                mark, color = ("!", colors.notice) if self._faults[line][1] else ("●", colors.bad)
            painter.setPen(QColor(color))
            painter.drawText(4, rect.top(), width, rect.height(), Qt.AlignmentFlag.AlignLeft, mark)
            painter.drawText(0, rect.top(), width, rect.height(), Qt.AlignmentFlag.AlignRight, str(line))


class _LineNumbers(QWidget):
    """The strip to the left of a CodeView."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), QColor(theme().colors.window))
            self._view.paint_numbers(painter)


class CodeEditor(CodeView):
    """`left`: the Escape key, which leaves the editor, where Tab indents."""

    left = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        self.setReadOnly(False)

    def replace_text(self, text: str) -> None:
        """Replace all; it can be undone."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.setPosition(0)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, cursor = event.key(), self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Backtab:
            self._indent(-1)
        elif key == Qt.Key.Key_Tab and cursor.hasSelection():
            self._indent(1)
        elif key == Qt.Key.Key_Tab:
            cursor.insertText(" " * (INDENT - len(before) % INDENT))
        elif (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            space = before[: len(before) - len(before.lstrip(" "))]
            cursor.insertText("\n" + space + " " * (INDENT if before.rstrip().endswith(":") else 0))
            self.ensureCursorVisible()
        elif key == Qt.Key.Key_Backspace and before and not before.strip(" ") and not cursor.hasSelection():
            left = QTextCursor.MoveOperation.Left
            cursor.movePosition(left, QTextCursor.MoveMode.KeepAnchor, (len(before) - 1) % INDENT + 1)
            cursor.removeSelectedText()
        else:
            super().keyPressEvent(event)

    def _indent(self, by: int) -> None:
        """Move the chosen lines, or that of the cursor, to the right or to the left."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        end = max(cursor.selectionEnd() - int(cursor.hasSelection()), 0)
        last = self.document().findBlock(end).blockNumber()
        cursor.beginEditBlock()
        while first.isValid() and first.blockNumber() <= last:
            line = QTextCursor(first)
            if by < 0:
                space = len(first.text()) - len(first.text().lstrip(" "))
                right, keep = QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor
                line.movePosition(right, keep, min(space, INDENT))
            line.insertText(" " * INDENT if by > 0 else "")
            first = first.next()
        cursor.endEditBlock()


class OperatorDialog(InfoDialog):
    """An operator in four forms, side by side. `name`: as devices name it; `title`: as the window does."""

    def __init__(self, name: str, title: str, parent: QWidget) -> None:
        super().__init__(parent, self.tr("{title}: how it is computed").format(title=title))
        forms = operator_forms(name)
        formula = make.label(forms.pop("formula", ""), "operatorFormula", selectable=True)
        formula.setTextFormat(Qt.TextFormat.PlainText)
        area = scroll_area(formula)
        area.setMaximumHeight(150)
        titles = {
            "reference": self.tr("Reference: a plain loop on the processor"),
            "ladder": self.tr("First kernel: one thread for each element"),
            "kernel": self.tr("The kernel that the program trains with"),
        }
        columns = QSplitter(Qt.Orientation.Horizontal)
        for form, source in forms.items():
            column, view = QWidget(), CodeView(f"operator-{form}", titles[form], source)
            make.column(make.label(titles[form], role="heading"), (view, 1), owner=column)
            columns.addWidget(column)
        text = self.tr(
            "No card is needed to read them. Exercises 11 to 20 of the Workshop lead from the first to the last."
        )
        heading = make.label(title, role="title")
        said = make.label(text, role="muted")
        self.show_parts(heading, area, (columns, 1), said, size=(1240, 680))
