"""The race: the same network, data and seed on several devices or numbers of workers, side by side
and live.
"""

from collections.abc import Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from core.data.dataset import Dataset
from core.training.run_settings import BY_NAME, RunSettings
from gui.background.task_runner import Task
from gui.devices.measurement_page import Check, ExportContent, Inputs, MeasurementPage
from gui.text import (
    count,
    device_description,
    device_title,
    label,
    number,
    percent,
    translator,
    with_percent,
)
from gui.widgets import make
from gui.widgets.basics import LinkButton, PrimaryButton, named
from gui.widgets.messages import note, set_message
from gui.widgets.plots.series import series_color, series_indices
from gui.widgets.tables import BarRow, BarTable
from gui.widgets.theme import theme
from gui.words import network_words
from kernels.host import processor_count
from kernels.registry import DeviceInfo, default_cpu_device, device_spec, device_specs

_tr = translator("RaceResults")

if TYPE_CHECKING:
    from core.bench.reports import RaceReport
    from core.measure.race import Contestant, RaceProgress, RaceResult

MAX_REPETITIONS = 9


class RacePage(MeasurementPage):
    """`progress`: the newest of each contestant by its title."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__(
            "race",
            self.tr("Race"),
            self.tr(
                "Train the network on each contestant, from the same seed, and compare their speed."
            ),
            inputs,
            PrimaryButton,
        )
        self._raced: RunSettings | None = None
        self._dataset: Dataset | None = None
        self.progress: dict[str, RaceProgress] = {}
        self._titles: list[str] = []
        self._repetition = self._repetitions = 1
        self._advice = self.warning = ""
        self.contestants = Contestants()
        tr = self.tr
        tip = tr("How often the race is run: the speed is the median, with its spread.")
        self.repetitions_box = make.spin(
            "raceRepetitionsBox", tr("Repetitions"), tip, 1, MAX_REPETITIONS
        )
        seconds_tip = tr("Each contestant's own clock, which runs only while it computes.")
        columns = (
            tr("Contestant"),
            tr("Progress"),
            tr("Images/s"),
            tr("Test"),
            (tr("Seconds"), seconds_tip),
        )
        self.lanes = BarTable("raceLanes", tr("Contestants"), columns, hide_first=(4,))
        self.runner.ticked.connect(self._draw)
        self.runner.ended.connect(self._draw)
        self.runner.ended.connect(self.show_subject)
        repeat = make.labeled(self.tr("Re&peat"), self.repetitions_box)
        self.locked = (self.contestants, self.repetitions_box)
        who = QWidget()
        make.column(self.contestants, make.row(repeat, None), owner=who)
        tip = tr("Choose the devices and numbers of workers that race, and how often.")
        fold = named(LinkButton(tr("Who races, and how often"), who), "raceMore", tip=tip)
        hint = self.tr(
            "Press Race: each trains the network named above from the same seed, and its clock "
            "runs only while it computes."
        )
        above = self.lanes, fold, who
        self.lay_out(tr("How the same run goes"), above, (), hint)
        self.contestants.changed.connect(self._show_lanes)
        self._show_lanes()
        theme().changed.connect(self._draw)

    def describe(self, settings: RunSettings, data: str) -> str:
        text = self.tr(
            "{network} on {data}; {epochs} epochs in batches of {batch}, seed {seed}",
            None,
            settings.epochs,
        )
        text = text.format(
            network=network_words(settings.network),
            data=data,
            epochs=settings.epochs,
            batch=settings.batch_size,
            seed=settings.seed,
        )
        groups = self.tr("groups of {n} batches", None, settings.group).format(n=settings.group)
        return f"{text}; {groups}" if settings.group > 1 else text

    def show_devices(self) -> None:
        self.contestants.show_devices(self._devices.known())

    def _show_lanes(self) -> None:
        """A lane for each chosen contestant, until a race has results."""
        if not self.progress and not self.runner.busy:
            titles = (choice_title(*choice) for choice in self.contestants.chosen())
            self.lanes.show_rows([BarRow((title, "", "", "", "")) for title in titles])

    def show_subject(self) -> None:
        plan = self._settings.plan
        self.contestants.show_run(plan.settings if plan else None)
        super().show_subject()

    def task(self) -> Task | None:
        chosen = self.contestants.chosen()
        settings = self.ready_settings()
        if settings is None:
            return None
        if len(chosen) < 2:
            text = self.tr("A race needs at least two contestants: tick another one.")
            self.banner.show_text(text, "bad")
            return None
        repetitions = self._repetitions = self.repetitions_box.value()
        self._raced = settings
        self._dataset = None
        self.progress = {}
        self._titles = []
        self._advice = self.warning = ""

        def race(dataset: Dataset, check: Check) -> Generator[Any]:
            from core.bench.reports import RaceReport
            from core.measure.race import Contestant, iter_race

            contestants = tuple(Contestant(*choice) for choice in chosen)
            yield partial(self._begin, contestants, dataset, RaceReport())
            for record in iter_race(settings, dataset, contestants, check, repetitions):
                yield partial(record.add_to, self)

        return self.task_on_data(race)

    def _begin(
        self, contestants: "Sequence[Contestant]", dataset: Dataset, report: "RaceReport"
    ) -> None:
        self._dataset = dataset
        self._report = report
        self._titles = list(map(contestant_title, contestants))
        self._repetition = 1
        self.lanes.show_rows([BarRow((title, "", "", "", "")) for title in self._titles])
        self.show_results()

    def add_progress(self, progress: "RaceProgress") -> None:
        self._repetition = progress.repetition
        self._report.add_progress(progress)
        self.progress[contestant_title(progress.result.contestant)] = progress
        self._advice = self._advice or getattr(progress.record, "advice", "")

    def on_finished(self, stopped: bool) -> None:
        from core.measure.race import rank

        reached = [progress.result for progress in self.progress.values()]
        # Who was stopped before the first step has no speed to compare.
        results = rank([result for result in reached if result.outcome.images])
        if len(results) < 2:
            self.banner.show_text(self.tr("Stopped before two contestants had trained a step."))
            return
        assert self._dataset
        text = race_verdict(results, self._dataset.kind)
        if stopped:
            text = self.tr("Stopped; so far: {text}").format(text=text)
        remarks = f"{self.warning} {self._advice}".strip()
        self.banner.show_text(f"{text} {remarks}".strip(), "info" if remarks else "good")

    def export_content(self) -> ExportContent | None:
        from core.bench.reports import race_bench

        if not self.progress or self._raced is None or self._dataset is None:
            return None
        bench = race_bench(self._raced, self._dataset, ())
        return bench, self._report.rows(), [self.warning] if self.warning else []

    def _draw(self) -> None:
        for row, index in enumerate(series_indices(self._titles)):
            title = self._titles[row]
            if progress := self.progress.get(title):
                color = series_color(theme().colors, index)
                done = self._fraction(progress)
                texts = (title, *self._texts(progress, done))
                self.lanes.show_row(row, BarRow(texts, done, color))

    def _fraction(self, progress: "RaceProgress") -> float:
        """How much of this repetition the contestant has done."""
        assert self._raced
        assert self._dataset
        if progress.repetition != self._repetition:
            return 0.0
        outcome = progress.result.outcome
        images = len(self._dataset.train) * (1 - self._raced.validation) * self._raced.epochs
        # The larger of both: of a share of epochs rounding may leave some images out.
        return min(max(outcome.images / images, len(outcome.epochs) / self._raced.epochs), 1.0)

    def _texts(self, progress: "RaceProgress", fraction: float) -> tuple[str, ...]:
        result = progress.result
        is_accuracy = self._dataset is not None and self._dataset.kind == "classes"
        write = percent if is_accuracy else number
        score = "–" if result.outcome.score is None else write(result.outcome.score)
        # The test takes long on a slow device, and its clock does not run meanwhile.
        record = progress.record
        if (
            record.reason is None
            and record.numbers is None
            and record.position >= record.images
            and self.runner.busy
        ):
            score = self.tr("testing…")
        done = percent((self._repetition - 1 + fraction) / self._repetitions, 0)
        seconds = number(result.outcome.seconds, 3)
        return done, speed_text(result), score, seconds


# Device name and number of workers.
Choice = tuple[str, int]


class Contestants(QWidget):
    """A box for each device, and for each number of workers on the processor."""

    changed = Signal()  # what is chosen

    def __init__(self) -> None:
        super().__init__()
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(4)
        self.boxes: dict[Choice, QCheckBox] = {}
        self._device_row = make.FlowLayout(spacing=14)
        workers = make.FlowLayout(spacing=14)
        self._shared = default_cpu_device()
        for spec in device_specs():
            self._add_device(spec.name)
        cores = processor_count()
        counts = [*(2**k for k in range(1, 8) if 2**k < cores), cores] if cores > 1 else []
        for n in counts:
            workers.addWidget(
                self._box((self._shared, n), self.tr("{n} workers", None, n).format(n=n), "")
            )
        self.hint = note(name="workersHint")
        form.addRow(self.tr("Devices"), self._device_row)
        if counts:
            form.addRow(self.tr("Workers"), workers)
        form.addRow(self.hint)
        for name in (device_specs()[0].name, self._shared):
            self.boxes[name, 1].setChecked(True)

    def chosen(self) -> tuple[Choice, ...]:
        checked = (
            choice
            for choice, box in self.boxes.items()
            # Not by `isEnabled`: all boxes are disabled while the race runs.
            if box.isChecked() and box.isEnabledTo(self)
        )
        return tuple(checked)

    def show_devices(self, known: list[DeviceInfo]) -> None:
        """Add boxes for further cards; disable the devices that are not available, with the reason
        as their tooltip.
        """
        infos = {info.name: info for info in known}
        for name in infos:
            if (name, 1) not in self.boxes:
                self._add_device(name)
        for (name, n), box in self.boxes.items():
            if n > 1:
                continue
            spec = device_spec(name)
            info = infos.get(name)
            # A device that not every machine has is disabled until its probe has succeeded.
            box.setEnabled(info.available if info else spec.probe is None)
            if info:
                box.setToolTip(
                    (info.hardware or device_description(spec)) if info.available else info.reason
                )

    def show_run(self, settings: RunSettings | None) -> None:
        """Disable the numbers of workers for which the run's group has too few batches."""
        if settings is None:
            return
        group = settings.group
        workers = [(choice, box) for choice, box in self.boxes.items() if choice[1] > 1]
        for (_, n), box in workers:
            box.setEnabled(n <= group)
            tip = self.tr("{n} threads share the batches of a group on {device}.", None, n)
            if n > group:
                tip = self.tr("{n} workers need a group of at least as many batches.", None, n)
            box.setToolTip(tip.format(n=n, device=device_title(self._shared)))
        text = self.tr(
            "To race workers too, let a group have several batches: “{setting}” in All settings."
        )
        set_message(
            self.hint,
            text.format(setting=label(BY_NAME["group"])) if workers and group == 1 else "",
        )

    def _add_device(self, name: str) -> None:
        before = [box for (_, n), box in self.boxes.items() if n == 1]
        box = self._box((name, 1), device_title(name), device_description(device_spec(name)))
        self._device_row.addWidget(box)
        if before:
            self.setTabOrder(before[-1], box)

    def _box(self, choice: Choice, text: str, tip: str) -> QCheckBox:
        box = make.check(text, f"race-{choice[0]}-{choice[1]}", tip, self.changed)
        box.setParent(self)  # the tab order needs a common window
        self.boxes[choice] = box
        return box


# Contestants whose speeds differ by less than this are called equally fast.
_EQUAL = 1.05


def choice_title(device: str, workers: int) -> str:
    title = device_title(device)
    if workers == 1:
        return title
    return _tr("{device}, {n} workers", workers).format(device=title, n=workers)


def contestant_title(contestant: "Contestant") -> str:
    return choice_title(contestant.device, contestant.workers)


def race_verdict(results: "tuple[RaceResult, ...]", kind: str = "classes") -> str:
    """One sentence for each contestant: how many times as fast it is as the slowest, the last of
    `results`.

    `kind`: of the data; speeds are images a second, or points for regression.
    """
    unit = _tr("images a second") if kind == "classes" else _tr("points a second")
    *faster, slowest = results
    sentences = []
    for result in faster:
        ratio = (
            result.images_per_second / slowest.images_per_second
            if slowest.images_per_second
            else 0.0
        )
        text = _tr("{times} times as fast as {other}: {one} ({rate} against {slow} {unit}).")
        if ratio < _EQUAL:
            text = _tr("As fast as {other}: {one} ({rate} against {slow} {unit}).")
        sentences.append(
            text.format(
                one=contestant_title(result.contestant),
                other=contestant_title(slowest.contestant),
                times=number(ratio, 2) if ratio < 10 else count(ratio),
                rate=speed_text(result),
                slow=speed_text(slowest),
                unit=unit,
            )
        )
    return " ".join(sentences)


def speed_text(result: "RaceResult") -> str:
    """Images a second; after several repetitions the median with its spread: `12,300 ± 3 %`."""
    text = count(result.images_per_second)
    if len(result.speeds) < 2:
        return text
    return _tr("{speed} ± {spread}").format(
        speed=text, spread=with_percent(number(50 * result.spread, 2))
    )
