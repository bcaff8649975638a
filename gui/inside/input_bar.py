"""Chooses what the network is shown: the drawing, or an example of the test split."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.data.dataset import Dataset
from core.inference.compatibility import reads_drawings
from core.inference.model_file import Model
from gui.text import number
from gui.widgets.basics import QuietComboBox, QuietSpinBox, named, with_role
from gui.widgets.flow_layout import FlowLayout

DRAWING, TEST = "drawing", "test"


class InputBar(QWidget):
    """`changed`: another input was chosen. `wants_data`: a test example is chosen, and no data set is set."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = named(QuietComboBox(), "insideInput")
        self.box.setAccessibleName(self.tr("What the network is shown"))
        self.box.setToolTip(self.tr("Show the network your drawing, or an example of the test set."))
        self.box.setMinimumContentsLength(12)
        self.box.addItem(self.tr("The drawing"), DRAWING)
        self.box.addItem(self.tr("A test example"), TEST)
        self.number = named(QuietSpinBox(), "insideExample")
        self.number.setAccessibleName(self.tr("Number of the test example"))
        self.number.setToolTip(self.tr("Which example of the test set; the arrow keys go to the next one."))
        self.number.setMaximum(0)
        self.answer = named(QLabel(), "insideAnswer")
        self.network = with_role(named(QLabel(), "insideNetwork"), "muted")
        self.network.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._is_shown = True
        self._drawing: np.ndarray | None = None
        self._dataset: Dataset | None = None
        row = FlowLayout()
        self.setLayout(row)
        for widget in (self.box, self.number, self.answer, self.network):
            row.addWidget(widget)
        self.box.currentIndexChanged.connect(self._on_box)
        self.number.valueChanged.connect(self.changed)
        self._on_box()

    @property
    def wants_data(self) -> bool:
        return self.box.currentData() == TEST and self._dataset is None

    def set_drawing(self, image: np.ndarray | None) -> None:
        """`image`: uint8 (28, 28), what the network sees of the drawing; None for an empty canvas."""
        if image is self._drawing or (
            image is not None and self._drawing is not None and np.array_equal(image, self._drawing)
        ):
            return
        self._drawing = image
        if self.box.currentData() == DRAWING:
            self.changed.emit()

    def set_dataset(self, dataset: Dataset | None) -> None:
        self._dataset = dataset
        self.number.setMaximum(len(dataset.test) - 1 if dataset else 0)

    def set_model(self, model: Model) -> None:
        """Offer the drawing only to a network that reads drawings."""
        drawable = reads_drawings(model.kind, model.network.input_shape)
        item = self.box.model().item(0)  # type: ignore[attr-defined]
        item.setEnabled(drawable)
        if not drawable:
            self.box.setCurrentIndex(1)
        text = model.network.text
        self.network.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, 260))
        self.network.setToolTip(self.tr("The network that is shown: {text}").format(text=text))

    def show_answer(self, model: Model) -> None:
        """Write what the test example is."""
        _, answer = self.input()
        text = ""
        if answer is not None and model.kind == "classes":
            text = self.tr("It is {name}.").format(name=model.classes[int(answer)])
        elif answer is not None:
            text = self.tr("Its value is {value}.").format(value=", ".join(number(float(v)) for v in answer))
        self.answer.setText(text)

    def input(self) -> tuple[np.ndarray | None, Any]:
        """The input and its label or target; None for an empty canvas, and for a drawing's answer."""
        if self.box.currentData() == DRAWING:
            return None if self._drawing is None else self._drawing[:, :, None], None
        if self._dataset is None:
            return None, None
        index = self.number.value()
        return self._dataset.test.inputs[index], self._dataset.test.answers[index]

    def show_example(self, index: int) -> None:
        """Choose this example of the test split."""
        self.box.setCurrentIndex(1)
        self.number.setValue(index)

    def show_choice(self, shown: bool) -> None:
        """Show or hide the choice of the input, which not every view needs."""
        self._is_shown = shown
        self._fit()

    def _on_box(self) -> None:
        self._fit()
        self.changed.emit()

    def _fit(self) -> None:
        self.box.setVisible(self._is_shown)
        self.answer.setVisible(self._is_shown)
        self.number.setVisible(self._is_shown and self.box.currentData() == TEST)
