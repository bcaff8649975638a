"""The results and the differing settings of the selected runs side by side."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QTableWidget, QTableWidgetItem, QWidget

from core.runs.comparison import differing, result_of, value_of
from core.runs.library import RunEntry
from core.training.run_settings import BY_NAME
from gui.runs.run_model import score_text, state_text
from gui.text import clock, count, label, number
from gui.widgets.table import RIGHT, set_up_table


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunResults", text)


class ResultsPage(QTableWidget):
    """A column for each run, a row for each result and each setting in which the runs differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_table(self, "runResults", self.tr("Results of the selected runs"))
        self.setToolTip(self.tr("The results of the selected runs, and the settings in which they differ."))
        self.verticalHeader().show()
        self.horizontalHeader().setMaximumSectionSize(220)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        titles = _titles()
        settings = differing(entries) if entries else ()
        headings = [
            *titles.values(),
            *(label(BY_NAME[s]) if s in BY_NAME else s.capitalize() for s in settings),
        ]
        self.setRowCount(len(headings) if entries else 0)
        self.setColumnCount(len(entries))
        self.setVerticalHeaderLabels(headings)
        self.setHorizontalHeaderLabels(list(names))
        self.horizontalHeader().setToolTip("\n".join(names))
        for column, entry in enumerate(entries):
            texts = [_text(entry, name) for name in titles] + [value_of(entry, name) for name in settings]
            for row, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setTextAlignment(RIGHT)
                self.setItem(row, column, item)
        self.resizeColumnsToContents()


def _titles() -> dict[str, str]:
    return {
        "state": _tr("State"), "epochs_done": _tr("Epochs"), "best_epoch": _tr("Best epoch"),
        "best_score": _tr("Best test score"), "test_score": _tr("Last test score"), "test_loss": _tr("Test loss"),
        "train_loss": _tr("Training loss"), "validation_loss": _tr("Validation loss"),
        "seconds": _tr("Time of training"),
    }  # fmt: skip


def _text(entry: RunEntry, name: str) -> str:
    value = result_of(entry)[name]
    if name == "state":
        return state_text(entry)
    if value is None:
        return "–"
    if name.endswith("_score"):
        return score_text(entry, name)
    assert isinstance(value, int | float)
    if name == "seconds":
        return clock(value)
    return count(value) if isinstance(value, int) else number(value)
