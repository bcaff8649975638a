"""Connects the dialog of the user's digits with the window."""

from typing import TYPE_CHECKING

from core.inference.model_file import Model
from gui.own_digits.dialog import OwnDigitsDialog
from gui.window.model_selector import ModelSelector

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def make_own_digits(window: "MainWindow", selector: ModelSelector) -> OwnDigitsDialog:
    """The dialog, whose networks read the drawings of `window`."""
    dialog = OwnDigitsDialog(selector.current, window)

    def show_learned(model: Model) -> None:
        # During a run the network that learns reads drawings; this one can be chosen in the menu.
        if not window.session.active:
            window.files.set_model(model)
            selector.show_own(model)

    window.drawing.kept.connect(dialog.reload)
    dialog.drawings_changed.connect(window.settings.data.reload_own_digits)
    dialog.learned.connect(show_learned)
    dialog.undone.connect(selector.undo_own)
    return dialog
