"""The output of `train`: text and a progress bar, or JSON lines."""

from typing import Any, Protocol

from tqdm import tqdm

from core.commands.console import print_json
from core.data.dataset import Dataset
from core.network.network import Network
from core.text import format_r2
from core.training.records import EpochDone, Finished, Record, StepsDone

_ENDINGS = {
    "epochs": "Done",
    "target-accuracy": "Target reached",
    "target-error": "Target error reached",
    "patience": "No improvement, kept the best epoch",
    "diverged": "Diverged",
    "stopped": "Stopped",
    "fault": "The device failed, kept the last checkpoint",
}


class Report(Protocol):
    """Call `start` once, `show` with each record except the last, and `finish` with the last."""

    def __init__(self, dataset: Dataset) -> None: ...
    def start(self, network: Network, device: str) -> None: ...
    def show(self, record: Record) -> None: ...
    def finish(self, finished: Finished) -> None: ...


class JsonReport:
    """Prints an `epoch` object for each epoch and a `done` object; regression has `test_r2` for `test_accuracy`."""

    def __init__(self, dataset: Dataset) -> None:
        self._score = "test_accuracy" if dataset.kind == "classes" else "test_r2"

    def start(self, network: Network, device: str) -> None:
        """Prints nothing: the first line is that of the first epoch."""

    def show(self, record: Record) -> None:
        if not isinstance(record, EpochDone):
            return
        values: dict[str, Any] = {
            "event": "epoch",
            "epoch": record.epoch,
            "seconds": record.epoch_seconds,
            "train_loss": record.train_loss,
            "test_loss": record.test_loss,
            self._score: record.test_score,
            "images_per_second": record.images_per_second,
            "learning_rate": record.learning_rate,
        }
        if record.validation_loss is not None:
            values["validation_loss"] = record.validation_loss
        print_json(values)

    def finish(self, finished: Finished) -> None:
        print_json({
            "event": "done",
            "reason": finished.reason,
            self._score: finished.test_score,
            "seconds": finished.seconds,
            "seconds_to_target": finished.seconds_to_target,
        })  # fmt: skip


class TextReport:
    """Prints a line for each epoch on stdout, and shows a bar on stderr if that is a terminal."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._bar: Any = None

    def start(self, network: Network, device: str) -> None:
        data = self._dataset
        print(
            f"{network.text} ({network.trained_count:,} parameters) on {data.title}: {len(data.train):,} "
            f"to learn from, {len(data.test):,} to test; device {device}",
            flush=True,
        )

    def show(self, record: Record) -> None:
        if isinstance(record, StepsDone):
            self._move_bar(record)
        elif isinstance(record, EpochDone):
            self._close_bar()
            validation = record.validation_loss
            more = "" if validation is None else f", validation {validation:.3g}"
            print(
                f"Epoch {record.epoch}: {self._score(record.test_score)}, loss {record.train_loss:.3g} "
                f"(test {record.test_loss:.3g}{more}), {record.epoch_seconds:.2f} s, "
                f"{record.images_per_second:,.0f} images/s",
                flush=True,
            )

    def finish(self, finished: Finished) -> None:
        self._close_bar()
        line = f"{_ENDINGS[finished.reason]}: {self._score(finished.test_score)}"
        line += f", {finished.seconds:.2f} s of training"
        if finished.seconds_to_target is not None:
            line += f", target after {finished.seconds_to_target:.2f} s"
        print(line, flush=True)

    def _score(self, score: float) -> str:
        if self._dataset.kind == "regression":
            return format_r2(score)
        images = len(self._dataset.test)
        return f"{round(score * images)} / {images} right ({score:.2%})"

    def _move_bar(self, record: StepsDone) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=record.images, desc=f"Epoch {record.epoch}", unit=" images", unit_scale=True,
                leave=False, disable=None,
            )  # fmt: skip
        score = "" if record.score is None else f"{record.score:.1%}"
        self._bar.set_postfix_str(f"loss {record.loss:.3g} {score}", refresh=False)
        self._bar.update(record.position - self._bar.n)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
