"""Finds the symbols of a line in the answers of a network for its columns.

The network has been trained with connectionist temporal classification (Graves, Fernandez, Gomez,
Schmidhuber 2006): in each column it gives the probability of each symbol, and of BLANK, that no
symbol is to be written here. A path takes one of these in each column; equal neighbors are one
symbol, and blanks are left out. The probability of a text is that of all its paths.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

BEAM = 8
"""So many beginnings of texts are kept at each column."""

_LEAST = 1e-3  # probability of a symbol below which a beginning is not continued with it
_FLOOR = 1e-9  # lower probabilities count as this one, so that all have a logarithm

Text = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Symbol:
    """`start`, `end`: the columns that the best path gives to it. `probabilities`: float32
    (symbols,), of all symbols in its columns.
    """

    label: int
    start: int
    end: int
    probabilities: np.ndarray


def likeliest_texts(probabilities: np.ndarray) -> list[tuple[Text, float]]:
    """Texts with their probabilities, the likeliest first, by a beam search over prefixes.

    `probabilities`: float (columns, symbols + 1), BLANK last.
    """
    blank = probabilities.shape[1] - 1
    # For each beginning: of its paths that end with a blank, and of those that do not.
    beams: dict[Text, tuple[float, float]] = {(): (1.0, 0.0)}
    for row in probabilities.tolist():
        likely = [label for label in range(blank) if row[label] > _LEAST]
        following: dict[Text, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for text, (blanks, others) in beams.items():
            both = blanks + others
            entry = following[text]
            entry[0] += both * row[blank]
            if text:
                entry[1] += others * row[text[-1]]
            for label in likely:
                # Without a blank between them two equal symbols would be one.
                is_repeated = bool(text) and text[-1] == label
                following[(*text, label)][1] += (blanks if is_repeated else both) * row[label]
        best = sorted(following.items(), key=lambda item: -sum(item[1]))[:BEAM]
        beams = {text: (blanks, others) for text, (blanks, others) in best}
    texts = [(text, blanks + others) for text, (blanks, others) in beams.items()]
    return sorted(texts, key=lambda item: -item[1])


def aligned(probabilities: np.ndarray, text: Text) -> list[Symbol]:
    """The symbols of `text` at the columns of its likeliest path (Viterbi)."""
    blank = probabilities.shape[1] - 1
    states = [blank]
    for label in text:
        states += [label, blank]
    scores = np.log(np.maximum(probabilities, _FLOOR))[:, states]
    # A blank between two symbols may be skipped unless these are equal.
    may_skip = np.zeros(len(states), bool)
    for state in range(3, len(states), 2):
        may_skip[state] = states[state] != states[state - 2]
    # A path begins with a blank or with the first symbol.
    best = np.full(len(states), -np.inf)
    best[:2] = scores[0, :2]
    steps = np.zeros(scores.shape, np.int64)
    for column in range(1, len(scores)):
        moves = np.full((3, len(states)), -np.inf)
        moves[0] = best
        moves[1, 1:] = best[:-1]
        moves[2, 2:] = np.where(may_skip[2:], best[:-2], -np.inf)
        steps[column] = moves.argmax(axis=0)
        best = moves.max(axis=0) + scores[column]
    state = len(states) - 1
    # A path may end in the last symbol or in the blank after it.
    if len(states) > 1 and best[-2] > best[-1]:
        state -= 1
    path = np.zeros(len(scores), np.int64)
    # Backwards: only the end tells which path is the likeliest.
    for column in range(len(scores) - 1, -1, -1):
        path[column] = state
        state -= int(steps[column, state])
    symbols = []
    for number, label in enumerate(text):
        columns = np.flatnonzero(path == 2 * number + 1)
        start, end = int(columns[0]), int(columns[-1]) + 1
        shares = probabilities[start:end, :blank].max(axis=0)
        symbols.append(Symbol(label, start, end, shares / shares.sum()))
    return symbols
