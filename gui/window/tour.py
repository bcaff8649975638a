"""The tour: notes that explain parts of the window, one after the other."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.widgets import make
from gui.widgets.basics import Highlight

_GAP = 14
_WIDTH = 300


class TourStep(NamedTuple):
    widget: QWidget
    title: str
    text: str


class Tour(QFrame):
    """A note over the window, which marks one widget after the other and covers none. It takes no focus.

    parts: the canvas, the network, the button Train, the plots and the button that names the reading network. The note
    about the plots is left out while no network `learns`.
    """

    def __init__(self, window: QWidget, parts: Sequence[QWidget], *, learns: bool) -> None:
        super().__init__(window)
        canvas, network, train, plots, reader = parts
        self.setObjectName("tour")
        self._window = window
        self._position = 0
        tr = self.tr
        self._steps = [
            TourStep(canvas, tr("Draw a digit"), tr(
                "Hold the mouse button and draw. Your drawing flows through the layers; the bars and the digit at the "
                "right show at once how the network reads it."
            )),
            TourStep(network, tr("Choose a network"), tr(
                "Take one that is known to work, or change it in the picture: a click on a layer shows its settings, "
                "and + adds one."
            )),
            TourStep(train, tr("Train it"), tr(
                "It learns from the data chosen in this line. Pause, go step by step or stop as you like; each field "
                "has a tooltip."
            )),
            TourStep(reader, tr("Test it with a drawing"), tr(
                "Your drawing is read again while the network learns; this button names the network that reads. "
                "The Help menu shows this tour again."
            )),
        ]  # fmt: skip
        self._learning = TourStep(plots, tr("Follow the training"), tr(
            "The loss falls, the accuracy rises. Change the learning rate during the run and "
            "compare the curves before and after."
        ))  # fmt: skip
        if learns:
            self._steps.insert(-1, self._learning)
        self._highlight = Highlight(window)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._title = make.label(role="heading")
        self._text = make.label()
        self._count = make.label(role="muted", wraps=False)
        tip = self.tr("End the tour (Escape); Help ▸ Tour shows it again.")
        self.skip_button = make.button(self.tr("Skip"), "tourSkipButton", tip, self.close_tour)
        tip = self.tr("Show the next part of the window (Return).")
        self.next_button = make.button("", "tourNextButton", tip, self._show_next)
        for button in (self.skip_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._title)
        self._column.addWidget(self._text)
        self._column.addLayout(make.row((self._count, 1), self.skip_button, self.next_button))
        self.setFixedWidth(_WIDTH)
        for widget in (window, *parts):
            widget.installEventFilter(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close_tour)
        self._show_step()

    def close_tour(self) -> None:
        self._position = len(self._steps)
        self._window.removeEventFilter(self)
        for widget in (self._highlight, self):
            widget.hide()
            widget.deleteLater()

    def on_training_started(self) -> None:
        """Go on with the note about a network that learns."""
        if self.isVisible() and self._learning not in self._steps:
            self._position = len(self._steps) - 1
            self._steps.insert(self._position, self._learning)
            self._show_step()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            QTimer.singleShot(0, self, self._place)  # when the layout has given the parts their new sizes
        # A key that the widget with the focus has no use for.
        pressed = watched is self._window and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._show_next()
            return True
        return False

    def _show_next(self) -> None:
        self._position += 1
        if self._position == len(self._steps):
            self.close_tour()
        else:
            self._show_step()

    def _show_step(self) -> None:
        step, count = self._steps[self._position], len(self._steps)
        last = self._position == count - 1
        self._title.setText(step.title)
        self._text.setText(step.text)
        self._count.setText(self.tr("{position} of {count}").format(position=self._position + 1, count=count))
        self.next_button.setText(self.tr("Done") if last else self.tr("Next"))
        self.skip_button.setVisible(not last)
        self.setAccessibleName(f"{step.title}. {step.text}")
        self._place()
        # Once more, when the layout has placed what was hidden.
        QTimer.singleShot(0, self, self._place)

    def _place(self) -> None:
        """Put the note below the middle of the window, or beside the widget where it would cover that."""
        if self._position == len(self._steps):
            return  # the tour has ended
        window, widget = self._window, self._steps[self._position].widget
        target = QRect(widget.mapTo(window, QPoint()), widget.size())
        self._highlight.surround(target)
        # Another tab may hide the widget.
        self._highlight.setVisible(widget.isVisibleTo(window))
        self.setFixedHeight(self._column.heightForWidth(_WIDTH))
        room = self._window.rect().adjusted(_GAP, _GAP, -_GAP, -_GAP)
        note = QRect(room.center().x() - _WIDTH // 2, room.bottom() - self.height(), _WIDTH, self.height())
        if note.intersects(target) and widget is not self._learning.widget:
            right = window.width() - target.right() >= target.left()
            x = target.right() + _GAP if right else target.left() - _GAP - _WIDTH
            y = min(max(target.center().y() - self.height() // 2, _GAP), room.bottom() - self.height())
            note.moveTo(min(max(x, room.left()), room.right() - _WIDTH), y)
        self.move(note.topLeft())
        self.raise_()
