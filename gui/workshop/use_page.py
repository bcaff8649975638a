"""The page of a network that learns with the kernel: its curve, its time, and the same training without the kernel."""

from typing import Any

from PySide6.QtWidgets import QWidget

from gui.text import count, number, percent
from gui.widgets import make
from gui.widgets.messages import note, set_message
from gui.widgets.plots.live_plot import LivePlot

_HEIGHT = 220


class UsePage(QWidget):
    """What `workshop use` prints, as a curve and sentences."""

    def __init__(self) -> None:
        super().__init__()
        text = self.tr("A small network learns with your kernel in place of the program's own.")
        self.words = make.label(text, "workshopUseWords", selectable=True)
        self.plot = LivePlot(self.tr("accuracy, %"), "workshopUsePlot", percent=True)
        self.plot.setMinimumHeight(_HEIGHT)
        self.state = note(name="workshopUseState")
        make.column(self.words, (self.plot, 1), self.state, owner=self)

    def begin(self) -> None:
        self.plot.start_run(planned=1)
        self.words.setText(self.tr("The kernel is being checked, and the network prepared…"))
        set_message(self.state, "")

    def show_record(self, record: dict[str, Any]) -> None:
        """One object of `workshop use --json`."""
        if "mode" in record and "usage" not in record:
            modes = {
                "cuda": self.tr("The card runs your kernel."),
                "compiled": self.tr("Your kernel runs as a compiled loop on the processor."),
                "interpreter": self.tr("The interpreter of the check runs your kernel."),
            }
            self.words.setText(f"{modes[record['mode']]} {record['reason']}".strip())
        elif "images" in record:
            text = self.tr("{network} learns {n} images.", None, record["images"])
            set_message(self.state, text.format(network=record["network"], n=count(record["images"])))
        elif "step" in record:
            self.plot.add("train", record["at"], record["accuracy"])
            self.plot.draw(record["at"])
        elif "test_accuracy" in record:
            self.plot.add("test", record["epoch"], record["test_accuracy"])
            self.plot.draw(record["epoch"])
        elif "usage" in record:
            self._show_comparison(record)

    def _show_comparison(self, record: dict[str, Any]) -> None:
        usage = record["usage"]
        share = usage["seconds"] / max(record["seconds"], 1e-9)
        took = self.tr(
            "Your kernel was called {calls} times and took {share} of {seconds} s; with the program's own operator the "
            "training takes {own} s.",
            None,
            usage["calls"],
        ).format(
            calls=count(usage["calls"]),
            share=percent(share),
            seconds=number(record["seconds"], 3),
            own=number(record["own_seconds"], 3),
        )
        reached = self.tr("It reads {accuracy} of the test images; with the program's own {own}.").format(
            accuracy=percent(record["accuracy"]), own=percent(record["own_accuracy"])
        )
        same = (
            self.tr("All parameters are the same but for rounding.")
            if record["same"]
            else self.tr("The parameters differ: the kernel computes something else than the operator.")
        )
        self.words.setText(f"{took}\n\n{reached} {same}")
        set_message(
            self.state, self.tr("Draw a digit: the network that your kernel has trained reads it now.")
        )
