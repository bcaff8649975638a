"""The tab Compare: the runs of the library, and studies that train several of them."""

from collections.abc import Generator

from PySide6.QtWidgets import QStackedWidget, QWidget

from gui.runs.tab import RunsTab
from gui.studies.tab import StudiesTab
from gui.widgets.make import column
from gui.widgets.tab import PageChooser, Tab


class CompareTab(Tab):
    """Shows `runs` or `studies`, as chosen above them."""

    def __init__(self, runs: RunsTab, studies: StudiesTab) -> None:
        self._pages: tuple[Tab, ...] = (runs, studies)
        self._studies = studies
        super().__init__()
        self.chooser = PageChooser("compareChooser", self.tr("What the tab Compare shows"))
        self.chooser.add_page(runs.title(), self.tr("All runs, and those that are chosen side by side."))
        self.chooser.add_page(studies.title(), self.tr("Trainings with several values of a setting."))
        self._stack = QStackedWidget()
        for page in self._pages:
            self._stack.addWidget(page)
        column(self.chooser, (self._stack, 1), owner=self, spacing=8)
        self.chooser.currentChanged.connect(self._stack.setCurrentIndex)
        studies.title_changed.connect(self._on_title)

    def title(self) -> str:
        return self.tr("Compare: training") if self._studies.busy else self.tr("Compare")

    def create_parts(self) -> Generator[None]:
        for page in self._pages:
            while page.create_next():
                yield

    def page_of(self, widget: QWidget) -> Tab | None:
        """The page that this widget is; None if it is none."""
        return next((page for page in self._pages if page is widget), None)

    def show_page(self, page: Tab) -> None:
        self.chooser.setCurrentIndex(self._pages.index(page))

    def set_open(self, page: Tab, reason: str) -> None:
        """Let the page be chosen, or not for this reason."""
        index = self._pages.index(page)
        self.chooser.setTabEnabled(index, not reason)
        self.chooser.setTabToolTip(index, reason)
        is_other_open = self.chooser.isTabEnabled(1 - index)
        if reason and self.chooser.currentIndex() == index and is_other_open:
            self.chooser.setCurrentIndex(1 - index)

    @property
    def is_open(self) -> bool:
        """Whether there is a page that can be chosen."""
        return any(self.chooser.isTabEnabled(index) for index in range(self.chooser.count()))

    def _on_title(self) -> None:
        self.chooser.setTabText(1, self._studies.title())
        self.title_changed.emit()
