"""A signal that ends the program closes the window: its run is saved as if the user had closed
it.
"""

import signal

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

import main
from core.inference.model_file import load_model
from core.runs.library import saved_runs
from core.training.records import StepsDone
from gui.window.main_window import MainWindow
from tests.gui.person import choose_simple_run, part

SIGNALS = [name for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]


@pytest.fixture
def train_and_receive(qapp, small_mnist, no_ignored_signals):
    """Calls main(), trains in its window, and sends the signal at the first record; returns the
    exit code.
    """

    def run(name, before=lambda window: None):
        def start():
            (window,) = (
                w
                for w in QApplication.topLevelWidgets()
                if isinstance(w, MainWindow) and w.isVisible()
            )
            choose_simple_run(window)
            part(window, "epochsBox").setValue(100_000)

            def on_records(records):
                if sent or not any(isinstance(record, StepsDone) for record in records):
                    return
                sent.append(name)
                QTimer.singleShot(0, lambda: signal.raise_signal(getattr(signal, name)))
                before(window)

            sent = []
            window.session.records.connect(on_records)
            part(window, "trainButton").click()

        QTimer.singleShot(0, start)
        return main.main([])

    earlier = {name: signal.getsignal(getattr(signal, name)) for name in SIGNALS}
    yield run
    assert {name: signal.getsignal(getattr(signal, name)) for name in SIGNALS} == earlier


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_that_ends_the_program_saves_the_run(train_and_receive, name):
    assert train_and_receive(name) == 130
    (run,) = saved_runs()
    assert run.read_info().state == "stopped"
    assert run.checkpoint.exists
    assert load_model(run.model_path).network.text == "784-32-10"


def test_an_open_dialog_does_not_keep_the_program_from_ending(train_and_receive):
    assert train_and_receive("SIGTERM", lambda window: QMessageBox.question(window, "", "?")) == 130
    assert saved_runs()
