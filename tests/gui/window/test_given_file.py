"""The file or folder that is given at the start, as by a double click."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import main
from gui.window.main_window import MainWindow
from tests.limits import SECONDS


def test_data_that_are_given_at_the_start_are_learned_from(qapp, small_mnist):
    sources = []

    def look():
        windows = [
            w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible()
        ]
        sources.append(windows[0].settings.data.source())
        if sources[-1] == str(small_mnist) or len(sources) > 100 * SECONDS:
            windows[0].close()
        else:
            QTimer.singleShot(10, look)

    QTimer.singleShot(0, look)
    assert main.main([str(small_mnist)]) == 0
    assert sources[-1] == str(small_mnist)
