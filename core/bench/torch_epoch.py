"""PyTorch's side of the benches `dense` and `convolution`: a script for any Python that has it, with nothing of ours.

`python torch_epoch.py IMAGES THREADS dense|convolution`: prints its version, then, for each number on its input,
trains one epoch of so many of its IMAGES in batches of 100 and prints its seconds. It does so the usual way: a
float tensor scaled before, batches by index, Linear or Conv2d, ReLU, CrossEntropyLoss, SGD.
"""

import sys
from time import perf_counter
from typing import Any


def network_of(name: str, nn: Any) -> tuple[tuple[int, ...], Any, float]:
    """Shape of one input, network and rate of the bench with this name."""
    if name == "dense":
        return (784,), nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)), 0.1
    return (1, 28, 28), nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(7 * 7 * 64, 512), nn.ReLU(), nn.Linear(512, 10),
    ), 0.01  # fmt: skip


def main(images: int, threads: int, name: str) -> None:
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    shape, network, rate = network_of(name, torch.nn)
    inputs = torch.randint(0, 256, (images, *shape)).to(torch.float32) / 255
    labels = torch.randint(0, 10, (images,))
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(network.parameters(), lr=rate)

    def epoch(count: int) -> float:
        begun = perf_counter()
        order = torch.randperm(count)
        for first in range(0, count, 100):
            index = order[first : first + 100]
            optimizer.zero_grad()
            loss_of(network(inputs[index]), labels[index]).backward()
            optimizer.step()
        return perf_counter() - begun

    epoch(min(images, 500))
    _say(torch.__version__)
    for line in sys.stdin:
        _say(str(epoch(int(line))))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
