"""Share: what of a network can be shared, the dialog that asks which, and the files that are written."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QRadioButton, QWidget

from core.data.dataset_cache import DatasetCache
from core.files.atomic import write_atomically
from core.inference.model_file import MODEL_SUFFIX, Model
from core.runs.library import run_of
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.training.tab import TrainingTab
from gui.widgets.basics import note, paint_rounded, set_message
from gui.widgets.dialogs import (
    Destination,
    Dialog,
    FolderMemory,
    SavedDialog,
    free_name,
    open_by_system,
    reporting,
)
from gui.widgets.make import column, combo, fill, label, row
from gui.widgets.theme import SMALL, theme
from gui.window.save_actions import SaveActions, file_name

PAGE_SUFFIX = ".html"
_CARD_PADDING = 12  # pixels
_CARD_TEXT = 40  # pixels
_MARK = 7  # pixels


@dataclass(frozen=True, slots=True)
class Share:
    """One thing that can be given away.

    kinds: title and suffix of its files, the usual one first; an empty suffix is a folder. write: writes the path, or
    returns the task that does. saved, after: title and sentence once it is written. problem: why it cannot be given
    away now; empty where it can.
    """

    name: str
    title: str
    text: str
    kinds: Sequence[tuple[str, str]]
    stem: str
    write: Callable[[Path], Task | None]
    saved: str
    after: str
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
    """Asks what to share, and writes it. `saved(share, path)`: the file is there."""

    saved = Signal(object, object)

    def __init__(
        self, title: str, shares: Sequence[Share], chosen: str, memory: FolderMemory, parent: QWidget
    ) -> None:
        super().__init__(parent, title, "shareDialog", sentence=self.tr("What do you want to share?"))
        self._shares = {share.name: share for share in shares}
        self._memory = memory
        self._runner = TaskRunner(self)
        self._runner.ended.connect(self._on_ended)
        self._writing: tuple[Share, Path] | None = None
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

    def _on_chosen(self) -> None:
        share = self.share
        if share is None:
            return
        fill(self.format, [(suffix, title) for title, suffix in share.kinds])
        self.format.setCurrentIndex(0)
        self._format_row.setVisible(len(share.kinds) > 1)
        self._propose()
        set_message(self.message, "")
        self.fit()

    def _propose(self) -> None:
        share = self.share
        if share is not None:
            suffix = str(self.format.currentData() or "")
            title = next(title for title, each in share.kinds if each == suffix)
            name = free_name(self.destination.path.parent, share.stem, suffix)
            self.destination.propose(name, [f"{title} (*{suffix})"])

    def _save(self) -> None:
        share = self.share
        if share is None or self._runner.busy:
            return
        path = self.destination.path
        self._writing = share, path
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


class Sharing(QObject):
    """Offers what of the present network and its run can be given away.

    `name_of`: returns the name of a network.
    """

    def __init__(
        self,
        window: QWidget,
        saving: SaveActions,
        name_of: Callable[[Model], str],
        training: TrainingTab,
        results: ResultsTab,
        datasets: DatasetCache,
        preferences: Preferences,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._saving = saving
        self._name_of = name_of
        self._training = training
        self._results = results
        self._datasets = datasets
        self._preferences = preferences

    def ask(self, chosen: str = "page") -> None:
        """Ask what to share, at first what is `chosen`: page, curves, table, results or network."""
        title = self.tr("Share “{name}”").format(name=self._name())
        dialog = ShareDialog(title, self.shares(), chosen, self._preferences, self._window)
        dialog.saved.connect(self._show_saved)
        dialog.open()

    def _name(self) -> str:
        """What people call the network."""
        model = self._saving.model
        return "–" if model is None else self._name_of(model)

    def shares(self) -> list[Share]:
        model = self._saving.model
        no_run = "" if self._training.has_shown else self.tr("Train a network first.")
        no_model = "" if model is not None else self.tr("Train a network or open one first.")
        page, network = self._of_model(model, no_model)
        return [page, *self._of_run(no_run), network]

    def _of_model(self, model: Model | None, problem: str) -> list[Share]:
        from core.export import KINDS

        tr = self.tr
        stem = file_name(self._name())
        others = [(tr(kind.title), kind.suffix) for kind in KINDS if kind.suffix != PAGE_SUFFIX]
        page = Share(
            "page",
            tr("A page to draw on"),
            tr(
                "One file for any telephone or computer. It reads what is drawn, and shows how it learned to."
            ),
            [(tr("Web pages"), PAGE_SUFFIX)],
            stem,
            partial(self._write_model, model),
            tr("The page is saved"),
            tr(
                "Open it here to try it, or send it: by mail, by a memory stick, by a chat. It needs no connection. "
                "Who opens it can draw at once."
            ),
            problem,
        )
        network = Share(
            "network",
            tr("The network itself"),
            tr("For DigitLab, ONNX, PyTorch or NumPy."),
            [(tr("Model of DigitLab"), MODEL_SUFFIX), *others],
            stem,
            partial(self._write_model, model),
            tr("The network is saved"),
            tr("Open reads it again, here or on another computer."),
            problem,
        )
        return [page, network]

    def _of_run(self, problem: str) -> list[Share]:
        tr = self.tr
        no_results = self._results.no_results()
        name = file_name(self._name())
        curves = Share(
            "curves",
            tr("A picture of the curves"),
            tr("PNG or SVG, as the tab Training shows them."),
            [(tr("Picture"), ".png"), (tr("Drawing that can be scaled"), ".svg")],
            tr("{name} curves").format(name=name),
            self._training.export_plots,
            tr("The picture is saved"),
            tr("It shows the curves with the name of the run and its result."),
            problem,
        )
        table = Share(
            "table",
            tr("A table of the epochs"),
            tr("CSV, for a spreadsheet."),
            [(tr("Table"), ".csv")],
            tr("{name} epochs").format(name=name),
            self._write_table,
            tr("The table is saved"),
            tr("It has a row for each epoch."),
            problem,
        )
        results = Share(
            "results",
            tr("The results on the test images"),
            tr("A folder: confusion matrix, mistakes and scores, as pictures and tables."),
            [(tr("Folder"), "")],
            tr("results"),
            self._results.write,
            tr("The results are saved"),
            tr("The folder has each picture and table as a file of its own."),
            no_results,
        )
        return [curves, table, results]

    def _write_table(self, path: Path) -> None:
        write_atomically(path, self._training.epochs.csv().encode())

    def _write_model(self, model: Model | None, path: Path) -> Task | None:
        """The task that writes the model as the suffix of `path` says; a file of this program is written at once."""
        assert model is not None
        if path.suffix == MODEL_SUFFIX:
            self._saving.write_to(path)
            return None
        return export_task(model, self._saving.path, self._datasets, path)

    def _show_saved(self, share: Share, path: Path) -> None:
        shown = SavedDialog(self._window, share.saved, path, share.after)
        if share.name != "network":
            open_it = partial(open_by_system, path)
            tip = self.tr("Open it in the program that this system uses for it.")
            shown.set_main(self.tr("Open it"), "savedOpen", open_it, tip=tip, cancel=self.tr("Done"))
        shown.show_saved()


def export_task(model: Model, source: Path | None, datasets: DatasetCache, path: Path) -> Task:
    """Writes `model` to `path`, whose suffix says as what. source: the file of the model, which may lie in its run."""

    def write(control: TaskControl) -> Generator[Path]:
        from core.export import ExportSource, find_exporter

        load = partial(datasets.get, progress=control.progress)
        content = find_exporter(path).content(ExportSource(model, run_of(model, source), load))
        control.check()
        write_atomically(path, content)
        yield path

    return write
