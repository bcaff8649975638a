"""The message at the end of a run: why it ended, the score, and what to change if it failed."""

from typing import Any

from PySide6.QtCore import QCoreApplication

from core.training.records import EpochDone, Finished, Record, StepsDone
from gui.background.failure import Failure
from gui.text import clock, number, percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("Endings", text)


def run_summary(outcome: Any, last: Record | None, kind: str) -> tuple[str, str, str]:
    """(text, tone, details) of the banner. `outcome`: Finished, Failure, or None: stopped. `kind`: of the data."""
    if isinstance(outcome, Failure):
        return outcome.text, "bad", outcome.details
    if isinstance(outcome, Finished):
        return _finished(outcome, kind)
    if isinstance(last, StepsDone | EpochDone):
        text = _tr("Stopped in epoch {epoch}. The trained network is kept, and reads your drawings.")
        if kind != "classes":
            text = _tr("Stopped in epoch {epoch}. The trained network is kept; see Results.")
        return text.format(epoch=last.epoch), "info", ""
    return "", "info", ""


def _finished(end: Finished, kind: str) -> tuple[str, str, str]:
    if end.reason == "diverged":
        advice = QCoreApplication.translate("InputError", end.advice)
        return _tr("The run broke off: {advice}").format(advice=advice[:1].lower() + advice[1:]), "bad", ""
    reason = {
        "epochs": _tr("All epochs are done"),
        "target-accuracy": _tr("The target accuracy is reached")
        if kind == "classes" else _tr("The target R² is reached"),
        "target-error": _tr("The target error is reached"),
        "patience": _tr("No epoch was better for a while, so the best one was kept"),
        "stopped": _tr("Stopped"),
    }[end.reason]  # fmt: skip
    if kind == "classes":
        template = _tr("{reason}: {score} right on the test set after {time} of training.")
        score = percent(end.test_score)
    else:
        template = _tr("{reason}: R² {score} on the test set after {time} of training.")
        score = number(end.test_score)
    seconds = end.seconds
    time = clock(seconds) if seconds >= 60 else _tr("{n} s").format(n=number(seconds, 3))
    text = template.format(reason=reason, score=score, time=time)
    if end.advice:
        return f"{text} {QCoreApplication.translate('InputError', end.advice)}", "info", ""
    return text, "good", ""
