"""PyTorch's side of the benchmarks: a script for any Python with PyTorch; it imports nothing of
this program.

`python torch_script.py IMAGES THREADS DEVICE NETWORK` with DEVICE `cpu` or `cuda` and NETWORK
`dense` (784-512-10) or `convolution` (32C5-MP2-64C5-MP2-512N-10N). It prints its version and
device, then answers each line on its input with a number of seconds:

    eager IMAGES    one epoch in batches of 100, operator by operator
    graph IMAGES    the same by a captured step, which needs a card

or with `! reason` where PyTorch failed. Products are in float32, without TF32.

The training is the usual one: float inputs scaled beforehand, batches by index, Linear or Conv2d,
ReLU, CrossEntropyLoss, SGD. Data and order are on the device. The captured step contains the
gathering of the batch, the position in the order and the update, so that the host does as little as
possible. The running loss, which this program computes, is not computed here.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

BATCH = 100


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
        self._inputs = (
            torch.randint(0, 256, (images, *shape), device=device).to(torch.float32) / 255
        )
        self._labels = torch.randint(0, 10, (images,), device=device)
        self._loss = torch.nn.CrossEntropyLoss()
        self._order = torch.arange(images, device=device)
        self._position = torch.zeros(1, dtype=torch.int64, device=device)
        self._offsets = torch.arange(BATCH, device=device)
        self._graph: tuple[Callable[[], None], Any] | None = None

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

    def graph(self, images: int) -> float:
        """Seconds of an epoch of whole batches by a captured step; captured at the first call."""
        if self._graph is None:
            # The network is kept too: the graph holds the addresses of its parameters.
            self._graph = self._capture()
        replay = self._graph[0]
        self._wait()
        start = perf_counter()
        self._order[:images] = self.torch.randperm(images, device=self.device)
        self._position.zero_()
        for _ in range(images // BATCH):
            replay()
        self._wait()
        return perf_counter() - start

    def answer(self, question: str) -> float:
        mode, images = question.split()
        return {"eager": self.eager, "graph": self.graph}[mode](int(images))

    def _wait(self) -> None:
        if self.device == "cuda":
            self.torch.cuda.synchronize()

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

        # As in PyTorch's documentation of CUDA graphs: some steps on a side stream first, and
        # gradients that are allocated inside the graph.
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
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
    training = TorchTraining(torch, images, device, network)
    training.eager(min(images, 500))
    _print(
        f"{torch.__version__} on {torch.cuda.get_device_name() if device == 'cuda' else 'the CPU'}"
    )
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
