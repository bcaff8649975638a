"""A small data set on disk, and a function that runs the program in this process."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from main import main


@dataclass
class Outcome:
    """The exit code and the output of the program."""

    code: int
    out: str
    err: str


@pytest.fixture
def program(capfd) -> Callable[..., Outcome]:
    """A function that runs the program: `program("train", "--epochs", 1)`."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def digits(tmp_path_factory) -> Path:
    """A folder of IDX files: 200 and 100 noisy images with one bright bar for each of ten
    classes.
    """
    folder = tmp_path_factory.mktemp("digits")
    random = np.random.default_rng(5)
    for prefix, count in (("train", 200), ("t10k", 100)):
        labels = np.arange(count) % 10
        images = random.integers(0, 60, (count, 28, 28)).astype(np.uint8)
        for image, label in zip(images, labels, strict=True):
            image[2 + 2 * label : 5 + 2 * label, 4:24] = 230
        head = struct.pack(">IIII", 2051, count, 28, 28)
        (folder / f"{prefix}-images-idx3-ubyte").write_bytes(head + images.tobytes())
        head = struct.pack(">II", 2049, count)
        (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(
            head + labels.astype(np.uint8).tobytes()
        )
    return folder
