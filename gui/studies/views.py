"""The lower part of the Studies tab: the form and the plots, one at a time."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from gui.studies.editor import StudyEditor
from gui.studies.results import StudyResults
from gui.widgets.basics import named, scroll_area
from gui.widgets.flow_layout import labeled
from gui.widgets.page_chooser import PageChooser

SET_UP, CURVES = 0, 1


class StudyViews(QWidget):
    def __init__(self, editor: StudyEditor, results: StudyResults, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tr = self.tr
        self.editor, self.results = editor, results
        self.address_edit = named(QLineEdit(), "studyAddress")
        self.address_edit.setPlaceholderText("tcp://127.0.0.1:8786")
        self.address_edit.setMinimumWidth(150)
        self.address_edit.setToolTip(
            tr(
                "The address of a Dask scheduler, to divide the runs among machines. Empty: train in this program."
            )
        )
        self.chooser = PageChooser("studyPages", tr("Views of the study"))
        self.chooser.add_page(tr("Set up"), tr("What the study varies."))
        self.chooser.add_page(tr("Curves"), tr("The curves of the selected runs, or of all."))
        tip = tr("A line for each run across its settings and results.")
        self.chooser.add_page(tr("Parallel coordinates"), tip, tr("Parallel"))
        self.chooser.add_page(tr("Importance"), tr("Which settings matter."))
        self.export_button = named(QPushButton(tr("E&xport…")), "studyExport")
        self.export_button.setToolTip(tr("Save the table as CSV, or the plot in front as PNG or SVG."))
        self._pages = QStackedWidget()
        self._pages.addWidget(scroll_area(self._set_up_page()))
        self._pages.addWidget(self.results)
        self.chooser.currentChanged.connect(self._show_page)
        row = QHBoxLayout()
        row.addWidget(self.chooser, 1)
        row.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(row)
        column.addWidget(self._pages, 1)
        self._show_page(SET_UP)

    def _set_up_page(self) -> QWidget:
        """The form, and the address of a cluster, which can be changed when the study is continued."""
        page = QWidget()
        cluster = labeled(self.tr("C&luster"), self.address_edit)
        cluster.setMaximumWidth(340)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.editor)
        column.addWidget(cluster)
        column.addStretch(1)
        return page

    def show_page(self, index: int) -> None:
        self.chooser.setCurrentIndex(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.fit(self.width() - self.export_button.sizeHint().width() - 8)

    def _show_page(self, index: int) -> None:
        self._pages.setCurrentIndex(min(index, CURVES))
        self.results.setCurrentIndex(max(index - CURVES, 0))
