"""The words of the field that a pupil meets in the window, each explained in one sentence.

The manual lists them (a test compares the two), and the tooltips of the places where they stand
explain them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from PySide6.QtCore import QCoreApplication

from gui.text import translator

_tr = translator("NetworkWords")

WORDS = {
    "accuracy": "The share of images that the network reads right.",
    "activation": "The function that makes the output of a unit from the sum of its inputs.",
    "Adam": "An optimizer that gives each weight a step length of its own; it needs little tuning.",
    "augmentation": "Changes of the training images at random, such as shifts: each epoch shows "
    "others.",
    "batch": "The images that one step learns from; their errors are averaged.",
    "calibration": "Whether a network is right as often as it says: of answers with 90 %, nine of "
    "ten.",
    "confusion matrix": "A table of what each digit was read as: the diagonal is right, all else "
    "are mistakes.",
    "cosine": "A schedule: the learning rate falls slowly at first, then quickly, then slowly, "
    "like a half wave.",
    "cross-entropy": "A loss that punishes confident mistakes most: minus the logarithm of the "
    "right one's share.",
    "dead": "A dead unit gives 0 for every image, so it has no gradient and never learns again.",
    "epoch": "One pass through all training images.",
    "filter": "The weights of one map: a small picture of what the map looks for at every place "
    "of the image.",
    "gradient": "How the loss changes with each weight: the direction in which a step goes, "
    "downhill.",
    "layer": "Units that all take the outputs of the layer below; the last layer gives the answer.",
    "learning rate": "The length of a step: too small learns slowly, too large jumps over the "
    "goal.",
    "loss": "How wrong the answers are, as one number; training makes it small.",
    "map": "The outputs of one filter at all places of the image.",
    "momentum": "Each step keeps a part of the last one, like a ball that rolls on.",
    "multiply-adds": "Multiplications and additions that one image takes: the work of the network.",
    "Nesterov": "Momentum that looks where it rolls to before it corrects itself.",
    "optimizer": "The rule that makes a step from the gradient.",
    "overfitting": "Learning the training images by heart instead of what digits look like: new "
    "images are read worse.",
    "parameters": "The numbers that training changes: weights and biases.",
    "patience": "After so many epochs without a better validation loss, the training ends.",
    "pooling": "Keeps the largest value of each small square: the image shrinks, and small shifts "
    "do not matter.",
    "precision": "Of the images that were read as a digit, the share that are this digit.",
    "recall": "Of the images of a digit, the share that were read as it.",
    "ReLU": "An activation: negative sums become 0, positive ones stay.",
    "schedule": "How the learning rate changes from epoch to epoch.",
    "seed": "The number from which all random numbers follow: the same seed repeats a run exactly.",
    "SGD": "Stochastic gradient descent: a step against the gradient of each batch.",
    "sigmoid": "An activation in the form of an S from 0 to 1.",
    "softmax": "Makes probabilities of the outputs: all are positive, and their sum is 1.",
    "squared error": "A loss: the mean square of what the outputs differ from the right answer.",
    "test images": "Images that training never sees, to measure what has been learned and not "
    "memorized.",
    "training images": "The images that the network learns from.",
    "unit": "A neuron: it multiplies its inputs by weights, adds them up and applies the "
    "activation.",
    "validation": "Training images kept aside to choose the best epoch and settings, so that the "
    "test stays fair.",
    "weights": "The numbers by which a unit multiplies its inputs.",
    "worker": "A thread of the processor that computes batches of a group, beside others.",
}


def explain(text: str) -> str:
    """A line for each word of the list that is in `text`; empty if there is none."""
    said = {word: QCoreApplication.translate("Word", word) for word in WORDS}
    by_lower = {translated.lower(): word for word, translated in said.items()}
    found = dict.fromkeys(
        by_lower[match.group(1).lower()] for match in _any_of(*said.values()).finditer(text)
    )
    line = QCoreApplication.translate("Word", "{word}: {meaning}")
    return "\n".join(
        line.format(word=said[word], meaning=QCoreApplication.translate("Word", WORDS[word]))
        for word in found
    )


@cache
def _any_of(*words: str) -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(longest_first)})s?\b", re.IGNORECASE)


def with_words(tip: str, text: str) -> str:
    """The tooltip `tip` of something that shows `text`, with the words in that explained."""
    return f"{tip}\n{explain(text)}".strip()


# -- networks --------------------------------------------------------------------------------------

_SIZED_LAYER = re.compile(r"(\d+)(C\d+|N?)(:.*)?", re.IGNORECASE)


def hidden_sizes(notation: str) -> list[tuple[bool, str]]:
    """Of each hidden layer with a size: whether it has filters, and the number of these or of
    units.
    """
    parts = notation.split("-")
    if parts[0].isdecimal():  # the input
        parts = parts[1:]
    found = [_SIZED_LAYER.fullmatch(part) for part in parts[:-1]]
    return [(match[2].upper().startswith("C"), match[1]) for match in found if match]


@cache
def network_words(notation: str) -> str:
    """The hidden layers of a network in the words of the stage: `8 + 16 filters, 64 units` for
    `8C5-MP2-16C5-64N-10N`.

    notation: its complete text. What follows from the layers around it, such as pooling, is left
    out.
    """
    words = []
    for are_filters, group in groupby(hidden_sizes(notation), key=itemgetter(0)):
        numbers = [size for _, size in group]
        total = sum(map(int, numbers))
        template = _tr("{n} filters", total) if are_filters else _tr("{n} units", total)
        words.append(template.format(n=" + ".join(numbers)))
    return ", ".join(words) or _tr("no hidden layer")


def in_plain_words(names: Sequence[str], notations: Iterable[str]) -> list[str]:
    """The names of runs with words for these networks; where two would be the same, these keep the
    notation.
    """
    longest_first = sorted(filter(None, notations), key=len, reverse=True)
    plain = []
    for name in names:
        for notation in longest_first:
            name = name.replace(notation, network_words(notation))
        plain.append(name)
    result = []
    for name, words in zip(names, plain, strict=True):
        is_ambiguous = plain.count(words) > names.count(name)
        result.append(name if is_ambiguous else words)
    return result
