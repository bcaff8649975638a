"""The data set to learn from: choice, state, download, and reading of the user's own files."""

from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from core.data import functions, own_digits, sources
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Kind
from core.data.dataset_cache import DatasetCache
from core.data.formats import FORMATS
from core.data.published import PUBLISHED
from core.network.layers import Shape
from core.text import format_bytes
from gui.background.task_runner import Failure, TaskRunner, single_record
from gui.text import count, sentence, sentence_text, translated_title, translator
from gui.widgets.dialogs import FolderMemory, ask_folder, ask_open
from gui.widgets.make import button, combo, labeled, named, row, spin
from gui.widgets.messages import note, set_message

_tr = translator("DatasetPicker")

FOLDER, FILE = "?folder", "?file"


class DatasetPicker(QWidget):
    """`changed` is emitted when another data set is chosen, or when the state of the chosen one
    changes.
    """

    changed = Signal()
    failed = Signal(object)  # Failure

    def __init__(self, dataset_cache: DatasetCache, memory: FolderMemory) -> None:
        super().__init__()
        self._dataset_cache = dataset_cache
        self._memory = memory
        self._sources: dict[str, sources.SourceInfo] = {}
        self._seen: dict[str, Dataset] = {}
        self.fetch = DataFetch(dataset_cache, self)
        self.fetch.read.connect(self._on_read)
        self.fetch.ended.connect(self._on_ended)
        self.fetch.changed.connect(self._update)
        self._choice = ""
        tr = self.tr
        self.box = combo(
            "datasetBox",
            tr("Data set"),
            tr("The images to learn from; a part of them is kept aside to test with."),
        )
        self.side_box = spin(
            "sideBox",
            "",
            tr(
                "The function is learned from a grid of this many points in both directions; more "
                "show more detail."
            ),
            functions.MIN_SIDE,
            functions.MAX_SIDE,
            functions.DEFAULT_SIDE,
        )
        tip = tr("The column of the table that is learned from the others.")
        self.column_box = combo("columnBox", tr("Learned column"), tip)
        self._column_row = labeled(tr("L&earned column"), self.column_box)
        self.status = note(name="dataStatus")
        self.download_button = button(
            tr("Download"),
            "downloadButton",
            tr("Fetch this data set from a public mirror, once."),
            self.download,
        )
        self._side_row = labeled(tr("&Grid, points a side"), self.side_box, grows=True)
        row(
            self.download_button,
            self._side_row,
            self._column_row,
            (self.status, 1),
            (self.fetch.bar, 1),
            self.fetch.cancel_button,
            owner=self,
            spacing=12,
        )
        self.refresh()
        self.box.currentIndexChanged.connect(self._on_changed)
        self.box.activated.connect(self._on_activated)
        self.side_box.valueChanged.connect(self._on_changed)
        self.column_box.activated.connect(self._choose_column)
        self._on_changed()

    def source(self) -> str:
        """The chosen data set, as `load_dataset` and the command line name it."""
        if self._choice == functions.NAME:
            return f"{functions.NAME}:{self.side_box.value()}"
        return self._choice

    def is_available(self) -> bool:
        """Whether a run could load the chosen data set now."""
        if self._choice in self._sources:
            return self._sources[self._choice].available
        return self._choice in self._seen

    @property
    def is_reading(self) -> bool:
        """Whether data are being read that will then be the chosen ones."""
        return bool(self.fetch.awaited)

    def unavailable_reason(self) -> str:
        """Why the chosen data set cannot be loaded, and what to do; empty if it can."""
        source = self._sources.get(self._choice)
        if source is None or source.available:
            return ""
        text = self.tr(
            "{title} is not on this machine yet: download it, or choose the built-in digits."
        )
        if source.name == own_digits.NAME:
            text = self.tr(
                "There are too few drawings of yours: keep {n} of one digit, or choose other data.",
                None,
                own_digits.MINIMUM,
            )
        return text.format(title=translated_title(source.title), n=own_digits.MINIMUM)

    def kind(self) -> Kind:
        """The kind of the chosen data set, as far as it is known before loading."""
        if self._choice == functions.NAME:
            return "regression"
        dataset = self._seen.get(self._choice)
        return dataset.kind if dataset else "classes"

    def summary(self) -> str:
        """The chosen data set and its size, for the tooltip of the progress."""
        dataset = self._seen.get(self.source())
        title = self.box.itemText(self.box.findData(self._choice))
        return f"{title} ({count(len(dataset.train))})" if dataset else title

    def has(self, source: str) -> bool:
        return functions.is_function(source) or (
            source in self._sources and self._sources[source].available
        )

    def shape(self) -> tuple[Shape, int]:
        """Input shape and number of outputs, as far as known before loading."""
        if self._choice == functions.NAME:
            return (2,), 1
        dataset = self._seen.get(self._choice)
        return (dataset.input_shape, dataset.outputs) if dataset else ((28, 28, 1), 10)

    def classes(self) -> tuple[str, ...]:
        """The classes of chosen images, as far as known before loading."""
        known = self._seen.get(self._choice) or PUBLISHED.get(self._choice)
        return known.classes if known else DIGITS

    def choose(self, source: str) -> None:
        """Choose a named source or a path. The data set at a path is read before it is chosen."""
        # It is being read already.
        if source == self.fetch.awaited:
            return
        self.fetch.awaited = ""
        side = functions.side_of(source)
        if side is not None:
            # One change, told below, in place of two with a grid that nobody has chosen between
            # them.
            with QSignalBlocker(self.box), QSignalBlocker(self.side_box):
                self.side_box.setValue(side)
                self.box.choose(functions.NAME)
            self._on_changed()
        elif not self.box.choose(source) and source not in self._sources:
            self.fetch.read_path(source)

    def refresh(self) -> None:
        """Update which data sets are on this machine."""
        self._sources = {source.name: source for source in sources.list_sources()}
        first = not self.box.count()
        for source in self._sources.values():
            # The user's own drawings are listed once there are enough of them.
            if source.available or source.name != own_digits.NAME:
                self._add_source(translated_title(source.title), source.name)
        if first:
            self.box.insertSeparator(self.box.count())
            self.box.addItem(self.tr("Folder…"), FOLDER)
            self.box.addItem(self.tr("File…"), FILE)

    def _add_source(self, title: str, source: str) -> None:
        """Offer a source after the named ones, which come first."""
        if self.box.findData(source) < 0:
            named = sum(self.box.findData(name) >= 0 for name in self._sources)
            self.box.insertItem(named, title, source)

    def reload_own_digits(self) -> None:
        self._dataset_cache.forget(own_digits.NAME)
        self._seen.pop(own_digits.NAME, None)
        self.refresh()
        self._update()

    def _on_changed(self) -> None:
        data = self.box.currentData()
        if data not in (FOLDER, FILE, None):
            if data != self._choice:
                self.fetch.awaited = ""
            self._choice = data
            self._update()

    def _on_activated(self) -> None:
        kind = self.box.currentData()
        if kind not in (FOLDER, FILE):
            return
        # “Folder…” and “File…” are no data sets: the box goes on showing the chosen one.
        self.box.choose(self._choice)
        if kind == FOLDER:
            folders = [self.tr(found.description) for found in FORMATS if found.is_folder]
            title = self.tr("Choose {folders}").format(folders=self.tr(" or ").join(folders))
            path = ask_folder(self, self._memory, title)
        else:
            path = ask_open(self, self._memory, self.tr("Choose a data set"), [_file_kinds()])
        if path:
            # The file may have changed since it was read.
            self._dataset_cache.forget(str(path))
            self.fetch.read_path(str(path))

    def _choose_column(self) -> None:
        path, _ = sources.split_target(self._choice)
        self.choose(f"{path}#{self.column_box.currentText()}")

    def _show_columns(self) -> None:
        """List the columns of the chosen table, if it is one."""
        dataset = self._seen.get(self._choice)
        columns = dataset.columns if dataset else ()
        self._column_row.setVisible(bool(columns))
        if dataset and columns:
            with QSignalBlocker(self.column_box):
                self.column_box.clear()
                self.column_box.addItems(columns)
                self.column_box.setCurrentText(dataset.learned)

    def _update(self) -> None:
        self._show_columns()
        self._show_status()
        self.changed.emit()

    def _show_status(self) -> None:
        self._side_row.setVisible(self._choice == functions.NAME)
        reason = self.unavailable_reason()
        busy = self.fetch.busy
        self.download_button.setVisible(
            bool(reason) and self._choice != own_digits.NAME and not busy
        )
        self.fetch.bar.setVisible(busy)
        self.fetch.cancel_button.setVisible(busy)
        set_message(self.status, reason or self._size())
        has_more = self._choice == functions.NAME or bool(self.status.text())
        self.setVisible(busy or has_more)

    def _size(self) -> str:
        """The size of the chosen data set; empty for named images, whose size the tooltip of the
        progress shows.
        """
        tr = self.tr
        dataset = self._seen.get(self._choice)
        if self._choice == own_digits.NAME:
            drawings = sum(own_digits.counts())
            kept = tr(
                "{n} drawings of yours; every sixth of a digit is kept to test with.",
                None,
                drawings,
            )
            return kept.format(n=count(drawings))
        if self._choice == functions.NAME:
            points = self.side_box.value() ** 2
            text = tr("{train} points to learn from, {test} to test", None, points)
            return text.format(train=count(points), test=count(functions.TEST_POINTS))
        if dataset is None or self._choice in self._sources:
            return ""
        notes = [sentence(note) for note in dataset.notes]
        return " ".join([f"{sentence_text(dataset.summary())}.", *notes])

    def on_loaded(self, source: str, dataset: Dataset) -> None:
        """Show the size of a data set that a run has loaded."""
        self._seen[source] = dataset
        self._update()

    def _on_read(self, path: str, dataset: Dataset) -> None:
        self._seen[path] = dataset
        self._add_source(translated_title(dataset.title) or Path(path).name, path)
        # Another data set may have been chosen meanwhile.
        if path == self.fetch.awaited:
            self.fetch.awaited = ""
            self.box.choose(path)

    def download(self) -> None:
        self.fetch.download(self._choice)
        self._show_status()

    def _on_ended(self, failure: Failure | None) -> None:
        self.refresh()
        if failure:
            self.failed.emit(failure)
        self._update()


def _file_kinds() -> str:
    """The filter of the dialog that asks for a file."""
    titles: list[str] = []
    patterns = ["*.zip"]
    for found in FORMATS:
        if found.suffixes:
            titles.append(_tr(found.description))
            patterns += [f"*{suffix}" for suffix in found.suffixes]
    text = _tr("Data sets: {titles} ({patterns})")
    return text.format(titles=", ".join(titles), patterns=" ".join(patterns))


class DataFetch(QObject):
    """Downloads data sets and reads the user's own files in the background, with a bar and a button
    to cancel.

    `read` gives a path and its data; `ended`: a failure, or None. `changed`: reading began, or all
    was canceled. `awaited`: the path that will be chosen as soon as its data have been read; empty
    for none.
    """

    read = Signal(str, object)
    ended = Signal(object)
    changed = Signal()

    def __init__(self, dataset_cache: DatasetCache, parent: QObject) -> None:
        super().__init__(parent)
        self._dataset_cache = dataset_cache
        self.awaited = ""
        self._downloads = TaskRunner(self, on_ended=self.ended)
        self._reader = TaskRunner(
            self, lambda records: self.read.emit(*records[0]), self._on_read_ended
        )
        for runner in (self._downloads, self._reader):
            runner.ticked.connect(self._show_progress)
        self.bar = named(QProgressBar(), "downloadProgress", self.tr("Download progress"))
        tip = self.tr("Stop the download; what is there is kept.")
        self.cancel_button = button(self.tr("Cancel"), "cancelDownloadButton", tip, self._cancel)

    @property
    def busy(self) -> bool:
        return self._downloads.busy or self._reader.busy

    def download(self, name: str) -> None:
        self._downloads.start(single_record(lambda control: sources.fetch(name, control.progress)))
        self._show_progress()

    def read_path(self, path: str) -> None:
        """Read the data set at a path, instead of one that is still being read; it will be
        chosen.
        """
        self.awaited = path
        # Its end would clear `awaited`, which names the new path by now.
        self._reader.cancel(discard=True)
        self._reader.start_latest(
            single_record(lambda control: (path, self._dataset_cache.get(path, control.progress)))
        )
        self._show_progress()
        self.changed.emit()

    def _on_read_ended(self, failure: Failure | None) -> None:
        self.awaited = ""
        self.ended.emit(failure)

    def _cancel(self) -> None:
        self.awaited = ""
        self._downloads.cancel()
        self._reader.cancel()
        self.changed.emit()

    def _show_progress(self) -> None:
        done, total = self._reader.progress if self._reader.busy else self._downloads.progress
        # In thousandths: Qt's bar has no room for the bytes of a large file.
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)
        big = total > 10**6
        self.bar.setFormat(f"{format_bytes(done)} / {format_bytes(total)}" if big else "%p %")
