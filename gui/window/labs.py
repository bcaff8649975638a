"""Labs in the window: the Lessons menu, what a lab may change, and what it puts back."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QTabWidget, QWidget

from core.labs.answers import Answers
from core.labs.package import lessons
from core.labs.skeleton import write_skeleton
from gui.labs.panel import LabPanel
from gui.preferences import Preferences
from gui.studies.training import StudyTraining
from gui.widgets.banner import Banner
from gui.widgets.basics import SPACING, insert_in_tab_order
from gui.widgets.card import Card
from gui.widgets.dialogs import ask_folder, ask_open, ask_save, reporting
from gui.widgets.make import action, button, column, entry, tip_with_key
from gui.widgets.theme import theme
from gui.window.training_page import lab_width


class Shows(Protocol):
    """A part of the window that can show again what it shows now."""

    def remember(self) -> Callable[[], None]: ...


class LabActions(QObject):
    """Remembers what is shown when a lab opens, and puts it back when the lab is closed.

    While predictions are to be made, it closes what would give their answers away.
    `doors_changed(reason)`: runs and their results are closed for this reason, or open again
    (empty). `compare`: the tab that shows other runs. `shown`: the parts that are put back.
    `settings`: returns the values that the next start restores.
    """

    doors_changed = Signal(str)

    def __init__(
        self,
        labs: LabPanel,
        tabs: QTabWidget,
        compare: QWidget,
        studies: StudyTraining,
        shown: Sequence[Shows],
        settings: Callable[[], dict[str, Any]],
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(labs)
        self._labs = labs
        self._tabs = tabs
        self._studies = studies
        self._compare = compare
        self._shown = shown
        self._settings = settings
        self._preferences = preferences
        self._banner = banner
        self._put_back: list[Callable[[], None]] = []
        self._tab: QWidget | None = None
        text = self.tr("&Mark answers of a class…")
        self._marking = action(self, text, "markAnswers", self.mark_answers, keys=("Ctrl+Shift+M",))
        self._reading = QAction(self.tr("&Read the lessons…"), self)  # they hold the answers
        self.closed_reason = ""
        # Of the settings that were shown before the lab, which the next start restores; None: no
        # lab is open.
        self.settings_before: dict[str, Any] | None = None
        labs.opening.connect(self._on_opening)
        labs.closed.connect(self._on_closed)
        labs.handed_in.connect(self._forget_left)
        labs.refreshed.connect(self._on_refreshed)

    # -- opening and closing -----------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Open the lab or mark the answers at `path`."""
        if self._studies.busy:
            self._studies.say_busy()
        else:
            self._labs.open(path)

    def _on_opening(self) -> None:
        self.settings_before = self._settings()
        self._tab = self._tabs.currentWidget()
        self._put_back = [part.remember() for part in self._shown]

    def _on_closed(self) -> None:
        for put_back in self._put_back:
            put_back()
        if self._tab is not None:
            self._tabs.setCurrentWidget(self._tab)
        self._put_back = []
        self._tab = None
        self.settings_before = None
        self._forget_left()
        self._on_refreshed()

    def _forget_left(self) -> None:
        self._preferences.lab_left = self._preferences.lab_left_title = ""

    def offer_left(self) -> bool:
        """Offer to go on with the lab that was open when the program ended; returns whether there
        was one.
        """
        left = self._preferences.lab_left
        if not left or not Path(left).exists():
            return False
        text = self.tr("You have begun the lab “{title}”; your answers are kept.")
        self._banner.show_text(text.format(title=self._preferences.lab_left_title))
        self._banner.offer(self.tr("Go on with it"), partial(self.open, Path(left)))
        self._banner.offer(self.tr("Not now"), self._forget_left, instead=True)
        return True

    # -- what is closed while predictions are to be made -------------------------------------------

    def _on_refreshed(self) -> None:
        answers = self._labs.answers
        path = self._labs.path
        if (
            answers is not None
            and path is not None
            and self._preferences.lab_left != str(path.absolute())
        ):
            self._preferences.lab_left = str(path.absolute())
            self._preferences.lab_left_title = answers.lab.title
        reason = self._labs.closed_reason()
        is_open = not reason or bool({"runs", "studies"} & _tabs_of(answers))
        index = self._tabs.indexOf(self._compare)
        self._tabs.setTabEnabled(index, is_open)
        self._tabs.setTabToolTip(index, "" if is_open else reason)
        self._reading.setEnabled(not reason)
        self._reading.setToolTip(reason)
        if reason != self.closed_reason:
            self.closed_reason = reason
            self.doors_changed.emit(reason)

    def show_tab(self, index: int) -> None:
        """Show the tab, or say in the banner why it is closed."""
        tab = self._tabs.widget(index)
        assert tab is not None
        if self._tabs.isTabEnabled(index):
            self._tabs.setCurrentWidget(tab)
        else:
            self._banner.show_text(self.closed_reason)

    # -- the menu ----------------------------------------------------------------------------------

    def fill_menu(self, show_document: Callable[[str], object], menu: QMenu) -> None:
        """Each entry opens a lab that comes with the program; then those for teachers.

        `show_document`: shows the lessons as a text.
        """
        menu.setToolTipsVisible(True)
        self._reading.triggered.connect(lambda: show_document("lessons.md"))
        menu.addActions([self._marking, self._reading])
        # Their titles are in their files, which are read when they are needed.
        menu.aboutToShow.connect(lambda: self._fill(menu) if len(menu.actions()) == 2 else None)

    def _fill(self, menu: QMenu) -> None:
        language = QLocale().name().partition("_")[0]
        # They were added at the start for their keys; now they have other places.
        for each in (self._marking, self._reading):
            menu.removeAction(each)
        for number, (title, path) in enumerate(lessons(language=language), 1):
            question = QCoreApplication.translate("Lesson", title)
            key = "&" if number < 10 else ""
            menu.addAction(f"{key}{number}  {question}", partial(self.open, path))
        menu.addSeparator()
        for title, path in lessons("90-minutes", language):
            text = self.tr("{title} (90 minutes)").format(
                title=QCoreApplication.translate("Lesson", title)
            )
            menu.addAction(text, partial(self.open, path))
        menu.addSeparator()
        menu.addAction(self._marking)
        menu.addAction(self.tr("Ne&w lab…"), self.new_lab)
        menu.addAction(self.tr("&Check a lab…"), self.check_lab)
        menu.addSeparator()
        menu.addAction(self._reading)

    def mark_answers(self) -> None:
        """Ask for the folder with a class's answers, which name their lab, and mark them."""
        title = self.tr("Mark answers: choose the folder with the answers of the class")
        if path := ask_folder(self._labs.window(), self._preferences, title):
            self.open(path)

    # -- writing labs ------------------------------------------------------------------------------

    def new_lab(self) -> None:
        """Ask for a name and a place of a new folder, write a lab with examples into it, and show
        what its check finds.
        """
        title = self.tr("New lab: the name of its folder")
        kinds = [self.tr("Folder of a lab (*)")]
        path = ask_save(self._labs.window(), self._preferences, title, "my-lab", kinds)
        if path is not None:
            with reporting(self._banner.show_text):
                self._show_check(write_skeleton(path))

    def check_lab(self) -> None:
        kinds = [self.tr("Labs (*.md *.zip)")]
        if path := ask_open(self._labs.window(), self._preferences, self.tr("Check a lab"), kinds):
            self._show_check(path)

    def _show_check(self, path: Path) -> None:
        # Imported when it is needed, so that the window starts sooner.
        from gui.labs.check_dialog import LabCheckDialog

        def is_busy() -> bool:
            return self._labs.is_training or self._studies.busy

        dialog = LabCheckDialog(path, is_busy, self._labs.window())
        dialog.opened.connect(self.open)
        dialog.show()
        dialog.check()


def _tabs_of(answers: Answers | None) -> set[str]:
    """The tabs that the lab itself shows in this step."""
    return {part.tab for part in answers.shown_step.parts.setups} if answers is not None else set()


class LabColumn(QWidget):
    """Hidden while no lab is open, or while its text is folded away.

    below: the widgets between the text of a lab and its buttons, while one is open.
    placed(is_open): the column has them now, or not. `unfold_button`: shown while the text is
    folded away.
    """

    placed = Signal(bool)
    _folded = Signal()

    def __init__(self, labs: LabPanel, below: Sequence[QWidget]) -> None:
        super().__init__()
        self.labs = labs
        self._below = below
        self._is_open = False
        self._is_folded = False
        tip = tip_with_key(self.tr("Show the text of the lab again."), "Shift+F8")
        self.unfold_button = button(
            self.tr("Text of the lab"), "labUnfold", tip, lambda: self.fold(False)
        )
        self.unfold_button.hide()
        content = QWidget()
        self._parts = column(labs, owner=content, spacing=SPACING)
        column((Card(content, name="labCard"), 1), owner=self).setContentsMargins(16, 12, 0, 12)
        labs.head.fold_asked.connect(lambda: self.fold(True))
        self.hide()

    def fit(self, width: int) -> None:
        """Take the share of a window of this width."""
        self.setFixedWidth(lab_width(width, presenting=theme().presenting))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys 1 to 9 choose the choices of the question that is to be answered now."""
        answers = self.labs.answers
        is_plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        is_digit = is_plain and event.text() in tuple("123456789")
        if (
            answers is None
            or not is_digit
            or not self.labs.view.choose(answers, int(event.text()) - 1)
        ):
            super().keyPressEvent(event)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the entry that folds the text of a lab away."""

        def show(is_shown: bool) -> None:
            self.fold(not is_shown)

        def refresh() -> None:
            shown.setEnabled(self._is_open)
            shown.setChecked(not self._is_open or not self._is_folded)

        shown = entry(
            menu, self.tr("Text of the la&b"), show, "Shift+F8", "Ctrl+Shift+8", checked=True
        )
        self._folded.connect(refresh)
        refresh()

    def place(self) -> None:
        """A lab was opened or closed, or shows another step: open or close the column."""
        is_open = self.labs.answers is not None
        # Another step of an open lab leaves its text folded where it is folded.
        if is_open and not self._is_open:
            self._is_open = True
            self.place_controls()
            self.fold(False)
        elif not is_open:
            self._is_open = False
            self.fold(False)
        self.placed.emit(is_open)

    def place_controls(self) -> None:
        """Put the settings of the step, and its buttons, below the text of a lab that is open."""
        if self._is_open:
            for part in (*self._below, self.labs.navigation):
                self._parts.addWidget(part)
            insert_in_tab_order(self.labs.head.close_button, self.labs.navigation)
            insert_in_tab_order(self.labs.head.close_button, self.labs.view.page)

    def fold(self, is_folded: bool) -> None:
        """Fold the text of the lab away, for more room, or show it again."""
        self._is_folded = is_folded
        self.setVisible(self._is_open and not is_folded)
        self.unfold_button.setVisible(self._is_open and is_folded)
        self._folded.emit()
