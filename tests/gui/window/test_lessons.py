"""The Lessons menu, whose entries open labs, and the manual."""

import re

from core.labs.package import lessons
from core.program import FOLDER
from gui.window.help import ManualWindow, show_manual
from tests.gui.person import part
from tests.limits import LONG


def entries_of(window):
    menu = next(
        action.menu() for action in window.menuBar().actions() if action.text() == "Lessons"
    )
    menu.aboutToShow.emit()  # as a click on the menu does
    return [action for action in menu.actions() if action.text()]


def test_the_menu_has_the_lessons_of_the_manual(window):
    text = (FOLDER / "docs" / "lessons.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## \d+\. (.*)$", text, flags=re.M)
    assert titles == [title for title, _ in lessons()]
    *entries, _mark, new_lab, check_lab, manual = entries_of(window)
    longer = [f"{title} (90 minutes)" for title, _ in lessons("90-minutes")]
    expected = [f"{number}  {title}" for number, title in enumerate(titles, 1)]
    assert [entry.text().replace("&", "") for entry in entries] == expected + longer
    assert "Read the lessons" in manual.text()
    assert [entry.text().replace("&", "") for entry in (new_lab, check_lab)] == [
        "New lab…",
        "Check a lab…",
    ]


def test_a_lesson_opens_as_a_lab_with_its_settings(window, qtbot):
    window.settings.fields["l2"].edit.setText("0.5")
    entries_of(window)[2].trigger()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    assert window.labs.answers.lab.title == "Why was it so hard to train deep networks?"
    window.labs.show_step(1)
    settings = window.settings.plan.settings
    assert (settings.network, settings.epochs, settings.l2) == ("784-64-64-64-64-10", 3, 0)
    assert window.settings.data.source() == "builtin"
    # A run, and later steps, say what comes out.
    assert not part(window, "trainButton").isVisible()
    assert not window.labs.navigation.next.isEnabled()


def test_on_a_large_screen_the_text_of_a_lab_is_wide_and_large(window, qtbot):
    window.resize(1920, 1080)
    entries_of(window)[0].trigger()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    assert window.labs.width() > 380
    qtbot.waitUntil(
        lambda: window.labs.view.page.font().pointSizeF() > 1.1 * window.font().pointSizeF()
    )
    assert window.page.band.width() > 1.5 * window.labs.width()  # beside it the plot is large


def test_a_run_under_way_is_not_disturbed(window):
    before = window.settings.plan.settings
    window.run_actions.start(stepping=True)
    entries_of(window)[0].trigger()
    assert "Stop the run" in window.banner.text.text()
    assert window.settings.plan.settings == before
    assert not window.labs.isVisible()


def test_the_manual_opens_from_the_help_menu_and_its_links_lead_to_the_lessons(window):
    help_menu = window.menuBar().actions()[-1].menu()
    next(action for action in help_menu.actions() if "Manual" in action.text()).trigger()
    manual = window.findChild(ManualWindow)
    assert manual.isVisible()
    assert "Keep as" in manual.browser.toPlainText()
    show_manual(window, "lessons.md")
    assert window.findChildren(ManualWindow) == [manual]
    assert "Eleven lessons" in manual.browser.toPlainText()
    manual.show_document("none.md")
    assert "missing" in manual.browser.toPlainText()
    manual.close()
