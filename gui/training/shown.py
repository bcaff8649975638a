"""How the training tab shows runs, and the earlier runs that it keeps in its plots."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.training.records import Epoch
from gui.widgets.plots.live_plot import OtherCurve


@dataclass(frozen=True, slots=True)
class Display:
    """How runs are shown: at a desk by default, or as a lab asks for.

    `concludes`: say at the end of a run what it has shown. `compares`: offer a comparison then, which takes the place
    of the run. `notes_changes`: say that the settings are others by now. `hint`: in empty plots. `name`, `series`: of
    the next run's curve; by default it has the colors of training and test. `line`, `result`: what stands above the
    plots in place of the run and its result.
    """

    concludes: bool = True
    compares: bool = True
    notes_changes: bool = True
    hint: str | None = None
    name: str = ""
    series: int | None = None
    line: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """An earlier run in the plots. `source`: its settings and its data by name; `curves`: loss and score.

    `score`: of its last epoch on the test set, NaN if it has none; `result`: that as text.
    """

    source: Mapping[str, object]
    title: str
    score: float
    result: str
    series: int
    curves: tuple[OtherCurve, OtherCurve]

    def ends_with(self, epoch: Epoch) -> bool:
        """Whether its last epoch is this one: a run that continues would stand beside itself."""
        return self.curves[0].points[-1:] == ((float(epoch.epoch), epoch.test_loss),)
