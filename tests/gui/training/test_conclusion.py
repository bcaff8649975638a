"""The sentences after a run and a comparison."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.inspection.health import Finding
from core.studies.study import StudyRun
from gui.training.conclusion import Group, comparison_text, run_text
from tests.gui.training.test_epoch_table import done

DATA = SimpleNamespace(kind="classes", classes=tuple("0123456789"), test=range(10_000))


def last(test, train=0.9):
    return replace(done(3, test_score=test, train_score=train).numbers)


def group(name, *scores, losses=(1.0, 0.99)):
    runs = []
    for number, score in enumerate(scores):
        epochs = [
            replace(done(k, test_score=score).numbers, train_loss=loss) for k, loss in enumerate(losses, 1)
        ]
        runs.append(StudyRun(number, {}, "", "complete", epochs))
    return Group(name, tuple(runs))


def test_a_run_is_compared_with_the_run_before():
    assert run_text(last(0.9775), 10_000, None) == "97.75 % of 10,000 test images read right, 225 wrong."
    better = run_text(last(0.9775), 10_000, ("rate 0.5", 0.97))
    assert better.endswith("That is 0.75 points more than the run before (rate 0.5).")
    worse = run_text(last(0.9), 10_000, ("rate 0.5", 0.97))
    assert worse.endswith("That is 7 points less than the run before (rate 0.5).")


@pytest.mark.parametrize(
    ("train", "test", "said"), [(0.99, 0.94, True), (0.99, 0.98, False), (0.2, 0.1, False)]
)
def test_overfitting_is_said_of_a_network_that_reads_most_training_images(train, test, said):
    assert ("by heart" in run_text(last(test, train), 100, None)) == said


def test_a_comparison_says_which_is_best_and_why_others_are_not():
    dead = Finding("dead", 0, "", {"layer": 1, "share": "100"})
    groups = [group("rate 0.001", 0.6, losses=(2.0, 1.5)), group("rate 0.1", 0.907), group("rate 3", 0.1)]
    text, best = comparison_text(groups, DATA, {"rate 3": dead})
    assert best is groups[1]
    assert text == (
        "Rate 0.1 learns best: 90.7 %; rate 0.001 is too slow: 60.0 %, and still learning; rate 3 learns nothing: all "
        "units of layer 1 are dead."
    )


def test_a_difference_within_chance_is_none():
    text, _ = comparison_text([group("a", 0.9), group("b", 0.901)], DATA, {})
    assert text == "B learns best: 90.1 %; a is as good: 90.0 %."
    text, _ = comparison_text([group("a", 0.90, 0.92), group("b", 0.89, 0.90)], DATA, {})
    assert "b is as good" in text
    text, best = comparison_text([group("a", 0.1), group("b")], DATA, {})
    assert (text, best) == ("A learns nothing.", None)
