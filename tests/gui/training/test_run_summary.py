from core.training.records import Finished
from gui.training.session import run_summary
from tests.gui.training.test_epoch_table import checkpoint


def finished(**values):
    defaults = {
        "reason": "epochs", "advice": "", "test_loss": 0.2, "test_score": 0.95, "seconds": 2.0,
        "seconds_to_target": None, "checkpoint": checkpoint(),
    }  # fmt: skip
    return Finished(**defaults | values)


def test_a_successful_run_shows_a_success_message():
    text, tone, _ = run_summary(finished(), None, "classes")
    assert text.startswith("All epochs are done: 95.00 % right")
    assert tone == "good"


def test_a_run_without_progress_gets_advice_instead_of_a_success_message():
    text, tone, _ = run_summary(
        finished(test_score=0.1, advice="Lower the learning rate."), None, "classes"
    )
    assert text.endswith("Lower the learning rate.")
    assert tone == "info"
