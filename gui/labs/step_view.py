"""The text of a step with what a person does there, in a scroll area."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.labs.answers import Answers
from core.labs.blocks.block import Part
from gui.labs.blocks import PartWidget, widget_class
from gui.labs.runs import LabRuns
from gui.widgets.basics import HeadingLabel, scroll_area, see_through
from gui.widgets.make import column, edit
from gui.widgets.theme import theme

# The text of a column that is so wide, in pixels, is so many times as large.
_WIDE = 430
_LARGE = 1.25


class StepView(QObject):
    """The widgets of the parts of a step. `area`: to place in the window; `page`: inside of it.

    `changed`: the person has done something; `run_asked(part)`, `kernel_asked(part)`: as of `PartWidget`.
    `name_typed(name)`: the name or number of the person.
    """

    changed = Signal()
    run_asked = Signal(object)
    kernel_asked = Signal(object)
    name_typed = Signal(str)

    def __init__(self, runs: LabRuns, parent: QObject) -> None:
        super().__init__(parent)
        self._runs = runs
        self._parts: list[tuple[Part, PartWidget]] = []
        self._others: list[QWidget] = []  # title and name
        self.page = QWidget()
        self._column = column(owner=self.page, spacing=10)
        self._column.setContentsMargins(12, 4, 10, 8)
        self.area = scroll_area(self.page)
        see_through(self.area)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.installEventFilter(self)
        theme().changed.connect(self._fit_text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.area:
            self._fit_text()
        return False

    def _fit_text(self) -> None:
        """In a wide column the text is larger, so that its lines stay short."""
        is_wide = self.area.width() >= theme().px(_WIDE)
        self.page.setFont(theme().font(_LARGE if is_wide else 1.0))

    def show(self, answers: Answers) -> None:
        """Show the step at which the person is."""
        step = answers.shown_step
        if step.title != answers.lab.title:
            title = HeadingLabel(step.title)
            title.setWordWrap(True)
            self._add_other(title)
        if answers.lab.varies and answers.step == 0:
            self._add_name(answers)
        for part in step.parts:
            kind = widget_class(part)
            if kind is not None:
                widget = kind(part, answers, self._runs)
                widget.changed.connect(self.changed)
                widget.run_asked.connect(self.run_asked)
                widget.kernel_asked.connect(self.kernel_asked)
                self._parts.append((part, widget))
                self._column.addWidget(widget)
        self._column.addStretch(1)
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))

    def _add_name(self, answers: Answers) -> None:
        tip = self.tr("Your name or number: your settings follow from it.")
        name = edit("labName", self.tr("Name or number"), tip, self.name_typed.emit, placeholder=tip)
        name.setText(answers.name)
        name.setReadOnly(bool(answers.attempts))
        self._add_other(name)

    def _add_other(self, widget: QWidget) -> None:
        self._others.append(widget)
        self._column.addWidget(widget)

    def clear(self) -> None:
        """The step is left."""
        for _, part_widget in self._parts:
            part_widget.finish()
        for widget in [*self._others, *(widget for _, widget in self._parts)]:
            widget.hide()
            widget.deleteLater()
        while self._column.takeAt(0):
            pass
        self._parts = []
        self._others = []

    def refresh(self, answers: Answers) -> None:
        """Show what the person may see now, and what the answers hold."""
        visible = answers.visible(answers.shown_step)
        for part, widget in self._parts:
            widget.setVisible(any(part is each for each in visible))
            widget.refresh()

    def scroll_to_last(self) -> None:
        """Show the end of what can be done now, and of a run its results from their beginning."""
        shown = [widget for _, widget in self._parts if widget.isVisible()]
        if shown:
            last = shown[-1]
            self.area.ensureWidgetVisible(last, 0, 10)
            if last.height() > self.area.viewport().height():
                self.area.verticalScrollBar().setValue(last.y())
