"""The augmentation section: the fields of augmentation, buttons for common amounts, and a preview."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from gui.settings.augmentation_preview import AugmentationPreview
from gui.settings.fields import Field, field_label
from gui.widgets.basics import named, note, set_message
from gui.widgets.collapsible import CollapsibleButton
from kernels.augmentation import LIGHT, STRONG, AugmentationParams


class AugmentationSection(QWidget):
    """Collapsed at first; the preview is computed only while it is visible."""

    shown = Signal()

    def __init__(
        self, fields: dict[str, Field], dataset_cache: DatasetCache, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._fields = fields
        self._source = ""
        self.preview = AugmentationPreview(dataset_cache)
        self.body = self._make_body()
        self.button = named(CollapsibleButton(self.tr("Au&gmentation"), self.body), "augmentationButton")
        self.button.setToolTip(
            self.tr(
                "Changes each training image a little, differently each time, so that the network does not memorize it."
            )
        )
        self.button.unfolded.connect(self._refresh)
        self.button.unfolded.connect(self.shown)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.button)
        column.addWidget(self.body)
        for field in fields.values():
            field.changed.connect(self._refresh)

    def set_source(self, source: str) -> None:
        """Set the data set whose images the preview shows."""
        if source != self._source:
            self._source = source
            self._refresh()

    def amounts(self) -> AugmentationParams | None:
        """The values of the fields, or None while one is not valid."""
        try:
            return AugmentationParams(**{name: field.value() for name, field in self._fields.items()})
        except InputError:
            return None

    def choose(self, amounts: AugmentationParams) -> None:
        for name, value in amounts._asdict().items():
            self._fields[name].show_value(value)

    def _make_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        row = QHBoxLayout()
        for text, amounts in (
            (self.tr("None"), AugmentationParams()), (self.tr("Light"), LIGHT), (self.tr("Strong"), STRONG),
        ):  # fmt: skip
            button = QPushButton(text)
            button.clicked.connect(lambda _, amounts=amounts: self.choose(amounts))
            button.setMinimumWidth(40)
            row.addWidget(button)
        column.addLayout(row)
        column.addWidget(self.preview)
        column.addLayout(self._below_preview())
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(5)
        for field in self._fields.values():
            form.addRow(field_label(field), field)
        column.addLayout(form)
        return body

    def _below_preview(self) -> QHBoxLayout:
        row = QHBoxLayout()
        what = note(name="augmentationNote")
        set_message(what, self.tr("Original images, and two random changes of each."))
        row.addWidget(what, 1)
        again = named(QPushButton(self.tr("Again")), "againButton")
        again.setToolTip(self.tr("Show other random changes by the same amounts."))
        again.clicked.connect(lambda: self._refresh(again=True))
        row.addWidget(again)
        return row

    def _refresh(self, *, again: bool = False) -> None:
        amounts = self.amounts()
        if self.button.isChecked() and amounts is not None and self._source:
            self.preview.show_for(self._source, amounts, again=again)
