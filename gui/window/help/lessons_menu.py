"""The Lessons menu: each entry shows the settings of an experiment of the manual."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from core.training.lessons import DATA, LESSONS, Experiment
from gui.text import number
from gui.window.help.manual import show_manual

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def fill_lessons_menu(menu: QMenu, window: "MainWindow") -> None:
    for count, lesson in enumerate(LESSONS, 1):
        question = QCoreApplication.translate("Lesson", lesson.question)
        experiments = menu.addMenu(f"{'&' if count < 10 else ''}{count}  {question}")
        for experiment in lesson.experiments:
            action = experiments.addAction(QCoreApplication.translate("Lesson", experiment.title))
            action.triggered.connect(partial(set_up, window, count, experiment))
    menu.addSeparator()
    read = menu.addAction(_tr("&Read the lessons…"))
    read.triggered.connect(lambda: show_manual(window, "lessons.md"))


def set_up(window: "MainWindow", lesson: int, experiment: Experiment, _: bool = False) -> None:
    """Show the data and settings of an experiment, and offer to train."""
    if window.session.active:
        window.banner.show_text(_tr("Stop the run first; then choose the experiment again."))
        return
    window.settings.restore(DATA, experiment.settings, "")
    window.tabs.setCurrentWidget(window.training)
    text = _tr("Lesson {n}, {title}: the data and settings are ready.")
    if experiment.accuracy is not None:
        text += " " + _tr("The manual prints {accuracy} % for it.")
    accuracy = number(experiment.accuracy or 0)
    window.banner.show_text(text.format(n=lesson, title=experiment.title, accuracy=accuracy))
    window.banner.offer(_tr("Train"), window.start)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Lessons", text)
