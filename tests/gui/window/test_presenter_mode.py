"""What a class sees in presenter mode: results within the page, whole marks, and switches of what
is shown.
"""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest

from core.labs.reader import parse_lab
from gui.widgets.theme import theme
from tests.gui.conftest import bars
from tests.gui.person import choose_simple_run, ended, give_size, part
from tests.idx_files import write_idx
from tests.limits import LONG

LAB = """# What does a rate do?

```lab
version = 1
```

It is one network.

## Change

```setup
data = "digits"
network = "16"
epochs = 1
batch_size = 50
controls = ["learning_rate"]
```

A text of several lines, so that the goals stand at the end of a page that is longer than the window: the network has
one hidden layer with sixteen units, which learn from six hundred images of bars, one for each of the ten classes.
The images have noise, so that no network reads all of them, whatever its rate is.

```task
id = "goal"
ask = "Find a learning rate that reads at least 30 % of the test images after one epoch."
test_accuracy_at_least = 30
epochs_at_most = 1
```
"""


@pytest.fixture
def presenting(window, qtbot):
    window.resize(1366, 768)
    window.show()
    window.presenter.trigger()
    give_size(window, 1366, 768)
    yield window
    if theme().presenting:
        window.presenter.trigger()


def test_the_result_of_a_training_is_scrolled_into_view(presenting, qtbot, tmp_path):
    window = presenting
    for name, images, seed in (("train", 600, 1), ("t10k", 100, 2)):
        write_idx(tmp_path / "digits", *bars(images, seed), name)
    window.labs.open_lab(parse_lab(LAB, "lab.md", tmp_path))
    window.labs.show_step(1)
    area = window.labs.view.area
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0, timeout=LONG)
    qtbot.waitUntil(
        lambda: window.settings.plan is not None and part(window, "trainButton").isEnabled()
    )
    QTest.mouseClick(part(window, "trainButton"), Qt.MouseButton.LeftButton)
    message = part(window, "lab-goalMessage")
    qtbot.waitUntil(lambda: bool(window.labs.answers.attempts) and ended(window)(), timeout=LONG)

    def is_in_sight():
        lower = message.mapTo(area.viewport(), message.rect().bottomLeft()).y()
        return lower <= area.viewport().height()

    qtbot.waitUntil(is_in_sight, timeout=LONG)
    assert area.verticalScrollBar().value() > 0


def test_the_last_mark_is_whole_and_names_are_no_larger_than_titles(presenting, small_mnist, qtbot):
    window = presenting
    choose_simple_run(window)
    part(window, "epochsBox").setValue(1)
    QTest.mouseClick(part(window, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.training.has_result and ended(window)(), timeout=LONG)
    plot = window.training.plots.accuracy_plot
    best = plot.run.lines["best"]
    qtbot.waitUntil(lambda: len(best.x) == 1 and plot.isVisible(), timeout=LONG)
    assert QFontInfo(plot.labels.font).pixelSize() <= QFontInfo(theme().title_font()).pixelSize()
    end = plot.mapFromScene(plot.plotItem.vb.mapViewToScene(QPointF(best.x[0], best.y[0])))
    right = end + QPoint(round(0.4 * theme().px(14)), 0)  # the right corner of the mark
    color = plot.grab().toImage().pixelColor(right)
    assert color == best.mark_pen.color()


def test_the_switch_of_the_plot_stands_where_the_plot_is(presenting, qtbot):
    window = presenting
    chooser = part(window, "plotChooser")
    assert not chooser.isVisible()  # the lessons are shown until there is a run
    choose_simple_run(window)
    part(window, "epochsBox").setValue(1)
    QTest.mouseClick(part(window, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.training.has_result and ended(window)(), timeout=LONG)
    assert chooser.isVisible()
    window.tabs.setCurrentWidget(window.workshop)
    assert not chooser.isVisible()
    assert not part(window, "presenterClear").isVisible()
    window.tabs.setCurrentWidget(window.page)
    assert chooser.isVisible()
    window.presenter.trigger()
    window.tabs.setCurrentWidget(window.compare)
    window.tabs.setCurrentWidget(window.page)
    assert window.page.isAncestorOf(chooser)


def test_the_mode_fills_the_screen_and_gives_the_window_back(window, qtbot):
    window.showMaximized()
    for key in (Qt.Key.Key_F12, Qt.Key.Key_F12):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(window, key)
        assert window.isFullScreen() == theme().presenting
    assert window.isMaximized()
