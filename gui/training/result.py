"""The result of a run beside its plots: the score, of which epoch, which run it is, and how far it
has come.
"""

from PySide6.QtWidgets import QBoxLayout, QWidget

from gui.widgets.make import column, label, row
from gui.widgets.messages import note, set_message
from gui.widgets.pictures import series_icon
from gui.widgets.plots.series import series_color
from gui.widgets.theme import theme
from gui.words import explain, with_words

_MOST = 100  # the stretch of the conclusion: nearly all of the room that is left


class RunResult(QWidget):
    """`score` is the result itself, with the `mark` of its curve; `conclusion`: the widget below
    all.

    progress: the column that the window fills while a run trains.
    """

    def __init__(self, conclusion: QWidget) -> None:
        super().__init__()
        tr = self.tr
        self.score = label("", "plotResult", "result", wraps=False)
        self.score.setToolTip(
            tr(
                "The accuracy on the test set, which it has not learned from: of the last epoch, "
                "or of the best one where a run with patience keeps its network."
            )
        )
        self.run_line = label("", "plotRun", "caption")
        self._has_curve = False
        self.mark = label("", "plotMark")
        self.mark.setToolTip(tr("The color of this run's curve on the test set."))
        self.epoch_line = label("", "plotEpoch", "muted")
        self.epoch_line.setToolTip(explain("epoch"))
        self.changed_note = note(name="plotChanged")
        self.changed_note.setToolTip(tr("Train shows what the new settings do, beside this run."))
        self.progress_part = QWidget()
        self.progress = column(owner=self.progress_part, spacing=2)
        self._score_row = row(self.mark, self.score, None, spacing=10)
        self._column = column(
            self._score_row,
            self.epoch_line,
            self.run_line,
            self.changed_note,
            (conclusion, _MOST),
            None,
            owner=self,
            spacing=4,
        )
        self.place_progress()
        theme().changed.connect(self._on_theme)

    @property
    def heading(self) -> str:
        """The run and its result in one line, as above a picture of its curves."""
        return ": ".join(filter(None, (self.run_line.text(), self.score.text())))

    def _on_theme(self) -> None:
        """In presenter mode there is less to read."""
        self.epoch_line.setHidden(theme().presenting)

    def place_progress(self) -> None:
        """Show the progress of a run below its result."""
        self._column.insertWidget(2, self.progress_part)

    def place_score(self, head: QBoxLayout | None = None) -> None:
        """Put the score into the line above the plots, or back to its place beside them."""
        place = self._score_row if head is None else head
        if place.indexOf(self.score) < 0:
            index = 0 if head is None else 1
            place.insertWidget(index, self.mark)
            place.insertWidget(index + 1, self.score)

    def show_score(self, text: str, where: str) -> None:
        """Show a score, and of which epoch it is; empty texts are hidden."""
        self.score.setText(text)
        self.score.setVisible(bool(text))
        self._show_mark()
        self.epoch_line.setText(where)
        self.epoch_line.setVisible(bool(where))

    def show_run(self, text: str, exact: str, series: int | None) -> None:
        """Name the run. exact: its settings, for the tooltip; series: the color of its curve, None:
        no run.
        """
        self.run_line.setText(text)
        self.mark.setPixmap(
            series_icon(series_color(theme().colors, series or 0)).pixmap(theme().px(14))
        )
        self._has_curve = series is not None
        self._show_mark()
        if text:
            tip = self.tr("The run whose curves are shown: {run}.").format(run=exact or text)
            self.run_line.setToolTip(with_words(tip, f"{text} {exact}"))

    def _show_mark(self) -> None:
        """It stands before the score: alone it would say nothing."""
        self.mark.setVisible(self._has_curve and bool(self.score.text()))

    def show_changed(self, changed: bool) -> None:
        """Say whether the settings above the stage are others by now."""
        set_message(
            self.changed_note, self.tr("The settings have changed since.") if changed else ""
        )
        palette = self.changed_note.palette()
        palette.setColor(self.changed_note.foregroundRole(), theme().colors.notice)
        self.changed_note.setPalette(palette)
