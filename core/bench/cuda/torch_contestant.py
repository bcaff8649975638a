"""PyTorch's side of the bench `cuda`: a script for any Python that has PyTorch, which needs nothing of ours.

`python torch_contestant.py IMAGES THREADS [DEVICE]`: prints its version and card, then answers each line on its input
with a number of seconds:

    epoch eager|graph 0|1 IMAGES    an epoch of 784-512-10 in batches of 100, with TF32 off or on
    product 0|1 SIZE                a product of two square matrices, median of several

or with `! reason` where PyTorch could not. Without a card (DEVICE cpu, for trying it out) nothing is captured: the
step itself stands in for its graph.

Data and order are on the card. The usual network: Linear, ReLU, Linear, CrossEntropyLoss, SGD at rate 0.1. The
eager epoch gathers a batch by a slice of the permutation. The captured one has gathering, place in the
permutation and update inside the graph, so that a step is one replay: as little for the host to do as there can
be. Neither keeps the running loss, which ours does.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

BATCH = 100

# Products in one go, as our own are timed: the wait for the first launch then counts for little.
TOGETHER = 8


class Contestant:
    """Network, data and the steps over them on one device."""

    def __init__(self, torch: Any, images: int, device: str) -> None:
        self.torch, self.device = torch, device
        torch.manual_seed(0)
        self._inputs = torch.randint(0, 256, (images, 784), device=device).to(torch.float32) / 255
        self._labels = torch.randint(0, 10, (images,), device=device)
        self._loss_of = torch.nn.CrossEntropyLoss()
        self._order = torch.arange(images, device=device)
        self._place = torch.zeros(1, dtype=torch.int64, device=device)
        self._lanes = torch.arange(BATCH, device=device)
        self._graphs: dict[bool, tuple[Callable[[], None], Any]] = {}
        self._network, self._optimizer = self._fresh()

    def use_tf32(self, on: bool) -> None:
        self.torch.set_float32_matmul_precision("high" if on else "highest")

    def eager(self, images: int) -> float:
        """Seconds of an epoch, launch by launch."""
        self.wait()
        begun = perf_counter()
        order = self.torch.randperm(images, device=self.device)
        for first in range(0, images, BATCH):
            index = order[first : first + BATCH]
            self._optimizer.zero_grad()
            self._loss_of(self._network(self._inputs[index]), self._labels[index]).backward()
            self._optimizer.step()
        self.wait()
        return perf_counter() - begun

    def graph(self, images: int, tf32: bool) -> float:
        """Seconds of an epoch of whole batches, replay by replay; captured at the first call."""
        if tf32 not in self._graphs:
            # With what it trains: the graph holds the addresses.
            self._graphs[tf32] = self._capture()
        replay = self._graphs[tf32][0]
        self.wait()
        begun = perf_counter()
        self._order[:images] = self.torch.randperm(images, device=self.device)
        self._place.zero_()
        for _ in range(images // BATCH):
            replay()
        self.wait()
        return perf_counter() - begun

    def product(self, size: int) -> float:
        """Median seconds of a product, by the card's clock where there is one."""
        a, b = (self.torch.rand((size, size), device=self.device) for _ in range(2))
        out = self.torch.empty((size, size), device=self.device)

        def several() -> None:
            for _ in range(TOGETHER):
                self.torch.mm(a, b, out=out)

        several()
        self.wait()
        return median(self._seconds(several) for _ in range(9)) / TOGETHER

    def wait(self) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def _seconds(self, work: Callable[[], object]) -> float:
        if self.device != "cuda":
            begun = perf_counter()
            work()
            return perf_counter() - begun
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3

    def _fresh(self) -> tuple[Any, Any]:
        nn = self.torch.nn
        network = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)).to(self.device)
        return network, self.torch.optim.SGD(network.parameters(), lr=0.1)

    def _capture(self) -> tuple[Callable[[], None], Any]:
        """A function that replays a captured step, and what it must keep alive."""
        torch = self.torch
        network, optimizer = self._fresh()

        def plain() -> None:
            optimizer.zero_grad()
            step()

        def step() -> None:
            index = self._order[self._place + self._lanes]
            self._loss_of(network(self._inputs[index]), self._labels[index]).backward()
            optimizer.step()
            self._place.add_(BATCH)

        if self.device != "cuda":
            return plain, None
        # As PyTorch's manual has it: a few steps on a side stream first, gradients made anew inside the graph.
        side = torch.cuda.GeneratorThread()
        side.wait_stream(torch.cuda.current_stream())
        self._place.zero_()
        with torch.cuda.stream(side):
            for _ in range(3):
                optimizer.zero_grad(set_to_none=True)
                step()
                self._place.zero_()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            step()
        return graph.replay, (graph, network, optimizer)


def answer(contestant: Contestant, line: str) -> float:
    words = line.split()
    if words[0] == "epoch":
        tf32, images = words[2] == "1", int(words[3])
        contestant.use_tf32(tf32)
        return contestant.eager(images) if words[1] == "eager" else contestant.graph(images, tf32)
    contestant.use_tf32(words[1] == "1")
    return contestant.product(int(words[2]))


def main(images: int, threads: int, device: str = "cuda") -> None:
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        sys.exit(f"PyTorch {torch.__version__} finds no card")
    torch.set_num_threads(threads)
    contestant = Contestant(torch, images, device)
    contestant.eager(min(images, 1000))
    card = torch.cuda.get_device_name() if device == "cuda" else "the CPU"
    _say(f"{torch.__version__} on {card}")
    for line in sys.stdin:
        try:
            _say(str(answer(contestant, line)))
        except Exception as error:
            # One question that fails should not take the answers to the others with it.
            _say(f"! {type(error).__name__}: {' '.join(str(error).split())[:300]}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
