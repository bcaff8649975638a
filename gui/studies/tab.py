"""The Studies tab: its page is created after the start, so that the window starts sooner."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from core.data.dataset_cache import DatasetCache
from core.runs.plan import RunPlan
from gui.preferences import Preferences
from gui.widgets.banner import Banner
from gui.widgets.tab import Tab

if TYPE_CHECKING:
    from gui.studies.page import StudyPage


class StudiesTab(Tab):
    """`plan` returns what the window would train, None while its settings are not valid."""

    busy_changed = Signal(bool)
    run_asked = Signal(str)  # the id of a run, to be shown in the library
    settings_asked = Signal(object, str)  # RunSettings and data, to be shown in the window
    wants_room = True

    def __init__(
        self, preferences: Preferences, dataset_cache: DatasetCache, plan: Callable[[], RunPlan | None],
        banner: Banner,
    ) -> None:  # fmt: skip
        super().__init__()
        self.setObjectName("studiesTab")
        self._arguments = preferences, dataset_cache, plan, banner
        self._disabled_reason = ""
        self.page: StudyPage | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def title(self) -> str:
        return self.tr("Studies: training") if self.busy else self.tr("Studies")

    @property
    def busy(self) -> bool:
        """Whether a study is trained."""
        return self.page is not None and self.page.busy

    def disable(self, reason: str) -> None:
        """Let no study start, and say why; an empty text allows it again."""
        self._disabled_reason = reason
        if self.page:
            self.page.disable(reason)

    def stop(self) -> None:
        if self.page:
            self.page.stop_study()

    def open_study(self, path: Path | None = None) -> None:
        """Show the study that a TOML file describes; None: ask for the file."""
        while self.create_next():
            pass
        assert self.page is not None
        if path is None:
            self.page.ask_open_study()
        else:
            self.page.open_study(path)

    def refresh(self) -> None:
        """Show what the settings of the window mean for a new study."""
        if self.page:
            self.page.refresh()

    def create_parts(self) -> Generator[None]:
        from gui.studies.form import StudyEditor
        from gui.studies.page import StudyPage

        editor = StudyEditor()
        yield
        page = StudyPage(*self._arguments, editor)
        yield
        self.page = page
        page.run_asked.connect(self.run_asked)
        page.settings_asked.connect(self.settings_asked)
        page.busy_changed.connect(self._on_busy)
        page.disable(self._disabled_reason)
        self._column.addWidget(page)
        page.show()

    def _on_busy(self, busy: bool) -> None:
        self.title_changed.emit()
        self.busy_changed.emit(busy)
