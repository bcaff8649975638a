"""The tour: five notes beside the parts they speak of, read in under a minute; nothing waits for it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.widgets.basics import heading, named

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

_GAP = 14
_WIDTH = 300


@dataclass(frozen=True, slots=True)
class Stop:
    part: QWidget
    title: str
    text: str
    before_learning: bool = True


def _tr(text: str) -> str:
    return QCoreApplication.translate("Tour", text)


def show_at_first_start(window: "MainWindow") -> None:
    if not window.preferences.toured:
        window.preferences.toured = True
        show_tour(window)


def show_tour(window: "MainWindow") -> None:
    """Show it from the beginning; one that is under way ends."""
    for earlier in window.findChildren(Tour):
        earlier.end()
    window.columns.show_all()
    window.tabs.setCurrentWidget(window.training)
    tour = Tour(window, _stops(window))
    window.session.prepared.connect(tour.watch)
    tour.show()


class Tour(QFrame):
    """A note over the window that moves from part to part. It takes no focus and covers no part it names."""

    def __init__(self, window: QWidget, stops: list[Stop]) -> None:
        super().__init__(window)
        self.setObjectName("tour")
        self._window, self._stops, self._place = window, stops, 0
        self._ring = _Ring(window)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._title = heading("")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._count = QLabel()
        self._count.setProperty("role", "muted")
        self.skip_button = named(QPushButton(self.tr("Skip")), "tourSkipButton")
        self.skip_button.setToolTip(self.tr("End the tour (Escape); Help ▸ Tour shows it again."))
        self.next_button = named(QPushButton(), "tourNextButton")
        self.next_button.setToolTip(self.tr("Go on to the next part of the window."))
        for button in (self.skip_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.skip_button.clicked.connect(self.end)
        self.next_button.clicked.connect(self._go_on)
        row = QHBoxLayout()
        row.addWidget(self._count, 1)
        row.addWidget(self.skip_button)
        row.addWidget(self.next_button)
        self._column = column = QVBoxLayout(self)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addLayout(row)
        self.setFixedWidth(_WIDTH)
        window.installEventFilter(self)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WindowShortcut)
        escape.activated.connect(self.end)
        self._show_stop()

    def end(self) -> None:
        self._window.removeEventFilter(self)
        for widget in (self._ring, self):
            widget.hide()
            widget.deleteLater()

    def watch(self) -> None:
        """A network learns now: go on to where that is seen, past what was not read so far."""
        if self.isVisible() and self._stops[self._place].before_learning:
            self._place = next(k for k, stop in enumerate(self._stops) if not stop.before_learning)
            self._show_stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    def _go_on(self) -> None:
        self._place += 1
        if self._place == len(self._stops):
            self.end()
        else:
            self._show_stop()

    def _show_stop(self) -> None:
        stop = self._stops[self._place]
        last = self._place == len(self._stops) - 1
        self._title.setText(stop.title)
        self._text.setText(stop.text)
        self._count.setText(
            self.tr("{place} of {count}").format(place=self._place + 1, count=len(self._stops))
        )
        self.next_button.setText(self.tr("Done") if last else self.tr("Next"))
        self.skip_button.setVisible(not last)
        self.setAccessibleName(f"{stop.title}. {stop.text}")
        self._settle()

    def _settle(self) -> None:
        """Lie beside the part, on the side with more room, within the window."""
        window, part = self._window, self._stops[self._place].part
        place = QRect(part.mapTo(window, QPoint()), part.size())
        self._ring.surround(place)
        self.setFixedHeight(self._column.heightForWidth(_WIDTH))
        right = window.width() - place.right() >= place.left()
        x = place.right() + _GAP if right else place.left() - _GAP - _WIDTH
        y = place.center().y() - self.height() // 2
        x = min(max(x, _GAP), window.width() - _WIDTH - _GAP)
        y = min(max(y, _GAP), window.height() - self.height() - _GAP)
        self.move(x, y)
        self.raise_()


class _Ring(QWidget):
    """A frame around a part, which lets the mouse through."""

    _MARGIN = 4

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def surround(self, place: QRect) -> None:
        margin = self._MARGIN
        self.setGeometry(place.adjusted(-margin, -margin, margin, margin))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().accent().color(), 3))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 6, 6)


def _stops(window: "MainWindow") -> list[Stop]:
    return [
        Stop(
            window.canvas,
            _tr("Draw a digit"),
            _tr("Hold the mouse button and draw. The bars below tell at once what the network makes of it."),
        ),
        Stop(
            window.networkEdit,
            _tr("Choose a network"),
            _tr(
                "The list below shows its layers, from the first after the picture to the ten answers. Take a "
                "preset above, or type: 784-100-10 is 784 pixels, 100 units, 10 answers."
            ),
        ),
        Stop(
            window.trainButton,
            _tr("Train it"),
            _tr(
                "It learns from the digits chosen at the top. Pause, go step by step or stop as you like; every "
                "field explains itself when the mouse rests on it."
            ),
        ),
        Stop(
            window.training,
            _tr("Watch it learn"),
            _tr(
                "The loss falls, the accuracy rises. Change the learning rate while it runs and see the "
                "curves bend."
            ),
            before_learning=False,
        ),
        Stop(
            window.predictionLabel,
            _tr("See it understand"),
            _tr("Your drawing is read again while the network learns. The tour waits in the Help menu."),
            before_learning=False,
        ),
    ]
