"""The widgets of a step: its texts, and what a person predicts, runs, answers and tries."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QRadioButton, QWidget

from core.errors import InputError
from core.labs import lab as labs
from core.labs.answers import Answers, number_error
from core.text import Sentence, parse_number
from gui.labs.curve_drawer import CurveDrawer, CurveKeys
from gui.labs.texts import ChoiceText, LabText, OutcomeLabel, lab_sentence, value_text
from gui.text import count, duration, number, percent, sentence
from gui.widgets.basics import PrimaryButton, set_message
from gui.widgets.make import button, column, edit, label, row


class PartWidget(QFrame):
    """What a person does at one part. `changed`: the answers have; `run_asked`: the part's runs are to start."""

    changed = Signal()
    run_asked = Signal(object)  # labs.RunBlock

    def __init__(self, part: labs.ExerciseBlock, answers: Answers) -> None:
        super().__init__()
        self.part, self.answers = part, answers
        self.setObjectName(f"part-{part.id}")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.box = column(owner=self)
        self.box.setContentsMargins(8, 8, 8, 8)
        if part.ask:
            self.box.addWidget(LabText(part.ask, answers.lab.folder))
        self.message = OutcomeLabel(f"lab-{part.id}Message")

    def refresh(self) -> None:
        """Show what the answers hold by now."""

    def finish(self) -> None:
        """The part is not shown any more."""

    def _add(self, *widgets: QWidget) -> None:
        """Add these, buttons at the left, and the message."""
        left = Qt.AlignmentFlag.AlignLeft
        for widget in (*widgets, self.message):
            is_button = isinstance(widget, QPushButton) and not isinstance(widget, PrimaryButton)
            self.box.addWidget(widget, 0, left if is_button else Qt.AlignmentFlag(0))

    def _choices(self, texts: Sequence[str], chosen: object) -> QButtonGroup:
        group, tip = QButtonGroup(self), self.tr("Choose this one.")
        for index, text in enumerate(texts):
            made = button("", f"lab-{self.part.id}Choice{index + 1}", tip, kind=QRadioButton)
            made.setAccessibleName(text)
            made.setChecked(text == chosen)
            group.addButton(made, index)
            self.box.addLayout(row(made, (ChoiceText(text, made), 1)))
        return group


class PredictPart(PartWidget):
    """A choice, a number or a curve that is drawn on the plot of its quantity."""

    part: labs.PredictBlock

    def __init__(self, part: labs.PredictBlock, answers: Answers, drawer: CurveDrawer | None = None) -> None:
        super().__init__(part, answers)
        self._drawer = drawer
        self._group: QButtonGroup | None = None
        tip, kept = self.tr("Type the number that you expect."), answers.predictions.get(part.id)
        self._edit = edit(f"lab-{part.id}Number", self.tr("What you expect"), tip)
        tip = self.tr("Keep this as your prediction. You can change it until the run has shown what happens.")
        self.keep = button(self.tr("That is what I expect"), f"lab-{part.id}Keep", tip, self._keep)
        if part.kind == "choice":
            self._group = self._choices(part.choices, kept)
        elif part.kind == "number":
            unit = "%" if part.quantity.endswith("accuracy") else ""
            self.box.addLayout(row((self._edit, 1), label(unit)))
            self._edit.returnPressed.connect(self._keep)
            self._edit.setText(format(kept, "g") if isinstance(kept, float) else "")
        elif drawer:
            self.box.addWidget(CurveKeys(drawer))
            if isinstance(kept, list):
                drawer.show_points(kept)
        self._add(self.keep)

    def _value(self) -> Any:
        """What is chosen, typed or drawn; empty for nothing. Raises InputError for what is no number."""
        if self._group is not None:
            chosen = self._group.checkedId()
            return self.part.choices[chosen] if chosen >= 0 else ""
        if self.part.kind == "number":
            try:
                return parse_number(self._edit.text().strip().replace(",", ".").removesuffix("%").strip())
            except ValueError:
                raise number_error(self.part) from None
        return self._drawer.points() if self._drawer else []

    def _keep(self) -> None:
        try:
            value = self._value()
            if value in ("", []):
                self.message.say(self.tr("Choose, type or draw first what you expect."), False)
                return
            self.answers.predict(self.part, value)
        except InputError as error:
            self.message.say(sentence(error), False)
            return
        self.message.say(self.tr("Kept. You can change it until the run."))
        self.changed.emit()

    def refresh(self) -> None:
        said = self.answers.comparison(self.part, value_text)
        if said is not None:
            self.message.say(lab_sentence(said), self.answers.was_right(self.part))
        if self.answers.is_fixed(self.part) and (said is not None or self._has_run()):
            if said is None:
                self.message.say(self.tr("Kept. The run has begun: it cannot be changed any more."))
            self.keep.setEnabled(False)
            self._edit.setEnabled(False)
            for choice in self._group.buttons() if self._group else ():
                choice.setEnabled(False)
            self.finish()

    def _has_run(self) -> bool:
        return labs.predicted_run(self.answers.lab, self.part) is not None

    def finish(self) -> None:
        if self._drawer:
            self._drawer.end()


class RunPart(PartWidget):
    """Starts the runs, and shows what each has reached. `running`: the variant that is being trained, or None."""

    part: labs.RunBlock

    def __init__(self, part: labs.RunBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        self.running: int | None = None
        tip = self.tr("Train the network as this step sets it.")
        run = partial(self.run_asked.emit, part)
        self.start = button(self.tr("Run"), f"lab-{part.id}Start", tip, lambda: run(), kind=PrimaryButton)
        self.results = label("", f"lab-{part.id}Results")
        self.compared = {
            each.id: OutcomeLabel(f"lab-{each.id}Compared") for each in answers.expected_before(part)
        }
        self._add(self.start, self.results, *self.compared.values())

    def refresh(self) -> None:
        may_run, is_done = self.answers.may_run(self.part), self.answers.is_done(self.part)
        self.start.setEnabled(may_run and self.running is None)
        self.start.set_main(not is_done)
        self.start.setText(self.tr("Run again") if is_done else self.tr("Run"))
        self.message.say(self._state() if may_run else self._obstacle())
        set_message(self.results, "\n".join(self._lines()))
        for each in self.answers.expected_before(self.part):
            said = self.answers.comparison(each, value_text)
            text = "" if said is None else lab_sentence(said)
            self.compared[each.id].say(text, self.answers.was_right(each))

    def _obstacle(self) -> str:
        if not self.answers.is_named:
            return self.tr("First type your name or number at the beginning of the lab.")
        return self.tr("First say what you expect.")

    def _state(self) -> str:
        """Which of the runs is trained, or that some were not completed."""
        count, part = len(self.part.variants), self.part
        if self.running is not None and count > 1:
            text = self.tr("Run {n} of {all} is being trained: {run}.")
            return text.format(n=self.running + 1, all=count, run=part.titles[self.running])
        if self.running is not None:
            return self.tr("The run is being trained.")
        if self.answers.has_begun(part) and not self.answers.is_done(part):
            done = len({attempt.variant for attempt in self.answers.attempts_of(part)})
            text = self.tr("{n} of {all} runs are complete: press Run to go on. It is handed in as it is.")
            return text.format(n=done, all=count)
        return ""

    def _lines(self) -> list[str]:
        """A line for each run, from the start of the first one on: what comes later moves nothing."""
        part, lines, times = self.part, [], []
        is_race = part.show == "race" or bool(part.devices)
        attempts = [self.answers.attempt_of(part, index) for index in range(len(part.titles))]
        if self.running is None and not any(attempts):
            return []
        for title, attempt in zip(part.titles, attempts, strict=True):
            reached = "…"
            if attempt is not None:
                values, shown = attempt.values(part.quantity), attempt.shown_as(part.quantity)
                reached = value_text(values[-1][1], shown) if values else attempt.result
                times.append((attempt.seconds, title))
            if attempt is not None and is_race:
                reached = f"{duration(attempt.seconds)}; {reached}"
            lines.append(f"{title or self.tr('The run')}: {reached}")
        if is_race and len(times) == len(part.titles) > 1:
            (least, fast), *_, (most, slow) = sorted(times)
            text = self.tr("{fast} is {n} times as fast as {slow}.")
            lines.append(text.format(fast=fast, n=number(most / max(least, 1e-9), 2), slow=slow))
        return lines


class QuestionPart(PartWidget):
    """Choices; a wrong one is answered, and another try follows."""

    part: labs.QuestionBlock

    def __init__(self, part: labs.QuestionBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        *_, last = answers.tries.get(part.id) or [""]
        self._group = self._choices([choice.text for choice in part.choices], last)
        tip = self.tr("Give this answer.")
        self.check = button(self.tr("Answer"), f"lab-{part.id}Answer", tip, self._answer)
        self._add(self.check)

    def _answer(self) -> None:
        chosen = self._group.checkedId()
        if chosen < 0:
            self.message.say(self.tr("Choose an answer first."), False)
            return
        choice = self.part.choices[chosen]
        self.answers.answer(self.part, choice.text)
        self._reply(choice)
        self.changed.emit()

    def _reply(self, choice: labs.Choice) -> None:
        text = self.tr("Right. {reply}") if choice.right else self.tr("No. {reply}")
        self.message.say(text.format(reply=choice.reply).strip(), choice.right)

    def refresh(self) -> None:
        done = self.answers.is_done(self.part)
        self.check.setEnabled(not done)
        for made in self._group.buttons():
            made.setEnabled(not done)
        if done and not self.message.text():
            chosen = self.answers.tries[self.part.id][-1]
            self._reply(next(choice for choice in self.part.choices if choice.text == chosen))


class KernelPart(PartWidget):
    """Opens the kernel in the Workshop tab, and says how good the best one is that was checked."""

    part: labs.KernelBlock

    def __init__(self, part: labs.KernelBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        tip = self.tr("Show this kernel in the Workshop tab, and write it there.")
        text, show = self.tr("To the kernel"), partial(self.run_asked.emit, part)
        self._add(button(text, f"lab-{part.id}Open", tip, lambda: show()))

    def refresh(self) -> None:
        kept = self.answers.kernels.get(self.part.id)
        if kept is None:
            self.message.say(self.tr("Write it at the right, then press Check."))
        elif kept.points == 0:
            text = self.tr("The last check found: {faults}.").format(faults=", ".join(kept.faults))
            self.message.say(text, False)
        elif kept.points == 1:
            self.message.say(
                self.tr("Right, and kept. It could need less of the memory: see the verdict."), True
            )
        else:
            self.message.say(self.tr("Right, and kept: try what you like, this text is handed in."), True)


class TaskPart(PartWidget):
    """The goals, and how far the last attempt got. An attempt is any run that is made while the step is shown."""

    part: labs.TaskBlock

    def __init__(self, part: labs.TaskBlock, answers: Answers) -> None:
        super().__init__(part, answers)
        self.goals = label("", f"lab-{part.id}Goals")
        self._add(self.goals)

    def refresh(self) -> None:
        attempts = self.answers.attempts_of(self.part)
        best = next((each for each in reversed(attempts) if self.answers.meets(self.part, each)), None)
        shown = best or (attempts[-1] if attempts else None)
        lines, found = [], self.answers.goals(self.part, shown) if shown else {}
        for name, limit in self.part.goals.items():
            value, is_met = found.get(name, (None, False))
            met = "☑" if is_met else "☐"
            reached = "" if value is None else f"  ({_goal_value(name, value)})"
            goal = Sentence(labs.GOALS[name][1], {"value": _goal_value(name, limit)})
            lines.append(f"{met} {lab_sentence(goal)}{reached}")
        self.goals.setText("\n".join(lines))
        if best is not None:
            text = self.tr("Well done: reached at attempt {n} of {all}.")
            self.message.say(text.format(n=attempts.index(best) + 1, all=len(attempts)), True)
        elif attempts:
            text = self.tr("Attempt {n}: not yet. Change something and train again.").format(n=len(attempts))
            self.message.say(text, False)
        else:
            self.message.say(self.tr("Change the settings below, then press Train."))


def _goal_value(name: str, value: float) -> str:
    if name.startswith("test_accuracy"):
        return percent(value / 100, 1)
    return number(value, 3) if name.startswith(("test_loss", "seconds")) else count(value)


def part_widget(part: labs.Part, answers: Answers, drawer: CurveDrawer | None = None) -> QWidget | None:
    """The widget of a part, or None for one that only sets something."""
    if isinstance(part, labs.Text):
        return LabText(part.markdown, answers.lab.folder)
    if isinstance(part, labs.PredictBlock):
        return PredictPart(part, answers, drawer)
    kinds: dict[type, Any] = {labs.RunBlock: RunPart, labs.QuestionBlock: QuestionPart}
    kinds |= {labs.TaskBlock: TaskPart, labs.KernelBlock: KernelPart}
    return kinds[type(part)](part, answers) if type(part) in kinds else None
