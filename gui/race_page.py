"""The race: the same network, data and seed on several devices or worker counts, side by side and live."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel

from core.dataset import Dataset
from core.run import Run
from gui.bar_table import BarTable
from gui.contestants import Contestants
from gui.controls import QuietComboBox, fill, note, say
from gui.data_shelf import DataShelf, Progress
from gui.device_list import DeviceList
from gui.measuring_page import MeasuringPage
from gui.race_plot import AXES, RacePlot
from gui.series import places, series_colour
from gui.settings_panel import SettingsPanel
from gui.stream import Source, Waiting
from gui.theme import LIGHT, Colours
from gui.words import count, number, percent

if TYPE_CHECKING:
    from core.race import Standing

# The eye asks for no more, and what drawing costs the contestants would pay.
REDRAW_MILLISECONDS = 120


class RacePage(MeasuringPage):
    def __init__(self, settings: SettingsPanel, shelf: DataShelf, devices: DeviceList) -> None:
        super().__init__(
            "race", self.tr("Race"),
            self.tr("Train the network on each contestant, from the same seed, and compare their speed."),
        )  # fmt: skip
        self._settings, self._shelf, self._devices = settings, shelf, devices
        self._run: Run | None = None
        self._dataset: Dataset | None = None
        self._colours: Colours = LIGHT
        self.standings: dict[str, Standing] = {}
        self._changed = False
        self.subject = note(name="raceSubject")
        self.contestants = Contestants()
        self.axis_box = QuietComboBox()
        self.plot = RacePlot()
        self.lanes = BarTable(
            "raceLanes", self.tr("Contestants"),
            (self.tr("Contestant"), self.tr("Progress"), self.tr("Images/s"), self.tr("Test"),
             self.tr("Seconds")),
        )  # fmt: skip
        self._clock = QTimer(self, interval=REDRAW_MILLISECONDS)
        self._clock.timeout.connect(self._draw)
        self._lay_out()
        settings.changed.connect(self._show_subject)
        devices.chosen.connect(lambda: self.contestants.show_devices(devices.known()))
        self.contestants.show_devices(devices.known())
        self._show_subject()

    def _lay_out(self) -> None:
        self.column.addWidget(self.subject)
        self.column.addWidget(self.contestants)
        titles = {"time": self.tr("time"), "log-time": self.tr("time, log"), "epochs": self.tr("epochs")}
        fill(self.axis_box, [(axis, titles[axis], "") for axis in AXES])
        self.axis_box.setObjectName("raceAxisBox")
        self.axis_box.setAccessibleName(self.tr("Axis"))
        self.axis_box.setToolTip(
            self.tr("Against time the faster device is ahead; against epochs all learn nearly the same.")
        )
        self.axis_box.currentIndexChanged.connect(
            lambda: self.plot.show_axis(str(self.axis_box.currentData()))
        )
        label = QLabel(self.tr("A&xis"))
        label.setBuddy(self.axis_box)
        self.buttons.addWidget(label)
        self.buttons.addWidget(self.axis_box)
        self.add_controls()
        self.column.addWidget(self.plot, 1)
        key = note(name="raceKey")
        say(key, self.tr("Lines: while learning, smoothed. Marks: on the test split, after each epoch."))
        self.column.addWidget(key)
        self.column.addWidget(self.lanes)

    # -- what is raced ------------------------------------------------------------------------------------

    def _show_subject(self) -> None:
        run = self._settings.run()
        self.contestants.show_run(run)
        if self.stream.busy:
            return
        text = self.tr("{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}")
        values = (
            {"network": run.network, "epochs": run.epochs, "batch": run.batch_size, "seed": run.seed}
            if run
            else {}
        )
        say(self.subject, text.format(data=self._settings.data.summary(), **values) if run else "")

    def source(self) -> Source | None:
        chosen, run = self.contestants.chosen(), self._settings.run()
        if run is None:
            self.refuse_with(self.tr("A setting is wrong: correct what is marked in red on the left."))
            return None
        if not self._settings.data.is_available():
            self.refuse_with(
                self.tr("The data set is not on this machine yet: download it, or choose another.")
            )
            return None
        if len(chosen) < 2:
            self.refuse_with(self.tr("A race needs at least two contestants: tick another one."))
            return None
        self._run, self._dataset, self.standings = run, None, {}
        self._clock.start()
        name = self._settings.data.source()
        reading, preparing = self.tr("reading the data…"), self.tr("preparing the contestants…")

        def race(progress: Progress) -> Generator[Any]:
            yield Waiting(reading)
            dataset = self._shelf.get(name, progress)
            progress(0, 0)
            yield Waiting(preparing)
            from core.race import Contestant, iter_race

            contestants = tuple(Contestant(*choice) for choice in chosen)
            yield contestants, dataset
            yield from iter_race(run, dataset, contestants)

        return race

    # -- what comes ---------------------------------------------------------------------------------------

    def take(self, records: list[Any]) -> None:
        from core.race import Raced

        for record in records:
            if isinstance(record, tuple):
                self._begin(*record)
            elif isinstance(record, Raced):
                self.standings[record.contestant.name] = record.standing
                self.plot.take(record.contestant.name, record.event)
                self._changed = True

    def _begin(self, contestants: tuple[Any, ...], dataset: Dataset) -> None:
        names = tuple(contestant.name for contestant in contestants)
        self._dataset = dataset
        self.plot.begin(names, dataset.kind)
        self.lanes.set_rows(len(names))
        for row, name in enumerate(names):
            self.lanes.show_row(row, (name, "", "", "", ""), 0.0)

    def rest(self, stopped: bool) -> None:
        from core.race import in_words, rank

        self._finish()
        standings = rank([standing for standing in self.standings.values() if standing.images])
        if len(standings) < 2:
            self.banner.show_text(self.tr("Stopped before two contestants had learnt anything."))
            return
        text = in_words(standings)
        self.banner.show_text(
            self.tr("Stopped; so far: {text}").format(text=text) if stopped else text, "good"
        )

    def refresh(self) -> None:
        super().refresh()
        self.contestants.setEnabled(not self.stream.busy)
        if not self.stream.busy:
            self._finish()

    def _finish(self) -> None:
        if self._clock.isActive():
            self._clock.stop()
            self._draw()
            self._show_subject()

    def close_down(self) -> None:
        self._clock.stop()
        super().close_down()

    def _draw(self) -> None:
        if not self._changed:
            return
        self._changed = False
        self.plot.draw()
        colours = [series_colour(self._colours, place) for place in places(list(self.plot.lanes))]
        for row, (name, lane) in enumerate(self.plot.lanes.items()):
            standing = self.standings.get(name)
            if standing:
                tested = len(lane.tested.curve)
                self.lanes.show_row(
                    row, self._texts(name, standing), self._come(standing, tested),
                    colours[row],
                )  # fmt: skip

    def _come(self, standing: "Standing", epochs: int) -> float:
        """The share of the way; a contestant that has reached its target is through before the last epoch."""
        assert self._run
        assert self._dataset
        learnt = len(self._dataset.train) * (1 - self._run.validation) * self._run.epochs
        return min(max(standing.images / learnt, epochs / self._run.epochs), 1.0)

    def _texts(self, name: str, standing: "Standing") -> tuple[str, ...]:
        classes = self._dataset is not None and self._dataset.kind == "classes"
        score = standing.score
        shown = "–" if score is None else percent(score) if classes else number(score)
        come = self._come(standing, len(self.plot.lanes[name].tested.curve))
        return (
            name, f"{come:.0%}".replace("%", " %"), count(standing.images_per_second), shown,
            number(standing.seconds, 3),
        )  # fmt: skip

    def colour(self, colours: Colours) -> None:
        super().colour(colours)
        self._colours = colours
        self.plot.colour(colours)
        self._changed = bool(self.standings)
        self._draw()
