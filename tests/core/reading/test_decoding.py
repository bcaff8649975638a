"""Texts from the answers of a network over columns, checked against the sum over all paths."""

from collections import defaultdict
from itertools import product

import numpy as np

from core.reading.decoding import aligned, likeliest_texts

BLANK = 3


def answers(columns):
    """Probabilities of three symbols and BLANK in each column."""
    return np.random.default_rng(3).dirichlet(np.full(BLANK + 1, 0.4), columns)


def collapsed(path):
    kept = [label for n, label in enumerate(path) if n == 0 or label != path[n - 1]]
    return tuple(label for label in kept if label != BLANK)


def test_the_likeliest_text_has_the_sum_of_its_paths():
    probabilities = answers(6)
    sums = defaultdict(float)
    for path in product(range(BLANK + 1), repeat=6):
        sums[collapsed(path)] += float(np.prod(probabilities[range(6), path]))
    text, share = likeliest_texts(probabilities)[0]
    assert text == max(sums, key=sums.get)
    assert 0.97 * sums[text] <= share <= sums[text] * (1 + 1e-9)


def test_equal_neighbors_need_a_blank_between_them():
    sure = np.full((7, BLANK + 1), 0.01)
    for column, label in enumerate((BLANK, 1, 1, BLANK, 1, 0, BLANK)):
        sure[column, label] = 0.97
    assert likeliest_texts(sure)[0][0] == (1, 1, 0)
    symbols = aligned(sure, (1, 1, 0))
    assert [(symbol.start, symbol.end) for symbol in symbols] == [(1, 3), (4, 5), (5, 6)]
    assert [int(symbol.probabilities.argmax()) for symbol in symbols] == [1, 1, 0]
