"""PyTorch's side of the bench `convolution`: a script for any Python that has PyTorch, it needs nothing of ours.

`python torch_convolution.py IMAGES THREADS`: prints its version, then, for each number on its input, trains one
epoch of so many images of 32C5-MP2-64C5-MP2-512N-10N in batches of 100 the usual way (a float tensor scaled
before, batches by index, Conv2d, ReLU, MaxPool2d, Linear, CrossEntropyLoss, SGD) and prints its seconds.
"""

import sys
from time import perf_counter


def main(images: int, threads: int) -> None:
    import torch
    from torch import nn

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    inputs = torch.randint(0, 256, (images, 1, 28, 28)).to(torch.float32) / 255
    labels = torch.randint(0, 10, (images,))
    network = nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(7 * 7 * 64, 512), nn.ReLU(), nn.Linear(512, 10),
    )  # fmt: skip
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)

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
    main(int(sys.argv[1]), int(sys.argv[2]))
