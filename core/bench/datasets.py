"""The data that benchmarks train on: MNIST where it is installed, else the built-in digits; and noise."""

import numpy as np

from core.data.dataset import Dataset, Split
from core.data.sources import list_sources, load_dataset


def load_digits() -> tuple[Dataset, str]:
    """MNIST where it is installed, else the built-in digits; and a sentence that says which."""
    reason = (
        "MNIST is not installed (`data fetch mnist` downloads it; DIGITLAB_DATA names a folder that has it)"
    )
    try:
        if any(source.name == "mnist" and source.available for source in list_sources()):
            data = load_dataset("mnist")
            return data, f"On MNIST, {len(data.train):,} training images."
    except Exception as error:
        # A machine with a card may lack the package that reads MNIST's files.
        reason = f"MNIST could not be read ({error})"
    data = load_dataset("builtin")
    return data, f"{reason}: on the built-in digits instead, {len(data.train):,} training images."


def is_mnist(data: Dataset) -> bool:
    """Whether accuracies on `data` can be compared with published ones, which are all of MNIST."""
    return data.name == "mnist"


def noise_images(count: int, seed: int = 0, test: int = 100) -> Dataset:
    """Random images of MNIST's shape with random labels: the time of a step does not depend on the values."""
    rng = np.random.default_rng(seed)
    return Dataset(
        "noise", "noise", "classes", tuple("0123456789"),
        *(Split(rng.integers(0, 256, (n, 28, 28, 1), np.uint8), rng.integers(0, 10, n).astype(np.int32))
          for n in (count, test)),
    )  # fmt: skip
