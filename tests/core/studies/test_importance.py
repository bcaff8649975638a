"""What explains a study: grids against the textbook's analysis of variance."""

import numpy as np
import pytest

from core.studies.importance import find_importance


def grid(losses, **lists):
    """The runs of a full grid over `lists`, with `losses` in the order of their combinations."""
    names, values = list(lists), np.stack(np.meshgrid(*lists.values(), indexing="ij"), axis=-1)
    rows = values.reshape(-1, len(names))
    types = [type(v[0]) for v in lists.values()]
    runs = [
        (
            dict(zip(names, (t(x) for t, x in zip(types, row, strict=True)), strict=True)),
            float(loss),
        )
        for row, loss in zip(rows, np.ravel(losses), strict=True)
    ]
    return {name: tuple(v) for name, v in lists.items()}, runs


def test_the_rate_explains_a_grid_in_which_it_moves_the_loss_most():
    losses = [[0.9, 0.85], [0.3, 0.25]]
    found = find_importance(*grid(losses, learning_rate=[0.01, 0.1], activation=["relu", "tanh"]))
    assert found.runs == 4
    assert found.settings["learning_rate"] == pytest.approx(0.36 / (0.36 + 0.0025))
    assert found.settings["activation"] == pytest.approx(0.0025 / (0.36 + 0.0025))
    assert found.pairs["learning_rate", "activation"] == pytest.approx(0, abs=1e-12)


def test_a_grid_of_two_settings_has_the_sums_of_squares_of_the_textbook():
    """SS_A = b Σ (mean_i. - mean)², SS_B = a Σ (mean_.j - mean)², SS_AB = SS_total - SS_A -
    SS_B.
    """
    table = np.random.default_rng(3).normal(size=(3, 4))
    found = find_importance(
        *grid(table, batch_size=[10, 20, 50], learning_rate=[0.1, 0.2, 0.3, 0.4])
    )
    total = ((table - table.mean()) ** 2).sum()
    rows = 4 * ((table.mean(axis=1) - table.mean()) ** 2).sum()
    columns = 3 * ((table.mean(axis=0) - table.mean()) ** 2).sum()
    assert found.settings == pytest.approx(
        {"batch_size": rows / total, "learning_rate": columns / total}
    )
    assert found.pairs["batch_size", "learning_rate"] == pytest.approx(
        (total - rows - columns) / total
    )


def test_the_parts_of_a_grid_of_three_settings_add_up_without_an_effect_of_three():
    a, b, c = np.arange(2.0), np.arange(3.0), np.arange(4.0)
    table = a[:, None, None] * 2 + b[None, :, None] * c[None, None, :]
    found = find_importance(*grid(table, a=[1, 2], b=[1, 2, 3], c=[1, 2, 3, 4]))
    assert sum(found.settings.values()) + sum(found.pairs.values()) == pytest.approx(1)
    assert found.pairs["b", "c"] > 0.01
    assert found.pairs["a", "b"] == pytest.approx(0, abs=1e-12)


def test_repetitions_of_a_combination_count_by_their_mean():
    vary, runs = grid([[1.0, 2.0], [3.0, 4.0]], a=[1, 2], b=[1, 2])
    again = [(values, loss + shift) for values, loss in runs for shift in (-0.1, 0.1)]
    assert find_importance(vary, again).settings == pytest.approx(
        find_importance(vary, runs).settings
    )


def test_nothing_is_said_of_equal_losses_or_missing_combinations():
    vary, runs = grid([[1.0, 1.0], [1.0, 1.0]], a=[1, 2], b=[1, 2])
    assert find_importance(vary, runs) is None
    vary, runs = grid([[1.0, 2.0], [3.0, 4.0]], a=[1, 2], b=[1, 2])
    assert find_importance(vary, runs[:3]) is None
    assert find_importance(vary, [(values, float("nan")) for values, _ in runs]) is None
