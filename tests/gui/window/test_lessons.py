"""The Lessons menu and the manual: experiments with the settings that the lessons print."""

import re

import pytest
from PySide6.QtWidgets import QMenu

from core.training.lessons import DATA, LESSONS
from gui.window.help import ManualWindow, manual_folder, show_manual
from tests.gui.person import LONG, ended, part


def text_of(lesson):
    """The text of a lesson in the manual."""
    parts = re.split(r"^## \d+\. ", (manual_folder() / "lessons.md").read_text(encoding="utf-8"), flags=re.M)
    return parts[lesson]


def menu_of(window):
    return next(action.menu() for action in window.menuBar().actions() if action.text() == "Lessons")


def test_the_menu_has_the_lessons_of_the_manual(window):
    menus = [action.menu() for action in menu_of(window).actions() if isinstance(action.menu(), QMenu)]
    assert len(menus) == len(LESSONS) == 10
    for number, (menu, lesson) in enumerate(zip(menus, LESSONS, strict=True), 1):
        assert lesson.question in menu.title()
        assert text_of(number).startswith(lesson.question)
        assert len(menu.actions()) == len(lesson.experiments)
        for experiment in lesson.experiments:
            assert experiment.accuracy is None or f"{experiment.accuracy:.1f} %" in text_of(number)


def test_an_experiment_sets_data_and_all_settings(window):
    window.settings.fields["l2"].edit.setText("0.5")
    window.settings.fields["schedule"].box.choose("cosine")
    for lesson in LESSONS:
        for experiment in lesson.experiments:
            window.run_actions.set_up_experiment(1, experiment)
            assert window.settings.plan.settings == experiment.settings
            assert window.settings.data.source() == DATA
            assert part(window, "trainButton").isEnabled()


@pytest.mark.slow
def test_the_printed_accuracy_comes_out(window, qtbot):
    experiment = LESSONS[1].experiments[0]
    window.run_actions.set_up_experiment(2, experiment)
    window.banner.action_button.click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert 100 * window.training.epochs.records[-1].test_score == pytest.approx(experiment.accuracy, abs=0.3)


def test_a_run_under_way_is_not_disturbed(window):
    before = window.settings.plan.settings
    window.run_actions.start(stepping=True)
    window.run_actions.set_up_experiment(1, LESSONS[0].experiments[0])
    assert "Stop the run" in window.banner.text.text()
    assert window.settings.plan.settings == before


def test_the_manual_opens_from_the_help_menu_and_its_links_lead_to_the_lessons(window):
    help_menu = window.menuBar().actions()[-1].menu()
    next(action for action in help_menu.actions() if "Manual" in action.text()).trigger()
    manual = window.findChild(ManualWindow)
    assert manual.isVisible()
    assert "Keep as" in manual.browser.toPlainText()
    show_manual(window, "lessons.md")
    assert window.findChildren(ManualWindow) == [manual]
    assert "Ten lessons" in manual.browser.toPlainText()
    manual.show_document("none.md")
    assert "missing" in manual.browser.toPlainText()
    manual.close()
