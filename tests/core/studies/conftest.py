"""A small data set, and studies of it in a folder of the test's own."""

from contextlib import closing

import pytest

from core.studies.spec import parse_study
from core.studies.study import Study

GRID = """
data = "points"
device = "vectorized"
[settings]
network = "6-9-4"
epochs = 3
batch_size = 32
[vary]
learning_rate = [0.01, 0.3]
optimizer = ["sgd", "adam"]
"""


@pytest.fixture
def train_study(points):
    """A function that trains the study of a TOML text until `until` accepts a run; returns its
    runs.
    """

    def train(text=GRID, at_once=1, until=None, name="test"):
        with closing(Study(parse_study(text, name))) as study:
            runs = study.iter_runs({"points": points}, at_once)
            with closing(runs):
                for run in runs:
                    if run is not None and until is not None and until(run):
                        break
            return study

    return train


def table_of(study):
    """What must be equal wherever the study was trained: values and results, but for times."""
    keys = ("epoch", "step", "train_loss", "validation_loss", "test_loss", "test_score")
    return [
        (
            run.number,
            run.values,
            run.state,
            [[getattr(epoch, key) for key in keys] for epoch in run.epochs],
        )
        for run in study.runs
    ]
