"""The built-in digits: a data set that the program draws itself, without a download."""

import hashlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

import numpy as np

from core.data import cache
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.progress import Progress, ignore_progress

if TYPE_CHECKING:
    from core.data.synthetic.pen import ShapeModel

NAME = "builtin"
TITLE = "Built-in digits"
TRAIN = 60_000
TEST = 10_000
_CHUNK = 2_000
_SEED = 20_260_101
_THREADS = 2
# Part of the key in the cache: another number lets all machines draw the digits anew.
_VERSION = "4"


def load(progress: Progress = ignore_progress, train: int = TRAIN, test: int = TEST) -> Dataset:
    """The data set of `train` and `test` digits, drawn at the first call and then read from the
    cache.

    The digits are the same to the bit on every machine. Training and test digits come from
    different random streams. `progress(done, total)` counts digits.
    """
    key = hashlib.sha256(f"{_VERSION}|{_SEED}|{train}|{test}".encode()).hexdigest()[:16]
    train_split, test_split = cache.load_or_make(NAME, key, lambda: draw(train, test, progress))
    return Dataset(NAME, TITLE, "classes", DIGITS, train_split, test_split)


def draw(
    train: int, test: int, progress: Progress = ignore_progress, model: "ShapeModel | None" = None
) -> tuple[Split, Split]:
    """Draw splits of `train` and `test` digits. Each chunk has its own seed: threads do not change
    the result.

    `model`: None for that which comes with the program.
    """
    splits = _empty(train), _empty(test)
    tasks = [
        (number, start, min(_CHUNK, len(split) - start))
        for number, split in enumerate(splits)
        for start in range(0, len(split), _CHUNK)
    ]
    done = 0
    with ThreadPoolExecutor(_THREADS) as pool:
        futures = [pool.submit(_draw_chunk, splits[task[0]], *task, model) for task in tasks]
        try:
            for future in as_completed(futures):
                done += future.result()
                progress(done, train + test)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return splits


def _empty(count: int) -> Split:
    return Split(np.empty((count, 28, 28, 1), np.uint8), np.empty(count, np.int32))


def _draw_chunk(
    split: Split, number: int, start: int, count: int, model: "ShapeModel | None"
) -> int:
    """Draw the `count` rows of `split` from row `start` on. Returns `count`."""
    from core.data.synthetic import pen

    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence((_SEED, number, start))))
    writing = pen.write(count, rng, model)
    split.inputs[start : start + count, :, :, 0] = writing.images()
    split.targets[start : start + count] = writing.labels
    return count
