"""The tour: five notes, each beside the part of the window that it explains."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.widgets import make
from gui.widgets.basics import Highlight, heading
from gui.window.main_splitter import MainSplitter

_GAP = 14
_WIDTH = 300


@dataclass(frozen=True, slots=True)
class TourStep:
    """A note beside a widget; `before_learning` notes are skipped once a network learns."""

    widget: QWidget
    title: str
    text: str
    before_learning: bool = True


def _tr(text: str) -> str:
    return QCoreApplication.translate("Tour", text)


class Tour(QFrame):
    """A note over the window that moves from widget to widget. It takes no focus and does not cover its widget."""

    def __init__(self, window: QWidget, columns: MainSplitter, steps: list[TourStep]) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self._window, self._columns, self._steps, self._position = window, columns, steps, 0
        self._highlight = Highlight(window)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._title = heading("")
        self._text = make.label()
        self._count = make.label(role="muted", wraps=False)
        tip = self.tr("End the tour (Escape); Help ▸ Tour shows it again.")
        self.skip_button = make.button(self.tr("Skip"), "tourSkipButton", tip, self.close_tour)
        tip = self.tr("Show the next part of the window.")
        self.next_button = make.button("", "tourNextButton", tip, self._show_next)
        for button in (self.skip_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._title)
        self._column.addWidget(self._text)
        self._column.addLayout(make.row((self._count, 1), self.skip_button, self.next_button))
        self.setFixedWidth(_WIDTH)
        window.installEventFilter(self)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WindowShortcut)
        escape.activated.connect(self.close_tour)
        for step in steps:
            columns.reveal(step.widget)
        self._show_step()

    def close_tour(self) -> None:
        self._window.removeEventFilter(self)
        self._columns.fold_again()
        for widget in (self._highlight, self):
            widget.hide()
            widget.deleteLater()

    def on_training_started(self) -> None:
        """Skip to the first note about a network that learns."""
        if self.isVisible() and self._steps[self._position].before_learning:
            self._position = next(k for k, step in enumerate(self._steps) if not step.before_learning)
            self._show_step()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_beside_widget()
        return False

    def _show_next(self) -> None:
        self._position += 1
        if self._position == len(self._steps):
            self.close_tour()
        else:
            self._show_step()

    def _show_step(self) -> None:
        step = self._steps[self._position]
        self._columns.reveal(step.widget)
        last = self._position == len(self._steps) - 1
        self._title.setText(step.title)
        self._text.setText(step.text)
        self._count.setText(
            self.tr("{position} of {count}").format(position=self._position + 1, count=len(self._steps))
        )
        self.next_button.setText(self.tr("Done") if last else self.tr("Next"))
        self.skip_button.setVisible(not last)
        self.setAccessibleName(f"{step.title}. {step.text}")
        self._place_beside_widget()
        # Once more, when the layout has placed a column that was hidden.
        QTimer.singleShot(0, self, self._place_beside_widget)

    def _place_beside_widget(self) -> None:
        """Move the note beside the widget, on the side with more room, within the window."""
        if self._position == len(self._steps):
            return  # the tour has ended
        window, widget = self._window, self._steps[self._position].widget
        target = QRect(widget.mapTo(window, QPoint()), widget.size())
        self._highlight.surround(target)
        self.setFixedHeight(self._column.heightForWidth(_WIDTH))
        right = window.width() - target.right() >= target.left()
        x = target.right() + _GAP if right else target.left() - _GAP - _WIDTH
        y = target.center().y() - self.height() // 2
        x = min(max(x, _GAP), window.width() - _WIDTH - _GAP)
        y = min(max(y, _GAP), window.height() - self.height() - _GAP)
        self.move(x, y)
        self.raise_()


def tour_steps(
    canvas: QWidget, network: QWidget, train: QWidget, plots: QWidget, answer: QWidget
) -> list[TourStep]:
    """The notes, each with the widget that it explains."""
    return [
        TourStep(canvas, _tr("Draw a digit"), _tr(
            "Hold the mouse button and draw. The bars below show at once how the network classifies it."
        )),
        TourStep(network, _tr("Choose a network"), _tr(
            "The list below shows its layers, from the first after the picture to the ten answers. Take a "
            "preset above, or type: 784-100-10 is 784 pixels, 100 units, 10 answers."
        )),
        TourStep(train, _tr("Train it"), _tr(
            "It learns from the digits chosen at the top. Pause, go step by step or stop as you like; each "
            "field has a tooltip."
        )),
        TourStep(plots, _tr("Follow the training"), _tr(
            "The loss falls, the accuracy rises. Change the learning rate during the run and "
            "compare the curves before and after."
        ), before_learning=False),
        TourStep(answer, _tr("Test it with a drawing"), _tr(
            "Your drawing is read again while the network learns. The Help menu shows this tour again."
        ), before_learning=False),
    ]  # fmt: skip
