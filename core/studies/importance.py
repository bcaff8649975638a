"""What explains the differences between the runs of a grid: analysis of variance, by setting and
pair of settings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from core.studies.spec import Value, Values


@dataclass(frozen=True, slots=True)
class Importance:
    """Shares of the variance of the loss over all combinations of a grid; all values of a setting
    count alike.

    `settings`: of each setting by itself (main effects). `pairs`: of two settings beyond their main
    effects. What is left to 1 is due to more settings together. `runs`: that they rest on.
    """

    settings: dict[str, float]
    pairs: dict[tuple[str, str], float]
    runs: int

    def ordered(self) -> list[tuple[tuple[str, ...], float]]:
        """Names and share of all settings and of the pairs above 1 %, largest shares first."""
        shares: list[tuple[tuple[str, ...], float]] = [
            ((name,), share) for name, share in self.settings.items()
        ]
        shares += [(names, share) for names, share in self.pairs.items() if share > 0.01]
        return sorted(shares, key=lambda each: -each[1])


def find_importance(
    vary: Mapping[str, Values], runs: Sequence[tuple[Mapping[str, Value], float]]
) -> Importance | None:
    """The importance of the settings `vary` for the losses of `runs`, given as (values, loss).

    None if a combination has no run with a loss, or if all losses are equal.

    >>> vary = {"learning_rate": (0.01, 0.1), "activation": ("relu", "tanh")}
    >>> losses = [((0.01, "relu"), 0.9), ((0.01, "tanh"), 0.85)]
    >>> losses += [((0.1, "relu"), 0.3), ((0.1, "tanh"), 0.25)]
    >>> found = find_importance(vary, [(dict(zip(vary, values)), loss) for values, loss in losses])
    >>> {name: round(share, 3) for name, share in found.settings.items()}
    {'learning_rate': 0.993, 'activation': 0.007}
    """
    finite = [
        (values, loss)
        for values, loss in runs
        if np.isfinite(loss) and vary.keys() <= values.keys()
    ]
    table = _grid(vary, finite)
    # Equal but for rounding: there is no variance to explain.
    if table is None or np.ptp(table) <= 1e-12 * np.abs(table).max():
        return None
    names = list(vary)
    total = float(table.var())
    main = [_mean_over_others(table, axis) - table.mean() for axis in range(table.ndim)]
    settings = {
        name: float(np.mean(effect**2)) / total for name, effect in zip(names, main, strict=True)
    }
    pairs = {}
    for a, b in combinations(range(table.ndim), 2):
        both = _mean_over_others(table, a, b) - table.mean() - main[a] - main[b]
        pairs[names[a], names[b]] = float(np.mean(both**2)) / total
    return Importance(settings, pairs, len(finite))


def _grid(
    vary: Mapping[str, Values], runs: list[tuple[Mapping[str, Value], float]]
) -> np.ndarray | None:
    """The mean loss of each combination, with an axis for each setting; None if one is missing."""
    cells: dict[tuple[Value, ...], list[float]] = {}
    for values, loss in runs:
        cells.setdefault(tuple(values[name] for name in vary), []).append(loss)
    grid = list(product(*vary.values()))
    # Shares of an incomplete grid would favour the settings that were tried more often.
    if any(each not in cells for each in grid):
        return None
    sizes = [len(values) for values in vary.values()]
    return np.array([np.mean(cells[each]) for each in grid]).reshape(sizes)


def _mean_over_others(table: np.ndarray, *axes: int) -> np.ndarray:
    """The mean over all other axes, which have length 1 in the result."""
    return table.mean(axis=tuple(set(range(table.ndim)) - set(axes)), keepdims=True)
