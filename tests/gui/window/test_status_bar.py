from dataclasses import replace

import pytest

from gui.window.status_bar import StatusBar
from tests.gui.training.test_tab import steps


@pytest.fixture
def bar(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.start_run(5)
    return bar


def shown_speed(bar):
    return int(bar.speed.text().replace(",", "").removesuffix(" images/s"))


def test_the_speed_is_the_mean_of_the_last_seconds_and_not_that_of_the_last_steps(bar):
    """1,000 images/s on average, in chunks of which every second one is ten times as fast as the other."""
    seconds = 0.0
    for k in range(90):
        seconds += 0.1 * (1.8 if k % 2 else 0.2)
        record = steps(1, k, k + 1)
        bar.show_record(
            replace(record, seconds=seconds, images_per_second=100 / (0.1 * (1.8 if k % 2 else 0.2)))
        )
        if seconds > 2:
            assert 850 < shown_speed(bar) < 1150
