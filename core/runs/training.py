"""How a run is continued: with which settings, from which checkpoint, in its own folder or as a branch."""

from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.runs.library import RunEntry
from core.runs.recorder import Start
from core.training.run_settings import RunSettings

# The checkpoint belongs to these: another network, other random numbers or another split would not fit it.
FIXED = ("network", "activation", "loss", "initialization", "validation", "seed")


def continued(
    entry: RunEntry, changes: Mapping[str, Any], *, best: bool = False, device: str = ""
) -> tuple[RunSettings, Start]:
    """The settings of the continued run, and where it starts from.

    changes: values of settings that differ from the run's. device: the name of the device, where it was chosen; empty
    for the run's own. The run goes on in its own folder if it starts from its last checkpoint, on its device, with
    at most another number of epochs. Otherwise it is a branch with a folder of its own.

    Raises InputError if the run cannot be continued in that way.
    """
    info, folder = entry.info, entry.folder
    run = info.settings.change(**changes)
    fixed = [name for name in FIXED if getattr(run, name) != getattr(info.settings, name)]
    if fixed:
        raise InputError(
            "{setting} cannot be changed when a run is continued: leave it out, or start a new run.",
            setting=fixed[0],
        )
    if not (folder.has_best if best else folder.has_checkpoint):
        raise InputError(
            "{run} has no checkpoint of its {epoch} epoch: there is nothing to continue.",
            run=entry.title, epoch="best" if best else "last",
        )  # fmt: skip
    differs = any(
        value != getattr(info.settings, name) for name, value in run.as_dict().items() if name != "epochs"
    )
    branch = best or differs or (device not in ("", "auto", info.device) and info.state != "fault")
    epochs = 0
    if entry.summary is not None:
        epochs = entry.summary.best_epoch if best else entry.summary.epoch
    if epochs >= run.epochs and (best or info.has_ended):
        raise InputError(
            "{run} has ended ({state}) after {epochs} epochs: there is nothing to continue. For more, set "
            "{setting:epochs} to more than {epochs}.",
            run=entry.title, state=info.state, epochs=epochs,
        )  # fmt: skip
    if info.state.startswith("target") and not branch and run == info.settings:
        raise InputError(
            "{run} has ended ({state}): to continue it, change {setting:epochs} or its target.",
            run=entry.title, state=info.state,
        )  # fmt: skip
    if not branch and entry.is_training():
        raise InputError("{run} is being trained by another program: wait for its end.", run=entry.title)
    return run, Start(entry.path, best=best, branch=branch)
