"""The lower part of the Studies tab: the form and the plots, one at a time."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.files.atomic import atomic_path, write_atomically
from core.studies.spec import StudySpec
from core.studies.study import IMPORTANCE_RUNS, StudyRun, study_csv
from gui.studies.form import StudyEditor
from gui.studies.parallel_plot import ParallelPlot
from gui.studies.run_table import setting_title, values_text
from gui.text import percent
from gui.widgets.basics import named, note, scroll_area, set_message
from gui.widgets.flow_layout import labeled
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.curves_page import CurvesPage
from gui.widgets.plots.plot import Plot
from gui.widgets.tab import PageChooser
from gui.widgets.tables import BarRow, BarTable


class ImportancePage(QWidget):
    """A bar for each varied setting."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = BarTable(
            "studyImportance",
            self.tr("Importance of the settings"),
            (self.tr("Setting"), self.tr("Importance")),
        )
        self.table.setToolTip(
            self.tr(
                "How much of the differences between good and other runs each setting explains (PED-ANOVA)."
            )
        )
        self.message = note(name="studyImportanceNote")
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 6, 2, 2)
        column.addWidget(self.message)
        column.addWidget(self.table)
        column.addStretch(1)
        self.show_shares({})

    def show_shares(self, shares: dict[str, float]) -> None:
        """Show the settings, the most important one first."""
        ordered = sorted(shares.items(), key=lambda pair: -pair[1])
        self.table.setVisible(bool(ordered))
        self.table.show_rows(
            [BarRow((setting_title(name), percent(share, 0)), share) for name, share in ordered]
        )
        missing = self.tr("The importance is shown when {n} runs are complete, with different results.")
        set_message(self.message, "" if ordered else missing.format(n=IMPORTANCE_RUNS))


class StudyResults(QStackedWidget):
    """Three pages with the plots."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves = CurvesPage("study", "validation_loss")
        self.parallel = ParallelPlot()
        self.parallel.setToolTip(
            self.tr(
                "A line for each run. Blue: lowest validation loss; orange: highest. Selected runs are thick."
            )
        )
        self.importance = ImportancePage()
        for page in (self.curves, self.parallel, scroll_area(self.importance)):
            self.addWidget(page)
        self._spec: StudySpec | None = None
        self._runs: list[StudyRun] = []

    def show_runs(self, spec: StudySpec | None, runs: list[StudyRun], selected: list[StudyRun]) -> None:
        """Show these runs. The curves are those of the selected runs, or of all."""
        self._spec, self._runs = spec, runs
        drawn = [run for run in selected or runs if run.epochs]
        self.curves.show_runs([values_text(run) for run in drawn], [run.epochs for run in drawn])
        self.parallel.show_runs(spec, runs, selected)

    def export(self, path: Path) -> None:
        """Write the table of the runs (.csv), or the page in front (.png, .svg). Raises InputError."""
        if path.suffix.lower() == ".csv":
            write_atomically(path, study_csv(self._runs).encode())
            return
        plot: Plot | None = {0: self.curves.plot, 1: self.parallel}.get(self.currentIndex())
        if plot is not None:
            plot.export(path)
            return
        page = self.importance
        with atomic_path(path) as temporary, paint_to_file(temporary, page.size(), path.suffix) as painter:
            painter.fillRect(page.rect(), page.palette().color(page.backgroundRole()))
            page.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)


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
