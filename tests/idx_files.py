"""Writes the files of MNIST's format."""

import struct

import numpy as np


def write_idx(folder, images, labels, prefix):
    """Images of bytes, (n, rows, columns) or with a last axis of 1, and labels; `prefix`: train or t10k."""
    folder.mkdir(parents=True, exist_ok=True)
    header = struct.pack(">IIII", 2051, *images.shape[:3])
    (folder / f"{prefix}-images-idx3-ubyte").write_bytes(header + images.tobytes())
    (folder / f"{prefix}-labels-idx1-ubyte").write_bytes(
        struct.pack(">II", 2049, len(labels)) + labels.astype(np.uint8).tobytes()
    )
