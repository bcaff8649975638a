"""Share: what of that which is looked at can be shared, and how it is written."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QRadioButton, QWidget

from core.data.dataset_cache import DatasetCache
from core.files.atomic import write_atomically
from core.inference.model_file import MODEL_SUFFIX, Model
from core.labs.package import write_experiment
from core.runs.library import run_of
from core.runs.plan import RunPlan, write_settings
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.drawing.film import FILMS, StageFilm
from gui.drawing.panel import DrawingPanel
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.runs.comparison import Comparison
from gui.runs.tab import CompareTab
from gui.settings.panel import SettingsPanel
from gui.text import count
from gui.training.tab import TrainingTab
from gui.widgets.basics import named
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
from gui.widgets.messages import note, set_message
from gui.widgets.pictures import SCALE
from gui.widgets.theme import theme
from gui.window.files import SaveActions, file_name

PAGE_SUFFIX = ".html"
# Pixels at a text size of 100 %: left of and below what is said of a choice.
_INDENT = 24
_BELOW = 8


@dataclass(frozen=True, slots=True)
class WrittenKind:
    """A kind of file. suffix: empty for a folder. use: what can be done with such a file, a
    sentence.
    """

    title: str
    suffix: str
    use: str


@dataclass(frozen=True, slots=True)
class Share:
    """One thing that can be shared.

    kinds: of its files, the usual one first. write: writes the path, or returns the task that does.
    problem: why it cannot be shared now; empty where it can.
    """

    name: str
    title: str
    text: str
    kinds: Sequence[WrittenKind]
    stem: str
    write: Callable[[Path], Task | None]
    problem: str = ""


class ShareDialog(Dialog):
    """Asks what to share, and writes it.

    `saved(share, kind, path)`: a file of this kind is there.
    """

    saved = Signal(Share, WrittenKind, Path)

    def __init__(
        self,
        title: str,
        shares: Sequence[Share],
        memory: FolderMemory,
        parent: QWidget,
    ) -> None:
        super().__init__(
            parent, title, "shareDialog", sentence=self.tr("What do you want to share?")
        )
        self._shares = {share.name: share for share in shares}
        self._memory = memory
        self._runner = TaskRunner(self, on_ended=self._on_ended)
        self._runner.ticked.connect(self._show_progress)
        self._writing: tuple[Share, WrittenKind, Path] | None = None
        self.choices: dict[str, QRadioButton] = {}
        choices = column(spacing=2)
        for share in shares:
            choice = self._choice(share)
            self.choices[share.name] = choice
            about = label(share.problem or share.text, role="caption")
            about.setContentsMargins(theme().px(_INDENT), 0, 0, theme().px(_BELOW))
            choices.addWidget(choice)
            choices.addWidget(about)
        tip = self.tr("As which kind of file it is written.")
        self.format = combo("shareFormat", self.tr("File"), tip, slot=self._propose)
        self._format_row = QWidget()
        row(label(self.tr("File")), (self.format, 1), owner=self._format_row, spacing=12)
        self.destination = Destination(memory, title, "share", ())
        self.message = note("muted", "shareMessage")
        tip = self.tr("Write the file now.")
        self.save = self.set_main(self.tr("&Save"), "shareSave", self._save, tip=tip)
        below = self._format_row, self.destination, self.message
        self.show_parts(choices, scrolls=True, below=below)
        self.choose("")

    def _choice(self, share: Share) -> QRadioButton:
        about = share.problem or share.text
        choice = named(QRadioButton(share.title), f"share-{share.name}", share.title, about)
        choice.setAccessibleDescription(about)
        choice.setFont(theme().font(bold=True))
        choice.setEnabled(not share.problem)
        choice.toggled.connect(self._on_chosen)
        return choice

    def choose(self, name: str) -> None:
        """Choose the share of this name; of no share: the first one that can be shared."""
        usable = [each for each, share in self._shares.items() if not share.problem]
        if not usable:
            self.save.setEnabled(False)
            self.destination.hide()
            self._format_row.hide()
            return
        choice = self.choices[name if name in usable else usable[0]]
        choice.setChecked(True)
        choice.setFocus()

    @property
    def share(self) -> Share | None:
        """What is chosen."""
        return next(
            (self._shares[name] for name, each in self.choices.items() if each.isChecked()), None
        )

    @property
    def _kind(self) -> WrittenKind | None:
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

    def _show_progress(self) -> None:
        assert self._writing
        done, total = self._runner.progress
        if total:
            text = self.tr("{name} is being written: {done} of {total}…")
            text = text.format(name=self._writing[2].name, done=count(done), total=count(total))
            set_message(self.message, text)

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
        # Only now: a file that could not be written is no reason to begin there next time.
        self.destination.remember()
        self.saved.emit(*self._writing)
        self.accept()

    def reject(self) -> None:
        # Its end would speak to a dialog that is closed.
        self._runner.cancel(discard=True)
        super().reject()


class ComparisonShares(QObject):
    """What can be shared of the runs that the tab Compare shows."""

    def __init__(self, compared: Comparison) -> None:
        super().__init__()
        self._compared = compared

    def shares(self) -> list[Share]:
        return [self._picture(), *self._tables()]

    def _picture(self) -> Share:
        tr = self.tr
        compared = self._compared
        name = file_name(compared.name)
        problem = self._no_epoch()
        if not problem and not compared.has_curve:
            problem = tr("These runs have no such curve: choose another quantity.")
        return Share(
            "curves",
            tr("A picture of the curves"),
            tr("PNG or SVG, with the settings that all runs share."),
            _picture_kinds(tr("It shows the curves with their names.")),
            tr("{name} curves").format(name=name),
            compared.write_curves,
            problem,
        )

    def _tables(self) -> list[Share]:
        tr = self.tr
        compared = self._compared
        runs = compared.runs
        name = file_name(compared.name)
        curves = Share(
            "table",
            tr("A table of all curves"),
            tr("CSV, for a spreadsheet: a row for each epoch of each run."),
            [WrittenKind(tr("Table"), ".csv", tr("It has a row for each epoch of each run."))],
            tr("{name} curves").format(name=name),
            partial(_write_text, runs.epochs_csv),
            self._no_epoch(),
        )
        results = Share(
            "runs",
            tr("A table of the runs"),
            tr("CSV, for a spreadsheet: a row for each run, with its results and settings."),
            [WrittenKind(tr("Table"), ".csv", tr("It has a row for each run."))],
            tr("{name} runs").format(name=name),
            partial(_write_text, runs.results_csv),
            self._no_run(),
        )
        report = Share(
            "report",
            tr("A page with all of it"),
            tr("Results, curves and settings of the runs, for a browser."),
            [
                WrittenKind(
                    tr("Web pages"), PAGE_SUFFIX, tr("A browser opens it, without a connection.")
                )
            ],
            name,
            partial(_write_text, runs.report),
            self._no_run(),
        )
        return [curves, results, report]

    def _no_run(self) -> str:
        """Why there are no runs to share; empty where there are some."""
        return "" if self._compared.runs.entries else self.tr("Choose runs in the list first.")

    def _no_epoch(self) -> str:
        """Why there are no epochs of runs to share; empty where there are some."""
        no_epoch = (
            ""
            if self._compared.runs.have_epochs
            else self.tr("No epoch of these runs has ended yet.")
        )
        return self._no_run() or no_epoch


class Sharing(QObject):
    """Offers what can be shared: of the present network and its run, or of the runs that are
    compared.

    `name_of`: returns the name of a network.
    """

    def __init__(
        self,
        window: QWidget,
        saving: SaveActions,
        settings: SettingsPanel,
        name_of: Callable[[Model], str],
        parts: tuple[DrawingPanel, TrainingTab, ResultsTab, CompareTab],
        datasets: DatasetCache,
        preferences: Preferences,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._saving = saving
        self._settings = settings
        self._name_of = name_of
        self._drawing, self._training, self._results, self._compare = parts
        self._datasets = datasets
        self._preferences = preferences

    def ask(self, chosen: str = "") -> None:
        """Ask what to share of what is looked at.

        chosen: the share that is chosen at first, such as curves, table, results or network; empty:
        the first one.
        """
        title = self.tr("Share “{name}”").format(name=self._shown_name())
        dialog = ShareDialog(title, self.shares(), self._preferences, self._window)
        dialog.choose(chosen)
        dialog.saved.connect(self._show_saved)
        dialog.open()

    def _shown_name(self) -> str:
        """What people call that which is looked at: runs, or the network."""
        if self._compare.isVisible():
            return self._compare.comparison.name
        if self._training.isVisible() and self._training.shows_comparison:
            return self._training.shown_name
        return self._network_name()

    def _network_name(self) -> str:
        model = self._saving.model
        return "–" if model is None else self._name_of(model)

    def shares(self) -> list[Share]:
        """What the tab Compare shows while it is in front; else the present network, and the run
        under Training.
        """
        if self._compare.isVisible():
            return ComparisonShares(self._compare.comparison).shares()
        page, network = self._of_model()
        shown = [page, self._of_stage(), *self._of_training()]
        if self._training.isVisible() and self._training.shows_comparison:
            shown = [
                *self._of_training(),
                page,
                self._of_stage(),
            ]  # its curves first: the page is of another run
        return [*shown, self._of_results(), network, self._of_settings()]

    # -- the network and its run -------------------------------------------------------------------

    def _of_model(self) -> list[Share]:
        from core.export import KINDS

        tr = self.tr
        model = self._saving.model
        problem = "" if model is not None else tr("Train a network or open one first.")
        name = self._network_name()
        kinds = [WrittenKind(tr(kind.title), kind.suffix, tr(kind.use)) for kind in KINDS]
        again = tr("Open reads it again, here or on another computer.")
        text = tr(
            "One file for any telephone or computer. “{name}” reads what is drawn; below is how "
            "it learned to."
        )
        page = Share(
            "page",
            tr("A page to draw on"),
            text.format(name=name),
            [kind for kind in kinds if kind.suffix == PAGE_SUFFIX],
            file_name(name),
            partial(self._write_model, model),
            problem,
        )
        network = Share(
            "network",
            tr("The network itself"),
            tr("“{name}”, for DigitLab or ONNX, or its run in PyTorch.").format(name=name),
            [
                WrittenKind(tr("Model of DigitLab"), MODEL_SUFFIX, again),
                *(kind for kind in kinds if kind.suffix != PAGE_SUFFIX),
            ],
            file_name(name),
            partial(self._write_model, model),
            problem,
        )
        return [page, network]

    def _of_stage(self) -> Share:
        """The stage as a picture, and a film of the training of the run that is shown."""
        tr = self.tr
        moments = self._training.plots.replay.moments
        kinds = _picture_kinds(tr("It shows the drawing on its way through the network."))
        title, text = (
            tr("A picture of the network"),
            tr("PNG or SVG: the drawing, and how it is read."),
        )
        if len(moments) > 1:
            use = tr("It shows how the network has learned to read the drawing.")
            kinds += [
                WrittenKind(tr("Film for browsers and telephones"), ".webp", use),
                WrittenKind(tr("Film for slides and documents"), ".gif", use),
            ]
            title = tr("A picture or a film of the network")
            text = tr("The drawing, and how it is read: now, or after each epoch of the training.")
        return Share(
            "stage",
            title,
            text,
            kinds,
            tr("{name} picture").format(name=file_name(self._network_name())),
            partial(self._write_stage, moments),
            "" if self._drawing.stage.picture.content else tr("Train a network or open one first."),
        )

    def _of_training(self) -> list[Share]:
        """The curves of the run or the comparison that the tab Training shows, and their
        numbers.
        """
        tr = self.tr
        training = self._training
        no_curve = no_epoch = ""
        if not training.has_shown:
            no_curve = no_epoch = tr("Train a network first.")
        elif not training.epochs.has_any:
            no_epoch = tr("No epoch has ended yet.")
            if training.plots.loss_plot.run.is_empty:
                no_curve = no_epoch
        name = training.shown_name
        text = tr("PNG or SVG, as the tab Training shows them: {name}.")
        curves = Share(
            "curves",
            tr("A picture of the curves"),
            text.format(name=name),
            _picture_kinds(tr("It shows the curves with the name of the run and its result.")),
            tr("{name} curves").format(name=file_name(name)),
            partial(training.plots.export, heading=training.result.heading),
            no_curve,
        )
        table = Share(
            "table",
            tr("A table of the epochs"),
            tr("CSV, for a spreadsheet: {name}.").format(name=name),
            [WrittenKind(tr("Table"), ".csv", tr("It has a row for each epoch."))],
            tr("{name} epochs").format(name=file_name(name)),
            partial(_write_text, training.epochs.csv),
            no_epoch,
        )
        return [curves, table]

    def _of_results(self) -> Share:
        tr = self.tr
        return Share(
            "results",
            tr("The results on the test images"),
            tr("A folder: confusion matrix, mistakes and scores, as pictures and tables."),
            [
                WrittenKind(
                    tr("Folder"),
                    "",
                    tr("The folder has each picture and table as a file of its own."),
                )
            ],
            tr("results"),
            self._results.write,
            self._results.no_results(),
        )

    def _of_settings(self) -> Share:
        """The settings above the stage, to keep or to send."""
        tr = self.tr
        again = tr("Open shows these settings again, here or on another computer.")
        experiment = tr("Open shows the settings, with the text that you write into the file.")
        return Share(
            "settings",
            tr("The settings under Training"),
            tr("A file to send, or an experiment: a page of text that sets all of this up."),
            [
                WrittenKind(tr("Settings"), ".json", again),
                WrittenKind(tr("Experiment"), ".md", experiment),
                WrittenKind(tr("Experiment with the network"), ".zip", experiment),
            ],
            tr("settings"),
            partial(self._write_settings, self._settings.plan),
            "" if self._settings.plan else tr("A setting is wrong: correct it first."),
        )

    # -- writing -----------------------------------------------------------------------------------

    def _write_model(self, model: Model | None, path: Path) -> Task | None:
        """The task that writes the model as the suffix of `path` says; a file of this program is
        written at once.
        """
        assert model is not None
        if path.suffix == MODEL_SUFFIX:
            self._saving.write_to(path)
            return None
        return export_task(model, self._saving.path, self._datasets, path)

    def _write_stage(self, moments: Sequence[tuple[Model, str]], path: Path) -> Task | None:
        """Write a picture at once; return the task that writes a film."""
        request = self._drawing.stage.scene.request
        assert request is not None
        if path.suffix.lower() in FILMS:
            name = self._training.shown_name
            named = [(model, f"{name}, {moment}") for model, moment in moments]
            return StageFilm(self._drawing, moments[-1][0], 1).film_task(named, path)
        StageFilm(self._drawing, request.model, SCALE).write_picture(path, self._network_name())
        return None

    def _write_settings(self, plan: RunPlan | None, path: Path) -> None:
        assert plan is not None
        if path.suffix == ".json":
            write_settings(path, plan)
        else:
            write_experiment(path, plan, path.stem, model=self._saving.model)

    def _show_saved(self, share: Share, kind: WrittenKind, path: Path) -> None:
        shown = SavedDialog(self._window, self.tr("Saved"), path, kind.use)
        if share.name not in ("network", "settings"):
            open_it = partial(open_by_system, path)
            tip = self.tr("Open it in the program that this system uses for it.")
            shown.set_main(
                self.tr("Open it"), "savedOpen", open_it, tip=tip, cancel=self.tr("Done")
            )
        shown.show_saved()


def _picture_kinds(use: str) -> list[WrittenKind]:
    return [
        WrittenKind(QCoreApplication.translate("Sharing", "Picture"), ".png", use),
        WrittenKind(
            QCoreApplication.translate("Sharing", "Drawing that can be scaled"), ".svg", use
        ),
    ]


def _write_text(make: Callable[[], str], path: Path) -> None:
    write_atomically(path, make().encode())


def export_task(model: Model, source: Path | None, datasets: DatasetCache, path: Path) -> Task:
    """Writes `model` to `path`, whose suffix says as what. source: the file of the model, which may
    lie in its run.
    """

    def write(control: TaskControl) -> Generator[Path]:
        from core.export import ExportSource, find_exporter

        load = partial(datasets.get, progress=control.progress)
        files = find_exporter(path).files(ExportSource(model, run_of(model, source), load), path)
        control.check()
        for written, content in files.items():
            write_atomically(written, content)
        yield path

    return write
