"""The built-in digits: a data set that the program draws itself, with nothing to download."""

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from core.data import cache
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split

NAME = "builtin"
TITLE = "Built-in digits"
TRAIN, TEST = 60_000, 10_000
_CHUNK = 2_000
_SEED = 20_260_101
_THREADS = 2
_VERSION = "1"


def load(progress: Callable[[int, int], None] | None = None, train: int = TRAIN, test: int = TEST) -> Dataset:
    """The data set, drawn at the first call and kept in the cache; the same digits to the bit everywhere.

    `progress(done, total)` counts digits. Training and test digits come from different random streams.
    """
    key = hashlib.sha256(f"{_VERSION}|{_SEED}|{train}|{test}".encode()).hexdigest()[:16]
    splits = cache.load(NAME, key)
    if splits is None:
        splits = draw(train, test, progress)
        cache.store(NAME, key, splits)
    return Dataset(NAME, TITLE, "classes", DIGITS, *splits)


def draw(train: int, test: int, progress: Callable[[int, int], None] | None = None) -> tuple[Split, Split]:
    """Newly drawn splits of `train` and `test` digits. Each chunk has a seed of its own: threads change nothing."""
    splits = _empty(train), _empty(test)
    tasks = [
        (number, start, min(_CHUNK, len(split) - start))
        for number, split in enumerate(splits)
        for start in range(0, len(split), _CHUNK)
    ]
    done = 0
    with ThreadPoolExecutor(_THREADS) as pool:
        jobs = [pool.submit(_draw_chunk, splits[task[0]], *task) for task in tasks]
        try:
            for job in as_completed(jobs):
                done += job.result()
                if progress is not None:
                    progress(done, train + test)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return splits


def _empty(count: int) -> Split:
    return Split(np.empty((count, 28, 28, 1), np.uint8), np.empty(count, np.int32))


def _draw_chunk(split: Split, number: int, start: int, count: int) -> int:
    """Draws into its own rows of `split`; the number drawn."""
    from core.data.synthetic import pen, render

    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence((_SEED, number, start))))
    lines = pen.write(count, rng)
    split.inputs[start : start + count, :, :, 0] = render.draw(lines)
    split.answers[start : start + count] = lines.labels
    return count
