"""Shows the model that reads drawings until one is trained or opened."""

from gui.window.file_actions import Files
from gui.window.model_selector import BUILT_IN, RUN, ModelSelector
from gui.window.startup.initial_model import bundled, newest_own_model, starting_model


def show_first_model(files: Files, selector: ModelSelector) -> None:
    """Read it and show it, unless a file has been opened meanwhile."""
    if files.model is not None:
        return
    model = starting_model()
    if model:
        files.set_model(model)
        selector.show(model, BUILT_IN if model is bundled() else RUN)
    selector.show_own(newest_own_model())
