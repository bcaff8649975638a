"""The parts of data that are saved in several files, folders or arrays: to learn from, and to
test.
"""

import re
from collections.abc import Mapping

import numpy as np

from core.data.dataset import Split

TRAIN, VALID, TEST = "train", "valid", "test"
TEST_FRACTION = 0.2

_BEGINNINGS = {
    "train": TRAIN,
    "xtrain": TRAIN,
    "ytrain": TRAIN,
    "xtest": TEST,
    "ytest": TEST,
    "val": VALID,
    "dev": VALID,
    "t10k": TEST,
    "test": TEST,
}
_WORD = re.compile(r"[a-z]+\d*[a-z]*")
# Words of a name that say what an array is, not of which data.
_DETAIL = re.compile(r"[xy]|imgs?|images?|labels?|data|targets?|idx\d|ubyte|int|arr")

# The examples of the test split do not depend on the run's seed, so that runs can be compared.
_SPLIT_SEED = 20240607


def part_of(name: str) -> str:
    """`train`, `valid` or `test`, as the name of a file, folder or array says; empty where it does
    not.

    >>> part_of("t10k-images-idx3-ubyte"), part_of("x_val"), part_of("data")
    ('test', 'valid', '')
    """
    for word in _WORD.findall(name.lower()):
        for beginning, part in _BEGINNINGS.items():
            if word.startswith(beginning):
                return part
    return ""


def base_of(name: str) -> str:
    """What is left of a name without its part, and without what the array is: the same for the
    files of a data set.

    >>> base_of("emnist-digits-test-images-idx3-ubyte"), base_of("x_train")
    ('emnist digits', '')
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    return " ".join(word for word in words if not part_of(word) and not _DETAIL.fullmatch(word))


def join_parts(parts: Mapping[str, Split]) -> tuple[Split, Split]:
    """The training and test split of parts by the names that `part_of` gives.

    Validation examples are learned from, after those for training; without a part for the test
    they are the test. Of a single part a fifth is kept aside.
    """
    tested = next((name for name in (TEST, VALID) if name in parts), "")
    learned = [parts[name] for name in sorted(parts) if name != tested]
    if not learned or not tested:
        return split_off(_joined(list(parts.values())))
    return _joined(learned), parts[tested]


def split_off(whole: Split) -> tuple[Split, Split]:
    """A training and a test split of data that have only one: a fifth, drawn at random but always
    the same, is for the test.
    """
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(whole))
    count = max(1, round(len(whole) * TEST_FRACTION))
    rows = order[count:]
    train = Split(whole.inputs[rows], whole.targets[rows])
    rows = order[:count]
    return train, Split(whole.inputs[rows], whole.targets[rows])


def _joined(splits: list[Split]) -> Split:
    if len(splits) == 1:
        return splits[0]
    return Split(
        np.concatenate([split.inputs for split in splits]),
        np.concatenate([split.targets for split in splits]),
    )
