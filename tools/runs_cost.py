"""Measures the tab Compare: the time until it lists many runs, and that of a redraw of 20 curves.

`python -m tools.runs_cost [RUNS]` makes a library in a temporary folder. Prints medians in milliseconds.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

CURVES = 20
EPOCHS = 100
REPEATS = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=int, nargs="?", default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="digitlab-runs-") as home:
        os.environ["DIGITLAB_HOME"] = home
        _make_library(options.runs)
        _measure(options.runs)


def _make_library(count: int) -> None:
    """`count` runs of EPOCHS epochs each, with different seeds and rates."""
    from core.runs.folder import RunFolder, RunInfo
    from core.runs.library import runs_path
    from core.runs.plan import RunPlan
    from core.training.records import EPOCH_COLUMNS, Epoch
    from core.training.run_settings import RunSettings

    rows = [
        Epoch.from_dict(dict.fromkeys(EPOCH_COLUMNS, 1.0 / epoch) | {"epoch": epoch, "step": 60 * epoch})
        for epoch in range(1, EPOCHS + 1)
    ]
    info = RunInfo(
        RunPlan(RunSettings(network="784-128-10"), "mnist", "vectorized"),
        "784-128-10",
        "epochs",
        kind="classes",
    )
    first = RunFolder(runs_path() / "00000")
    first.begin(info)
    first.add_to_history(rows)
    first.write_info(info)
    for number in range(1, count):
        path = runs_path() / f"{number:05}"
        shutil.copytree(first.path, path)
        run = info.plan.settings.change(seed=number, learning_rate=0.001 * (1 + number % 50))
        text = (path / "run.json").read_text()
        for name in ("seed", "learning_rate"):
            text = text.replace(
                f'"{name}": {getattr(info.plan.settings, name)},', f'"{name}": {getattr(run, name)},'
            )
        (path / "run.json").write_text(text)


def _measure(count: int) -> None:
    from PySide6.QtCore import QEventLoop

    from core.data.dataset_cache import DatasetCache
    from core.studies.conclusion import groups_of_runs
    from gui.background.task_runner import end_background_work
    from gui.preferences import Preferences
    from gui.runs.tab import CompareTab
    from gui.widgets.banner import Banner
    from gui.window.application import make_application

    app = make_application(["runs_cost"])
    opened = []
    for _ in range(5):
        tab = CompareTab(Preferences(), DatasetCache(), Banner())
        tab.resize(1000, 700)
        start = time.perf_counter()
        cpu = time.process_time()
        tab.show()
        while len(tab.model.entries) < count:
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        tab.grab()
        opened.append((time.perf_counter() - start, time.process_time() - cpu))
        end_background_work()
    _report(f"{count} runs listed", opened)
    entries = tab.model.entries[:CURVES]
    rows = [entry.folder.read_history() for entry in entries]
    page = tab.comparison.curves
    redraws = []
    for repeat in range(REPEATS):
        moved = [[replace(row, test_score=row.test_score + repeat) for row in each] for each in rows]
        start = time.perf_counter()
        cpu = time.process_time()
        page.show_groups(groups_of_runs(entries, moved))
        page.grab()
        redraws.append((time.perf_counter() - start, time.process_time() - cpu))
    _report(f"{CURVES} runs of {EPOCHS} epochs redrawn", redraws)


def _report(name: str, times: list[tuple[float, float]]) -> None:
    wall, cpu = (1000 * statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name}: {wall:.0f} ms, {cpu:.0f} ms of processor time")


if __name__ == "__main__":
    main()
