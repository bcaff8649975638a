"""What was found of a kernel: verdict, run, race and use, of which one page is shown."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from core.workshop.checker.trace import Count, Fault, Verdict
from gui.text import count, number, percent, sentence_text
from gui.widgets import make
from gui.widgets.basics import scroll_area
from gui.widgets.messages import note, set_message
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.tab import PageChooser
from gui.widgets.tables import Column, RecordModel, RecordTable
from gui.workshop.look import LookPage

VERDICT, LOOK, RACE, USE = range(4)


def count_title(name: str) -> str:
    """What `Totals` counts, in words."""
    return QCoreApplication.translate("Totals", name.replace("_", " ").capitalize())


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
        # The record of the end has the mode as well.
        if "mode" in record and "usage" not in record:
            modes = {
                "cuda": self.tr("The card runs your kernel."),
                "compiled": self.tr("Your kernel runs as a compiled loop on the processor."),
                "interpreter": self.tr("The interpreter of the check runs your kernel."),
            }
            self.words.setText(f"{modes[record['mode']]} {record['reason']}".strip())
        elif "images" in record:
            text = self.tr("{network} learns {n} images.", None, record["images"])
            set_message(
                self.state, text.format(network=record["network"], n=count(record["images"]))
            )
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
            "Your kernel was called {calls} times and took {share} of {seconds} s; with the "
            "program's own operator the training takes {own} s.",
            None,
            usage["calls"],
        ).format(
            calls=count(usage["calls"]),
            share=percent(share),
            seconds=number(record["seconds"], 3),
            own=number(record["own_seconds"], 3),
        )
        reached = self.tr(
            "It reads {accuracy} of the test images; with the program's own {own}."
        ).format(accuracy=percent(record["accuracy"]), own=percent(record["own_accuracy"]))
        same = (
            self.tr("All parameters are the same but for rounding.")
            if record["same"]
            else self.tr(
                "The parameters differ: the kernel computes something else than the operator."
            )
        )
        self.words.setText(f"{took}\n\n{reached} {same}")
        set_message(
            self.state,
            self.tr("Draw a digit: the network that your kernel has trained reads it now."),
        )


class VerdictPage(QWidget):
    """`fault_chosen(fault)`: show its line."""

    fault_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._faults = make.column(spacing=6)
        self._fault_lines: list[QWidget] = []
        columns = (
            Column[Count](
                tr("Line"), tr("Line of the file."), lambda c: str(c.line), is_number=True
            ),
            Column[Count](tr("Access"), tr("What the threads do there."), self._access_text),
            Column[Count](
                tr("Cost"),
                tr(
                    "Sectors of 32 bytes that a warp asks for at a time, its request, and the "
                    "fewest that hold its elements."
                ),
                self._cost_text,
            ),
        )
        self.counts = RecordTable(
            RecordModel(columns, self), "workshopCounts", tr("Costs"), fills=True, shows_all=True
        )
        for section in range(2):  # the costs have the rest
            self.counts.horizontalHeader().setSectionResizeMode(
                section, QHeaderView.ResizeMode.ResizeToContents
            )
        self.costs = make.label("", "workshopCosts")
        self.occupancy = note(name="workshopOccupancy")
        self.types = note(name="workshopTypes")
        self.older = note("error", "workshopOlder")
        make.column(
            self.older,
            self._faults,
            self.costs,
            self.counts,
            self.occupancy,
            self.types,
            None,
            owner=self,
        )

    def show_verdict(self, verdict: Verdict | None, par: Mapping[str, float]) -> None:
        """Show a verdict, with the counts that are well done; None: nothing."""
        self._show_faults(verdict.faults if verdict else ())
        counts = verdict.counts if verdict else ()
        self.counts.record_model.show_records(counts)
        for widget in (self.counts, self.costs):
            widget.setVisible(bool(counts))
        self.costs.setText(self._par_text(verdict, par) if verdict else "")
        occupancy = verdict.occupancy if verdict else ()
        set_message(self.occupancy, "\n".join(map(sentence_text, occupancy)))
        said = [*verdict.remarks, verdict.types, verdict.card] if verdict else []
        set_message(self.types, " ".join(filter(None, said)))

    def set_current(self, is_current: bool) -> None:
        """Say that the verdict is of an older text, where it is."""
        text = self.tr("This was found in the text before your changes; its lines may have moved.")
        set_message(self.older, "" if is_current else text)

    def _show_faults(self, faults: Sequence[Fault]) -> None:
        for line in self._fault_lines:
            line.deleteLater()
        self._fault_lines = []
        for index, fault in enumerate(faults):
            text = self.tr("Line {n}").format(n=fault.line) if fault.line else self.tr("File")
            tip = self.tr("Show the line, and its first step.")
            go = make.button(
                text, f"workshopFault{index + 1}", tip, partial(self.fault_chosen.emit, fault)
            )
            # A fault quotes the kernel, whose “<” would begin HTML.
            words = make.label(f"{fault.kind}: {fault.text}", selectable=True, plain=True)
            line = QWidget()
            make.row(go, (words, 1), owner=line).setAlignment(go, Qt.AlignmentFlag.AlignTop)
            self._faults.addWidget(line)
            self._fault_lines.append(line)

    def _par_text(self, verdict: Verdict, par: Mapping[str, float]) -> str:
        """What the exercise counts, beside what is well done."""
        texts = []
        for name, most in par.items():
            text = self.tr("{count}: now {value}, well done {par}.")
            value = getattr(verdict.totals, name)
            texts.append(
                text.format(count=count_title(name), value=number(value, 3), par=number(most, 3))
            )
        return "\n".join(texts)

    def _access_text(self, count: Count) -> str:
        texts = {
            "read": self.tr("{array} is read"),
            "write": self.tr("{array} is written"),
            "atomic": self.tr("{array} is changed, atomically"),
        }
        return texts[count.access].format(array=count.array)

    def _cost_text(self, count: Count) -> str:
        text = self._memory_cost(count)
        if count.atomic_turns > 1:
            turns = self.tr(
                "{n} changes of one element one after the other", None, count.atomic_turns
            )
            turns = turns.format(n=count.atomic_turns)
            return f"{text}; {turns}"
        return text

    def _memory_cost(self, count: Count) -> str:
        if count.space == "global":
            # Not a whole number: only exactly one sector is written as one.
            sectors = ceil(count.sectors_per_request)
            text = self.tr("{n} sectors per request, at best {least}", None, sectors)
            return text.format(
                n=number(count.sectors_per_request, 3), least=number(count.least_sectors, 3)
            )
        if count.space == "local":
            return self.tr("own memory of each thread")
        ways = count.bank_conflict_ways
        if ways <= 1:
            return self.tr("no bank conflict")
        return self.tr("{n}-way bank conflict").format(n=ways)


class KernelRacePage(QWidget):
    """The counts of two kernels side by side. `solution_asked`, `file_asked`: compare with that."""

    solution_asked = Signal()
    file_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self.solution_button = make.button(
            tr("Against the solution"),
            "workshopRace",
            tr("Compare your kernel with the exercise's solution."),
            self.solution_asked,
        )
        self.file_button = make.button(
            tr("Against a file…"),
            "workshopRaceFile",
            tr("Compare your kernel with that in another file."),
            self.file_asked,
        )
        columns = (
            Column[tuple](
                tr("Count"), tr("What is counted in the largest launch."), lambda r: r[0]
            ),
            Column[tuple](tr("Yours"), tr("Your kernel."), lambda r: r[1], is_number=True),
            Column[tuple](
                tr("The other"),
                tr("The kernel that yours is compared with."),
                lambda r: r[2],
                is_number=True,
            ),
        )
        self.table = RecordTable(
            RecordModel(columns, self), "workshopRaceTable", tr("Race"), fills=True, shows_all=True
        )
        self.note = note(name="workshopRaceNote")
        buttons = make.row(self.solution_button, self.file_button, None)
        make.column(buttons, self.note, self.table, None, owner=self)

    def clear(self) -> None:
        self.table.record_model.show_records([])
        set_message(self.note, "")

    def show_verdicts(self, mine: Verdict, other: Verdict, *, is_current: bool) -> None:
        """`is_current`: whether `mine` is of the text in the editor."""
        words = [self.tr("right") if each.passed else self.tr("wrong") for each in (mine, other)]
        rows = [(self.tr("Verdict"), *words)]
        for name in mine.totals.__slots__:
            values = [getattr(each.totals, name) for each in (mine, other)]
            # A count that is 0 for both says nothing.
            if any(values):
                rows.append((count_title(name), *(number(value, 6) for value in values)))
        if mine.seconds and other.seconds:
            rows.append(
                (
                    self.tr("Seconds on {card}").format(card=mine.card),
                    number(mine.seconds[-1], 3),
                    number(other.seconds[-1], 3),
                )
            )
        self.table.record_model.show_records(rows)
        said = []
        if not is_current:
            said.append(self.tr("These counts are of the text before your changes."))
        if not mine.seconds:
            said.append(self.tr("No card answers here, so there are counts only."))
        set_message(self.note, " ".join(said))


class Findings(QWidget):
    """The choice of a page, a headline, and the page. `page_changed`: another page is shown."""

    page_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self.summary = make.label("", "workshopSummary", "title", selectable=True)
        self.solved = make.label("", "workshopSolved", "heading")
        self.verdict_page = VerdictPage()
        self.look = LookPage()
        self.race_page = KernelRacePage()
        self.use_page = UsePage()
        self.chooser = PageChooser("workshopChooser", tr("What to see of the kernel"))
        self.pages = QStackedWidget()
        for page, title, tip in (
            (self.verdict_page, tr("Verdict"), tr("What is wrong, and what the accesses cost.")),
            (self.look, tr("Look"), tr("Step through the run, forwards and back.")),
            (self.race_page, tr("Race"), tr("Your kernel beside the solution or another file.")),
            (self.use_page, tr("Use"), tr("A network that learns with your kernel.")),
        ):
            self.pages.addWidget(scroll_area(page))
            self.chooser.add_page(title, tip)
        self.chooser.currentChanged.connect(self._choose_page)
        make.column(self.chooser, self.summary, self.solved, (self.pages, 1), owner=self)

    @property
    def is_looking(self) -> bool:
        """Whether the steps of the run are shown."""
        return self.chooser.currentIndex() == LOOK

    def clear(self) -> None:
        self.verdict_page.show_verdict(None, {})
        self.race_page.clear()
        self.look.show_trace(None)
        self.chooser.setCurrentIndex(VERDICT)

    def show_verdict(self, verdict: Verdict, par: Mapping[str, float], line: int) -> None:
        """Show a verdict, and its run at the line, or at its first step where this is 0."""
        self.verdict_page.show_verdict(verdict, par)
        self.look.show_trace(verdict.trace, line)
        self.chooser.setCurrentIndex(VERDICT)

    def begin_use(self) -> None:
        self.use_page.begin()
        self.chooser.setCurrentIndex(USE)

    def _choose_page(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        self.page_changed.emit()
        if index == LOOK:
            # The arrow keys step at once.
            self.look.picture.setFocus()
