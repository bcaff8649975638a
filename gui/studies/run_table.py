"""The table of a study's runs, sorted by a click on a heading."""

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from core.studies.run import StudyRun
from gui.studies.run_model import StudyModel
from gui.widgets.basics import named
from gui.widgets.record_model import RECORD_ROLE, SortedRecords
from gui.widgets.table import set_up_table

_MAXIMUM_WIDTH, _MEASURED_ROWS, _MARGIN, _SORT_SIGN = 190, 30, 12, 10


class StudyTable(QTableView):
    """Several rows can be selected. `run_asked` is emitted with the run of a double click, or of Return."""

    run_asked = Signal(object)  # StudyRun

    def __init__(self, model: StudyModel, parent: Any = None) -> None:
        super().__init__(parent)
        self.sorted = SortedRecords(model, self)
        self.setModel(self.sorted)
        set_up_table(self, "studyTable", self.tr("Runs of the study"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.open_action = named(QAction(self.tr("&Open in Runs"), self), "studyOpenRun")
        self.open_action.setShortcut("Return")
        self.open_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.open_action.triggered.connect(self._ask_current)
        self.addAction(self.open_action)
        self.doubleClicked.connect(self._ask)
        model.modelReset.connect(self.fit)
        model.rowsInserted.connect(self.fit)

    def selected(self) -> list[StudyRun]:
        """The selected runs, from top to bottom."""
        rows = sorted(self.selectionModel().selectedRows(), key=QModelIndex.row)
        return [index.data(RECORD_ROLE) for index in rows]

    def fit(self) -> None:
        """Fit the columns to their headings and to the first rows."""
        metrics, model = self.fontMetrics(), self.sorted
        rows = range(min(self.sorted.rowCount(), _MEASURED_ROWS))
        for column in range(self.sorted.columnCount()):
            texts = [str(self.sorted.index(row, column).data() or "") for row in rows]
            heading = str(model.headerData(column, Qt.Orientation.Horizontal))
            widths = [metrics.horizontalAdvance(text) + _MARGIN for text in texts]
            needed = max(metrics.horizontalAdvance(heading) + _MARGIN + _SORT_SIGN, *widths, 0)
            self.setColumnWidth(column, min(needed, _MAXIMUM_WIDTH))

    def _ask_current(self) -> None:
        self._ask(self.currentIndex())

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.run_asked.emit(index.data(RECORD_ROLE))
