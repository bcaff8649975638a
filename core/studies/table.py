"""The runs of a study as a table, for other programs."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from core.studies.run import StudyRun

_RESULTS = ("epoch", "validation_loss", "test_loss", "test_score", "train_loss")


def result_of(run: StudyRun) -> dict[str, Any]:
    """The results of the run's best epoch by name, and the seconds of its training; None for what it has not."""
    best, last = run.best or {}, run.rows[-1] if run.rows else {}
    return {**{name: best.get(name) for name in _RESULTS}, "seconds": last.get("seconds")}


def study_csv(runs: Sequence[StudyRun]) -> str:
    """A line for each run: number, varied settings, state, results, and the run's id in the library."""
    names = list(dict.fromkeys(name for run in runs for name in run.values))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["number", *names, "state", *_RESULTS, "seconds", "run", "message"])
    for run in runs:
        values = (run.values.get(name) for name in names)
        writer.writerow([run.number, *values, run.state, *result_of(run).values(), run.run, run.message])
    return text.getvalue()
