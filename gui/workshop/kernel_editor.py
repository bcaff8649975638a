"""The editor of a kernel with the buttons around it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.workshop.checker.trace import Fault
from gui.widgets import make
from gui.widgets.basics import PrimaryButton
from gui.widgets.messages import note, set_message
from gui.workshop.editor import CodeEditor


class KernelEditor(QWidget):
    """`check_asked`: by the button or its key."""

    def __init__(self) -> None:
        super().__init__()
        self.editor = CodeEditor("workshopEditor", self.tr("The kernel"))
        self.said = note("error", "workshopLine")  # what is wrong with the line of the cursor
        above = self._create_buttons_above()
        below = self._create_buttons_below()
        self.editor.left.connect(self.check_button.setFocus)
        self.editor.cursorPositionChanged.connect(self._show_line)
        make.column(above, (self.editor, 1), self.said, below, owner=self)

    def _create_buttons_above(self) -> make.FlowLayout:
        tr = self.tr
        self.list_button = make.button(tr("All exercises"), "workshopAll", tr("Back to the list."))
        self.outside_button = make.button(
            tr("Own editor"),
            "workshopOwn",
            tr(
                "Write the kernel to a file, and open that in your own editor. Each time you "
                "save it, it is checked."
            ),
        )
        self.anew_button = make.button(
            tr("Begin anew"),
            "workshopAgain",
            tr("Begin anew, with the text that the exercise gives. Undo brings yours back."),
        )
        return make.FlowLayout(self.list_button, self.outside_button, self.anew_button)

    def _create_buttons_below(self) -> make.FlowLayout:
        tr = self.tr
        tip = tr("Run the kernel in a process of its own, and say what is wrong with it.")
        self.check_button = make.button(
            tr("Check"), "workshopCheck", make.tip_with_key(tip, "Ctrl+Return"), kind=PrimaryButton
        )
        # Neither a click nor the keys take the focus from the editor: the person goes on typing
        # there.
        self.check_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel_button = make.button(tr("Cancel"), "workshopCancel", tr("End the check."))
        self.use_button = make.button(
            tr("Use it"),
            "workshopUse",
            tr(
                "Train a small network with this kernel in place of the program's own, and let it "
                "read your drawing; after a check without fault."
            ),
        )
        self.solution_button = make.button(
            tr("Show solution"),
            "workshopSolution",
            tr("A kernel that passes, with its explanation; after your first check."),
        )
        return make.FlowLayout(
            self.check_button, self.cancel_button, self.use_button, self.solution_button
        )

    def show_faults(self, faults: Sequence[Fault]) -> None:
        """Mark the lines of these faults, and say what is wrong with that of the cursor."""
        self.editor.show_faults(faults)
        self._show_line()

    def _show_line(self) -> None:
        line = self.editor.textCursor().blockNumber() + 1
        set_message(self.said, self.editor.fault_text(line))
