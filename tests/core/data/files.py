"""Small data files for tests, correct or damaged on purpose."""

import gzip
import os
import struct
from pathlib import Path

import numpy as np

TRAIN_IMAGES, TRAIN_LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
TEST_IMAGES, TEST_LABELS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"


def idx_images(images: np.ndarray) -> bytes:
    return struct.pack(">IIII", 2051, *images.shape) + images.tobytes()


def idx_labels(labels: np.ndarray) -> bytes:
    return struct.pack(">II", 2049, len(labels)) + labels.astype(np.uint8).tobytes()


def some_digits(count: int, side: int = 28) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(count)
    return rng.integers(0, 256, (count, side, side), dtype=np.uint8), np.arange(count) % 10


def contents(train: int = 30, test: int = 20, side: int = 28) -> dict[str, bytes]:
    (images, labels), (test_images, test_labels) = some_digits(train, side), some_digits(test, side)
    return {
        TRAIN_IMAGES: idx_images(images),
        TRAIN_LABELS: idx_labels(labels),
        TEST_IMAGES: idx_images(test_images),
        TEST_LABELS: idx_labels(test_labels),
    }


def write_folder(folder: Path, files: dict[str, bytes], packed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if packed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(content, 1))
        else:
            (folder / name).write_bytes(content)
    return folder


def damage_unseen(path):
    """Write other bytes into a file, and keep its size and its time."""
    status = path.stat()
    path.write_bytes(b"\xff" * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
