"""The dialog of the kept drawings: the list of them, and learning them."""

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QProgressBar, QWidget

from core.data import own_digits
from core.data.class_names import DIGITS
from core.data.formats import class_digits
from core.drawing.picture import read_image
from core.errors import InputError
from core.reading import own_models
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.text import count, percent
from gui.widgets import make
from gui.widgets.basics import named
from gui.widgets.dialogs import (
    WIDTH,
    Dialog,
    LastFolder,
    ask_save,
    ask_text,
    confirm,
    reporting,
)
from gui.widgets.tables import ImageList

if TYPE_CHECKING:
    from core.inference.model_file import Model
    from core.reading.fine_tuning import FineTuned


SIDE = 48  # pixels of a drawing


class OwnDigitsDialog(Dialog):
    """`model`: returns the network that reads drawings, and its name; None where there is none."""

    drawings_changed = Signal()
    learned = Signal(object)  # the new Model, which is saved
    undone = Signal()  # the network that learned last was deleted

    def __init__(
        self, model: "Callable[[], tuple[Model | None, str]]", parent: QWidget | None = None
    ) -> None:
        said = self.tr(
            "On the canvas, a digit's key keeps the drawing as that digit; a network can learn "
            "them."
        )
        super().__init__(parent, self.tr("My digits"), "ownDigitsDialog", sentence=said)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # it is shown again
        self._model = model
        self._folder = LastFolder()
        self._runner = TaskRunner(self, self._on_records, self._on_ended, low_priority=True)
        self.list = ImageList(
            "ownDrawings",
            self.tr("My drawings"),
            lambda shown: str(shown[0].digit),
            lambda shown: self.tr("A {digit}: {path}").format(
                digit=shown[0].digit, path=shown[0].path
            ),
            lambda shown: shown[1],
            SIDE,
        )
        tip = self.tr(
            "The drawings that you kept, and the digit that each shows. Delete removes the chosen "
            "ones."
        )
        self.list.setToolTip(tip)
        self.list.setSelectionMode(ImageList.SelectionMode.ExtendedSelection)
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        self._make_controls()
        self.reload()

    def open_list(self) -> None:
        """Show the dialog with what is kept now; the window stays usable."""
        self.reload()
        self.show()
        self.activateWindow()

    def reload(self) -> None:
        """Show the drawings that are kept, and the network that would learn them."""
        drawings = own_digits.drawings()
        self.list.record_model.show_records([(drawing, _ink(drawing)) for drawing in drawings])
        self.countLabel.setText(self._drawings(len(drawings)))
        self._refresh()

    def _drawings(self, number: int) -> str:
        return self.tr("{n} drawings", None, number).format(n=count(number))

    def _make_controls(self) -> None:
        self.countLabel = make.label()
        self.networkLabel = make.label()
        delete = partial(self._change, own_digits.delete)
        self.deleteButton = make.button(
            self.tr("Delete"),
            "deleteDrawings",
            self.tr("Delete the chosen drawings."),
            delete,
            key="Del",
        )
        digits = QMenu(self)
        for digit in range(len(DIGITS)):
            item = digits.addAction(self.tr("This is a &{digit}").format(digit=digit))
            item.triggered.connect(lambda _, digit=digit: self._change(own_digits.relabel, digit))
        self.relabelButton = make.menu_button(
            self.tr("&Relabel"),
            "relabelDrawings",
            self.tr("Keep the chosen drawings as another digit."),
            digits,
        )
        self.saveButton = make.button(
            self.tr("&Save as a file…"),
            "saveDrawings",
            self.tr("Save all drawings as one file with your name or number, to share it."),
            self.save,
        )
        self.learnButton = make.button(
            self.tr("&Learn my digits"),
            "learnDrawings",
            self.tr(
                "Train this network on your drawings for some seconds, mixed with other digits so "
                "that it forgets nothing. The network before is kept."
            ),
            self.learn,
        )
        self.undoButton = make.button(
            self.tr("&Undo"),
            "undoLearning",
            self.tr("Delete the network that learned last; the one before reads."),
            self._undo,
        )
        tip = self.tr("Stop learning; the network stays as it was.")
        self.cancelButton = make.button(
            self.tr("&Cancel learning"), "cancelLearning", tip, lambda: self._runner.cancel()
        )
        self.progress = named(QProgressBar(), "learningProgress", self.tr("Progress"))
        self.progress.setTextVisible(False)
        self.resultLabel = make.label(name="learningResult", selectable=True)
        files = make.row(self.relabelButton, self.deleteButton, self.saveButton, None)
        learning = make.row(self.learnButton, self.undoButton, self.cancelButton, None)
        kept = make.column(self.countLabel, (self.list, 1), files)
        network = make.column(self.networkLabel, learning, self.progress, self.resultLabel)
        self.show_parts((kept, 1), 10, network, size=(WIDTH, 600))

    def _refresh(self) -> None:
        model, name = self._model()
        busy = self._runner.busy
        has_drawings = bool(self.list.record_model.records)
        text = self.tr("No network reads drawings yet.")
        if model:
            text = self.tr("Your drawings are read by: {name}")
        self.networkLabel.setText(text.format(name=name))
        for button in (self.relabelButton, self.deleteButton):
            button.setEnabled(bool(self.list.selected()) and not busy)
        self.saveButton.setEnabled(has_drawings)
        self.learnButton.setEnabled(has_drawings and model is not None and not busy)
        self.undoButton.setEnabled(own_models.latest() is not None and not busy)
        self.cancelButton.setVisible(busy)
        self.progress.setVisible(busy)

    def _change(self, change: Callable[..., None], *more: int) -> None:
        """Call `change` with the chosen drawings, and show what is kept then."""
        # Learning reads the files that would be changed.
        if not self._runner.busy:
            with reporting(self._report_failure):
                change([drawing for drawing, _ in self.list.selected()], *more)
            self.reload()
            self.drawings_changed.emit()

    def save(self) -> None:
        """Ask for a name and a file, and write the drawings as the digits of one writer."""
        title = self.tr("Save my digits")
        label = self.tr("Your name or number, for the file:")
        text = self.tr("All drawings are saved as one file, to share it.")
        name = ask_text(self, title, text, label, self.tr("Next"))
        kinds = [self.tr("Digits (*.npz)")]
        path = None if name is None else ask_save(self, self._folder, title, "my-digits.npz", kinds)
        with reporting(self._report_failure):
            if path and name is not None:
                images = own_digits.images(own_digits.drawings())
                class_digits.save(class_digits.one_writer(images, name), path)
                self.resultLabel.setText(self.tr("Saved as {path}.").format(path=path))

    def _report_failure(self, text: str, tone: str) -> None:
        self.resultLabel.setText(text)

    def learn(self) -> None:
        """Let the network that reads drawings learn the kept ones, after a question: are they
        labeled right?
        """
        model, name = self._model()
        if model is None or self._runner.busy:
            return
        text = self.tr(
            "Let “{name}” learn {drawings}: {kept}?\n\nA drawing with a wrong label would spoil "
            "it: relabel or delete it first."
        )
        counts = own_digits.counts()
        kept = self.tr(", ").join(
            self.tr("{n} of the digit {digit}").format(n=count(n), digit=digit)
            for digit, n in enumerate(counts)
            if n
        )
        text = text.format(name=name, drawings=self._drawings(sum(counts)), kept=kept)
        if not confirm(self, self.tr("Learn my digits"), text, self.tr("Learn")):
            return
        self.resultLabel.clear()
        # Loading the data has no known end.
        self.progress.setRange(0, 0)
        self._runner.start(lambda control: _iter_learning(model, control))
        self._refresh()

    def _on_records(self, records: list[Any]) -> None:
        from core.reading.fine_tuning import FineTuned

        newest = records[-1]
        if isinstance(newest, FineTuned):
            self._show_result(newest)
            self.learned.emit(newest.model)
        else:
            self.progress.setRange(0, newest.total)
            self.progress.setValue(newest.done)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure is not None:
            self.resultLabel.setText(failure.text)
        # Without a failure and a result it was cancelled.
        elif not self.resultLabel.text():
            self.resultLabel.setText(self.tr("Cancelled: the network is as before."))
        self._refresh()

    def _show_result(self, result: "FineTuned") -> None:
        before = result.before
        after = result.after
        n = result.own_count
        own = self.tr("My digits: {a} of {n} before, {b} of {n} after.", None, n)
        own = own.format(n=count(n), a=count(before.own_digits * n), b=count(after.own_digits * n))
        test = self.tr("Test digits: {a} before, {b} after.")
        lines = [own, test.format(a=percent(before.test), b=percent(after.test))]
        if not result.model.rejects:
            lines.append(
                self.tr(
                    "It no longer refuses other drawings, because your digits would be among them."
                )
            )
        self.resultLabel.setText("\n".join(lines))

    def _undo(self) -> None:
        own_models.undo()
        self.resultLabel.setText(self.tr("The network before reads your drawings again."))
        self.undone.emit()
        self._refresh()


def _ink(drawing: own_digits.OwnDrawing) -> np.ndarray | None:
    """uint8 (height, width); None for a file that is no picture."""
    try:
        return np.rint(read_image(drawing.path) * 255).astype(np.uint8)
    except InputError:
        return None


def _iter_learning(model: "Model", control: TaskControl) -> Generator[Any]:
    """Yields the records of the fine-tuning; the new model is saved before it is yielded."""
    # These import Numba, which takes too long for the window's thread.
    from core.reading.fine_tuning import FineTuned, iter_fine_tuning, replay_data

    images = own_digits.images(own_digits.drawings(), control.check)
    data = replay_data(model, control.progress)
    for record in iter_fine_tuning(model, images, data):
        control.check()
        if isinstance(record, FineTuned):
            # In the background, and before it is shown: what reads is then kept for the next start.
            own_models.save(record.model)
        yield record
