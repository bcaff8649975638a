from dataclasses import replace
from types import SimpleNamespace

import pytest

from gui.training.progress import RunProgress
from tests.gui.training.test_tab import steps


@pytest.fixture
def bar(qtbot):
    bar = RunProgress()
    qtbot.addWidget(bar)
    bar.start_run(5)
    return bar


def shown_speed(bar):
    return int(bar.speed.text().replace(",", "").removesuffix(" images/s"))


def test_the_speed_is_the_mean_of_the_run_and_not_that_of_the_last_steps(bar):
    """1,000 images/s on average, in chunks of which every second one is ten times as fast as the
    other.
    """
    seconds = 0.0
    for k in range(90):
        seconds += 0.1 * (1.8 if k % 2 else 0.2)
        record = steps(1, k, k + 1)
        bar.show_record(
            replace(
                record, seconds=seconds, images_per_second=100 / (0.1 * (1.8 if k % 2 else 0.2))
            )
        )
        if seconds > 2:
            assert 850 < shown_speed(bar) < 1150


def test_slow_motion_has_the_speed_of_the_clock(bar):
    """Ten batches of 100 images a second, each of which takes a thousandth of a second of
    training.
    """
    bar._session = SimpleNamespace(speed=10.0, state=None)
    for k in range(40):
        bar.show_record(replace(steps(1, k, k + 1), seconds=0.001 * k, images_per_second=100_000))
    assert shown_speed(bar) == 1000
    assert bar.left.text() == "0:46 left"


def test_a_short_preparation_is_not_shown(bar):
    bar.end_run()
    bar.start_run(5)
    bar.show_preparation("reading")
    assert bar.epoch.text() == ""
    bar.show_record(steps(1, 0, 1))
    assert bar.epoch.text() == "epoch 1 of 5"
    assert not bar._preparation_timer.isActive()


def test_a_long_preparation_is_shown(bar, qtbot):
    bar.show_preparation("reading")
    bar.show_preparation("reading", 1, 2)
    qtbot.waitUntil(lambda: bar.epoch.text() == "reading")
    assert bar.progress.value() == 500
    bar.show_preparation("reading", 3, 4)
    assert bar.progress.value() == 750
