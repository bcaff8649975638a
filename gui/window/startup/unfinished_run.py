"""Offers at the start to continue a run that was interrupted or stopped."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.errors import InputError
from core.inference.model_file import load_model
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import unfinished_run
from gui.background.failure import failure_of

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def _tr(text: str) -> str:
    return QCoreApplication.translate("UnfinishedRun", text)


def offer_unfinished_run(window: "MainWindow") -> None:
    """Show a message with "Continue" and "Open" if the last run was interrupted or stopped."""
    if (unfinished := unfinished_run()) is None:
        return
    folder, info = unfinished
    text = _tr("The last run, {network} on {data}, was stopped before its end.")
    if info.state == "running":
        text = _tr("The last run, {network} on {data}, was interrupted: the program ended while it trained.")
    window.banner.show_text(text.format(network=info.network, data=info.plan.data))
    window.banner.offer(_tr("Continue"), lambda: _continue(window, folder, info))
    if folder.model_path.exists():
        window.banner.offer_instead(_tr("Open"), lambda: _open(window, folder, info))


def _continue(window: "MainWindow", folder: RunFolder, info: RunInfo) -> None:
    """Continue the run from its checkpoint, and save it in the same folder."""
    window.run_actions.continue_unfinished(folder.path, info)


def _open(window: "MainWindow", folder: RunFolder, info: RunInfo) -> None:
    """Show the run's settings and its model."""
    try:
        model = load_model(folder.model_path)
    except InputError as error:
        window.banner.show_text(failure_of(error).text, "bad")
        return
    _show_settings(window, info)
    window.show_opened(model)


def _show_settings(window: "MainWindow", info: RunInfo) -> None:
    window.settings.restore(info.plan.data, info.plan.settings)
