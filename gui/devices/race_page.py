"""The race: the same network, data and seed on several devices or worker counts, side by side and live."""

import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.training.records import Finished, StepsDone
from core.training.run import Run
from gui.background.task_runner import Task
from gui.devices.contestants import Contestants
from gui.devices.network_page import Check, NetworkPage
from gui.devices.race_plot import AXES, RacePlot
from gui.devices.race_summary import contestant_name, in_words, seconds_left
from gui.settings.device_picker import DeviceList
from gui.settings.panel import SettingsPanel
from gui.text import clock, count, number, percent
from gui.widgets.bar_table import BarTable
from gui.widgets.basics import QuietComboBox, add_items, note, set_message
from gui.widgets.colours import LIGHT, Colours
from gui.widgets.flow_layout import labeled
from gui.widgets.series_style import series_colour, series_indices

if TYPE_CHECKING:
    from core.measure.race import RaceResult

# A reader needs no more, and drawing takes its time from the contestants.
REDRAW_SECONDS = 0.1


class RacePage(NetworkPage):
    def __init__(self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DeviceList) -> None:
        super().__init__(
            "race", self.tr("Race"),
            self.tr("Train the network on each contestant, from the same seed, and compare their speed."),
            settings, dataset_cache, devices,
        )  # fmt: skip
        self._run: Run | None = None
        self._dataset: Dataset | None = None
        self._colours: Colours = LIGHT
        self.standings: dict[str, RaceResult] = {}
        self._testing: dict[str, bool] = {}
        self._through: set[str] = set()
        self._changed = False
        self._advice = ""
        self.contestants = Contestants()
        self.axis_box = QuietComboBox()
        self.left = note(name="raceLeft")
        self.left.setWordWrap(False)
        self.left.setToolTip(
            self.tr("What all contestants together still need at their present speed; testing comes on top.")
        )
        self.plot = RacePlot()
        self.lanes = BarTable(
            "raceLanes", self.tr("Contestants"),
            (self.tr("Contestant"), self.tr("Progress"), self.tr("Images/s"), self.tr("Test"),
             self.tr("Seconds")), spare=(4,),
        )  # fmt: skip
        header = self.lanes.horizontalHeaderItem(4)
        assert header
        header.setToolTip(self.tr("Each contestant's own clock, which runs only while it computes."))
        self._racing, self._drawn_at = False, 0.0
        self.runner.ticked.connect(self._draw_if_due)
        self._lay_out()
        settings.changed.connect(self._on_settings)
        devices.chosen.connect(lambda: self.contestants.show_devices(devices.known()))
        self.contestants.show_devices(devices.known())
        self._on_settings()

    def _lay_out(self) -> None:
        self.column.addWidget(self.contestants)
        titles = {"time": self.tr("time"), "log-time": self.tr("time, log"), "epochs": self.tr("epochs")}
        add_items(self.axis_box, [(axis, titles[axis], "") for axis in AXES])
        self.axis_box.setObjectName("raceAxisBox")
        self.axis_box.setAccessibleName(self.tr("Axis"))
        self.axis_box.setToolTip(
            self.tr("Against time the faster device is ahead; against epochs all learn nearly the same.")
        )
        self.axis_box.currentIndexChanged.connect(
            lambda: self.plot.show_axis(str(self.axis_box.currentData()))
        )
        self.buttons.addWidget(labeled(self.tr("A&xis"), self.axis_box))
        self.buttons.addWidget(self.left)
        self.add_controls()
        self.column.addWidget(self.plot, 1)
        key = note(name="raceKey")
        set_message(
            key, self.tr("Lines: while learning, smoothed. Marks: on the test split, after each epoch.")
        )
        self.column.addWidget(key)
        self.column.addWidget(self.lanes)

    # -- what is raced ------------------------------------------------------------------------------------

    def describe(self, run: Run, data: str) -> str:
        text = self.tr("{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}")
        if run.epochs == 1:
            text = self.tr("{network} on {data}; one epoch in batches of {batch}, seed {seed}")
        text = text.format(
            network=run.network, data=data, epochs=run.epochs, batch=run.batch_size, seed=run.seed
        )
        return f"{text}; {self.tr('groups of {n} batches').format(n=run.group)}" if run.group > 1 else text

    def _on_settings(self) -> None:
        self.contestants.show_run(self._settings.run())
        self.show_subject()

    def task(self) -> Task | None:
        chosen, run = self.contestants.chosen(), self.ready_run()
        if run is None:
            return None
        if len(chosen) < 2:
            self.refuse_with(self.tr("A race needs at least two contestants: tick another one."))
            return None
        self._run, self._dataset, self.standings, self._advice = run, None, {}, ""
        self._through.clear()
        self._racing = True

        def race(dataset: Dataset, check: Check) -> Generator[Any]:
            from core.measure.race import Contestant, iter_race

            contestants = tuple(Contestant(*choice) for choice in chosen)
            yield contestants, dataset
            yield from iter_race(run, dataset, contestants, check)

        return self.on_data(race)

    # -- what comes ---------------------------------------------------------------------------------------

    def take(self, records: list[Any]) -> None:
        from core.measure.race import RaceProgress

        for record in records:
            if isinstance(record, tuple):
                self._begin(*record)
            elif isinstance(record, RaceProgress):
                event = record.event
                lane = contestant_name(record.contestant)
                self.standings[lane] = record.standing
                if isinstance(event, Finished):
                    self._through.add(lane)
                self._testing[lane] = isinstance(event, StepsDone) and event.position >= event.images
                self.plot.take(lane, event)
                self._changed = True
                self._advice = self._advice or getattr(event, "advice", "")

    def _begin(self, contestants: tuple[Any, ...], dataset: Dataset) -> None:
        names = tuple(map(contestant_name, contestants))
        self._dataset = dataset
        self.plot.begin(names, dataset.kind)
        self.lanes.set_rows(len(names))
        for row, name in enumerate(names):
            self.lanes.show_row(row, (name, "", "", "", ""), 0.0)

    def rest(self, stopped: bool) -> None:
        from core.measure.race import rank

        self._finish()
        standings = rank([standing for standing in self.standings.values() if standing.images])
        if len(standings) < 2:
            self.banner.show_text(self.tr("Stopped before two contestants had learnt anything."))
            return
        text = in_words(standings)
        if stopped:
            text = self.tr("Stopped; so far: {text}").format(text=text)
        self.banner.show_text(f"{text} {self._advice}".strip(), "info" if self._advice else "good")

    def refresh(self) -> None:
        super().refresh()
        self.contestants.setEnabled(not self.runner.busy)
        if not self.runner.busy:
            self._finish()

    def _finish(self) -> None:
        if self._racing:
            self._racing = False
            self._draw()
            set_message(self.left, "")
            self._on_settings()

    def _draw_if_due(self) -> None:
        if time.monotonic() - self._drawn_at >= REDRAW_SECONDS:
            self._draw()

    def _draw(self) -> None:
        if not self._changed:
            return
        self._changed = False
        self._drawn_at = time.monotonic()
        self.plot.draw()
        colours = [series_colour(self._colours, place) for place in series_indices(list(self.plot.lanes))]
        for row, (name, lane) in enumerate(self.plot.lanes.items()):
            standing = self.standings.get(name)
            if standing:
                tested = len(lane.tested.curve)
                self.lanes.show_row(
                    row, self._texts(name, standing), self._come(standing, tested),
                    colours[row],
                )  # fmt: skip
        set_message(self.left, self._left())

    def _left(self) -> str:
        """How long the race will take yet, once each contestant has taken a step: they take turns."""
        if not self.runner.busy or self.runner.cancelling:
            return ""
        needed = 0.0
        for name, lane in self.plot.lanes.items():
            standing = self.standings.get(name)
            if name in self._through:
                continue
            left = seconds_left(standing, self._come(standing, len(lane.tested.curve))) if standing else None
            if left is None:
                return ""
            needed += left
        return self.tr("about {time} left").format(time=clock(needed))

    def _come(self, standing: "RaceResult", epochs: int) -> float:
        """The share of the way; a contestant that has reached its target is through before the last epoch."""
        assert self._run
        assert self._dataset
        learnt = len(self._dataset.train) * (1 - self._run.validation) * self._run.epochs
        return min(max(standing.images / learnt, epochs / self._run.epochs), 1.0)

    def _texts(self, name: str, standing: "RaceResult") -> tuple[str, ...]:
        classes = self._dataset is not None and self._dataset.kind == "classes"
        score = standing.score
        shown = "–" if score is None else percent(score) if classes else number(score)
        # A slow device takes its time over the test split, which its clock does not count.
        if self._testing[name] and self.runner.busy:
            shown = self.tr("testing…")
        come = self._come(standing, len(self.plot.lanes[name].tested.curve))
        return (
            name, f"{come:.0%}".replace("%", " %"), count(standing.images_per_second), shown,
            number(standing.seconds, 3),
        )  # fmt: skip

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self._colours = colours
        self.plot.apply_theme(colours)
        self._changed = bool(self.standings)
        self._draw()
