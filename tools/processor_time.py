"""Processor time of an epoch, beside PyTorch's, and of the parts of a step with convolutions; one thread each.

python -m tools.processor_time PYTHON_WITH_TORCH

Processor time counts while a program computes, so other programs disturb it less than they disturb a bench.
Both programs train by turns, with one thread each. What several threads gain is not measured here.
"""

import argparse
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from core.bench import torch_process
from core.bench.dense import CONVOLUTION_RUN, RUN
from core.bench.timing import Epochs, noise_images
from core.progress import never_cancel
from core.training.run_settings import RunSettings
from kernels.host import arithmetic, blas_variables
from kernels.vectorized import convolution, winograd

NETWORKS = (("dense", RUN, 6_000, 25), ("convolution", CONVOLUTION_RUN, 500, 15))
"""Name for PyTorch's script, settings, images of an epoch, rounds."""

# Runs PyTorch's script with a clock that counts the processor time of its process.
_CLOCK = """
import runpy, sys, time
time.perf_counter = time.process_time
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class _TorchByProcessorTime(torch_process.TorchProcess):
    """PyTorch in a process of its own that answers with seconds of processor time."""

    def __init__(self, python: Path, images: int, network: str) -> None:
        start = subprocess.Popen

        def start_with_clock(command: list[str], **options: object) -> "subprocess.Popen[str]":
            return start([command[0], "-c", _CLOCK, *command[1:]], **options)

        subprocess.Popen = start_with_clock  # type: ignore[assignment, misc]
        try:
            super().__init__(python, images, "cpu", network)
        finally:
            subprocess.Popen = start  # type: ignore[misc]


def compare(name: str, run: RunSettings, images: int, rounds: int, python: Path) -> None:
    """Print the median processor time of an epoch of both programs, and of their ratios."""
    torch = _TorchByProcessorTime(python, images, name)
    data = noise_images(images, 0)
    with closing(torch), closing(Epochs(run, data, "vectorized", never_cancel)) as ours:
        question = f"epoch eager 0 {images}"
        ours()
        torch.ask(question)
        pairs = []
        for _ in range(rounds):
            begin = time.process_time()
            ours()
            pairs.append((time.process_time() - begin, torch.ask(question)))
    steps = images / run.batch_size
    own, others = (median(each) / steps * 1e3 for each in zip(*pairs, strict=True))
    ratios = sorted(first / second for first, second in pairs)
    print(
        f"{run.network:<32} {own:6.2f} ms a step, PyTorch {others:6.2f} ms: {median(ratios):.2f} of its time"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f})",
        flush=True,
    )


class _TimedNumpy:
    """NumPy for a module, with products that are counted."""

    def __init__(self, timed: Callable[..., Any]) -> None:
        self.matmul = timed

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def show_parts() -> None:
    """Print what takes the processor time of a step with convolutions: products, and what stands around them."""
    seconds: dict[str, float] = defaultdict(float)

    def counted(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object, **named: object) -> Any:
            begin = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                seconds[part] += time.thread_time() - begin

        return call

    convolution.np = _TimedNumpy(counted("products of convolutions", np.matmul))  # type: ignore[assignment]
    for name in ("evaluate_inputs", "interpolate_outputs", "spread_outputs"):
        setattr(winograd, name, counted("transforms to points and back", getattr(winograd, name)))
    for name in ("_gather_rows", "_gather_columns", "_add_patches"):
        setattr(convolution, name, counted("patches", getattr(convolution, name)))
    images = 500
    steps = images / CONVOLUTION_RUN.batch_size
    with closing(Epochs(CONVOLUTION_RUN, noise_images(images, 0), "vectorized", never_cancel)) as epoch:
        epoch()
        least = float("inf")
        parts = {}
        for _ in range(10):
            seconds.clear()
            begin = time.process_time()
            epoch()
            total = time.process_time() - begin
            if total < least:
                least = total
                parts = dict(seconds)
    parts["dense layers, pooling, update and the rest"] = least - sum(parts.values())
    print(f"{CONVOLUTION_RUN.network}, least of ten: {least / steps * 1e3:.1f} ms a step")
    for part, value in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"    {part:<44} {value / steps * 1e3:6.2f} ms {100 * value / least:4.0f} %")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", type=Path, help="a Python that has PyTorch")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        # Both programs take as many threads as they may use processors.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{arithmetic()}; {blas_variables() or 'no variable of OpenBLAS is set'}")
    for network in NETWORKS:
        compare(*network, options.python)
    show_parts()


if __name__ == "__main__":
    main()
