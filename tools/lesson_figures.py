"""Measures the accuracies that docs/lessons.md and core/training/lessons.py print.

python -m tools.lesson_figures [LESSON ...]
"""

import sys
from contextlib import closing

from core.data.sources import load_dataset
from core.training.lessons import DATA, LESSONS
from core.training.loop import iter_training
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings
from kernels.registry import default_cpu_device, open_device


def main() -> None:
    """Print, for each experiment: accuracy as printed and as measured, training and test loss."""
    dataset = load_dataset(DATA)
    chosen = {int(number) for number in sys.argv[1:]} or set(range(1, len(LESSONS) + 1))
    measured: dict[RunSettings, str] = {}
    for number, lesson in enumerate(LESSONS, 1):
        for experiment in lesson.experiments:
            if number not in chosen or experiment.accuracy is None:
                continue
            if experiment.settings not in measured:
                with closing(open_device(default_cpu_device())) as device:
                    for record in iter_training(experiment.settings, dataset, device):
                        if isinstance(record, EpochDone):
                            losses = record.train_loss, record.test_loss
                        elif isinstance(record, Finished):
                            score = record.test_score
                measured[experiment.settings] = (
                    f"{100 * score:.2f} %, loss {losses[0]:.3f} and {losses[1]:.3f}"
                )
            print(
                f"{number}. {experiment.title}: {experiment.accuracy} %, now {measured[experiment.settings]}",
                flush=True,
            )


if __name__ == "__main__":
    main()
