"""The dialog Share: things that can be shared as cards, and where the chosen one is written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QRadioButton, QWidget

from gui.background.task_runner import Failure, Task, TaskRunner
from gui.widgets.basics import paint_rounded
from gui.widgets.dialogs import Destination, Dialog, FolderMemory, free_name, reporting
from gui.widgets.make import column, combo, fill, label, row
from gui.widgets.messages import note, set_message
from gui.widgets.theme import SMALL, theme

_CARD_PADDING = 12  # pixels
_CARD_TEXT = 40  # pixels
_MARK = 7  # pixels


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file. suffix: empty for a folder. use: what can be done with such a file, a sentence."""

    title: str
    suffix: str
    use: str


@dataclass(frozen=True, slots=True)
class Share:
    """One thing that can be shared.

    kinds: of its files, the usual one first. write: writes the path, or returns the task that does. saved: a title once
    it is written. problem: why it cannot be shared now; empty where it can.
    """

    name: str
    title: str
    text: str
    kinds: Sequence[FileKind]
    stem: str
    write: Callable[[Path], Task | None]
    saved: str
    problem: str = ""


class ChoiceCard(QRadioButton):
    """A choice as a row with a title and a sentence below it."""

    def __init__(self, title: str, text: str, name: str) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self._text = text

    def sizeHint(self) -> QSize:
        lines = self.fontMetrics().height() + self._small_height(theme().px(440))
        return QSize(theme().px(300), lines + 2 * theme().px(_CARD_PADDING))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inner = width - theme().px(_CARD_TEXT + _CARD_PADDING)
        return self.fontMetrics().height() + self._small_height(inner) + 2 * theme().px(_CARD_PADDING)

    def _small_height(self, width: int) -> int:
        metrics = QFontMetrics(theme().font(SMALL))
        area = QRect(0, 0, width, 9999)
        return metrics.boundingRect(area, Qt.TextFlag.TextWordWrap, self._text).height() + 4

    def hitButton(self, point: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        chosen = self.isChecked()
        is_marked = chosen or self.hasFocus() or (self.underMouse() and self.isEnabled())
        line = colors.accent if is_marked else colors.line
        width = 3 if self.hasFocus() else 1  # the chosen one has a tint and its mark
        padding = theme().px(_CARD_PADDING)
        text = self.rect().adjusted(theme().px(_CARD_TEXT), padding, -padding, -padding)
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, colors.info_back if chosen else colors.base, width)
            self._paint_mark(painter, QRect(padding, 0, 2 * theme().px(_MARK), self.height()))
            painter.setPen(QColor(colors.text if self.isEnabled() else colors.muted))
            painter.setFont(theme().font(bold=True))
            painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self.text())
            painter.setFont(theme().font(SMALL))
            painter.setPen(QColor(colors.muted))
            below = text.adjusted(0, painter.fontMetrics().height() + 4, 0, padding)
            painter.drawText(below, Qt.TextFlag.TextWordWrap, self._text)

    def _paint_mark(self, painter: QPainter, area: QRect) -> None:
        """Paint the ring, filled where the choice is chosen, in the middle of `area`."""
        colors = theme().colors
        radius = theme().px(_MARK)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.isChecked():
            painter.setPen(QPen(QColor(colors.accent), theme().px(5)))
            radius -= theme().px(2)
        else:
            painter.setPen(QPen(QColor(colors.border if self.isEnabled() else colors.line), 1))
        painter.drawEllipse(area.center(), radius, radius)


class ShareDialog(Dialog):
    """Asks what to share, and writes it. `saved(share, kind, path)`: a file of this kind is there.

    chosen: the name of the share that is chosen at first; that of none: the first one that can be shared.
    """

    saved = Signal(Share, FileKind, Path)

    def __init__(
        self, title: str, shares: Sequence[Share], chosen: str, memory: FolderMemory, parent: QWidget
    ) -> None:
        super().__init__(parent, title, "shareDialog", sentence=self.tr("What do you want to share?"))
        self._shares = {share.name: share for share in shares}
        self._memory = memory
        self._runner = TaskRunner(self)
        self._runner.ended.connect(self._on_ended)
        self._writing: tuple[Share, FileKind, Path] | None = None
        self.cards = {
            share.name: ChoiceCard(share.title, share.problem or share.text, f"share-{share.name}")
            for share in shares
        }
        for name, card in self.cards.items():
            card.setEnabled(not self._shares[name].problem)
            card.toggled.connect(self._on_chosen)
        tip = self.tr("As which kind of file it is written.")
        self.format = combo("shareFormat", self.tr("File"), tip, slot=self._propose)
        self._format_row = QWidget()
        row(label(self.tr("File")), (self.format, 1), owner=self._format_row, spacing=12)
        self.destination = Destination(memory, title, "share", ())
        self.message = note("muted", "shareMessage")
        tip = self.tr("Write the file now.")
        self.save = self.set_main(self.tr("&Save"), "shareSave", self._save, tip=tip)
        cards = column(*self.cards.values(), spacing=8)
        below = self._format_row, self.destination, self.message
        self.show_parts(cards, scrolls=True, below=below)
        self._choose(chosen)

    def _choose(self, name: str) -> None:
        usable = [each for each, share in self._shares.items() if not share.problem]
        if not usable:
            self.save.setEnabled(False)
            self.destination.hide()
            self._format_row.hide()
            return
        card = self.cards[name if name in usable else usable[0]]
        card.setChecked(True)
        card.setFocus()

    @property
    def share(self) -> Share | None:
        """What is chosen."""
        return next((self._shares[name] for name, card in self.cards.items() if card.isChecked()), None)

    @property
    def _kind(self) -> FileKind | None:
        """As which kind of file it is to be written."""
        kinds = self.share.kinds if self.share else ()
        return next((kind for kind in kinds if kind.suffix == self.format.currentData()), None)

    def _on_chosen(self) -> None:
        share = self.share
        if share is None:
            return
        fill(self.format, [(kind.suffix, kind.title) for kind in share.kinds])
        self.format.setCurrentIndex(0)
        self._format_row.setVisible(len(share.kinds) > 1)
        self._propose()
        set_message(self.message, "")
        self.fit()

    def _propose(self) -> None:
        share = self.share
        kind = self._kind
        if share is not None and kind is not None:
            name = free_name(self.destination.path.parent, share.stem, kind.suffix)
            self.destination.propose(name, [f"{kind.title} (*{kind.suffix})"])

    def _save(self) -> None:
        share = self.share
        kind = self._kind
        if share is None or kind is None or self._runner.busy:
            return
        path = self.destination.path
        self._writing = share, kind, path
        with reporting(self._show_failure):
            task = share.write(path)
            if task is None:
                self._finish()
                return
            set_message(self.message, self.tr("{name} is being written…").format(name=path.name))
            self.save.setEnabled(False)
            self.fit()
            self._runner.start(task)

    def _show_failure(self, text: str, tone: str) -> None:
        set_message(self.message, text)
        self.fit()

    def _on_ended(self, failure: Failure | None) -> None:
        self.save.setEnabled(True)
        if failure is not None:
            self._show_failure(failure.text, failure.tone)
        else:
            self._finish()

    def _finish(self) -> None:
        assert self._writing
        self.destination.remember()
        self.saved.emit(*self._writing)
        self.accept()

    def reject(self) -> None:
        self._runner.cancel(discard=True)
        super().reject()
