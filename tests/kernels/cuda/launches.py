"""The launches of a training step on a card, their order and their code, without running them.

    python -m tests.card run -m tests.kernels.cuda.launches    Markdown tables for two networks

Nothing is computed: `Launcher.launch` is replaced by a function that notes its arguments.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any
from unittest.mock import patch

import numpy as np

from core.data.dataset import Dataset, Split
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.training.run_settings import RunSettings
from core.training.train_step import TrainStep, first_checkpoint
from kernels.cuda.dependencies import StreamScheduler
from kernels.cuda.device import Cuda
from kernels.cuda.launcher import SIDE_STREAMS, Launcher, _address_range
from kernels.cuda.toolkit import types
from tests.kernels.cuda.kernel_list import Compilable, iter_ptx

NETWORKS = ("784-512-10", "32C5-MP2-64C5-MP2-512N-10N")
CAPABILITY = (9, 0)


@dataclass(frozen=True)
class Noted:
    """A launch: its kernel, grid and arguments, the arrays that it writes, those of the workspace."""

    kernel: Any
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]
    writes: tuple[Any, ...]
    scratch: tuple[Any, ...]

    @property
    def name(self) -> str:
        return self.kernel.py_func.__name__

    @property
    def arrays(self) -> list[Any]:
        return [value for value in self.arguments if hasattr(value, "ptr")]

    @property
    def bytes(self) -> int:
        """Bytes that the launch has to read and to write; a gather reads as many as it writes."""
        written = sum(array.nbytes for array in self.writes)
        if self.name.startswith("_gather"):
            return 2 * written
        read = {_address_range(array): array.nbytes for array in self.arrays}
        slices = self.grid[2] if self.name == "product" else self.grid[1]
        # Each slice stores its sums, and the last block loads them.
        partial = 2 * slices * written if slices > 1 else 0
        return sum(read.values()) - self._only_written() + written + partial

    def _only_written(self) -> int:
        """Bytes of the arguments that are overwritten without being read."""
        # An update has the rate, one number, among its arguments.
        updates = self.name in ("product", "column_sums", "_sgd", "_advance_with_history") and any(
            array.size == 1 for array in self.arrays
        )
        ranges = {_address_range(array): array.nbytes for array in self.writes}
        return 0 if updates else sum(ranges.values())


@contextmanager
def noted() -> Iterator[list[Noted]]:
    """The launches made within the context, which are not run."""
    found: list[Noted] = []

    def launch(self, kernel, grid, block, arguments, writes, scratch=()):
        if prod(grid):
            scratch = tuple(self._workspaces[0][name] for name in scratch)
            found.append(Noted(kernel, grid, block, tuple(arguments), tuple(writes), scratch))

    with patch.object(Launcher, "launch", launch):
        yield found


def launches(network: str, steps: int, together: bool = False) -> list[Noted]:
    """Those of so many steps at batch 100 on MNIST's sizes, with SGD: of a graph, or `together`,
    with several steps in one launch where the network allows it.
    """
    settings = RunSettings(network=network, batch_size=100, activation="relu")
    images = np.zeros((100 * steps, 28, 28, 1), np.uint8)
    split = Split(images, np.zeros(len(images), np.int32))
    data = Dataset("blank", "Blank", "classes", tuple("0123456789"), split, split)
    parsed = parse(network, data.input_shape, data.outputs)
    start = first_checkpoint(settings, initial_parameters(parsed, settings.initialization, 0))
    device = Cuda()
    device.steps_per_recording = steps
    if not together:
        device.hidden_layer_steps = lambda *arrays: None
    with noted() as found, patch.object(Cuda, "record", lambda self, step: step):
        step = TrainStep(settings, data, device, start)
        found.clear()
        step.run(0, steps)
    step.close()
    device.close()
    return list(found)


def chain(found: list[Noted]) -> int:
    """Launches on the longest path of the captured graph."""
    scheduler = StreamScheduler(1 + SIDE_STREAMS)
    depths: list[int] = []
    tails: dict[int, int] = {}
    for each in found:
        reads = tuple(map(_address_range, each.arrays))
        assigned = scheduler.assign(reads, tuple(map(_address_range, each.writes)))
        before = [depths[index] for index in assigned.waits]
        before.append(tails.get(assigned.stream, 0))
        depths.append(1 + max(before))
        tails[assigned.stream] = depths[-1]
    return max(depths)


@dataclass(frozen=True)
class Code:
    """Instructions in a kernel's PTX; in its innermost loop with most multiplications, how many
    there are and how many of them are these.
    """

    instructions: int
    loop: int
    multiplications: int


def code(each: Noted) -> Code:
    kinds = tuple(map(_type_of, (*each.arguments, *each.scratch)))
    compilable = Compilable(each.name, each.kernel, kinds)
    [(_, ptx)] = iter_ptx(compilable, [CAPABILITY])
    lines = ptx[ptx.index(".entry") :].splitlines()
    loops = [lines[begin:end] for begin, end in _innermost_loops(lines)]
    loop = max(loops, key=_multiplications, default=[])
    return Code(_instructions(lines), _instructions(loop), _multiplications(loop))


def _instructions(lines: list[str]) -> int:
    instruction = re.compile(r"\s+(@!?%p\d+\s+)?[a-z][\w.]*(\s[^;]*)?;")
    return sum(instruction.match(line) is not None for line in lines)


def _multiplications(lines: list[str]) -> int:
    return sum("fma.rn.f32" in line for line in lines)


def _innermost_loops(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The first line and the line after the last of each loop that has none within."""
    labels: dict[str, int] = {}
    last = -1
    for number, line in enumerate(lines):
        if label := re.match(r"(\$\w+):", line):
            labels[label[1]] = number
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$\w+)", line)
        if branch and labels.get(branch[1], -1) > last:
            last = labels[branch[1]]
            yield last, number + 1


def _type_of(value: Any) -> Any:
    if hasattr(value, "ptr"):
        return value.of_compiler._numba_type_
    if isinstance(value, tuple):
        return types.UniTuple(types.uint32, len(value))
    return types.float32 if isinstance(value, np.floating | float) else types.int64


def main() -> None:
    for network in NETWORKS:
        one = launches(network, 1)
        long = chain(launches(network, 20))
        short = chain(launches(network, 10))
        print(f"\n{network}: {len(one)} launches a step, chain {chain(one)} in one step,")
        print(f"{(long - short) / 10:g} a step in a graph of 20")
        together = len(launches(network, 20, together=True))
        print(f"20 steps have {together} launches where several are one")
        print("\n| kernel | blocks | threads | instructions | loop | of which FMA | kB |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        codes = {each.kernel: code(each) for each in one}
        for each in one:
            found = codes[each.kernel]
            counts = found.instructions, found.loop, found.multiplications
            cells = prod(each.grid), prod(each.block), *counts, each.bytes // 1000
            print(f"| {each.name} | " + " | ".join(f"{cell:,}" for cell in cells) + " |")
        total = sum(found.instructions for found in codes.values())
        print(f"| all | | | {total:,} | | | {sum(x.bytes for x in one) // 1000:,} |")


if __name__ == "__main__":
    main()
