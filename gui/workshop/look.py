"""Steps through a recorded launch, forwards and back: the threads, what they do and hold, and where
they race.
"""

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.workshop.checker.lanes import numbers
from core.workshop.checker.trace import WARP, Conflict, Fault, Trace, place
from core.workshop.look import Replay, Value
from gui.text import count, number, sentence_text
from gui.widgets import make
from gui.widgets.basics import scroll_area
from gui.widgets.messages import note, set_message
from gui.widgets.theme import theme
from gui.workshop.picture import LaunchPicture


class LookPage(QWidget):
    """`line_changed(line)`: of the event that is shown; 0 for none."""

    line_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.replay: Replay | None = None
        self._first_order: Replay | None = None  # as the check ran it
        self._steps: Sequence[int] = ()
        self._lay_out()
        self.show_trace(None)

    def _lay_out(self) -> None:
        tr = self.tr
        self.where = make.label("", "lookWhere", "muted")
        self.notice = make.label("", "lookNotice", "heading", selectable=True)
        self.race = note("error", "lookRace")
        self.other_result = note("error", "lookOtherResult")
        self.race_button = make.button(
            tr("Go to the race"),
            "lookGoToRace",
            tr("Go to the step of the one thread of the race, then to that of the other."),
            self._go_to_race,
        )
        tip = tr(
            "Step through the same launch, really run so that the second thread of the race came "
            "first."
        )
        self.other_button = make.button(tr("The other order"), "lookOtherOrder", tip)
        self.other_button.setCheckable(True)
        self.other_button.toggled.connect(self._choose_order)
        self.picture = LaunchPicture()
        self.variables = make.label("", "lookVariables", selectable=True)
        self.variables.setTextFormat(Qt.TextFormat.RichText)
        steps = self._make_steps()
        places = self._make_places()
        text = tr(
            "A color for each lane of the chosen thread's warp. Pale: the other threads. Gray: a "
            "value is there. Red frame: a race."
        )
        legend = make.label(text, role="muted")
        make.column(
            steps,
            make.row((self.where, 1), places),
            self.notice,
            self.race,
            make.row(self.race_button, self.other_button, None),
            self.other_result,
            self.variables,
            (scroll_area(self.picture), 1),
            legend,
            owner=self,
        )
        self.picture.moved.connect(self.step_by)
        self.picture.block_chosen.connect(self.block.setValue)
        self.picture.thread_chosen.connect(self.thread_box.setValue)

    def _make_places(self) -> make.FlowLayout:
        """The boxes of the block and the thread that are shown."""
        tr = self.tr
        tip = tr("The block that is shown; a click on its square chooses it, too.")
        self.block = make.spin("lookBlock", tr("Block"), tip, 0, 0, slot=self._choose_block)
        tip = tr(
            "The thread of the block whose variables are shown; a click on its square chooses it, "
            "too."
        )
        self.thread_box = make.spin("lookThread", tr("Thread"), tip, 0, 0, slot=self._show)
        return make.FlowLayout(
            make.labeled(tr("&Block"), self.block), make.labeled(tr("&Thread"), self.thread_box)
        )

    def _make_steps(self) -> QHBoxLayout:
        """The slider of the run's steps, between buttons that go to its ends and by one step."""
        tr = self.tr
        tip = tr("Any step of the run.")
        self.slider = make.slider("lookStep", tr("Step"), tip, 0, 0, self._show)

        def step_button(text: str, name: str, tip: str, slot: Callable[[], None]) -> QPushButton:
            made = make.button(text, name, tip, slot)
            made.setAccessibleName(tip)
            made.setFixedWidth(theme().px(34))
            return made

        tip = tr("The first step.")
        first = step_button("|◀", "lookFirst", tip, lambda: self.slider.setValue(0))
        tip = tr("One step back (Left).")
        back = step_button("◀", "lookBack", tip, lambda: self.step_by(-1))
        tip = tr("One step forward (Right).")
        forward = step_button("▶", "lookForward", tip, lambda: self.step_by(1))
        tip = tr("The last step.")
        last = step_button(
            "▶|", "lookLast", tip, lambda: self.slider.setValue(self.slider.maximum())
        )
        return make.row(first, back, (self.slider, 1), forward, last, spacing=4)

    # -- what is shown -----------------------------------------------------------------------------

    def show_trace(self, trace: Trace | None, line: int = 0) -> None:
        """Show a launch at the first event of the line; None: nothing."""
        shown = trace if trace is not None and trace.events else None
        self._first_order = None if shown is None else Replay(shown)
        has_race = bool(shown and self._conflict(shown))
        self.race_button.setVisible(has_race)
        self.other_button.setVisible(bool(shown and shown.other_order))
        # Its signal would show a launch, before that of this trace is there.
        with QSignalBlocker(self.other_button):
            self.other_button.setChecked(False)
        self._name_order()
        self.other_result.hide()
        self._show_replay(self._first_order)
        self.block.setValue(0)
        self.show_line(line)

    def _show_replay(self, replay: Replay | None) -> None:
        self.replay = replay
        self._steps = ()
        if replay is not None:
            for box, most in ((self.thread_box, replay.trace.threads), (self.block, replay.blocks)):
                # Each new range may change the value, and show a step that is not there yet.
                with QSignalBlocker(box):
                    box.setRange(0, most - 1)
        self._choose_block()

    def show_line(self, line: int) -> None:
        """Go to the race at a line, or to the first event of the line, if there is one."""
        if self.replay is None:
            return
        trace = self.replay.trace
        for conflict in trace.conflicts:
            for which in (1, 0):
                if (
                    trace.events[conflict.events[which]].line == line
                    and conflict.kind != "same-value"
                ):
                    self._go_to(conflict, which)
                    return
        lines = [trace.events[index].line for index in self._steps]
        if line in lines:
            self.slider.setValue(lines.index(line))

    def show_fault(self, fault: Fault) -> None:
        """Go to the fault's line, in its block and thread."""
        if self.replay is None:
            return
        trace = self.replay.trace
        if fault.block and len(fault.block) == len(trace.grid):
            self.block.setValue(
                # Turned round: CUDA counts x first, NumPy's last index runs fastest.
                int(np.ravel_multi_index(fault.block[::-1], trace.grid[::-1], mode="clip"))
            )
        if fault.thread and len(fault.thread) == len(trace.block):
            self.thread_box.setValue(
                int(np.ravel_multi_index(fault.thread[::-1], trace.block[::-1], mode="clip"))
            )
        self.show_line(fault.line)

    def step_by(self, by: int) -> None:
        self.slider.setValue(self.slider.value() + by)

    # -- races -------------------------------------------------------------------------------------

    def _conflict(self, trace: Trace) -> Conflict | None:
        return next((each for each in trace.conflicts if each.kind != "same-value"), None)

    def _go_to_race(self) -> None:
        """Show the first step of the race, or the second one where the first is shown."""
        conflict = self._conflict(self.replay.trace) if self.replay and self._steps else None
        if conflict is not None:
            is_first = self._event() == conflict.events[0] and self._lane() == conflict.lanes[0]
            self._go_to(conflict, 1 if is_first else 0)

    def _go_to(self, conflict: Conflict, which: int) -> None:
        assert self.replay
        block, thread = divmod(conflict.lanes[which], self.replay.trace.threads)
        self.block.setValue(block)
        self.thread_box.setValue(thread)
        self.slider.setValue(int(np.searchsorted(self._steps, conflict.events[which])))
        self._show()

    def _name_order(self) -> None:
        """What the button leads to."""
        is_other = self.other_button.isChecked()
        self.other_button.setText(
            self.tr("Back to the first order") if is_other else self.tr("The other order")
        )

    def _choose_order(self, is_other: bool) -> None:
        """Show the launch in the other order, or as the check ran it, at the race."""
        self._name_order()
        if self._first_order is None:
            return
        other = self._first_order.trace.other_order
        result = self._first_order.races.other_result()
        if is_other and other is not None:
            self._show_replay(Replay(other))
            set_message(self.other_result, sentence_text(result) if result else "")
        else:
            self._show_replay(self._first_order)
            self.other_result.hide()
        conflict = self._conflict(self.replay.trace) if self.replay else None
        if conflict is not None:
            self._go_to(conflict, 0 if is_other else 1)

    # -- a step ------------------------------------------------------------------------------------

    @property
    def line(self) -> int:
        """Of the step that is shown; 0 for none."""
        return self.replay.trace.events[self._event()].line if self.replay and self._steps else 0

    def _lane(self) -> int:
        """The number of the chosen thread in the grid."""
        assert self.replay
        return self.block.value() * self.replay.trace.threads + self.thread_box.value()

    def _event(self) -> int:
        """The index of the event that is shown."""
        return self._steps[self.slider.value()]

    def _choose_block(self) -> None:
        """Show the same moment in another block."""
        now = self._event() if len(self._steps) > self.slider.value() else 0
        self._steps = self.replay.steps(self.block.value()).tolist() if self.replay else ()
        # Shown once, below: the range alone may change the value.
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(len(self._steps) - 1, 0))
            self.slider.setValue(int(np.searchsorted(self._steps, now)))
        self._show()

    def _show(self) -> None:
        replay = self.replay
        block = self.block.value()
        thread = self.thread_box.value()
        if replay is None or not self._steps:
            text = self.tr("The threads of this block do nothing that is recorded.")
            self.where.setText(text if replay else "")
            for label in (self.notice, self.variables):
                label.setText("")
            self.race.hide()
            self.picture.show_event(None, 0, 0, 0)
            self.line_changed.emit(0)
            return
        index = self._event()
        event = replay.trace.events[index]
        trace = replay.trace
        what = {
            "read": self.tr("reads {array}"),
            "write": self.tr("writes {array}"),
            "barrier": self.tr("waits"),
            "atomic": self.tr("changes {array}, atomically"),
            "branch": self.tr("takes a branch"),
        }[event.kind].format(array=trace.arrays[event.array].name if event.array >= 0 else "")
        text = self.tr("Step {n} of {all}: line {line} {what}")
        self.where.setText(
            text.format(
                n=count(self.slider.value() + 1),
                all=count(len(self._steps)),
                line=event.line,
                what=what,
            )
        )
        self.notice.setText(sentence_text(replay.notice(index, block, thread // WARP)))
        race = replay.races.sentence(index)
        set_message(self.race, sentence_text(race) if race else "")
        self.variables.setText(self._variables_text(index, block, thread))
        said = f"{self.where.text()}. {self.notice.text()} {self.race.text() if race else ''}"
        # Screen readers cannot see the squares.
        self.picture.setAccessibleDescription(said)
        self.picture.show_event(replay, index, block, thread)
        self.line_changed.emit(event.line)

    def _variables_text(self, index: int, block: int, thread: int) -> str:
        """What the chosen thread's variables hold, the changed ones marked, as rich text."""
        assert self.replay
        trace = self.replay.trace
        title = self.tr("Thread {place}:").format(place=numbers(place(thread, trace.block)))
        values = [self._value_text(each) for each in self.replay.variables(index, block, thread)]
        texts = [f"<b>{escape(title)}</b>", *values]
        if not values:
            texts.append(escape(self.tr("no variables yet")))
        if not trace.all_variables:
            texts.append(escape(self.tr("(only those of the first steps were kept)")))
        return " &nbsp; ".join(texts)

    def _value_text(self, each: Value) -> str:
        name = f"{each.function}: {each.name}" if each.function else each.name
        shown = number(each.value, 5) if isinstance(each.value, float) else str(each.value)
        text = f"<code>{escape(name)} = {escape(shown)}</code>"
        kind = f"<span style='color: {theme().colors.muted}'>{escape(each.type)}</span>"
        if each.is_new:
            text = f"<span style='color: {theme().colors.notice}'><b>● {text}</b></span>"
        # A line breaks between two variables only.
        return f"<span style='white-space: nowrap'>{text} {kind}</span>"
