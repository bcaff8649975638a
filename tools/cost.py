"""Measures what the program costs: python -m tools.cost WHAT, on a machine that does nothing else.

window      what the window costs training, and how soon it shows what is drawn (`make window-cost`)
ask         the processor time of lighting what leads to a unit, and of asking it
compare     how soon the tab Compare lists many runs, and draws 20 curves again
start       how soon two commands show their window; --first: how soon a digit is read; memory
processor   the processor time of an epoch beside PyTorch's
workshop    how fast kernels are checked

Two things are compared by turns, so that what else the machine does disturbs both: the medians are
printed, the median of the ratios of the rounds, and their range.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from core.bench import timing, torch_process
from core.bench.dense import CONVOLUTION_RUN, RUN
from core.bench.timing import Epochs, noise_images
from core.data.dataset_cache import DatasetCache
from core.data.sources import load_dataset
from core.labs.blocks.kernel import KernelBlock
from core.labs.package import open_lab
from core.progress import never_cancel
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import runs_path
from core.runs.plan import RunPlan
from core.studies.conclusion import groups_of_runs
from core.training.records import EPOCH_COLUMNS, Epoch, EpochDone, Record
from core.training.run_settings import RunSettings
from core.workshop.check import iter_check
from core.workshop.checker.analysis import count, find_races
from core.workshop.checker.interpreter import build_kernel, run_kernel
from core.workshop.checker.machine import Machine
from core.workshop.checker.statements import Function
from core.workshop.exercise import read_text
from core.workshop.inputs import make_inputs
from core.workshop.launch import Launch
from gui.background.task_runner import end_background_work
from gui.drawing.recognizer import Recognizer
from gui.preferences import Preferences
from gui.runs.tab import CompareTab
from gui.stage.answers import AnswerPainter
from gui.widgets.banner import Banner
from gui.window.application import collect_in_this_thread, configure_process, make_application
from gui.window.main_window import MainWindow
from kernels.host import arithmetic, blas_variables
from tools.pictures import draw_moves, part, wait_for

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = {"network": "784-512-10", "learning_rate": "0.1"}
# Time between two mouse moves. A fast hand sends about 60 a second, and Qt joins those that wait.
MOVE_MILLISECONDS = 23
# A move that leaves the picture as it is gives no new result.
UNCHANGED_SECONDS = 0.4
LONG_SECONDS = 3600

Figures = Mapping[str, float]
"""What is measured in one turn, by its name with the unit."""


def by_turns(rounds: int, names: tuple[str, str], *measures: Callable[[], Figures]) -> None:
    """Measure both `rounds` times, now the one first, now the other, and print how they compare."""
    found: tuple[list[Figures], list[Figures]] = ([], [])
    for number in range(rounds):
        for index in (0, 1) if number % 2 == 0 else (1, 0):
            found[index].append(measures[index]())
    for figure in found[0][0]:
        first, second = ([each[figure] for each in measured] for measured in found)
        ratios = [other / one for one, other in zip(first, second, strict=True)]
        print(
            f"{figure}: {names[0]} {median(first):.3f}, {names[1]} {median(second):.3f}, "
            f"ratio {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})",
            flush=True,
        )


@contextmanager
def _application() -> Iterator[QApplication]:
    """The program's application off the screen, with a home of its own."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    configure_process()
    with collect_in_this_thread(), tempfile.TemporaryDirectory() as home:
        os.environ["DIGITLAB_HOME"] = home
        yield make_application(["digitlab"])


# -- a window that trains --------------------------------------------------------------------------


def _make_window(data: str, epochs: int) -> MainWindow:
    window = MainWindow()
    window.resize(1240, 690)
    window.show()
    fields = window.settings.fields
    for box, choice in (
        (part(window, "presetBox"), "dense"),
        (part(window, "datasetBox"), data),
        (part(window, "optimizerBox"), "sgd"),
        (fields["schedule"].editor, "constant"),
    ):
        box.setCurrentIndex(box.findData(choice))
    part(window, "networkEdit").setText(SETTINGS["network"])
    part(window, "learningRateEdit").setText(SETTINGS["learning_rate"])
    part(window, "epochsBox").setProperty("value", epochs)
    for tab in window.page_builder._tabs:
        while tab.create_next():  # as they are some seconds after the start
            pass
    return window


def _epoch_seconds(window: MainWindow) -> list[float]:
    """The seconds of each epoch, while they come."""
    seconds: list[float] = []

    def take(records: list[Record]) -> None:
        seconds.extend(record.epoch_seconds for record in records if isinstance(record, EpochDone))

    window.session.records.connect(take)
    return seconds


class _Hand:
    """Draws on the canvas, one move after the other has `arrived`, and notes the milliseconds until
    then.
    """

    def __init__(self, window: MainWindow) -> None:
        self.waits: list[float] = []
        self._sent = 0.0
        self._moves = draw_moves(window)
        self._clock = QTimer(
            window, interval=MOVE_MILLISECONDS, timerType=Qt.TimerType.PreciseTimer
        )
        self._clock.timeout.connect(self._move)

    def print_waits(self, what: str, moves: int) -> None:
        """Draw so many moves, and print how long `what` took."""
        self._clock.start()
        wait_for(lambda: len(self.waits) >= moves, what, LONG_SECONDS)
        self._clock.stop()
        middle, late = np.percentile(self.waits, (50, 99))
        print(
            f"{what}: median {middle:.1f}, p99 {late:.1f}, maximum {max(self.waits):.1f} ms",
            flush=True,
        )

    def arrived(self) -> None:
        if self._sent:
            self.waits.append(1000 * (time.perf_counter() - self._sent))
            self._sent = 0.0

    def _move(self) -> None:
        if not self._sent or time.perf_counter() - self._sent > UNCHANGED_SECONDS:
            self._sent = time.perf_counter()
            next(self._moves)


# -- window ----------------------------------------------------------------------------------------


def measure_window(options: argparse.Namespace) -> None:
    """Epochs on the command line and in the window; then processor times and waits while it
    trains.
    """
    with _application() as app:
        in_window = partial(_train_in_window, app, options.data)
        in_window(1)  # draws the data, compiles the loops
        by_turns(
            options.rounds,
            ("on the command line", "in the window"),
            partial(_train_on_command_line, options.data, options.epochs),
            partial(in_window, options.epochs),
        )
        _measure_training_window(options)


def _train_on_command_line(data: str, epochs: int) -> Figures:
    arguments = [
        "--data",
        data,
        "--network",
        SETTINGS["network"],
        "--epochs",
        str(epochs),
        "--json",
    ]
    command = [sys.executable, "main.py", "train", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return {"s an epoch": median(event["seconds"] for event in events if event["event"] == "epoch")}


def _train_in_window(app: QApplication, data: str, epochs: int) -> Figures:
    window = _make_window(data, epochs)
    seconds = _epoch_seconds(window)
    window.session.ended.connect(lambda outcome: QTimer.singleShot(0, window.close))
    part(window, "trainButton").click()
    app.exec()
    return {"s an epoch": median(seconds)}


def _measure_training_window(options: argparse.Namespace) -> None:
    """The processor time of the window's thread while a network trains and nobody draws; then how
    soon bars follow.

    That is from each mouse move to the painting of the bars after its recognition.
    """
    painting = AnswerPainter.paint
    hand: _Hand | None = None
    is_read = False

    def painted(answers: AnswerPainter, *given: Any) -> None:
        nonlocal is_read
        painting(answers, *given)
        if is_read and hand is not None:
            is_read = False
            hand.arrived()

    def read(reading: object) -> None:
        nonlocal is_read
        is_read = True

    AnswerPainter.paint = painted  # type: ignore[method-assign]  # before there is an object
    try:
        window = _make_window(options.data, 10_000)
        part(window, "trainButton").click()
        wait_for(lambda: window.training.epochs.rowCount() > 0, "training", LONG_SECONDS)
        begin = time.perf_counter()
        own = time.thread_time()
        wait_for(lambda: time.perf_counter() - begin >= options.seconds, "measured")
        share = (time.thread_time() - own) / (time.perf_counter() - begin)
        print(
            f"the window's thread: {1000 * share:.0f} ms of processor time a second of training",
            flush=True,
        )
        recognizer = window.findChild(Recognizer)
        assert recognizer
        recognizer.recognized.connect(read)
        hand = _Hand(window)
        hand.print_waits("from a mouse move to its bars", options.moves)
        window.close()
    finally:
        AnswerPainter.paint = painting  # type: ignore[method-assign]


# -- ask -------------------------------------------------------------------------------------------


def measure_ask(options: argparse.Namespace) -> None:
    """The processor time of the window's thread for each unit of the network that reads."""
    with _application() as app:
        window = _make_window(options.data, 10_000)
        try:
            window.resize(1280, 720)
            stage = window.drawing.stage
            wait_for(lambda: stage.picture.content is not None, "model")
            draw = draw_moves(window)
            for _ in range(30):
                next(draw)
            wait_for(lambda: bool(stage.picture.content.values), "reading")
            wait_for(lambda: not stage.is_waiting, "layers")
            columns = stage.picture.content.columns
            hovered: list[float] = []
            asked: list[float] = []
            for _ in range(options.rounds):
                for position, column in enumerate(columns):
                    for unit in range(len(column.shown)):
                        stage._pointer = stage.area_of((position, unit)).center()
                        hovered.append(_processor_time(stage._light))
                        stage.picture.hover(-1, -1)
                        asked.append(_processor_time(partial(stage.ask, position, unit)))
                stage.leave()
            for what, seconds in (("lit by the pointer", hovered), ("asked, with the band", asked)):
                middle, late = 1000 * np.percentile(seconds, (50, 99))
                print(f"{what}: median {middle:.1f}, p99 {late:.1f} ms of processor time")
        finally:
            window.close()
            app.processEvents()


def _processor_time(act: Callable[[], object]) -> float:
    """Seconds of this thread for doing something, and for what the window then does and paints."""
    QApplication.sendPostedEvents()
    started = time.thread_time()
    act()
    QApplication.sendPostedEvents()
    return time.thread_time() - started


# -- compare ---------------------------------------------------------------------------------------

CURVES = 20
RUN_EPOCHS = 100


def measure_compare(options: argparse.Namespace) -> None:
    """The list of a library of many runs, and curves drawn again."""
    with _application() as app:
        _make_library(options.runs)
        listed = []
        for _ in range(5):
            tab = CompareTab(Preferences(), DatasetCache(), Banner())
            tab.resize(1000, 700)
            with _timed(listed):
                tab.show()
                while len(tab.model.entries) < options.runs:
                    app.processEvents()
                tab.grab()
            end_background_work()
        _print_times(f"{options.runs} runs listed", listed)
        entries = tab.model.entries[:CURVES]
        rows = [entry.folder.read_history() for entry in entries]
        page = tab.comparison
        redrawn = []
        for repeat in range(15):
            moved = [
                [replace(row, test_score=row.test_score + repeat) for row in each] for each in rows
            ]
            with _timed(redrawn):
                page.show_groups(groups_of_runs(entries, moved))
                page.grab()
        _print_times(f"{CURVES} runs of {RUN_EPOCHS} epochs redrawn", redrawn)


def _make_library(runs: int) -> None:
    """So many runs of RUN_EPOCHS epochs each, with different seeds and rates."""
    rows = [
        Epoch.from_dict(
            dict.fromkeys(EPOCH_COLUMNS, 1.0 / epoch) | {"epoch": epoch, "step": 60 * epoch}
        )
        for epoch in range(1, RUN_EPOCHS + 1)
    ]
    plan = RunPlan(RunSettings(network="784-128-10"), "mnist", "vectorized")
    info = RunInfo(plan, "784-128-10", "epochs", kind="classes")
    first = RunFolder(runs_path() / "00000")
    first.begin(info)
    first.add_to_history(rows)
    first.write_info(info)
    for number in range(1, runs):
        path = runs_path() / f"{number:05}"
        shutil.copytree(first.path, path)
        changed = {"seed": number, "learning_rate": 0.001 * (1 + number % 50)}
        text = (path / "run.json").read_text()
        for name, value in changed.items():
            text = text.replace(f'"{name}": {getattr(plan.settings, name)},', f'"{name}": {value},')
        (path / "run.json").write_text(text)


@contextmanager
def _timed(times: list[tuple[float, float]]) -> Iterator[None]:
    """Add the seconds of the block, and its processor time."""
    start = time.perf_counter()
    processor = time.process_time()
    yield
    times.append((time.perf_counter() - start, time.process_time() - processor))


def _print_times(what: str, times: list[tuple[float, float]]) -> None:
    wall, processor = (1000 * median(column) for column in zip(*times, strict=True))
    print(f"{what}: {wall:.0f} ms, {processor:.0f} ms of processor time")


# -- start -----------------------------------------------------------------------------------------

REACHED = "main loop reached"
READ = "first drawing read"
REST_SECONDS = 60
# A line on the canvas, which is at the left of a window of 1280x720.
LINE = [(170, 230 + 15 * step) for step in range(11)]
WARM_UP_SECONDS = 30
POLL_SECONDS = 0.001


def measure_start(options: argparse.Namespace) -> None:
    """Both commands by turns, from the start of the process to REACHED in the log, each with a home
    of its own.

    A command is one argument: "ENVIRONMENT/bin/digitlab", ".venv/bin/python main.py". The first
    starts, which write bytecode and compile the loops, are not counted. With --first each command
    is started once, with empty caches and on a virtual screen, where the pointer draws a line
    (Xvfb, xdotool). Needs Linux.
    """
    if options.first:
        for command in options.commands:
            _start_first(command)
        return
    if len(options.commands) != 2:
        raise SystemExit("two commands are compared")
    with tempfile.TemporaryDirectory() as folder:
        starts = [
            partial(_start, command, Path(folder) / str(number))
            for number, command in enumerate(options.commands)
        ]
        for start in starts:
            start(WARM_UP_SECONDS)
            start()
        by_turns(options.rounds, ("the first", "the second"), *starts)


def _start(command: str, home: Path, more_seconds: float = 0) -> Figures:
    """Start the window and end it when its main loop runs, or `more_seconds` later."""
    with _started(command, home) as process:
        began = time.perf_counter()
        _wait_for_line(REACHED, process, home)
        seconds = time.perf_counter() - began
        processor = _processor_seconds(process.pid)
        time.sleep(more_seconds)
        return {"s": seconds, "s of processor time": processor}


def _start_first(command: str) -> None:
    """Start with empty caches, draw a line, and print what it took."""
    with tempfile.TemporaryDirectory() as folder, _screen() as display:
        variables = {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "NUMBA_CACHE_DIR": f"{folder}/compiled",
        }
        environment = {**os.environ, **variables}
        with _started(command, Path(folder), **variables) as process:
            began = time.perf_counter()
            _wait_for_line(REACHED, process, Path(folder))
            search = ["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)]
            subprocess.run(search, env=environment, check=True, stdout=subprocess.DEVNULL)
            seconds = time.perf_counter() - began
            print(
                f"window: {seconds:.2f} s, {_processor_seconds(process.pid):.2f} s of the processor"
            )
            drawing = time.perf_counter()
            subprocess.run(["xdotool", *_line(), "mouseup", "1"], env=environment, check=True)
            _wait_for_line(READ, process, Path(folder))
            seconds = time.perf_counter() - drawing
            processor = _processor_seconds(process.pid)
            print(
                f"answer: {seconds:.2f} s after the first touch, {processor:.2f} s of the "
                "processor so far"
            )
            time.sleep(REST_SECONDS)
            status = Path(f"/proc/{process.pid}/status").read_text("ascii")
            megabytes = int(status.split("VmRSS:")[1].split()[0]) / 1000
            print(f"memory after {REST_SECONDS} s: {megabytes:.0f} MB")


def _line() -> Iterator[str]:
    """The words by which xdotool draws LINE."""
    for step, (x, y) in enumerate(LINE):
        yield from ("mousemove", str(x), str(y), "sleep", "0.02")
        if step == 0:
            yield from ("mousedown", "1")


@contextmanager
def _screen() -> Iterator[str]:
    """A virtual screen; yields its name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x720x24"]
    server = subprocess.Popen(command, pass_fds=[writing])
    os.close(writing)
    try:
        with open(reading, encoding="ascii") as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def _started(command: str, home: Path, **variables: str) -> "Iterator[subprocess.Popen[bytes]]":
    """The program with this home; it ends with the block."""
    (home / "data" / "digitlab.log").unlink(missing_ok=True)
    environment = {**os.environ, **variables, "DIGITLAB_HOME": str(home)}
    process = subprocess.Popen(shlex.split(command), env=environment, stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _wait_for_line(line: str, process: "subprocess.Popen[bytes]", home: Path) -> None:
    """Wait until the log has this line. Raises RuntimeError if the program ends before."""
    log = home / "data" / "digitlab.log"
    while not (log.exists() and line in log.read_text("utf-8")):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args} ended with {process.returncode}")
        time.sleep(POLL_SECONDS)


def _processor_seconds(process_id: int) -> float:
    """The processor time of all threads of a process, those that have ended included."""
    if sys.platform != "linux":
        raise RuntimeError("the processor time of another process is read on Linux only")
    clock = (~process_id << 3) | 2  # what the C function clock_getcpuclockid makes of the number
    return time.clock_gettime(clock)


# -- processor -------------------------------------------------------------------------------------

NETWORKS = (
    ("dense", RUN, "mnist", 6_000, 25),
    ("dense", RUN, "fashion", 6_000, 25),
    ("dense", RUN, "", 6_000, 25),
    ("convolution", CONVOLUTION_RUN, "", 500, 15),
)
"""Name for PyTorch's script, settings, data ("": noise, as PyTorch has, which computes as long with
zeros), images of an epoch, rounds.
"""

# Runs PyTorch's script with a clock that counts the processor time of its process.
_CLOCK = """
import runpy, sys, time
time.perf_counter = time.process_time
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def measure_processor(options: argparse.Namespace) -> None:
    """Epochs of both programs, one thread each.

    Processor time counts while a program computes, so other programs disturb it less than they
    disturb a bench.
    """
    if hasattr(os, "sched_setaffinity"):
        # Both programs take as many threads as they may use processors.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    timing.perf_counter = time.process_time  # of an epoch without its evaluation
    print(f"{arithmetic()}; {blas_variables() or 'no variable of OpenBLAS is set'}")
    for network in NETWORKS:
        _measure_network(options.python, *network)


def _measure_network(
    python: Path, name: str, run: RunSettings, data: str, images: int, rounds: int
) -> None:
    torch = _TorchByProcessorTime(python, images, name)
    milliseconds_a_step = 1000 * run.batch_size / images
    figure = f"ms of processor time a step of {run.network} on {data or 'noise'}"
    dataset = noise_images(images, 0)
    if data:
        loaded = load_dataset(data)
        # Few to test on: the evaluation after an epoch counts as well.
        few = loaded.test.first(len(dataset.test))
        dataset = replace(loaded, train=loaded.train.first(images), test=few)
    with (
        closing(torch),
        closing(Epochs(run, dataset, "vectorized", never_cancel)) as epoch,
    ):

        def train() -> Figures:
            return {figure: milliseconds_a_step * epoch()}

        def train_torch() -> Figures:
            return {figure: milliseconds_a_step * torch.ask(f"eager {images}")}

        train()
        train_torch()
        by_turns(rounds, ("PyTorch", "DigitLab"), train_torch, train)


class _TorchByProcessorTime(torch_process.TorchProcess):
    """PyTorch in a process of its own that answers with seconds of processor time."""

    def __init__(self, python: Path, images: int, network: str) -> None:
        start = subprocess.Popen

        def start_with_clock(command: list[str], **options: object) -> "subprocess.Popen[str]":
            return start([command[0], "-c", _CLOCK, *command[1:]], **options)

        subprocess.Popen = start_with_clock  # type: ignore[assignment, misc]
        try:
            super().__init__(python, images, "cpu", network)
        finally:
            subprocess.Popen = start  # type: ignore[misc]


# -- workshop --------------------------------------------------------------------------------------

ACCESSES = 300_000


def measure_workshop(options: argparse.Namespace) -> None:
    """The check of each exercise's solution (without the compiler), and recorded accesses a second.

    The latter at the largest shape, whose sizes are doubled until there are ACCESSES of them.
    """
    rates = []
    for folder in sorted((ROOT / "resources" / "workshop").iterdir()):
        for block in open_lab(folder).parts.exercises:
            if isinstance(block, KernelBlock) and block.exercise.solution is not None:
                launch = block.exercise.launch
                source = read_text(block.exercise.solution)
                begin = time.perf_counter()
                list(iter_check(source, launch, types=False, isolated=False))
                seconds = time.perf_counter() - begin
                _, function = build_kernel(source, launch.kernel)
                accesses, rate, sizes = _check_rate(function, launch)
                rates.append(rate)
                print(
                    f"{folder.name:24} {seconds:6.2f} s   {accesses:>9,} accesses "
                    f"{rate / 1e6:6.2f} M/s   {sizes}",
                    flush=True,
                )
    print(f"median: {median(rates) / 1e6:.2f} million recorded accesses a second")


def _check_rate(function: Function, launch: Launch) -> tuple[int, float, dict[str, int]]:
    """Accesses, accesses a second, and the sizes: the best of three."""
    sizes = max(launch.shapes, key=lambda shape: sum(shape.values()))
    largest = sizes
    while True:
        rates = []
        for _ in range(3):
            arguments = make_inputs(launch, sizes, 1, set())
            machine = Machine(*launch.steps[0].dimensions(sizes), sizes)
            begin = time.perf_counter()
            run_kernel(function, machine, arguments)
            find_races(machine)
            count(machine)
            rates.append(machine.totals.accesses / (time.perf_counter() - begin))
        if machine.totals.accesses >= ACCESSES or not largest:
            return machine.totals.accesses, max(rates), sizes
        # The sizes that are already large are those of the data; small ones may be limits of the
        # kernel.
        most = max(sizes.values())
        sizes = {name: value * 2 if value * 4 >= most else value for name, value in sizes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True, metavar="WHAT")

    def add(
        name: str, measure: Callable[[argparse.Namespace], None], **numbers: float
    ) -> argparse.ArgumentParser:
        one = kinds.add_parser(name, description=measure.__doc__)
        one.set_defaults(measure=measure)
        for option, number in numbers.items():
            one.add_argument(f"--{option}", type=type(number), default=number)
        return one

    trainings = [
        add("window", measure_window, rounds=3, epochs=12, seconds=10.0, moves=900),
        add("ask", measure_ask, rounds=2),
    ]
    for one in trainings:
        one.add_argument(
            "--data", default="builtin", help="data set to learn from (default: builtin)"
        )
    add("compare", measure_compare, runs=1000)
    start = add("start", measure_start, rounds=20)
    start.add_argument(
        "--first", action="store_true", help="measure a first start, with empty caches"
    )
    start.add_argument("commands", nargs="+", metavar="COMMAND")
    add("processor", measure_processor).add_argument(
        "python", type=Path, help="a Python that has PyTorch"
    )
    add("workshop", measure_workshop)
    options = parser.parse_args()
    options.measure(options)


if __name__ == "__main__":
    main()
