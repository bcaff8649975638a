"""Trainings to watch: the button that starts them, and what each has reached."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.run import RunBlock
from gui.labs.blocks.part import ExercisePart
from gui.labs.texts import OutcomeLabel, value_text
from gui.text import device_title, duration, number, sentence_text
from gui.widgets.basics import PrimaryButton
from gui.widgets.make import button, label
from gui.widgets.messages import set_message
from gui.widgets.theme import theme
from gui.words import network_words

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class RunPart(ExercisePart):
    """Starts the runs, and shows what each has reached."""

    block = RunBlock
    part: RunBlock

    def __init__(self, part: RunBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        tip = self.tr("Train the network as this step sets it.")
        self.start = button(
            self.tr("Run"), f"lab-{part.id}Start", tip, self._start, kind=PrimaryButton
        )
        self.results = label("", f"lab-{part.id}Results")
        self.compared = {
            each.id: OutcomeLabel(f"lab-{each.id}Compared")
            for each in answers.lab.expected_before(part)
        }
        self._add(self.start, self.results, *self.compared.values())

    def start_button(self) -> PrimaryButton:
        return self.start

    def first_control(self) -> QWidget:
        return self.start

    def waits_for(self) -> str:
        return self.tr("first press Run")

    def _start(self) -> None:
        self.run_asked.emit(self.part)

    @property
    def _running(self) -> int | None:
        """The variant that is being trained, or None."""
        return self.runs.running_variant(self.part)

    def refresh(self) -> None:
        may_run = self.answers.may_run(self.part)
        is_done = self.answers.is_done(self.part)
        self.start.setEnabled(may_run and self._running is None)
        # Once it is done, the main button is Next.
        self.start.set_main(not is_done)
        self.start.setHidden(theme().presenting)  # it is in the bar
        self.start.setText(self.tr("Run again") if is_done else self.tr("Run"))
        self.message.say(self._state() if may_run else self._obstacle())
        set_message(self.results, "\n".join(self._lines()))
        for each in self.answers.lab.expected_before(self.part):
            said = self.answers.comparison(each, value_text)
            text = "" if said is None else sentence_text(said)
            self.compared[each.id].say(text, each.was_right(self.answers.predictions.get(each.id)))

    def _obstacle(self) -> str:
        if not self.answers.is_named:
            return self.tr("First type your name or number at the beginning of the lab.")
        return self.tr("First say what you expect.")

    def _state(self) -> str:
        """Which of the runs is trained, or that some were not completed."""
        count = len(self.part.variants)
        part = self.part
        if self._running is not None and count > 1:
            text = self.tr("Run {n} of {all} is being trained: {run}.")
            return text.format(n=self._running + 1, all=count, run=part.titles[self._running])
        if self._running is not None:
            return self.tr("The run is being trained.")
        if self.answers.has_begun(part) and not self.answers.is_done(part):
            done = len(self.answers.given(part).variants)
            text = self.tr(
                "{n} of {all} runs are complete: press Run to go on. It is handed in as it is.",
                None,
                count,
            )
            return text.format(n=done, all=count)
        return ""

    def _lines(self) -> list[str]:
        """A line for each run, from the start of the first one on: what comes later moves
        nothing.
        """
        part = self.part
        lines = []
        times = []
        attempts = [self.answers.attempt_of(part, index) for index in range(len(part.titles))]
        if self._running is None and not any(attempts):
            return []
        titles = map(device_title, part.titles) if part.is_race else part.titles
        for title, attempt in zip(titles, attempts, strict=True):
            reached = "…"
            if attempt is not None:
                values = attempt.values(part.quantity)
                shown = attempt.shown_as(part.quantity)
                # A run may have no epoch, or none that has the quantity.
                reached = value_text(values[-1][1], shown) if values else attempt.result
                times.append((attempt.seconds, title))
                if part.is_race:
                    reached = f"{duration(attempt.seconds)}; {reached}"
            lines.append(f"{title or self.tr('The run')}: {reached}")
        if part.is_race and len(part.titles) > 1 and len(times) == len(part.titles):
            (least, fast), *_, (most, slow) = sorted(times)
            # A clock may count nothing in a very short run.
            ratio = most / max(least, 1e-9)
            text = self.tr("{fast} is {n} times as fast as {slow}.", None, round(ratio))
            lines.append(text.format(fast=fast, n=number(ratio, 2), slow=slow))
        return lines

    @classmethod
    def report_text(cls, part: ExerciseBlock, answers: Answers) -> str:
        assert isinstance(part, RunBlock)
        count = len(part.variants)
        if not answers.has_begun(part):
            return QCoreApplication.translate("HandInDialog", "the run was not started")
        if not answers.is_done(part):
            text = QCoreApplication.translate(
                "HandInDialog", "{n} of {all} runs are complete", None, count
            )
            return text.format(n=len(answers.given(part).variants), all=count)
        settings = part.plans(answers.name)[0].settings
        text = QCoreApplication.translate(
            "HandInDialog", "{n} runs of {network}, epochs: {epochs}", None, count
        )
        return text.format(n=count, network=network_words(settings.network), epochs=settings.epochs)
