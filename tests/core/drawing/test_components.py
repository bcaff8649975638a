"""Connected components, compared with a flood fill."""

import numpy as np

from core.drawing.page import components


def flood_fill(mask):
    labels = np.zeros(mask.shape, int)
    height, width = mask.shape
    for start in zip(*np.nonzero(mask), strict=True):
        if labels[start]:
            continue
        number = labels.max() + 1
        stack = [start]
        while stack:
            row, column = stack.pop()
            if (
                0 <= row < height
                and 0 <= column < width
                and mask[row, column]
                and not labels[row, column]
            ):
                labels[row, column] = number
                stack += [(row + y, column + x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return labels


def test_components_are_those_of_a_flood_fill():
    rng = np.random.default_rng(0)
    for _ in range(60):
        mask = rng.random(rng.integers(1, 12, 2)) < rng.uniform(0.1, 0.8)
        found, expected = components(mask), flood_fill(mask)
        assert len(found) == expected.max()
        np.testing.assert_array_equal(found.labels, expected)
        for number in range(1, len(found) + 1):
            rows, columns = np.nonzero(expected == number)
            box = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            assert found.boxes[number - 1].tolist() == box
            assert found.areas[number - 1] == len(rows)


def test_an_empty_mask_has_none():
    assert len(components(np.zeros((5, 7), bool))) == 0


def test_chosen_components_as_a_mask():
    mask = np.array([[1, 0, 1], [0, 0, 1]], bool)
    kept = components(mask).mask(np.array([False, True]))
    np.testing.assert_array_equal(kept, [[0, 0, 1], [0, 0, 1]])
