"""The plots of a study: curves of its runs, parallel coordinates, importance of the settings."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.files.atomic import atomic_path, write_atomically
from core.studies.run import StudyRun
from core.studies.spec import StudySpec
from core.studies.study import IMPORTANCE_RUNS
from core.studies.table import study_csv
from gui.studies.parallel_plot import ParallelPlot
from gui.studies.run_model import setting_title, values_text
from gui.widgets.bar_table import BarTable
from gui.widgets.basics import note, scroll_area, set_message
from gui.widgets.colors import Colors
from gui.widgets.paint_to_file import paint_to_file
from gui.widgets.plots.curves_page import CurvesPage
from gui.widgets.plots.plot import Plot


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
        self.table.set_rows(len(ordered))
        for row, (name, share) in enumerate(ordered):
            self.table.show_row(row, (setting_title(name), f"{share:.0%}"), share)
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
        drawn = [run for run in selected or runs if run.rows]
        self.curves.show_runs([values_text(run) for run in drawn], [run.rows for run in drawn])
        self.parallel.show_runs(spec, runs, selected)

    def apply_theme(self, colors: Colors) -> None:
        self.curves.apply_theme(colors)
        self.parallel.apply_theme(colors)

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
