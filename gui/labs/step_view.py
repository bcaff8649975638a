"""The text of a step with what a person does there, in a scroll area."""

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from core.labs.answers import Answers
from core.labs.attempt import Attempt
from core.labs.blocks.block import Part
from gui.labs.blocks import PartWidget, widget_class
from gui.labs.runs import LabRuns
from gui.labs.texts import reading_font
from gui.widgets.basics import empty, lay_out_now, scroll_area, see_through
from gui.widgets.make import column, edit, label
from gui.widgets.theme import motion, motion_wanted, theme

FADE_MILLISECONDS = 200
# Pixels: between two parts, and right of them, for the scroll bar.
_BETWEEN = 16
_RIGHT = 8


class Curtain(QWidget):
    """Lies over `page` in the color of its card, and fades away in FADE_MILLISECONDS; it takes no
    clicks.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.setObjectName("labCurtain")
        # A click during the fading is meant for what lies below.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._share = 0.0
        self._motion = motion(self, FADE_MILLISECONDS, self._on_step, 1.0, 0.0)
        self._motion.finished.connect(self.hide)
        self.hide()

    def rise(self) -> None:
        """Fade the page in, unless the system wants no motion."""
        page = self.parentWidget()
        if motion_wanted() and page is not None:
            self.setGeometry(page.rect())
            self.show()
            self.raise_()
            self._motion.start()

    def _on_step(self, share: float) -> None:
        self._share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        color = QColor(theme().colors.base)
        color.setAlphaF(self._share)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), color)


class StepView(QObject):
    """The widgets of the parts of a step. `area`: to place in the window; `page`: inside of it.

    `changed`: the person has done something; `run_asked(part)`, `kernel_asked(part)`: as of
    `PartWidget`. `name_typed(name)`: the name or number of the person.
    """

    changed = Signal()
    run_asked = Signal(object)
    kernel_asked = Signal(object)
    name_typed = Signal(str)

    def __init__(self, runs: LabRuns, parent: QObject) -> None:
        super().__init__(parent)
        self._runs = runs
        self._parts: list[tuple[Part, PartWidget]] = []
        self._title: QLabel | None = None
        self._news: QWidget | None = None  # what the last change has brought
        self.page = QWidget()
        self._column = column(owner=self.page, spacing=_BETWEEN)
        self._column.setContentsMargins(0, 8, _RIGHT, 8)
        self.area = scroll_area(self.page)
        see_through(self.area)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._keep_news_in_sight)
        # Only what a person does: `valueChanged` comes from the program's scrolling as well.
        bar.actionTriggered.connect(self._forget_news)
        self._curtain = Curtain(self.area)
        theme().changed.connect(self._fit_text)
        self._fit_text()

    def _fit_text(self) -> None:
        self.page.setFont(reading_font())
        if self._title is not None:
            self._title.setFont(theme().title_font())

    def show(self, answers: Answers) -> None:
        """Show the step at which the person is."""
        step = answers.shown_step
        if step.title != answers.lab.title:
            self._title = label(step.title, "labStepTitle", "title")
            self._column.addWidget(self._title)
            self._fit_text()
        if answers.lab.varies and answers.step == 0:
            self._add_name(answers)
        for part in step.parts:
            kind = widget_class(part)
            if kind is not None:
                widget = kind(part, answers, self._runs)
                widget.changed.connect(partial(self._on_changed, widget))
                widget.run_asked.connect(self.run_asked)
                widget.kernel_asked.connect(self.kernel_asked)
                self._parts.append((part, widget))
                self._column.addWidget(widget)
        self._column.addStretch(1)
        self.refresh(answers)
        self._news = None
        # Afterwards: the new page has no height before it is laid out.
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))

    def _add_name(self, answers: Answers) -> None:
        tip = self.tr("Your name or number: your settings follow from it.")
        name = edit(
            "labName", self.tr("Name or number"), tip, self.name_typed.emit, placeholder=tip
        )
        name.setText(answers.name)
        # The settings follow from the name: attempts would belong to another one's.
        name.setReadOnly(bool(answers.attempts))
        self._column.addWidget(name)

    def begin_step(self) -> None:
        """The step was changed: fade it in, and let the first thing to do have the focus of the
        keyboard.
        """
        self._curtain.rise()
        controls = [widget.first_control() for _, widget in self._parts if widget.isVisible()]
        usable = (
            each for each in controls if each is not None and each.isVisible() and each.isEnabled()
        )
        first = next(usable, None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def waits_for(self, answers: Answers) -> str:
        """What has to be done before the next step, in some words."""
        if not answers.is_named:
            return self.tr("first your name or number")
        left = (widget.waits_for() for part, widget in self._parts if not answers.is_done(part))
        return next(filter(None, left), "")

    def run_offered(self) -> tuple[str, bool]:
        """The text of the button that starts the run of the step, empty without one; whether it is
        enabled.
        """
        starts = [widget.start_button() for _, widget in self._parts if not widget.isHidden()]
        first = next(filter(None, starts), None)
        return (first.text(), first.isEnabled()) if first is not None else ("", False)

    def start_run(self) -> None:
        """Start the run of the step, as its button does."""
        starts = [widget.start_button() for _, widget in self._parts if not widget.isHidden()]
        for first in filter(None, starts):
            first.click()
            return

    def choose(self, answers: Answers, index: int) -> bool:
        """Choose the choice at `index` of the part that has the focus, or of the first that is not
        done.
        """
        shown = [(part, widget) for part, widget in self._parts if widget.isVisible()]
        focus = self.area.window().focusWidget()
        focused = [
            widget for _, widget in shown if focus is not None and widget.isAncestorOf(focus)
        ]
        left = [widget for part, widget in shown if not answers.is_done(part)]
        return any(widget.choose(index) for widget in [*focused, *left])

    def clear(self) -> None:
        """The step is left."""
        for _, part_widget in self._parts:
            part_widget.finish()
        empty(self._column)
        self._parts = []
        self._title = None
        self._news = None

    def _on_changed(self, widget: PartWidget) -> None:
        """The person has done something at a part, whose reply is to be seen."""
        self._news = widget.reply()
        self.changed.emit()

    def expect_reply(self, attempt: Attempt) -> None:
        """What is said next at the part of this attempt is to be seen."""
        for part, widget in self._parts:
            if part.id == attempt.part:
                self._news = widget.reply()

    def refresh(self, answers: Answers) -> None:
        """Show what the person may see now, and what the answers hold."""
        visible = answers.visible(answers.shown_step)
        for part, widget in self._parts:
            is_visible = any(part is each for each in visible)
            # `isHidden` asks for the part itself; `isVisible` is False as long as the page is
            # hidden.
            if is_visible and widget.isHidden():
                self._news = widget
            widget.setVisible(is_visible)
            widget.refresh()

    def scroll_to_news(self) -> None:
        """Show what the last change has brought: a reply, or the part that it made visible, from
        its beginning. It stays in sight while the page grows, until the person scrolls.
        """
        # Before scrolling: what has just become visible has no place yet.
        lay_out_now()
        self._keep_news_in_sight()

    def _keep_news_in_sight(self) -> None:
        news = self._news
        if news is None or not news.isVisible():
            return  # a reply that is still to come is kept
        self.area.ensureWidgetVisible(news, 0, 10)
        # Of what is too high its beginning is seen: reading starts there.
        if news.height() > self.area.viewport().height():
            self.area.verticalScrollBar().setValue(news.mapTo(self.page, QPoint()).y())

    def _forget_news(self) -> None:
        self._news = None
