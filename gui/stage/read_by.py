"""The networks that can read the drawing, as rows below the answer: which one does, and what each
reads.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QRadioButton, QSizePolicy, QWidget

from core.data.published import fills_frame
from core.errors import InputError
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.reading.reader import Reading
from gui.widgets import make
from gui.widgets.answer_text import answer_text
from gui.widgets.basics import delayed, named
from gui.widgets.pictures import series_icon
from gui.widgets.plots.series import series_color
from gui.widgets.theme import theme

MOST_ROWS = 4
MOST_MILLISECONDS = 3.0  # that all others may take together for a drawing
REST_MILLISECONDS = 40  # after which the rows follow a reading: its answer is painted before
_TRIES = 3  # before what a network takes is known: the first is the slowest
_ROW = 27  # pixels at a text size of 100 %
_LABEL = 18
_BESIDE_NAME = 48


@dataclass(frozen=True, slots=True)
class Reader:
    """A network that can read the drawing. series: of the color of its run; None for no run.

    model: None for one that reads no drawings. is_trained: whether its weights are not the first
    ones.
    """

    key: str
    name: str
    model: Model | None
    series: int | None = None
    is_trained: bool = True


class _OtherReader:
    """Reads images with a network that is not the one on the stage."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.least = np.inf  # milliseconds of the thread that it has taken
        self.tries = 0
        self._engine: Engine | None = None
        self._last: tuple[np.ndarray, Model, str] | None = None  # what it has read

    @property
    def cost(self) -> float:
        """Milliseconds for a drawing; 0 while that is not known."""
        return self.least if self.tries >= _TRIES else 0.0

    def read(self, image: np.ndarray) -> str:
        """The class of `image`, uint8 (28, 28); a question mark for none."""
        if self._last is not None and self._last[0] is image and self._last[1] is self.model:
            return self._last[2]
        started = time.thread_time()
        if self._engine is None:
            self._engine = Engine(self.model)
        self._engine.use(self.model)
        try:
            probabilities = self._engine.predict(image[None])[0]
        except InputError:
            return ""
        self.least = min(self.least, 1000 * (time.thread_time() - started))
        self.tries += 1
        text = answer_text(probabilities, self.model.classes).name or "?"
        self._last = image, self.model, text
        return text


class ReaderRow(QRadioButton):
    """A network: the color of its run, its name, and what it reads."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "readerRow")
        self.reader: Reader | None = None
        self.reads = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_reader(self, reader: Reader, reads: str, *, chosen: bool, room: int) -> None:
        """Show this network, and what it reads, in so many pixels."""
        self.reader = reader
        self.reads = reads
        colors = theme().colors
        color = colors.text if reader.series is None else series_color(colors, reader.series)
        self.setIcon(series_icon(color, hollow=not reader.is_trained))
        said = f": {reads}" if reads else ""
        self.setAccessibleName(reader.name + said)
        room -= self.fontMetrics().horizontalAdvance(said)
        name = self.fontMetrics().elidedText(reader.name, Qt.TextElideMode.ElideRight, room)
        self.setText(name + said)
        self.setChecked(chosen)
        tip = self.tr("Let this network read (R goes on to the next one).")
        network = reader.model.network.text if reader.model is not None else ""
        self.setToolTip("\n".join(filter(None, (reader.name, network, tip))))


class ReadBy(QWidget):
    """Shows up to MOST_ROWS networks, and the others in a list. `chosen`: the key of the network
    that a person wants to read.

    All read each drawing while that takes MOST_MILLISECONDS at the most, else the chosen one alone.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "readBy", self.tr("Network that reads the drawing"))
        self.readers: list[Reader] = []
        self.key = ""
        self._others: dict[str, _OtherReader] = {}
        self._reading = Reading()
        self._label = make.label(self.tr("Read by"), "readByLabel", "caption", wraps=False)
        self.rows: list[ReaderRow] = []
        for _ in range(MOST_ROWS):
            row = ReaderRow()
            row.clicked.connect(lambda _=False, row=row: self.chosen.emit(row.reader.key))
            self.rows.append(row)
        tip = self.tr("Choose among all networks that can read.")
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more = make.menu_button("", "readByMore", tip, self.menu)
        self.more.setAutoRaise(True)
        make.column(self._label, *self.rows, self.more, None, owner=self, spacing=0)
        self._soon = delayed(self, self._refresh, REST_MILLISECONDS)
        theme().changed.connect(self._refresh)

    @property
    def name(self) -> str:
        """Of the network that reads."""
        return next((reader.name for reader in self.readers if reader.key == self.key), "")

    def show_readers(self, readers: Sequence[Reader], key: str) -> None:
        """Show these networks; the one with this key reads on the stage."""
        self.readers = [*readers]
        self.key = key
        kept = {}
        for reader in readers:
            known = self._others.get(reader.key)
            if reader.model is None:
                continue
            if known is None or not known.model.computes_like(reader.model):
                known = _OtherReader(reader.model)
            # Newer parameters of the same network: what it takes is known.
            known.model = reader.model
            kept[reader.key] = known
        self._others = kept
        self._refresh()

    def show_reading(self, reading: Reading) -> None:
        """Show what the network on the stage has read, and let the others read it, soon."""
        if reading is not self._reading:
            self._reading = reading
            if not self._soon.isActive():
                self._soon.start()

    def choose_next(self) -> None:
        """Let the next network of all read."""
        keys = [reader.key for reader in self.readers]
        if self.key in keys:
            self.chosen.emit(keys[(keys.index(self.key) + 1) % len(keys)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep keys of a row from the stage, which would choose a layer without having the
        focus.
        """
        event.setAccepted(event.key() != Qt.Key.Key_Escape)

    def _shown(self) -> list[Reader]:
        """Those that have a row, none in presenter mode; the chosen one is among them."""
        if theme().presenting:
            return []
        room = (self.height() - theme().px(_LABEL)) // theme().px(_ROW)
        most = max(min(room, MOST_ROWS), 1)
        if len(self.readers) <= most:
            return self.readers
        shown = self.readers[: max(most - 1, 1)]
        if self.key not in [reader.key for reader in shown]:
            shown = [*shown[:-1], *(each for each in self.readers if each.key == self.key)]
        return shown

    def _refresh(self) -> None:
        shown = self._shown()
        reads = self._reads()
        room = self.width() - theme().px(_BESIDE_NAME)
        for row, reader in zip(self.rows, shown, strict=False):
            said = reads.get(reader.key, "")
            row.show_reader(reader, said, chosen=reader.key == self.key, room=room)
            row.show()
        for row in self.rows[len(shown) :]:
            row.hide()
        hidden = len(self.readers) - len(shown)
        self.more.setText(self.tr("{n} more…", None, hidden).format(n=hidden))
        self.more.setVisible(hidden > 0 and bool(shown))
        self._label.setVisible(bool(shown))

    def _reads(self) -> dict[str, str]:
        """What the networks read in the drawing, by their keys."""
        reading = self._reading
        if reading.image is None or reading.probabilities is None:
            return {}
        words = answer_text(
            reading.probabilities, reading.classes, rejected=reading.rejected, number=reading.number
        )
        found = {self.key: words.name or "?"}
        # The others would get an image that is no digit, or that of one of several.
        if reading.rejected or reading.number is not None:
            return found
        # Networks for pictures that fill the frame get another image of the same drawing.
        frame = fills_frame(reading.classes)
        others = {
            key: other
            for key, other in self._others.items()
            if key != self.key and fills_frame(other.model.classes) == frame
        }
        if sum(other.cost for other in others.values()) <= MOST_MILLISECONDS:
            found |= {key: other.read(reading.image) for key, other in others.items()}
        return found

    def _fill_menu(self) -> None:
        self.menu.clear()
        for reader in self.readers:
            action = self.menu.addAction(reader.name)
            action.setCheckable(True)
            action.setChecked(reader.key == self.key)
            action.triggered.connect(lambda _=False, key=reader.key: self.chosen.emit(key))
