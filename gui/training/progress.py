"""The progress of a run: epoch, bar and remaining time; device, data and speed in the tooltip."""

import time
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QWidget

from core.training.records import Epoch, EpochDone, Finished, Record, StepsDone
from gui.text import clock, count, number, percent, seconds_left, translator
from gui.training.session import Session, State
from gui.widgets.basics import announce, delayed, named
from gui.widgets.make import column, label
from gui.widgets.theme import theme
from gui.words import with_words

_tr = translator("RunProgress")

# A preparation that is shorter is not shown, because its text could not be read.
PREPARATION_DELAY_MILLISECONDS = 400
# Numbers that change more often cannot be read.
STATUS_SECONDS = 0.25
_BAR_HEIGHT = 6  # pixels at a text size of 100 %


class _Line(QWidget):
    """One text at the left and one at the right, which change several times a second.

    A label in a layout would have the whole band laid out again at each change of its text, so
    there is no layout.
    """

    def __init__(self, left: QLabel, right: QLabel) -> None:
        super().__init__()
        self._left = left
        self._right = right
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for text in (left, right):
            text.setParent(self)
        right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(160), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for text in (self._left, self._right):
            text.setGeometry(self.rect())


class RunProgress(QWidget):
    """Hidden while there is nothing to tell."""

    def __init__(self) -> None:
        super().__init__()
        self.epoch = label("", "epochLabel", "muted", wraps=False)
        self.progress = named(QProgressBar(), "progressBar", self.tr("Progress of the run"))
        self.progress.setTextVisible(False)
        self.speed = label("", "speedLabel", "muted", wraps=False)
        self.left = label("", "timeLabel", "muted", wraps=False)
        self.speed.hide()
        column(self.progress, _Line(self.epoch, self.left), self.speed, owner=self, spacing=4)
        self.device = self.data = ""
        theme().changed.connect(self._fit)
        self._fit()
        self._preparation: tuple[str, int, int] = ("", 0, 0)
        self._preparation_timer = delayed(
            self, self._draw_preparation, PREPARATION_DELAY_MILLISECONDS
        )
        self.newest: Record | None = None  # of the run that is followed
        self._shown_at = 0.0
        self._epochs = 1
        self._images_per_epoch = 0
        self._session: Session | None = None
        self.set_kind("classes")
        self.end_run()

    def _fit(self) -> None:
        self.progress.setFixedHeight(theme().px(_BAR_HEIGHT))

    def follow(self, session: Session) -> None:
        """Show the progress of its runs, from `start_run` to `end_run`."""
        self._session = session
        texts = {"data": self.tr("reading the data…"), "device": self.tr("preparing…")}
        session.preparing.connect(lambda what: self.show_preparation(texts[what]))
        session.records.connect(self._on_records)
        session.ticked.connect(self._show_numbers)
        # When a run is paused, too.
        session.state_changed.connect(lambda: self._show_numbers(is_due=True))

    def _on_records(self, records: list[Record]) -> None:
        if epochs := [record.numbers for record in records if isinstance(record, EpochDone)]:
            announce(self, _epoch_text(epochs[-1], is_classes=self._is_classes))
        progress = [record for record in records if not isinstance(record, Finished)]
        if progress:
            first = self.newest is None
            self.newest = progress[-1]
            # In place of the preparation; later numbers come in their time.
            if first:
                self._show_numbers(is_due=True)

    def _show_numbers(self, *, is_due: bool = False) -> None:
        if not is_due and time.monotonic() - self._shown_at < STATUS_SECONDS:
            return
        self._shown_at = time.monotonic()
        if self.newest is not None:
            self.show_record(self.newest)
            if self._session and self._session.state is State.PAUSED:
                # Instead of the speed and the remaining time.
                self.speed.setText(self.tr("paused"))
                self.speed.show()
                self.left.setText("")
            return
        done, total = self._session.loaded() if self._session else (0, 0)
        if total:
            self.show_preparation(self.tr("preparing the data…"), done, total)

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        newest = self.newest

        def put_back() -> None:
            self.newest = newest
            self.end_run()

        return put_back

    def describe(self, *, device: str = "", reason: str = "", data: str = "") -> None:
        """What has changed of: the device that trains, and why it and no other; the data set, and
        its size.
        """
        if device:
            self.device = "\n".join([device, with_words(reason, device)] if reason else [device])
        self.data = data or self.data
        self._show_tip()

    def _show_tip(self) -> None:
        self.setToolTip("\n".join(filter(None, (self.device, self.data, self.speed.text()))))

    def start_run(self, epochs: int) -> None:
        self.end_run()
        self.newest = None
        self._epochs = epochs
        self.progress.setValue(0)
        self.progress.show()
        self.show()

    def show_preparation(self, text: str, done: int = 0, total: int = 0) -> None:
        """Show what is being prepared, if it takes long, and how much of it is done, if `total` is
        known.
        """
        shown = self._preparation[0]
        is_shown = shown != "" and self.epoch.text() == shown
        self._preparation = (text, done, total)
        if is_shown:
            self._draw_preparation()
        # Started again by each message, it would never show a preparation that tells often.
        elif not self._preparation_timer.isActive():
            self._preparation_timer.start()

    def _draw_preparation(self) -> None:
        text, done, total = self._preparation
        self.epoch.setText(text)
        self.show()
        self.progress.show()
        self.progress.setRange(0, 1000 if total else 0)
        self.progress.setValue(round(1000 * done / total) if total else 0)

    def _end_preparation(self) -> None:
        self._preparation_timer.stop()
        self._preparation = ("", 0, 0)
        self.progress.setRange(0, 1000)

    def end_run(self) -> None:
        """Hide the progress: which epoch was reached stands beside the result."""
        self._end_preparation()
        self.epoch.setText("")
        self.progress.hide()
        self.speed.setText("")
        self.left.setText("")
        self.hide()

    def set_kind(self, kind: str) -> None:
        """Set the unit of the speed: images, or points for regression."""
        self._is_classes = kind == "classes"
        self._unit = (
            self.tr("{speed} images/s") if kind == "classes" else self.tr("{speed} points/s")
        )

    def show_record(self, record: Record) -> None:
        """Show the progress, speed and remaining time at the newest record."""
        if isinstance(record, StepsDone):
            done = record.epoch - 1 + record.position / record.images
            current = record.epoch
            self._images_per_epoch = record.images
        elif isinstance(record, EpochDone):
            done = float(record.epoch)
            current = record.epoch
        else:
            return
        self._end_preparation()
        self.progress.setValue(round(1000 * done / self._epochs))
        self.epoch.setText(self.tr("epoch {n} of {all}").format(n=current, all=self._epochs))
        images = done * self._images_per_epoch
        seconds = record.seconds
        limit = self._session.speed if self._session else 0.0
        if limit:  # batches in a second; between them the clock of the training stands
            seconds = max(record.step / limit, seconds)
        self.speed.setText(self._unit.format(speed=count(images / seconds if seconds else 0.0)))
        self.speed.hide()
        self._show_tip()
        left = seconds_left(seconds, done / self._epochs)
        if left is not None:
            self.left.setText(self.tr("{time} left").format(time=clock(left)))


def _epoch_text(epoch: Epoch, *, is_classes: bool) -> str:
    """The end of an epoch, for screen readers."""
    value = percent(epoch.test_score) if is_classes else number(epoch.test_score)
    score = _tr("test accuracy {value}") if is_classes else _tr("test R² {value}")
    return _tr("Epoch {n}: {score}, test loss {loss}").format(
        n=count(epoch.epoch), score=score.format(value=value), loss=number(epoch.test_loss)
    )
