"""Whether two versions of the program compute the same numbers: parameters equal to the bit, and
the same losses.

python -m tools.same_numbers OLD NEW [--device NAME ...]

OLD and NEW are folders with a checkout each. Both train the same networks for one epoch on the same
made-up images, by their own command line. A row of the table says whether the parameters are equal
to the bit, and otherwise the largest difference, as a share of the largest parameter, and how many
differ. Losses and scores are those of the epoch's record, and are shown where they differ. The
first line names the code that sums on this processor: with that of another family of processors a
result can be another. Ends with exit code 1 where parameters differ.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from safetensors.numpy import load_file

from kernels.host import arithmetic

SMALL = "8C5-MP2-16C5-MP2-64-10"
WIDE = "20C5-MP2-40C5-MP2-100-10"
# Name: the options of `train`. Batches of 100 unless they say otherwise.
CASES = {
    "relu, SGD": "--network 784-128-10 --activation relu --optimizer sgd --learning-rate 0.1",
    "tanh, momentum": "--network 784-512-10 --activation tanh --optimizer momentum --nesterov "
    "--learning-rate 0.02",
    "sigmoid, squared error": "--network 784-64-10 --activation sigmoid --loss squared-error "
    "--batch-size 10 --learning-rate 1",
    "convolution, pooling, dropout, batch normalization, "
    "Adam": "--network 8C5-BN-MP2-D10-16C3-BN-MP2-64N-BN-D50-10 --activation relu --optimizer "
    "adam --learning-rate 0.002",
    "L2, augmentation": "--network 784-100-10 --activation leaky-relu --optimizer adam --l2 "
    "0.0001 --learning-rate 0.001 --shift 1 --rotation 8 --scale 0.1 --shear 0.1 --elastic 0.5 "
    "--thickness 0.2",
    "group of batches": "--network 784-64-10 --activation tanh --group 4 --workers 2 "
    "--learning-rate 0.1 --l1 0.00001",
    "convolution, tanh, momentum": f"--network {WIDE} --activation tanh --optimizer momentum "
    "--learning-rate 0.02",
    "convolution, group of batches": f"--network {SMALL} --activation sigmoid --initialization "
    "glorot --group 3 --workers 2 --learning-rate 0.5",
    "clipped leaky relu, validation": "--network 784-30-30-10 --activation clipped-leaky-relu "
    "--loss squared-error --validation 0.2 --l2 0.001 --batch-size 32 --learning-rate 0.1",
}
BATCH = "--batch-size 100"
NUMBERS = (
    "train_loss",
    "train_accuracy",
    "train_score",
    "test_loss",
    "test_accuracy",
    "test_score",
    "validation_loss",
)


def write_images(folder: Path) -> None:
    """Ten classes of noisy blobs as IDX files: 1,990 images to learn from and 300 to test."""
    rng = np.random.default_rng(1)
    rows, columns = np.mgrid[:28, :28]
    for split, count in (("train", 1990), ("t10k", 300)):
        labels = rng.integers(0, 10, count).astype(np.uint8)
        angles = labels * (np.pi / 5)
        y = 14 + 8 * np.sin(angles) + rng.normal(0, 2, count)
        x = 14 + 8 * np.cos(angles) + rng.normal(0, 2, count)
        distances = (rows - y[:, None, None]) ** 2 + (columns - x[:, None, None]) ** 2
        images = 255 * np.exp(-distances / 12) + rng.integers(0, 20, (count, 28, 28))
        images = np.minimum(images, 255).astype(np.uint8)
        (folder / f"{split}-images-idx3-ubyte").write_bytes(
            struct.pack(">4i", 2051, *images.shape) + images.tobytes()
        )
        (folder / f"{split}-labels-idx1-ubyte").write_bytes(
            struct.pack(">2i", 2049, count) + labels.tobytes()
        )


def train(
    tree: Path, options: str, device: str, images: Path
) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """The parameters by name, and the numbers of the epoch's record."""
    with TemporaryDirectory() as home:
        model = Path(home, "model.safetensors")
        command = [
            sys.executable,
            "main.py",
            "train",
            "--json",
            "--data",
            str(images),
            "--preset",
            "dense",
            "--epochs",
            "1",
            "--seed",
            "3",
            *BATCH.split(),
            *options.split(),
            "--device",
            device,
            "--save",
            str(model),
        ]
        done = subprocess.run(
            command,
            cwd=tree,
            env=os.environ | {"DIGITLAB_HOME": home},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{tree}: {' '.join(command)}\n{done.stderr}")
        records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        epoch = next(record for record in records if record.get("event") == "epoch")
        return load_file(model), {name: epoch[name] for name in NUMBERS if name in epoch}


def difference(old: dict[str, np.ndarray], new: dict[str, np.ndarray]) -> str:
    """Empty where both hold the same bits."""
    if {name: array.shape for name, array in old.items()} != {
        name: array.shape for name, array in new.items()
    }:
        return "other arrays"
    first, second = (
        np.concatenate([arrays[name].ravel() for name in sorted(arrays)]) for arrays in (old, new)
    )
    if first.tobytes() == second.tobytes():
        return ""
    apart = np.abs(first - second)
    return (
        f"differ: {apart.max() / np.abs(first).max():.1e}, {np.count_nonzero(apart):,} of "
        f"{apart.size:,}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--device", action="append", choices=("vectorized", "sequential"))
    options = parser.parse_args()
    failed = False
    print(f"Computed with {arithmetic()}.", flush=True)
    with TemporaryDirectory() as images:
        write_images(Path(images))
        for device in options.device or ["vectorized", "sequential"]:
            for name, case in CASES.items():
                old, new = (
                    train(tree, case, device, Path(images)) for tree in (options.old, options.new)
                )
                found = difference(old[0], new[0])
                losses = "" if old[1] == new[1] else f"; losses {old[1]} and {new[1]}"
                failed = failed or bool(found)
                print(f"{device:<11} {name:<58} parameters {found or 'equal'}{losses}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
