"""The table of runs, with a small curve in each row."""

from typing import Any

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    Qt,
)
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from core.runs.library import RunEntry
from gui.runs.run_model import CURVE, NAME, STAR, RunFilter, RunModel
from gui.widgets.record_model import RECORD_ROLE
from gui.widgets.table import set_up_table

_WIDTHS = {STAR: 26, NAME: 170, CURVE: 70}
_USUAL_WIDTH, _MAXIMUM_WIDTH, _MEASURED_ROWS = 74, 190, 30


class RunTable(QTableView):
    """Sorted by a click on a heading; several rows can be selected."""

    def __init__(self, model: RunModel, parent: Any = None) -> None:
        super().__init__(parent)
        self._model, self.filter = model, RunFilter(model, self)
        self.setModel(self.filter)
        set_up_table(self, "runTable", self.tr("Runs"), row_height=26, editable=True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setItemDelegateForColumn(CURVE, _CurveDelegate(self))
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(24)
        self.setSortingEnabled(True)
        self.sortByColumn(CURVE + 1, Qt.SortOrder.DescendingOrder)
        self._kept: list[str] = []
        model.modelAboutToBeReset.connect(self._keep_selection)
        model.modelReset.connect(self._restore)
        self._fit()

    def selected(self) -> list[RunEntry]:
        """The selected runs, from top to bottom."""
        rows = sorted(self.selectionModel().selectedRows(), key=QModelIndex.row)
        return [index.data(RECORD_ROLE) for index in rows]

    def select(self, ids: list[str]) -> None:
        """Select the runs with these ids; those that the filter hides are left out."""
        selection, model = QItemSelection(), self._model
        for row, entry in enumerate(model.records):
            index = self.filter.mapFromSource(model.index(row, NAME)) if entry.id in ids else QModelIndex()
            if index.isValid():
                selection.select(index, index)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)
        if not selection.isEmpty():
            first = min(selection.indexes(), key=QModelIndex.row)
            self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
            self.scrollTo(first)

    def rename(self) -> None:
        """Edit the name of the current run."""
        index = self.currentIndex()
        if index.isValid():
            self.edit(index.siblingAtColumn(NAME))

    def _keep_selection(self) -> None:
        self._kept = [entry.id for entry in self.selected()]

    def _restore(self) -> None:
        self._fit()
        self.select(self._kept)

    def _fit(self) -> None:
        """Fit the columns to their headings and to the first rows."""
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        rows = range(min(self.filter.rowCount(), _MEASURED_ROWS))
        for column in range(self.filter.columnCount()):
            texts = [str(self.filter.index(row, column).data() or "") for row in rows]
            needed = max((metrics.horizontalAdvance(text) + 14 for text in texts), default=_USUAL_WIDTH)
            needed = max(needed, header.sectionSizeHint(column))
            self.setColumnWidth(column, _WIDTHS.get(column, min(needed, _MAXIMUM_WIDTH)))


class _CurveDelegate(QStyledItemDelegate):
    """Paints the curve of a run."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        entry: RunEntry = index.data(RECORD_ROLE)
        curve = entry.summary.curve if entry.summary else ()
        if not curve:
            return
        area = option.rect.adjusted(6, 5, -6, -5)
        low, high = min(curve), max(curve)
        span, steps = (high - low) or 1.0, max(len(curve) - 1, 1)
        points = [
            QPointF(area.left() + area.width() * k / steps, area.bottom() - area.height() * (y - low) / span)
            for k, y in enumerate(curve)
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        palette = option.palette
        painter.setPen(QPen((palette.highlightedText() if selected else palette.accent()).color(), 1.5))
        if len(points) == 1:
            painter.drawEllipse(points[0], 2, 2)
        else:
            painter.drawPolyline(QPolygonF(points))
        painter.restore()
