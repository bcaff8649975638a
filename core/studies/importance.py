"""What explains the differences between the runs of a study: analysis of variance, by setting and pair of settings.

A grid whose combinations are all there is divided exactly. Other samples are divided by a random forest fitted to
them (functional ANOVA: Hutter, Hoos, Leyton-Brown 2014, "An efficient approach for assessing hyperparameter
importance"), and not at all where the forest does not predict the runs that it was not fitted to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import log

import numpy as np

from core.studies.spec import Range, Value, Values, Variation

# A sample that is no grid needs so many runs.
FOREST_RUNS = 12
# A forest that explains less of the runs left out of its trees is a guess.
LEAST_EXPLAINED = 0.6
_TREES = 24
_SAMPLE = 256  # runs that a tree is fitted to at most
_LEAF = 3  # a node of fewer runs is not divided
_Parts = dict[tuple[int, ...], float]  # of the variance, by one axis or two
_Leaves = list[tuple[list[np.ndarray], float]]  # boxes: the cells of each axis (bool), and the value there


@dataclass(frozen=True, slots=True)
class Importance:
    """Shares of the variance of the loss over the whole space of the study; all values of a setting count alike.

    `settings`: of each setting by itself (main effects). `pairs`: of two settings beyond their main effects. What is
    left to 1 is due to more settings together. `uncertainty`: standard error of the shares of `settings`, 0 for a
    grid. `runs`: that they rest on. `explained`: share of the variance of runs left out of a tree that the forest
    predicts; 1 for a grid.
    """

    settings: dict[str, float]
    pairs: dict[tuple[str, str], float]
    uncertainty: dict[str, float]
    runs: int
    explained: float = 1.0

    @property
    def is_exact(self) -> bool:
        return self.explained == 1.0

    def ordered(self) -> list[tuple[tuple[str, ...], float, float]]:
        """Names, share and uncertainty (0 of a pair) of all settings and the pairs above 1 %, largest shares first."""
        shares = [((name,), share, self.uncertainty[name]) for name, share in self.settings.items()]
        pairs = [(names, share, 0.0) for names, share in self.pairs.items() if share > 0.01]
        return sorted([*shares, *pairs], key=lambda each: -each[1])


def find_importance(
    vary: Mapping[str, Variation], runs: Sequence[tuple[Mapping[str, Value], float]]
) -> Importance | None:
    """The importance of the settings `vary` for the losses of `runs`, given as (values, loss).

    None if it would be a guess: combinations of a grid are missing and there are fewer than FOREST_RUNS, equal losses,
    or losses that the settings do not explain.

    >>> from core.studies.spec import Values
    >>> vary = {"learning_rate": Values((0.01, 0.1)), "activation": Values(("relu", "tanh"))}
    >>> losses = [((0.01, "relu"), 0.9), ((0.01, "tanh"), 0.85), ((0.1, "relu"), 0.3), ((0.1, "tanh"), 0.25)]
    >>> found = find_importance(vary, [(dict(zip(vary, values)), loss) for values, loss in losses])
    >>> {name: round(share, 3) for name, share in found.settings.items()}
    {'learning_rate': 0.993, 'activation': 0.007}
    """
    finite = [(values, loss) for values, loss in runs if np.isfinite(loss) and vary.keys() <= values.keys()]
    losses = np.array([loss for _, loss in finite])
    if not finite or np.ptp(losses) <= 1e-12 * np.abs(losses).max():
        return None
    names = list(vary)
    leaves = _grid(vary, finite)
    if leaves is not None:
        weights = [np.full(len(mask), 1 / len(mask)) for mask in leaves[0][0]]
        return _shares(names, _effects(leaves, weights), len(finite))
    if len(finite) < FOREST_RUNS:
        return None
    axes = [_Axis.of(vary[name], [values[name] for values, _ in finite]) for name in names]
    return _forest_importance(names, axes, losses)


def _grid(vary: Mapping[str, Variation], runs: list[tuple[Mapping[str, Value], float]]) -> _Leaves | None:
    """Each combination as a leaf with the mean loss of its runs; None if the study is no grid, or one is missing."""
    lists = [variation.values for variation in vary.values()]
    cells: dict[tuple[Value, ...], list[float]] = {}
    for values, loss in runs:
        cells.setdefault(tuple(values[name] for name in vary), []).append(loss)
    grid = list(product(*lists))
    if not grid or any(each not in cells for each in grid):
        return None
    leaves: _Leaves = []
    for each in grid:
        masks = [np.equal(range(len(k)), k.index(v)) for k, v in zip(lists, each, strict=True)]
        leaves.append((masks, float(np.mean(cells[each]))))
    return leaves


def _shares(names: list[str], found: tuple[float, _Parts], runs: int) -> Importance | None:
    variance, parts = found
    if variance <= 0:
        return None
    settings = {names[key[0]]: part / variance for key, part in parts.items() if len(key) == 1}
    pairs = {(names[key[0]], names[key[1]]): part / variance for key, part in parts.items() if len(key) == 2}
    return Importance(settings, pairs, dict.fromkeys(names, 0.0), runs)


@dataclass(frozen=True, slots=True)
class _Axis:
    """One setting as cells between which a tree may divide.

    `cells`: of each run. `weights`: share of the space that each cell has. `ordered`: whether a division has the lower
    cells on one side; otherwise one cell.
    """

    cells: np.ndarray
    weights: np.ndarray
    ordered: bool

    @classmethod
    def of(cls, variation: Variation, values: list[Value]) -> "_Axis":
        match variation:
            case Range():
                return cls._of_range(variation, values)
            case Values():
                return cls._of_values(variation, values)

    @classmethod
    def _of_range(cls, variation: Range, values: list[Value]) -> "_Axis":
        low = variation.low
        high = variation.high
        numbers = [float(value) for value in values]
        if variation.logarithmic:
            low = log(low)
            high = log(high)
            numbers = [log(number) for number in numbers]
        shares = np.clip((np.array(numbers) - low) / (high - low), 0, 1)
        places, cells = np.unique(shares, return_inverse=True)
        edges = np.concatenate(([0.0], (places[1:] + places[:-1]) / 2, [1.0]))
        return cls(cells, np.diff(edges), True)

    @classmethod
    def _of_values(cls, variation: Values, values: list[Value]) -> "_Axis":
        known = list(dict.fromkeys([*variation.values, *values]))
        ordered = all(type(value) in (int, float) for value in known)
        if ordered:
            known.sort(key=lambda value: float(value))
        cells = np.array([known.index(value) for value in values])
        return cls(cells, np.full(len(known), 1 / len(known)), ordered)


def _forest_importance(names: list[str], axes: list[_Axis], losses: np.ndarray) -> Importance | None:
    rng = np.random.default_rng(0)  # the same runs give the same shares
    cells = np.stack([axis.cells for axis in axes], axis=1)
    count = len(losses)
    predicted = np.zeros(count)
    votes = np.zeros(count)
    trees = []
    for _ in range(_TREES):
        chosen = rng.integers(0, count, min(count, _SAMPLE))
        leaves = _grow(cells[chosen], losses[chosen], axes, rng)
        left_out = np.setdiff1d(np.arange(count), chosen)
        for masks, value in leaves:
            inside = left_out[np.all([masks[d][cells[left_out, d]] for d in range(len(axes))], axis=0)]
            predicted[inside] += value
            votes[inside] += 1
        trees.append(_effects(leaves, [axis.weights for axis in axes]))
    seen = votes > 0
    error = np.mean((predicted[seen] / votes[seen] - losses[seen]) ** 2)
    explained = 1 - float(error / np.var(losses[seen]))
    if explained < LEAST_EXPLAINED:
        return None
    known = [shares for effects in trees if (shares := _shares(names, effects, count))]
    if not known:
        return None
    return Importance(
        {name: float(np.mean([tree.settings[name] for tree in known])) for name in names},
        {pair: float(np.mean([tree.pairs[pair] for tree in known])) for pair in known[0].pairs},
        # Each tree is fitted to another draw of the runs: their spread is what another study would differ by.
        {name: float(np.std([tree.settings[name] for tree in known])) for name in names},
        count,
        explained,
    )


def _grow(cells: np.ndarray, losses: np.ndarray, axes: list[_Axis], rng: np.random.Generator) -> _Leaves:
    """A regression tree: its leaves as the cells that they cover on each axis, and their mean loss.

    Each division is the best of all axes in a random half of the possible places, so that trees differ.
    """
    leaves: _Leaves = []
    stack = [(np.arange(len(losses)), [np.ones(len(axis.weights), bool) for axis in axes])]
    while stack:
        rows, masks = stack.pop()
        best = _best_division(cells[rows], losses[rows], axes, rng) if len(rows) >= _LEAF else None
        if best is None:
            leaves.append((masks, float(losses[rows].mean())))
            continue
        axis, side = best  # the cells of `axis` on one side
        for part in (side, ~side):
            inner = [mask & part if d == axis else mask for d, mask in enumerate(masks)]
            stack.append((rows[part[cells[rows, axis]]], inner))
    return leaves


def _best_division(
    cells: np.ndarray, losses: np.ndarray, axes: list[_Axis], rng: np.random.Generator
) -> tuple[int, np.ndarray] | None:
    """The axis and its cells on one side where the squared error falls most; None if it falls nowhere."""
    total = losses.sum()
    count = len(losses)
    best_gain = 1e-12 * float((losses**2).sum()) + 1e-300
    best = None
    for d, axis in enumerate(axes):
        size = len(axis.weights)
        sums = np.bincount(cells[:, d], losses, size)
        counts = np.bincount(cells[:, d], minlength=size)
        if axis.ordered:
            sums = np.cumsum(sums)
            counts = np.cumsum(counts)
        places = np.flatnonzero((counts > 0) & (counts < count))
        if axis.ordered and len(places):
            # Of places between the same two runs one in the middle, so that gaps are divided evenly.
            starts = np.flatnonzero(np.diff(counts[places], prepend=-1))
            places = places[(starts + np.append(starts[1:], len(places))) // 2]
        if not len(places):
            continue
        if len(places) > 3:
            places = rng.choice(places, (len(places) + 1) // 2, replace=False)
        left = sums[places]
        n = counts[places]
        gains = left**2 / n + (total - left) ** 2 / (count - n) - total**2 / count
        index = int(np.argmax(gains))
        if gains[index] > best_gain:
            cut = places[index]
            side = np.arange(size) <= cut if axis.ordered else np.arange(size) == cut
            best_gain = float(gains[index])
            best = (d, side)
    return best


def _effects(leaves: _Leaves, axis_weights: list[np.ndarray]) -> tuple[float, _Parts]:
    """The variance of a function that is constant on boxes, `leaves`, and its parts of one and of two axes.

    `axis_weights`: of the cells of each axis, which are independent. Analysis of variance: f_i = E[f | x_i] - E[f],
    f_ij = E[f | x_i, x_j] - f_i - f_j - E[f]; V_u = E[f_u²].
    """
    values = np.array([value for _, value in leaves])
    covers = []  # of each axis: (leaf, cell), (cell)
    weights = []
    for d, weight in enumerate(axis_weights):
        cover = np.stack([masks[d] for masks, _ in leaves])
        # Neighbors that the tree does not divide become one cell: a leaf covers few, a range has one for each run.
        starts = np.flatnonzero(np.r_[True, (cover[:, 1:] != cover[:, :-1]).any(axis=0)])
        covers.append(cover[:, starts].astype(float))
        weights.append(np.add.reduceat(weight, starts))
    sizes = np.stack([cover @ weight for cover, weight in zip(covers, weights, strict=True)])  # (axis, leaf)
    mean = float(sizes.prod(axis=0) @ values)

    def rest(*without: int) -> np.ndarray:
        return np.delete(sizes, without, axis=0).prod(axis=0) * values

    single = [rest(d) @ cover - mean for d, cover in enumerate(covers)]
    parts: _Parts = {(d,): float(weight @ single[d] ** 2) for d, weight in enumerate(weights)}
    for a, b in combinations(range(len(covers)), 2):
        both = (covers[a] * rest(a, b)[:, None]).T @ covers[b]
        pair = both - single[a][:, None] - single[b][None, :] - mean
        parts[a, b] = float(weights[a] @ pair**2 @ weights[b])
    return float(sizes.prod(axis=0) @ values**2) - mean**2, parts
