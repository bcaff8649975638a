"""Train many runs with varied settings and compare them by their validation loss.

FILE is a TOML file that says what to vary: docs/studies.md explains it. A study that was stopped
goes on where it was; one that is complete prints its table again. The runs are in the library,
which `runs` lists.
"""

import argparse
from contextlib import closing

from core.commands import console
from core.commands.stopping import stop_at_signal
from core.files.json_text import JsonObject
from core.program import PROGRAM, shipped_path
from core.runs.names import state_title
from core.studies.spec import read_study
from core.studies.study import Study, StudyRun, best_run
from core.studies.training import load_study_data
from core.text import format_percent, format_r2
from core.training.records import TrainingControl


def add_options(parser: console.Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=shipped_path,
        help="the TOML file of the study; or the name of a shipped one",
    )
    parser.add_flag("--json", "print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    spec = read_study(options.file)
    console.check_device(spec.plan.device)
    with closing(Study(spec)) as study:
        if study.can_continue:
            _train(study, options.json)
        _print_end(study, options.json)
    if not study.is_complete:
        return console.INTERRUPTED
    return console.FAILED if all(run.state in ("fault", "diverged") for run in study.runs) else 0


def _train(study: Study, json: bool) -> None:
    """Train what is left, until a signal requests a stop."""
    with console.progress_bar("Data", "") as show:
        datasets, notes = load_study_data(study.spec, show)
    for note in notes:
        console.print_error(f"{PROGRAM} study", note)
    printed: dict[int, int] = {}  # how many epochs of a run
    control = TrainingControl()
    with stop_at_signal(control), closing(study.iter_runs(datasets)) as runs:
        for run in runs:
            if control.stop:
                return
            if run is None:
                continue
            if json:
                _print_records(run, printed)
            elif run.state != "running":
                values = ", ".join(f"{name} {value}" for name, value in run.values.items())
                epoch, loss, score = _numbers(run)
                text = state_title(run.state, True)
                if run.is_complete:
                    text = f"validation loss {loss}, test {score}, epoch {epoch}"
                if run.message:
                    text += f": {run.message}"
                console.print_line(
                    f"Run {run.number + 1} of {study.spec.runs}: {values}: {text}", flush=True
                )


def _print_records(run: StudyRun, printed: dict[int, int]) -> None:
    """Print the epochs that have not been printed, and the end of the run."""
    for epoch in run.epochs[printed.get(run.number, 0) :]:
        console.print_json({"event": "epoch", "number": run.number, **epoch.as_dict()})
    printed[run.number] = len(run.epochs)
    if run.state != "running":
        console.print_json({"event": "run", **_record(run)})


def _record(run: StudyRun) -> JsonObject:
    return {
        "number": run.number,
        "values": run.values,
        "state": run.state_in_files,
        "run": run.id,
        "message": run.message,
        **run.results(),
    }


def _print_end(study: Study, json: bool) -> None:
    best = best_run(study.runs)
    if json:
        for run in study.runs:
            console.print_json({"event": "result", **_record(run)})
        number = best.number if best else None
        console.print_json({"event": "done", "complete": study.is_complete, "best": number})
        return
    rows = [("run", *study.spec.vary, "state", "epoch", "validation loss", "test")]
    rows += [
        (
            run.id,
            *(str(value) for value in run.values.values()),
            state_title(run.state, True),
            *_numbers(run),
        )
        for run in sorted(study.runs, key=_order)
    ]
    console.print_table(rows)
    failed = sum(run.state == "fault" for run in study.runs)
    if not study.is_complete:
        console.print_line("The study was stopped: the same command continues it.")
    elif failed and study.can_continue:
        console.print_line(
            f"{failed} of {len(study.runs)} runs failed: the same command tries them again."
        )


def _order(run: StudyRun) -> tuple[bool, float]:
    return (not run.is_complete, float("inf") if run.loss is None else run.loss)


def _numbers(run: StudyRun) -> tuple[str, str, str]:
    """Epoch, validation loss and test score of the best epoch; the score is accuracy, or R² of
    regression.
    """
    best = run.best
    if best is None:
        return "-", "-" if run.loss is None else f"{run.loss:.5g}", "-"
    loss = best.validation_loss
    score = best.test_score
    return (
        str(best.epoch),
        "-" if loss is None else f"{loss:.5g}",
        format_r2(score) if best.train_score is None else format_percent(score),
    )
