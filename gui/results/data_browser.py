"""The data browser: the images of a data set by split, class and writer, also augmented."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QListView, QWidget

from core.data.dataset import Dataset, Split
from core.data.dataset_cache import DatasetCache
from core.network.forward_backward import augmented
from core.runs.plan import RunPlan
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.text import count, translated_title
from gui.widgets.dialogs import Dialog
from gui.widgets.make import check, combo, fill, label, row
from gui.widgets.tables import ImageList

SIDE = 44  # pixels
MOST_AUGMENTED = 500
_ALL = -1
TRAIN = "train"
TEST = "test"


class DataBrowser(Dialog):
    """Shows the data of `plan`, or what `read` returns.

    A double click or Return emits `open_image` for a temporary picture of the image.
    """

    open_image = Signal(str)

    def __init__(
        self,
        plan: RunPlan,
        dataset_cache: DatasetCache,
        parent: QWidget,
        read: Callable[[], Dataset] | None = None,
    ) -> None:
        super().__init__(parent, self.tr("Data"), "dataBrowser")
        self._plan = plan
        self._dataset: Dataset | None = None
        self._changed: dict[int, np.ndarray] = {}  # augmented images, by index
        self._step = 0
        self._runner = TaskRunner(self, self._on_records, self._on_ended)
        self._make_parts()

        def load(control: TaskControl) -> Callable[[], None]:
            if read is not None:
                return partial(self._show_dataset, read())
            dataset = dataset_cache.get(plan.data, control.progress)
            return partial(self._show_dataset, dataset)

        self._runner.start(single_record(load))

    def _make_parts(self) -> None:
        tr = self.tr
        self.list = ImageList(
            "dataImages", tr("Images"), self._caption, self._tip, self._image, SIDE
        )
        self.list.setLayoutMode(QListView.LayoutMode.Batched)
        self.list.setGridSize(QSize(SIDE + 26, SIDE + self.fontMetrics().height() + 10))
        self.list.opened.connect(self.open_image)
        splits = [(TRAIN, tr("Training images")), (TEST, tr("Test images"))]
        self.split = combo(
            "dataSplit",
            tr("Split"),
            tr("Which images are shown."),
            splits,
            self._show,
            characters=14,
        )
        self.classes = combo(
            "dataClass", tr("Class"), tr("Only the images of this class."), slot=self._show
        )
        self.writers = combo(
            "dataWriter", tr("Writer"), tr("Only the images of this writer."), slot=self._show
        )
        self.augmented = check(
            tr("&Augmented"),
            "dataAugmented",
            tr("Change the images at random, as training does with the settings of augmentation."),
            self._show,
        )
        self.summary = label(tr("The data are being read…"), "dataSummary")
        top = row(self.split, self.classes, self.writers, self.augmented, None)
        self.show_parts(top, self.summary, (self.list, 1), size=(720, 560))

    # -- background --------------------------------------------------------------------------------

    def _augment(self, indices: np.ndarray) -> None:
        assert self._dataset
        images = self._dataset.train.inputs[indices]
        settings = self._plan.settings
        step = self._step

        def compute(control: TaskControl) -> Callable[[], None]:
            pixels = augmented(images, settings.augmentation, settings.seed, step)[..., 0]
            changed = dict(zip(indices.tolist(), pixels, strict=True))
            return partial(self._show_changed, indices, changed)

        self._runner.start_latest(single_record(compute))

    def _on_records(self, records: list[Callable[[], None]]) -> None:
        # Only the newest: what was asked for before is of another choice.
        records[-1]()

    def _show_changed(self, indices: Any, pixels: dict[int, np.ndarray]) -> None:
        """Show these images, changed as `pixels` has them."""
        self._changed = pixels
        self.list.record_model.show_records(indices)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.summary.setText(failure.text)

    # -- showing -----------------------------------------------------------------------------------

    def _show_dataset(self, dataset: Dataset) -> None:
        if not dataset.is_image or dataset.kind != "classes":
            self.summary.setText(
                self.tr("{title} has no images.").format(title=translated_title(dataset.title))
            )
            return
        self._dataset = dataset
        title = translated_title(dataset.title)
        self.setWindowTitle(title)
        self.title.setText(title)
        fill(self.classes, [(_ALL, self.tr("all classes")), *enumerate(dataset.classes)])
        names = dataset.writers.names if dataset.writers else ()
        fill(self.writers, [(_ALL, self.tr("all writers")), *enumerate(names)])
        self.writers.setVisible(bool(names))
        self._show()

    def _show(self) -> None:
        """Show the images of the chosen split, class and writer."""
        if self._dataset is None:
            return
        # Training does not change the test images.
        self.augmented.setEnabled(self.split.currentData() == TRAIN)
        split, wrote = self._split()
        chosen = np.ones(len(split), bool)
        if self.classes.currentData() != _ALL:
            chosen &= split.targets == self.classes.currentData()
        if wrote is not None and self.writers.currentData() != _ALL:
            chosen &= wrote == self.writers.currentData()
        indices = np.flatnonzero(chosen)
        self.summary.setText(
            self.tr("{n} images", None, len(indices)).format(n=count(len(indices)))
        )
        self._changed = {}
        self._runner.cancel(discard=True)  # images of what was chosen before
        if self.augmented.isChecked() and self.augmented.isEnabled():
            self._step += 1
            indices = indices[:MOST_AUGMENTED]
            self._augment(indices)
        self.list.record_model.show_records(indices)  # type: ignore[arg-type]

    def _split(self) -> tuple[Split, np.ndarray | None]:
        """The chosen split, and int (n,) of the writers of its images where they are known."""
        assert self._dataset
        part = self.split.currentData()
        writers = self._dataset.writers
        return getattr(self._dataset, part), None if writers is None else getattr(writers, part)

    def _image(self, index: int) -> np.ndarray:
        changed = self._changed.get(int(index))
        return self._split()[0].inputs[index, :, :, 0] if changed is None else changed

    def _caption(self, index: int) -> str:
        assert self._dataset
        return self._dataset.classes[int(self._split()[0].targets[index])]

    def _tip(self, index: int) -> str:
        text = self.tr("{label} — image {n}; a double click or Return puts it on the canvas.")
        caption = self._caption(index)
        wrote = self._split()[1]
        if self._dataset and self._dataset.writers and wrote is not None:
            writer = self._dataset.writers.names[wrote[index]]
            caption = self.tr("{label}, by {writer}").format(label=caption, writer=writer)
        return text.format(label=caption, n=count(int(index)))
