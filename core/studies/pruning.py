"""Decides which runs of a study are ended early."""

from typing import TYPE_CHECKING

from core.runs.summary import Row

if TYPE_CHECKING:
    import optuna


class Pruning:
    """Ends runs that are worse than the median of the complete runs at the same epoch, by Optuna's MedianPruner.

    The losses that it compares are kept in memory: the database takes some milliseconds for each that is written.
    """

    def __init__(self) -> None:
        import optuna

        self._study = optuna.create_study(direction="minimize")
        self._pruner = optuna.pruners.MedianPruner(n_warmup_steps=2)

    def add_complete(self, rows: list[Row]) -> None:
        """Compare with a complete run, too."""
        self._study.add_trial(_trial(rows, complete=True))

    def should_end(self, rows: list[Row]) -> bool:
        """Whether the run with these epochs is to be ended after the last one."""
        if rows[-1]["validation_loss"] is None:
            return False
        return self._pruner.prune(self._study, _trial(rows, complete=False))


def _trial(rows: list[Row], *, complete: bool) -> "optuna.trial.FrozenTrial":
    import optuna

    states = optuna.trial.TrialState
    losses = {int(row["epoch"] or 0): loss for row in rows if (loss := row["validation_loss"]) is not None}
    return optuna.create_trial(
        state=states.COMPLETE if complete else states.RUNNING,
        value=min(losses.values(), default=0.0) if complete else None,
        intermediate_values=losses,
    )
