"""The upper part of the Studies tab: which study, start and stop, and what is going on."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from gui.studies.deletion import UNDO_KEY
from gui.widgets.basics import PrimaryButton, QuietComboBox, key_text, named, note, set_message
from gui.widgets.colors import Colors
from gui.widgets.flow_layout import FlowLayout, labeled
from gui.widgets.icons import themed_icon

START_KEY = "Ctrl+Return"


class StudyControls(QWidget):
    """Widgets only; the tab connects them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tr = self.tr
        self.study_box = named(QuietComboBox(), "studyBox")
        self.study_box.setMinimumContentsLength(16)
        self.study_box.setToolTip(
            tr("A new study, or one that was begun: it can be looked at and continued.")
        )
        self.open_button = _button("studyOpen", tr("&Open…"), tr("Open the TOML file of a study."))
        self.save_button = _button(
            "studySave", tr("Sa&ve…"), tr("Save the study as a TOML file, as `main.py study` reads it.")
        )
        self.copy_button = _button("studyCopy", tr("Use as ne&w"), tr(
            "Show the settings of this study at the left, and what it varies in the form, for a new study."
        ))  # fmt: skip
        self.delete_button = _button("studyDelete", tr("De&lete…"), tr(
            "Move this study to the trash, with or without its runs. {key} restores the study that was deleted last."
        ).format(key=key_text(UNDO_KEY)))  # fmt: skip
        self.start_button = named(PrimaryButton(), "studyStart")
        self.stop_button = _button(
            "studyStop", tr("Sto&p"), tr("Stop the study; it can be continued, also after a restart.")
        )
        self.reason = note(name="studyReason")
        self.progress_note = note(name="studyProgress")
        self.bar = named(QProgressBar(), "studyBar")
        self.bar.setAccessibleName(tr("Progress of the study"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        top, run = FlowLayout(6), FlowLayout(6)
        for widget in (labeled(tr("St&udy"), self.study_box, grows=True), self.open_button, self.save_button,
                       self.delete_button):  # fmt: skip
            top.addWidget(widget)
        for widget in (self.start_button, self.stop_button, self.copy_button):
            run.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(top)
        column.addLayout(run)
        for message in (self.reason, self.progress_note, self.bar):
            column.addWidget(message)

    def list_studies(self, names: list[str], chosen: str) -> None:
        """Offer a new study and these, without a signal."""
        with QSignalBlocker(self.study_box):
            self.study_box.clear()
            self.study_box.addItem(self.tr("New study"), "")
            for name in names:
                self.study_box.addItem(name, name)
            self.study_box.choose(chosen)

    def show_start(self, *, begun: bool, complete: bool, enabled: bool, problem: str) -> None:
        """`problem`: why the study cannot be trained now."""
        tip = self.tr("Train the runs of the study one after the other ({key}).").format(
            key=key_text(START_KEY)
        )
        if complete:
            tip = self.tr("All runs of this study have ended.")
        self.start_button.setText(self.tr("Continue study") if begun else self.tr("Start study"))
        self.start_button.setEnabled(enabled)
        self.start_button.setToolTip(problem or tip)
        # Setting the text of a button removes its shortcut.
        self.start_button.setShortcut(START_KEY)
        set_message(self.reason, problem)

    def show_progress(self, ended: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(ended)
        self.say(self.tr("{n} of {total} runs have ended.").format(n=ended, total=total))

    def say(self, text: str) -> None:
        """Show what is being done; an empty text hides the line."""
        if self.progress_note.text() != text or not text:
            set_message(self.progress_note, text)

    def apply_theme(self, colors: Colors) -> None:
        self.start_button.setIcon(themed_icon("play", colors.on_accent, colors.muted))
        self.stop_button.setIcon(themed_icon("stop", colors.text, colors.muted))


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = named(QPushButton(text), name)
    button.setToolTip(tip)
    return button
