"""PyTorch's side of the benchmarks: a script for any Python with PyTorch; it imports nothing of this program.

`python torch_script.py IMAGES THREADS DEVICE NETWORK` with DEVICE `cpu` or `cuda` and NETWORK `dense`
(784-512-10) or `convolution` (32C5-MP2-64C5-MP2-512N-10N). It prints its version and device, then answers each
line on its input with a number of seconds:

    epoch eager|graph TF32 IMAGES    one epoch in batches of 100; TF32 is 0 or 1
    product TF32 SIZE                a product of two square matrices, the median of several

or with `! reason` where PyTorch failed. `graph` needs a card.

The training is the usual one: float inputs scaled beforehand, batches by index, Linear or Conv2d, ReLU,
CrossEntropyLoss, SGD. Data and order are on the device. The captured step contains the gathering of the batch,
the position in the order and the update, so that the host does as little as possible. The running loss, which
this program computes, is not computed here.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

BATCH = 100
# Products timed together, as this program's own are: the wait for the first launch then counts for little.
PRODUCTS = 8


def make_network(name: str, nn: Any) -> tuple[tuple[int, ...], Any, float]:
    """Shape of one input, network, learning rate."""
    if name == "dense":
        return (784,), nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)), 0.1
    return (
        (1, 28, 28),
        nn.Sequential(
            nn.Conv2d(1, 32, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5, padding=2),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(7 * 7 * 64, 512),
            nn.ReLU(),
            nn.Linear(512, 10),
        ),
        0.01,
    )


class TorchTraining:
    """Network, data and training steps on one device."""

    def __init__(self, torch: Any, images: int, device: str, network: str) -> None:
        self.torch = torch
        self.device = device
        self._name = network
        torch.manual_seed(0)
        self._network, self._optimizer, shape = self._make()
        self._inputs = torch.randint(0, 256, (images, *shape), device=device).to(torch.float32) / 255
        self._labels = torch.randint(0, 10, (images,), device=device)
        self._loss = torch.nn.CrossEntropyLoss()
        self._order = torch.arange(images, device=device)
        self._position = torch.zeros(1, dtype=torch.int64, device=device)
        self._offsets = torch.arange(BATCH, device=device)
        self._graphs: dict[bool, tuple[Callable[[], None], Any]] = {}

    def eager(self, images: int) -> float:
        """Seconds of an epoch, operator by operator."""
        self._wait()
        start = perf_counter()
        order = self.torch.randperm(images, device=self.device)
        for first in range(0, images, BATCH):
            index = order[first : first + BATCH]
            self._optimizer.zero_grad()
            self._loss(self._network(self._inputs[index]), self._labels[index]).backward()
            self._optimizer.step()
        self._wait()
        return perf_counter() - start

    def graph(self, images: int, tf32: bool) -> float:
        """Seconds of an epoch of whole batches by a captured step; captured at the first call."""
        if tf32 not in self._graphs:
            # The network is kept too: the graph holds the addresses of its parameters.
            self._graphs[tf32] = self._capture()
        replay = self._graphs[tf32][0]
        self._wait()
        start = perf_counter()
        self._order[:images] = self.torch.randperm(images, device=self.device)
        self._position.zero_()
        for _ in range(images // BATCH):
            replay()
        self._wait()
        return perf_counter() - start

    def product(self, size: int) -> float:
        """Median seconds of a product, by the card's clock where there is one."""
        a, b = (self.torch.rand((size, size), device=self.device) for _ in range(2))
        out = self.torch.empty((size, size), device=self.device)

        def several() -> None:
            for _ in range(PRODUCTS):
                self.torch.mm(a, b, out=out)

        several()
        self._wait()
        return median(self._seconds(several) for _ in range(9)) / PRODUCTS

    def answer(self, question: str) -> float:
        what, *words = question.split()
        if what == "product":
            self._use_tf32(words[0] == "1")
            return self.product(int(words[1]))
        mode = words[0]
        tf32 = words[1] == "1"
        images = int(words[2])
        self._use_tf32(tf32)
        return self.eager(images) if mode == "eager" else self.graph(images, tf32)

    def _use_tf32(self, on: bool) -> None:
        self.torch.set_float32_matmul_precision("high" if on else "highest")

    def _wait(self) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def _seconds(self, work: Callable[[], object]) -> float:
        if self.device != "cuda":
            start = perf_counter()
            work()
            return perf_counter() - start
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3

    def _make(self) -> tuple[Any, Any, tuple[int, ...]]:
        shape, network, rate = make_network(self._name, self.torch.nn)
        network = network.to(self.device)
        return network, self.torch.optim.SGD(network.parameters(), lr=rate), shape

    def _capture(self) -> tuple[Callable[[], None], Any]:
        """A function that replays a captured step, and the objects that it needs."""
        torch = self.torch
        network, optimizer, _ = self._make()

        def step() -> None:
            index = self._order[self._position + self._offsets]
            self._loss(network(self._inputs[index]), self._labels[index]).backward()
            optimizer.step()
            self._position.add_(BATCH)

        # As in PyTorch's documentation of CUDA graphs: some steps on a side stream first, and gradients that
        # are allocated inside the graph.
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        self._position.zero_()
        with torch.cuda.stream(side):
            for _ in range(3):
                optimizer.zero_grad(set_to_none=True)
                step()
                self._position.zero_()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            step()
        return graph.replay, (graph, network, optimizer)


def main(images: int, threads: int, device: str, network: str) -> None:
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        sys.exit(f"PyTorch {torch.__version__} finds no card")
    torch.set_num_threads(threads)
    training = TorchTraining(torch, images, device, network)
    training.eager(min(images, 500))
    _print(f"{torch.__version__} on {torch.cuda.get_device_name() if device == 'cuda' else 'the CPU'}")
    for line in sys.stdin:
        try:
            _print(str(training.answer(line)))
        except Exception as error:
            # The other questions can still be answered.
            _print(f"! {type(error).__name__}: {' '.join(str(error).split())[:300]}")


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])
