"""How the training tab shows runs, and the earlier runs that it keeps in its plots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.network.network import Network
from core.training.records import Epoch, RateChange, parse_rate_changes
from core.training.run_settings import BY_NAME, RunSettings
from gui.stage.captions import role_of
from gui.text import choice_title, count, data_title, number, percent, translator
from gui.widgets.plots.other_curves import OtherCurve

_tr = translator("TrainingTab")


@dataclass(frozen=True, slots=True)
class Display:
    """How runs are shown: at a desk by default, or as a lab asks for.

    `concludes`: say at the end of a run what it has shown. `compares`: offer a comparison then,
    which takes the place of the run. `notes_changes`: say that the settings are others by now.
    `hint`: in empty plots. `name`, `series`: of the next run's curve; by default it has the colors
    of training and test. `line`, `result`: what stands above the plots in place of the run and its
    result.
    """

    concludes: bool = True
    compares: bool = True
    notes_changes: bool = True
    hint: str | None = None
    name: str = ""
    series: int | None = None
    line: str = ""
    result: str = ""


def hint_of(display: Display, *, is_preparing: bool) -> str:
    """What the empty plots say. is_preparing: the data or the device of a run are being
    prepared.
    """
    if is_preparing:
        return _tr("The curve begins here, as soon as the run is prepared.")
    return _tr("Press Train: the curve appears here.") if display.hint is None else display.hint


@dataclass(frozen=True, slots=True)
class KeptRun:
    """An earlier run in the plots. `source`: its settings and its data by name; `curves`: loss and
    score.

    `score`: of its last epoch on the test set, NaN if it has none; `result`: that as text.
    """

    source: Mapping[str, object]
    title: str
    score: float
    result: str
    series: int
    curves: tuple[OtherCurve, OtherCurve]

    def ends_with(self, epoch: Epoch) -> bool:
        """Whether its last epoch is this one: a run that continues would stand beside itself."""
        return self.curves[0].points[-1:] == ((float(epoch.epoch), epoch.test_loss),)


def source_of(settings: RunSettings, data: str) -> dict[str, object]:
    """What runs differ in, by name."""
    return {"data": data, **settings.as_dict()}


def run_title(settings: RunSettings, data: str, *, in_short: bool = False) -> str:
    """A run in one line: `784-32-10, Adam 0.003, Built-in digits, 5 epochs`; with `then 3` for a
    change of the rate.

    in_short: without the epochs.
    """
    chosen = _tr("{network}, {optimizer} {rate}, {data}, {n} epochs", settings.epochs)
    if in_short:
        chosen = _tr("{network}, {optimizer} {rate}, {data}")
    return chosen.format(
        network=settings.network, optimizer=choice_title(BY_NAME["optimizer"], settings.optimizer),
        rate=_rates(settings), data=data_title(data), n=count(settings.epochs),
    )  # fmt: skip


def network_in_words(network: Network | None) -> str:
    """The layers before the answers, as the stage calls them: `8 filters, half, 64 units`."""
    parts = []
    for layer in range(len(network.layers) - 1 if network else 0):
        assert network is not None
        role = role_of(network, layer)
        units = network.shapes[layer + 1][-1]
        if role == "filters":
            parts.append(_tr("{n} filters", units).format(n=count(units)))
        elif role == "units":
            parts.append(_tr("{n} units", units).format(n=count(units)))
        elif role == "pooling":
            parts.append(_tr("half"))
    return ", ".join(parts) if parts or network is None else _tr("no hidden layer")


def plain_title(words: str, settings: RunSettings, data: str) -> str:
    """A run in plain words: `8 filters, half, 64 units; Adam 0.003; Built-in digits; 3 epochs`.
    words: its layers.
    """
    optimizer = f"{choice_title(BY_NAME['optimizer'], settings.optimizer)} {_rates(settings)}"
    epochs = _tr("{n} epochs", settings.epochs).format(n=count(settings.epochs))
    return "; ".join(filter(None, (words, optimizer, data_title(data), epochs)))


def _rates(settings: RunSettings) -> str:
    """The learning rate, with those that replaced it while the run trained: `0.1, then 3`."""
    try:
        changes = parse_rate_changes(settings.rate_changes)
    except InputError:  # of a file
        changes = ()
    later = [_rate_after(change) for change in changes]
    if len(later) > 2:
        later = [later[0], "…", later[-1]]
    return ", ".join((number(settings.learning_rate), *later))


def _rate_after(change: RateChange) -> str:
    if change.learning_rate is None:
        return _tr("then the schedule")
    return _tr("then {rate}").format(rate=number(change.learning_rate))


def score_text(score: float, kind: str) -> str:
    """The score of a run on data of this kind."""
    return percent(score) if kind == "classes" else f"R² {number(score)}"


def names_of_kept(names: Sequence[str], kept: int) -> list[str]:
    """The names of so many kept runs and of the present one, all different: equal ones say how long
    ago they were.
    """
    result = []
    for index, name in enumerate(names[:kept]):
        ago = kept - index
        before = _tr("{n} runs before", ago).format(n=count(ago))
        if not name:  # it was repeated, or differs in nothing that has a name
            result.append(before)
        else:
            result.append(f"{name}, {before}" if names.count(name) > 1 else name)
    return [*result, *names[kept:]]


def changes_text(changes: Sequence[tuple[int, RateChange]]) -> str:
    """The changes of the rate while a run trained, with their epochs, as a part of a sentence."""
    rate = _tr("the rate was set to {rate} in epoch {n}")
    schedule = _tr("the rate followed the schedule again from epoch {n}")
    parts = []
    for epoch, change in changes:
        value = change.learning_rate
        if value is None:
            parts.append(schedule.format(n=count(epoch)))
        else:
            parts.append(rate.format(rate=number(value, 3), n=count(epoch)))
    return ", ".join(parts)
